"""Logging a reading or a draw: a note of its own, and one line in the campaign's log. Twice adds nothing."""

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime

from vaultkit.campaign.log import Logged, carry_out, check_target
from vaultkit.campaign.readings.page import ReadingPage, reading_line, reading_note
from vaultkit.campaign.readings.reading import Reading
from vaultkit.campaign.session_note import block_id
from vaultkit.settings import Settings
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer

PROPERTY = "vaultkit-reading"
"""The property by which a reading's note is known."""
LONGEST = 50
"""Characters of a title in a file name, which no system cuts off then."""
_UNSAFE = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f]|%%')


def record(
    reading: Reading,
    vault: Vault,
    settings: Settings,
    *,
    campaign: str | None = None,
    now: datetime,
    dry_run: bool = False,
) -> Logged:
    """Write what is not there yet of a reading's note and campaign line; with `dry_run` only say what that is.

    `campaign` is the campaign note, None for that of the settings and "" for none. Raises InvalidError or WriteError
    before anything is written, if one of the two cannot be.
    """
    return carry_out(vault, lambda fresh: _planned(reading, fresh, settings, campaign, now), dry_run=dry_run)


def find_reading_note(vault: Vault, reading: str) -> str | None:
    """The vault path of the note with the property `vaultkit-reading`, wherever it was moved."""
    return next((facts.path for facts in vault.note_facts if facts.property(PROPERTY) == reading), None)


def _planned(
    reading: Reading, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[Logged, Writer]:
    target = check_target(vault, settings, campaign)
    there = find_reading_note(vault, reading.id)
    path = there or _new_path(reading, vault, settings.campaign.folder)
    linker = Linker(vault, [path])
    writer = Writer(vault, reading.kind, now, reading.id)
    if there is None:
        writer.create(path, reading_note(ReadingPage(reading, path, linker), vault.root))
    if target:
        line = reading_line(ReadingPage(reading, target, linker), path, vault.root)
        writer.change(target, lambda note: _line_for(note, settings.campaign.heading, line, reading.id))
        writer.check(target)
    return Logged(path, target, (), writer.diff(), tuple(_remarks(reading, there, target, vault))), writer


def _line_for(note: Note, heading: str, line: str, reading: str) -> Splice | None:
    return None if block_id(reading) in note.blocks else insert_under(note, heading, line)


def _remarks(reading: Reading, there: str | None, target: str, vault: Vault) -> Iterator[str]:
    if there:
        yield f"This {reading.kind} has its note already: {there}"
    if not target:
        yield (
            f"No campaign note is set, so only the {reading.kind}'s own note is written. "
            "Set campaign.note, or give --campaign."
        )
    elif block_id(reading.id) in vault.read(target).blocks:
        yield f"Its line is in {target} already."
    if target and vault.read(target).problems:
        yield f"The properties of {target} cannot be read; they are left as they are. See: vaultkit check"


def _new_path(reading: Reading, vault: Vault, folder: str) -> str:
    """`Games/2026-11-03 Five-Card Cross 2.md`: after the last number of that day, wherever its notes lie by now."""
    title = " ".join(_UNSAFE.sub(" ", reading.spread.title).split())[:LONGEST].strip(" .") or reading.kind.capitalize()
    stem = f"{reading.date.isoformat()} {title}"
    pattern = re.compile(rf"{re.escape(stem)} (\d{{1,6}})\.md", re.IGNORECASE)
    taken = (pattern.fullmatch(posixpath.basename(path)) for path in vault.files.paths)
    number = max((int(match[1]) for match in taken if match), default=0) + 1
    parts = (part for part in folder.replace("\\", "/").split("/") if part.strip() and part != ".")
    return posixpath.join(*parts, f"{stem} {number}.md")
