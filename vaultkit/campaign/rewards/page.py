"""Rewards as notes tell them: the section of the game's note, and a line of loot for each character."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit import __version__
from vaultkit.campaign.dates import spoken_day
from vaultkit.campaign.rewards.pieces import spoken, spoken_coins, written
from vaultkit.campaign.rewards.reckoning import Rolled
from vaultkit.campaign.rewards.rolling import Reward, RolledResult
from vaultkit.campaign.rewards.sharing import Share
from vaultkit.campaign.session_note import block_id
from vaultkit.campaign.templating import render, render_line
from vaultkit.compendium.tables.rolltable import RollTable, tables_of
from vaultkit.errors import InvalidError
from vaultkit.vault import Note
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.writing.escape import markdown
from vaultkit.vault.writing.linkstyle import Linker

SECTION, LINE = "rewards.md.j2", "loot-line.md.j2"


def rewards_id(session: str) -> str:
    """The block id of the section in the game's note, without `^`."""
    return re.sub("[^a-z0-9-]", "-", f"{block_id(session)}-rewards".lower())


def loot_id(session: str) -> str:
    """The block id of the line in a character's note, without `^`."""
    return re.sub("[^a-z0-9-]", "-", f"{block_id(session)}-loot".lower())


@dataclass(frozen=True, slots=True)
class RollRow:
    """One roll for a template, safe in a table's cell. `number` is "" for what took no roll; `due` for one to make."""

    player: str
    score: str
    row: int
    table: str
    number: str
    result: str
    due: bool


@dataclass(frozen=True, slots=True)
class ShareRow:
    """One player's share for a template: links to the player, things as Markdown, coins; `cell` is safe in a table."""

    player: str
    things: tuple[str, ...]
    coins: str
    cell: str


class RewardsPage:
    """Rewards as seen from the note `path`, in which they are going to be told."""

    def __init__(self, rolled: Rolled, path: str, linker: Linker) -> None:
        self.rolled = rolled
        self.path = path
        self._linker = linker

    def section(self, vault: Path | None) -> str:
        """The section of the game's note. Raises InvalidError if the template loses its block id."""
        block = rewards_id(self.rolled.game.session)
        text = render(SECTION, self._context(block), vault).strip("\r\n")
        if block not in Note(self.path, f"{text}\n".encode("utf-8", "replace")).blocks:
            raise InvalidError(
                "The template of rewards must write their block id on a line of its own.",
                where=SECTION,
                hint="Without it they would be rolled twice. Write, between blank lines: ^{{ block }}",
            )
        return text

    def loot_line(self, share: Share, vault: Path | None) -> str:
        """The line in a character's note; exactly one, with its block id. Raises InvalidError where it is not."""
        row = self._share(share)
        game = self.rolled.game
        context = {
            "date": (game.date or self.rolled.date).isoformat(),
            "link": self._linker.link(game.note, self.path, game.title),
            "things": row.things,
            "coins": row.coins,
            "session": game.session,
        }
        return render_line(LINE, context, loot_id(game.session), vault)

    def _context(self, block: str) -> dict[str, object]:
        rolled = self.rolled
        table = rolled.table
        return {
            "session": rolled.game.session,
            "block": block,
            "column": markdown(rolled.column),
            "source": self._source() if table.note else "",
            "rolls": tuple(row for reward in rolled.rewards for row in self._rows(reward)),
            "shared": rolled.shared,
            "shares": tuple(map(self._share, rolled.shares.shares)) if rolled.shared else (),
            "left": spoken_coins(rolled.shares.left),
            "remarks": tuple(map(markdown, rolled.remarks)),
            "seed": rolled.seed,
            "date": rolled.date.isoformat(),
            "day": spoken_day(rolled.date),
            "version": __version__,
        }

    def _source(self) -> str:
        table = self.rolled.table
        assert table.note is not None
        return self._linker.link(table.note.path, self.path, self.rolled.game.title, to_subpath(table.heading))

    def _rows(self, reward: Reward) -> Iterator[RollRow]:
        player = self._player(reward)
        score = markdown(reward.earned.score)
        number = reward.earned.row.number
        if reward.due:
            rolls = "1 roll" if reward.count == "1" else f"{reward.count} rolls"
            yield RollRow(player, score, number, markdown(reward.title), rolls, markdown(reward.due), True)
        elif not reward.results:
            yield RollRow(player, score, number, markdown(reward.title), "", "nothing", False)
        for result in reward.results:
            first = result.steps[0]
            told = "" if first.number is None else str(first.number)
            title = self._table(first.table, reward.title) if first.table else ""
            yield RollRow(player, score, number, title, told, self._told(result), False)

    def _told(self, result: RolledResult) -> str:
        """What was found, and behind an arrow the table and number of each roll that followed."""
        first, *later = result.steps
        told = [written(first.found, self._linker, self.path, table=True)]
        for step in later:
            table = self._table(step.table, "") if step.table else ""
            told.append(f"{table} {step.number}: {written(step.found, self._linker, self.path, table=True)}")
        return " \u2192 ".join(told)

    def _table(self, table: RollTable, shown: str) -> str:
        """A link to a roll table: to its block or heading, where its note holds more."""
        subpath = next(iter(table.subpaths), "") if len(tables_of(table.note)) > 1 else ""
        return self._linker.link(table.path, self.path, shown or table.title, subpath, table=True)

    def _player(self, reward: Reward) -> str:
        player = reward.earned.player
        if not player.note:
            return markdown(player.name)
        return self._linker.link(player.note, self.path, player.name, table=True)

    def _share(self, share: Share) -> ShareRow:
        player = share.player
        shown = self._linker.link(player.note, self.path, player.name, table=True) if player.note else ""
        coins = spoken_coins(share.coins)
        things = tuple(written(thing, self._linker, self.path) for thing in share.things)
        cells = [written(thing, self._linker, self.path, table=True) for thing in share.things]
        cell = "; ".join([*cells, *([coins] if coins else [])])
        return ShareRow(shown or markdown(player.name), things, coins, cell or "\u2013")


def as_document(rolled: Rolled) -> dict[str, Any]:
    """`{session, note, seed, rewards, rolls[]}`, and `shared[]` and `left` where all was shared out.

    Notes and tables are vault paths; coins are counted by their kinds. Without any result there is no seed.
    """
    shares = rolled.shares
    shared = (
        {"shared": list(map(_share, shares.shares)), "left": dict(shares.left)}
        if rolled.shared and rolled.has_results
        else {}
    )
    return {
        "session": rolled.game.session,
        "note": rolled.game.note,
        "seed": rolled.seed if rolled.has_results else None,
        "rewards": rolled.column,
        "rolls": list(map(_reward, rolled.rewards)),
        **shared,
    }


def _reward(reward: Reward) -> dict[str, Any]:
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
        "results": list(map(_result, reward.results)),
    }


def _result(result: RolledResult) -> dict[str, Any]:
    first, *later = result.steps
    chain = [
        {"table": step.table.path if step.table else None, "roll": step.number, "text": spoken(step.found)}
        for step in later
    ]
    items = [{"text": text, "note": note} for text, note in result.items]
    return {"roll": first.number, "text": spoken(first.found), "items": items, "chain": chain}


def _share(share: Share) -> dict[str, Any]:
    return {"player": share.player.name, "things": list(map(spoken, share.things)), "coins": dict(share.coins)}
