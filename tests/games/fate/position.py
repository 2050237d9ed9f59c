"""A game of Turn of Fate that stands at any position or begins with any cards, and whatever happens from there."""

from dataclasses import dataclass

from tests.games.playing import Playing
from vaultkit.cards.known import known_deck
from vaultkit.games.options import resolve
from vaultkit.games.turn import Chance, Pile, drawn
from vaultkit.games.turn_of_fate.game import TurnOfFate
from vaultkit.games.turn_of_fate.rules import OPTIONS, RIVAL, FateRules, Stack, cards_of
from vaultkit.games.turn_of_fate.state import Deeds, FatePosition, FateState
from vaultkit.games.turn_of_fate.turns import BeginTurn
from vaultkit.games.words import Event, Seat

A, B = range(2)

GAME = TurnOfFate()
_known = known_deck("decktet")
assert _known is not None
DECK = _known
CARDS = cards_of(DECK)


def complete(**given: object) -> dict[str, str | int]:
    """Every option's value, those given and the defaults."""
    return resolve(OPTIONS, given, "Turn of Fate")


@dataclass
class Play(Playing[FateState]):
    """A game that can be asked what the tests want to know."""

    def luck(self, answers: str) -> list[Event]:
        """Answer chances in order, one card or option each."""
        told = []
        for answer in answers.split():
            assert isinstance(self.turn, Chance), f"no chance for '{answer}': {self.turn}"
            told += self.apply(drawn(answer))
        return told

    def any_luck(self) -> None:
        """Answer chances with whatever lies on top until somebody decides or the game is over."""
        while isinstance(self.turn, Chance):
            turn = self.turn
            self.luck(turn.options[0] if turn.options else (*turn.pile.unknown, *turn.pile.bottom)[0])

    def congregation(self, seat: Seat) -> set[str]:
        """Its Citizens, each with all that lies on them: `4wl 8wl`."""
        return _spelt(self.state.at.congregations[seat])

    @property
    def agora(self) -> set[str]:
        return _spelt(self.state.at.agora)

    def temple(self, seat: Seat) -> set[str]:
        return _spelt(self.state.at.vowed[seat])

    @property
    def deck(self) -> tuple[set[str], tuple[str, ...]]:
        """The Deck of Fates: its unknown part, and the known bottom in order."""
        return set(self.state.at.fates.unknown), self.state.at.fates.bottom


def _spelt(stacks: tuple[Stack, ...]) -> set[str]:
    return {" ".join(stack) for stack in stacks}


def _stacks(text: str) -> tuple[Stack, ...]:
    """`4wl 8wl, 3sk` is the Sailor with the Mill on him, and a bare Painter."""
    return tuple(tuple(stack.split()) for stack in text.split(",") if stack.strip())


def begin(luck: str, **options: object) -> Play:
    """A new game, its first chances answered."""
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
    """A game in which `mover` is about to begin a turn; seat A leads the first of the `temples`.

    `deck` and `citizens` are what is left to draw, by default all that lies nowhere else; what is in no place at all
    is out of the game. `bottom` lies under the deck, `known` to each seat besides its hand and what lies open.
    """
    in_play = tuple(map(_stacks, congregations))
    taken = [*" ".join(hands).split(), *bottom.split(), *(deck or "").split(), *(citizens or "").split()]
    open_cards = [card for zone in (*in_play, _stacks(agora), *map(_stacks, vowed)) for stack in zone for card in stack]
    taken += open_cards
    assert len(set(taken)) == len(taken), "a card in two places"
    rest = [card.id for card in DECK if card.id not in taken]
    fates = [card for card in rest if card in CARDS.fates] if deck is None else deck.split()
    people = [card for card in rest if card in CARDS.citizens] if citizens is None else citizens.split()
    seen = frozenset(card for card in open_cards if card in CARDS.fates)
    sides = tuple(temples.split())
    assert RIVAL[sides[0]] == sides[1]
    position = FatePosition(
        citizens=Pile(tuple(people)),
        fates=Pile(tuple(fates), tuple(bottom.split())),
        hands=[tuple(hand.split()) for hand in hands],
        known=[seen | {*hand.split(), *more.split()} for hand, more in zip(hands, known, strict=True)],
        congregations=list(in_play),
        vowed=[_stacks(pile) for pile in vowed],
        deeds=[Deeds(), Deeds()],
        agora=_stacks(agora),
        removed=tuple(card for card in rest if card not in {*fates, *people}),
        temples=sides,
        mover=mover,
        number=number,
        idle=idle,
    )
    return Play(FateState(FateRules(2, complete(**options), frozenset(), CARDS), position, [BeginTurn()]))
