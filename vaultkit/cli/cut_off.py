"""Telling what a crash cut off between two of its files, with the command that finishes it."""

from datetime import datetime

from vaultkit.campaign.dates import spoken_day
from vaultkit.cli.common import Workspace
from vaultkit.cli.output import talk
from vaultkit.vault.writing.history import Entry
from vaultkit.vault.writing.settling import cut_off


def tell_cut_off(workspace: Workspace, session: str = "") -> None:
    """Say on stderr which commands were cut off and how to finish them; nothing of `session`, which is just written."""
    for entry in cut_off(workspace.vault):
        if entry.session != session or not session:
            talk(sentence(entry, workspace))


def _is_kept(workspace: Workspace, session: str) -> bool:
    """Whether there still is what a game's log is made of: its journal, or its scores from paper."""
    return bool(session) and any((workspace.journals / f"{session}{suffix}").exists() for suffix in (".jsonl", ".json"))


def sentence(entry: Entry, workspace: Workspace) -> str:
    """`The log of 20261103-toy-k3f9 on 3 November 2026 was cut off. Finish it with: vaultkit log --session …`.

    The log of a game that somebody has discarded since can only be taken back.
    """
    what = f"The {entry.command} of {entry.session}" if entry.session else f"The command {entry.command}"
    said = f"{what}{_day(entry.when)} was cut off."
    if entry.command == "log" and _is_kept(workspace, entry.session):
        return f"{said} Finish it with: vaultkit log --session {entry.session}"
    if entry.command == "log":
        return f"{said} The game was discarded since. Take back what was written: vaultkit undo {entry.number}"
    return f"{said} Give it again to finish it, or take it back: vaultkit undo {entry.number}"


def _day(when: str) -> str:
    try:
        return f" on {spoken_day(datetime.fromisoformat(when))}"
    except ValueError:
        return ""
