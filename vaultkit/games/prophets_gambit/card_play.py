"""Drawing, discarding and playing cards of the Common Deck, and the discard pile that becomes a new deck."""

from vaultkit.games.messages import Seat, Sentence, describe_draw
from vaultkit.games.prophets_gambit.rules import DECLINE, DRAW, PLAY, SETTING_UP, cards_by_order
from vaultkit.games.prophets_gambit.state import GambitState, GambitTask, GambitView, seats_clockwise
from vaultkit.games.turn import Chance, Move, Pile, Prompt, Turn, card_moves


def replaceable_count(state: GambitState, count: int) -> int:
    """Return how many cards may be discarded and replaced, of `count` that an effect demands (PG-11).

    With the option `exhaust: no-draw` that is at most the number of cards that can be drawn. With `reshuffle`
    it is all of them, as discarded cards can be drawn again.
    """
    return count if state.rules.reshuffles else min(count, len(state.at.common))


def reshuffle_if_empty(state: GambitState) -> bool:
    """Shuffle the discard pile into a new deck if the old one is empty; return whether this was done (PG-11)."""
    at = state.at
    if len(at.common) or not at.discard or not state.rules.reshuffles:
        return False
    reshuffled_cards = set(at.discard)
    at.known = [cards - reshuffled_cards for cards in at.known]
    at.common = Pile(tuple(sorted(at.discard)))
    at.discard = ()
    at.reshuffles += 1
    words = "The Common Deck is empty: {v0} discarded cards are shuffled into a new one."
    state.tell("reshuffle", words, SETTING_UP, ("PG-11",), values=(len(at.common),), notable=True)
    return True


class DrawCards(GambitTask):
    """The drawing of `count` cards into the seat's hand, as far as there are any (PG-12, G-5).

    `name` is the kind of its chance and event; `rule` and `ruling` are cited.
    """

    seat: Seat
    count: int = 1
    name: str = "draw"
    rule: str = PLAY
    ruling: str = "PG-9"

    def begin(self, state: GambitState) -> Turn:
        deck_size = len(state.at.common)
        if not self.count:
            return None
        if not deck_size:
            if reshuffle_if_empty(state):
                state.push_tasks(self)
            else:
                state.tell("no-card", "There is no card to draw.", self.rule, ("PG-11", "PG-12", "G-5"))
            return None
        count = min(self.count, deck_size)
        text = Sentence("Cards for {s0}: {v0}.", (self.seat,), (), (count,))
        return Chance(
            self.name, text, (self.ruling, "G-7"), pile=state.at.common, count=count, seat=self.seat, open=False
        )

    def take(self, state: GambitState, move: Move) -> None:
        at, seat, cards = state.at, self.seat, move.operands
        at.common = at.common.remove_cards(cards)
        state.add_to_hand(seat, *cards)
        count = len(cards)
        words = describe_draw(count)
        state.tell_in_two_versions(
            self.name, words, self.rule, (self.ruling,), seats=(seat,), cards=cards, values=(count,)
        )
        if len(cards) < self.count:
            state.push_tasks(DrawCards(seat, self.count - len(cards), self.name, self.rule, self.ruling))


class DrawFate(GambitTask):
    """The drawing of a Fate for the seat, which alone looks at it."""

    seat: Seat
    rule: str = SETTING_UP
    ruling: str = "PG-10"

    def begin(self, state: GambitState) -> Turn:
        if not len(state.at.common):
            assert reshuffle_if_empty(state), "an old Fate lies on the discard pile"
            state.push_tasks(self)
            return None
        text = Sentence("A Fate for {s0}.", (self.seat,))
        rulings = (self.ruling, "G-7")
        return Chance("fate", text, rulings, pile=state.at.common, seat=self.seat, open=False)

    def take(self, state: GambitState, move: Move) -> None:
        at, seat = state.at, self.seat
        at.common = at.common.remove_cards(move.operands)
        at.fates[seat] = move.operands[0]
        words = "The Fate of {s0} is the {c0}.", "{s0} gets a Fate."
        state.tell_in_two_versions("fate", words, self.rule, (self.ruling,), seats=(seat,), cards=move.operands)


class Discard(GambitTask):
    """The discarding of `count` cards of the seat's choice, one after the other, face up.

    `why` is the High card that causes it, "" for another cause.
    """

    seat: Seat
    rule: str
    rulings: tuple[str, ...]
    count: int = 1
    why: str = ""

    def begin(self, state: GambitState) -> Turn:
        hand = state.at.hands[self.seat]
        if not self.count or not hand:
            return None
        opening_words, cards = ("{s0}, for the {c0}:", (self.why,)) if self.why else ("{s0},", ())
        count_words = " first, of {v0}" if self.count > 1 else ""
        text = Sentence(f"{opening_words} which card do you discard{count_words}?", (self.seat,), cards, (self.count,))
        return Prompt(self.seat, text, self.rule, self.rulings, card_moves("discard", hand))

    def take(self, state: GambitState, move: Move) -> None:
        state.discard_card(self.seat, move.operands[0])
        words, seats = "{s0} discards the {c0}.", (self.seat,)
        state.tell("discard", words, self.rule, self.rulings, seats=seats, cards=move.operands, reveals=True)
        if self.count > 1:
            state.push_tasks(Discard(self.seat, self.rule, self.rulings, self.count - 1, self.why))


class ForcedTurn(GambitTask):
    """The turn of a marionette: it plays the card that it was ordered to, and cannot Risk (PG-28)."""

    seat: Seat

    def begin(self, state: GambitState) -> Prompt:
        assert state.at.forced is not None
        order_word = state.at.forced[1]
        cards = cards_by_order(state.at.hands[self.seat], order_word, state.rules.cards)
        words = "{s0}, the {c0} makes you play your {v0} numbered card. Which one?"
        if state.rules.cards.number[cards[0]] is None:
            words = "{s0}, the {c0} makes you play, and you hold no numbered card. Which one?"
        text = Sentence(words, (self.seat,), ("marionette",), (order_word,))
        # If one card were played without a question, others would learn how many cards qualify (G-6).
        return Prompt(self.seat, text, PLAY, ("PG-28",), card_moves("play", cards), ask_always=True)

    def take(self, state: GambitState, move: Move) -> None:
        state.at.forced = None
        play_card(state, self.seat, move.operands[0])


def play_card(state: GambitState, seat: Seat, card: str) -> None:
    """Play a hand card, which then lies open in front of the seat (PG-5), and offer a draw if it earns one (PG-8)."""
    state.remove_from_hand(seat, card)
    state.at.shown[seat] += (card,)
    state.tell("play", "{s0} plays the {c0}.", PLAY, ("PG-5",), seats=(seat,), cards=(card,), reveals=True)
    can_draw = len(state.at.common) or (state.rules.reshuffles and state.at.discard)
    if can_draw and earns_draw(state, seat, card):
        state.push_tasks(OfferDraw(seat, card))


def earns_draw(table: GambitState | GambitView, seat: Seat, card: str) -> bool:
    """Return whether a card that the seat plays earns a draw (PG-8), if there is a card to draw.

    A Master earns it, and so does a number lower than the one that the right neighbour shows.
    """
    cards = table.rules.cards
    if card in cards.masters:
        return True
    right_card = table.at.shown[seats_clockwise(table, seat)[-1]][-1]
    own_number, right_number = cards.number[card], cards.number[right_card]
    return own_number is not None and right_number is not None and own_number < right_number


class OfferDraw(GambitTask):
    """The choice after playing `card`, which has earned a draw: draw a card and discard one, or decline (PG-9)."""

    seat: Seat
    card: str

    def begin(self, state: GambitState) -> Turn:
        right_seat = state.right_neighbour(self.seat)
        is_master = self.card in state.rules.cards.masters
        reason = "you have played a Master" if is_master else "you have played a lower number than {s1} shows"
        text = Sentence(f"{{s0}}, {reason}: do you draw a card and then discard one?", (self.seat, right_seat))
        return Prompt(self.seat, text, PLAY, ("PG-8", "PG-9"), (DRAW, DECLINE))

    def take(self, state: GambitState, move: Move) -> None:
        if move == DRAW:
            state.push_tasks(DrawCards(self.seat), Discard(self.seat, PLAY, ("PG-9",)))
        else:
            state.tell("decline", "{s0} does not draw.", PLAY, ("PG-9",), seats=(self.seat,))


class SetAside(GambitTask):
    """The discarding of the turned High card, unless a player keeps it (PG-15)."""

    def begin(self, state: GambitState) -> Turn:
        at = state.at
        if at.turned is not None:
            at.high_discard = (*at.high_discard, at.turned)
            at.turned = None
        return None
