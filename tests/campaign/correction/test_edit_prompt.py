"""The questions by which a person changes a logged game at the terminal."""

from pathlib import Path

from tests.campaign.correction.games import NOW, log, make_vault, paper_log
from vaultkit.campaign.correction.edit import edit_game, find_logged, preview_edit
from vaultkit.terminal.edit_prompt import ask_changes, game_lines

HAND = ["Ysolde Marr: points=10/4", "Bram: points=13/22", "Finn: points=3/0"]


def test_lines_are_changed_one_by_one(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, logged = log(root, "hearts", HAND, note="Late")
    writer = paper_log(root)
    game = find_logged(writer.workspace, "", NOW)
    assert [*game_lines(game)][3] == "  3    Ysolde Marr, Points: 10/4"
    typed = ["99", "7", "x/0", "7", "4/0", "5", "12/22", "6", "Gwen", "8", "Early", "9", "none", ""]
    words, told = iter(typed), list[str]()
    record, campaign = ask_changes(game, lambda _: next(words), told.append, lambda it: preview_edit(game, it, writer))
    assert len(told) == 2 and "'x' is not a number" in told[1] and campaign == "none"
    edit_game(writer, session, lambda _: record, campaign=campaign)
    text = (root / logged.note).read_text()
    assert "score-gwen: 4" in text and "score-bram-tolliver: 34" in text and "**Note:** Early" in text
    assert f"^vk-{session}" not in (root / "Campaign.md").read_text()


def test_impossible_scores_are_reported_at_the_end(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    log(root, "hearts", HAND)
    writer = paper_log(root)
    game = find_logged(writer.workspace, "1", NOW)
    words, told = iter(["7", "9/0", "", "", "7", "3/0", ""]), list[str]()
    record, _ = ask_changes(game, lambda _: next(words), told.append, lambda it: preview_edit(game, it, writer))
    assert len(told) == 1 and told[0].startswith("Cannot be true") and not record.flags.force
