"""Effects of High cards on chosen other players: Darklord, Marionette, Seer, Tempter."""

from dataclasses import replace
from typing import Self

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.prophets_gambit.card_play import DrawCards, ForcedTurn, replaceable_count
from vaultkit.games.prophets_gambit.rules import HIGH_DECK, ORDER_MOVES, ORDER_WORDS, TARGET_MOVES
from vaultkit.games.prophets_gambit.state import GambitState, GambitTask
from vaultkit.games.turn import Chance, Move, Prompt, Rng, Turn, card_moves


def target_seats(state: GambitState, actor: Seat) -> tuple[Seat, ...]:
    """Return the seats at which `actor` may aim a High card: all others but the Innocent (PG-24), clockwise."""
    return tuple(seat for seat in state.reachable_seats(actor) if seat != actor)


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
            state.push_tasks(DemandDiscard(seat, target), DrawCards(target, rule=HIGH_DECK, ruling="PG-19"))


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
