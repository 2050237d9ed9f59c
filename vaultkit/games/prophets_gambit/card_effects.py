"""Effects of High cards: on the whole table, on chosen other players, and on the player who turned them."""

from dataclasses import replace
from itertools import combinations
from typing import Self

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.prophets_gambit.card_play import Discard, DrawCards, ForcedTurn, SetAside, replaceable_count
from vaultkit.games.prophets_gambit.ending import Execution, Reveal
from vaultkit.games.prophets_gambit.rules import HAND_SIZE, HIGH_DECK, ORDER_MOVES, ORDER_WORDS, TARGET_MOVES
from vaultkit.games.prophets_gambit.state import FaceDown, GambitState, GambitTask
from vaultkit.games.turn import Chance, Move, Prompt, Rng, Turn, card_moves


def beast(state: GambitState, seat: Seat) -> None:
    """PG-17: Make everybody in reach discard a card, then everybody draw one, clockwise from the seat (G-4)."""
    seats = state.reachable_seats(seat)
    seats = seats[: replaceable_count(state, len(seats))]
    discards = (Discard(discarding_seat, HIGH_DECK, ("PG-17", "G-4"), why="beast") for discarding_seat in seats)
    draws = (DrawCards(discarding_seat, rule=HIGH_DECK, ruling="PG-17") for discarding_seat in seats)
    state.push_tasks(*discards, *draws)


def mists(state: GambitState, seat: Seat) -> None:
    """PG-29: Move each Fate to the next seat clockwise, passing over the Innocent, whose Fate stays (PG-25)."""
    at, seats = state.at, state.reachable_seats(seat)
    fates_by_seat = {giver: at.fates[giver] for giver in seats}
    state.tell("mists", "The Fates of {seats} move on, clockwise.", HIGH_DECK, ("PG-25", "PG-29"), seats=seats)
    for giver, taker in zip(seats, (*seats[1:], seats[0]), strict=True):
        fate = fates_by_seat[giver]
        assert fate is not None
        at.fates[taker] = fate
        state.learn(giver, fate)
        words, seen_by = "{s0} gets the Fate of {s1}: the {c0}.", frozenset({giver, taker})
        rulings = ("PG-29",)
        state.tell(
            "fate", words, HIGH_DECK, rulings, seats=(taker, giver), cards=(fate,), seen_by=seen_by, reveals=True
        )


def raven(state: GambitState, seat: Seat) -> None:
    """PG-32: Make everybody but the Innocent (PG-26) pass a card to the left, all at the same time."""
    state.push_tasks(PassCards(tuple(sorted(state.reachable_seats(seat)))))


class PassCards(FaceDown):
    """The choice of a card to pass, by several seats face down."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        return card_moves("pass", state.at.hands[seat])

    def ask(self, state: GambitState, seat: Seat) -> Prompt:
        words = "{s0}, for the {c0}: which card do you pass to the left, in secret until all have chosen?"
        text, rulings = Sentence(words, (seat,), ("raven",)), ("PG-26", "PG-32", "G-3")
        return Prompt(seat, text, HIGH_DECK, rulings, self.moves(state, seat), secret=True)

    def finish(self, state: GambitState) -> None:
        passes = [(giver, move.operands[0]) for giver, move in self.chosen]
        if len(passes) < 2:
            report_nobody_touched(state, "raven")
            return
        seats = tuple(giver for giver, _ in passes)
        takers = dict(zip(seats, (*seats[1:], *seats[:1]), strict=True))
        for giver, taker in takers.items():
            other_seats = (seat for seat in range(state.seats) if seat not in {giver, taker})
            state.lose_track(tuple(other_seats), giver)
        for giver, card in passes:
            state.remove_from_hand(giver, card)
        words = "{s0} passes the {c0} to {s1}.", "{s0} passes a card to {s1}."
        for giver, card in passes:
            taker = takers[giver]
            state.add_to_hand(taker, card)
            state.learn(giver, card)
            both_seats = frozenset({giver, taker})
            state.tell_in_two_versions(
                "pass", words, HIGH_DECK, ("PG-32",), seats=(giver, taker), cards=(card,), knowing=both_seats
            )


def donjon(state: GambitState, seat: Seat) -> None:
    """PG-20: End the rounds: all discard down to three cards, and the Reveal follows.

    With the option `donjon_execution: hold` the Execution comes before it; else the Executioner has nothing to decide
    (PG-21).
    """
    at = state.at
    at.donjon, at.waiting, at.forced = seat, (), None
    state.stack.clear()
    executions = (Execution(),) if state.rules.has_option("donjon_execution", "hold") else ()
    seats_over_limit = tuple(other for other in state.playing if len(at.hands[other]) > HAND_SIZE)
    state.push_tasks(CutDown(seats_over_limit), SetAside(), *executions, Reveal())


class CutDown(FaceDown):
    """The choice of discards that leave a hand of three, by several seats face down, even the Innocent (PG-22)."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        hand = state.at.hands[seat]
        return tuple(Move("discard", cards) for cards in combinations(sorted(hand), len(hand) - HAND_SIZE))

    def ask(self, state: GambitState, seat: Seat) -> Prompt:
        count = len(state.at.hands[seat]) - HAND_SIZE
        question_words = "Which one" if count == 1 else "Which {v0}"
        words = f"{{s0}}, the {{c0}} leaves you three cards. {question_words} do you discard?"
        text, rulings = Sentence(words, (seat,), ("donjon",), (count,)), ("PG-20", "PG-22", "G-3")
        return Prompt(seat, text, HIGH_DECK, rulings, self.moves(state, seat), secret=True)

    def finish(self, state: GambitState) -> None:
        for seat, move in self.chosen:
            cards = move.operands
            for card in cards:
                state.discard_card(seat, card)
            words = "{s0} discards {cards}." if len(cards) > 1 else "{s0} discards the {c0}."
            state.tell("discard", words, HIGH_DECK, ("PG-20",), seats=(seat,), cards=cards, reveals=True)


def target_seats(state: GambitState, actor: Seat) -> tuple[Seat, ...]:
    """Return the seats at which `actor` may aim a High card: all others but the Innocent (PG-24), clockwise."""
    return tuple(seat for seat in state.reachable_seats(actor) if seat != actor)


def report_nobody_touched(state: GambitState, card: str) -> None:
    """Report that a High card does nothing, because the Innocent and concessions leave it too few seats (G-5, G-14)."""
    words = "Nobody is left whom the {c0} could touch."
    state.tell("nobody", words, HIGH_DECK, ("G-5", "G-14", "PG-24"), cards=(card,))


def darklord(state: GambitState, seat: Seat) -> None:
    """PG-19: Let the seat look at a hand and choose a card of it to be discarded."""
    state.push_tasks(ChooseHandToSee(seat))


class ChooseHandToSee(GambitTask):
    """The choice of the hand at which the Darklord looks."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0}, at whose hand do you look with the {c0}?", (self.seat,), ("darklord",))
        moves = tuple(TARGET_MOVES[other] for other in target_seats(state, self.seat))
        return Prompt(self.seat, text, HIGH_DECK, ("PG-19", "PG-24"), moves)

    def take(self, state: GambitState, move: Move) -> None:
        seat, target = self.seat, int(move.operands[0])
        hand, seats = state.at.hands[target], (seat, target)
        state.learn(seat, *hand)
        words = "{s0} looks at the hand of {s1}: {cards}.", "{s0} looks at the hand of {s1}."
        state.tell_in_two_versions("look", words, HIGH_DECK, ("PG-19",), seats=seats, cards=hand)
        if replaceable_count(state, 1):
            state.push_tasks(DemandDiscard(seat, target))


class DemandDiscard(GambitTask):
    """The choice of the card that the target must discard."""

    seat: Seat
    target: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0}, for the {c0}: which card must {s1} discard?", (self.seat, self.target), ("darklord",))
        moves = card_moves("demand", state.at.hands[self.target])
        return Prompt(self.seat, text, HIGH_DECK, ("PG-19",), moves)

    def take(self, state: GambitState, move: Move) -> None:
        card, seats = move.operands[0], (self.target, self.seat)
        state.discard_card(self.target, card)
        words = "{s0} must discard the {c0}."
        state.tell("discard", words, HIGH_DECK, ("PG-19",), seats=seats, cards=(card,), reveals=True)
        state.push_tasks(DrawCards(self.target, rule=HIGH_DECK, ruling="PG-19"))


def marionette(state: GambitState, seat: Seat) -> None:
    """PG-28: Let the seat order a player who has not had a turn yet to play the highest or the lowest number."""
    if any(other in state.at.waiting for other in target_seats(state, seat)):
        state.push_tasks(ChooseMarionette(seat))
    else:
        words = "Nobody is left whom the Marionette could move."
        state.tell("marionette", words, HIGH_DECK, ("PG-28", "G-5"), seats=(seat,))


class ChooseMarionette(GambitTask):
    """The choice of the marionette, and of the card that it must play: the highest or the lowest."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        waiting_targets = tuple(other for other in target_seats(state, self.seat) if other in state.at.waiting)
        moves = tuple(ORDER_MOVES[other, order_word] for other in waiting_targets for order_word in ORDER_WORDS)
        text = Sentence("{s0}, whom does the {c0} move, and what must they play?", (self.seat,), ("marionette",))
        return Prompt(self.seat, text, HIGH_DECK, ("PG-28", "PG-24"), moves)

    def take(self, state: GambitState, move: Move) -> None:
        at, target, order_word = state.at, int(move.operands[0]), move.operands[1]
        at.forced = (target, order_word)
        words = "{s1} is the marionette of {s0} and, when the turn comes, must play the {v0} numbered card."
        if state.rules.has_option("marionette", "immediate"):
            words = "{s1} is the marionette of {s0} and must play the {v0} numbered card now."
            at.waiting = tuple(seat for seat in at.waiting if seat != target)
            state.push_tasks(ForcedTurn(target))
        seats = (self.seat, target)
        state.tell("marionette", words, HIGH_DECK, ("PG-28", "PG-40"), seats=seats, values=(order_word,))


def seer(state: GambitState, seat: Seat) -> None:
    """PG-33: Show the seat the Fates of all others but the Innocent."""
    target_seats_of_seer, fates = target_seats(state, seat), state.at.fates
    cards = tuple(fate for other in target_seats_of_seer if (fate := fates[other]) is not None)
    state.learn(seat, *cards)
    parts = ", ".join(f"{{s{place}}} the {{c{place - 1}}}" for place in range(1, len(cards) + 1))
    words = f"{{s0}} looks at the Fates: {parts}.", "{s0} looks at the Fates of others."
    state.tell_in_two_versions("look", words, HIGH_DECK, ("PG-33",), seats=(seat, *target_seats_of_seer), cards=cards)


def tempter(state: GambitState, seat: Seat) -> None:
    """PG-34: Let the seat trade a card of its own for a random card of another player."""
    state.push_tasks(ChooseTradeCard(seat))


class ChooseTradeCard(GambitTask):
    """The choice of the card to trade away; no other player sees it."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0}, which of your cards will the {c0} trade away?", (self.seat,), ("tempter",))
        moves = card_moves("offer", state.at.hands[self.seat])
        return Prompt(self.seat, text, HIGH_DECK, ("PG-34",), moves, secret=True)

    def take(self, state: GambitState, move: Move) -> None:
        words = "{s0} has chosen a card to trade, face down."
        state.tell("commit", words, HIGH_DECK, ("PG-34",), seats=(self.seat,))
        state.push_tasks(ChooseTradePartner(self.seat, move.operands[0]))


class TradeStep(GambitTask):
    """A step of a trade. `card` is what the seat gives; viewers who may not know it see None."""

    seat: Seat
    card: str | None

    def mask(self, state: GambitState, seat: Seat) -> Self:  # noqa: ARG002
        return self if seat == self.seat else replace(self, card=None)

    def unmask(self, state: GambitState, rng: Rng) -> Self:
        hand = state.at.hands[self.seat]
        return self if self.card is not None else replace(self, card=hand[rng.randrange(len(hand))])


class ChooseTradePartner(TradeStep):
    """The choice of the player to trade with."""

    def begin(self, state: GambitState) -> Turn:
        words = "{s0}, for the {c1}: with whom do you trade the {c0}?"
        text = Sentence(words, (self.seat,), (self.card or "", "tempter"))
        moves = tuple(TARGET_MOVES[other] for other in target_seats(state, self.seat))
        return Prompt(self.seat, text, HIGH_DECK, ("PG-34", "PG-24"), moves)

    def take(self, state: GambitState, move: Move) -> None:
        target = int(move.operands[0])
        words = "{s0} tempts {s1}."
        state.tell("tempt", words, HIGH_DECK, ("PG-34",), seats=(self.seat, target))
        state.push_tasks(Trade(self.seat, self.card, target))


class Trade(TradeStep):
    """The trade itself; chance picks the card that the target gives."""

    target: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0} draws a card from the hand of {s1}.", (self.seat, self.target))
        hand = state.at.hands[self.target]
        return Chance("trade", text, ("PG-34", "G-7"), options=hand, seat=self.seat, open=False)

    def take(self, state: GambitState, move: Move) -> None:
        seat, target, own_card, target_card = self.seat, self.target, self.card, move.operands[0]
        assert own_card is not None
        traders = frozenset({seat, target})
        others = tuple(other for other in range(state.seats) if other not in traders)
        for owner in traders:
            state.lose_track(others, owner)
        state.remove_from_hand(seat, own_card)
        state.remove_from_hand(target, target_card)
        state.add_to_hand(seat, target_card)
        state.add_to_hand(target, own_card)
        state.learn(seat, own_card)
        state.learn(target, target_card)
        words = "{s0} gives the {c0} to {s1} and takes the {c1}.", "{s0} and {s1} have traded a card."
        cards, seats = (own_card, target_card), (seat, target)
        state.tell_in_two_versions("trade", words, HIGH_DECK, ("PG-34",), seats=seats, cards=cards, knowing=traders)


def artifact(state: GambitState, seat: Seat) -> None:
    """PG-16: Swap the seat's Fate with the Focus, so that everybody knows the new Fate.

    The Innocent of another player does not prevent it, as the Focus belongs to nobody (PG-27).
    """
    at = state.at
    fate, focus = at.fates[seat], at.focus
    assert fate is not None and focus is not None
    at.focus, at.fates[seat] = fate, focus
    for other in range(state.seats):
        state.learn(other, focus)
    words = "{s0} swaps Fate and Focus: the {c0} is the Focus now, and the {c1} the Fate of {s0}."
    state.tell("artifact", words, HIGH_DECK, ("PG-16",), seats=(seat,), cards=(fate, focus), reveals=True)


def broken_one(state: GambitState, seat: Seat) -> None:
    """PG-18: Make the seat discard the whole hand and draw as many cards.

    If fewer cards can be replaced, the seat chooses so many to discard (PG-11).
    """
    hand = state.at.hands[seat]
    count = replaceable_count(state, len(hand))
    draw = DrawCards(seat, count, rule=HIGH_DECK, ruling="PG-18")
    if count < len(hand):
        state.push_tasks(Discard(seat, HIGH_DECK, ("PG-18", "PG-11"), count, "broken-one"), draw)
        return
    state.at.hands[seat] = ()
    state.at.discard += hand
    words = "{s0} discards the whole hand: {cards}."
    state.tell("discard", words, HIGH_DECK, ("PG-18",), seats=(seat,), cards=hand, reveals=True)
    state.push_tasks(draw)


def horseman(state: GambitState, seat: Seat) -> None:
    """PG-31: Make the seat draw two cards, then discard two of the whole hand."""
    count = replaceable_count(state, 2)
    draw = DrawCards(seat, count, rule=HIGH_DECK, ruling="PG-31")
    state.push_tasks(draw, Discard(seat, HIGH_DECK, ("PG-31",), count, "horseman"))


def ghost(state: GambitState, seat: Seat) -> None:
    """PG-30: Let the seat take a card of the discard pile into the hand, then discard one."""
    state.push_tasks(TakeBack(seat), Discard(seat, HIGH_DECK, ("PG-30",), why="ghost"))


class TakeBack(GambitTask):
    """The choice of a card of the discard pile for the Ghost; the Risk has put at least one there (PG-14)."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        pile = state.at.discard
        cards = pile[-1:] if state.rules.has_option("ghost", "top") else pile
        text = Sentence("{s0}, which discarded card does the {c0} bring you?", (self.seat,), ("ghost",))
        return Prompt(self.seat, text, HIGH_DECK, ("PG-30", "PG-14"), card_moves("take", cards))

    def take(self, state: GambitState, move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        at.discard = tuple(other for other in at.discard if other != card)
        state.add_to_hand(seat, card)
        for other in range(state.seats):
            state.learn(other, card)
        words = "{s0} takes the {c0} from the discard pile."
        state.tell("ghost", words, HIGH_DECK, ("PG-30",), seats=(seat,), cards=(card,))


def executioner(state: GambitState, seat: Seat) -> None:
    """PG-23: Put the turned card in front of the seat, which keeps it and will decide over the Focus."""
    _keep_turned_card(state, seat, "{s0} keeps the {c0} and will decide over the Focus.", ("PG-15", "PG-23"))


def innocent(state: GambitState, seat: Seat) -> None:
    """PG-24: Put the turned card in front of the seat, which keeps it and is safe from later High cards."""
    _keep_turned_card(state, seat, "{s0} keeps the {c0}: no later High card can touch {s0}.", ("PG-15", "PG-24"))


def _keep_turned_card(state: GambitState, seat: Seat, words: str, rulings: tuple[str, ...]) -> None:
    at = state.at
    assert at.turned is not None
    card, at.turned = at.turned, None
    at.kept[seat] = (*at.kept[seat], card)
    state.tell("kept", words, HIGH_DECK, rulings, seats=(seat,), cards=(card,))
