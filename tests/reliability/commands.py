"""The commands that write into a vault, each with a small vault in which it has something to write."""

import contextlib
import io
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tests.campaign.dragon_citadel import samples as rewards
from tests.campaign.samples import make_vault

SCORES = "--score 'Ysolde: swords=23/1, stars=7/0, crowns=2' --score 'Bram: glyphs=12/0' --score 'Sefa: coins=9/1'"
DRAGON = f"log dragon-citadel --date 2026-11-02 --outcome party {SCORES} --campaign 'Campaign Log'"
CHESS = "log chess --score 'Ysolde: colour=White, result=won' --score 'Bram: colour=Black, result=lost'"
GOOSE = "games new --title 'Goose Fair' --players 2-4 --column Geese --rounds stall --win lowest"
PROPHETA = "play propheta --seed 3 --seat bot:random --seat bot:random --campaign 'Campaign Log'"
FAULTY = 12
"""So many notes with a fault that `check --fix` repairs: more than are written one by one."""


@dataclass(frozen=True)
class Case:
    """A command, and those that come before it in the vault. `again` is its exit code when it is given twice."""

    line: str
    earlier: tuple[str, ...] = ()
    again: tuple[int, ...] = (0,)


CASES = {
    "config": Case("config set history.days 30"),
    "draw": Case("draw 'Tarokka Deck' 2 --seed 1 --log --campaign 'Campaign Log'"),
    "log": Case(f"{CHESS} --campaign 'Campaign Log'", again=(0, 2, 5)),
    "check": Case("check --fix --write", again=(0, 1)),
    "play": Case(PROPHETA, ("init --with propheta",)),
    "rewards": Case("rewards --seed 7 --share --loot", ("init --with dragon-citadel", DRAGON)),
    "undo": Case("undo", (f"{CHESS} --campaign 'Campaign Log'",), (0, 4)),
    "undo of a fix": Case("undo", ("check --fix --write",), (0, 4)),
    "games": Case(GOOSE, again=(0, 2, 3, 5)),
    "templates": Case("templates eject session-note", again=(0, 5)),
    "init": Case("init --with propheta"),
    "deck": Case("deck new Faulty", again=(0, 2, 5)),
    "stats": Case("stats --write", (f"{CHESS} --campaign 'Campaign Log'",)),
    "links": Case("links 'Campaign Log' --add --write --deck 'Tarokka Deck'"),
    "sessions": Case(
        "sessions --discard 20261103-propheta-cq92", ("init --with propheta", f"{PROPHETA} --no-log"), (0, 4)
    ),
}


def made(root: Path, earlier: Sequence[str] = ()) -> list[dict[str, bytes]]:
    """Make a vault and give some commands in it; its files before and after each of them."""
    root.mkdir()
    make_vault(root)
    (root / "Faulty").mkdir()
    for number in range(FAULTY):
        (root / f"Faulty/Note {number}.md").write_bytes(b"# Note\n\nSee [[Party\\Ivo]] and [[git/2-World/Ivo]].\n")
    for name in "AB":
        table = rewards.roll_table(f"Magic Item Table {name}", "| 1-6 | A paper boat |")
        (root / f"Magic Item Table {name}.md").write_text(table, encoding="utf-8")
    with (root / "Campaign Log.md").open("ab") as note:
        note.write(b"\nThe Berserker fought the Miser.\n")
    stages = [contents(root)]
    for line in earlier:
        code, said = run(root, line)
        assert code == 0, said
        stages.append(contents(root))
    return stages


def run(root: Path, line: str) -> tuple[int, str]:
    """Give a command in this process; its exit code, and what it printed."""
    from vaultkit.cli import error_handler

    output = io.StringIO()
    os.chdir(root)
    with (
        patch.object(sys, "argv", ["vaultkit", *shlex.split(line)]),
        patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
    ):
        code = int(error_handler.run())
    return code, output.getvalue()


def contents(root: Path) -> dict[str, bytes]:
    """All files of a vault but temporary ones and those of vaultkit's that no undo takes back."""
    files = (path for path in root.rglob("*") if path.is_file() and not path.name.startswith(".vaultkit-"))
    named = {path.relative_to(root).as_posix(): path for path in files}
    own = tuple(f".vaultkit/{name}" for name in ("history/", "journals/", "games/kept/", "lock", ".gitignore"))
    return {name: path.read_bytes() for name, path in named.items() if not name.startswith(own)}
