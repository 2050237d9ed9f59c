"""DESIGN section 5 for all inputs: a splice taken back gives the same bytes; reading never crashes."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.vault.making import add_to_list
from vaultkit.errors import VaultkitError
from vaultkit.vault import Note
from vaultkit.vault.text_positions import LINE_END
from vaultkit.vault.writing.properties import Value, edit_list, set_property
from vaultkit.vault.writing.splice import Splice, append, insert_under, join_splices, smallest_splice

FRONT = (
    "a: 1", "A: x", "b: 'q' # c", "tags: [x, \"y\"] # d", "tags:\n- x # c\n# between\n- 'y'", "  - nested", "a: |\n  t",
    'b: "[[X]]"', "players: [[X]]", "c: &n 1", "d: *n", "# comment", "", "  ", "{a: 1}", "? k\n: v", "'k k': >-\n  x\n",
    "a: [x,\n  y]", "a:", "b: {x: 1, y: [2]}", "...", "- x", "é: 🧀", "a: !t x", "x: [", "t: \t1", "1: one", "null: ~",
    "link: \"[t](<a b>)\"", "a: \"x\n  y\"",
)  # fmt: skip
BODY = (
    "# Log", "## Log", "Log\n===", "## A [[X]] b", "- item [[X#H|t]] ^id", "> [[Y]]", "> [!note] [t](x.md)", "```",
    "~~~", "    code [[X]]", "%%", "<div>", "</div>", "<!--", "-->", "| a | [[X\\|y]] |\n|---|---|\n| [t](u) | |",
    "---", "$$", "$x$", "[t](<a b> 'c')", "![[i.png|100]]", "[![i](j.png)](k.md)", "[r][s]", "[s]: t.md", "[^1]: [[F]]",
    "[^1]", "[[a", "b]]", "[[x|y|z]]", "<http://a.b>", "`[[x]]`", "`dice: [](d.md#^id)`", "```statblock\na: [[S]]\n```",
    "<a href='x.md'>y</a>", "", "", "^blk", "\\[[X]]", "[[ä🦊#ö]]", "a\x0bb\x85c\u2028d",
)  # fmt: skip
VARIANTS = (
    ": 1", ": x # c", ":   'q'  # c", ': "q # r"', ":", ": # c", ": ~", ': [x, "y"] # d', ": [x, # c\n  'y' ,z]",
    ": []", ": [ ]", ": [x,]", ":\n- x # c\n# between\n- 'y'", ":\n  - x\n\n  # c\n  - y # d",
    ":\n    - x\n    - - n", ":\n- x\n-", ": |\n  t # u\n\n  v", ": >-\n  t\n  u", ": |+\n  t\n\n", ': "x\n  y"',
    ": x\n  y", ": {x: 1, y: [2]}", ":\n  x: 1\n  # c\n  y: 2", ": [[X]]", ': "[[X]]"', ":\n- [[X]]", ": 🧀 # ä",
    ": !t x", ": 2026-11-03", ": true", ":\n  # c\n  - x", ":\n  - x # c\n# d", ": &n 1", ": *n", ": .nan", ": 0x1F",
    ": 12:30", ": ''", ": - x", ":\tx", ":\n- x: 1\n  y: 2\n- z", ": [x\n]", ": x  ",
)  # fmt: skip
COMMENTS = ("# c", "# d", "# ä")
BODY_BEHIND = "\n---\na: 1\n---\n# Log [[X]] ^b\n"
KEYS = ("a", "A", "b", "tags", "k k", "'q'", '"é"', "1", "null", "🦊", "x-y", "? k")
NEWLINES = ("\n", "\n", "\r\n", "\r\n", "\r")

pieces = st.one_of(st.sampled_from(BODY), st.sampled_from(BODY), st.sampled_from(FRONT), st.text(max_size=8))
values: st.SearchStrategy[Value] = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["[[X]]", "a: b", "- x", "#t", "2026-11-03", "yes", "null", "1", "'", '"', "| x", "&a", "*a", "a\nb"]
    ),
    st.integers(-(2**53), 2**53),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(st.text(max_size=6), max_size=4),
)
keys = st.sampled_from(["a", "A", "b", "tags", "new", "k k", "é", "1", "null", "q", "🦊", "X-y", "k"])
names = st.one_of(keys, keys, keys, st.text(max_size=5))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Notes that look like notes, with line ends of one kind or of all."""
    front = draw(st.lists(st.one_of(st.sampled_from(FRONT), st.text(max_size=5)), max_size=6))
    fence = draw(st.sampled_from(["---", "---", "---", "--- ", "", "----"]))
    head = [draw(st.sampled_from(["---", "---", "---", ""])), *front, fence] if draw(st.booleans()) else []
    lines = "\n".join([*head, *draw(st.lists(pieces, max_size=10))]).split("\n")
    one = draw(st.sampled_from([*NEWLINES, ""]))
    return "".join(line + (one or draw(st.sampled_from(NEWLINES))) for line in lines[:-1]) + lines[-1]


@st.composite
def notes(draw: st.DrawFn) -> Note:
    text = draw(st.one_of(texts(), texts(), texts(), st.text(max_size=40)))
    return Note("n.md", draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode())


fast_and_slow = pytest.mark.parametrize(
    "examples", [pytest.param(50, id="some"), pytest.param(count(300, 20_000), id="many", marks=pytest.mark.slow)]
)


@st.composite
def fronted(draw: st.DrawFn) -> Note:
    """Notes with a frontmatter that is valid more often than not."""
    keys = draw(st.lists(st.sampled_from(KEYS), max_size=4, unique=True))
    between_them = st.sampled_from(["", "", "", "# c\n", "\n", "  # d\n\n"])
    entries = [f"{draw(between_them)}{key}{draw(st.sampled_from(VARIANTS))}\n" for key in keys]
    yaml = "".join(entries) + draw(between_them)
    text = f"---\n{yaml}---{draw(st.sampled_from(['', BODY_BEHIND, BODY_BEHIND]))}"
    text = text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))
    return Note("n.md", draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode())


@st.composite
def split(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """A property's name, and a frontmatter as what stands before its lines, they themselves, and what stands behind."""
    keys = draw(st.lists(st.sampled_from(KEYS[:9]), min_size=1, max_size=4, unique_by=str.lower))
    between_them = st.sampled_from(["", "", "", "# c\n", "\n", "# d\n\n"])
    lines = [f"{key}{draw(st.sampled_from(VARIANTS))}\n" for key in keys]
    above = [draw(between_them) for _ in keys]
    place = draw(st.integers(0, len(keys) - 1))
    before = "".join(a + line for a, line in zip(above[:place], lines, strict=False)) + above[place]
    behind = "".join(a + line for a, line in zip(above[place + 1 :], lines[place + 1 :], strict=True))
    parts = (
        f"---\n{before}",
        lines[place],
        f"{behind}{draw(between_them)}---\n{draw(st.sampled_from(['', BODY_BEHIND]))}",
    )
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    before, own, behind = (part.replace("\n", newline) for part in parts)
    return keys[place].strip("'\""), before, own, behind


def run(examples: int, test: Callable[..., None], **strategies: st.SearchStrategy[object]) -> None:
    settings(max_examples=examples, suppress_health_check=list(HealthCheck))(given(**strategies)(test))()


def planned(plan: Callable[[], Splice | None]) -> Splice | None:
    """The splice of a plan, None where it refuses; anything but a VaultkitError is a failure."""
    try:
        return plan()
    except VaultkitError as error:
        assert error.message
        assert error.where.startswith("n.md")
        return None


def written(note: Note, splice: Splice) -> Note:
    """The note after a splice, with all bytes outside of it the same, and given back by the inverse."""
    after = Note(note.path, note.encoded.to_bytes(splice.apply(note.text)))
    start = len(note.encoded.to_bytes(note.text[: splice.offset]))
    end = start + len(splice.removed.encode())
    assert after.data == note.data[:start] + splice.inserted.encode() + note.data[end:]
    assert after.encoded.to_bytes(splice.inverse().apply(after.text)) == note.data
    return after


@pytest.mark.slow
@fast_and_slow
def test_any_lines_and_blocks_are_inserted(examples: int) -> None:
    def check(note: Note, heading: str, line: str) -> None:
        for plan in (lambda: insert_under(note, heading, line), lambda: append(note, line)):
            splice = planned(plan)
            if splice is not None:
                assert not splice.removed
                assert line in written(note, splice).text

    line = st.text(min_size=1, max_size=12).filter(
        lambda text: len(text.strip("\0").splitlines()) == 1 and not LINE_END.search(text)
    )
    lines = st.one_of(st.sampled_from(["- new ^vk-x", "- [[X]]", "text"]), line)
    headings = st.one_of(st.sampled_from(["Log", "Log", "A#B"]), st.text(max_size=6))
    run(examples, check, note=notes(), heading=headings, line=lines)


@pytest.mark.slow
@fast_and_slow
def test_y3_a_property_reads_back_and_is_set_once(examples: int) -> None:
    def check(note: Note, name: str, value: Value) -> None:
        splice = planned(lambda: set_property(note, name, value))
        if splice is None:
            return
        after = written(note, splice)
        assert after.property(name) == value
        assert type(after.property(name)) is type(value) or isinstance(value, float)
        assert set_property(after, name, value) is None
        assert unchanged(note, name) == unchanged(after, name)

    run(examples, check, note=st.one_of(fronted(), fronted(), notes()), name=names, value=values)


@pytest.mark.slow
@fast_and_slow
def test_y4_an_item_reads_back_and_is_added_once(examples: int) -> None:
    def check(note: Note, name: str, item: str) -> None:
        splice = planned(lambda: add_to_list(note, name, item))
        if splice is None:
            return
        after = written(note, splice)
        items = after.property(name)
        assert isinstance(items, list)
        assert items[-1] == item
        assert [after.text.count(comment) for comment in COMMENTS] == [note.text.count(comment) for comment in COMMENTS]
        assert add_to_list(after, name, item) is None
        assert unchanged(note, name) == unchanged(after, name)

    run(
        examples,
        check,
        note=st.one_of(fronted(), fronted(), notes()),
        name=names,
        item=st.one_of(st.text("ab: -[]äé\n\"'", max_size=8), st.just("[[X]]")),
    )


@pytest.mark.slow
@fast_and_slow
def test_y1_only_bytes_of_the_propertys_own_lines_change(examples: int) -> None:
    changes = 0

    def check(parts: tuple[str, str, str, str], value: Value, items: list[str]) -> None:
        nonlocal changes
        name, before, own, behind = parts
        note = Note("n.md", (before + own + behind).encode())
        plans = (
            lambda: set_property(note, name, value),
            lambda: edit_list(note, name, lambda text: text != "x", items),
        )
        for plan in plans:
            splice = planned(plan)
            if splice is not None:
                changes += 1
                text = written(note, splice).text
                assert text.startswith(before) and text.endswith(behind) and len(text) > len(before + behind)

    texts = st.lists(st.text("ab: -[]\n\"'", max_size=8), max_size=3)
    run(examples, check, parts=split(), value=values, items=texts)
    assert changes > examples


def unchanged(note: Note, name: str) -> tuple[object, ...]:
    """All that setting a property must leave as it was: the other properties in order, and the body."""
    others = [(key, repr(value)) for key, value in note.properties.items() if key.lower() != name.lower()]
    return others, note.body, [heading.text for heading in note.headings], note.blocks


@pytest.mark.slow
@fast_and_slow
def test_joined_splices_equal_splices_applied_in_turn(examples: int) -> None:
    def check(text: str, cuts: list[int], news: list[str]) -> None:
        places = sorted(cut % (len(text) + 1) for cut in cuts[: len(cuts) // 2 * 2])
        spans = zip(places[::2], places[1::2], strict=True)
        splices = [Splice(a, text[a:b], new) for (a, b), new in zip(spans, news, strict=False)]
        if splices:
            expected = text
            for splice in reversed(splices):
                expected = splice.apply(expected)
            whole = join_splices(text, splices[::-1] if len(set(places)) == len(places) else splices)
            assert whole.apply(text) == expected
            assert whole.inverse().apply(expected) == text

    run(
        examples,
        check,
        text=texts(),
        cuts=st.lists(st.integers(0, 200), min_size=2, max_size=8),
        news=st.lists(st.text(max_size=4), min_size=4, max_size=4),
    )


@fast_and_slow
def test_splice_between_two_texts_is_the_smallest_change(examples: int) -> None:
    def check(old: str, new: str) -> None:
        splice = smallest_splice(old, new)
        assert splice.apply(old) == new
        assert not splice.removed or not splice.inserted or splice.removed[0] != splice.inserted[0]

    few = st.text("ab\r\n", max_size=8)
    run(examples, check, old=few, new=few)


@pytest.mark.slow
@fast_and_slow
def test_reading_any_text(examples: int) -> None:
    def check(data: bytes) -> None:
        note = Note("n.md", data)
        try:
            text = note.text
        except VaultkitError as error:
            assert error.message
            assert error.where.startswith("n.md")
            return
        assert note.encoded.to_bytes(text) == data
        read_all(note)
        for link in note.links:
            assert 0 <= link.start <= link.end <= len(text)
            assert (link.line, link.column) == note.places.line_and_column(link.start)
            assert note.places.start(link.line) + link.column - 1 == link.start

    anything = st.one_of(st.binary(max_size=60), notes().map(lambda note: note.data), mangled())
    run(examples, check, data=anything)


@st.composite
def mangled(draw: st.DrawFn) -> bytes:
    """A note with bytes in it that belong to no note."""
    data = draw(notes()).data
    place = draw(st.integers(0, len(data)))
    return data[:place] + draw(st.binary(max_size=4)) + data[place + draw(st.integers(0, 3)) :]


def read_all(note: Note) -> None:
    """Every public property, and every question that a heading can be asked."""
    for name in dir(type(note)):
        if not name.startswith("_") and not callable(getattr(type(note), name)):
            getattr(note, name)
    for heading in note.headings:
        assert heading.start <= heading.end <= note.section_end(heading) <= len(note.text)
        note.section(heading.text)
    assert all(problem.note == "n.md" for problem in note.problems)
