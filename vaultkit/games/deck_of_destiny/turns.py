"""The tasks of an encounter: who owns which cards, the three phases, and the comparison of the hands."""

from vaultkit.games.deck_of_destiny.rules import (
    BEST_HAND,
    BOARD_SIZE,
    DONE,
    ENCOUNTERS,
    FIRST_TURNED_COUNT,
    HOW_IT_ENDS,
    MAX_ADDED_CARDS,
    PHASE_1,
    PHASE_2,
    PHASE_3,
    PHASE_RULES,
    PILES,
    PROCEED,
    RETREAT,
    TURN_ONE_MOVES,
    TURN_THREE_MOVES,
    DestinyRules,
)  # fmt: skip
from vaultkit.games.deck_of_destiny.state import (
    PLAYER_SEAT_INDEX,
    BestHand,
    DestinyPosition,
    DestinyState,
    DestinyTask,
    Tie,
)
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Chance, Move, Prompt, Turn, card_moves

MAX_TIE_COUNT = 100
"""The most times that new cards are dealt after equal hands.

After that an encounter is a tie, since a deck of the GM's own may make all hands equal.
"""


def first_task(rules: DestinyRules) -> DestinyTask:
    """Return the first task of an encounter: take out the cards of others, if they own any, else `inventory_task`."""
    return RemoveOthersCards() if rules.elsewhere else inventory_task(rules)


def inventory_task(rules: DestinyRules) -> DestinyTask:
    """Return the task that deals the inventory or, for a character without cards, draws a card or retreats (DD-4)."""
    if rules.inventory:
        return TakeInventory()
    return DrawOne() if rules.has_option("empty", "draw-one") else RetreatWithoutCards()


class RemoveOthersCards(DestinyTask):
    """DD-15: The removal of the cards that other characters own from the veiled deck."""

    def begin(self, state: DestinyState) -> Turn:
        words = "Which cards are in the inventories of others?"
        return Chance("elsewhere", Sentence(words), ("DD-15",), state.at.veiled, state.rules.elsewhere)

    def take(self, state: DestinyState, move: Move) -> None:
        cards, at = move.operands, state.at
        at.veiled, at.elsewhere = at.veiled.remove_cards(cards), state.rules.cards.sort_cards(cards)
        words = "{v0} cards are in the inventories of others, and so not in the veiled deck."
        if len(cards) == 1:
            words = "One card is in the inventory of another, and so not in the veiled deck."
        state.tell("elsewhere", words, PILES, ("DD-15", "DD-17"), values=(len(cards),), reveals=True)
        state.push_tasks(inventory_task(state.rules))


class TakeInventory(DestinyTask):
    """DD-2: The cards that the character owns, dealt or taken from the character's note."""

    def begin(self, state: DestinyState) -> Turn:
        words = Sentence("Which cards does {s0} own?", (PLAYER_SEAT_INDEX,))
        return Chance("inventory", words, ("DD-2",), state.at.veiled, state.rules.inventory, seat=PLAYER_SEAT_INDEX)

    def take(self, state: DestinyState, move: Move) -> None:
        state.draw(move.operands)
        owned = state.at.inventory
        state.at.before = len(owned)
        state.tell("inventory", "{s0} owns {cards}.", PILES, ("DD-2",), cards=owned, reveals=True)
        state.push_tasks(LayFirstCard())


class DrawOne(DestinyTask):
    """DD-4: The draw of one card by a character without cards."""

    def begin(self, state: DestinyState) -> Turn:
        words = Sentence("Which card does {s0} draw?", (PLAYER_SEAT_INDEX,))
        return Chance("draw-one", words, ("DD-4",), state.at.veiled, seat=PLAYER_SEAT_INDEX)

    def take(self, state: DestinyState, move: Move) -> None:
        state.draw(move.operands)
        words = "{s0} owns no card, and draws the {c0}."
        state.tell("draw", words, ENCOUNTERS, ("DD-4",), cards=move.operands, reveals=True, notable=True)
        state.push_tasks(LayFirstCard())


class RetreatWithoutCards(DestinyTask):
    """DD-4: The retreat of a character without cards, which is the only move and so needs no question (G-6)."""

    def begin(self, state: DestinyState) -> Turn:  # noqa: ARG002
        words = Sentence("{s0} owns no card, and cannot enter the encounter.", (PLAYER_SEAT_INDEX,))
        return Prompt(PLAYER_SEAT_INDEX, words, ENCOUNTERS, ("DD-4",), (RETREAT,))

    def take(self, state: DestinyState, move: Move) -> None:  # noqa: ARG002
        retreat(state, 0)


class LayFirstCard(DestinyTask):
    """Phase 1: The laying of one card from the inventory."""

    def begin(self, state: DestinyState) -> Turn:
        text = Sentence("{s0}, which card do you lay first?", (PLAYER_SEAT_INDEX,))
        return Prompt(PLAYER_SEAT_INDEX, text, PHASE_1, ("DD-3",), card_moves("play", state.at.inventory))

    def take(self, state: DestinyState, move: Move) -> None:
        state.lay(move.operands[0], 1)
        words = "{s0} lays the {c0}."
        state.tell("lay", words, PHASE_1, ("DD-3",), cards=move.operands, notable=True)
        self._report_deal(state)
        can_pick = state.rules.has_option("pick_reveal", "yes")
        state.push_tasks(PickCards(1) if can_pick else TurnUp(1, tuple(range(FIRST_TURNED_COUNT))))

    def _report_deal(self, state: DestinyState) -> None:
        """Report the cards dealt face down. The cards themselves are drawn when they are turned up."""
        strength = state.rules.strength
        if strength:
            cards = "one card" if strength == 1 else "{v0} cards"
            words = f"The opponent is dealt {cards}, face down, and the board five."
            state.tell("deal", words, PHASE_1, ("DD-14", "DD-17"), values=(strength,))
        else:
            state.tell("deal", "The board is dealt five cards, face down.", PHASE_1, ("DD-17",))


class PickCards(DestinyTask):
    """DD-8: The player's choice of face-down cards of the board: of three in phase 1, and of a fourth in phase 2."""

    phase: int

    def begin(self, state: DestinyState) -> Turn:
        cards, moves = "three cards", TURN_THREE_MOVES
        if self.phase == 2:
            cards, moves = "card", tuple(TURN_ONE_MOVES[str(place + 1)] for place in state.at.face_down)
        text = Sentence(f"{{s0}}, which {cards} of the board do you turn up?", (PLAYER_SEAT_INDEX,))
        return Prompt(PLAYER_SEAT_INDEX, text, PHASE_RULES[self.phase], ("DD-8",), moves)

    def take(self, state: DestinyState, move: Move) -> None:
        state.push_tasks(TurnUp(self.phase, tuple(int(place) - 1 for place in move.operands)))


class TurnUp(DestinyTask):
    """The turning up of the cards at the indexes `places` of the board, in phase 1 or 2."""

    phase: int
    places: tuple[int, ...]

    def begin(self, state: DestinyState) -> Turn:
        count = len(self.places)
        words = "Which card of the board is turned up?" if count == 1 else "Which cards of the board are turned up?"
        return Chance("board", Sentence(words), ("DD-8",), state.at.veiled, count)

    def take(self, state: DestinyState, move: Move) -> None:
        state.turn_up(self.places, move.operands)
        words = "The board shows the {c0}." if len(self.places) == 1 else "The board shows {cards}."
        rule = PHASE_RULES[self.phase]
        state.tell("board", words, rule, ("DD-8",), cards=move.operands, reveals=True)
        state.push_tasks(ProceedOrRetreat(self.phase))


class ProceedOrRetreat(DestinyTask):
    """DD-12: The choice to go on or retreat, at the end of phases 1 and 2 only."""

    phase: int

    def begin(self, state: DestinyState) -> Turn:
        last_chance_words = " This is the last chance to retreat." if self.phase == 2 else ""
        text = Sentence(f"{{s0}}, do you go on, or retreat?{last_chance_words}", (PLAYER_SEAT_INDEX,))
        ends = ((RETREAT, self._retreat_price(state)),)
        return Prompt(
            PLAYER_SEAT_INDEX, text, PHASE_RULES[self.phase], ("DD-3", "DD-12"), (PROCEED, RETREAT), ends=ends
        )

    def _retreat_price(self, state: DestinyState) -> Sentence:
        """Return the price of a retreat in words (DD-3)."""
        laid_count = len(state.at.own)
        laid_words = "the card" if laid_count == 1 else f"the {laid_count} cards"
        fate_words = "come back" if state.rules.has_option("keep_on_retreat", "yes") else "are lost"
        if laid_count == 1:
            fate_words = fate_words.replace("come", "comes").replace("are", "is")
        return Sentence(f"Retreat: the encounter ends, and {laid_words} on the table {fate_words}")

    def take(self, state: DestinyState, move: Move) -> None:
        if move == RETREAT:
            retreat(state, self.phase)
        else:
            state.tell("proceed", "{s0} goes on.", PHASE_RULES[self.phase], ("DD-12",))
            state.push_tasks(AddCards(self.phase + 1))


def count_addable(at: DestinyPosition, phase: int) -> int:
    """Return how many cards may still be added in a phase: in the third no more than in the second (DD-6)."""
    max_count = MAX_ADDED_CARDS if phase == 2 else len(at.laid[1])
    return min(max_count - len(at.laid[phase - 1]), len(at.inventory))


def describe_count(card_count: int) -> str:
    """Return how many cards may be added in words: `one card`, `up to 5 cards`."""
    return "one card" if card_count == 1 else f"up to {card_count} cards"


class AddCards(DestinyTask):
    """Phases 2 and 3: The adding of cards, one by one, before more of the board is turned up."""

    phase: int

    def begin(self, state: DestinyState) -> Turn:
        at, remaining_count = state.at, count_addable(state.at, self.phase)
        rulings = ("DD-3", "DD-7") if self.phase == 2 else ("DD-3", "DD-6", "DD-7")
        moves = card_moves("add", at.inventory) if remaining_count else ()
        return Prompt(
            PLAYER_SEAT_INDEX, self._question_text(remaining_count), PHASE_RULES[self.phase], rulings, (*moves, DONE)
        )

    def _question_text(self, remaining_count: int) -> Sentence:
        if not remaining_count:
            return Sentence("{s0}, you can add no more cards.", (PLAYER_SEAT_INDEX,))
        return Sentence(f"{{s0}}, you may add {describe_count(remaining_count)}.", (PLAYER_SEAT_INDEX,))

    def take(self, state: DestinyState, move: Move) -> None:
        rule = PHASE_RULES[self.phase]
        if move != DONE:
            state.lay(move.operands[0], self.phase)
            rulings = ("DD-3",) if self.phase == 2 else ("DD-3", "DD-6")
            state.tell("add", "{s0} adds the {c0}.", rule, rulings, cards=move.operands)
            state.push_tasks(self)
            return
        if not state.at.laid[self.phase - 1]:
            state.tell("add", "{s0} adds nothing.", rule, ("DD-6",) if self.phase == 3 else ("DD-7",))
        state.push_tasks(self._next_task(state.rules))

    def _next_task(self, rules: DestinyRules) -> DestinyTask:
        if self.phase == 3:
            return OpponentShows() if rules.strength else TurnUpLastCards()
        return PickCards(2) if rules.has_option("pick_reveal", "yes") else TurnUp(2, (BOARD_SIZE - 2,))


class OpponentShows(DestinyTask):
    """DD-13: The turning up of the opponent's cards, before the last card of the board."""

    def begin(self, state: DestinyState) -> Turn:
        text = Sentence("Which cards does the opponent have?")
        return Chance("opponent", text, ("DD-13", "DD-14"), state.at.veiled, state.rules.strength)

    def take(self, state: DestinyState, move: Move) -> None:
        at, cards = state.at, move.operands
        at.veiled, at.opponent = at.veiled.remove_cards(cards), cards
        words = "The opponent has {cards}."
        state.tell("opponent", words, PHASE_3, ("DD-13",), cards=cards, reveals=True)
        state.push_tasks(TurnUpLastCards())


class TurnUpLastCards(DestinyTask):
    """DD-13: The turning up of the last card of the board, or of the whole board after a tie."""

    def begin(self, state: DestinyState) -> Turn:
        count = len(state.at.face_down)
        words = "Which is the last card of the board?" if count == 1 else "Which cards of the board are turned up?"
        return Chance("board", Sentence(words), ("DD-13",), state.at.veiled, count)

    def take(self, state: DestinyState, move: Move) -> None:
        count = len(move.operands)
        state.turn_up(state.at.face_down, move.operands)
        words = "The last card of the board is the {c0}." if count == 1 else "The new board is {cards}."
        state.tell("board", words, PHASE_3, ("DD-13",), cards=move.operands, reveals=True)
        compare_hands(state)


def compare_hands(state: DestinyState) -> None:
    """Compare the best hand of both sides, or the player's with the one asked for, and end the encounter (DD-18)."""
    at, rules = state.at, state.rules
    own_best = BestHand(*rules.find_best(at.own, at.face_up))
    _report_best_hand(state, "{s0} makes {v0}: {cards}.", own_best, (PLAYER_SEAT_INDEX,))
    if rules.category is not None:
        has_won = rules.can_make(rules.category, at.own, at.face_up)
        conclude(state, "win" if has_won else "loss", 3, own_best)
        return
    opponent_best = BestHand(*rules.find_best(at.opponent, at.face_up))
    _report_best_hand(state, "The opponent makes {v0}: {cards}.", opponent_best, ())
    if own_best.value == opponent_best.value:
        _settle_tie(state, own_best, opponent_best)
    else:
        conclude(state, "win" if own_best.value > opponent_best.value else "loss", 3, own_best, opponent_best)


def _report_best_hand(state: DestinyState, words: str, best: BestHand, seats: tuple[Seat, ...]) -> None:
    name = state.rules.cards.hand_name(best.value.category)
    detail, rulings = f"{name}, {'-'.join(map(str, best.value.ranks))}", ("DD-5", "DD-16", "DD-18")
    state.tell("hand", words, BEST_HAND, rulings, seats=seats, cards=best.cards, values=(name,), notable=True,
               detail=detail)  # fmt: skip


def _settle_tie(state: DestinyState, best: BestHand, opponent_best: BestHand) -> None:
    """DD-10: End an encounter with equal hands: as a tie, or with `tie: won` as a win.

    With `tie: replay` the opponent and the board are dealt new cards instead.
    """
    rules, at = state.rules, state.at
    if not rules.has_option("tie", "replay") or len(at.ties) >= MAX_TIE_COUNT:
        conclude(state, "win" if rules.has_option("tie", "won") else "tie", 3, best, opponent_best)
        return
    words = "The hands are equal: the opponent and the board are dealt new cards."
    state.tell("replay", words, HOW_IT_ENDS, ("DD-10",), notable=True)
    at.ties = (*at.ties, Tie(at.face_up, at.opponent))
    state.clear(*at.face_up, *at.opponent)
    state.push_tasks(OpponentShows())


def retreat(state: DestinyState, phase: int) -> None:
    """DD-12: End the encounter with a retreat after `phase`; 0 is before the first phase (DD-4)."""
    if phase == 0:
        words = "{s0} owns no card, and retreats."
        state.tell("retreat", words, ENCOUNTERS, ("DD-4",), notable=True)
    else:
        rule = PHASE_1 if phase == 1 else PHASE_2
        state.tell("retreat", "{s0} retreats.", rule, ("DD-12",), notable=True)
    conclude(state, "retreat", phase)


def conclude(
    state: DestinyState, kind: str, phase: int, best: BestHand | None = None, opponent_best: BestHand | None = None
) -> None:
    """End the encounter, and let a win earn cards (DD-2)."""
    state.finish(kind, phase, best, opponent_best)
    if kind == "win" and state.rules.reward:
        state.push_tasks(EarnCards())


class EarnCards(DestinyTask):
    """DD-2: The draw of the cards that a win earns, from the shuffled veiled deck as far as it reaches (G-5)."""

    def begin(self, state: DestinyState) -> Turn:
        veiled = state.at.veiled
        text = Sentence("Which cards does {s0} earn?", (PLAYER_SEAT_INDEX,))
        return Chance("reward", text, ("DD-2",), veiled, min(state.rules.reward, len(veiled)), seat=PLAYER_SEAT_INDEX)

    def take(self, state: DestinyState, move: Move) -> None:
        state.draw(move.operands)
        state.at.reward = move.operands
        words = "{s0} earns {cards}."
        state.tell("reward", words, HOW_IT_ENDS, ("DD-2",), cards=move.operands, reveals=True, notable=True)
