"""The questions by which a person changes a logged game at the terminal."""

from pathlib import Path

from tests.campaign.correction.games import NOW, log, make_vault, paper_log
from tests.wording import Says
from vaultkit.campaign.correction.edit import edit_game, find_logged, preview_edit
from vaultkit.terminal.edit_prompt import ask_changes, game_lines

HAND = ["Ysolde Marr: points=10/4", "Bram: points=13/22", "Finn: points=3/0"]


def test_lines_are_changed_one_by_one(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, logged = log(root, "hearts", HAND, note="Late")
    writer = paper_log(root)
    game = find_logged(writer.workspace, "", NOW)
    assert [*game_lines(game)][3] == "  3    Ysolde Marr, Points: 10/4"
    typed = ["99", "7", "x/0", "4/0", "5", "12/22", "6", "Gwen", "8", "Early", "9", "none", ""]
    words, told = iter(typed), list[str]()
    record, campaign = ask_changes(game, lambda _: next(words), told.append, lambda it: preview_edit(game, it, writer))
    assert "'x' is not a number" in told[1] and campaign == "none"
    assert told[2:] == [
        Says("Finn", "Points", "4/0"),
        Says("Totals", "Finn 4"),
        Says("Bram", "12/22"),
        Says("Bram 34"),
        Says("Player", "Gwen"),
        Says("Comment", "Early"),
        Says("Campaign note", "none"),
    ]
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
    assert told[2].startswith("Cannot be true") and "--" not in told[2] and not record.flags.force


def test_one_deal_is_changed_by_its_number_and_the_same_line_is_asked_again_after_an_error(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, logged = log(root, "skat", ["Ann: points=18/0/0/20", "Ben: points=0/-48/0/0", "Cy: points=0/0/24/0"])
    writer = paper_log(root)
    game = find_logged(writer.workspace, "", NOW)
    asked, told = list[str](), list[str]()
    words = iter(["5", "-46", "deal.2.points=-46", "9: 3", "2: x", "2: 1/2", "2: -46", "5", "1 : 10", "5", "", ""])

    def ask(question: str) -> str:
        asked.append(question)
        return next(words)

    record, _ = ask_changes(game, ask, told.append, lambda it: preview_edit(game, it, writer))
    errors, changes = told[:5], told[5:]
    assert errors[0] == Says("Ben", "1 answer", "Points", "4 deals") and errors[3] == Says("'x' is not a number")
    assert errors[2] == Says("1 to 4", "9") and not [error for error in errors if "deal.1" in error or "--" in error]
    assert changes == [
        "Ben, Points: 0/-46/0/0",
        Says("Ann 38", "Ben -46", "Cy 24"),
        "Ben, Points: 10/-46/0/0",
        Says("Ben -36"),
    ]
    assert [Says("Ben, Points", "0/-48/0/0") == question for question in asked].count(True) == 6
    assert [*map("Which line".__eq__, (question[:10] for question in asked))].count(True) == 4
    edit_game(writer, session, lambda _: record, campaign=None)
    assert "score-ben: -36" in (root / logged.note).read_text()


def test_player_is_renamed_twice_and_scores_of_the_new_name_change(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    session, logged = log(root, "hearts", HAND)
    writer = paper_log(root)
    game = find_logged(writer.workspace, "", NOW)
    words, told = iter(["6", "Gwen", "6", "Wren", "7", "2: 4", "5", "2: 18", ""]), list[str]()
    record, _ = ask_changes(game, lambda _: next(words), told.append, lambda it: preview_edit(game, it, writer))
    edit_game(writer, session, lambda _: record, campaign=None)
    text = (root / logged.note).read_text()
    assert "score-wren: 7" in text and "score-bram-tolliver: 31" in text and "Finn" not in text and "Gwen" not in text
