import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.vault import Note
from vaultkit.vault.dialect import events
from vaultkit.vault.writing.escape import clean_line, escape_markdown, escape_property, format_yaml_scalar

NASTY = st.text(st.sampled_from("[]()|#^%<>`*_~=:/-+.1 \n\\\"'&;{}$!aé🦊\u2028\ud800\x00\t"), max_size=30)
TEXTS = st.one_of(NASTY, st.text(max_size=30))


def parts(note: Note) -> list[str]:
    """The parts of a text, in the order in which they begin."""
    return [str(event["Start"]) for event, _ in events(note.body) if isinstance(event, dict) and "Start" in event]


@pytest.mark.slow
@given(TEXTS)
def test_escaped_text_creates_no_markdown(text: str) -> None:
    note = Note("n.md", f"{escape_markdown(text)}\n\nx\n".encode())
    assert (note.headings, note.links, note.blocks) == ((), (), frozenset())
    assert parts(note)[0] == "Paragraph"
    assert len(escape_markdown(text).splitlines()) <= 1
    assert "%%" not in escape_markdown(text)
    assert "<%" not in escape_markdown(text) and "<%" not in escape_property(text)


@given(TEXTS)
def test_escaped_property_reads_back(text: str) -> None:
    said = escape_property(text)
    note = Note("n.md", f"---\na: {format_yaml_scalar(said)}\n{format_yaml_scalar(f'{said} k')}: 1\n---\n".encode())
    assert not note.problems
    assert note.property("a") == said
    assert note.links == ()


@pytest.mark.parametrize("text", ["Bram & Co", "O'Neil", "Ysolde Marr", "Bot 1 (greedy)", "Ærið", "a.b, c; d!", "A-b"])
def test_ordinary_names_are_not_escaped(text: str) -> None:
    assert escape_markdown(text) == escape_property(text) == clean_line(text) == text


@pytest.mark.parametrize("text", ["- Bram", "+ Bram", "> Bram", "= Bram", "1. Bram", "12) Bram", "123. Bram", "# Bram"])
def test_escaped_name_starts_no_list_quotation_or_heading(text: str) -> None:
    note = Note("n.md", f"Won by\n{escape_markdown(text)}\n".encode())
    assert parts(note) == ["Paragraph"]


@pytest.mark.parametrize("text", ["1234. Bram", "7.", "7)", "123456789. Bram", "7. 5"])
def test_escaped_paragraph_is_not_a_list(text: str) -> None:
    assert "\\" in escape_markdown(text) and parts(Note("n.md", f"{escape_markdown(text)}\n".encode())) == ["Paragraph"]


@pytest.mark.parametrize("number", ["7.5", "12.25 points", "7.)", "1234567890. Bram"])
def test_number_with_a_point_is_not_escaped(number: str) -> None:
    assert escape_markdown(number) == number and parts(Note("n.md", f"{number}\n".encode())) == ["Paragraph"]


def test_direction_marks_and_control_characters_are_removed() -> None:
    assert clean_line("Ys\u202eolde\u2066 \ufeffMarr\x00\x1b") == "Ysolde Marr"


@pytest.mark.parametrize("word", ["yes", "NULL", "true", "", "12", "1e3", "2026-11-03", "-", "~", "a: b", "a "])
def test_yaml_keywords_are_quoted(word: str) -> None:
    assert format_yaml_scalar(word).startswith('"')


def test_numbers_stay_numbers() -> None:
    assert (format_yaml_scalar(7), format_yaml_scalar(1.5)) == ("7", "1.5")
