"""The command `vaultkit rewards SESSION`, which rolls the rewards of a game of Dragon Citadel on the vault's tables."""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from vaultkit.cli.context import (
    DryRunOption,
    IndexedContext,
    choose_seed,
    current_time,
    print_written_notes,
    with_options,
)
from vaultkit.cli.output import print_document, print_lines, print_markdown, print_note, print_remarks, print_table
from vaultkit.text import format_count, quote_word

if TYPE_CHECKING:
    from vaultkit.campaign.dragon_citadel.record_rewards import EarlierRewards, WrittenRewards
    from vaultkit.campaign.dragon_citadel.reward_calculation import RolledRewards
    from vaultkit.campaign.logged_game import PlayedGame

_OWN_LINE_ID = re.compile(r"^\^[A-Za-z0-9-]+[ \t]*\r?\n?", re.MULTILINE)
"""The pattern of a block id on a line of its own, which Obsidian hides too."""


@with_options
def rewards(
    desk: IndexedContext,
    session: Annotated[
        str, Argument(help="A game of Dragon Citadel by id, its last letters or note. Default: newest.")
    ] = "",
    column: Annotated[str | None, Option("--rewards", help="Another column of the reward table.")] = None,
    share: Annotated[bool, Option("--share", help="Share everything evenly, champion first.")] = False,
    among: Annotated[list[str] | None, Option("--among", help="Share only among these players (repeatable).")] = None,
    loot: Annotated[bool, Option("--loot", help="Also list loot in the character notes.")] = False,
    bots: Annotated[bool, Option("--bots", help="Include bots.")] = False,
    seed: Annotated[int | None, Option("--seed", help="Random seed.")] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Roll the rewards of a game of Dragon Citadel.

    Uses the scores in the game note and the reward table in your rule note. Writes the results into the game note,
    once.

    For example: vaultkit rewards k3f9 --share
    """
    from vaultkit.campaign.dragon_citadel import record_rewards as records
    from vaultkit.campaign.dragon_citadel.note_scores import copy_remarks, find_game
    from vaultkit.vault.writing.interrupted_commands import find_interrupted

    workspace = desk.workspace
    vault, settings = workspace.vault, workspace.settings
    game = find_game(vault, workspace.vault_path(session) if session else "", settings.players, bots=bots)
    for sentence in copy_remarks(game, vault):
        print_note(sentence)
    sharing = (among or []) if share or among else None
    # Options that may be wrong are checked before looking for earlier rewards; all else is computed after it.
    calculation = (
        records.compute_rewards(workspace, game, column, sharing, bots=bots) if among or column is not None else None
    )
    finished_notes = () if dry_run else records.finish_rewards(game, vault, current_time())
    if earlier := records.earlier_rewards(game, vault):
        _print_earlier_rewards(game, earlier, vault.root, desk.as_json, finished_notes)
        if dry_run and find_interrupted(vault, records.COMMAND, game.session):
            print_note("Writing them was interrupted. To finish, run the command without --dry-run.")
        _print_undo_hint(earlier, has_new_options=share or loot or bots or seed is not None or calculation is not None)
        return
    calculation = calculation or records.compute_rewards(workspace, game, column, sharing, bots=bots)
    rolled = calculation.roll(vault, choose_seed(seed), current_time().date(), sharing)
    if not rolled.rewards:
        _print_nothing_earned(rolled, desk.as_json)
        return
    written_rewards = None
    if rolled.has_results:
        record = partial(records.record_rewards, loot=loot, dry_run=dry_run)
        written_rewards = record(rolled, vault, settings, now=current_time())
    if written_rewards and written_rewards.before:  # another process wrote them first
        _print_earlier_rewards(game, written_rewards.before, vault.root, desk.as_json)
        return
    _print_rolled_rewards(rolled, {"diff": written_rewards.diff} if written_rewards and dry_run else {}, desk.as_json)
    if written_rewards:
        _print_written(rolled, written_rewards, vault.root, dry_run, desk.as_json)
    else:
        _print_nothing_written(rolled)


def _print_earlier_rewards(
    game: "PlayedGame", earlier: "EarlierRewards", vault_root: Path, as_json: bool, finished_notes: tuple[str, ...] = ()
) -> None:
    """Print rewards that were rolled before.

    `finished_notes` are the notes that an interrupted run had left out and this run has written.
    """
    if finished_notes:
        print_note(f"Rolled already, but writing them was interrupted. Now they are complete, in {game.note}:")
        print_written_notes(vault_root, finished_notes, as_json=as_json)
    else:
        print_note(f"Rolled already; nothing was written. They are in {game.note}:")
    if as_json:
        document = {"session": game.session, "note": game.note, "already": True}
        print_document({**document, "rolls": [], "section": earlier.section})
    else:
        print_markdown(_OWN_LINE_ID.sub("", earlier.section))


def _print_undo_hint(earlier: "EarlierRewards", *, has_new_options: bool) -> None:
    """Print how rewards can be undone.

    `has_new_options` says whether options were given that apply only to new rewards.
    """
    for note in earlier.loot:
        print_note(f"Listed as loot in {note}")
    number = earlier.number
    undo_text = f"vaultkit undo {number}" if number else "by hand, since the history no longer has them"
    if has_new_options:
        sentence = f"To share or list them again, undo them first: {undo_text}."
        print_note(f"{sentence} The same seed rolls them again.")
    else:
        print_note(f"To undo them: {undo_text}")


def _print_rolled_rewards(rolled: "RolledRewards", extra_fields: dict[str, Any], as_json: bool) -> None:
    from vaultkit.campaign.dragon_citadel.quoted_text import coin_text, text_of
    from vaultkit.campaign.dragon_citadel.rewards_page import ROLL_COLUMNS, rewards_document, roll_rows, share_cell

    if as_json:
        print_document(rewards_document(rolled) | extra_fields)
        return
    rows = ([row[name] or "-" for name in ROLL_COLUMNS.values()] for row in roll_rows(rolled, text_of, " > "))
    print_table([*ROLL_COLUMNS], rows)
    if rolled.shared and rolled.has_results:
        shares = ([share.player.name, share_cell(share, text_of) or "-"] for share in rolled.shares.shares)
        print_table(["player", "share"], shares)
        if leftover := coin_text(rolled.shares.left):
            print_note(f"Left over, for the party: {leftover}")


def _print_nothing_earned(rolled: "RolledRewards", as_json: bool) -> None:
    calculation = rolled.calculation
    if as_json:
        print_document({"session": rolled.game.session, "note": rolled.game.note, "rolls": []})
    if calculation.scores:
        print_note(f"Nobody has earned anything: {rolled.game.note}")
    else:
        command = f"vaultkit rewards {quote_word(rolled.game.session or rolled.game.note)} --bots"
        print_note(f"Only bots played {rolled.game.note}, and they earn nothing. To reward them anyway: {command}")
    print_remarks(*calculation.doubts, *calculation.remarks)


def _print_nothing_written(rolled: "RolledRewards") -> None:
    """Print why no reward could be rolled and nothing was written."""
    print_remarks(*rolled.calculation.doubts, *rolled.calculation.remarks)
    if rolled.manual_count:
        print_note(
            "Nothing could be rolled here, so nothing was written. Roll these by hand, or put the tables into the "
            "vault and run this again."
        )
    else:
        print_note("According to the reward table this earns nothing, so nothing was written.")


def _print_written(
    rolled: "RolledRewards", written_rewards: "WrittenRewards", vault_root: Path, dry_run: bool, as_json: bool
) -> None:
    print_note(f"{rolled.game.title}, {rolled.column}, seed {rolled.seed}.")
    if rolled.manual_count:
        count = format_count(rolled.manual_count, "reward")
        print_remarks(f"{count} could not be rolled here; the table says where to roll instead.")
    if dry_run:
        if not as_json:
            print_lines(written_rewards.diff)
        print_note(f"No note was written. The same rolls again: --seed {rolled.seed}")
    print_written_notes(vault_root, written_rewards.paths, as_json=as_json)
    print_remarks(*rolled.calculation.doubts, *rolled.calculation.remarks, *written_rewards.remarks)
    if written_rewards.paths:
        print_note("To undo it all: vaultkit undo")
