import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import note
from vaultkit.vault.plaintext import BLANK, plain_text


def shown(text: str) -> str:
    """The plain text, with each stretch of anything else as one `_`."""
    return "_".join(filter(None, plain_text(note(text)).text.split(BLANK)))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("---\nname: Ivo\n---\nText\n", "Text"),
        ("# Heading\n\nText\n", "Text"),
        ("one `code` two\n\n```\nfence\n```\n", "one _ two"),
        ("one $x$ two", "one _ two"),
        ("one [[Ivo]] and [t](Ivo.md) two", "one _ and _ two"),
        ("one [t](Ivo the Bold.md) two", "one _ two"),
        ("one #npc/dead two ^block", "one _ two _"),
        ("one %%hidden%% two", "one _ two"),
        ("one %%hidden\n\nfor ever", "one _"),
        ("one <kbd>two</kbd> <b>three</b>", "one _ _three"),
        ("see https://a.b/c and me@a.b now", "see _ and _ now"),
        ("é {{title}} and <% tp.x %> é", "é _ and _ é"),
    ],
)
def test_plain_text_is_what_a_person_reads(text: str, plain: str) -> None:
    assert shown(text).strip("_\n") == plain.strip("_\n")


def test_plain_text_knows_which_places_are_in_tables() -> None:
    text = "é one\n\n| two |\n|---|\n| three |\n\nfour\n"
    plain = plain_text(note(text))
    assert [plain.in_table(text.index(word)) for word in ("one", "two", "three", "four")] == [False, True, True, False]


@given(st.text(st.sampled_from("aé#%|`[]()<>*_$\n\r :-"), max_size=60))
def test_plain_text_has_the_length_of_the_note(text: str) -> None:
    read = note(text)
    plain = plain_text(read).text
    assert len(plain) == len(read.text)
    assert all(char in (BLANK, own) for char, own in zip(plain, read.text, strict=True))
