"""Notes of games that were corrected by hand: what contradicts the scores is reported, and derived by `check --fix`."""

from pathlib import Path

import pytest

from tests.campaign.correction.games import NOW, contents, log, make_vault
from vaultkit.campaign.correction.game_check import every_check
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.undo import undo
from vaultkit.campaign.vault_check import report_on
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import Problem
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.batch_repair import fix

GOOSE = [
    "Ysolde Marr: geese=-3/4, ribbon=silk/none, half=1.5",
    "Bram: geese=2/2, half=0",
    "Finn: geese=9/-20, half=0.5",
]
Changed = tuple[str, str, tuple[str, ...]]
CHANGES: dict[str, Changed] = {
    "a score": ("| 9 | \\-20 |", "| 9 | 20 |", ("Sum of Finn is 58.5",)),
    "a total": ("| 8.5 |", "| 9 |", ("Sum of Ysolde Marr is 8.5, not 9",)),
    "a property": ("score-bram-tolliver: 8", "score-bram-tolliver: 80.5", ("score-bram-tolliver is 8, not 80.5",)),
    "the winners": ('winners:\n  - "[[Ysolde Marr]]"', "winners: [Finn]", ("Ysolde Marr has won, not Finn",)),
    "no winners": ('winners:\n  - "[[Ysolde Marr]]"', "winners: []", ("Ysolde Marr has won, not nobody",)),
    "the outcome": ("outcome: score", "outcome: drawn", ("the outcome is 'score', not 'drawn'",)),
    "a choice": (
        "| silk | none |",
        "| none | none |",
        ("Sum of Ysolde Marr is 3.5, not 8.5",),
    ),
}


def problems_of(root: Path) -> list[Problem]:
    return [
        problem for problem in report_on(Workspace(root, cached=False), None).problems if problem.code == "game-score"
    ]


def repair(root: Path) -> tuple[str, ...]:
    return fix(Vault(root), every_check(), None, write=True, generated=False, now=NOW).written


@pytest.mark.short(1)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_contradictions_to_the_scores_are_reported_and_recalculated(
    tmp_path: Path, change: Changed, newline: str
) -> None:
    old, new, words = change
    root = make_vault(tmp_path / "vault")
    _, logged = log(root, "goose-fair", GOOSE)
    path = root / logged.note
    text = path.read_text().replace("\n## ", "\nMy words.\n\n## ", 1)
    assert old in text and not problems_of(root)
    path.write_bytes(text.replace(old, new, 1).replace("\n", newline).encode())
    before = contents(root)
    [problem] = problems_of(root)
    assert problem.severity == "error" and problem.note == logged.note
    assert all(word in problem.message for word in words), problem.message
    told = [doubt for doubt in gather_games(Vault(root)).problems if doubt.code == "game-score"]
    assert [doubt.message for doubt in told] == [problem.message]
    assert repair(root) == (logged.note,)
    assert not problems_of(root) and not repair(root)
    assert f"{newline}My words.{newline}".encode() in path.read_bytes()
    if old.startswith(("|", "score", "winners")) and "silk" not in old and "-20" not in old:
        assert Note(logged.note, path.read_bytes()).properties == Note(logged.note, text.encode()).properties
    undo(Vault(root))
    assert contents(root) == before


@pytest.mark.slow
def test_sentences_about_the_scores_are_updated_too(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    _, logged = log(root, "goose-fair", GOOSE)
    path = root / logged.note
    path.write_text(path.read_text().replace("| 9 | \\-20 |", "| 9 | 20 |"))
    repair(root)
    assert "Finn has the highest score, 58.5" in path.read_text()


def test_notes_with_unreadable_tables_are_left_alone(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    _, logged = log(root, "goose-fair", GOOSE)
    path = root / logged.note
    path.write_text(path.read_text().replace("| 9 | \\-20 |", "| nine | what |").replace("| Player |", "| Wer |"))
    assert not problems_of(root) and not repair(root)


@pytest.mark.slow
def test_scores_decide_the_winner_without_tables(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    _, logged = log(root, "goose-fair", GOOSE)
    path = root / logged.note
    text = path.read_text()
    head = Note(logged.note, text.encode()).head.replace("score-finn: -21.5", "score-finn: 99.5")
    assert "99.5" in head
    path.write_text(f"{head}# Goose Fair\n")
    assert "Finn has won, not Ysolde Marr" in problems_of(root)[0].message
    repair(root)
    assert Note(logged.note, path.read_bytes()).property("winners") == ["Finn"]


@pytest.mark.slow
def test_old_player_name_in_the_settings_is_reported(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    config = root / ".vaultkit/config.toml"
    config.write_text(f'players = ["Ysolde Marr", "Bram", "Odo"]\n{config.read_text()}')
    _, logged = log(root, "goose-fair", GOOSE)
    (root / "Party/Ysolde Marr.md").rename(root / "Party/Ysolde of the Mill.md")
    path = root / logged.note  # as Obsidian rewrites the links
    path.write_text(path.read_text().replace("[[Ysolde Marr]]", "[[Ysolde of the Mill|Ysolde Marr]]"))
    problems = report_on(Workspace(root, cached=False), None).problems
    [problem] = [problem for problem in problems if problem.code == "player-renamed"]
    assert problem.note == ".vaultkit/config.toml" and problem.line == 1
    assert "'Ysolde Marr' has no note" in problem.message and "Ysolde of the Mill" in problem.hint
