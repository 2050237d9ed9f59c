"""Notes of an unusual length or script: every word is printed or named as unprintable."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import tagged_text

Print = Callable[..., Path]


@pytest.mark.slow
def test_a_note_of_sixty_pages_loses_nothing_and_has_contents(print_note: Print) -> None:
    words = "The bell under the lake rings when someone lies. " * 60
    made = print_note("\n\n".join(f"## Chapter {n}\n\n{words}\n\nEnd of {n}." for n in range(1, 101)))
    told = tagged_text(made)
    assert len(PdfReader(made).pages) >= 60
    assert [line for line in told if line.startswith("End of ")] == [f"End of {n}." for n in range(1, 101)]
    assert [len(line) for line in told].count(len(words.strip())) == 100
    assert "Chapter 100" in text_of(made).split("The bell")[0]


def test_p5_words_for_symbols_at_a_line_end_are_read_separately(print_note: Print) -> None:
    words = " ".join(["ᚠᚢᚦ", "შავი", "a"] * 40)
    assert tagged_text(print_note(f"# {words}\n\n{words}", columns=2), generated=False)[-1] == words


def test_right_to_left_text_is_reported_on_paper_and_whole_in_the_tags(print_note: Print) -> None:
    made = print_note("Before. שלום, مرحبا. After.")
    assert "Before. [4×Hebrew], [5×Arabic]. After." in text_of(made)
    assert "Before. שלום, مرحبا. After." in tagged_text(made)
