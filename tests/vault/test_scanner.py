"""The scanner takes most notes, and finds in them what the parser finds."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from vaultkit.vault import frontmatter, structure, tables
from vaultkit.vault.scanner import scan

VAULTS = Path(__file__).parent.parent / "vaults"
PIECES = (
    "\n", "\n", "\n", "\n\n", "a", "b c", " ", "  ", "   ", "# ", "## ", "#", "> ", "- ", "1. ", "]", ")", "[[", "]]",
    "|", "\\", "\\[", "\\!", "!", "`", "```", "\n```\n", "\n```yaml\n", "~~", "< ", "$", "%%", "<%", "%>", "[x](y)",
    "[[a]]", "[x](y.md#z)", "[[a|b]]", "![[p.png]]", "![p](q)", "[ ]", "[x]", "[^1]", "\n\n[^1]: note", "[a]:", "](",
    "](y)", "[[a#b]]", "\n^id\n", " ^id", "---", "\n---\n", "\n===\n", "***", "| a |", "|-|-|", ":", "&amp;", "*", "_",
    "http://x", "é", "\u2028", "\xa0", "`dice: [](x.md#^t)`", "`code`", "[a b](c%20d.md)", "[a](b(c)d)", "[a](b\\C)",
    '[a](b "t")', "[a]\n(b)", "$5 ", "\\`", "[a]()", "![a]()", "[#a b](c)", "#tag", "\xa0\n", "\n- \n",
    "\n\n| a | [x](y) |\n|---|:-:|\n", "| [[a]] | `c` |\n", "|[[a|b]]|", "\n|---|\n", "| ![p](q) |", "|[a](b) | c | d|",
    "\n**a:**\n- \n", "[[[a] b]]", "[[a `b` c]]", "[[a|`b`]]", "\n```\t\n", "\n%%\n", "\n$$\n", "\nAlg:: $$\nx\n$$\n",
)  # fmt: skip
RARE = (
    "\t", "    ", "[", "(", "``", "~~~", "<b>", "<!--", "-->", "$$", "\0", "\r\n", "\x0b", "\x0c", "\n|a|b|\n|-|-|\n",
    "a\nb\n---\n", "\n|a|\n|-|\n|b|c|[[d]]|\n[[e|f]] g\n",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES * 4 + RARE), max_size=30).map("".join)


def assert_alike(text: str) -> bool:
    """Whether the scanner takes the text, which the parser then reads alike."""
    start = frontmatter.body_start(text)
    tokens = scan(text, start)
    if tokens is None:
        return False
    one, other = structure.read_tokens(text, start, tokens), structure.read_events(text, start)
    assert (one.headings, one.links, one.footnotes) == (other.headings, other.links, other.footnotes)
    assert (one.block_ids(start), one.hidden_spans(start)) == (other.block_ids(start), other.hidden_spans(start))
    return True


@pytest.mark.slow
@settings(max_examples=count(80, 50_000))
@given(texts)
def test_scanner_and_parser_agree_on_any_text(text: str) -> None:
    assert_alike(text)


@pytest.mark.slow
@settings(max_examples=count(80, 50_000))
@given(texts, st.integers(0, 20))
def test_searches_from_the_first_sign_find_what_whole_searches_find(text: str, start: int) -> None:
    rows = tables._DELIMITER_ROW.finditer(text.replace("\r", "\n"), start) if "|" in text else ()
    assert [*tables.delimiter_row_breaks(text, start)] == [row.start() for row in rows]
    reader = structure._Reader(text, start)
    ids = structure._BLOCK_ID.finditer(text, start)
    formulas = reader.hidden_spans(start).formulas
    assert reader.block_ids(start) == {
        found[1].lower() for found in ids if not structure._find_span(found.start(1), formulas)
    }


def test_scanner_reads_most_notes_of_the_test_vaults() -> None:
    notes = [file.read_bytes() for file in VAULTS.rglob("*.md")]
    readable = [data.decode() for data in notes if data.isascii()]
    assert sum(map(assert_alike, readable)) > len(readable) // 2


@pytest.mark.parametrize("text", ["![[a]]]()", "# a\n\n[^b]: c [d](e)\n", "```\n[a](b)\n```\n[[c]] `[d](e)`\n"])
def test_scanner_agrees_with_the_parser(text: str) -> None:
    assert assert_alike(text) is not text.endswith("]()")


def test_mail_address_starting_with_a_digit_needs_the_parser() -> None:
    assert not assert_alike("[[a]] <1@b.c>")


def test_tables_with_pipes_in_links_need_the_parser() -> None:
    assert assert_alike("[[a|b]]\n\n| [x](y) |\n|---|\n| [[a]] |\n\n[[a|b]]\n")
    assert not assert_alike("| a | b |\n|---|---|\n| [[a|b]] |\n")
