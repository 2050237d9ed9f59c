"""Card texts as plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.compendium.card_text import plain_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A **bold** ==mark== and `code`.", "A bold mark and code."),
        ("![[x.png|100]] It ![a](b.png) waits.", "It waits."),
        ("[[Raven|the bird]] or [it](Raven.md#H), [[Owl]]", "the bird or it, Owl"),
        ("One\ntwo\n\nthree<br>four", "One two three four"),
        ("Before\n```statblock\nname: X\n```\nafter", "Before after"),
        ("- one\n- two\n\n> [!note] Title\n> body", "one two Title body"),
        ("| a | b |\n|--|--|\n| 1 | 2 |", "a b 1 2"),
        ("Seen %%secret%% here[^1] <b>x</b> ^id\n\n[^1]: foot", "Seen here x"),
        ("", ""),
    ],
)
def test_all_markdown_is_removed(text: str, words: str) -> None:
    assert plain_words(text) == words


@pytest.mark.slow
@given(st.text("ab *_`=![]()|>#-\n<br>%", max_size=40))
def test_any_text_becomes_one_line(text: str) -> None:
    assert "\n" not in plain_words(text)
