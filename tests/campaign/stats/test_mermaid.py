"""Charts with names that would break them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.stats import stats_page as page

HOSTILE = (
    'Jo "Ace" Oak', "`Tick`", "a;b#quot;c", "%% hidden", "%%{init: {}}%%", "[x] (y) {z}", "a -->|b| c", "<b>bold</b>",
    "back\\slash\\", "``` end", "נועם", "مريم", "🐉 Dragon", "line\nbreak", "title", "", "   ", "\u202eevil", "%" * 9,
    "x" * 90, "end", "#35;", "a\x00b",
)  # fmt: skip
TEXT = re.compile(r'"[^"`\\;#<>{}\r\n]+"')


def is_safe(text: str) -> bool:
    return TEXT.fullmatch(text) is not None and "%%" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_quoted_in_mermaid(name: str) -> None:
    assert is_safe(page.mermaid_text(name))


@given(st.text(st.characters() | st.sampled_from('"`%;#\\[]{}<>'), max_size=40))
def test_any_name_is_one_mermaid_text(name: str) -> None:
    shown = page.mermaid_text(name)
    assert is_safe(shown) and len(shown) <= page.MAX_BAR_NAME_CHARS + 2


def test_mermaid_names_stay_readable() -> None:
    assert page.mermaid_text("נועם") == '"נועם"' and page.mermaid_text("🐉 Dragon") == '"🐉 Dragon"'
    assert page.mermaid_text('Jo "Ace" Oak') == '"Jo ”Ace” Oak"'


def test_bars_are_lines_readable_by_mermaid() -> None:
    chart = page.bar_chart('Won "it"', "Games", [(name, number) for number, name in enumerate(HOSTILE[:12])])
    fence, kind, title, names, axis, values, end = chart.split("\n")
    assert (fence, kind, end) == ("```mermaid", "xychart-beta horizontal", "```")
    assert is_safe(title.strip().removeprefix("title "))
    labels = re.findall(r'"[^"]*"', names)
    assert names.strip() == f"x-axis [{', '.join(labels)}]" and len(labels) == len(set(labels)) == 12
    assert axis.strip() == 'y-axis "Games" 0 --> 11' and values.strip() == f"bar [{', '.join(map(str, range(12)))}]"


def test_names_that_look_alike_get_numbers() -> None:
    chart = page.pie_chart("T", [("a;b", 1), ("a,b", 2), ("none", 0)])
    assert '"a,b" : 1\n    "2. a,b" : 2\n' in chart and "none" not in chart


def test_chart_needs_at_least_two_values() -> None:
    assert page.pie_chart("T", [("a", 3), ("b", 0)]) == page.pie_chart("T", []) == ""
    assert page.bar_chart("T", "y", [("a", 3)]) == page.bar_chart("T", "y", [("a", 0), ("b", 0)]) == ""
