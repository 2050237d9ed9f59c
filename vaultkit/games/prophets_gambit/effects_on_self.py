"""Effects of High cards on the player who turned them: Artifact, Broken One, Executioner, Ghost, Horseman, Innocent."""

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.prophets_gambit.card_play import Discard, DrawCards, replaceable_count
from vaultkit.games.prophets_gambit.rules import HIGH_DECK
from vaultkit.games.prophets_gambit.state import GambitState, GambitTask
from vaultkit.games.turn import Move, Prompt, Turn, card_moves


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
