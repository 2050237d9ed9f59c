"""Evenings of each game, and of what the campaign remembers, played again in a real terminal; how a page is made."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EVENINGS = sorted(path.stem for path in HERE.glob("*.txt"))
IN_A_TERMINAL = pytest.mark.skipif(
    os.name != "posix" or shutil.which("git") is None, reason="needs a POSIX terminal and git"
)

HIDDEN = "Bram ›\x1b[?1049h\x1b[H\x1b[2J\x1b[HBram's hand\r\n\x1b[2J\x1b[H\x1b[?1049lAn end\r\n"


def test_each_evening_has_a_page_and_each_page_an_evening() -> None:
    assert sorted(path.stem for path in HERE.glob("*.md")) == EVENINGS


@pytest.mark.slow
@IN_A_TERMINAL
@pytest.mark.parametrize("name", EVENINGS)
def test_evening_runs_as_its_page_shows(name: str) -> None:
    from scripts import transcript

    told = (HERE / f"{name}.md").read_text(encoding="utf-8")
    assert transcript.page(name) == told, "if this is meant to change: make golden"
    assert "\x1b" not in told
    assert "Internal error" not in told


@IN_A_TERMINAL
def test_page_shows_when_the_screen_is_cleared() -> None:
    from scripts.terminal import readable

    cleared, back = "(The screen is cleared.)", "(The screen is cleared, and what all have seen is back on it.)"
    assert readable(HIDDEN).splitlines() == ["Bram ›", cleared, "Bram's hand", "", back, "An end"]


@pytest.mark.slow
@IN_A_TERMINAL
def test_terminal_input_is_typed_only_where_the_program_asks(tmp_path: Path) -> None:
    from scripts.terminal import Terminal

    terminal = Terminal(
        "printf 'Half of: '; sleep 0.02; printf 'a line\nWho › '; read x; echo Good $x", tmp_path, os.environ
    )
    assert terminal.waits()
    assert terminal.last_line == "Who › "
    terminal.type("you")
    assert not terminal.waits()
    assert terminal.text == "Half of: a line\nWho › you\nGood you"


def test_a_note_is_edited_in_one_place(tmp_path: Path) -> None:
    from scripts import props

    props.put(tmp_path, "A/Note.md", ["One", "Two", "", "One"])
    assert props.edit(tmp_path, "A/Note.md", ["-Two", "+Three", " "]) == "-Two\n+Three\n \n"
    assert (tmp_path / "A/Note.md").read_text(encoding="utf-8") == "One\nThree\n\nOne\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [(["-One"], "2 times"), (["-Four"], "0 times"), (["One"], "begins with"), (["-Two", ""], "begins")],
)
def test_an_edit_that_does_not_fit_changes_nothing(tmp_path: Path, lines: list[str], said: str) -> None:
    from scripts import props

    props.put(tmp_path, "Note.md", ["One", "Two", "One"])
    with pytest.raises(ValueError, match=said):
        props.edit(tmp_path, "Note.md", lines)
    assert (tmp_path / "Note.md").read_text(encoding="utf-8") == "One\nTwo\nOne\n"


@pytest.mark.slow
@IN_A_TERMINAL
@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ("!file A.md\nOne", "odd.txt:2: '!end' is missing behind A.md."),
        ("!show Nowhere.md", "odd.txt:1: .*Nowhere.md"),
        ("!edit Home.md\n-no such line\n!end", "odd.txt:3: What is to be edited stands 0 times in Home.md."),
        ("!clock tomorrow", "odd.txt:1: .*tomorrow"),
        ("$ true\nhello", "odd.txt:2: Nothing asks, so 'hello' cannot be typed."),
        ("$ printf 'Who: '; read x", "odd.txt:1: The program before it still asks: Who: "),
    ],
)
def test_invalid_transcript_file_is_reported_with_its_place(lines: str, error: str, tmp_path: Path) -> None:
    from scripts import transcript

    (tmp_path / "odd.txt").write_text(lines, encoding="utf-8")
    with pytest.raises(ValueError, match=error):
        transcript.page("odd", tmp_path)


@pytest.mark.slow
@IN_A_TERMINAL
def test_files_edits_the_clock_and_programs_are_on_the_page(tmp_path: Path) -> None:
    from scripts import transcript

    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "say_twice.py").write_text("import sys; print(*sys.argv[1:] * 2)", encoding="utf-8")
    (tmp_path / "all.txt").write_text(
        "# Prose.\n!file A/One.md\nfirst\n\n!end\n!edit A/One.md\n-first\n+second\n!end\n!show A/One.md\n"
        "!clock 2026-11-10 20:00\n$ echo $SOURCE_DATE_EPOCH; say-twice a\n",
        encoding="utf-8",
    )
    page = transcript.page("all", tmp_path)
    assert "The file `A/One.md`:\n\n`````text\nfirst\n`````\n" in page
    assert "In Obsidian, the note `A/One.md` is edited:\n\n`````diff\n-first\n+second\n`````\n" in page
    assert "The note `A/One.md`:\n\n`````markdown\nsecond\n`````\n\nEvery line below" in page
    assert "$ echo $SOURCE_DATE_EPOCH; say-twice a\n1794340800\na a\n````\n" in page


@IN_A_TERMINAL
def test_erased_line_of_progress_is_not_in_the_text() -> None:
    from scripts.terminal import readable

    shown = "$ x\r\n\r\rWorking on a.md\r               \rWorking on b.md\r               \rPrinted: o.pdf\r\n"
    assert readable(shown) == "$ x\nPrinted: o.pdf"
