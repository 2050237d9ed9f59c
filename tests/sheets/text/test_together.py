"""Parts that stay together: a word and its mark, a line and the table after it, columns of equal height."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems, tagged_text
from vaultkit.sheets.text.note_source import LinkTarget, path_lines
from vaultkit.theme.model import CLASSIC, Theme

Print = Callable[..., Path]
WIDE = "| Where the Citizen was | Ordinary Fate | Moment of Truth |\n|---|---|---|\n" + "".join(
    f"| your rival's Congregation {n} | to your Congregation at once | into your Temple, for ever |\n" for n in range(3)
)


def note(target: str) -> LinkTarget:
    return LinkTarget("note", target, f"{target}.md")


def spots(out: Path) -> list[tuple[int, float, float, str]]:
    """Return page, x and y from the bottom of every piece of text, in drawing order."""
    found: list[tuple[int, float, float, str]] = []
    for number, page in enumerate(PdfReader(out).pages):

        def visit(text: str, cm: list[float], tm: list[float], _f: object, _s: float, number: int = number) -> None:
            if text.strip():
                found.append((number, cm[4] + tm[4], cm[5] + tm[5], text.strip()))

        page.extract_text(visitor_text=visit)
    return found


@pytest.mark.short(2)
@pytest.mark.parametrize("theme", [CLASSIC, Theme(large=True), Theme(easy_read=True)])
def test_punctuation_in_a_table_is_never_separated_from_its_word(print_note: Print, theme: Theme) -> None:
    cells = " | ".join(f"[[Warriors{letter}]]" for letter in "mnwq")
    out = print_note(f"| {' | '.join('abcd')} |\n|---|---|---|---|\n| {cells} |\n", link=note, theme=theme)
    words = text_of(out).split()
    assert [f"Warriors{name}[{mark}]" in words for name, mark in zip("mnwq", "abcd", strict=True)] == [True] * 4


def test_p6_link_to_the_list_of_notes_states_the_name_of_the_note(print_note: Print) -> None:
    out = print_note("See [[Session Zero]] and [[Session Zero]] again.", link=note)
    assert problems(out) == []
    with pikepdf.open(out) as pdf:
        assert [str(link.Contents) for link in pdf.pages[0].Annots] == ["Session Zero [a]"]


def test_line_with_a_colon_is_directly_above_its_wide_table(print_note: Print) -> None:
    before = "Some words of part one, which say a few things. " * 20
    out = print_note(f"## Part\n\n{before}\n\nLay it on top and move them:\n\n{WIDE}", columns=2)
    found = spots(out)
    (page, _, lead, _), (same, _, head, _) = (
        next(spot for spot in found if part in spot[3]) for part in ("Lay it on top", "Where the")
    )
    assert page == same
    assert 0 < lead - head < 40
    above = [y for number, _, y, text in found if number == page and "few things" in text]
    assert min(above) > lead


def test_a_short_section_does_not_leave_its_column_empty_beside_a_long_one(print_note: Print) -> None:
    long = "".join(f"Twelve signs with four cards each, {n}. " * 3 + "\n\n" for n in range(6))
    found = spots(print_note(f"Few words.\n\n## Cards\n\n{long}## Then\n\nx\n\n{WIDE}", columns=2))
    text = [(x, y) for _, x, y, words in found if "Twelve" in words]
    middle = min(x for x, _ in text) + 100
    left, right = ([y for x, y in text if (x > middle) == side] for side in (False, True))
    assert left
    assert right


def test_path_longer_than_a_line_is_broken_after_slashes_then_hyphens() -> None:
    path = "Old Folder/Places-of-the-far-valley/Inn.md"
    lines = path_lines(path, lambda text: len(text) <= 14)
    assert "".join(lines) == path
    assert lines == ["Old Folder/Places-", "of-the-far-", "valley/Inn.md"]
    assert path_lines("Far/Near inn.md", lambda text: len(text) <= 14) == ["Far/Near inn.md"]


def test_p5_a_long_path_is_read_without_spaces(print_note: Print) -> None:
    path = "A-very-long-folder/" * 8 + "Note.md"
    out = print_note("[[x]]", link=lambda _: LinkTarget("note", "Title", path), columns=2)
    assert path in " ".join(tagged_text(out))
