"""DESIGN section 5: the bytes outside the inserted region are the same afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.errors import WriteError
from vaultkit.vault import Note
from vaultkit.vault.writing.splice import Splice, append, insert_under, join_splices

LINE = "- 2026-11-03 [[X]]: won. ^vk-a-b"
PIECES = (
    "## Log", "# Other", "### Log", "Log\n===", "- item", "  - nested", "1. one", "text ä 🦊", "> quote", "> [!note] x",
    "```", "~~~py", "%%", "%% note %%", "<div>", "</div>", "<!-- x", "-->", "| a | b |", "|---|---|", "---", "", "", "",
    "    code", "$$", "^block", "[^1]: foot", "## Log ##", "x ^id", "- [ ] task", "\t- tab", "  trailing  ",
)  # fmt: skip


def splice_bytes(note: Note, splice: Splice) -> bytes:
    return note.encoded.to_bytes(splice.apply(note.text))


def after(text: str, heading: str = "Log") -> str:
    note = Note("n.md", text.encode())
    return insert_under(note, heading, "- new ^vk-x").apply(note.text)


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    front = draw(
        st.sampled_from(["", "---\n# a comment\nb: 'x'\na:   [1,2]\n---\n", "---\nbad: [\n---\n", "---\nopen: 1\n"])
    )
    pieces = draw(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=14))
    text = (front + "\n".join(pieces) + draw(st.sampled_from(["", "\n", "\n\n"]))).replace("\n", newline)
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode("utf-8", "replace")


@pytest.mark.slow
@given(notes())
def test_splice_preserves_outside_bytes_and_its_inverse_restores(data: bytes) -> None:
    note = Note("n.md", data)
    try:
        splice = insert_under(note, "Log", LINE)
    except WriteError:
        return
    written = splice_bytes(note, splice)
    start = len(note.encoded.to_bytes(note.text[: splice.offset]))
    inserted = splice.inserted.encode()
    assert splice.removed == ""
    assert written == data[:start] + inserted + data[start:]
    again = Note("n.md", written)
    assert "vk-a-b" in again.blocks
    assert splice_bytes(again, splice.inverse()) == data
    assert inserted.count(LINE.encode()) == 1
    assert inserted.count(b"\n") == inserted.count(b"\r\n") or b"\r\n" not in inserted


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("## Log\n\n- a\n\n## Next\n", "## Log\n\n- a\n- new ^vk-x\n\n## Next\n"),
        ("## Log\n\n- a", "## Log\n\n- a\n- new ^vk-x"),
        ("## Log\n\n- a  \n", "## Log\n\n- a  \n- new ^vk-x\n"),
        ("## Log\r\n\r\n- a\r\n", "## Log\r\n\r\n- a\r\n- new ^vk-x\r\n"),
        ("## Log", "## Log\n\n- new ^vk-x"),
        ("## Log\n", "## Log\n\n- new ^vk-x\n"),
        ("## Log\n\n## Next\n", "## Log\n\n- new ^vk-x\n\n## Next\n"),
        ("## Log\n\n- a\n\n### 2025\n\n- old\n", "## Log\n\n- a\n- new ^vk-x\n\n### 2025\n\n- old\n"),
        ("## Log\n\nNext\n===\n", "## Log\n\n- new ^vk-x\n\nNext\n===\n"),
        ("## Log\ntext\n%% hidden\n", "## Log\n\n- new ^vk-x\n\ntext\n%% hidden\n"),
        ("> [!info] Old\n> ## Log\n\n## Log\n", "> [!info] Old\n> ## Log\n\n## Log\n\n- new ^vk-x\n"),
        ("", "## Log\n\n- new ^vk-x"),
        ("text\n", "text\n\n## Log\n\n- new ^vk-x\n"),
        ("## Log\n\n<div>\n</div>\n", "## Log\n\n<div>\n</div>\n\n- new ^vk-x\n"),
        ("## Log\n\n```\ncode\n```\n", "## Log\n\n```\ncode\n```\n- new ^vk-x\n"),
        ("## Log\n\n- a\n%% hidden\n\n## Next\n%%\n", "## Log\n\n- a\n%% hidden\n\n## Next\n%%\n- new ^vk-x\n"),
        ("# A\n\n%%\n## Log\n%%\n", "# A\n\n%%\n## Log\n%%\n\n## Log\n\n- new ^vk-x\n"),
        ("%%\n\n## Log\n\n%%\n\n## Log\n\n## B\n", "%%\n\n## Log\n\n%%\n\n## Log\n\n- new ^vk-x\n\n## B\n"),
        ("$$\n## Log\n$$\n", "$$\n## Log\n$$\n\n## Log\n\n- new ^vk-x\n"),
        ("## Log %% of the party %%\n", "## Log %% of the party %%\n\n- new ^vk-x\n"),
    ],
)
def test_line_is_inserted_at_the_right_place(before: str, expected: str) -> None:
    assert after(before) == expected


@pytest.mark.parametrize(
    ("text", "heading", "made"),
    [
        ("", "Session #1", "## Session #1"),
        ("# Session\n", "Session #1", "## Session #1"),
        ("## Other\n", "Chronicle#Log", "## Chronicle#Log"),
        ("## Chronicle\n", "Chronicle#Log", "## Chronicle#Log"),
        ("", "## Log ##", "## Log ##"),
        ("", "C#", "## C#"),
        ("", "a\n b", "## a b"),
        ("", "[[X|y]] *z*", "## [[X|y]] *z*"),
    ],
)
def test_new_heading_is_found_by_the_next_line(text: str, heading: str, made: str) -> None:
    once = after(text, heading)
    assert once.endswith(f"{made}\n\n- new ^vk-x" + "\n" * text.endswith("\n"))
    twice = insert_under(Note("n.md", once.encode()), heading, "- next ^vk-y").apply(once)
    assert twice == once.replace("- new ^vk-x", "- new ^vk-x\n- next ^vk-y")


@pytest.mark.parametrize("table", ["| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n--|--\n1 | 2", "| ä |\n|---|"])
def test_line_below_a_table_is_not_added_to_the_table(table: str) -> None:
    assert (
        after(f"---\nx: ä\n---\n## Log\n{table}\n## Next\n")
        == f"---\nx: ä\n---\n## Log\n{table}\n\n- new ^vk-x\n## Next\n"
    )
    assert after(f"## Log\n{table}\n\n- [[A|B]] | x\n").endswith("- [[A|B]] | x\n- new ^vk-x\n")


def test_heading_is_matched_as_one_text_before_as_a_path() -> None:
    assert after("# A\n\n## B\n\n# A#B\n", "A#B") == "# A\n\n## B\n\n# A#B\n\n- new ^vk-x\n"
    assert after("# A\n\n## B\n\n# C\n", "A#B") == "# A\n\n## B\n\n- new ^vk-x\n\n# C\n"


@pytest.mark.parametrize("heading", ["", "!!!", "#"])
def test_a_heading_that_could_not_be_found_is_not_made(heading: str) -> None:
    with pytest.raises(WriteError):
        after("text\n", heading)


@pytest.mark.parametrize(
    "text", ["%% open\n\n## Log\n", "# A\n\n$$\n## Log\n", "# A\n\n```\n## Log\n", "# A\n\n<!-- open\n\n"]
)
def test_insertion_that_would_be_invisible_is_refused(text: str) -> None:
    with pytest.raises(WriteError) as caught:
        after(text)
    assert caught.value.where == "n.md"


def test_long_section_takes_linear_time() -> None:
    text = "## Log\n\n" + "- a line of the log\n" * 3000
    assert after(text).endswith("- a line of the log\n- new ^vk-x\n")


def test_splice_that_does_not_fit_raises() -> None:
    with pytest.raises(AssertionError):
        Splice(0, "x", "y").apply("abc")
    with pytest.raises(AssertionError):
        insert_under(Note("n.md", b""), "Log", "- two\n- lines")


def test_append_preserves_a_missing_final_line_ending() -> None:
    note = Note("n.md", b"a\r\n\r\n")
    assert splice_bytes(note, append(note, "b")) == b"a\r\n\r\nb\r\n\r\n"


def test_splices_are_joined_into_one() -> None:
    splices = [Splice(5, "c", ""), Splice(2, "", "<"), Splice(2, "", "="), Splice(2, "b", "B")]
    whole = join_splices("a b, c d", splices)
    assert whole == Splice(2, "b, c", "<=B, ")
    assert whole.inverse().apply(whole.apply("a b, c d")) == "a b, c d"


def test_overlapping_splices_are_refused() -> None:
    with pytest.raises(WriteError):
        join_splices("abc", [Splice(0, "ab", "x"), Splice(1, "b", "y")])
