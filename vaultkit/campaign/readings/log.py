"""Logging a reading or a draw: a note of its own, and one line in the campaign's log. Twice adds nothing."""

from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.keys import READING
from vaultkit.campaign.log import Logged
from vaultkit.campaign.placing.line import find_line, plan_line, remarks
from vaultkit.campaign.placing.paths import folder_of_games, new_path, title_in_path
from vaultkit.campaign.placing.target import settle
from vaultkit.campaign.placing.world import in_world
from vaultkit.campaign.played import note_of
from vaultkit.campaign.readings.page import ReadingPage, reading_line, reading_note
from vaultkit.campaign.readings.reading import Reading
from vaultkit.campaign.session_note import block_id
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.linkstyle import Linker
from vaultkit.vault.writing.write import Writer, carry_out

LONGEST = 50
"""Characters of a title in a file name, which no system cuts off then."""


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

    `campaign` is as for a game, and the line goes where a game's would. Raises InvalidError or WriteError before
    anything is written, if one of the two cannot be.
    """
    logged, written = carry_out(vault, lambda fresh: _planned(reading, fresh, settings, campaign, now), dry_run=dry_run)
    return replace(logged, written=written)


def _planned(
    reading: Reading, vault: Vault, settings: Settings, campaign: str | None, now: datetime
) -> tuple[Logged, Writer]:
    target = settle(vault, settings, campaign, datetime.combine(reading.date, now.timetz()))
    folder = folder_of_games(settings.campaign.folder)
    there = note_of(vault, reading.id, READING)
    title = title_in_path(reading.spread.title, reading.kind.capitalize(), LONGEST)
    path = there or new_path(title, reading.date, vault, folder)
    linker, world = Linker(vault, [path]), in_world(vault, settings, target.path, reading.date)
    writer = Writer(vault, reading.kind, now, reading.id)
    if there is None:
        writer.create(path, reading_note(ReadingPage(reading, path, linker, world.properties), vault.root))
    block = block_id(reading.id)
    line_at = find_line(vault, block, target)
    if target.path and not line_at:
        line = reading_line(ReadingPage(reading, target.path, linker, world.properties), path, vault.root)
        plan_line(writer, target, settings.campaign.heading, line, block)
    dated = (world.remark,) if world.remark and there is None else ()
    told = (*dated, *remarks(reading.kind, there, target, line_at, vault))
    return Logged(path, line_at or target.path, (), writer.diff(), told), writer
