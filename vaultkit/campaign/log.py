"""Logging a finished game: its own note, and one line in the campaign's log. Doing it twice adds nothing."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.destiny import inventory
from vaultkit.campaign.page import Page
from vaultkit.campaign.players import Players, shown
from vaultkit.campaign.result import Result
from vaultkit.campaign.session_note import block_id, log_line, session_note
from vaultkit.errors import InvalidError, MissingNote, Problem, VaultkitError
from vaultkit.settings import Settings
from vaultkit.vault import Note, Vault, subpath
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Plan, Writer, vault_lock

_UNSAFE = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f]|%%')
_FORBIDDEN = re.compile(r'[*"\\<>:|?]')
"""What no folder's name may hold on Windows (F4)."""


@dataclass(frozen=True)
class Logged:
    """What logging did, or would do: vault paths, `campaign_note` "" if there is none, and the unified `diff`.

    `remarks` are sentences for the GM; `problems` are about names that could not be linked.
    """

    note: str
    campaign_note: str
    written: tuple[str, ...]
    diff: str
    remarks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def record(
    result: Result,
    vault: Vault,
    settings: Settings,
    *,
    campaign: str | None = None,
    now: datetime,
    dry_run: bool = False,
) -> Logged:
    """Write what is not there yet of a game's session note and campaign line; with `dry_run` only say what that is.

    `campaign` is the campaign note, None for that of the settings and "" for none. Everything is looked at afresh
    under the vault's lock. Raises InvalidError or WriteError before anything is written, if one of the two cannot be;
    where that is the campaign note, the hint says how to log the game elsewhere.
    """
    return carry_out(vault, lambda fresh: _planned(result, fresh, settings, campaign, now), dry_run=dry_run)


def carry_out(vault: Vault, plan: Callable[[Vault], tuple[Logged, Writer]], *, dry_run: bool) -> Logged:
    """Write what `plan` finds to be written in the vault as it is under its lock; with `dry_run` nothing is."""
    if dry_run:
        return plan(vault)[0]
    with vault_lock(vault.root):
        logged, writer = plan(vault.afresh())
        written = writer.commit()
    for path in written:
        vault.forget(path)
    return replace(logged, written=written)


def check_target(vault: Vault, settings: Settings, campaign: str | None) -> str:
    """The vault path of the campaign note, "" if there is none; nothing is written.

    Raises what `record` would for that note, so that it can be said before a game and not after it.
    """
    target = _campaign_note(vault, settings, campaign)
    _folder(settings.campaign.folder)
    if target:
        heading = _heading(settings.campaign.heading)
        writer = Writer(vault, "log", datetime.min)
        _plan_line(writer, target, lambda note: insert_under(note, heading, f"- Game. ^{block_id('check')}"))
    return target


def find_session_note(vault: Vault, session: str, folder: str) -> str | None:
    """The vault path of the note with the property `vaultkit-session`, wherever it was moved; `folder` first."""
    found = [facts.path for facts in vault.note_facts if facts.property("vaultkit-session") == session]
    return min(found, key=lambda path: not path.startswith(f"{folder}/"), default=None)


def _planned(
    result: Result, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[Logged, Writer]:
    folder = _folder(settings.campaign.folder)
    there = find_session_note(vault, result.session, folder)
    path = there or new_path(result, vault, folder)
    with _way_on(result):
        target = _campaign_note(vault, settings, campaign)
    players, linker = Players(vault, settings.players), Linker(vault, [path])
    notes = [
        players.note(seat.name) if seat.is_person or players.in_party(seat.name) else None for seat in result.seats
    ]
    result = _with_plain_names(result, notes)
    writer = Writer(vault, "log", now, result.session)
    inventory_left = ""
    if there is None:
        writer.create(path, session_note(Page(result, path, notes, linker), vault.root))
        inventory_left = _plan_inventory(writer, result, vault)
    if target:
        line = log_line(Page(result, target, notes, linker), path, vault.root)
        with _way_on(result):
            heading = _heading(settings.campaign.heading)
            _plan_line(writer, target, lambda note: _line_for(note, heading, line, result.session))
    diff = writer.diff()
    remarks = (*filter(None, [inventory_left]), *_remarks(there, target, vault, result.session))
    return Logged(path, target, (), diff, remarks, tuple(players.problems)), writer


def _plan_inventory(writer: Writer, result: Result, vault: Vault) -> str:
    """The inventory goes with the game's note, and so no more than once; a remark where it cannot be written."""
    change = result.inventory
    if change is None:
        return ""
    left = inventory.remark(change, vault, result.card_names)
    if not left:
        writer.change(change.note, lambda note: inventory.write(change, note, result.card_names))
        writer.check(change.note)
    return left


def _plan_line(writer: Writer, target: str, plan: Plan) -> None:
    writer.change(target, plan)
    writer.check(target)


@contextmanager
def _way_on(result: Result) -> Iterator[None]:
    """What is wrong with the campaign note costs nobody the game: its journal is there to be logged elsewhere."""
    try:
        yield
    except VaultkitError as error:
        if result.journal:
            way_on = f"vaultkit log --session {result.session} --campaign NOTE"
            error.hint = error.hint.replace("vaultkit log --session ID", way_on)
            if way_on not in error.hint:
                error.hint = f"{error.hint} The game is kept. To log it: {way_on}".strip()
        raise


def _with_plain_names(result: Result, notes: Sequence[str | None]) -> Result:
    """A seat called `[[Zoë Müller|Zoë]]` is Zoë, if it leads to a note; the brackets of all others stay as they are."""
    named = zip(result.seats, notes, strict=True)
    seats = tuple(replace(seat, name=shown(seat.name)) if note else seat for seat, note in named)
    return replace(result, seats=seats)


def _line_for(note: Note, heading: str, line: str, session: str) -> Splice | None:
    return None if block_id(session) in note.blocks else insert_under(note, heading, line)


def _remarks(there: str | None, target: str, vault: Vault, session: str) -> Iterator[str]:
    if there:
        yield f"This game has its note already: {there}"
    if not target:
        yield "No campaign note is set, so only the game's own note is written. Set campaign.note, or give --campaign."
    elif block_id(session) in vault.read(target).blocks:
        yield f"Its line is in {target} already."
    if target and vault.read(target).problems:
        yield f"The properties of {target} cannot be read; they are left as they are. See: vaultkit check"


def _campaign_note(vault: Vault, settings: Settings, campaign: str | None) -> str:
    """The vault path of the campaign note, "" if none is wanted. Raises InvalidError where it is not clear."""
    name = settings.campaign.note if campaign is None else campaign
    if not name.strip():
        return ""
    hint = "Make that note, or name another one: campaign.note in .vaultkit/config.toml, or --campaign."
    try:
        note = vault.find(name)
    except MissingNote as error:
        said = error.hint if error.hint.startswith("Did") else ""
        raise InvalidError(f"There is no campaign note '{name}'.", where=str(vault.root), hint=said or hint) from error
    _ = note.text  # refuses what is not UTF-8
    return note.path


def _heading(name: str) -> str:
    if not subpath.comparable(name):
        raise InvalidError(
            f"'{name}' cannot be found as a heading: it has no letter and no number.",
            where="campaign.heading",
            hint="Set campaign.heading to the text of a heading, such as Log.",
        )
    return name


def _folder(name: str) -> str:
    parts = [part for part in name.replace("\\", "/").split("/") if part.strip() and part != "."]
    if any(part.startswith(".") for part in parts):
        raise InvalidError(
            "Obsidian does not show folders that begin with a dot.", where=name, hint="Set campaign.folder to another."
        )
    if found := next(filter(None, map(_FORBIDDEN.search, parts)), None):
        raise InvalidError(
            f"A folder's name cannot hold the character {found[0]} on every system.",
            where=name,
            hint='Set campaign.folder to a name without any of * " < > : | ?',
        )
    return "/".join(parts)


def new_path(result: Result, vault: Vault, folder: str) -> str:
    """`Games/2026-11-03 Dragon Citadel 2.md`: after the last number of that day, wherever its notes lie by now.

    So no number comes twice, and every link by name goes on leading to the game that it meant.
    """
    title = " ".join(_UNSAFE.sub(" ", result.title).split()).strip(" .") or "Game"
    stem = f"{result.date.isoformat()} {title}"
    pattern = re.compile(rf"{re.escape(stem)} (\d{{1,6}})\.md", re.IGNORECASE)
    taken = (pattern.fullmatch(posixpath.basename(path)) for path in vault.files.paths)
    number = max((int(match[1]) for match in taken if match), default=0) + 1
    return posixpath.join(folder, f"{stem} {number}.md")
