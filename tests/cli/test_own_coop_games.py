"""Games of one's own in which all win or lose together: no scores say which, so somebody must."""

from pathlib import Path

import pytest

from tests.cli.conftest import Done, Vaultkit
from tests.counts import short
from tests.sheets.scoresheets.filling import by_pypdf
from tests.wording import Says
from vaultkit.errors import ExitCode

GAMES = {
    "vault-heist": 'title = "Vault Heist"\nplayers = [1, 4]\nwin = "co-op"\n[rounds]\nname = "floor"\nmost = 4\n'
    '[[columns]]\nid = "loot"\ntitle = "Loot"\n',
    "pest": 'title = "Die Pest"\nplayers = 2\nwin = "co-op"\n[[columns]]\nid = "score"\ntitle = "Geheilte"\n'
    '[[columns]]\nid = "won"\ntitle = "Ordensstern"\ntakes = "yes or no"\n',
    "lantern": 'title = "灯"\nplayers = 2\nwin = "co-op"\n[[columns]]\nid = "role"\ntitle = "役"\n'
    'takes = ["won", "lost"]\n',
}
"""Games with numbers, with a score, and with columns that look as if they said who won."""
SCORES = {
    "vault-heist": ("--score", "Ysolde: loot=3/4", "--score", "Bram: loot=0/1"),
    "pest": ("--score", "Ysolde: score=12, won", "--score", "Bram: score=3, won"),
    "lantern": ("--score", "Ysolde: role=won", "--score", "Bram: role=won"),
}


@pytest.fixture
def vault(example: Path) -> Path:
    folder = example / ".vaultkit" / "games"
    folder.mkdir(parents=True)
    for game, text in GAMES.items():
        (folder / f"{game}.toml").write_text(text, encoding="utf-8")
    return example


def is_refused(done: Done, vault: Path, code: ExitCode) -> None:
    assert done.code == code and "Won or lost?" in done.err
    assert "--outcome won" in done.err and "--outcome lost" in done.err
    assert not [*vault.glob("Games/*")] and not [*vault.glob(".vaultkit/journals/*.journal")]


def outcome(vk: Vaultkit, vault: Path, *words: str) -> str:
    done = vk("log", *words, "--json", cwd=vault)
    assert done.code == ExitCode.OK, done.err
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    won, lost = "outcome: won\n" in note, "outcome: lost\n" in note
    assert won != lost and ("winners: []" in note) == lost and ("[!failure]" in note) == lost
    return "won" if won else "lost"


@pytest.mark.slow
@pytest.mark.parametrize("game", short(GAMES))
def test_flags_without_an_outcome_are_refused(vk: Vaultkit, vault: Path, game: str) -> None:
    is_refused(vk("log", game, *SCORES[game], cwd=vault), vault, ExitCode.USAGE)
    is_refused(vk("log", game, *SCORES[game], "--outcome", " ", cwd=vault), vault, ExitCode.USAGE)
    wrong = vk("log", game, *SCORES[game], "--outcome", "draw", cwd=vault)
    assert wrong.code == ExitCode.USAGE and "Accepted: won, lost." in wrong.err
    assert outcome(vk, vault, game, *SCORES[game], "--outcome", "lost") == "lost"
    assert "[[Bram Tolliver|Bram]] have lost" in (vault / "Campaign Log.md").read_text(encoding="utf-8")
    stats = vk("stats", "--game", game, "--json", cwd=vault).json
    assert {player["name"]: player["wins"] for player in stats["players"]} == {"Ysolde Marr": 0, "Bram Tolliver": 0}
    assert outcome(vk, vault, game, *SCORES[game], "--outcome", "WON", "--again") == "won"


@pytest.mark.slow
def test_missing_outcome_without_a_terminal_or_in_a_file_is_refused(vk: Vaultkit, vault: Path) -> None:
    nobody = vk("log", "vault-heist", cwd=vault)
    assert nobody.code == ExitCode.USAGE and "--outcome won or --outcome lost" in nobody.err
    example = vk("log", "vault-heist", "--example", cwd=vault).out
    assert 'outcome = ""  # Won or lost? (won, lost)' in example
    file = vault.parent / "heist.toml"
    file.write_text(example, encoding="utf-8")
    is_refused(vk("log", "--from", str(file), cwd=vault), vault, ExitCode.INVALID)
    file.write_text(example.replace('outcome = ""', 'outcome = "lost"'), encoding="utf-8")
    assert outcome(vk, vault, "--from", str(file)) == "lost"


def test_outcome_flag_is_refused_where_the_scores_decide(vk: Vaultkit, vault: Path) -> None:
    scores = ("--score", "Ysolde: points=1", "--score", "Bram: points=2", "--score", "Sefa: points=3")
    done = vk("log", "skat", *scores, "--outcome", "won", cwd=vault)
    assert done.code == ExitCode.USAGE and done.err == Says("scores", "decide", "Skat")


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["one", "four", "party"])
def test_sheet_without_a_ticked_outcome_is_refused(vk: Vaultkit, vault: Path, layout: str) -> None:
    blank, filled = vault.parent / "blank.pdf", vault.parent / "filled.pdf"
    done = vk("print", "scores", "vault-heist", "--layout", layout, "--players", "-", "--out", str(blank), cwd=vault)
    assert done.code == ExitCode.OK, done.err
    first = "p1." if layout != "one" else ""
    common = "" if layout == "party" else first
    boxes = {f"{first}player": "Ysolde", f"{first}floor.1.loot": "3"}
    filled.write_bytes(by_pypdf(blank.read_bytes(), boxes))
    is_refused(vk("log", "--from", str(filled), cwd=vault), vault, ExitCode.INVALID)
    filled.write_bytes(by_pypdf(blank.read_bytes(), {**boxes, f"{common}outcome.lost": True}))
    assert outcome(vk, vault, "--from", str(filled)) == "lost"


@pytest.mark.slow
def test_two_sheets_with_different_outcomes_are_refused(vk: Vaultkit, vault: Path) -> None:
    blank, files = vault.parent / "blank.pdf", []
    vk("print", "scores", "vault-heist", "--layout", "one", "--players", "-", "--out", str(blank), cwd=vault)
    for name, ending in (("Ysolde", "won"), ("Bram", "lost")):
        file = vault.parent / f"{name}.pdf"
        boxes = {"player": name, "floor.1.loot": "3", f"outcome.{ending}": True}
        file.write_bytes(by_pypdf(blank.read_bytes(), boxes))
        files += ["--from", str(file)]
    done = vk("log", *files, cwd=vault)
    assert done.code == ExitCode.INVALID and "differ in the outcome: 'won' and 'lost'" in done.err
