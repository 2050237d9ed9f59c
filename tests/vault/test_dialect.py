"""Obsidian's dialect of Markdown: rules O1 to O11, for links, headings and tables."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.vault.making import check, make_files, note
from vaultkit.vault import markdown
from vaultkit.vault.dialect import events
from vaultkit.vault.tables import markdown_tables


def targets(text: str) -> list[str]:
    return [link.target for link in note(text).links]


def headings(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in note(text).headings]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One line\n---\n", [(2, "One line")]),
        ("One line\n====\n\nTwo\n-----\n", [(1, "One line"), (2, "Two")]),
        ("Two\nlines\n---\n", []),
        ("Two\nlines\n--------\ntext\n===\n", [(1, "text")]),
        ("Two\nlines\n===\n", []),
        ("**Hook:**\n- \n**Lead-in:**\n- \n", []),
        ("Vivian\n-- \nUnger\n", []),
        ("Name\n---- \n# A\n", [(1, "A")]),
        ("Name\n==\t\n# A\n", [(1, "A")]),
        ("- item\n- two\n---\n\nText\n---\n", [(2, "Text")]),
        ("> quoted\n> lines\n> ---\n\nText\n---\n", [(2, "Text")]),
        ("é ü\nzwei\n---\n\nÜber\n---\n", [(2, "Über")]),
        ("```\na\nb\n---\n```\n", []),
    ],
)
def test_o2_underline_makes_a_one_line_heading(text: str, found: list[tuple[int, str]], line_end: str) -> None:
    assert headings(text.replace("\n", line_end)) == found


def test_o2_label_over_an_empty_list_item_keeps_links_and_places() -> None:
    text = "é **Hook:** [[A]]\n- \n[[B]] over\ntwo [[C]]\n---\n# D [[E]]\n"
    read = note(text)
    assert [(link.target, text[link.start : link.end], link.line) for link in read.links] == [
        ("A", "[[A]]", 1), ("B", "[[B]]", 3), ("C", "[[C]]", 4), ("E", "[[E]]", 6),
    ]  # fmt: skip
    (heading,) = read.headings
    assert (text[heading.start : heading.end], heading.line) == ("# D [[E]]\n", 6)
    assert [node.kind for node in markdown.parse("**Hook:**\n- \n").children] == ["Paragraph", "List"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[[Untitled] (Live)|s]]", ["[Untitled] (Live)"]),
        ("[[[[+ Index|I]]", ["[+ Index"]),
        ("[[a [b] c]] and [[Sq]uare]]", ["a [b] c", "Sq]uare"]),
        ("[[a [[b]] c]]", ["b"]),
        ("[[[Mill]]], [[Mill]]", ["Mill", "Mill"]),
        ("[[#[^1]]] [[Mill#[^note]]]", ["#[^1]", "Mill#[^note]"]),
        ("[[a [b\nc]]", []),
    ],
)
def test_o3_a_wikilink_may_hold_single_brackets(text: str, found: list[str]) -> None:
    assert targets(text) == found


def test_o3_brackets_are_shown_as_written() -> None:
    (paragraph,) = markdown.parse("See [[Mill [old]|the [old] mill]] `[[a [b]]`").children
    assert paragraph.words() == "See the [old] mill [[a [b]]"
    assert paragraph.children[1].text == "Mill [old]"


@pytest.mark.parametrize("behind", ["\t", "  ", " \t \t", "\t\t\t"])
@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_o4_spaces_and_tabs_after_a_closing_fence(fence: str, behind: str) -> None:
    text = f"{fence}c\n# no [[No]]\n{fence}{behind}\n# Yes [[Mill]]\n"
    assert (headings(text), targets(text)) == ([(1, "Yes [[Mill]]")], ["Mill"])
    assert [node.kind for node in markdown.parse(text).children] == ["CodeBlock", "Heading"]


TABLE = "| Who | What |\n|---|---|\n| [[Sefa]] | x |\n"


@pytest.mark.parametrize(
    ("below", "row_count", "found"),
    [
        ("He stole [[Carriage|it]]. [[Gwen]] has him.\n", 1, ["Carriage", "Gwen"]),
        ("[it](Carriage.md) [a|b](Gwen.md)\n", 1, ["Carriage.md", "Gwen.md"]),
        ("[it](<Carriage|x>)\n", 1, ["Carriage|x"]),
        ("one | [[Gwen]]\n", 2, ["Gwen"]),
        ("| [[Carriage\\|it]] | y | [[Gwen]] | [[Ivo]]\n", 2, ["Carriage", "Gwen", "Ivo"]),
        ("^id\n", 1, []),
        ("## [[Gwen]]\n", 1, ["Gwen"]),
    ],
)
@pytest.mark.parametrize("before", ["", "é\n\n", "- a\n\n  ", "> "])
def test_o5_table_row_has_a_pipe_outside_of_links(below: str, row_count: int, found: list[str], before: str) -> None:
    lines = f"{TABLE}{below}".splitlines(keepends=True)
    text = before + (" " * 2 if before.startswith("-") else "> " if before == "> " else "").join(lines)
    read = note(text)
    (table,) = markdown_tables(read)
    assert len(table.rows) == row_count
    assert [link.target for link in read.links] == ["Sefa", *found]
    assert all(read.text[link.start] == "[" and read.text[link.end - 1] in "])" for link in read.links)


@pytest.mark.parametrize(
    "text", ["He stole [[Q/Carriage|it]]. [[Gwen]] has him.", "See [[Gwen|her]]\nand [[Q/Carriage|it]]."]
)
def test_o5_a_line_below_a_table_is_not_a_cut_link(tmp_path: Path, text: str) -> None:
    files: dict[str, str | bytes] = {"N.md": f"{TABLE}{text}\n", "Sefa.md": "", "Gwen.md": "", "Q/Carriage.md": ""}
    assert check(make_files(tmp_path, files)).problems == ()


def test_o5_a_link_in_a_row_is_cut_by_a_bare_pipe(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"N.md": f"{TABLE}| [[Sefa|her]] | y |\n", "Sefa.md": ""}
    assert [problem.code for problem in check(make_files(tmp_path, files)).problems] == ["table-pipe"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Alg:: $$\nx\n$$\nUses:: [[A]]\n", []),
        ("$$\nx\n$$\nUses:: [[A]]\n", ["A"]),
        ("a $$\n    x [[B]]\n    $$\n\n[[A]]\n", ["A"]),
        ("   $$\n[[B]]\n$$ [[A]]\n", ["A"]),
    ],
)
def test_o6_only_two_dollars_at_a_line_start_open_a_block(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[t]() ![t]() [t](<>) [[A]]", ["A"]),
        ("[[a `[[` b]] [[c `d` e]] [[A]]", ["A"]),
        ("[[A|`code`]] [[B#the `code`]]", ["A", "B#the `code`"]),
    ],
)
def test_o10_texts_that_are_not_links(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one\n\u00a0\ntwo\n---\n", [(2, "two")]),
        ("one\n \u00a0 \u00a0\ntwo\n---\n", [(2, "two")]),
        ("one\n\u00a0 \n=====\n", [(1, "")]),
        ("```\none\n\u00a0\ntwo\n---\n```\n", []),
    ],
)
def test_o10_a_line_of_a_no_break_space_ends_a_paragraph(text: str, found: list[tuple[int, str]]) -> None:
    assert headings(text) == found


def test_o11_no_headings_in_quotes_and_no_links_in_code() -> None:
    text = "> # A\n> B\n> ---\n\n> [!note]\n> ## C\n\n`[[D]]` ``[e](f.md)``\n\n~~~\n[[G]]\n~~~\n# H [[I]]\n"
    assert (headings(text), targets(text)) == ([(1, "H [[I]]")], ["I"])


PIECES = (
    "\n", "\n\n", "a", "é", " ", "\t", "---", "--", "- ", "===", "\n---\n", "\n- \n", "\u00a0\n", "| a | b |",
    "\n|-|-|\n", "|", "[[a|b]]", "[[a [b]]", "```", "> ", "# ", "\r\n", "    ", "$$", "[[", "]]", "\\", "^id", "<div>",
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=count(80, 20_000))
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_places_refer_to_the_original_text(text: str) -> None:
    data = text.encode()
    assert all(0 <= span["start"] <= span["end"] <= len(data) for _, span in events(text))
    read = note(text)
    assert all(heading.text in read.text[heading.start : heading.end] for heading in read.headings)
    markdown.parse(text)
