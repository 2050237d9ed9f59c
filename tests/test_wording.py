"""Lists and counts in messages."""

import pytest

from vaultkit.text import format_count, join_words


@pytest.mark.parametrize(
    ("words", "told"),
    [((), ""), (("A",), "A"), (("A", "B"), "A and B"), (("A", "B", "C"), "A, B and C")],
)
def test_words_are_joined_into_a_listing(words: tuple[str, ...], told: str) -> None:
    assert join_words(words) == join_words(iter(words)) == told


def test_the_last_word_of_a_listing_can_be_or() -> None:
    assert join_words(("A", "B", "C"), "or") == "A, B or C"


def test_counts_are_written_with_singular_and_plural() -> None:
    assert [format_count(number, "note") for number in range(3)] == ["no notes", "1 note", "2 notes"]
