"""Positions of Propheta, and short ways to play on from them."""

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
    """Return the ids of cards such as `Leo Lion, Aries Scrap`; a scrap without a number is the first of its sign."""
    return tuple(SHORT[name.strip().lower()] for name in names.split(",") if name.strip())


def complete(**given: object) -> dict[str, str | int]:
    """Return all options: the given values and the defaults."""
    return resolve(OPTIONS, given, "Propheta")


def winner(names: str, **given: object) -> str:
    """Return the name of the card that wins a trick, in which the lead comes first."""
    ids = cards(names)
    return DECK[ids[rules.winner_index(ids, FACTS, complete(**given)["zero_tiebreak"] == "literal")]].name


def met_elements(names: str) -> set[str]:
    """Return the elements whose condition the trick meets."""
    return set(rules.met_elements(rules.common_traits(cards(names), FACTS)))


@dataclass
class Play:
    """A state, all events since it was set up, and short ways to inspect it."""

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
        """Play these cards, one from each seat."""
        return [event for card in cards(names) for event in self.apply(Move("play", (card,)))]

    def reveal(self, *names: str) -> list[Event]:
        """Turn up these prophecies, one for each seat; an empty name passes."""
        moves = (Move("reveal", cards(name)) if name else Move("pass") for name in names)
        return [event for move in moves for event in self.apply(move)]

    def luck(self, *ids: str) -> list[Event]:
        return self.apply(draw_move(*ids))

    def play_until(self, phase: str, rng: Random) -> None:
        """Play at random until that phase or the end."""
        while self.state.at.phase != phase and self.turn is not None:
            self.apply(answer(self.state, rng))

    def finish(self, rng: Random) -> Outcome:
        while self.turn is not None:
            self.apply(answer(self.state, rng))
        return self.outcome


def begin(seats: int = 3, people: frozenset[int] = frozenset(), **given: object) -> Play:
    """Begin a game."""
    return Play(GAME.new(seats, complete(**given), DECK, people))


def arrange_game(
    hands: Sequence[str],
    predictions: Mapping[int, str] | None = None,
    leader: int = A,
    people: frozenset[int] = frozenset(),
    **given: object,
) -> Play:
    """Return a game in which a trick is about to be led, with these hands and face-down prophecies."""
    held = [" ".join(cards(hand)) for hand in hands]
    laid = [" ".join(cards((predictions or {}).get(seat, ""))) for seat in range(len(hands))]
    zones = place_all({"hand": held, "prophecies": laid}, {})
    placed = {*" ".join((*held, *laid)).split()}
    left = [card for card in FACTS.ids if card not in placed]
    return Play(ARRANGER.make(Arrangement(complete(**given), DECK, len(hands), zones, left, leader, people=people)))


def games(count: int, seats: int, **given: Any) -> Iterator[Play]:
    """Yield random games, played to their end."""
    for number in range(count):
        game = begin(seats, **given)
        game.finish(Random(f"{number} {seats}"))
        yield game
