"""Thirteen games that people own, defined from their published scoring rules, each with a game scored by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEFINITIONS = Path(__file__).parent / "data" / "games"


@dataclass(frozen=True)
class PlayedByHand:
    """A game as it was written down, and what it comes to.

    `boxes` has the columns of each player, with `/` between rounds; `ticks` are boxes to tick for the whole game.
    `totals` were computed by hand; None for a game without scores.
    """

    boxes: Mapping[str, Mapping[str, str]]
    totals: Sequence[float | None]
    winners: Sequence[str]
    round_name: str = ""
    ticks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    table: Mapping[str, str] = field(default_factory=dict)
    table_ticks: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""

    @property
    def flags(self) -> list[str]:
        """The game as `--score` takes it."""
        table = {**self.table, **self.table_ticks}
        table.pop("outcome", "")
        common = [", ".join(f"{key}={value}" for key, value in table.items())] if table else []
        columns = {name: {**boxes, **self.ticks.get(name, {})} for name, boxes in self.boxes.items()}
        return [
            *common,
            *(f"{name}: " + ", ".join(f"{k}={v}" for k, v in own.items()) for name, own in columns.items()),
        ]

    @property
    def fields(self) -> dict[str, str | bool]:
        """The game as the fields of a printed sheet for all players."""
        fields: dict[str, str | bool] = {**self.table}
        fields |= {f"{key}.{choice}": True for key, choice in self.table_ticks.items()}
        for number, (name, boxes) in enumerate(self.boxes.items(), 1):
            fields[f"p{number}.player"] = name
            fields |= {f"p{number}.{key}.{choice}": True for key, choice in self.ticks.get(name, {}).items()}
            for key, text in boxes.items():
                parts = text.split("/") if self.round_name else [text]
                places = [f"{self.round_name}.{n}." if self.round_name else "" for n in range(1, len(parts) + 1)]
                fields |= {f"p{number}.{place}{key}": part for place, part in zip(places, parts, strict=True)}
        return fields


def _rows(columns: str, **players: str) -> dict[str, dict[str, str]]:
    """Return the boxes of players, of whom each has the numbers of the columns in one text."""
    keys = columns.split()
    return {name: dict(zip(keys, numbers.split(), strict=True)) for name, numbers in players.items()}


GAMES = {
    "wingspan": PlayedByHand(
        _rows(
            "birds bonus goals eggs cached tucked food_left",
            Ysolde="42 9 14 11 3 6 1", Bram="45 6 12 13 5 4 4", Sefa="30 5 8 10 2 0 9",
        ),
        (85, 85, 55), ("Bram",), reason="of equal scores, Food left (4 to 1) decides",
    ),
    "seven-wonders": PlayedByHand(
        _rows(
            "military coins wonder civilian tablets compasses gears commerce guilds",
            Ysolde="18 8 10 17 2 1 1 0 5", Bram="-6 4 10 9 3 2 3 6 0", Sefa="3 11 7 20 0 0 1 4 8",
        ),
        (65, 56, 46), ("Ysolde",),
    ),
    "catan": PlayedByHand(
        _rows("settlements cities cards", Ysolde="2 3 0", Bram="3 2 0", Sefa="4 1 1"),
        (10, 9, 7), ("Ysolde",), table={"target": "10"},
        ticks={
            "Ysolde": {"road": "yes", "army": "no"}, "Bram": {"road": "no", "army": "yes"},
            "Sefa": {"road": "no", "army": "no"},
        },
    ),
    "agricola": PlayedByHand(
        _rows(
            "fields pastures grain vegetables sheep boar cattle unused stables clay stone family cards begging",
            Ysolde="4 3 5 1 6 2 0 2 1 3 0 4 5 0", Bram="1 0 9 5 0 7 3 0 0 0 4 3 1 1",
        ),
        (31, 26), ("Ysolde",),
    ),
    "phase-10": PlayedByHand(
        {
            "Ysolde": {"done": "/".join(["yes"] * 10), "points": "/".join(["10"] * 10)},
            "Bram": {"done": "/".join(["yes"] * 10), "points": "/".join(["5"] * 10)},
            "Sefa": {"done": "/".join(["yes"] * 9 + ["no"]), "points": "/".join(["0"] * 10)},
        },
        (10, 10, 9), ("Bram",), "hand", reason="of equal scores, sum of Points (50 to 100) decides",
    ),
    "flip-7": PlayedByHand(
        {
            "Ysolde": {"numbers": "30/25/40", "doubled": "yes/no/yes", "bonus": "4/10/6", "seven": "no/yes/no"},
            "Bram": {"numbers": "20/33/12", "doubled": "no/no/yes", "bonus": "0/8/2", "seven": "no/no/no"},
            "Sefa": {"numbers": "0/45/0", "doubled": "no/no/no", "bonus": "0/0/0", "seven": "no/no/no"},
        },
        (200, 87, 45), ("Ysolde",), "round",
    ),
    "doppelkopf": PlayedByHand(
        {
            "Ysolde": {"side": "Re/Kontra/Re", "points": "3/-4/-2"},
            "Bram": {"side": "Re/Kontra/Kontra", "points": "3/-4/2"},
            "Sefa": {"side": "Kontra/Re/Kontra", "points": "-3/12/2"},
            "Oren": {"side": "Kontra/Kontra/Re", "points": "-3/-4/-2"},
        },
        (-3, 1, 11, -9), ("Sefa",), "deal",
    ),
    "wizard": PlayedByHand(
        {
            "Ysolde": {"bid": "1/1/2", "tricks": "1/0/2"},
            "Bram": {"bid": "0/1/0", "tricks": "0/2/1"},
            "Sefa": {"bid": "0/0/1", "tricks": "0/0/0"},
        },
        (60, 0, 30), ("Ysolde",), "round",
    ),
    "rummikub": PlayedByHand(
        {
            "Ysolde": {"out": "yes/no", "tiles": "0/30"},
            "Bram": {"out": "no/yes", "tiles": "23/0"},
            "Sefa": {"out": "no/no", "tiles": "14/8"},
        },
        (7, 15, -22), ("Bram",), "round",
    ),
    "cribbage": PlayedByHand(
        {
            "Ysolde": {"pegging": "5/5/5/5/5/5", "hand": "12/12/12/12/12/12", "crib": "8/0/8/0/8/0"},
            "Bram": {"pegging": "3/3/3/3/3/3", "hand": "8/8/8/8/8/8", "crib": "0/5/0/5/0/0"},
        },
        (121, 76), ("Ysolde",), "deal",
    ),
    "pandemic": PlayedByHand(
        {"Ysolde": {}, "Bram": {}},
        (None, None), ("Ysolde", "Bram"),
        ticks={"Ysolde": {"role": "Medic"}, "Bram": {"role": "Scientist"}},
        table={"cures": "4", "outbreaks": "5"}, table_ticks={"difficulty": "Heroic", "outcome": "won"},
    ),
    "bowling": PlayedByHand(
        {
            "Ysolde": {"first": "/".join(["10"] * 10), "second": "0/" * 9 + "10", "third": "0/" * 9 + "10"},
            "Bram": {"first": "/".join(["5"] * 10), "second": "/".join(["5"] * 10), "third": "0/" * 9 + "5"},
            "Sefa": {"first": "/".join(["9"] * 10), "second": "/".join(["0"] * 10), "third": "0/" * 9 + "0"},
        },
        (300, 150, 90), ("Ysolde",), "frame",
    ),
    "spades": PlayedByHand(
        {
            "Ysolde": {"bid": "4/0/0/8/0", "tricks": "4/0/1/8/0"},
            "Bram": {"bid": "3/4/4/1/1", "tricks": "3/4/4/1/1"},
            "Sefa": {"bid": "3/6/5/3/11", "tricks": "4/7/5/3/11"},
            "Oren": {"bid": "2/3/3/1/1", "tricks": "2/2/3/1/1"},
        },
        (503, 90, 503, 90), ("Ysolde", "Sefa"), "hand", reason="win together with 503",
        ticks={
            "Ysolde": {"side": "Red"}, "Bram": {"side": "Blue"}, "Sefa": {"side": "Red"}, "Oren": {"side": "Blue"},
        },
    ),
}  # fmt: skip
