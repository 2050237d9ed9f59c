"""P8: the same input gives the same bytes in any folder, with any hash seed, time zone and home folder."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vaultkit
from vaultkit import resources

pytestmark = pytest.mark.slow

SCRIPT = """
import sys
from pathlib import Path
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.rule_sheet import print_chapters, reading_plan
from vaultkit.sheets.scoresheets.score_sheet import Filled, print_scores

out = Path(sys.argv[1])
print_scores("dragon-citadel", PrintJob("a4", out / "score.pdf"), players=["Ysolde", "Bram"],
             filled=Filled({"date": "2026-11-03"}))
note = "# T\\n\\n## H\\n\\n1. **one** [[#H]] 😀\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n"
job = PrintJob("letter", out / "rule.pdf")
print_chapters([Chapter(note, "T", "t.md")], reading_plan(job), job)
cards = [PrintableCard(f"Card {n}", "Moons", "moons", n, "Words.") for n in range(12)]
card_sheet(cards, "D", PrintJob("a4", out / "deck.pdf"))
"""


def run(folder: Path, **environment: str) -> dict[str, str]:
    folder.mkdir()
    root = str(Path(vaultkit.__file__).parent.parent)
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        check=True, cwd=folder, env={**os.environ, "PYTHONPATH": root, "HOME": str(folder), **environment},
    )  # fmt: skip
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.glob("*.pdf"))}


ALL = """
import contextlib, io, os, sys
from vaultkit.cli import error_handler

for number, words in enumerate(eval(sys.argv[1])):
    sys.argv = ["vaultkit", "print", *words, "--out", os.path.join(os.environ["OUT"], f"{number}.pdf")]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = error_handler.run()
    assert code == 0, said.getvalue()
"""
GAMES = ("dragon-citadel", "prophets-gambit", "deck-of-destiny", "propheta", "turn-of-fate")
KINDS = (
    *(("scores", game) for game in GAMES),
    ("scores", "blank", "--large"),
    ("scores", "propheta", "--players", "Ysolde,Bram", "--layout", "four", "--ink-saver"),
    ("rules", "Dragon Citadel", "House Rules", "--qr"),
    ("rules", "House Rules", "--booklet", "a6"),
    ("rules", "House Rules", "--large", "--easy-read", "--grey"),
    ("cards", "tarokka", "--cards", "1-9", "--duplex", "long-edge"),
    ("reference", "propheta"),
    ("calibrate",),
)


def commands(folder: Path, out: str, **environment: str) -> dict[str, str]:
    """Print every kind of sheet by its command, from a vault in `folder`, and return their contents' hashes."""
    shutil.copytree(resources.shipped_folder("vault-example"), folder)
    (folder / out).mkdir()
    root = str(Path(vaultkit.__file__).parent.parent)
    places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(folder / "home"))
    subprocess.run(
        [sys.executable, "-c", ALL, repr(KINDS)],
        check=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": root, "OUT": str(folder / out), **places, **environment},
    )  # fmt: skip
    files = sorted((folder / out).rglob("*.pdf"))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_p8_every_kind_of_sheet_has_the_same_bytes_anywhere(tmp_path: Path) -> None:
    first = commands(tmp_path / "vault", "made", PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")
    second = commands(tmp_path / "Ein Ordner ä", "x", PYTHONHASHSEED="77", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    third = commands(tmp_path / "y" / "z", "out", PYTHONHASHSEED="4242", TZ="America/Caracas", LANG="tr_TR.UTF-8")
    assert len(first) >= len(KINDS)
    assert [name for name in first if not first[name] == second.get(name) == third.get(name)] == []


def test_p8_same_bytes_anywhere(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    first = run(tmp_path / "one", PYTHONHASHSEED="1", TZ="UTC")
    second = run(
        tmp_path / "another folder", PYTHONHASHSEED="77", TZ="Asia/Tokyo", RL_useA85="1", RL_pageCompression="0",
    )  # fmt: skip
    assert len(first) == 3
    assert first == second
