"""`vaultkit rewards SESSION`: what a game of Dragon Citadel has earned, rolled on the vault's own tables."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli import house_rules
from vaultkit.cli.common import DryRunOption, JsonOption, NoCacheOption, VaultOption, Workspace, new_app, now
from vaultkit.cli.output import block, columns, count, document, talk
from vaultkit.errors import InvalidError, WriteError
from vaultkit.games import registry
from vaultkit.session.options import faults

if TYPE_CHECKING:
    from vaultkit.campaign.played import PlayedGame
    from vaultkit.campaign.rewards.reckoning import Reckoning
    from vaultkit.campaign.rewards.rolled import Rolled
    from vaultkit.campaign.rewards.rolling import Result, Reward
    from vaultkit.campaign.rewards.writing import Written

GAME = "dragon-citadel"


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
    again: Annotated[bool, typer.Option("--again", help="Insist on new rolls; says how to get them.")] = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Roll the rewards that a game of Dragon Citadel has earned.

    The score sheet in the game's note is what counts, and the reward table in your own rule note. Results go into the
    game's note, once.
    """
    from vaultkit.campaign.rewards.finding import find_game
    from vaultkit.campaign.rewards.reckoning import reckon

    workspace = Workspace.open(vault, no_cache=no_cache)
    wanted = workspace.vault_path(session) if session else ""
    game = find_game(workspace.vault, wanted, workspace.settings.players)
    run = _Run(workspace, game, loot=loot, dry_run=dry_run, as_json=as_json)
    if run.told_already(again=again, asked=share or bool(among) or loot):
        return
    rule_note = workspace.rule_note(registry.GAMES[GAME])
    rules = rule_note.note if rule_note else None
    reckoning = reckon(game, workspace.vault, rules, _house_rules(workspace), column=column.strip(), bots=bots)
    sharing = (among or []) if share or among else None
    run.roll(reckoning, secrets.randbelow(10**6) if seed is None else seed, sharing)


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

    def told_already(self, *, again: bool, asked: bool) -> bool:
        """Show the rewards that the note has. Raises WriteError where new ones are insisted on."""
        from vaultkit.campaign.rewards.writing import recorded

        section = recorded(self.workspace.vault.read(self.game.note), self.game.session)
        if section is None:
            return False
        if again:
            raise WriteError(
                "The rewards of this game were rolled already.",
                where=self.game.note,
                hint="Take them back first: vaultkit undo. If something else was written since, find them with: "
                "vaultkit undo --list. Rewards that are too old for that are taken out of the note by hand.",
            )
        self._show_section(section)
        if asked:
            talk(
                "To have them shared out or listed as loot, take them back with vaultkit undo; then the same seed "
                "rolls them again."
            )
        return True

    def _show_section(self, section: str) -> None:
        talk(f"Rolled already; nothing was written. They are in {self.game.note}:")
        if self.as_json:
            document({**self._about(), "already": True, "rolls": [], "section": section})
        else:
            block(section)

    def roll(self, reckoning: "Reckoning", seed: int, sharing: list[str] | None) -> None:
        from vaultkit.campaign.rewards.writing import record, recorded

        vault = self.workspace.vault
        rolled = reckoning.roll(vault, seed, now().date(), sharing)
        if not rolled.rewards:
            self._nothing(reckoning)
            return
        heading = self._heading() if self.loot else ""
        written = record(rolled, vault, loot_heading=heading, now=now(), dry_run=self.dry_run)
        if written.already:  # somebody was quicker
            vault.forget(self.game.note)
            self._show_section(recorded(vault.read(self.game.note), self.game.session) or "")
            return
        if self.as_json:
            document(_json(rolled, self._about()) | ({"diff": written.diff} if self.dry_run else {}))
        else:
            _show(rolled)
        self._tell(rolled, written)

    def _about(self) -> dict[str, Any]:
        return {"session": self.game.session, "note": self.game.note}

    def _heading(self) -> str:
        from vaultkit.vault.subpath import comparable

        heading = self.workspace.settings.campaign.loot_heading
        if not comparable(heading):
            raise InvalidError(
                f"'{heading}' cannot be found as a heading: it has no letter and no number.",
                where="campaign.loot-heading",
                hint="Set campaign.loot-heading to the text of a heading, such as Loot.",
            )
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
        for remark in reckoning.remarks:
            talk(f"Note: {remark}")

    def _tell(self, rolled: "Rolled", written: "Written") -> None:
        talk(f"{rolled.game.title}, {rolled.column}, seed {rolled.seed}.")
        due = sum(bool(reward.due) for reward in rolled.rewards)
        if due:
            talk(f"Note: {count(due, 'reward')} could not be rolled here; the table says where to roll instead.")
        if self.dry_run:
            if not self.as_json:
                block(written.diff)
            talk(f"No note was written. The same rolls again: --seed {rolled.seed}")
        for path in written.paths:
            talk(f"Written: {path}")
        for remark in (*rolled.remarks, *written.remarks):
            talk(f"Note: {remark}")
        if written.paths:
            talk("To take it all back: vaultkit undo")


def _show(rolled: "Rolled") -> None:
    columns(["player", "for", "row", "table", "roll", "result"], _lines(rolled))
    if not rolled.shared:
        return
    columns(["player", "share"], ([share["player"], _share_text(share)] for share in _shares(rolled)))
    left = _coins(rolled.shares.left)
    if left:
        talk(f"Left over, for the party: {left}")


def _lines(rolled: "Rolled") -> Iterator[list[object]]:
    for reward in rolled.rewards:
        earned = reward.earned
        start: list[object] = [earned.player.name, earned.score, earned.row.number, reward.title or "-"]
        if reward.due:
            rolls = count(int(reward.count), "roll") if reward.count.isdecimal() else f"{reward.count} rolls"
            yield [*start, rolls, reward.due]
        for result in reward.results:
            number = result.steps[0].number
            yield [*start, "-" if number is None else number, _text(result)]


def _text(result: "Result") -> str:
    """What was found, and behind it each roll that followed with its table and number."""
    from vaultkit.campaign.rewards.pieces import spoken

    first, *later = result.steps
    told = [f"{step.table.title if step.table else ''} {step.number}: {spoken(step.found)}" for step in later]
    return " > ".join([spoken(first.found), *told])


def _json(rolled: "Rolled", about: dict[str, Any]) -> dict[str, Any]:
    shared = {"shared": _shares(rolled), "left": dict(rolled.shares.left)} if rolled.shared else {}
    return {
        **about,
        "seed": rolled.seed,
        "rewards": rolled.column,
        "rolls": [_roll(reward) for reward in rolled.rewards],
        **shared,
    }


def _roll(reward: "Reward") -> dict[str, Any]:
    earned = reward.earned
    table = reward.table.path if reward.table else None
    return {
        "player": earned.player.name,
        "for": earned.key,
        "score": earned.score,
        "row": earned.row.number,
        "table": table or reward.title or None,
        "count": int(reward.count) if reward.count.isdecimal() else reward.count,
        "due": reward.due or None,
        "results": [_result(result) for result in reward.results],
    }


def _result(result: "Result") -> dict[str, Any]:
    from vaultkit.campaign.rewards.pieces import spoken

    first, *later = result.steps
    chain = [
        {"table": step.table.path if step.table else None, "roll": step.number, "text": spoken(step.found)}
        for step in later
    ]
    items = [{"text": text, "note": note} for text, note in result.items]
    return {"roll": first.number, "text": spoken(first.found), "items": items, "chain": chain}


def _shares(rolled: "Rolled") -> list[dict[str, Any]]:
    from vaultkit.campaign.rewards.pieces import spoken

    return [
        {"player": one.player.name, "things": list(map(spoken, one.things)), "coins": dict(one.coins)}
        for one in rolled.shares.shares
    ]


def _share_text(share: dict[str, Any]) -> str:
    coins = _coins(share["coins"])
    return "; ".join([*share["things"], *([coins] if coins else [])]) or "-"


def _coins(coins: Any) -> str:
    from vaultkit.campaign.rewards.coins import spoken_coins

    return spoken_coins(coins)


app = new_app(rewards)
