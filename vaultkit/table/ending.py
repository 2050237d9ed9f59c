"""The end of a game or a reading: the score tables, the story, and what was written."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from vaultkit.campaign.log import Logged
from vaultkit.campaign.result import Sources, from_session
from vaultkit.errors import VaultkitError
from vaultkit.session import Session
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


def ending_of_game(session: Session, logged: Logged | None, root: Path, *, has_rewards: bool = False) -> Ending:
    """The same with how a finished game ended, and its story, if the vault's phrases can be used."""
    assert session.outcome is not None, "the game is finished"
    tables = session.game.score_tables(session.outcome)
    written = ending_of(logged, root, has_rewards=has_rewards)
    try:
        result = from_session(session, Sources(), root)
    except VaultkitError:
        return replace(written, outcome=session.outcome, tables=tables)
    told = tuple(map(result.say, result.story))
    remarks = tuple(filter(None, (faced(session), *written.remarks)))
    return replace(written, outcome=result.outcome, tables=tables, turning_points=told, remarks=remarks)


def faced(session: Session) -> str:
    """The encounter that a character faces, in a sentence; "" for none."""
    name = name_of(session.header.notes.get("encounter", ""))
    return f"The encounter: {name}." if name else ""
