"""The end of a game or a reading: the score tables, the story, and what was written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.result import PRICE_LABEL, GameResult, Sources, from_session
from vaultkit.errors import VaultkitError
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Sentence
from vaultkit.host.view_state import Ending
from vaultkit.session import Session
from vaultkit.session.match import seed_words
from vaultkit.vault.note_facts import name_of

if TYPE_CHECKING:
    from vaultkit.campaign.game_notes import GameNotes

MAX_TURNING_POINT_COUNT = 3
"""The highest number of sentences on turning points of a game."""


def build_ending(logged: LogResult | None, root: Path, *, has_rewards: bool = False) -> Ending:
    """Return an ending with the notes that were written, a link to the game's note, and whether it has rewards."""
    if logged is None:
        return Ending()
    problems = (problem.message_with_hint for problem in logged.problems)
    return Ending(
        written=logged.written,
        link=f"obsidian://open?path={quote(str(root / logged.note), safe='')}" if logged.written else "",
        remarks=(*problems, *logged.remarks),
        rewards_note=logged.note if has_rewards and logged.written else "",
    )


def build_game_ending(session: Session, ending: Ending, root: Path) -> Ending:
    """Return `written` with the outcome of a finished game, and its story if the vault's phrases are valid."""
    assert session.outcome is not None, "the game is finished"
    ending = replace(ending, remarks=tuple(filter(None, (*ending.remarks, seed_words(session.header)))))
    tables = session.game.score_tables(session.outcome)
    try:
        result = from_session(session, Sources(), root)
    except VaultkitError:
        return replace(ending, outcome=session.outcome, tables=tables)
    return replace(
        ending,
        outcome=result.outcome,
        tables=tables,
        story=result.story,
        price=next((fact for label, fact in result.outcome.facts if label == PRICE_LABEL), None),
        deciding=tuple(_find_deciding_cards(session.game, result)),
    )


def _find_deciding_cards(game: AnyGame, result: GameResult) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
    """Yield, for a finished game, each sentence on cards that decided it with their ids, the most important first.

    They are the cards of the game's deciding facts, such as all final hands, else those of the first turning points.
    """
    hands = [fact for label, fact in result.outcome.facts if label in game.deciding_facts]
    yield from ((hand, hand.cards) for hand in hands)
    for card in () if hands else islice(result.cards, MAX_TURNING_POINT_COUNT):
        deed = result.deeds[card]
        words = f"The {{c{len(deed.cards)}}} {deed.words}."
        yield replace(deed, words=words, cards=(*deed.cards, card)), (card,)


@dataclass
class EndingRecorder:
    """The notes of a finished game or reading, as far as they are written. `log` writes what is missing of them.

    `log` is None where nothing is to be written. `logged` is what the last call that wrote everything returned, and
    `error` why the last call failed, with all paths that are written.
    """

    log: Callable[[], LogResult | None] | None = None
    root: Path = field(default_factory=Path)
    has_rewards: bool = False
    logged: LogResult | None = None
    error: VaultkitError | None = None
    _written_paths: tuple[str, ...] = ()

    @classmethod
    def from_notes(cls, log: Callable[[], LogResult | None] | None, notes: "GameNotes") -> "EndingRecorder":
        """Return the recorder for a game in the vault of `notes`."""
        return cls(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))

    def write(self) -> Ending:
        """Write the missing notes; return an ending with the paths written and, after a failure, the unwritten ones."""
        try:
            logged = self.log() if self.log else None
        except VaultkitError as error:
            self.error = error
            error.written = self._written_paths = tuple(dict.fromkeys((*self._written_paths, *error.written)))
            return Ending(written=error.written, unwritten=error.unwritten, failure=error.message_with_hint)
        self.error = None
        if logged:
            self._written_paths = tuple(dict.fromkeys((*self._written_paths, *logged.written)))
            self.logged = replace(logged, written=self._written_paths)
        return build_ending(self.logged, self.root, has_rewards=self.has_rewards)


def encounter_sentence(session: Session) -> str:
    """Return a sentence with the encounter that a character faces; "" for none."""
    name = name_of(session.header.agreement.encounter)
    return f"The encounter: {name}." if name else ""
