"""The games that a vault defines in files and notes: they precede shipped ones, and errors say where they are."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.growth import IN_STEP, growth
from tests.high_card import INFO
from tests.pages import read_blocks
from tests.registering import registered
from tests.wording import Says
from vaultkit.compendium.own_games import RawSheet
from vaultkit.compendium.toml_tables import Tables, read_toml
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet, SeatTally
from vaultkit.session.checks import every_check
from vaultkit.session.scoresheets import ScoreSheets, score_sheet
from vaultkit.vault import Vault
from vaultkit.vault.checking.runner import run

SHIPPED = ["bowling", "chess", "darts-501", "hearts", "skat", "who-won", "yahtzee"]
DOCS = Path(__file__).parents[2] / "docs" / "game-definitions.md"
PLAIN = 'title = "{0}"\nplayers = 2\n[[columns]]\nid = "points"\ntitle = "Points"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = tmp_path / ".vaultkit" / "games"
    games.mkdir(parents=True)
    return games


def sheets(folder: Path) -> ScoreSheets:
    return ScoreSheets(Vault(folder.parents[1]))


def fault(folder: Path) -> InvalidError:
    ((_, error),) = sheets(folder).faults
    return error


def test_shipped_definitions_are_found_without_a_vault_and_without_faults() -> None:
    found = ScoreSheets(None).defined
    assert sorted(found) == SHIPPED and not ScoreSheets(None).faults
    assert ScoreSheets(None).find("Darts").id == "darts-501" and ScoreSheets(None).find("propheta").game is not None
    assert [column.key for column in found["who-won"].definition.columns] == ["won"]
    with pytest.raises(UsageError) as caught:
        ScoreSheets(None).find("skatt")
    assert "skat" in caught.value.hint


def test_definition_of_the_vault_is_preferred(folder: Path) -> None:
    (folder / "skat.toml").write_text(PLAIN.format("Skat bei uns"), encoding="utf-8")
    assert sheets(folder).find("skat").title == "Skat bei uns" and sorted(sheets(folder).defined) == SHIPPED


def test_each_documented_example_is_part_of_a_definition(folder: Path) -> None:
    _, *parts = read_blocks(DOCS.read_text(encoding="utf-8"))
    assert len(parts) >= 7
    for number, part in enumerate(parts):
        example = f'title = "Example {number}"\nplayers = [2, 4]\n{part.text}'
        if "[[columns]]" not in example:
            example += '\n[[columns]]\nid = "points"\ntitle = "Points"\n'
        (folder / f"example-{number}.toml").write_text(example, encoding="utf-8")
    assert [str(error) for _, error in sheets(folder).faults] == []


def test_a_vault_s_own_game_hides_ours_of_the_same_title(folder: Path) -> None:
    (folder / "mine.toml").write_text(PLAIN.format("Skat"), encoding="utf-8")
    assert sheets(folder).find("skat").id == "mine" and "skat" not in sheets(folder).defined
    (folder / "mine.toml").write_text(PLAIN.format("Darts") + "colour = 1\n", encoding="utf-8")
    assert "darts-501" not in sheets(folder).defined
    with pytest.raises(InvalidError, match="Unknown key 'colour'"):
        sheets(folder).find("darts")


def test_two_games_with_one_name_are_reported_and_the_first_is_used(folder: Path) -> None:
    (folder / "a.toml").write_text(PLAIN.format("Goose Fair"), encoding="utf-8")
    (folder / "b.toml").write_text(PLAIN.format("goose fair"), encoding="utf-8")
    error = fault(folder)
    assert (error.message, error.where) == (Says("Two games", "called", "goose fair"), ".vaultkit/games/b.toml:1")
    assert error.hint == Says(".vaultkit/games/a.toml:1")


def test_game_cannot_be_called_blank(folder: Path) -> None:
    (folder / "mine.toml").write_text(PLAIN.format("Blank"), encoding="utf-8")
    assert fault(folder).message == Says("No", "called", "blank")


def test_game_defined_in_a_note_has_the_name_of_the_note(folder: Path) -> None:
    yaml = "aliases: [Goosery]\nvaultkit-game:\n  players: 2\n  columns:\n    - id: geese\n      title: Geese\n"
    (folder.parents[1] / "Goose Fair.md").write_text(f"---\n{yaml}---\n# Of Geese\n", encoding="utf-8")
    assert [sheets(folder).find(name).title for name in ("goose fair", "goosery")] == ["Goose Fair"] * 2


def test_documented_example_is_read_and_every_key_is_explained(folder: Path) -> None:
    text = DOCS.read_text(encoding="utf-8")
    example = read_blocks(text)[0].text
    (folder / "goose-fair.toml").write_text(example, encoding="utf-8")
    found = sheets(folder).find("Goose Fair").definition
    assert [column.key for column in found.columns] == [one["id"] for one in tomllib.loads(example)["columns"]]
    for struct in (
        type(found),
        type(found.columns[0]),
        type(found.rounds),
        type(found.impossible[0]),
        type(found.form),
    ):
        inside = {"columns", "rounds", "impossible", "form", "choices", "words", "rulings", "summed", "asked"}
        inside |= {"house_rules", "before", "after", "under"}
        assert all(f"`{key}`" in text for key in set(struct.__struct_encode_fields__) - inside)


def test_note_defines_a_game_and_another_contains_its_rules(folder: Path) -> None:
    root = folder.parents[1]
    blocks = read_blocks(DOCS.with_name("own-games.md").read_text(encoding="utf-8"))
    (yaml,) = (block.text for block in blocks if block.language == "yaml")
    (root / "Goose Fair.md").write_text(f"---\n{yaml}---\nGeese!\n", encoding="utf-8")
    (root / "Skat Rules.md").write_text("---\nvaultkit-game: skat\n---\n", encoding="utf-8")
    assert sheets(folder).find("goose fair").id == "goose-fair" and not sheets(folder).faults
    (root / "Goose Fair.md").write_text(f"---\ntags: [x]\n{yaml}      colour: red\n---\n", encoding="utf-8")
    error = fault(folder)
    assert error.message == "Unknown key 'colour'." and error.where == "Goose Fair.md:8" and "takes" in error.hint


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (PLAIN.format("X") + "colour = 1\n", 6, "Unknown key 'colour'"),
        (PLAIN.format("X") + 'formula = "swans"\n', 6, "no column 'swans'"),
        (PLAIN.format("X") + '[[impossible]]\nwhen = "1 / 0"\nwords = ""\n', 7, "divides by zero"),
        (PLAIN.format("Propheta"), 1, "This is Propheta"),
        (PLAIN.format("Vates"), 1, "This is Propheta"),
        ("title = ", 1, "not TOML"),
        ('title = "X"\nplayers = 2\n', 1, "'columns' is missing"),
        ('title = "X"\nplayers = 2\ncolumns = [\n  {id = "a", title = "A", most = "x"},\n]\n', 3, "whole number"),
    ],
)
def test_mistake_is_reported_with_file_and_line(folder: Path, text: str, line: int, words: str) -> None:
    (folder / "own.toml").write_text(text, encoding="utf-8")
    error = fault(folder)
    assert words in error.message and error.where == f".vaultkit/games/own.toml:{line}"
    with pytest.raises((InvalidError, UsageError)):
        sheets(folder).find("own")


@pytest.mark.slow
def test_id_of_a_shipped_game_or_a_duplicate_id_is_refused(folder: Path) -> None:
    for game in (info.id for info in GAMES.values() if info.score_sheet):
        (folder / f"{game}.toml").write_text(PLAIN.format("Something Else"), encoding="utf-8")
        assert GAMES[game].title in fault(folder).message and sheets(folder).find(game).game is not None
        (folder / f"{game}.toml").unlink()
    (folder / "goose.toml").write_text(PLAIN.format("Goose"), encoding="utf-8")
    note = "---\nvaultkit-game:\n  id: goose\n  players: 2\n  columns: []\n---\n"
    (folder.parents[1] / "A.md").write_text(note, encoding="utf-8")
    error = fault(folder)
    assert "Two definitions" in error.message and error.where == "A.md:2" and "goose.toml" in error.hint
    with pytest.raises(InvalidError, match="Two definitions"):
        sheets(folder).find("goose")


class RankSheet(ScoreSheet):
    """A score sheet that is a class of its own."""


@pytest.mark.parametrize(
    ("kind", "taken", "doubts"),
    [
        ("vaultkit.games.scoresheet:ScoreSheet", {"rank": 0, "fell": "no"}, 1),
        ("tests.session.test_score_sheets:RankSheet", {"rank": None, "fell": None}, 0),
    ],
)
def test_playable_game_may_omit_its_scoring_rules_and_own_games_may_not(
    kind: str, taken: dict[str, object], doubts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'title = "High Card"\nplayers = [2, 4]\n[[columns]]\nid = "rank"\ntitle = "Rank"\nmost = 13\n'
    text += '[[columns]]\nid = "fell"\ntitle = "Fell?"\ntakes = "yes or no"\n'
    raw = RawSheet("high-card", read_toml(text, "high-card.toml"))
    monkeypatch.setattr("vaultkit.session.scoresheets.shipped_sheet", lambda _: raw)
    with registered(replace(INFO, score_sheet=kind)):
        sheet = score_sheet.__wrapped__("high-card")
    written = sheet.tally({}, 2, lambda seat, _: SeatTally({"rank": 12 + 2 * (seat or 0)}))
    assert (outcome := sheet.outcome(written)).winners == (1,) and outcome.scores[1]["score"] == 14
    assert {column.key: column.default for column in sheet.seat_questions({}, {})} == taken
    assert len(list(sheet.doubts(written))) == doubts


def test_note_that_explains_an_unknown_game_is_reported(folder: Path) -> None:
    root = folder.parents[1]
    for number, said in enumerate(("skot", "[skot]", "Skat", "propheta", "17")):
        (root / f"{number}.md").write_text(f"---\ntags: a\nvaultkit-game: {said}\n---\n", encoding="utf-8")
    problems = [one for one in run(Vault(root), every_check()).problems if one.code == "game"]
    assert [(one.note, one.line, one.message) for one in problems] == [
        ("0.md", 3, Says("no", "game", "skot")),
        ("1.md", 3, Says("no", "game", "skot")),
        ("4.md", 3, "There is no game '17'."),
    ]
    assert problems[0].hint == "Did you mean 'skat'?"


@pytest.mark.slow
def test_place_of_a_fault_is_found_in_linear_time() -> None:
    def look(size: int) -> None:
        tables = Tables("night.toml", lines=["[[players]]", "name = 'P'"] * size)
        assert tables.place(("players", size - 1, "name")) == f"night.toml:{2 * size}"

    assert growth(look, 1_000) < IN_STEP
