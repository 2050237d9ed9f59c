"""A game under test: a state, all events since it was set up, and short ways to inspect it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from vaultkit import resources
from vaultkit.cards.deck import known_deck
from vaultkit.errors import InvalidError
from vaultkit.games.game import State
from vaultkit.games.messages import Event, Outcome, Seat
from vaultkit.games.registry import GAMES
from vaultkit.games.task_stack import StackState, TableView
from vaultkit.games.turn import HIDDEN, Chance, Move, Prompt, Turn
from vaultkit.session.examples.expectations import find_errors
from vaultkit.session.examples.parser import Example, examples_of
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.vault import Note

StateT = TypeVar("StateT", bound=StackState[Any, Any])


def outcome_of(state: State[Any]) -> Outcome | None:
    """Return the outcome by the rules of the package that the state's class belongs to."""
    package = type(state).__module__.rpartition(".")[0]
    game = next(game for info in GAMES.values() if type(game := info.rules()).__module__.startswith(package))
    found: Outcome | None = game.outcome(state)
    return found


RULE_NOTES = resources.shipped_folder("vault-example") / "3-Mechanics/CLI/variant-rules"


def scenarios(test: str) -> list[Example]:
    """Return the examples in `scenarios.md` beside a test file and in the game's shipped rule notes."""
    path = Path(test).with_name("scenarios.md")
    note = Note(path.name, path.read_bytes())
    rules = (Note(file.name, file.read_bytes()) for file in RULE_NOTES.glob("*.md"))
    game = note.property("vaultkit-game")
    notes = (note, *(one for one in rules if one.property("vaultkit-game") == game))
    return [read(example) for one in notes for example in examples_of(one)]


def read(found: Example | InvalidError) -> Example:
    """Return the example, or raise its error."""
    if isinstance(found, InvalidError):
        raise found
    return found


def name_of(example: Example) -> str:
    """Return the ruling or scenario that an example is headed with, and its line."""
    return f"{example.heading.partition(':')[0]} line {example.line}"


def faults_of(example: Example) -> list[str]:
    """Return the errors of an example played with the default rules."""
    deck = known_deck(GAMES[example.game].deck)
    assert deck is not None
    return [f"{fault.where}: {fault.message}" for fault in find_errors(ExampleSession.from_example(example, deck, {}))]


def known_cards(view: TableView[Any, Any], owner: Seat) -> tuple[str, ...]:
    """Return the cards in the owner's hand that the viewer knows."""
    return tuple(card for card in view.at.hands[owner] if card != HIDDEN)


@dataclass
class Playing(Generic[StateT]):
    """A game of stacked tasks under test; subclasses add how they write chance and cards."""

    state: StateT
    events: list[Event] = field(default_factory=list, kw_only=True)

    def apply(self, move: Move) -> list[Event]:
        told = list(self.state.apply(move))
        self.events += told
        return told

    def play(self, *ids: str) -> list[Event]:
        """Answer prompts with these moves, and return all their events."""
        told = []
        for move in ids:
            assert isinstance(self.turn, Prompt), f"nobody is asked for '{move}': {self.turn}"
            told += self.apply(Move.parse(move))
        return told

    @property
    def turn(self) -> Turn:
        return self.state.turn

    @property
    def prompt(self) -> Prompt:
        assert isinstance(self.turn, Prompt), f"nobody is asked: {self.turn}"
        return self.turn

    @property
    def chance(self) -> Chance:
        assert isinstance(self.turn, Chance), f"no chance: {self.turn}"
        return self.turn

    @property
    def asked(self) -> Seat:
        return self.prompt.seat

    @property
    def moves(self) -> set[str]:
        return {move.id for move in self.prompt.moves}

    def hand(self, seat: Seat) -> set[str]:
        return set(self.state.at.hands[seat])

    def told(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    @property
    def outcome(self) -> Outcome:
        outcome = outcome_of(self.state)
        assert outcome is not None, "the game goes on"
        return outcome
