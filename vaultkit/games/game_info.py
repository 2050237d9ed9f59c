"""The metadata of a game, which can be read without loading its rules."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.games.game import AnyGame


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The metadata of one game.

    `seats` holds the fewest and the most players under any options, `deck` the kind of deck that the game needs.
    Features whose code is in other modules are given as import paths such as `package.module:name`, which `load`
    imports in the layer that uses them; "" means that the game lacks the feature. Print designs
    (`print/sheets/ID-score.toml`, `print/aids/ID.toml`), the page of rulings (`docs/rulings/ID.md`) and the example
    note are found by the id.

        - `game`: the subclass of `Game`; without it, only the score sheet of the game is known.
        - `arranger`: an `Arranger`, which lays out the cards of an example in a note.
        - `short`: the word of its title that people use for it, "" if that word has another meaning at the table.
        - `prefix`: the beginning of the numbers of its rulings, `DC` of `DC-12`.
        - `score_sheet`: the subclass of `ScoreSheet` for its score on paper.
        - `ledger`: the subclass of `Ledger` that records a game with real cards.
        - `guide`: its rules of thumb, a function from a seat's view to one of its moves.
        - `shortcut`: a function for searches that plays on from a state to a later one faster than move by move.
        - `likely`: a function of a view, a state and a random generator, which deals hidden cards in the state as the
          plays seen make likely, and returns nothing.
        - `tries`: the number of times that a hard bot looks ahead in a decision, in about a quarter of a second.
        - `refereeing`: its referee with real cards, a function of `session` from complete options to a `Refereeing`.
        - `characters`: how a character's cards are staked in it, a function of `campaign`.
        - `rewards`: what its score earns, a function of `campaign`.
    """

    id: str
    title: str
    seats: tuple[int, int]
    deck: str
    game: str = ""
    arranger: str = ""
    aliases: tuple[str, ...] = ()
    short: str = ""
    prefix: str = ""
    score_sheet: str = ""
    ledger: str = ""
    guide: str = ""
    shortcut: str = ""
    likely: str = ""
    tries: int = 100
    refereeing: str = ""
    characters: str = ""
    rewards: str = ""

    def rules(self) -> "AnyGame":
        """Return a new instance of `game`. Raises UsageError for a game of which only the score sheet is known."""
        if not self.game:
            raise UsageError(f"{self.title} has only a score sheet here, and cannot be played.")
        rules: AnyGame = load(self.game)()
        return rules


def load(import_path: str) -> Any:
    """Import and return the value at an import path such as `package.module:name`."""
    module, _, name = import_path.partition(":")
    return getattr(import_module(module), name)
