"""The note of statistics and the list for Bases, written together, so that one undo takes both back."""

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.stats import base
from vaultkit.campaign.stats.page import NAME, StatsPage
from vaultkit.campaign.stats.sessions import Gathered, Session, gather
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.campaign.templating import render
from vaultkit.errors import InvalidError, WriteError
from vaultkit.settings import Settings
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing import marked
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.names import checked
from vaultkit.vault.writing.write import Writer, carry_out

TEMPLATE = "stats.md.j2"
KEY = "vaultkit-stats"
"""The property by which the note is known where it was moved, as long as the settings do not say where it is."""
_UNLINKABLE = re.compile(r"[#^\[\]]")
"""What a name may not hold in a link (F4)."""


@dataclass(frozen=True)
class Planned:
    """What is to be written: vault paths of both files, and `remarks` for the GM."""

    writer: Writer
    note: str
    base: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recorded:
    """The `statistics` that were written into `note`, or would be; `written` are vault paths, `diff` a unified one."""

    statistics: Statistics
    note: str
    diff: str
    remarks: tuple[str, ...]
    written: tuple[str, ...] = ()


def record(
    vault: Vault,
    settings: Settings,
    *,
    bots: bool = False,
    tell: Callable[[Gathered], object] = lambda _: None,
    now: datetime,
    dry_run: bool = False,
) -> Recorded:
    """Reckon all games of the vault and write both files; with `dry_run` only say what that would be.

    All is read under the vault's lock, so that of a game that is logged meanwhile all counts or nothing. `tell` gets
    what was gathered before anything is written. Raises as `plan` does.
    """

    def reckoned(fresh: Vault) -> tuple[Recorded, Writer]:
        gathered = gather(fresh, settings.players)
        tell(gathered)
        statistics = Statistics.of(gathered.sessions, bots=bots)
        planned = plan(fresh, settings, statistics, gathered.sessions, now)
        return Recorded(statistics, planned.note, planned.writer.diff(), planned.remarks), planned.writer

    recorded, written = carry_out(vault, reckoned, dry_run=dry_run)
    return replace(recorded, written=written)


def plan(
    vault: Vault, settings: Settings, statistics: Statistics, sessions: Sequence[Session], now: datetime
) -> Planned:
    """A Writer that makes both files, or brings them up to date.

    Raises WriteError where the note's markers are not as they should be, and InvalidError for a template or a setting
    that cannot be used; nothing is written then.
    """
    note, list_path = _note_path(vault, settings), _base_path(vault, settings)
    page = StatsPage(statistics, note, list_path, Linker(vault, [note, list_path]))
    text = _text(page, vault, note)
    writer = Writer(vault, "stats", now)
    if vault.files.exact(note).path is None:
        writer.create(note, text)
    else:
        region = _region(text)
        writer.change(note, lambda there: marked.replaced(there, NAME, region))
        writer.check(note)
    return Planned(writer, note, list_path, _plan_base(writer, vault, list_path, sessions))


def _plan_base(writer: Writer, vault: Vault, path: str, sessions: Sequence[Session]) -> tuple[str, ...]:
    """A list that a GM has changed stays as it is, and that is told."""
    text = base.base_text(base.score_columns(sessions, vault))
    if vault.files.exact(path).path is None:
        writer.create(path, text)
        return ()
    if not base.is_ours(vault.read(path).text):
        return (f"{path} was changed by hand, so it is left as it is. Take it away to have it made anew.",)
    writer.change(path, lambda there: base.brought_up_to_date(there, text))
    return ()


def _text(page: StatsPage, vault: Vault, path: str) -> str:
    """The whole note as its template makes it. Raises InvalidError for one that loses a marker."""
    text = render(TEMPLATE, page.context(), vault.root)
    try:
        marked.find(Note(path, text.encode()), NAME)
    except WriteError as error:
        raise InvalidError(
            f"The template of the statistics must keep both markers: {error.message}",
            where=f"{TEMPLATE}, {error.where}",
            hint="Between them the note is kept up to date. Write {{ begin }} and {{ end }}, each on its own line.",
        ) from error
    return text if text.endswith("\n") else f"{text}\n"


def _region(text: str) -> str:
    note = Note(TEMPLATE, text.encode())
    region = marked.find(note, NAME)
    return note.text[region.start : region.end]


def _note_path(vault: Vault, settings: Settings) -> str:
    """Where the note is, or will be: the setting, else the note that was moved, else in the campaign's folder."""
    if settings.stats.note.strip():
        return _there(vault, _path(settings.stats.note, ".md", "stats.note"))
    usual = _path(posixpath.join(settings.campaign.folder, "Statistics.md"), ".md", "campaign.folder")
    moved = [facts.path for facts in vault.note_facts if facts.property(KEY) is True]
    return _there(vault, usual if usual in moved or not moved else min(moved))


def _base_path(vault: Vault, settings: Settings) -> str:
    name = settings.stats.base.strip()
    if name:
        return _there(vault, _path(name, ".base", "stats.base"))
    return _there(vault, _path(posixpath.join(settings.campaign.folder, "Games.base"), ".base", "campaign.folder"))


def _there(vault: Vault, path: str) -> str:
    """The path as the vault spells it, where there is such a file in another case."""
    return vault.files.exact(path).path or path


def _path(name: str, ending: str, setting: str) -> str:
    """A vault path of what a GM wrote in the settings. Raises InvalidError where there can be no such file (F4)."""
    hint = f"Set {setting} to a path in the vault, such as Games/Statistics.md."
    parts = checked(name, setting, hint)
    if not parts:
        raise InvalidError(f"'{name}' is no place in the vault that Obsidian shows.", where=setting, hint=hint)
    if found := next(filter(None, map(_UNLINKABLE.search, parts)), None):
        raise InvalidError(f"A file's name cannot hold the character {found[0]!r}.", where=setting, hint=hint)
    path = "/".join(parts)
    return path if path.lower().endswith(ending) else f"{path}{ending}"
