"""Markdown and JSON of rewards: the section of the game's note, and a line of loot for each character."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from vaultkit import __version__
from vaultkit.campaign.dragon_citadel.quoted_text import Piece, Words, coin_text, join_words, markdown_of, text_of
from vaultkit.campaign.dragon_citadel.reward_calculation import PlayerShare, RolledRewards
from vaultkit.campaign.dragon_citadel.reward_rolls import RolledResult, RolledReward
from vaultkit.campaign.property_names import block_id
from vaultkit.campaign.template_rendering import render, render_line, where_of
from vaultkit.compendium.tables.roll_table import RollTable
from vaultkit.compendium.tables.table_parser import tables_of
from vaultkit.compendium.words import load_words
from vaultkit.errors import InvalidError
from vaultkit.vault import Note
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.writing.escape import escape_markdown
from vaultkit.vault.writing.link_style import Linker

SECTION_TEMPLATE, LINE_TEMPLATE = "rewards.md.j2", "loot-line.md.j2"
ROLL_COLUMNS = {
    "player": "player", "for": "score", "row": "row", "table": "table", "roll": "number", "result": "result",
}  # fmt: skip
"""The columns of the rolls as they are printed, with the keys of their values in `roll_rows`."""
FormatWords = Callable[[Words], str]
"""A function that formats words as plain text, or as Markdown with links."""


def rewards_id(session: str, part: str = "rewards") -> str:
    """Return the block id, without `^`, of the rewards in a game's note, or with `part="loot"` of a line of loot."""
    return re.sub("[^a-z0-9-]", "-", f"{block_id(session)}-{part}".lower())


def roll_rows(rolled: RolledRewards, format_words: FormatWords, arrow: str) -> Iterator[dict[str, Any]]:
    """Yield a row for each roll, for a template or the screen; `arrow` separates consecutive steps.

    `number` is "" for a reward without a roll; for a roll that is still `due` it is the number of rolls.
    """
    for reward in rolled.rewards:
        earned = reward.earned
        player = format_words((Piece(earned.player.name, earned.player.note),))
        score = format_words((Piece(earned.score),))
        row = {"player": player, "score": score, "row": earned.row.number, "due": bool(reward.manual_reason)}
        title = format_words((Piece(reward.title),))
        if reward.manual_reason:
            rolls = "1 roll" if reward.count == "1" else f"{reward.count} rolls"
            yield row | {"table": title, "number": rolls, "result": format_words((Piece(reward.manual_reason),))}
        elif not reward.results:
            yield row | {"table": title, "number": "", "result": "nothing"}
        for result in reward.results:
            first, *later = result.steps
            steps = ((*_link_table(step.table, ""), Piece(f" {step.number}: "), *step.words) for step in later)
            words = join_words((first.words, *steps), arrow)
            number = "" if first.number is None else str(first.number)
            table = format_words(_link_table(first.table, reward.title))
            yield row | {"table": table, "number": number, "result": format_words(words)}


def _link_table(table: RollTable | None, label: str) -> Words:
    """Return a link to a roll table; it leads to the table's block or heading if its note has several tables."""
    if table is None:
        return ()
    subpath = next(iter(table.subpaths), "") if len(tables_of(table.note)) > 1 else ""
    return (Piece(label or table.title, table.path, subpath),)


def share_cell(share: PlayerShare, format_words: FormatWords) -> str:
    """Return the things and coins of one share on one line, "" if there are none."""
    return "; ".join(filter(None, (*map(format_words, share.things), coin_text(share.coins))))


class RewardsPage:
    """Rewards formatted for the note at `path`, relative to which its links are written."""

    def __init__(self, rolled: RolledRewards, path: str, linker: Linker) -> None:
        self.rolled = rolled
        self.path = path
        self._linker = linker
        self._format_text = partial(markdown_of, linker=linker, source=path)
        self._format_cell = partial(markdown_of, linker=linker, source=path, table=True)

    def section(self, vault: Path | None) -> str:
        """Return the section for the game's note. Raises InvalidError if the template loses its block id."""
        return section_text(
            self._context(rewards_id(self.rolled.game.session), load_words(vault).day(self.rolled.date)), vault
        )

    def loot_line(self, share: PlayerShare, vault: Path | None) -> str:
        """Return the line of loot for a character's note.

        Raises InvalidError if the template does not make exactly one line with the block id.
        """
        game = self.rolled.game
        context = {
            "date": (game.date or self.rolled.date).isoformat(),
            "link": self._linker.link(game.note, self.path, game.title),
            "things": tuple(map(self._format_text, share.things)),
            "coins": coin_text(share.coins),
            "session": game.session,
        }
        return render_line(LINE_TEMPLATE, context, rewards_id(game.session, "loot"), vault)

    def _context(self, block: str, day: str) -> dict[str, object]:
        """Return the values for the template of the section; `block` is its block id, `day` the day in words."""
        rolled, table = self.rolled, self.rolled.calculation.table
        source = self._linker.link(table.note.path, self.path, rolled.game.title, to_subpath(table.heading))
        return {
            "session": rolled.game.session,
            "block": block,
            "column": escape_markdown(rolled.column),
            "source": source if table.note.path else "",
            "rolls": tuple(roll_rows(rolled, self._format_cell, " \u2192 ")),
            "shared": rolled.shared,
            "shares": tuple(map(self._share_values, rolled.shares.shares)) if rolled.shared else (),
            "left": coin_text(rolled.shares.left),
            "remarks": tuple(map(escape_markdown, rolled.calculation.remarks)),
            "seed": rolled.seed,
            "date": rolled.date.isoformat(),
            "day": day,
            "version": __version__,
        }

    def _share_values(self, share: PlayerShare) -> dict[str, object]:
        return {
            "player": self._format_cell((Piece(share.player.name, share.player.note),)),
            "things": tuple(map(self._format_text, share.things)),
            "coins": coin_text(share.coins),
            "cell": share_cell(share, self._format_cell) or "\u2013",
        }


def section_text(context: Mapping[str, object], vault: Path | None) -> str:
    """Return the section of the game's note. Raises InvalidError if the template loses the block id in `context`."""
    text = render(SECTION_TEMPLATE, context, vault).strip("\r\n")
    if context["block"] not in Note(SECTION_TEMPLATE, f"{text}\n".encode("utf-8", "replace")).blocks:
        message = "The template of rewards must write their block id on a line of its own."
        hint = "Without it they would be rolled twice. Write, between blank lines: ^{{ block }}"
        raise InvalidError(message, where=where_of(SECTION_TEMPLATE, vault), hint=hint)
    return text


def rewards_document(rolled: RolledRewards) -> dict[str, Any]:
    """Return the rewards as JSON values: `{session, note, seed, rewards, rolls[]}`.

    If they were shared out, `shared[]` and `left` follow. Notes and tables are vault paths; coins are amounts by unit.
    The seed is null if no roll has a result.
    """
    document: dict[str, Any] = {
        "session": rolled.game.session,
        "note": rolled.game.note,
        "seed": rolled.seed if rolled.has_results else None,
        "rewards": rolled.column,
        "rolls": list(map(_reward_document, rolled.rewards)),
    }
    if rolled.shared and rolled.has_results:
        document |= {"shared": list(map(_share_document, rolled.shares.shares)), "left": dict(rolled.shares.left)}
    return document


def _reward_document(reward: RolledReward) -> dict[str, Any]:
    """Return one reward and its rolls as JSON values."""
    earned = reward.earned
    return {
        "player": earned.player.name,
        "for": earned.key,
        "score": earned.score,
        "row": earned.row.number,
        "table": reward.table.path if reward.table else reward.title or None,
        "count": int(reward.count) if reward.count.isdecimal() else reward.count,
        "due": reward.manual_reason or None,
        "results": list(map(_result_document, reward.results)),
    }


def _result_document(result: RolledResult) -> dict[str, Any]:
    first, *later = result.steps
    chain = [
        {"table": step.table.path if step.table else None, "roll": step.number, "text": text_of(step.words)}
        for step in later
    ]
    items = [{"text": text, "note": note} for text, note in result.items]
    return {"roll": first.number, "text": text_of(first.words), "items": items, "chain": chain}


def _share_document(share: PlayerShare) -> dict[str, Any]:
    return {"player": share.player.name, "things": list(map(text_of, share.things)), "coins": dict(share.coins)}
