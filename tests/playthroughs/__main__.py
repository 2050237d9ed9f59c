"""The golden playthroughs: `python -m tests.playthroughs` compares them, `--write` writes them anew."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.playthroughs.tell import Teller
from vaultkit.games.registry import rules

HERE = Path(__file__).parent
GAMES: dict[str, tuple[dict[str, Any], ...]] = {
    "deck-of-destiny": (
        {"seats": 1, "seed": 17, "strength": 2},
        {"seats": 1, "seed": 82},
        {"seats": 1, "seed": 93, "keep_on_retreat": "yes"},
        {"seats": 1, "seed": 48, "requires": "flush", "pick_reveal": "yes"},
        {"seats": 1, "seed": 170, "strength": 4, "tie": "replay"},
        {"seats": 1, "seed": 80, "deck": "tarokka-common", "keep_on_win": "yes", "elsewhere": 5},
    ),
    "dragon-citadel": (
        {"seats": 3, "seed": 4},
        {"seats": 4, "seed": 1, "mode": "competitive"},
        {"seats": 3, "seed": 2, "mode": "competitive", "bidding": "ascending", "dealer": "hand-of-5"},
    ),
    "prophets-gambit": (
        {"seats": 4, "seed": 19},
        {"seats": 5, "seed": 30, "dealer": 1, "donjon_execution": "hold", "order": "rarity"},
        {
            "seats": 3,
            "seed": 42,
            "opening": "each-round-deal-7",
            "exhaust": "no-draw",
            "marionette": "immediate",
            "innocent": "others-only",
        },
    ),
    "turn-of-fate": (
        {"seats": 2, "seed": 3},
        {"seats": 2, "seed": 5, "sailor": "redraw", "introduce": "refill-to-4", "special_replace": "yes"},
        {"seats": 2, "seed": 2, "temples": "chosen", "introduce": "optional", "ace_discard": "removed"},
    ),
    "propheta": (
        {"seats": 3, "seed": 3},
        {"seats": 2, "seed": 5, "follow": "element", "reveal": "simultaneous", "memory": "last-trick"},
        {"seats": 4, "seed": 0, "target": 8, "first": "winner-of-last"},
    ),
}


def told(game: str) -> str:
    """The whole playthrough file of a game."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: str) -> Iterator[str]:
    yield f"# {rules(game).title}, played at random. Written by: python -m tests.playthroughs --write"
    for settings in GAMES[game]:
        yield ""
        yield from Teller(rules(game), **settings).story()


def path(game: str) -> Path:
    return HERE / f"{game}.txt"


def main(arguments: list[str]) -> int:
    stale = [game for game in GAMES if not path(game).is_file() or path(game).read_text("utf-8") != told(game)]
    if "--write" in arguments:
        for game in stale:
            path(game).write_text(told(game), "utf-8", newline="\n")
    sys.stdout.write("".join(f"{game}: {'written' if '--write' in arguments else 'differs'}\n" for game in stale))
    return int(bool(stale) and "--write" not in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
