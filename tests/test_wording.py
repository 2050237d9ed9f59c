"""Lists and counts in messages, and how many tests hold the words of whole messages."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

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


MAX_ASSERTED_SENTENCES = 80
"""Most are text of notes that must come out unchanged. `tests.wording.Says` compares messages by their facts."""


def asserted_texts(tree: ast.AST) -> Iterator[str]:
    """Yield the texts in assertions and in the `match` of expected errors."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            expected: list[ast.expr] = [node.test]
        elif isinstance(node, ast.Call):
            expected = [keyword.value for keyword in node.keywords if keyword.arg == "match"]
        else:
            continue
        for part in chain.from_iterable(map(ast.walk, expected)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def whole_sentences(text: str) -> Iterator[str]:
    """Yield the lines of at least five words that end as a sentence does."""
    for line in map(str.strip, text.splitlines()):
        if len(re.findall(r"[A-Za-z']{2,}", line)) >= 5 and re.search(r'[.!?]"?$', line):
            yield line


@pytest.mark.slow
def test_tests_let_the_words_of_messages_change() -> None:
    paths = sorted(Path(__file__).parent.rglob("test_*.py"))
    texts = chain.from_iterable(asserted_texts(ast.parse(path.read_text(encoding="utf-8"))) for path in paths)
    sentences = list(chain.from_iterable(map(whole_sentences, texts)))
    assert len(sentences) <= MAX_ASSERTED_SENTENCES, sentences
