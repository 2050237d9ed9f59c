"""A game of Propheta that stands at any position, and whatever happens in it from there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.games.conformance import answer
from tests.games.placing import place_all
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Event, Outcome
from vaultkit.games.options import resolve
from vaultkit.games.position_setup import Arrangement
from vaultkit.games.propheta import ending, rules
from vaultkit.games.propheta.deal import ProphetaState
from vaultkit.games.propheta.game import ARRANGER, Propheta
from vaultkit.games.propheta.rules import OPTIONS, make_cards
from vaultkit.games.turn import Chance, Move, Prompt, Turn, draw_move

A, B, C, D = range(4)

_known = known_deck("astromancy")
assert _known is not None
DECK = _known
FACTS = make_cards(DECK)
GAME = Propheta()
SHORT = {card.name.lower(): card.id for card in DECK} | {card.id: card.id for card in DECK}
SHORT |= {f"{card.suits[0].lower()} scrap": card.id for card in DECK if card.id.endswith("scrap-1")}


def cards(names: str) -> tuple[str, ...]:
    """`Leo Lion, Aries Scrap` as ids; a scrap without a number is the first of its sign."""
    return tuple(SHORT[name.strip().lower()] for name in names.split(",") if name.strip())


def complete(**given: object) -> dict[str, str | int]:
    """Every option's value, those given and the defaults."""
    return resolve(OPTIONS, given, "Propheta")


def winner(names: str, **given: object) -> str:
    """The name of the card that wins the trick, the lead first."""
    ids = cards(names)
    return DECK[ids[rules.winner_index(ids, FACTS, complete(**given)["zero_tiebreak"] == "literal")]].name


def met(names: str) -> set[str]:
    """The elements whose condition the trick meets."""
    return set(rules.met_elements(rules.common_traits(cards(names), FACTS)))


@dataclass
class Play:
    """A state, all events since it was set up, and short ways to ask it things."""

    state: ProphetaState
    events: list[Event] = field(default_factory=list)

    @property
    def turn(self) -> Turn:
        return self.state.turn

    @property
    def prompt(self) -> Prompt:
        assert isinstance(self.turn, Prompt), self.turn
        return self.turn

    @property
    def chance(self) -> Chance:
        assert isinstance(self.turn, Chance), self.turn
        return self.turn

    @property
    def asked(self) -> int:
        return self.prompt.seat

    @property
    def moves(self) -> set[str]:
        return {move.id for move in self.prompt.moves}

    @property
    def outcome(self) -> Outcome:
        outcome = ending.outcome(self.state)
        assert outcome is not None, "the game is not over"
        return outcome

    def apply(self, move: Move) -> list[Event]:
        told = list(self.state.apply(move))
        self.events += told
        return told

    def play(self, names: str) -> list[Event]:
        """Play these cards, one a seat."""
        return [event for card in cards(names) for event in self.apply(Move("play", (card,)))]

    def reveal(self, *names: str) -> list[Event]:
        """Turn up these prophecies, one a seat; nothing for an empty name."""
        moves = (Move("reveal", cards(name)) if name else Move("pass") for name in names)
        return [event for move in moves for event in self.apply(move)]

    def luck(self, *ids: str) -> list[Event]:
        return self.apply(draw_move(*ids))

    def until(self, phase: str, rng: Random) -> None:
        """Play at random until that phase."""
        while self.state.at.phase != phase and self.turn is not None:
            self.apply(answer(self.state, rng))

    def finish(self, rng: Random) -> Outcome:
        while self.turn is not None:
            self.apply(answer(self.state, rng))
        return self.outcome


def begin(seats: int = 3, people: frozenset[int] = frozenset(), **given: object) -> Play:
    """A new game."""
    return Play(GAME.new(seats, complete(**given), DECK, people))


def standing(
    hands: Sequence[str],
    predictions: Mapping[int, str] | None = None,
    leader: int = A,
    people: frozenset[int] = frozenset(),
    **given: object,
) -> Play:
    """A trick about to be led, each seat with these cards in hand and these prophecies face down."""
    held = [" ".join(cards(hand)) for hand in hands]
    laid = [" ".join(cards((predictions or {}).get(seat, ""))) for seat in range(len(hands))]
    zones = place_all({"hand": held, "prophecies": laid}, {})
    placed = {*" ".join((*held, *laid)).split()}
    left = [card for card in FACTS.ids if card not in placed]
    return Play(ARRANGER(Arrangement(complete(**given), DECK, len(hands), zones, left, leader, people=people)))


def games(count: int, seats: int, **given: Any) -> Iterator[Play]:
    """Games played at random to their end."""
    for number in range(count):
        game = begin(seats, **given)
        game.finish(Random(f"{number} {seats}"))
        yield game
