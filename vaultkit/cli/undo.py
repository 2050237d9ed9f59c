"""The command `vaultkit undo`, which lists, shows and undoes what vaultkit wrote."""

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from vaultkit.cli.context import CommandContext, DryRunOption, current_time, relative_to_current_folder, with_options
from vaultkit.cli.output import print_diff, print_document, print_note, print_result, print_table, terminal
from vaultkit.cli.progress import Bar
from vaultkit.errors import UsageError
from vaultkit.stdio import DASH
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.vault.writing.history import Entry

MAX_LISTED_FILES = 8
"""The maximum number of files that are listed; a game copied in with `init` has many."""
_RANGE = re.compile(r"#?(\d{1,4})(?:-#?(\d{1,4}))?")
_RANGE_SIGN = re.compile(r"\s*(?:(?<=\d)\s*[-–]\s*(?=#?\d)|\.\.+|\b(?:to|bis)\b)\s*")
_JOINING_WORDS = ("and", "und", "&", "number", "no.", "write")


@with_options
def undo(
    desk: CommandContext,
    entries: Annotated[
        list[str] | None,
        Argument(metavar="[NUMBER...]", help="Entries by number in --list. Default: the newest."),
    ] = None,
    listing: Annotated[bool, Option("--list", help="List the entries, newest first.")] = False,
    show: Annotated[bool, Option("--show", help="Show what was written.")] = False,
    note: Annotated[str, Option("--note", help="With --list: only changes to this note.")] = "",
    keep_edits: Annotated[
        bool,
        Option(
            "--keep-edits",
            help="Undo in notes changed since; keep those changes.",
        ),
    ] = False,
    rescue: Annotated[
        Path | None,
        Option(
            "--rescue",
            help="Write what another program wrote just before vaultkit to a new file; - for stdout.",
        ),
    ] = None,
    yes: Annotated[bool, Option("--yes", help="Skip the question.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Undo what vaultkit wrote: the last change, or any other by number.

    Later changes by vaultkit stay if they don't overlap. If anything else has changed a note since, nothing is undone
    without --keep-edits. An undo can be undone.

    For example: vaultkit undo, vaultkit undo 3 2
    """
    if sum((listing, show, rescue is not None)) > 1:
        raise UsageError("One thing at a time: --list, --show or --rescue.")
    if note and not listing and rescue is None:
        raise UsageError("--note goes with --list.", hint=f'For example: vaultkit undo --list --note "{note}"')
    numbers = _read_numbers(entries or ()) or [""]
    if rescue is not None and len(numbers) > 1:
        raise UsageError("--rescue takes one number.", hint="Choose one: vaultkit undo --list")
    if listing:
        _print_entries(desk, note)
    elif rescue is not None:
        _rescue_note(desk, numbers[0], rescue, note, dry_run=dry_run)
    else:
        _run(desk, numbers, keep_edits, show=show, dry_run=dry_run, asks=not yes)


def _read_numbers(words: Sequence[str]) -> list[str]:
    """Return the numbers or names of entries; `1-3` and `1 to 3` are all from 1 to 3."""
    text = _RANGE_SIGN.sub("-", " ".join(words))
    pieces = [piece for piece in re.split(r"[,;\s]+", text) if piece.casefold() not in ("", *_JOINING_WORDS)]
    ranges = [_RANGE.fullmatch(piece) for piece in pieces]
    if not all(ranges):
        return [name for word in words for name in word.split(",") if name]
    bounds = [sorted((int(match[1]), int(match[2] or match[1]))) for match in ranges if match]
    return [str(number) for first, last in bounds for number in range(first, last + 1)]


def _run(desk: CommandContext, names: list[str], keep_edits: bool, *, show: bool, dry_run: bool, asks: bool) -> None:
    """Show, preview or undo entries, the newest first, and print one JSON document if the options ask for it.

    Raises NothingFound before anything is undone if one of several entries cannot be undone.
    """
    ids = _order_entries(desk, names, is_undo=not show) if len(names) > 1 else names
    if show:
        documents = [_print_entry(desk, entry) for entry in ids]
    elif dry_run:
        documents = [_print_preview(desk, entry, keep_edits) for entry in ids]
    else:
        confirmed = [_confirm_entry(desk, entry, keep_edits) for entry in ids] if asks else ids
        restored = [_undo_entry(desk, entry, keep_edits) for entry in confirmed]
        documents = [{"restored": list(chain.from_iterable(restored))}]
    if desk.as_json:
        print_document(documents[0] if len(documents) == 1 else documents)


def _order_entries(desk: CommandContext, names: list[str], *, is_undo: bool) -> list[str]:
    """Return the ids of the named entries without repeats, the newest first."""
    from vaultkit.campaign import undo as taking_back

    entries = {entry.id: entry for entry in (taking_back.show_entry(desk.vault, name)[0] for name in names)}
    for entry in entries.values():
        if entry.undone and is_undo:
            taking_back.preview(desk.vault, entry.id)  # raises the error that says so
    return [entry.id for entry in taking_back.list_entries(desk.vault) if entry.id in entries]


def _confirm_entry(desk: CommandContext, entry: str, keep_edits: bool) -> str:
    """Ask whether to undo an entry with many files, or one before the last print, and return the id of the entry.

    Without a terminal, return `entry` unchanged. Raises Exit if the person declines.
    """
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import entry_title

    if not sys.stdin.isatty():
        return entry
    history_entry, _ = taking_back.preview(desk.vault, entry, keep_edits=keep_edits)
    files = format_count(len(history_entry.writes), "file")
    pdf = "" if entry else _find_later_print(desk, history_entry)
    remark = f"Printing is not undone: {pdf} can be deleted. What was written before it, " * bool(pdf)
    what = f"{remark}on {_write_time(history_entry)}, was" if pdf else f"This undoes {files}:"
    question = f"{what} {entry_title(history_entry)}. {'Undo that' if pdf else 'Continue'} (y/n)? "
    if (not pdf and len(history_entry.writes) <= MAX_LISTED_FILES) or confirm(question):
        return history_entry.id
    print_note("Nothing was undone.")
    raise typer.Exit


def _find_later_print(desk: CommandContext, entry: "Entry") -> str:
    """Return the newest PDF in the folder for prints that vaultkit made after an entry; "" if there is none."""
    from vaultkit.campaign.trust_report import print_folder
    from vaultkit.sheets.pdf.output_file import is_our_file

    folder = print_folder(desk.workspace.root, desk.workspace.settings) or Path()
    with suppress(OSError, ValueError):
        begin = datetime.fromisoformat(entry.when).timestamp() + 1
        newer = [(time, path) for path in folder.glob("*.pdf") if (time := path.stat().st_mtime) > begin]
        prints = (path for _, path in sorted(newer, reverse=True) if is_our_file(path))
        return next((relative_to_current_folder(path.absolute()) for path in prints), "")
    return ""


def confirm(question: str) -> bool:
    """Ask a question at the terminal; return whether the answer is yes.

    Raises KeyboardInterrupt if the person leaves.
    """
    from rich.text import Text

    from vaultkit.terminal.answer_sources import TerminalSource

    try:
        return TerminalSource(terminal(stderr=True)).confirm(Text(question), "y")
    except EOFError as leaving:
        raise KeyboardInterrupt from leaving


def _undo_entry(desk: CommandContext, entry: str, keep_edits: bool) -> tuple[str, ...]:
    from vaultkit.campaign import undo as taking_back

    bar = Bar("Undoing changes")
    result = taking_back.undo(desk.vault, entry, keep_edits=keep_edits, now=current_time(), progress=bar)
    count = len(result.restored)
    count_text = f" ({format_count(count, 'file')})" if count > MAX_LISTED_FILES else ""
    verb, past_verb = ("restore", "Restored") if result.back else ("undo", "Undone")
    sentence = past_verb if result.restored else f"Nothing was left to {verb}"
    print_note(f"{sentence}: {result.title}{count_text}")
    _print_paths(result.restored, desk)
    if result.again:
        print_note(f"{'To undo it again' if result.back else 'To redo it'}: vaultkit undo {result.again}")
    return result.restored


def _print_preview(desk: CommandContext, entry: str, keep_edits: bool) -> dict[str, Any]:
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import entry_title

    history_entry, diff = taking_back.preview(desk.vault, entry, keep_edits=keep_edits)
    original, is_redo = taking_back.find_origin(desk.vault, history_entry)
    print_note(f"Would {'restore' if is_redo else 'undo'}: {entry_title(original)}")
    if diff and not desk.as_json:
        print_diff(diff)
    return {"id": history_entry.id, "diff": diff}


def _print_entry(desk: CommandContext, entry: str) -> dict[str, Any]:
    from vaultkit.campaign import undo as taking_back

    history_entry, writes = taking_back.show_entry(desk.vault, entry)
    document = {"id": history_entry.id, "state": history_entry.state, "writes": writes}
    if desk.as_json:
        return document
    print_note(f"{history_entry.id}: {history_entry.title}{f' ({history_entry.state})' if history_entry.state else ''}")
    for write in writes:
        if write.missing:
            print_note(write.missing)
    if diffs := "".join(write.diff for write in writes):
        print_diff(diffs)
    for write in writes:
        if write.displaced:
            print_note(f"Another program had just written this into {write.path}:")
            print_diff(write.displaced)
            print_note(f"To save it in a separate file: vaultkit undo {history_entry.number} --rescue rescued.md")
    return document


def _rescue_note(desk: CommandContext, entry: str, target: Path, note: str, *, dry_run: bool) -> None:
    from vaultkit.campaign import undo as taking_back

    if desk.as_json and target == DASH:
        message = "--json does not go with --rescue -, which sends a note to stdout."
        raise UsageError(message, hint="Leave one of them out.")
    if dry_run:
        print_note(f"Would write what another program had written to {target}.")
        return
    path = taking_back.rescue(desk.vault, entry, target, note=note, now=current_time())
    print_note(f"What another program had written into {path} is in {'stdout' if target == DASH else target}.")
    if desk.as_json:
        print_document({"note": path, "file": str(target)})


def _print_entries(desk: CommandContext, note: str) -> None:
    from vaultkit.campaign import undo as taking_back
    from vaultkit.campaign.dates import short_title
    from vaultkit.vault.writing.history import History

    entries = taking_back.list_entries(desk.vault, note)
    if not desk.as_json:
        rows = ((e.number, _write_time(e), short_title(e), len(e.writes), e.state) for e in entries)
        print_table(["no.", "when", "what", "files", "state"], rows, unwrapped_columns=2)
        return
    history = History(desk.vault)
    print_document([_entry_document(entry, history.size(entry)) for entry in entries])


def _entry_document(entry: "Entry", size: int) -> dict[str, Any]:
    names = ("id", "when", "command", "session", "undone", "state", "undoes")
    displaced = [write.path for write in entry.writes if write.displaced]
    files = {"files": [write.path for write in entry.writes], "displaced": displaced}
    return {name: getattr(entry, name) for name in names} | files | {"bytes": size}


def _write_time(entry: "Entry") -> str:
    try:
        return f"{datetime.fromisoformat(entry.when):%Y-%m-%d %H:%M}"
    except ValueError:
        return entry.when


def _print_paths(paths: tuple[str, ...], desk: CommandContext) -> None:
    """Print the paths of files in the vault: the first ones for a person, and all of them into a pipe."""
    if not desk.as_json and not sys.stdout.isatty():
        for path in paths:
            print_result(relative_to_current_folder(desk.workspace.root / path))
    for path in paths[:MAX_LISTED_FILES]:
        print_note(f"  {path}")
    if len(paths) > MAX_LISTED_FILES:
        print_note(f"  and {len(paths) - MAX_LISTED_FILES} files more")
