"""P4: no word of a sheet for reading is smaller than the minimum; sizes are read back from the PDF."""

from collections.abc import Callable
from math import hypot
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.text.test_words_kept import NASTY
from vaultkit.theme.model import Theme

pytestmark = pytest.mark.slow

Print = Callable[..., Path]


def smallest_text(path: Path) -> tuple[float, str]:
    """Return the smallest size in points, and the words that have it."""
    found: list[tuple[float, str]] = []

    def note(text: str, cm: list[float], tm: list[float], _font: object, size: float) -> None:
        if text.strip():
            found.append((size * hypot(tm[2], tm[3]) * hypot(cm[2], cm[3]), text.strip()))

    for page in PdfReader(path).pages:
        page.extract_text(visitor_text=note)
    return min(found)


@pytest.mark.parametrize(
    ("theme", "columns"), [(Theme(), 2), (Theme(large=True), 1), (Theme(easy_read=True), 1)], ids=str
)
def test_p4_no_word_is_below_the_minimum_size(print_note: Print, theme: Theme, columns: int) -> None:
    size, words = smallest_text(print_note(NASTY, title="A Nasty Note", theme=theme, columns=columns))
    assert size >= theme.min_text_size - 0.01, words


@pytest.mark.parametrize("name", ["rules-several", "booklet-pages", "session", "reading"])
def test_p4_no_word_of_other_sheets_is_below_the_minimum_size(name: str, tmp_path: Path) -> None:
    from tests.sheets.kinds import KINDS

    size, words = smallest_text(KINDS[name](tmp_path))
    assert size >= Theme().min_text_size - 0.01, words
