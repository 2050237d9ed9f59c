"""Rewards of an edited game: they are rolled again with the same seed, and rewritten where they were written."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import product

from vaultkit.campaign.correction.lines import closest_index, plan_line_change, plan_line_removal
from vaultkit.campaign.dragon_citadel.note_scores import has_rewards, read_scores
from vaultkit.campaign.dragon_citadel.record_rewards import compute_rewards, earlier_rewards, find_section
from vaultkit.campaign.dragon_citadel.reward_calculation import RolledRewards
from vaultkit.campaign.dragon_citadel.rewards_page import RewardsPage, rewards_id
from vaultkit.campaign.logged_game import PlayedGame
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.vault import Note
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.splice import Splice, insert_under, smallest_splice
from vaultkit.vault.writing.text_merge import EditedLine, edited_line_error, merge_text
from vaultkit.vault.writing.write import Writer

_MAX_SEEDS = 8
"""The maximum number of numbers above the table of rolls that are tried as the seed."""


_Roll = Callable[[Workspace, PlayedGame], RolledRewards]
"""A function that rolls the rewards of a game and shares them out as it was done before."""


def plan_rewards(
    writer: Writer, workspace: Workspace, old_game: PlayedGame, future: Workspace, new_game: PlayedGame
) -> tuple[str, ...]:
    """Plan the rewards of a game after an edit; return remarks.

    `workspace` has the notes as they are, `future` has the game's edited note. Raises InvalidError if scores change and
    the rewards cannot be rolled again, since they do not follow from the scores and the tables of the vault.
    """
    earlier = earlier_rewards(old_game, workspace.vault) if has_rewards(old_game) else None
    if earlier is None or old_game == new_game:
        return ()
    roll = _find_roll(workspace, old_game, earlier.section)
    if roll is None:
        if read_scores(old_game, workspace.vault) == read_scores(new_game, future.vault):
            return ()
        undo = f"vaultkit undo {earlier.number}" if earlier.number else "by hand"
        message = "The rewards of this game were rolled on other tables or scores, and cannot be rolled again."
        hint = f"Undo them first: {undo}. Then edit the game, and roll them: vaultkit rewards {old_game.session}"
        raise InvalidError(message, where=old_game.note, hint=hint)
    old, new = roll(workspace, old_game), roll(future, new_game)
    _plan_section(writer, workspace, old, new)
    remarks = _plan_loot(writer, workspace, old, new) if earlier.loot else ()
    return tuple(remarks)


def _roll(
    workspace: Workspace, game: PlayedGame, *, seed: str, column: str | None, sharing: Sequence[str] | None, bots: bool
) -> RolledRewards:
    calculation = compute_rewards(workspace, game, column, sharing, bots=bots)
    return calculation.roll(workspace.vault, int(seed), date.min, sharing)


def _find_roll(workspace: Workspace, game: PlayedGame, section: str) -> _Roll | None:
    """Return the function that rolls the rewards in a section, None if no settings give the same section."""
    above_table = section.replace("\r", "\n").partition("\n|")[0]
    seeds = dict.fromkeys([*re.findall(r"seed (\d{1,9})", above_table), *re.findall(r"\d{1,9}", above_table)])
    shared_part = section.rpartition("|---|---|")[2] if "|---|---|" in section else ""
    sharers = tuple(player.name for player in game.participants if player.name in shared_part)
    candidates = product(
        [*seeds][:_MAX_SEEDS], (None, (), sharers), (False, True), (None, *_reward_columns(workspace, game))
    )
    for seed, sharing, bots, column in candidates:
        roll = partial(_roll, seed=seed, column=column, sharing=sharing, bots=bots)
        with suppress(VaultkitError):
            text = _section_text(workspace, roll(workspace, game))
            if _comparable_lines(text, seed) == _comparable_lines(section, seed):
                return roll
    return None


def _reward_columns(workspace: Workspace, game: PlayedGame) -> tuple[str, ...]:
    with suppress(VaultkitError):
        return tuple(compute_rewards(workspace, game, None, None, bots=True).table.columns)
    return ()


def _comparable_lines(section: str, seed: str) -> list[str]:
    """Return the lines of a section without the line that contains the seed and the day."""
    return [line.rstrip() for line in section.splitlines() if not re.search(rf"\b{seed}\b", line)]


def _section_text(workspace: Workspace, rolled: RolledRewards) -> str:
    """Return the section of a game's note, "" if nobody has earned anything."""
    page = RewardsPage(rolled, rolled.game.note, Linker(workspace.vault))
    return page.section(workspace.root) if rolled.has_results else ""


def _plan_section(writer: Writer, workspace: Workspace, old: RolledRewards, new: RolledRewards) -> None:
    path, session = old.game.note, old.game.session
    texts = [_section_text(workspace, rolled) for rolled in (old, new)]

    def plan(note: Note) -> Splice | None:
        section = find_section(note, session)
        old_text, new_text = (text.replace("\n", note.encoded.newline) for text in texts)
        if section is None or closest_index(section, [new_text, old_text]) == 0:
            return None
        try:
            splice = smallest_splice(section, merge_text(old_text, section, new_text))
        except EditedLine as conflict:
            raise edited_line_error(note, conflict) from conflict
        start = note.text.index(section)
        return Splice(start + splice.offset, splice.removed, splice.inserted) if splice != Splice(0, "", "") else None

    if texts[0] != texts[1]:
        writer.change(path, plan)


def _plan_loot(writer: Writer, workspace: Workspace, old: RolledRewards, new: RolledRewards) -> Iterator[str]:
    """Plan the lines of loot in the notes of characters; yield a remark for each line that was changed by hand."""
    old_lines, new_lines = (_loot_lines(workspace, rolled) for rolled in (old, new))
    block, heading = rewards_id(old.game.session, "loot"), workspace.settings.campaign.loot_heading
    for path in dict.fromkeys((*old_lines, *new_lines)):
        try:
            has_line = block in workspace.vault.read(path).blocks
            plan = partial(
                _plan_loot_line, block=block, old=old_lines.get(path), new=new_lines.get(path), heading=heading
            )
            if (has_line or path not in old_lines) and plan(workspace.vault.read(path)):
                writer.change(path, plan)
                writer.check(path)
        except VaultkitError as error:
            yield f"The loot in {path} was not changed: {error.message}"


def _plan_loot_line(note: Note, *, block: str, old: str | None, new: str | None, heading: str) -> Splice | None:
    if new is None:
        return plan_line_removal(note, block)
    if block in note.blocks:
        return plan_line_change(note, block, old or new, new)
    return insert_under(note, heading, new)


def _loot_lines(workspace: Workspace, rolled: RolledRewards) -> dict[str, str]:
    """Return the line of loot for each note of a character who gets something; the first of two seats counts."""
    lines: dict[str, str] = {}
    for share in rolled.shares.shares:
        if share.player.note and (share.things or any(share.coins.values())):
            page = RewardsPage(rolled, share.player.note, Linker(workspace.vault))
            lines.setdefault(share.player.note, page.loot_line(share, workspace.root))
    return lines
