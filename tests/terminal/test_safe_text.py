from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.terminal.safe_text import strip_controls

HOSTILE = st.text(st.characters() | st.sampled_from("\x1b\x9b\x07\x00\u202e\u2066[]m;0 1\ud800\n\r"))


@pytest.mark.slow
@given(HOSTILE, st.booleans())
def test_terminal_control_sequences_are_removed(text: str, lines: bool) -> None:
    made = strip_controls(text, lines=lines)
    assert all(category(char) not in {"Cc", "Cf", "Cs"} or char in "\u200c\u200d\n" for char in made)
    assert lines or "\n" not in made
    made.encode("utf-8")


@given(HOSTILE, st.booleans())
def test_cleaning_text_twice_changes_nothing_more(text: str, lines: bool) -> None:
    assert strip_controls(strip_controls(text, lines=lines), lines=lines) == strip_controls(text, lines=lines)


@pytest.mark.slow
@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_ordinary_text_is_not_changed(text: str) -> None:
    assert strip_controls(text) == text


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("a\u202eb", "ab"),
        ("a\r\nb\tc", "a b c"),
        ("\x1b\x1b[m[31m", "[31m"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
    ],
)
def test_known_terminal_tricks_are_neutralized(text: str, made: str) -> None:
    assert strip_controls(text) == made
