"""Page and column breaks that people write into notes: in HTML, as LaTeX, and as homebrew tools know them."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

from tests.sheets.lint import problems, tagged_text

Print = Callable[..., Path]
ALWAYS = '<div style="page-break-after: always;"></div>'
PAGE_BREAKS = [
    ALWAYS,
    "<div style='page-break-before:always'></div>",
    '<p style="break-before: page"></p>',
    '<div style="break-after:recto" />',
    '<br style="page-break-after:always">',
    '<div class="page-break"></div>',
    '<div class="pagebreak wide"> </div>',
    "<!-- pagebreak -->",
    r"\newpage",
    r"\pagebreak",
    r"\clearpage",
    r"\pagebreakNum",
    r"\page",
    "{{pageNumber,auto}}\n\\page",
]


def pages_of(path: Path) -> list[str]:
    """Return the words of each page, without the title and the foot."""
    skipped = {"A", "note", "1", "2", "3", "4", "/", "Rules/a-note.md"}
    texts = [page.extract_text().split() for page in PdfReader(path).pages]
    return [" ".join(word for word in words if word not in skipped) for words in texts]


@pytest.mark.short(2)
@pytest.mark.parametrize("mark", PAGE_BREAKS)
def test_page_break_starts_a_page_and_is_not_printed(print_note: Print, mark: str) -> None:
    made = print_note(f"above\n\n{mark}\n\nbelow", title="A note")
    assert pages_of(made) == ["above", "below"]
    assert problems(made) == []


@pytest.mark.short(3)
@pytest.mark.parametrize(
    "note",
    [
        f"{ALWAYS}\n\nabove\n\n\\newpage\n\n{ALWAYS}\n\n\\pagebreak\n\nbelow\n\n\\newpage\n\n{ALWAYS}\n",
        "above \\newpage\nbelow",
        "above\n\\newpage below",
        "> [!note] above\n> \\newpage\n> below",
        f"- above\n\n  {ALWAYS}\n\n  below",
        f"> above\n>\n> {ALWAYS}\n>\n> below",
        '<h2 style="page-break-before: always">above</h2>\n\n<p style="page-break-before: always">below</p>',
        '<div style="break-after: page">\n\nabove\n\n</div>\n\nbelow',
        '<ul style="break-after: page"><li>above</li></ul>\n\n<pre style="break-before: page">below</pre>',
        'above\n\n<table style="page-break-before: always"><tr><td>below</td></tr></table>',
        '<ol><li>above</li><li style="page-break-before: always">below</li></ol>',
        'above\n\n<details class="page-break"><summary>below</summary></details>',
    ],
)
def test_breaks_are_made_everywhere_and_never_leave_an_empty_page(print_note: Print, note: str) -> None:
    above, below = pages_of(print_note(note, title="A note"))
    assert (above.split()[-1], below.split()[-1]) == ("above", "below")


def test_no_break_parts_a_heading_from_its_text(print_note: Print) -> None:
    assert len(pages_of(print_note("words\n\n## Part\n\n\\newpage\n\nmore"))) == 1


def test_words_that_look_like_breaks_stay(print_note: Print) -> None:
    made = print_note("Write `\\newpage` or \\newpage here, in C:\\newpage.\n\n```tex\n\\pagebreak\n```\n")
    (words,) = pages_of(made)
    assert words.count("\\newpage") == 3
    assert "\\pagebreak" in words


@pytest.mark.parametrize("mark", [r"\column", r"\columnbreak", '<div style="break-after: column"></div>'])
def test_column_break_starts_a_column(print_note: Print, mark: str) -> None:
    made = print_note(f"{'above ' * 40}\n\n{mark}\n\nbelow")
    with pypdfium2.PdfDocument(made) as pdf:
        (page,) = pdf
        text = page.get_textpage()
        below = text.search("below").get_next()
        assert below is not None
        left, *_ = text.get_charbox(below[0])
        assert left > page.get_width() / 2
    (alone,) = pages_of(print_note(f"above\n\n{mark}\n\nbelow", columns=1))
    assert alone.endswith("above below")


def test_break_inside_an_element_is_avoided(print_note: Print) -> None:
    long, kept = "filling words " * 560, "kept words " * 60
    made = print_note(f'{long}\n\n<div style="page-break-inside: avoid">\n\n{kept}\n\n{kept}\n\n</div>', columns=1)
    assert sorted(page.count("kept") for page in pages_of(made)) == [0, 120]


def test_columns_of_a_plugin_are_printed_without_their_marks(print_note: Print) -> None:
    marks = (
        "--- start-multi-column: x\n```column-settings\nnumber of columns: 2\n```\none\n\n=== end-column ===\n\ntwo\n\n"
    )
    made = print_note(f"{marks}--- end-multi-column\n\n::: {{.columns}}\nthree\n:::", title="A note")
    assert tagged_text(made)[1:] == ["one", "two", "three"]
