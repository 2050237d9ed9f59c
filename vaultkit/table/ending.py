"""The end of a game or a reading: the score tables, the story, and what was written."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from vaultkit.campaign.log import Logged
from vaultkit.campaign.result import Sources, from_session
from vaultkit.errors import VaultkitError
from vaultkit.session import Session
from vaultkit.session.match import seed_words
from vaultkit.table.sight import Ending
from vaultkit.vault.facts import name_of

Close = Callable[[], tuple[Logged | None, Ending]]
"""Writes the end of a game down, and tells of it."""
_REWARDS = "The rewards of the game are rolled with: vaultkit rewards"


def ending_of(logged: Logged | None, root: Path, *, has_rewards: bool = False) -> Ending:
    """The notes that were written, the way to the first of them in Obsidian, and that to the rewards of a game."""
    if logged is None:
        return Ending()
    problems = (problem.in_full for problem in logged.problems)
    return Ending(
        written=logged.written,
        link=f"obsidian://open?path={quote(str(root / logged.note), safe='')}" if logged.written else "",
        remarks=(*problems, *logged.remarks, *[_REWARDS] * (has_rewards and bool(logged.written))),
    )


def ending_of_game(session: Session, written: Ending, root: Path) -> Ending:
    """Return `written` with the outcome of a finished game, and its story if the vault's phrases are valid."""
    assert session.outcome is not None, "the game is finished"
    written = replace(written, remarks=tuple(filter(None, (*written.remarks, seed_words(session.header)))))
    tables = session.game.score_tables(session.outcome)
    try:
        result = from_session(session, Sources(), root)
    except VaultkitError:
        return replace(written, outcome=session.outcome, tables=tables)
    told = tuple(map(result.say, result.story))
    remarks = tuple(filter(None, (faced(session), *written.remarks)))
    return replace(written, outcome=result.outcome, tables=tables, turning_points=told, remarks=remarks)


@dataclass
class Recording:
    """The notes of a finished game or reading, as far as they are written. `log` writes what is missing of them.

    `log` is None where nothing is to be written. `logged` is what the last call that wrote everything returned.
    """

    log: Callable[[], Logged | None] | None
    root: Path
    has_rewards: bool = False
    logged: Logged | None = None
    _written: tuple[str, ...] = ()

    def write(self) -> Ending:
        """Write the missing notes; return an ending with the paths written and, after a failure, the unwritten ones."""
        try:
            logged = self.log() if self.log else None
        except VaultkitError as error:
            self._add(error.written)
            return Ending(written=self._written, unwritten=error.unwritten, failure=error.in_full)
        if logged:
            self._add(logged.written)
            self.logged = replace(logged, written=self._written)
        return ending_of(self.logged, self.root, has_rewards=self.has_rewards)

    def _add(self, paths: Iterable[str]) -> None:
        self._written = tuple(dict.fromkeys((*self._written, *paths)))


def faced(session: Session) -> str:
    """The encounter that a character faces, in a sentence; "" for none."""
    name = name_of(session.header.agreement.encounter)
    return f"The encounter: {name}." if name else ""
