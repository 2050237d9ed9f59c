"""The region between two comments: found, replaced, or refused with the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.errors import WriteError
from vaultkit.vault import Note
from vaultkit.vault.writing import marked_region

BEGIN, END = marked_region.begin_marker("stats"), marked_region.end_marker("stats")
REGION = f"{BEGIN}\nold\n{END}\n"
WORDS = st.text(st.sampled_from("ab \n%`>#|-é🐉"), max_size=25)


def note(text: str) -> Note:
    return Note("A.md", text.encode())


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("Words.\n", 1, "no place"),
        ("---\na: 1\n---\nWords.\n", 4, "no place"),
        (f"A\n\n{BEGIN}\n", 3, "only"),
        (f"A\n\n{END}\n", 3, "only"),
        (f"{REGION}\n{BEGIN}\n", 5, "second time"),
        (f"{REGION}\n{REGION}", 5, "second time"),
        (f"{BEGIN}\n{END}\n{END}\n", 3, "second time"),
        (f"{END}\n\n{BEGIN}\n", 1, "above"),
        (f"```\n{REGION}```\n", 2, "code"),
        (f"~~~\n{BEGIN}\n~~~\n{END}\n", 2, "code"),
        (f"{BEGIN}\n\n```\nx\n{END}\n", 5, "code"),
        (f"a\n\n    {BEGIN}\n\nb\n\n{END}\n", 3, "code"),
        (f"<div>\n{BEGIN}\n</div>\n\n{END}\n", 2, "HTML"),
        (f"Write `{BEGIN}` there.\n\n{REGION}", 1, "its own line"),
        (f"Text {BEGIN}\n{END}\n", 1, "its own line"),
        (f"> {BEGIN}\n> {END}\n", 1, "its own line"),
        (f"- {BEGIN}\n- {END}\n", 1, "its own line"),
        (f"A\n\n%% my own\n\n{REGION}", 3, "would close"),
    ],
)
def test_invalid_markers_are_refused_with_the_line(text: str, line: int, said: str) -> None:
    for newline in ("\n", "\r\n"):
        with pytest.raises(WriteError, match=said) as caught:
            marked_region.find_region(note(text.replace("\n", newline)), "stats")
        assert caught.value.where == f"A.md:{line}" and caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        REGION,
        f"%% mine %%\n\n{REGION}",
        f"```\n%% in code\n```\n\n{REGION}",
        f"---\nx: '{BEGIN}'\n---\nA\n\n{REGION}",
        f"  {BEGIN}  \n\nold\n\n%%  VAULTKIT stats End%%",
        f"Ünï 🐉\n\n`ö`\n\n{REGION}\n%% open",
        f"%% vaultkit other begin %%\n\n{REGION}",
    ],
)
def test_only_the_marked_region_is_replaced(text: str) -> None:
    before = note(text)
    splice = marked_region.replace_region(before, "stats", "\nnew\n")
    assert splice is not None
    after = note(splice.apply(text))
    first, last = marked_region.find_region(before, "stats"), marked_region.find_region(after, "stats")
    assert after.text[last.start : last.end] == "\nnew\n"
    assert text[: first.start] == after.text[: last.start] and text[first.end :] == after.text[last.end :]
    assert marked_region.replace_region(after, "stats", "\nnew\n") is None


@pytest.mark.slow
@given(
    st.text(st.sampled_from("ab \n%`>#|-é🐉"), max_size=25), st.text(st.sampled_from("ab\n"), max_size=9), st.booleans()
)
def test_surrounding_text_stays_or_the_note_is_refused(around: str, content: str, crlf: bool) -> None:
    text = f"{around}\n{REGION}{around}"
    text = text.replace("\n", "\r\n") if crlf else text
    before = note(text)
    try:
        splice = marked_region.replace_region(before, "stats", f"\n{content}\n")
    except WriteError:
        return
    after = splice.apply(text) if splice else text
    head, tail = text.index(BEGIN) + len(BEGIN), len(text) - text.rindex(END)
    assert after[:head] == text[:head] and after[-tail:] == text[-tail:]
    assert after[head:-tail] == f"\n{content}\n".replace("\n", before.encoded.newline)
