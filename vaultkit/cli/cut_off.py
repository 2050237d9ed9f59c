"""Telling what a crash cut off between two of its files, with the command that finishes it."""

from datetime import datetime

from vaultkit.cli.common import Workspace
from vaultkit.cli.output import talk
from vaultkit.vault.writing.history import Entry
from vaultkit.vault.writing.settling import cut_off


def tell_cut_off(workspace: Workspace, session: str = "") -> None:
    """Say on stderr which commands were cut off and how to finish them; nothing of `session`, which is just written."""
    for entry in cut_off(workspace.vault):
        if entry.session != session or not session:
            talk(sentence(entry))


def sentence(entry: Entry) -> str:
    """`The log of 20261103-toy-k3f9 on 3 November 2026 was cut off. Finish it with: vaultkit log --session …`."""
    what = f"The {entry.command} of {entry.session}" if entry.session else f"The command {entry.command}"
    said = f"{what}{_day(entry.when)} was cut off."
    if entry.command == "log" and entry.session:
        return f"{said} Finish it with: vaultkit log --session {entry.session}"
    return f"{said} Give it again to finish it, or take it back: vaultkit undo {_number(entry.id)}"


def _number(entry_id: str) -> str:
    number = entry_id.partition("-")[0]
    return str(int(number)) if number.isdecimal() else entry_id


def _day(when: str) -> str:
    try:
        day = datetime.fromisoformat(when)
    except ValueError:
        return ""
    return f" on {day.day} {day:%B %Y}"
