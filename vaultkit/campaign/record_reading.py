"""Logging of a reading or a draw: its own note, and a line in the campaign's log. Logging again adds nothing."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import LogResult
from vaultkit.campaign.log_target.gm_sessions import find_world_date
from vaultkit.campaign.log_target.note_location import LogPlace, plan_line, title_in_path
from vaultkit.campaign.property_names import READING
from vaultkit.campaign.reading import Reading, ReadingPage, reading_line, reading_note
from vaultkit.errors import VaultkitError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.interrupted_commands import finish_interrupted
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.write import Writer, plan_and_commit

MAX_TITLE_CHARS = 50
"""The highest number of characters of a title in a file name, short enough for every system."""


def record_reading(
    reading: Reading,
    vault: Vault,
    settings: Settings,
    *,
    campaign: str | None = None,
    now: datetime,
    dry_run: bool = False,
) -> LogResult:
    """Write the note and the campaign line of a reading, unless they exist.

    With `dry_run` nothing is written and the changes are only returned. `campaign` is the note for the line, or one of
    `line_target.TARGET_WORDS`; None for the note of the settings and "" for none. Readings whose logging was cut off
    earlier are finished first. Raises InvalidError or WriteError before this reading is written, if its note or line
    cannot be written.
    """
    finished_paths: tuple[str, ...] = ()
    if not dry_run:
        with suppress(VaultkitError):  # an entry that cannot be finished does not block the next one
            finished_paths = finish_interrupted(vault, reading.kind, now=now)
    logged, written_paths = plan_and_commit(
        vault, lambda fresh: _plan(reading, fresh, settings, campaign, now), dry_run=dry_run
    )
    return replace(logged, written=(*finished_paths, *written_paths))


def _plan(
    reading: Reading, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[LogResult, Writer]:
    """Return the result and a Writer with all changes that log a reading."""
    title = title_in_path(reading.spread.title, reading.kind.capitalize(), MAX_TITLE_CHARS)
    when = datetime.combine(reading.date, now.timetz())
    place = LogPlace.locate(vault, settings, campaign, identity=(READING, reading.id), title=title, when=when)
    linker, world_date = Linker(vault, [place.path]), find_world_date(vault, settings, place.target.path, reading.date)
    writer = Writer(vault, reading.kind, now, reading.id)
    if place.existing_note is None:
        writer.create(
            place.path, reading_note(ReadingPage(reading, place.path, linker, world_date.properties), vault.root)
        )
    if place.needs_line:
        page = ReadingPage(reading, place.target.path, linker, world_date.properties)
        line = reading_line(page, place.path, vault.root)
        plan_line(writer, place.target, settings.campaign.heading, line, place.block)
    date_remarks = (world_date.remark,) if world_date.remark and place.existing_note is None else ()
    return LogResult.from_plan(place, writer, (*date_remarks, *place.remarks(reading.kind, vault))), writer
