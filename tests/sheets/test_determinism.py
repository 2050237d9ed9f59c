"""P8: same inputs, same bytes: from any folder, hash seed, time zone and home folder."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import vaultkit

SCRIPT = """
import sys
from pathlib import Path
from vaultkit.sheets.cards.sheet import PrintableCard, card_sheet
from vaultkit.sheets.rule_sheet import rule_sheet
from vaultkit.sheets.scores.sheet import score_sheet

out = Path(sys.argv[1])
score_sheet("dragon-citadel", paper="a4", out=out / "score.pdf", players=["Ysolde", "Bram"], date="2026-11-03")
note = "# T\\n\\n## H\\n\\n1. **one** [[#H]] 😀\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n"
rule_sheet(note, title="T", source_path="t.md", paper="letter", out=out / "rule.pdf", cache=out / "cache")
cards = [PrintableCard(f"Card {n}", "Moons", "moons", n, "Words.") for n in range(12)]
card_sheet(cards, deck_title="D", paper="a4", out=out / "deck.pdf", cache=out / "cache")
"""


def run(folder: Path, **environment: str) -> dict[str, str]:
    folder.mkdir()
    root = str(Path(vaultkit.__file__).parent.parent)
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        check=True, cwd=folder, env={**os.environ, "PYTHONPATH": root, "HOME": str(folder), **environment},
    )  # fmt: skip
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.glob("*.pdf"))}


def test_p8_same_bytes_anywhere(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    first = run(tmp_path / "one", PYTHONHASHSEED="1", TZ="UTC")
    second = run(
        tmp_path / "another folder", PYTHONHASHSEED="77", TZ="Asia/Tokyo", RL_useA85="1", RL_pageCompression="0",
    )  # fmt: skip
    assert len(first) == 3
    assert first == second
