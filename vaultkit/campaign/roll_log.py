"""Logging of rolls: one line in the campaign's log."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from vaultkit.campaign.dragon_citadel.quoted_text import link_roll, markdown_of
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.log_target.line_target import settle_target
from vaultkit.campaign.log_target.note_location import plan_line
from vaultkit.campaign.property_names import block_id
from vaultkit.compendium.tables.dice import Dice
from vaultkit.compendium.tables.roll_tables import Roll
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.session.session_ids import create_id
from vaultkit.settings import VAULT_CONFIG_PATH, Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.write import Writer, plan_and_commit

DiceRoll = tuple[Dice, int]
"""Dice that were rolled without a table, and their total."""


def record_rolls(
    rolls: Sequence[Roll | DiceRoll],
    vault: Vault,
    settings: Settings,
    *,
    note: str | None,
    seed: int,
    now: datetime,
    dry_run: bool = False,
) -> LogResult:
    """Write rolls as one line into a note, under the heading of the log.

    `note` is a note, or one of `line_target.TARGET_WORDS`; None for the note of the settings. With `dry_run` nothing is
    written and the change is only returned. Raises InvalidError or WriteError if the line cannot be written.
    """
    roll_id = create_id("roll", now, Random(f"{seed} {now.isoformat()}"))
    block = block_id(roll_id)

    def plan(fresh_vault: Vault) -> tuple[LogResult, Writer]:
        try:
            target = settle_target(fresh_vault, settings, note, now)
        except VaultkitError as error:
            error.hint = error.hint.replace("--campaign", "--log")
            raise
        if not target.path:
            hint = f'Name it: --log NOTE, or set note = "NOTE" under [campaign] in {VAULT_CONFIG_PATH}.'
            raise InvalidError("There is no note for the log.", where=str(vault.root), hint=hint)
        linker, writer = Linker(fresh_vault, [target.path]), Writer(fresh_vault, "roll", now, roll_id)
        texts = "; ".join(_roll_text(roll, target.path, linker, fresh_vault) for roll in rolls)
        line = f"- {now.date().isoformat()} {texts} ^{block}"
        plan_line(writer, target, settings.campaign.heading, line, block)
        return LogResult(target.path, target.path, (), writer.diff(), target.remarks), writer

    logged, written_paths = plan_and_commit(vault, plan, dry_run=dry_run)
    return replace(logged, written=written_paths)


def _roll_text(roll: Roll | DiceRoll, source: str, linker: Linker, vault: Vault) -> str:
    """Return a roll as Markdown for the note `source`: a link to its table, the number and the result."""
    if not isinstance(roll, Roll):
        return f"{roll[0]}: {roll[1]}"
    return " > ".join(_table_roll_text(part, source, linker, vault) for part in (roll, *roll.chain))


def _table_roll_text(roll: Roll, source: str, linker: Linker, vault: Vault) -> str:
    subpath = next(iter(roll.table.subpaths), "")
    link = linker.link(roll.table.path, source, roll.table.title, subpath)
    return f"{link} {roll.number}: {markdown_of(link_roll(roll, roll.shown_text, vault), linker, source)}"
