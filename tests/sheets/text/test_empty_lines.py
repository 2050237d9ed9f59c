"""P5: lines without words break nothing and lose nothing, wherever a page or column ends among them."""

import re
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.sheets.conftest import print_text, text_of
from vaultkit.sheets.paper import ReadingPlan, Size
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.rule_sheet import print_chapters
from vaultkit.theme.lengths import MM
from vaultkit.theme.model import CLASSIC

_WORD = re.compile(r"word\d+x?")


@pytest.mark.short(2)
@pytest.mark.parametrize(
    "text",
    [
        "```\n" + "\n" * 23 + "Y word1\n```",
        "word1" + "<br>" * 90 + "word2",
        *(
            pytest.param(text, marks=pytest.mark.slow)
            for text in (
                "```\nword1" + "\n" * 120 + "```",
                "```\n" + "\n" * 90 + "```\n\nword1",
                "```\nword1" + "\n \n" * 60 + "word2\n```",
                "> [!note] word1\n> ```\n" + ">\n" * 70 + "> word2\n> ```",
                "- word1\n\n  ```\n" + "\n" * 40 + "  word2\n  ```",
                "<b>word1" + "<br>" * 60 + "</b>" + "<br>" * 60 + "*word2*",
                "| a |\n|---|\n| word1" + "<br>" * 90 + "word2 |",
                "| a | b |\n|---|---|\n| " + "<br>" * 90 + " | word1 |",
                "<pre>\n" + "\n" * 30 + "word1\n</pre>\n\nword2",
                "> word1" + "<br/>" * 100 + "word2",
            )
        ),
    ],
)
@pytest.mark.parametrize("columns", [1, 2])
def test_p5_empty_lines_break_nothing(text: str, columns: int, tmp_path: Path) -> None:
    made = print_text(text, out=tmp_path / "a.pdf", columns=columns)
    assert sorted(set(_WORD.findall(text_of(made.path)))) == sorted(set(_WORD.findall(text)))


_blanks = st.integers(0, 40).map(lambda number: [""] * number)
_words = st.sampled_from([["word"], ["  word word"], ["\tword"], []])
_code = st.lists(st.one_of(_blanks, _words), max_size=5).map(lambda parts: ["```", *chain(*parts), "```"])
_breaks = st.lists(st.integers(0, 60), min_size=1, max_size=3).map(
    lambda numbers: ["word" + "".join("<br>" * number + "word" for number in numbers)]
)
_cells = st.lists(st.sampled_from(["", "word", "<br>" * 30, "word" + "<br>" * 70 + "word"]), min_size=6, max_size=6)
_table = _cells.map(
    lambda cells: ["| a | b |", "|---|---|", *(f"| {cells[n]} | {cells[n + 1]} |" for n in range(0, 6, 2))]
)
_blocks = st.recursive(
    st.one_of(_code, _breaks, _table, st.just(["word"])),
    lambda blocks: st.one_of(
        blocks.map(lambda lines: [f"> {line}" for line in lines]),
        blocks.map(lambda lines: ["> [!note] word", *(f"> {line}" for line in lines)]),
        blocks.map(lambda lines: ["- word", "", *(f"  {line}".rstrip() for line in lines)]),
        st.lists(blocks, min_size=1, max_size=3).map(lambda many: [line for one in many for line in (*one, "")]),
    ),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=count(40, 1_000), deadline=None)
@given(blocks=_blocks, width=st.integers(100, 210), height=st.integers(140, 300), columns=st.integers(1, 2))
def test_p5_no_word_is_lost_among_empty_lines(blocks: list[str], width: int, height: int, columns: int) -> None:
    numbers = iter(range(10_000))
    text = re.sub("word", lambda _: f"word{next(numbers)}x", "\n".join(blocks))
    paper = Size("small", width * MM, height * MM)
    plan = ReadingPlan(paper, columns, side=8 * MM, above=12 * MM, below=12 * MM)
    with TemporaryDirectory() as folder:
        made = print_chapters([Chapter(text, "A Note")], plan, PrintJob("a4", Path(folder) / "a.pdf", CLASSIC))
        printed = "".join(text_of(made.path).split())  # words are broken where a line is too short for them
        assert [word for word in _WORD.findall(text) if word not in printed] == []
