"""The command `vaultkit undo`, which lists, shows and undoes what vaultkit wrote."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.common import Desk, DryRunOption, now, with_options
from vaultkit.cli.output import columns, diff, document, talk, terminal
from vaultkit.cli.progress import Bar
from vaultkit.dash import DASH
from vaultkit.errors import UsageError
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.vault.writing.history import Entry

MOST = 8
"""The maximum number of files that are listed; a game copied in with `init` has many."""


@with_options
def undo(
    desk: Desk,
    entry: Annotated[str, typer.Argument(help="What to take back: its number in --list; without it the newest.")] = "",
    listing: Annotated[
        bool, typer.Option("--list", help="List what vaultkit wrote, newest first; undo nothing.")
    ] = False,
    show: Annotated[bool, typer.Option("--show", help="Show what was written, line by line; undo nothing.")] = False,
    note: Annotated[str, typer.Option("--note", help="With --list: only what was written into this note.")] = "",
    keep_edits: Annotated[
        bool,
        typer.Option(
            "--keep-edits",
            help="Also in notes that were changed since: take out only what vaultkit wrote, if it is untouched.",
        ),
    ] = False,
    rescue: Annotated[
        Path | None,
        typer.Option(
            "--rescue",
            help="Write what another program wrote just before vaultkit did to a new file, - for stdout; undo nothing.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing, however many files are taken back.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Take back what vaultkit wrote: the last write, or any other by its number.

    What vaultkit wrote into the same notes later may stay, as long as it does not overlap. Refuses, and changes
    nothing, if a note has been changed since by anything else; --keep-edits does it nevertheless, and keeps the
    changes. An undo is listed too, and can be taken back itself.

    For example: vaultkit undo, vaultkit undo 3
    """
    if sum((listing, show, rescue is not None)) > 1:
        raise UsageError("One thing at a time: --list, --show or --rescue.")
    if note and not listing and rescue is None:
        raise UsageError("--note goes with --list.", hint=f'For example: vaultkit undo --list --note "{note}"')
    if listing:
        _list(desk, note)
    elif show:
        _show(desk, entry)
    elif rescue is not None:
        _rescue(desk, entry, rescue, note)
    elif dry_run:
        _preview(desk, entry, keep_edits)
    else:
        _undo(desk, entry if yes else _agreed(desk, entry, keep_edits), keep_edits)


def _agreed(desk: Desk, entry: str, keep_edits: bool) -> str:
    """Return the id of the entry to undo, after asking a person at a terminal if it has many files.

    Without a terminal, return `entry` unchanged. Raises Exit if the person declines.
    """
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import entry_title

    if not sys.stdin.isatty():
        return entry
    found, _ = taking_back.preview(desk.vault, entry, keep_edits=keep_edits)
    question = f"This takes back {counted(len(found.writes), 'file')}: {entry_title(found)}. Go on (y/n)? "
    if len(found.writes) <= MOST or is_sure(question):
        return found.id
    talk("Nothing was taken back.")
    raise typer.Exit


def is_sure(question: str) -> bool:
    """Return whether a person answers yes to a question. Raises KeyboardInterrupt if the person leaves."""
    from rich.text import Text

    from vaultkit.play.sources import Terminal

    try:
        return Terminal(terminal(stderr=True)).sure(Text(question), "y")
    except EOFError as leaving:
        raise KeyboardInterrupt from leaving


def _undo(desk: Desk, entry: str, keep_edits: bool) -> None:
    from vaultkit.campaign import undo as taking_back

    bar = Bar("Taking back notes", counted=True)
    undone = taking_back.undo(desk.vault, entry, keep_edits=keep_edits, now=now(), progress=bar)
    number = f" ({counted(len(undone.restored), 'file')})" if len(undone.restored) > MOST else ""
    verb, done = ("bring", "Brought") if undone.back else ("take", "Took")
    told = f"{done} back" if undone.restored else f"Nothing of it was left to {verb} back"
    talk(f"{told}: {undone.title}{number}")
    _name(undone.restored)
    if undone.again:
        talk(f"{'To take it back again' if undone.back else 'To have it again'}: vaultkit undo {undone.again}")
    if desk.as_json:
        document({"restored": list(undone.restored)})


def _preview(desk: Desk, entry: str, keep_edits: bool) -> None:
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import entry_title

    found, text = taking_back.preview(desk.vault, entry, keep_edits=keep_edits)
    meant, back = taking_back.origin(desk.vault, found)
    talk(f"Would {'bring' if back else 'take'} back: {entry_title(meant)}")
    if desk.as_json:
        document({"id": found.id, "diff": text})
    elif text:
        diff(text)


def _show(desk: Desk, entry: str) -> None:
    from vaultkit.campaign import undo as taking_back

    found, writes = taking_back.show_entry(desk.vault, entry)
    if desk.as_json:
        document({"id": found.id, "state": found.state, "writes": writes})
        return
    talk(f"{found.id}: {found.title}{f' ({found.state})' if found.state else ''}")
    for write in writes:
        if write.missing:
            talk(write.missing)
    if text := "".join(write.diff for write in writes):
        diff(text)
    for write in writes:
        if write.displaced:
            talk(f"Another program had just written this into {write.path}:")
            diff(write.displaced)
            talk(f"To have it in a file of its own: vaultkit undo {found.number} --rescue rescued.md")


def _rescue(desk: Desk, entry: str, to: Path, note: str) -> None:
    from vaultkit.campaign import undo as taking_back

    if desk.as_json and to == DASH:
        raise UsageError(
            "--json does not go with --rescue -, which sends a note to stdout.", hint="Leave one of them out."
        )
    path = taking_back.rescue(desk.vault, entry, to, note=note, now=now())
    talk(f"What another program had written into {path} is in {'stdout' if to == DASH else to}.")
    if desk.as_json:
        document({"note": path, "file": str(to)})


def _list(desk: Desk, note: str) -> None:
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import short_title

    if not desk.as_json:
        rows = (
            (e.number, _when(e), short_title(e), len(e.writes), e.state) for e in taking_back.entries(desk.vault, note)
        )
        columns(["no.", "when", "what", "files", "state"], rows, whole=2)
        return
    document(
        [
            {
                "id": found.id,
                "when": found.when,
                "command": found.command,
                "session": found.session,
                "undone": found.undone,
                "state": found.state,
                "undoes": found.undoes,
                "files": [write.path for write in found.writes],
                "displaced": [write.path for write in found.writes if write.displaced],
                "bytes": size,
            }
            for found, size in taking_back.sized_entries(desk.vault, note)
        ]
    )


def _when(entry: "Entry") -> str:
    try:
        return f"{datetime.fromisoformat(entry.when):%Y-%m-%d %H:%M}"
    except ValueError:
        return entry.when


def _name(paths: tuple[str, ...]) -> None:
    for path in paths[:MOST]:
        talk(f"  {path}")
    if len(paths) > MOST:
        talk(f"  and {len(paths) - MOST} files more")
