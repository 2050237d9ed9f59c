"""Maker of a Markdown page with tables and charts from a simulation's JSON.

Usage: vaultkit simulate propheta --json | python -m scripts.balance_page > Balance.md
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vaultkit.cards.deck import known_deck
from vaultkit.games.registry import rules

MAX_MOMENT_ROWS = 40


def page(report: Mapping[str, Any]) -> str:
    """Return the page for the JSON document of `vaultkit simulate`."""
    game, length = rules(report["game"]), report["length"]
    summary = f"{report['games']} games between bots, from seed {report['seed']}. A game took {length['mean']} "
    summary += f"decisions on average ({length['min']} to {length['max']})."
    parts = [f"# Balance of {game.title} for {len(report['seats'])}", summary, *_seat_parts(report["seats"])]
    if report["roles"]:
        roles = ((role["role"], role["games"], role["wins"], *_rate_cells(role)) for role in report["roles"])
        parts.append(_table(("Role", "Games", "Won", "Rate", "95 % interval"), roles))
    outcomes = [(game.ending(kind), count) for kind, count in report["outcomes"].items()]
    parts += ["## How It Ends", _chart("pie showData", *(f'"{kind}" : {count}' for kind, count in outcomes))]
    parts.append(_table(("Outcome", "Games"), outcomes))
    if report["moments"]:
        parts += ["## What Decides", _moment_table(report["moments"][:MAX_MOMENT_ROWS], game.deck)]
    return "\n\n".join(parts) + "\n"


def _seat_parts(seats: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = ", ".join(f'"{number} {seat["bot"]}"' for number, seat in enumerate(seats, 1))
    bars = ", ".join(f"{100 * seat['win_rate']:.1f}" for seat in seats)
    axis = ('title "Games won by each seat"', f"x-axis [{names}]", 'y-axis "Games won (%)" 0 --> 100', f"bar [{bars}]")
    yield "## Who Wins"
    yield _chart("xychart-beta", *axis)
    rows = ((seat["name"], seat["wins"], *_rate_cells(seat), _spread_text(seat["score"])) for seat in seats)
    yield _table(("Seat", "Won", "Rate", "95 % interval", "Score"), rows)


def _spread_text(spread: Mapping[str, Any] | None) -> str:
    return f"{spread['mean']} ({spread['min']} to {spread['max']})" if spread else ""


def _moment_table(moments: Sequence[Mapping[str, Any]], deck_kind: str) -> str:
    titles = {card.id: card.title for card in known_deck(deck_kind) or ()}
    cards = [titles.get(moment["card"], moment["card"] or "") for moment in moments]
    rows = (
        (moment["kind"].replace("-", " "), card, moment["games"], *_rate_cells(moment))
        for moment, card in zip(moments, cards, strict=True)
    )
    return _table(("Moment", "Card", "Games", "Won", "95 % interval"), rows)


def _rate_cells(row: Mapping[str, Any]) -> tuple[str, str]:
    low, high = row["ci95"]
    return f"{row['win_rate']:.1%}", f"{low:.1%} to {high:.1%}"


def _chart(kind: str, *lines: str) -> str:
    return "\n".join(("```mermaid", kind, *(f"    {line}" for line in lines), "```"))


def _table(header: Sequence[str], rows: Any) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(page(json.load(sys.stdin)))
