from pathlib import Path

import pytest

from tests.compendium.making import problems as check
from tests.vault.making import make_files, note
from tests.wording import Says
from vaultkit.compendium.spreads import SpreadPosition, Spreads, read_spread_file, read_spread_note
from vaultkit.errors import InvalidError, NothingFound

pytestmark = pytest.mark.usefixtures("trusting")

SHIPPED = ["five-card-cross", "omen", "past-present-future"]


def marked(body: str, value: str = "true", more: str = "") -> str:
    return f"---\nvaultkit-spread: {value}\n{more}---\n{body}"


def test_three_spreads_ship_with_vaultkit(tmp_path: Path) -> None:
    spreads = Spreads(make_files(tmp_path, {}))
    assert [spread.id for spread in spreads.all] == SHIPPED
    assert [len(spread.positions) for spread in spreads.all] == [5, 1, 3]
    assert [one.wanted for one in spreads.find("cross").positions] == ["deck: common"] * 3 + ["deck: high"] * 2
    assert spreads.problems == []


def test_positions_in_the_properties() -> None:
    found = read_spread_note(
        note(marked("x", "[Past, 'Now: today', Then (deck: high)]", "deck: '[[A/Tarokka#x|T]]'\n"), "A.md")
    )
    assert found.positions == (
        SpreadPosition("Past"),
        SpreadPosition("Now", "today"),
        SpreadPosition("Then", "", (("deck", "high"),)),
    )
    assert (found.deck, found.title, found.note) == ("Tarokka", "A", "A.md")


def test_colon_read_as_a_map_by_yaml_is_corrected() -> None:
    found = read_spread_note(note("---\nvaultkit-spread:\n  - Past: what led here\n  - Then (deck: high)\n---\n"))
    assert found.positions == (SpreadPosition("Past", "what led here"), SpreadPosition("Then", "", (("deck", "high"),)))


def test_positions_under_their_heading_are_preferred() -> None:
    body = (
        "# The *Ferry*\n\n- not me\n\n## Positions\n\nAs she lays them.\n\n"
        "1. **Past** (deck: high): what [[Home|led]] here\n   - and a remark\n2. Now\n\n## Else\n\n- not me\n"
    )
    found = read_spread_note(note(marked(body, "[Other]"), "Spreads/Ferry.md"))
    assert found.positions == (SpreadPosition("Past", "what led here", (("deck", "high"),)), SpreadPosition("Now"))
    assert found.id == "Ferry"


def test_loose_lists_and_windows_line_ends() -> None:
    text = marked("## Positions\r\n\r\n- Past\r\n\r\n  More of it.\r\n\r\n- Now\r\n")
    assert [one.name for one in read_spread_note(note(text)).positions] == ["Past", "Now"]


@pytest.mark.parametrize("text", [marked(""), marked("## Positions\n\nNone.\n"), marked("", "[]"), marked("", "['']")])
def test_a_note_without_positions(text: str) -> None:
    with pytest.raises(InvalidError, match="no positions") as caught:
        read_spread_note(note(text))
    assert "vaultkit-spread" in caught.value.hint


def test_a_position_needs_a_name() -> None:
    with pytest.raises(InvalidError, match="no name"):
        read_spread_note(note(marked("## Positions\n- Past\n- (deck: high)\n")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "This is not TOML"),
        ("", "no positions"),
        ("positions = []", "no positions"),
        ("positions = [1]", "'positions' must be a table"),
        ("aliases = 'x'\npositions = [{name='a'}]", "'aliases' must be a list"),
        ("titel = 'x'", "Unknown key 'titel'"),
        ("title = 3\npositions = [{name='a'}]", "text in quotes"),
        ("[[positions]]\nmeaning = 'x'", "no name"),
        ("[[positions]]\nname = 'x'\nform = 'y'", "Unknown key 'form'"),
        ("[[positions]]\nname = 'x'\nfrom = 'y'", "'from' must be a table"),
        ("[[positions]]\nname = 'x'\nfrom = {deck = ['y']}", "'from' must be"),
    ],
)
def test_files_that_are_not_spreads(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidError, match=said) as caught:
        read_spread_file(file, "spreads/x.toml", "print/spreads/x.toml")
    assert caught.value.where.partition(":")[0] == "print/spreads/x.toml"


def test_a_file_of_the_vault_that_is_not_a_spread_is_named_by_its_path(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {".vaultkit/print/spreads/x.toml": "titel = 'x'"})
    with pytest.raises(InvalidError) as caught:
        Spreads(vault).find("x")
    assert caught.value.where == ".vaultkit/print/spreads/x.toml:1"


def test_spread_is_found_by_title_name_alias_path_and_link(tmp_path: Path) -> None:
    text = marked("# The Ferry\n\n## Positions\n- a\n", more="aliases: [Crossing]\n")
    spreads = Spreads(make_files(tmp_path, {"Spreads/ferry spread.md": text}))
    for name in ("the ferry", "Ferry Spread", "crossing", "Spreads/ferry spread.md", "[[ferry spread]]"):
        assert spreads.find(name).title == "The Ferry"


def test_own_spreads_are_preferred_to_ours(tmp_path: Path) -> None:
    own = "[[positions]]\nname = 'mine'\n"
    files = {".vaultkit/print/spreads/omen.toml": own, "Past.md": marked("", "[a]", "aliases: [Three Cards]\n")}
    spreads = Spreads(make_files(tmp_path, files))
    assert [one.name for one in spreads.find("omen").positions] == ["mine"]
    assert spreads.find("three cards").note == "Past.md"
    assert [spread.id for spread in spreads.all] == ["Past", *SHIPPED]


def test_one_bad_spread_does_not_hide_others(tmp_path: Path) -> None:
    files = {"Bad.md": marked("", "[]"), "Off.md": marked("", "false"), ".vaultkit/print/spreads/bad-file.toml": "x"}
    spreads = Spreads(make_files(tmp_path, files))
    assert [spread.id for spread in spreads.all] == SHIPPED
    assert [problem.note for problem in spreads.problems] == ["Bad.md", "spreads/bad-file.toml"]
    with pytest.raises(InvalidError, match="This is not TOML"):
        spreads.find("bad-file")


def test_a_typo_gets_a_suggestion(tmp_path: Path) -> None:
    spreads = Spreads(make_files(tmp_path, {}))
    with pytest.raises(NothingFound) as caught:
        spreads.find("five card cros")
    assert "Five-Card Cross" in caught.value.hint
    with pytest.raises(NothingFound) as caught:
        spreads.find("zzzzzzzzzz")
    assert "vaultkit reading" in caught.value.hint


def test_check_reports_unusable_spreads(tmp_path: Path) -> None:
    files = {
        "A/Bad.md": marked(""),
        "A/Good.md": marked("", "[Past]"),
        ".vaultkit/print/spreads/typo.toml": "titel = 1",
    }
    vault = make_files(tmp_path, files)
    told = [(problem.note, problem.code, problem.severity) for problem in check(vault)]
    assert told == [
        (".vaultkit/print/spreads/typo.toml", "spread", "error"),
        ("A/Bad.md", "spread", "error"),
    ]
    assert [problem.note for problem in check(vault, ["A"])] == ["A/Bad.md"]
    assert not check(vault, ["A/Good.md"])


def test_the_beginning_of_a_name_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(NothingFound) as caught:
        Spreads(make_files(tmp_path, {})).find("Five Card")
    assert caught.value.hint == Says("mean", "Five-Card Cross")
