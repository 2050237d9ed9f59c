"""Files as disks hold them: every bad note is a Problem with a place and a hint; never a crash, a hang or a write."""

import tracemalloc
from pathlib import Path

import pytest

from tests.vault.hostile import FRONTMATTER, LINES, READ_ALL_THE_SAME, UNREADABLE, codes, problems
from tests.vault.making import check, make_files, note


@pytest.mark.parametrize("kind", UNREADABLE)
def test_unreadable_input_is_reported_with_its_place(tmp_path: Path, kind: str) -> None:
    data, line, column = UNREADABLE[kind]
    (problem,) = problems(tmp_path, {"Bad.md": data, "Good.md": "[[Bad]] [[Bad#Heading]]"})
    assert (problem.note, problem.line, problem.column, problem.code) == ("Bad.md", line, column, "unreadable")
    assert problem.severity == "error"


@pytest.mark.short(6)
@pytest.mark.parametrize("kind", FRONTMATTER)
def test_broken_frontmatter_is_reported_and_the_body_is_read(tmp_path: Path, kind: str) -> None:
    found = problems(tmp_path, {"N.md": FRONTMATTER[kind] + "\n[[Gone]]\n"})
    assert sorted(codes(found))[0] == "frontmatter"
    assert any(problem.line for problem in found)
    assert kind == "unclosed" or "link-unwritten" in codes(found)


def test_y3_duplicate_key_is_reported(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"N.md": "---\na: 1\nb: x\na: 2\n---\n"})
    assert (problem.line, problem.column) == (4, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", READ_ALL_THE_SAME)
def test_odd_notes_are_read_without_problems(tmp_path: Path, kind: str) -> None:
    assert [p for p in problems(tmp_path, {"N.md": READ_ALL_THE_SAME[kind]}) if p.severity == "error"] == []


@pytest.mark.slow
@pytest.mark.parametrize("piece", LINES)
def test_line_of_a_hundred_thousand_characters(tmp_path: Path, piece: str) -> None:
    """Every sign that Markdown gives a meaning to, which is where parsers go quadratic."""
    text = "# A\n" + piece * (100_000 // len(piece)) + "\n\n# B\n\n[[#A]] [[Gone]]\n"
    found = problems(tmp_path, {"N.md": text})
    assert {problem.code for problem in found} <= {"link-unwritten", "link-heading"}


def test_places_are_exact_with_any_line_endings(tmp_path: Path) -> None:
    found = problems(tmp_path, {"N.md": "\ufeffé\r\n漢\r😀 [[Gone]]\n\n[[Lost]]"})
    assert [(problem.line, problem.column) for problem in found] == [(3, 3), (5, 1)]


@pytest.mark.parametrize("kind", ["keys that are no text"])
def test_keys_become_the_text_that_yaml_writes(kind: str) -> None:
    assert {"2", "true", "null"} <= set(note(READ_ALL_THE_SAME[kind]).properties)


def test_note_of_fifty_megabytes_is_refused_without_reading(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Big.md": "", "N.md": "[[Big#Heading]]"})
    with (tmp_path / "Big.md").open("r+b") as stream:
        stream.truncate(50_000_000)
    tracemalloc.start()
    (problem,) = check(vault).problems
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16_000_000
    assert (problem.note, problem.code) == ("Big.md", "unreadable")
    assert "more than 16 MB" in problem.message


def test_nul_characters_are_reported_and_the_note_is_read(tmp_path: Path) -> None:
    found = problems(tmp_path, {"N.md": "# A\nab\0c\n[[#A]] [[Gone]]"})
    assert [(p.code, p.line, p.column, p.severity) for p in found] == [
        ("nul", 2, 3, "warning"),
        ("link-unwritten", 3, 8, "remark"),
    ]


def test_mojibake_is_reported_with_the_original_text(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"N.md": "# Gäste\n\nFranÃ§ois came.\n"})
    assert (problem.code, problem.line, problem.column, problem.severity) == ("mojibake", 3, 1, "warning")
    assert "probably 'François'" in problem.message


@pytest.mark.slow
def test_thousands_of_links_to_the_last_of_ten_thousand_headings(tmp_path: Path) -> None:
    text = "".join(f"# Heading {n}\n\n" for n in range(10_000)) + "[[#Heading 9999]]\n" * 10_000
    assert problems(tmp_path, {"N.md": text}) == []


@pytest.mark.slow
def test_links_that_are_written_with_escapes_in_long_frontmatter(tmp_path: Path) -> None:
    text = '---\na: "' + "[[\\u004E]] " * 15_000 + '"\n---\n'
    assert problems(tmp_path, {"N.md": text}) == []
