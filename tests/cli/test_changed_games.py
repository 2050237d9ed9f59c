"""`games edit`, `games check`, names that are taken, and the game that a sheet of Who Won was for."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.scoresheets.filling import by_pypdf
from vaultkit.errors import ExitCode

FAIR = """# Our fair.
title = "Fair"
players = [2, 4]

[[columns]]
id = "geese"
title = "Geese"  # all of them
most = 9

[[columns]]
id = "eggs"
title = "Eggs"
"""


@pytest.fixture
def fair(example: Path) -> Path:
    file = example / ".vaultkit" / "games" / "fair.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(FAIR.replace("\n", "\r\n").encode())
    return file


@pytest.mark.slow
def test_one_change_to_a_game_preserves_everything_else(vk: Vaultkit, fair: Path) -> None:
    vault, before = fair.parents[2], fair.read_bytes()
    dry = vk("games", "edit", "Fair", "--column", "Eggs: none, some", "--dry-run", cwd=vault)
    assert dry.code == ExitCode.OK and "Eggs (none, some)" in dry.out and '+takes = ["none", "some"]' in dry.out
    assert fair.read_bytes() == before
    done = vk("games", "edit", "fair", "--column", "Score = 2 * Geese", "--tie", "fewest Geese", "--json", cwd=vault)
    assert done.json == {"game": "fair", "file": ".vaultkit/games/fair.toml"}
    text = fair.read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") and text.startswith("# Our fair.") and "# all of them" in text
    assert 'ties = ["-Geese"]' in text and 'formula = "2 * Geese"' in text and "most = 9" in text
    assert vk("games", "edit", "fair", "--players", "2-4", cwd=vault).err.startswith("Nothing changes.")
    assert vk("undo", cwd=vault).code == ExitCode.OK and fair.read_bytes() == before


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("fair", "--column", "Score = 2 * swans"), ExitCode.USAGE, "There is no column 'swans'."),
        (("fair", "--players", "many"), ExitCode.USAGE, "is not a number of players"),
        (("fair", "--target", "geese"), ExitCode.USAGE, "no column of the table 'geese'"),
        (("propheta", "--players", "3"), ExitCode.USAGE, "rules of its own"),
        (("fair", "--title", "Other"), ExitCode.USAGE, "There is a game 'Other' already."),
        (("swans",), ExitCode.NOTHING, "There is no game 'swans'."),
        (("fair",), ExitCode.USAGE, "This is not a terminal"),
    ],
)
def test_invalid_changes_to_a_game_are_refused(
    vk: Vaultkit, fair: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    before = fair.read_bytes()
    fair.with_name("other.toml").write_text(FAIR.replace("Fair", "Other"), encoding="utf-8")
    done = vk("games", "edit", *words, cwd=fair.parents[2])
    assert done.code == code and said in done.err and fair.read_bytes() == before


@pytest.mark.slow
def test_shipped_game_is_copied_and_one_in_a_note_is_left_alone(vk: Vaultkit, fair: Path) -> None:
    vault, copy = fair.parents[2], fair.with_name("chess.toml")
    assert vk("games", "edit", "Chess", "--target", "1", cwd=vault).code == ExitCode.OK
    assert "target = 1" in copy.read_text(encoding="utf-8") and "[[impossible]]" in copy.read_text(encoding="utf-8")
    note = "---\nvaultkit-game:\n  players: 2\n  columns:\n    - id: eels\n      title: Eels\n---\n"
    (vault / "Eel Race.md").write_text(note, encoding="utf-8")
    done = vk("games", "edit", "Eel Race", "--players", "3", cwd=vault)
    assert done.code == ExitCode.USAGE and "is defined in a note: Eel Race.md" in done.err
    assert "Eels (a whole number from 0 on)" in vk("games", "check", "Eel Race", cwd=vault).out


def test_check_describes_the_sheets_and_reports_faults_and_warnings(vk: Vaultkit, fair: Path) -> None:
    vault = fair.parents[2]
    assert "Eggs decides who wins." in vk("games", "check", cwd=vault).out
    fair.write_text(FAIR + '[[columns]]\nid = "next"\ntitle = "Next"\nformula = "eggs / geese"\n', encoding="utf-8")
    done = vk("games", "check", cwd=vault)
    assert done.code == ExitCode.OK and "fair.toml:14: In formulas 'next' means this column" in done.out + done.err
    assert "Nobody has written anything: Next of player 1 cannot be computed" in done.out + done.err
    fair.write_text(FAIR + 'formula = "swans"\n', encoding="utf-8")
    done = vk("games", "check", "fair", cwd=vault)
    assert done.code == ExitCode.PROBLEMS and "There is no column 'swans'" in done.out + done.err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("aliases", "title", "hidden"),
    [
        (["501"], "Fair", "Darts 501"),
        (["Who Won"], "Fair", "Who Won"),
        (["501"], "Darts 501", ""),
    ],
)
def test_alias_does_not_hide_another_game(
    vk: Vaultkit, fair: Path, aliases: list[str], title: str, hidden: str
) -> None:
    text = FAIR.replace("[2, 4]", f"[2, 4]\naliases = {aliases}").replace('"Fair"', f'"{title}"')
    fair.write_text(text, encoding="utf-8")
    done = vk("games", "check", "fair", cwd=fair.parents[2])
    assert (done.code == ExitCode.PROBLEMS) == bool(hidden)
    assert not hidden or f"would hide {hidden}, another game" in done.out + done.err
    if hidden:
        assert vk("print", "scores", "darts-501", "--dry-run", cwd=fair.parents[2]).code == ExitCode.OK


@pytest.mark.slow
def test_existing_title_or_id_is_reported_before_any_question(vk: Vaultkit, fair: Path) -> None:
    for words in (("FAIR",), ("Goose", "--id", "fair"), ("Fair", "--players", "2", "--column", "A")):
        done = vk("games", "new", *words, cwd=fair.parents[2])
        assert done.code == ExitCode.USAGE and "already" in done.err and "vaultkit games edit fair" in done.err
    answers = ("--id", "gänse-2", "--players", "2", "--column", "A")
    done = vk("games", "new", "Goose", *answers, "--json", cwd=fair.parents[2])
    assert done.json["file"] == ".vaultkit/games/gänse-2.toml"


@pytest.mark.slow
def test_statistics_of_the_who_won_game_are_separate_for_each_played_game(vk: Vaultkit, example: Path) -> None:
    for played, winner in (("Uno", "Ysolde"), ("uno", "Ysolde"), ("Skat", "Bram"), ("", "Bram")):
        other = {"Ysolde": "Bram", "Bram": "Ysolde"}[winner]
        scores = ("--score", f"played={played}", "--score", f"{winner}: won", "--score", f"{other}:")
        assert vk("log", "who-won", *scores, "--again", cwd=example).code == ExitCode.OK
    games = vk("stats", "--json", cwd=example).json["games"]
    assert {game["title"].casefold(): game["sessions"] for game in games} == {"uno": 2, "skat": 1, "who won": 1}
    assert len(vk("stats", "--game", "UNO", "--json", cwd=example).json["games"]) == 1
    assert len(vk("stats", "--game", "who-won", "--json", cwd=example).json["games"]) == 3
    assert "Uno" in (example / "Games" / "2026-11-03 Uno 1.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_sheet_printed_before_a_column_was_added_is_read(vk: Vaultkit, fair: Path) -> None:
    vault, blank = fair.parents[2], fair.parents[3] / "blank.pdf"
    vk("print", "scores", "fair", "--layout", "party", "--players", "-", "--out", str(blank), cwd=vault)
    fair.write_text(f'{FAIR}\n[[table]]\nid = "weather"\ntitle = "Weather"\ntakes = "words"\n', encoding="utf-8")
    boxes = {"p1.player": "Ysolde", "p1.eggs": "3", "p2.player": "Bram", "p2.eggs": "4"}
    blank.write_bytes(by_pypdf(blank.read_bytes(), boxes))
    assert vk("log", "--from", str(blank), cwd=vault).code == ExitCode.OK
