import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.vault.making import note
from vaultkit.errors import InvalidError
from vaultkit.vault import Note
from vaultkit.vault.tables import markdown_tables
from vaultkit.vault.text_positions import LINE_END, Places, offset_converter

MARKS = (
    "# ;## ;[[;]];![[;](;);![;[;];<;>;\n;\r\n;\r;---\n;===\n;```\n;`;$;$$;%%;\\;| a ;|;|--|--|\n;- ;> ;[^1];"
    " ^id;é;漢𝄞;e\u0301;\u2028;\x00;\ufeff;\t;a: ;: ;&a ;*a"
)
PIECES = st.sampled_from(MARKS.split(";"))
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


def headings(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in note(text).headings]


@pytest.mark.slow
@given(TEXTS, st.booleans())
def test_reading_never_raises_and_places_are_exact(text: str, framed: bool) -> None:
    assume(framed or "\0" not in text)  # which may be read as UTF-16 or UTF-32, and then is refused
    read = note(f"---\n{text}\n---\n{text}" if framed else text)
    places = Places(read.text)
    for link in read.links:
        assert 0 <= link.start <= link.end <= len(read.text)
        assert places.line_and_column(link.start) == (link.line, link.column)
        assert link.kind in {"property", "html", "dice", "fence"} or read.text[link.start] in "![<"
    for heading in read.headings:
        assert read.body_start <= heading.start < heading.end <= len(read.text)
        assert places.line(heading.start) == heading.line
        assert heading.text in read.text
        assert read.section_end(heading) >= heading.end
    assert all(row.cells for table in markdown_tables(read) for row in (table.header, *table.rows))
    assert read.title is not None and read.aliases is not None


@given(st.binary())
def test_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert Note("Note.md", data).encoded.to_bytes(Note("Note.md", data).text) == data
    except InvalidError as error:
        assert error.message and error.hint


@pytest.mark.slow
@given(TEXTS, st.data())
def test_places_round_trip_between_units(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    places = Places(text)
    line, column = places.line_and_column(offset)
    assert places.line(offset) == line and places.start(line) + column - 1 == offset
    assert places.line(len(text)) == len(LINE_END.split(text))


@given(st.text("aé漢𝄞\n", max_size=3000), st.data())
def test_text_offsets(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    assert offset_converter(text, 7)(len(text[:offset].encode())) == 7 + offset


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n###### B ##\n", [(1, "A"), (6, "B")]),
        ("## C# #\n## D\\##\n", [(2, "C#"), (2, "D\\##")]),
        ("#\n## ##\n", [(1, ""), (2, "")]),
        ("#no\n####### seven\n", []),
        ("Set *ext*\n===\nTwo\n---\n", [(1, "Set *ext*"), (2, "Two")]),
        ("#tag line\n===\n", [(1, "#tag line")]),
        ("> ## Quoted\n\n- # Listed\n", []),  # S6
        ("> [!note] Call\n> ## Inside\n\n1. a\n   ## Listed\n\n## Outside\n", [(2, "Outside")]),
        ("`# A`\n```\n# B\n```\n    # C\n", []),
        ("---\n# comment: not a heading\n---\n# D\n", [(1, "D")]),
        ("# A\r\n\r\nB\r\n---\r\n", [(1, "A"), (2, "B")]),
        ("# A {#id}\n", [(1, "A {#id}")]),
    ],
)
def test_headings(text: str, found: list[tuple[int, str]]) -> None:
    assert headings(text) == found


def test_s6_headings_are_stored_raw() -> None:
    assert headings("# See [[Other]] and *that*\n") == [(1, "See [[Other]] and *that*")]


@pytest.mark.parametrize(
    "text",
    [
        "Text. ^id\n",
        "Text. ^id\r\nMore\r\n",
        "- item ^id",
        "> quote\n\n^id\n",
        "| a |\n|---|\n| b |\n^id\n",
        "x ^ID  \n",
    ],
)
def test_s4_s5_block_ids(text: str) -> None:
    assert note(text).blocks == {"id"}


@pytest.mark.parametrize(
    "text", ["`x ^id`", "```\nx ^id\n```\n", "x^id", "x ^id y", "x ^i_d", "---\na: x ^id\n---\n", "$$\nx ^2\n$$"]
)
def test_s4_no_block_ids(text: str) -> None:
    assert note(text).blocks == frozenset()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "漢字 [[é]] `c`\n# Ü ^a\n" * 10_000,
        "é [[a]] `x` " * 8_000,
        "# " + " " * 100_000 + "x",
        "# a " + "#" * 100_000 + "x",
        "é" * 100_000,
        "[[" * 50_000,
        "`é` ^a\n" * 20_000,
        "| é " * 20_000 + "\n",
    ],
    ids=["many", "one-line", "spaces", "marks", "long", "open", "code", "cells"],
)
def test_large_and_hostile_notes_are_read_in_time(text: str) -> None:
    """Anything that is not linear here takes minutes, and is seen."""
    read = note(text)
    _ = read.links, read.headings, read.blocks


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# A\n%%\n# B\n%%\n# C\n", ["A", "C"]),
        ("# A\r\n%% GM only\r\n\r\n## Secret\r\n\r\n%%\r\n## C\r\n", ["A", "C"]),
        ("# A\n\nTitle\n%%\n\nB\n===\n%%\n", ["A"]),
        ("# A\n%% open\n# B\n", ["A"]),
        ("## Ideas %% fold %%\n# %% all %%\n## B %% open\n# C\n%%\n# D\n", ["Ideas", "B", "D"]),
        ("`%%`\n# A\n\n```\n%%\n```\n# B\n", ["A", "B"]),
        ("# A\n\n$$\n# B\n\n%%\n$$\n# C\n", ["A", "C"]),
        ("Alg:: $$\nx\n$$\n# A\n", []),
        ("It costs 5$$\n# A\n$$x$$ is $$y$$\n# B\n", ["A", "B"]),
        ("`$$`\n\n```\n$$\n```\n# A\n", ["A"]),
        ("<!--\n# A\n-->\n# B\n", ["B"]),
    ],
)
def test_o1_o6_comments_and_mathematics_hold_no_headings(text: str, headings: list[str]) -> None:
    assert [heading.text for heading in Note("n.md", text.encode()).headings] == headings


def test_o6_mathematics_holds_no_links_and_no_block_ids() -> None:
    note = Note("n.md", b"$$\nx [[A]] ^a\n\n[[B]] ^b\n\n$$\n\n[[C]] ^c\n\n$$\n\n[[D]] ^d\n")
    assert [link.path for link in note.links] == ["C"]
    assert note.blocks == {"c"}


def test_o1_links_in_comments_are_links() -> None:
    note = Note("n.md", b"%%\n# [[A]]\n%%\n[[B]]\n%% [[C]]")
    assert [(link.path, link.commented) for link in note.links] == [("A", True), ("B", False), ("C", False)]
