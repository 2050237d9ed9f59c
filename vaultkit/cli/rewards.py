"""The command `vaultkit rewards SESSION`, which rolls the rewards of a game of Dragon Citadel on the vault's tables."""

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.common import DryRunOption, IndexedDesk, any_seed, now, with_options
from vaultkit.cli.output import columns, document, say_lines, show_markdown, talk, tell_remarks
from vaultkit.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultkit.campaign.played import PlayedGame
    from vaultkit.campaign.rewards.reckoning import Reckoning, Rolled
    from vaultkit.campaign.rewards.record_rewards import EarlierRewards, WrittenRewards
    from vaultkit.campaign.workspace import Workspace

_COLUMNS = {"player": "player", "for": "score", "row": "row", "table": "table", "roll": "number", "result": "result"}
"""The columns of the printed rolls, with the keys of their values."""
_OWN_LINE_ID = re.compile(r"^\^[A-Za-z0-9-]+[ \t]*\r?\n?", re.MULTILINE)
"""A block id on a line of its own, which Obsidian does not show either."""


@with_options
def rewards(
    desk: IndexedDesk,
    session: Annotated[
        str,
        typer.Argument(help="A game of Dragon Citadel: its id, the id's last letters, or its note. Default: newest."),
    ] = "",
    column: Annotated[
        str | None,
        typer.Option("--rewards", help="The column of the reward table, instead of the one that was played for."),
    ] = None,
    share: Annotated[
        bool, typer.Option("--share", help="Deal everything out evenly among all who played, the champion first.")
    ] = False,
    among: Annotated[
        list[str] | None, typer.Option("--among", help="Share among these players only; once for each.")
    ] = None,
    loot: Annotated[
        bool, typer.Option("--loot", help="List what everybody gets in the notes of the characters, too.")
    ] = False,
    bots: Annotated[bool, typer.Option("--bots", help="Let bots earn rewards like people.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="A number that settles the rolls.")] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Roll the rewards that a game of Dragon Citadel has earned.

    The score sheet in the game's note is what counts, and the reward table in your own rule note. Results go into the
    game's note, once.

    For example: vaultkit rewards k3f9 --share
    """
    from vaultkit.campaign.rewards.record_rewards import are_cut_off, earlier_rewards, finish_rewards, record_rewards
    from vaultkit.campaign.rewards.scores import copy_remarks, find_game

    workspace = desk.workspace
    opened, settings = workspace.vault, workspace.settings
    game = find_game(opened, workspace.vault_path(session) if session else "", settings.players)
    for sentence in copy_remarks(game, opened):
        talk(sentence)
    sharing = (among or []) if share or among else None
    # Options that may be wrong are checked before looking for earlier rewards; all else is computed after it.
    reckoning = _compute_rewards(workspace, game, column, sharing, bots=bots) if among or column is not None else None
    finished = () if dry_run else finish_rewards(game, opened, now())
    if before := earlier_rewards(game, opened):
        _show_before(game, before, desk.as_json, finished)
        if dry_run and are_cut_off(game, opened):
            talk("They were cut off while they were written. To finish them, give the command without --dry-run.")
        _tell_way_back(before, asked=share or loot or bots or seed is not None or reckoning is not None)
        return
    reckoning = reckoning or _compute_rewards(workspace, game, column, sharing, bots=bots)
    rolled = reckoning.roll(opened, any_seed(seed), now().date(), sharing)
    if not rolled.rewards:
        _tell_nothing(rolled, desk.as_json)
        return
    written = (
        record_rewards(rolled, opened, settings, loot=loot, now=now(), dry_run=dry_run) if rolled.has_results else None
    )
    if written and written.before:  # another process wrote them first
        _show_before(game, written.before, desk.as_json)
        return
    _show(rolled, {"diff": written.diff} if written and dry_run else {}, desk.as_json)
    if written:
        _tell(rolled, written, dry_run, desk.as_json)
    else:
        _tell_due(rolled)


def _compute_rewards(
    workspace: "Workspace", game: "PlayedGame", column: str | None, sharing: "Sequence[str] | None", *, bots: bool
) -> "Reckoning":
    """Return the rewards that a game has earned.

    Raises UsageError for a column that the table does not have, and for names of people who did not play.
    """
    from vaultkit.campaign import house_rules
    from vaultkit.campaign.rewards.scores import game_of
    from vaultkit.games.info import load

    info = game_of(game)
    assert info is not None, "only such a game is found"
    rules, set_here = workspace.rule_note(info), house_rules.sound_options(workspace, info, unchecked=("rewards",))
    found: Reckoning = load(info.rewards)(
        game, workspace.vault, rules.note if rules else None, set_here, column=column, bots=bots
    )
    found.sharers(sharing)
    return found


def _show_before(game: "PlayedGame", before: "EarlierRewards", as_json: bool, finished: tuple[str, ...] = ()) -> None:
    """Print rewards that were rolled before.

    `finished` are the notes that an interrupted run had left out and that have been written now.
    """
    if finished:
        talk(f"Rolled already, and cut off while they were written. Now they are complete. They are in {game.note}:")
        for path in finished:
            talk(f"Written: {path}")
    else:
        talk(f"Rolled already; nothing was written. They are in {game.note}:")
    if as_json:
        about = {"session": game.session, "note": game.note, "already": True}
        document({**about, "rolls": [], "section": before.section})
    else:
        show_markdown(_OWN_LINE_ID.sub("", before.section))


def _tell_way_back(before: "EarlierRewards", *, asked: bool) -> None:
    """Print how rewards can be undone.

    `has_new_options` says whether options were given that apply only to new rewards.
    """
    for note in before.loot:
        talk(f"Listed as loot in {note}")
    number = before.number
    back = f"vaultkit undo {number}" if number else "by hand, since the history does not reach so far back"
    if asked:
        talk(f"To have them shared out or listed anew, take them back first: {back}. The same seed rolls them again.")
    else:
        talk(f"To take them back: {back}")


def _show(rolled: "Rolled", more: dict[str, Any], as_json: bool) -> None:
    from vaultkit.campaign.rewards.pieces import coin_text, text_of
    from vaultkit.campaign.rewards.rewards_page import rewards_document, roll_rows, share_cell

    if as_json:
        document(rewards_document(rolled) | more)
        return
    rows = ([row[name] or "-" for name in _COLUMNS.values()] for row in roll_rows(rolled, text_of, " > "))
    columns([*_COLUMNS], rows)
    if rolled.shared and rolled.has_results:
        shares = rolled.shares.shares
        columns(["player", "share"], ([one.player.name, share_cell(one, text_of) or "-"] for one in shares))
        if left := coin_text(rolled.shares.left):
            talk(f"Left over, for the party: {left}")


def _tell_nothing(rolled: "Rolled", as_json: bool) -> None:
    reckoning = rolled.reckoning
    if as_json:
        document({"session": rolled.game.session, "note": rolled.game.note, "rolls": []})
    if reckoning.scores:
        talk(f"Nobody has earned anything: {rolled.game.note}")
    else:
        talk("Only bots played, and they earn nothing. To reward them all the same: --bots")
    tell_remarks(*reckoning.doubts, *reckoning.remarks)


def _tell_due(rolled: "Rolled") -> None:
    """Print that nothing was written.

    The rewards can then be rolled again once the vault has the tables.
    """
    tell_remarks(*rolled.reckoning.doubts, *rolled.reckoning.remarks)
    if rolled.due:
        talk(
            "Nothing could be rolled here, so nothing was written. Roll these by hand, or put the tables into the "
            "vault and run this again."
        )
    else:
        talk("By the reward table all of this earns nothing, so nothing was written.")


def _tell(rolled: "Rolled", written: "WrittenRewards", dry_run: bool, as_json: bool) -> None:
    talk(f"{rolled.game.title}, {rolled.column}, seed {rolled.seed}.")
    if rolled.due:
        tell_remarks(f"{counted(rolled.due, 'reward')} could not be rolled here; the table says where to roll instead.")
    if dry_run:
        if not as_json:
            say_lines(written.diff)
        talk(f"No note was written. The same rolls again: --seed {rolled.seed}")
    for path in written.paths:
        talk(f"Written: {path}")
    tell_remarks(*rolled.reckoning.doubts, *rolled.reckoning.remarks, *written.remarks)
    if written.paths:
        talk("To take it all back: vaultkit undo")
