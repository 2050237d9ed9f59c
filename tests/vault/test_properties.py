"""DESIGN section 5, spec Y1 to Y5: one property changes, and no other byte of the note."""

import pytest

from tests.vault.making import add_to_list, note
from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.writing.properties import Value, set_property


def changed(text: str, name: str, value: Value) -> str:
    splice = set_property(note(text), name, value)
    return text if splice is None else splice.apply(text)


def added(text: str, name: str, item: str) -> str:
    splice = add_to_list(note(text), name, item)
    return text if splice is None else splice.apply(text)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("body\n", "x", "---\na: x\n---\nbody\n"),
        ("", 1, "---\na: 1\n---\n"),
        ("one\r\ntwo\r\n", "x", "---\r\na: x\r\n---\r\none\r\ntwo\r\n"),
        ("---\n---\nbody", True, "---\na: true\n---\nbody"),
        ("---\n# mine\n---\n", "x", "---\n# mine\na: x\n---\n"),
        ("---\nb: 1\n---", 1.5, "---\nb: 1\na: 1.5\n---"),
        ("---\nb: 1 # one\n# end\n---\n", "x", "---\nb: 1 # one\n# end\na: x\n---\n"),
        ("---\nb: [1,2]\nc:   'q'\n---\n", ["x", "z"], "---\nb: [1,2]\nc:   'q'\na:\n  - x\n  - z\n---\n"),
        ("---\nb:\n- 1\n---\n", ["x"], "---\nb:\n- 1\na:\n- x\n---\n"),
        ("---\nb: |\n  text\n\n---\n", "x", "---\nb: |\n  text\n\na: x\n---\n"),
    ],
)
def test_y1_property_is_added(before: str, value: Value, after: str) -> None:
    assert changed(before, "a", value) == after


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: 1 # why", 2, "a: 2 # why"),
        ("a: 'old' # why", "new", "a: new # why"),
        ('"a":   "old"', "new", '"a":   new'),
        ("a: x", "[[X|y]]", 'a: "[[X|y]]"'),
        ("a: x", "a: b # c", 'a: "a: b # c"'),
        ("a: x", "Käse 🧀", 'a: "Käse 🧀"'),
        ("a: x", "two\nlines\t\x85", 'a: "two\\nlines\\t\\u0085"'),
        ("a: x", "2026-11-03", "a: 2026-11-03"),
        ("a: x", "2026-11-03T20:15:00", "a: 2026-11-03T20:15:00"),
        ("a: 1", "1", 'a: "1"'),
        ("a: true", "yes", 'a: "yes"'),
        ("a:", "x", "a: x"),
        ("a: # why", "x", "a: x # why"),
        ("a: |\n  one\n  two", "x", "a: x"),
        ("a: >-\n  one # no comment\n\n  two", "x", "a: x"),
        ('a: "one\n  two"', "x", "a: x"),
        ("a: one\n  two", "x", "a: x"),
        ("a: [x, y] # why", "z", "a: z # why"),
        ("a:\n  - x\n  - y", "z", "a: z"),
        ("a: {x: 1}", "z", "a: z"),
        ("a: x", [], "a: []"),
        ("a: x # why", ["x", "z"], "a: # why\n  - x\n  - z"),
        ("a: [x, 'y', z] # why", ["x", "y"], "a: [x, 'y'] # why"),
        ("a: [x, 'y']", ["w", "y", "v", "z"], "a: [w, 'y', v, z]"),
        ("a:\n- x # c\n# between\n- 'y'", ["x", "y", "z"], "a:\n- x # c\n# between\n- 'y'\n- z"),
        ("a:\n  - x # c\n  - 'y' # d\n  - z", ["x", "z"], "a:\n  - x # c\n  - z"),
        ("a:\n  - x # c\n  - y", ["w", "x", "y"], "a:\n  - w\n  - x # c\n  - y"),
        ("A: 1", 2, "A: 2"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_y4_property_is_changed_in_place(before: str, value: Value, after: str, newline: str) -> None:
    around = "---\n# top\nfirst: [a,  b]\n{}\n# below\nlast:   'q' # e\n---\n\n{}: body\n"
    text = around.format(before, before).replace("\n", newline)
    expected = around.format(after, before).replace("\n", newline)
    assert changed(text, "a", value) == expected
    assert set_property(note(expected), "a", value) is None


def test_y1_byte_order_mark_is_preserved() -> None:
    marked = note("﻿---\r\na: 1\r\n---\r\n".encode())
    splice = set_property(marked, "a", 2)
    assert splice is not None
    assert marked.encoded.to_bytes(splice.apply(marked.text)) == "﻿---\r\na: 2\r\n---\r\n".encode()


def test_the_splice_is_as_small_as_the_change() -> None:
    splice = set_property(note("---\nb: x\na: old # why\n---\n"), "a", "new")
    assert splice is not None
    assert (splice.offset, splice.removed, splice.inserted) == (12, "old", "new")


@pytest.mark.parametrize(("value", "same"), [(1, True), (1.0, True), (True, False), ("1", False)])
def test_y3_numbers_checkboxes_and_texts_differ(value: Value, same: bool) -> None:
    assert (set_property(note("---\na: 1\n---\n"), "a", value) is None) is same


@pytest.mark.parametrize(
    "front",
    [
        "a: 1\na: 2\n",
        "b: 1\nb: 2\n",
        "a: 1\nA: 2\n",
        "b: [\n",
        "a: &x 1\nb: *x\n",
        "b: &x 1\na: *x\n",
        '{"a": 1}\n',
        '# JSON\n{"b": 1}\n',
        "just words\n",
        "- a\n",
    ],
)
def test_y1_properties_that_cannot_be_changed_safely_are_refused(front: str) -> None:
    for edit in (set_property, add_to_list):
        with pytest.raises(WriteError) as caught:
            edit(note(f"---\n{front}---\nbody\n"), "a", "x")
        assert caught.value.where.startswith("Note.md")
        assert caught.value.hint


def test_y1_a_note_that_ends_in_its_frontmatter_is_refused() -> None:
    with pytest.raises(WriteError, match="closing"):
        set_property(note("---\na: 1\n"), "a", "x")


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00", " a"])
def test_property_name_is_one_line(name: str) -> None:
    with pytest.raises(WriteError, match="name"):
        set_property(note("x\n"), name, "x")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**30 + 1, "\ud800"])
def test_a_value_that_would_not_read_back_is_refused(value: Value) -> None:
    with pytest.raises(WriteError):
        set_property(note("---\nb: 1\n---\n"), "a", value)


@pytest.mark.parametrize("name", ["a: b", "[x]", "true", "1", "# a", "ä ö", "- x", '"q"', "score-North"])
def test_any_line_can_be_a_property_name(name: str) -> None:
    text = changed("---\nb: 1\n---\n", name, "x")
    assert dict(frontmatter.read(text, "n.md").properties) == {"b": 1, name: "x"}
    assert set_property(note(text), name, "x") is None


def test_y2_keys_of_other_types_than_text_are_found() -> None:
    assert changed("---\n1: goblin\nnull: x\n---\n", "1", "kobold") == "---\n1: kobold\nnull: x\n---\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("b: 1", 'b: 1\na:\n  - "[[X]]"'),
        ("a:", 'a:\n  - "[[X]]"'),
        ('a: ""', 'a:\n  - "[[X]]"'),
        ("a: []", 'a:\n  - "[[X]]"'),
        ("a: [ ] # c\nb:\n- 1", 'a: # c\n- "[[X]]"\nb:\n- 1'),
        ("a: z # why", 'a: # why\n  - z\n  - "[[X]]"'),
        ("a: 1", 'a:\n  - 1\n  - "[[X]]"'),
        ("a: [y]", 'a: [y, "[[X]]"]'),
        ("a: [y, # c\n  'z'] # d", "a: [y, # c\n  'z', \"[[X]]\"] # d"),
        ("a:\n- y # c\n# between\n- 'z'", "a:\n- y # c\n# between\n- 'z'\n- \"[[X]]\""),
        ("a:\n    - y\n\nb: 1", 'a:\n    - y\n    - "[[X]]"\n\nb: 1'),
        ("a:\n- [[Y]]", 'a:\n- [[Y]]\n- "[[X]]"'),
        ("A: [y]", 'A: [y, "[[X]]"]'),
        ("a: '[[X]]'", "a: '[[X]]'"),
        ("a: ['[[X]]', y]", "a: ['[[X]]', y]"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_l6_list_item_is_added(before: str, after: str, newline: str) -> None:
    text, expected = (f"---\n{front}\n---\nbody\n".replace("\n", newline) for front in (before, after))
    assert added(text, "a", "[[X]]") == expected
    assert add_to_list(note(expected), "a", "[[X]]") is None


def test_adding_an_item_creates_the_frontmatter() -> None:
    assert added("body", "tags", "game/tarokka") == "---\ntags:\n  - game/tarokka\n---\nbody"


def test_map_is_not_edited_as_a_list() -> None:
    with pytest.raises(WriteError, match="not a list"):
        add_to_list(note("---\na: {x: 1}\n---\n"), "a", "x")


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("a: x\x7f\nb: 2", "z", "a: z\nb: 2"),
        ("b: |\n  a: 1\n\na:\n- x\n- \x7f\n\nc: 3", ["x"], "b: |\n  a: 1\n\na:\n- x\n\nc: 3"),
        ("a: x\x7f # why\nb: 2", "z", None),
        ("b: [x,\ny: z]\na: 1", "x", None),
    ],
)
def test_whole_lines_are_written_where_places_are_unknown(before: str, value: Value, after: str | None) -> None:
    text = f"---\n{before}\n---\nbody\n"
    if after is None:
        with pytest.raises(WriteError):
            changed(text, "a", value)
    else:
        assert changed(text, "a", value) == f"---\n{after}\n---\nbody\n"


def test_edit_that_reads_back_differently_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vaultkit.vault.writing.properties.replace_value", lambda own, value: "a: y\n")
    assert changed('---\nb: "1"\na: 1\n---\n', "a", "x") == '---\nb: "1"\na: x\n---\n'


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (" x\t# c\td", "z", " z\t# c\td"),
        (" [x, y, z]", ["x"], " [x]"),
        (" [x, # c\n  y]", ["x"], " [x, # c\n  ]"),
        (" [x, 'y']", ["w", "x", "y"], " [w, x, 'y']"),
        (" ['x', y, 'z', w]", ["x", "z", "v"], " ['x', 'z', v]"),
        ("\n  - 'x' # 1\n  - y # 2\n  - 'z' # 3\n  - w", ["x", "z", "v"], "\n  - 'x' # 1\n  - 'z' # 3\n  - v"),
        ("\n  - x # 1\n  # 2\n  - y", ["z", "y"], "\n  - z # 1\n  # 2\n  - y"),
        ("\n  # 1\n  - x", [], " []\n  # 1"),
        ("\n  -\n  - x", ["z", "x"], "\n  - z\n  - x"),
        ("\n  - - x\n  - y", ["y"], "\n  - y"),
        ("\n  # 1\n  x", "z", " z\n  # 1"),
        ("\n  - a: 1\n    b: 2\n  # 1\n  - y", ["y", "z"], "\n  # 1\n  - y\n  - z"),
    ],
)
def test_y4_comments_stay_in_place(before: str, value: Value, after: str) -> None:
    assert changed(f"---\na:{before}\nb: 1\n---\n", "a", value) == f"---\na:{after}\nb: 1\n---\n"


@pytest.mark.slow
def test_long_list_is_edited_quickly() -> None:
    text = "---\na:\n" + "- item\n" * 3000 + "---\n"
    assert added(text, "a", "x") == "---\na:\n" + "- item\n" * 3000 + "- x\n---\n"
