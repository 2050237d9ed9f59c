"""Metadata of a game, which does not load its rules."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from vaultkit.errors import UsageError

if TYPE_CHECKING:
    from vaultkit.games.game import AnyGame


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The metadata of one game.

    `seats` are the fewest and most under any options, `deck` the kind of deck that it needs. All other features are
    names such as `package.module:name`, which `load` imports in the layer that uses them; "" stands for one that the
    game lacks. Print designs (`print/sheets/ID-score.toml`, `print/aids/ID.toml`), the page of rulings
    (`docs/rulings/ID.md`) and the example note are found by the id.

        - `game`: the `Game` itself; without it, only the score sheet of the game is known.
        - `arranger`: an `Arranger`, which lays out the cards of an example in a note.
        - `short`: the one word of its title that people use for it, if it means nothing else at the table.
        - `prefix`: how the numbers of its rulings begin, `DC` of `DC-12`.
        - `score_sheet`: the subclass of `ScoreSheet` for its score on paper.
        - `ledger`: the subclass of `Ledger` that records a game with real cards.
        - `guide`: its rules of thumb, a function from a seat's view to one of its moves.
        - `shortcut`: a function for searches, from a state to a later one, that is quicker than move by move.
        - `likely`: deals hidden cards by the plays seen, a function from a view, a state and a generator to nothing.
        - `tries`: how often a hard bot looks ahead at each decision, which takes it about a quarter of a second.
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
        """Return the rules, ready to play. Raises UsageError for a game of which only the score sheet is known."""
        if not self.game:
            raise UsageError(f"{self.title} is known by its score alone, and cannot be played here.")
        rules: AnyGame = load(self.game)()
        return rules


def load(place: str) -> Any:
    """Import and return the value at a place such as `package.module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
