"""`vaultkit rewards SESSION`: what a game of Dragon Citadel has earned, rolled on the vault's own tables."""

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli import house_rules
from vaultkit.cli.common import DryRunOption, JsonOption, NoCacheOption, VaultOption, Workspace, now
from vaultkit.cli.output import block, columns, document, markdown, talk
from vaultkit.errors import InvalidError
from vaultkit.games import registry
from vaultkit.session.options import faults
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.campaign.played import PlayedGame
    from vaultkit.campaign.rewards.reckoning import Reckoning, Rolled
    from vaultkit.campaign.rewards.rolling import RolledResult
    from vaultkit.campaign.rewards.sharing import Share
    from vaultkit.campaign.rewards.writing import Written

GAME = "dragon-citadel"
_OWN_LINE_ID = re.compile(r"^\^[A-Za-z0-9-]+[ \t]*\r?\n?", re.MULTILINE)
"""A block id on a line of its own, which Obsidian does not show either."""


def rewards(
    session: Annotated[
        str,
        typer.Argument(help="A game of Dragon Citadel: its id, the id's last letters, or its note. Default: newest."),
    ] = "",
    column: Annotated[
        str, typer.Option("--rewards", help="The column of the reward table, instead of the one that was played for.")
    ] = "",
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
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Roll the rewards that a game of Dragon Citadel has earned.

    The score sheet in the game's note is what counts, and the reward table in your own rule note. Results go into the
    game's note, once.
    """
    from vaultkit.campaign.rewards.reckoning import reckon

    workspace = Workspace.open(vault, no_cache=no_cache)
    game = _game(workspace, session)
    run = _Run(workspace, game, loot=loot, dry_run=dry_run, as_json=as_json)
    if run.told_already(asked=share or bool(among) or loot):
        return
    rule_note = workspace.rule_note(registry.GAMES[GAME])
    rules = rule_note.note if rule_note else None
    reckoning = reckon(game, workspace.vault, rules, _house_rules(workspace), column=column.strip(), bots=bots)
    sharing = (among or []) if share or among else None
    run.roll(reckoning, secrets.randbelow(10**6) if seed is None else seed, sharing)


def _game(workspace: Workspace, session: str) -> "PlayedGame":
    """The game that is meant, with a word on copies of its note."""
    from vaultkit.campaign.rewards.scores import copies, find_game

    wanted = workspace.vault_path(session) if session else ""
    game = find_game(workspace.vault, wanted, workspace.settings.players)
    for copy, original in copies(workspace.vault).items():
        if game.note in (copy, original):
            talk(f"{copy}: the same game as {original}. {game.note} is taken. Delete the one that is wrong.")
    return game


def _house_rules(workspace: Workspace) -> dict[str, object]:
    """What settings and rule note say, as `play` takes it; but `rewards` may be a column of the GM's own.

    Raises InvalidError that names the file with a value that is none.
    """
    info, given = registry.GAMES[GAME], dict[str, object]()
    for layer in house_rules.layers(workspace, info):
        for key, error in faults(info.rules(), layer.options):
            if key != "rewards":
                raise InvalidError(error.message, where=layer.where, hint=error.hint) from error
        given |= layer.options
    return given


@dataclass(frozen=True)
class _Run:
    """One run for one game: roll, show, write."""

    workspace: Workspace
    game: "PlayedGame"
    loot: bool
    dry_run: bool
    as_json: bool

    def told_already(self, *, asked: bool) -> bool:
        """Show the rewards that the note has; `asked` is whether they were to be shared or listed."""
        from vaultkit.campaign.rewards.writing import recorded

        section = recorded(self.workspace.vault.read(self.game.note), self.game.session)
        if section is None:
            return False
        self._show_section(section)
        self._tell_way_back(asked)
        return True

    def _show_section(self, section: str) -> None:
        talk(f"Rolled already; nothing was written. They are in {self.game.note}:")
        if self.as_json:
            document({**self._about(), "already": True, "rolls": [], "section": section})
        else:
            markdown(_OWN_LINE_ID.sub("", section))

    def _tell_way_back(self, asked: bool) -> None:
        from vaultkit.campaign.rewards.writing import looted, taken_back_by

        vault = self.workspace.vault
        for note in looted(self.game, vault):
            talk(f"Listed as loot in {note}")
        number = taken_back_by(self.game, vault)
        back = f"vaultkit undo {number}" if number else "by hand, since the history does not reach so far back"
        if asked:
            talk(
                f"To have them shared out or listed anew, take them back first: {back}. The same seed rolls them again."
            )
        else:
            talk(f"To take them back: {back}")

    def roll(self, reckoning: "Reckoning", seed: int, sharing: list[str] | None) -> None:
        from vaultkit.campaign.rewards.writing import record, recorded

        vault = self.workspace.vault
        rolled = reckoning.roll(vault, seed, now().date(), sharing)
        if not rolled.rewards:
            self._nothing(reckoning)
            return
        if not rolled.has_results:
            self._only_due(rolled)
            return
        heading = self._heading() if self.loot else ""
        written = record(rolled, vault, loot_heading=heading, now=now(), dry_run=self.dry_run)
        if written.already:  # somebody was quicker
            vault.forget(self.game.note)
            self._show_section(recorded(vault.read(self.game.note), self.game.session) or "")
            return
        self._show(rolled, {"diff": written.diff} if self.dry_run else {})
        self._tell(rolled, written)

    def _show(self, rolled: "Rolled", more: dict[str, Any]) -> None:
        if self.as_json:
            from vaultkit.campaign.rewards.page import as_document

            document(as_document(rolled) | more)
            return
        columns(["player", "for", "row", "table", "roll", "result"], _lines(rolled))
        if rolled.shared and rolled.has_results:
            _show_shares(rolled)

    def _only_due(self, rolled: "Rolled") -> None:
        """Nothing is written, so that all of it can be rolled here once the vault has the tables."""
        self._show(rolled, {})
        for remark in (*rolled.doubts, *rolled.remarks):
            talk(f"Note: {remark}")
        if any(reward.due for reward in rolled.rewards):
            talk(
                "Nothing could be rolled here, so nothing was written. Roll these by hand, or put the tables into the "
                "vault and run this again."
            )
        else:
            talk("By the reward table all of this earns nothing, so nothing was written.")

    def _about(self) -> dict[str, Any]:
        return {"session": self.game.session, "note": self.game.note}

    def _heading(self) -> str:
        from vaultkit.campaign.placing.line import check_heading

        heading = self.workspace.settings.campaign.loot_heading
        check_heading(heading, "campaign.loot-heading", "Loot")
        return heading

    def _nothing(self, reckoning: "Reckoning") -> None:
        if self.as_json:
            document({**self._about(), "rolls": []})
        people = bool(reckoning.scores)
        talk(
            f"Nobody has earned anything: {self.game.note}"
            if people
            else "Only bots played, and they earn nothing. To reward them all the same: --bots"
        )
        for remark in (*reckoning.doubts, *reckoning.remarks):
            talk(f"Note: {remark}")

    def _tell(self, rolled: "Rolled", written: "Written") -> None:
        talk(f"{rolled.game.title}, {rolled.column}, seed {rolled.seed}.")
        due = sum(bool(reward.due) for reward in rolled.rewards)
        if due:
            talk(f"Note: {counted(due, 'reward')} could not be rolled here; the table says where to roll instead.")
        if self.dry_run:
            if not self.as_json:
                block(written.diff)
            talk(f"No note was written. The same rolls again: --seed {rolled.seed}")
        for path in written.paths:
            talk(f"Written: {path}")
        for remark in (*rolled.doubts, *rolled.remarks, *written.remarks):
            talk(f"Note: {remark}")
        if written.paths:
            talk("To take it all back: vaultkit undo")


def _show_shares(rolled: "Rolled") -> None:
    from vaultkit.campaign.rewards.pieces import spoken_coins

    columns(["player", "share"], ([share.player.name, _share_text(share)] for share in rolled.shares.shares))
    left = spoken_coins(rolled.shares.left)
    if left:
        talk(f"Left over, for the party: {left}")


def _lines(rolled: "Rolled") -> Iterator[list[object]]:
    for reward in rolled.rewards:
        earned = reward.earned
        start: list[object] = [earned.player.name, earned.score, earned.row.number, reward.title or "-"]
        if reward.due:
            rolls = counted(int(reward.count), "roll") if reward.count.isdecimal() else f"{reward.count} rolls"
            yield [*start, rolls, reward.due]
        elif not reward.results:
            yield [*start, "-", "nothing"]
        for result in reward.results:
            number = result.steps[0].number
            yield [*start, "-" if number is None else number, _text(result)]


def _text(result: "RolledResult") -> str:
    """What was found, and behind it each roll that followed with its table and number."""
    from vaultkit.campaign.rewards.pieces import spoken

    first, *later = result.steps
    told = [f"{step.table.title if step.table else ''} {step.number}: {spoken(step.found)}" for step in later]
    return " > ".join([spoken(first.found), *told])


def _share_text(share: "Share") -> str:
    from vaultkit.campaign.rewards.pieces import spoken, spoken_coins

    coins = spoken_coins(share.coins)
    return "; ".join([*map(spoken, share.things), *([coins] if coins else [])]) or "-"
