"""Positions and deals of Turn of Fate, and short ways to play on from them."""

from dataclasses import dataclass
from itertools import chain

from tests.games.placing import place_all
from tests.games.playing import Playing
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Event, Seat
from vaultkit.games.options import resolve
from vaultkit.games.position_setup import Arrangement
from vaultkit.games.turn import Chance, draw_move
from vaultkit.games.turn_of_fate.game import TurnOfFate, arrange
from vaultkit.games.turn_of_fate.rules import OPTIONS, Stack, make_cards
from vaultkit.games.turn_of_fate.state import FateState

A, B = range(2)

GAME = TurnOfFate()
_known = known_deck("decktet")
assert _known is not None
DECK = _known
CARDS = make_cards(DECK)


def complete(**given: object) -> dict[str, str | int]:
    """Return all options: the given values and the defaults."""
    return resolve(OPTIONS, given, "Turn of Fate")


@dataclass
class Play(Playing[FateState]):
    """A game of Turn of Fate in progress, with short ways to inspect it."""

    def luck(self, answers: str) -> list[Event]:
        """Answer chance events in order, with one card or option each."""
        told = []
        for answer in answers.split():
            assert isinstance(self.turn, Chance), f"no chance for '{answer}': {self.turn}"
            told += self.apply(draw_move(answer))
        return told

    def any_luck(self) -> None:
        """Answer chance events with the top card until a decision or the end of the game."""
        while isinstance(self.turn, Chance):
            turn = self.turn
            self.luck(turn.options[0] if turn.options else (*turn.pile.unknown, *turn.pile.bottom)[0])

    def congregation(self, seat: Seat) -> set[str]:
        """Return a seat's Citizens, each with the cards that lie on them: `4wl 8wl`."""
        return _spelt(self.state.at.congregations[seat])

    @property
    def agora(self) -> set[str]:
        return _spelt(self.state.at.agora)

    def temple(self, seat: Seat) -> set[str]:
        return _spelt(self.state.at.vowed[seat])

    @property
    def deck(self) -> tuple[set[str], tuple[str, ...]]:
        """The Deck of Fates: its unknown cards, and the known bottom in order."""
        return set(self.state.at.fates.unknown), self.state.at.fates.bottom


def _spelt(stacks: tuple[Stack, ...]) -> set[str]:
    return {" ".join(stack) for stack in stacks}


def begin(luck: str, **options: object) -> Play:
    """Begin a game and answer its first chance events."""
    play = Play(GAME.new(2, complete(**options), DECK))
    play.luck(luck)
    return play


def standing(
    hands: tuple[str, str] = ("", ""),
    *,
    temples: str = "Moons Wyrms",
    mover: Seat = A,
    congregations: tuple[str, str] = ("", ""),
    agora: str = "",
    vowed: tuple[str, str] = ("", ""),
    deck: str | None = None,
    bottom: str = "",
    known: tuple[str, str] = ("", ""),
    citizens: str | None = None,
    number: int = 9,
    idle: int = 0,
    **options: object,
) -> Play:
    """Return a game in which `mover` is about to begin a turn; seat A leads the first of the `temples`.

    `deck` and `citizens` list the cards to draw, by default all that are not placed elsewhere; cards placed nowhere are
    out of the game. `bottom` lies under the deck, and `known` lists what each seat knows beyond its hand and open
    cards.
    """
    zones = place_all(
        {"hand": hands, "congregation": congregations, "temple": vowed},
        {"agora": agora, "fates": deck, "citizens": citizens, "bottom": bottom},
    )
    lying = {card for stacks in zones.values() for card in chain(*stacks)}
    left = [card.id for card in DECK if card.id not in lying]
    laid = Arrangement(complete(**options), DECK, 2, zones, left, mover, temples.split(maxsplit=1)[0])
    state = arrange(laid, known, number=number, idle=idle)
    assert state.at.temples == (*temples.split(),)
    assert sorted(state.cards()) == sorted(DECK.by_id), "a card in two places"
    return Play(state)
