"""The golden playthroughs: `python -m tests.playthroughs` compares them, `--write` writes them anew."""

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.playthroughs.tell import Teller
from vaultkit.games.registry import rules

HERE = Path(__file__).parent
GAMES = {
    "dragon-citadel": (
        {"seats": 3, "seed": 4},
        {"seats": 4, "seed": 1, "mode": "competitive"},
        {"seats": 3, "seed": 2, "mode": "competitive", "bidding": "ascending", "dealer": "hand-of-5"},
    ),
}


def told(game: str) -> str:
    """The whole playthrough file of a game."""
    return "\n".join(_lines(game)) + "\n"


def _lines(game: str) -> Iterator[str]:
    yield f"# {rules(game).title}, played at random. Written by: python -m tests.playthroughs --write"
    for settings in GAMES[game]:
        yield ""
        yield from Teller(rules(game), **settings).story()  # type: ignore[arg-type]


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
