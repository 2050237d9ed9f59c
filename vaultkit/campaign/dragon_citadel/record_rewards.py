"""Recording of a game's rewards in its note and of loot in the characters' notes, all in one write and only once."""

import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign import house_rules
from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.dragon_citadel.quoted_text import text_of
from vaultkit.campaign.dragon_citadel.reward_calculation import PlayerShare, RewardCalculation, RolledRewards
from vaultkit.campaign.dragon_citadel.rewards_page import ROLL_COLUMNS, RewardsPage, rewards_id, roll_rows
from vaultkit.campaign.log_target.note_location import check_heading
from vaultkit.campaign.logged_game import Participant, PlayedGame, name_list
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.dragon_citadel import INFO
from vaultkit.games.game_info import load
from vaultkit.games.messages import Table
from vaultkit.settings import Settings
from vaultkit.text import capitalize_first
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.interrupted_commands import finish_interrupted
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.splice import Splice, insert_section, insert_under
from vaultkit.vault.writing.write import Writer, plan_and_commit
from vaultkit.vault.writing.write_steps import PlanSplice

COMMAND = "rewards"
_COLOPHON = re.compile(
    r"(?:^|(?<=\n)|(?<=\r))> ?\[![^\]\r\n]*\][^\r\n]*(?:\r\n|\n|\r)(?:>[^\r\n]*(?:\r\n|\n|\r|\Z))*\s*\Z"
)
_SIGNATURE = "Written by vaultkit"


@dataclass(frozen=True)
class EarlierRewards:
    """Rewards already written: the `section` in the game's note, and the paths of notes that list `loot` of the game.

    `number` is the history entry that `undo` reverts, "" if the history no longer has it.
    """

    section: str
    loot: tuple[str, ...]
    number: str


@dataclass(frozen=True)
class WrittenRewards:
    """Changes that were made, or would be in a dry run: vault paths and a unified diff; `remarks` are for the GM.

    `before` holds rewards that were already recorded, in which case nothing was written.
    """

    paths: tuple[str, ...] = ()
    diff: str = ""
    remarks: tuple[str, ...] = ()
    before: EarlierRewards | None = None


def compute_rewards(
    workspace: Workspace, game: PlayedGame, column: str | None, sharing: Sequence[str] | None, *, bots: bool
) -> RewardCalculation:
    """Return the rewards that a game has earned.

    Raises UsageError for a column that the table does not have, and for names of people who did not play.
    """
    rules, options = workspace.rule_note(INFO), house_rules.valid_options(workspace, INFO, unchecked=("rewards",))
    note, compute = rules.note if rules else None, load(INFO.rewards)
    calculation: RewardCalculation = compute(game, workspace.vault, note, options, column=column, bots=bots)
    calculation.sharers(sharing)
    return calculation


def roll_and_record(workspace: Workspace, note: str, now: datetime) -> tuple[Table, tuple[str, ...]]:
    """Roll the rewards of the game in a note, write them there, and return a table of the rolls, with remarks.

    Raises UsageError if they are in the note already or nobody has earned any, and the errors of reading and writing.
    """
    vault, settings = workspace.vault, workspace.settings
    game = find_game(vault, note, settings.players)
    calculation = compute_rewards(workspace, game, None, None, bots=False)
    rolled = calculation.roll(vault, secrets.randbelow(10**6), now.date(), None)
    if not rolled.rewards:
        raise UsageError("Nobody has earned any rewards.", where=game.note)
    is_earlier = earlier_rewards(game, vault) is not None
    if rolled.has_results and not is_earlier:
        is_earlier = record_rewards(rolled, vault, settings, loot=False, now=now, dry_run=False).before is not None
    if is_earlier:
        raise UsageError("The rewards of this game are rolled already; its note has them.", where=game.note)
    rows = (tuple(str(row[key] or "-") for key in ROLL_COLUMNS.values()) for row in roll_rows(rolled, text_of, " > "))
    bots = ("Bots earn no rewards.",) if any(participant.bot for participant in game.participants) else ()
    remarks = (*calculation.doubts, *calculation.remarks, *bots)
    return Table("Rewards", tuple(map(capitalize_first, ROLL_COLUMNS)), tuple(rows)), remarks


def earlier_rewards(game: PlayedGame, vault: Vault) -> EarlierRewards | None:
    """Return the rewards that the note of a game already has, or None if they have not been rolled."""
    section = find_section(vault.read(game.note), game.session)
    if section is None:
        return None
    entries = (entry for entry in History(vault).entries() if entry.command == COMMAND and not entry.undone)
    number = next((entry.number for entry in entries if entry.session == game.session), "")
    return EarlierRewards(section, loot_notes(game, vault), number)


def loot_notes(game: PlayedGame, vault: Vault) -> tuple[str, ...]:
    """Return the vault paths of the characters' notes that list loot of a game."""
    block = rewards_id(game.session, "loot")
    paths = dict.fromkeys(participant.note for participant in game.participants if participant.note)
    return tuple(path for path in paths if block in vault.read(path).blocks)


def find_section(note: Note, session: str) -> str | None:
    """Return the section with the rewards in the note of a game, or None if they have not been rolled."""
    block = rewards_id(session)
    if block not in note.blocks:
        return None
    block_match = re.search(rf"\^{block}[ \t]*(?=[\r\n]|\Z)", note.text, re.IGNORECASE)
    start, end = block_match.span() if block_match else (len(note.text), 0)
    headings_above = [heading for heading in note.headings if heading.start < start]
    if not headings_above:
        return note.text[note.body_start :].strip()
    section_end = min(note.section_end(headings_above[-1]), _find_colophon(note) or len(note.text))
    return note.text[headings_above[-1].start : max(section_end, end)].strip()


def finish_rewards(game: PlayedGame, vault: Vault, now: datetime) -> tuple[str, ...]:
    """Write the missing notes of a game's interrupted rewards; return the vault paths written.

    Raises WriteError if a note has been changed where its text was to go.
    """
    if earlier_rewards(game, vault) is None:
        return ()
    return finish_interrupted(vault, COMMAND, game.session, now=now)


def record_rewards(
    rolled: RolledRewards, vault: Vault, settings: Settings, *, loot: bool, now: datetime, dry_run: bool
) -> WrittenRewards:
    """Write the rewards into the game's note and, with `loot`, each player's share into the character's note.

    Everything is read again under the vault's lock. If the note already has rewards by then, nothing is written and the
    result has them as `before`. Raises InvalidError or WriteError before anything is written.
    """
    heading = settings.campaign.loot_heading if loot else ""
    if loot:
        check_heading(heading, "campaign.loot-heading", "Loot")
    result, paths = plan_and_commit(vault, lambda fresh: _plan(rolled, fresh, heading, now), dry_run=dry_run)
    return replace(result, paths=paths)


def _plan(rolled: RolledRewards, vault: Vault, heading: str, now: datetime) -> tuple[WrittenRewards, Writer | None]:
    """Return the result and a Writer with all changes; the Writer is None if the note has rewards already."""
    game = rolled.game
    if before := earlier_rewards(game, vault):
        return WrittenRewards(before=before), None
    writer, linker = Writer(vault, COMMAND, now, game.session), Linker(vault)
    section, block = RewardsPage(rolled, game.note, linker).section(vault.root), rewards_id(game.session)

    def plan(note: Note) -> Splice | None:
        return None if block in note.blocks else insert_section(note, section, before=_find_colophon(note))

    _plan_change(writer, game.note, plan)
    remarks = tuple(_plan_loot(rolled, vault, linker, heading, writer)) if heading else ()
    return WrittenRewards(diff=writer.diff(), remarks=remarks), writer


def _plan_change(writer: Writer, path: str, plan: PlanSplice) -> None:
    writer.change(path, plan)
    writer.check(path)


def _find_colophon(note: Note) -> int | None:
    """Return the offset of the vaultkit callout at the end of a note, or None if the note ends otherwise."""
    match = _COLOPHON.search(note.text, note.body_start)
    return match.start() if match and _SIGNATURE in match[0] else None


def _plan_loot(rolled: RolledRewards, vault: Vault, linker: Linker, heading: str, writer: Writer) -> Iterator[str]:
    """Plan a line of loot for each player who gets something; yield a remark for each line that is not written."""
    note_paths: set[str] = set()
    for share in rolled.shares.shares:
        player = share.player
        if not share.things and not any(share.coins.values()):
            continue
        if not player.note:
            remark = f"{player.name} has no note of a character, so there is no place for the loot."
        elif player.note in note_paths:
            remark = f"{player.name} sat there twice, so the loot of the second seat was not written: {player.note}"
        else:
            line = RewardsPage(rolled, player.note, linker).loot_line(share, vault.root)
            remark = _ambiguity_remark(player, rolled.game.note, vault)
            remark = remark or _plan_line(share, line, vault, heading, writer)
        note_paths.add(player.note)
        if remark:
            yield remark


def _ambiguity_remark(player: Participant, game: str, vault: Vault) -> str:
    """Return a remark if the player's link in the game's note may mean several characters, else ""."""
    for text in name_list(vault.read(game).property("players")):
        link = parse_wikilink(text)
        target = vault.files.resolve(link[1], game) if link else None
        if target and target.status == "ambiguous" and target.path == player.note:
            candidates = " or ".join((player.note, *target.others))
            return f"{player.name} may be {candidates}, so the loot was written into neither."
    return ""


def _plan_line(share: PlayerShare, line: str, vault: Vault, heading: str, writer: Writer) -> str:
    """Plan the line of loot in the note of a character; return the reason if the note cannot take it, else ""."""
    path, block = share.player.note, line.rpartition("^")[2]

    def plan(note: Note) -> Splice | None:
        return None if block in note.blocks else insert_under(note, heading, line)

    try:
        if block in vault.read(path).blocks:
            return f"{path} lists loot of this game already, and keeps that line: ^{block}"
        _plan_change(Writer(vault, COMMAND, datetime.min), path, plan)
    except VaultkitError as error:
        return f"The loot of {share.player.name} was not written: {error.message} ({path})"
    writer.change(path, plan)
    return ""
