import re
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.wording import Says
from vaultkit.errors import Problem
from vaultkit.vault.frontmatter import _BLOCK, MAX_CHARS, Frontmatter, body_start, has_alias, read

PLAIN_BLOCK = re.compile(r"\A---(?:\r\n|\n)(?P<yaml>.*?)^---[ \t]*(?:\r\n|\n|\Z)", re.DOTALL | re.MULTILINE)
"""The block of properties as Obsidian's documentation defines it, without regard to speed."""
LINES = ("---", "--- ", "---\t", "----", " ---", "---x", "a: 1", "", "- ---", "\r", "\r\n", "\n", "\n", "\n", "\u2028")


@pytest.mark.slow
@settings(max_examples=count(200, 50_000))
@given(st.lists(st.sampled_from(LINES), max_size=12).map("".join))
def test_y1_a_block_ends_at_the_first_line_of_dashes(text: str) -> None:
    for source in (text, f"---\n{text}"):
        block, plain = _BLOCK.match(source), PLAIN_BLOCK.match(source)
        assert (block and (block.span(), block["yaml"])) == (plain and (plain.span(), plain["yaml"]))
        assert body_start(source) == (plain.end() if plain else 0)


def properties(yaml: str) -> dict[str, object]:
    found = read(f"---\n{yaml}\n---\n", "Note.md")
    assert found.problems == ()
    return dict(found.properties)


def problem(text: str, properties: dict[str, object] | None = None) -> Problem:
    found = read(text, "Note.md")
    assert found.properties == (properties or {})
    (told,) = found.problems
    assert told.code == "frontmatter"
    return told


@pytest.mark.parametrize(
    "text",
    ["---\na: 1\n---\nBody", "---\r\na: 1\r\n---\r\nBody", "---\na: 1\n---", "---\na: 1\n--- \nBody"],
)
def test_y1_a_block_at_the_very_start(text: str) -> None:
    found = read(text, "Note.md")
    assert found.properties == {"a": 1}
    assert text[found.body_start :] in ("Body", "")


@pytest.mark.parametrize("text", ["", "Body", "\n---\na: 1\n---\n", "----\na: 1\n----\n", " ---\na: 1\n---\n", "---"])
def test_y1_no_block(text: str) -> None:
    assert read(text, "Note.md") == Frontmatter({}, 0)


def test_y1_empty_block() -> None:
    assert read("---\n---\nBody", "Note.md") == Frontmatter({}, 8)
    assert read("---\n# a comment\n---\nBody", "Note.md").properties == {}


def test_y1_json_is_read() -> None:
    assert properties('{"a": [1, 2], "b": "x"}') == {"a": [1, 2], "b": "x"}


def test_y1_unclosed_block_is_reported() -> None:
    assert problem("---\ntitle: x\n\nBody").message == Says("properties", "top", "no closing '---'")


def test_y2_yaml_1_2() -> None:
    yaml = "a: yes\nb: on\nc: 012\nd: 10:30\ne: 1_000\nf: 0o17\ng: true\nh: ~\ni: 2026-11-03"
    values = ["yes", "on", 12, "10:30", "1_000", 15, True, None, "2026-11-03"]
    assert list(properties(yaml).values()) == values


def test_y3_types_lists_and_maps() -> None:
    assert properties("n: 1.5\nl: [a, b]\nm:\n  x: {y: z}") == {"n": 1.5, "l": ["a", "b"], "m": {"x": {"y": "z"}}}


def test_keys_of_any_type_become_texts() -> None:
    assert properties("1: goblin\nfalse: x\n~: y\n[a]: z") == {"1": "goblin", "false": "x", "null": "y", "['a']": "z"}
    assert properties("!hp 12: z\ndate: {{date}}") == {"12": "z", "date": {"{'date': None}": None}}


@pytest.mark.parametrize("key", ["[{[a]: b}]: z", "{ {a}: b}: z", "? ? ? a", "? { { {a}: 1}: 2}\n: z", "? " * 31 + "a"])
def test_list_or_map_as_a_key_in_a_key_is_refused(key: str) -> None:
    for yaml in (f"ok: 1\n{key}", f"nested:\n  - {key}".replace("\n:", "\n    :")):
        assert "the name of a property is a list or a map" in read(f"---\n{yaml}\n---\n", "Note.md").problems[0].message


@pytest.mark.parametrize("repeated", ["? ", "{? ", "[{? ", "? - ", "? !a "])
def test_nested_keys_take_no_more_memory_than_other_yaml(repeated: str) -> None:
    yaml = f"a: {repeated * 30}" if repeated[0] in "{[" else repeated * 30
    tracemalloc.start()
    try:
        read(f"---\n{yaml}a\n---\n", "Note.md")
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_yaml_tags_are_removed() -> None:
    assert properties("a: !dice 1d6\nb: [!!binary aGk=]") == {"a": "1d6", "b": ["aGk="]}


@pytest.mark.parametrize("yaml", ["- a\n- b", "just words", "42"])
def test_frontmatter_that_is_not_a_map_is_a_problem(yaml: str) -> None:
    assert "not of the form 'name: value'" in problem(f"---\n{yaml}\n---\n").message


def test_broken_yaml_is_reported_with_its_place() -> None:
    told = problem('---\nok: 1\naliases: ["Laiba "Nana" Rosse"]\n---\nBody', {"ok": 1})
    assert told.line == 3
    told = problem("---\na: b: c\n---\n")
    assert (told.line, told.column) == (2, 5)


@pytest.mark.parametrize(("width", "levels"), [(10, 9), (2, 40), (1, 400)])
def test_alias_bombs_are_refused_without_expanding(width: int, levels: int) -> None:
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    told = problem("---\na0: &a0 [x]\n" + "\n".join(lines) + "\n---\n")
    assert re.search("more than (?:50,000 characters|1,000 values)", told.message)


def test_harmless_aliases_are_followed() -> None:
    yaml = "base: &b [R&D, D&D]\nmore: *b\nagain: *b\ntext: '*b* and &c'"
    assert properties(yaml)["again"] == ["R&D", "D&D"]


def test_very_long_frontmatter_is_refused() -> None:
    assert "more than 200,000 characters" in problem(f"---\na: {'x' * MAX_CHARS.maximum}\n---\n").message


def test_deep_nesting_is_a_problem() -> None:
    assert "more than 32 lists and maps" in problem(f"---\na: {'[' * 5000}{']' * 5000}\n---\n").message


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("lines", "properties", "line"),
    [
        (["tags:", "- a", "- b", 'aliases: ["A "B" C"]', "x: 1"], {"tags": ["a", "b"], "x": 1}, 5),
        (["cssclasses: json5e-deck", "aliases: [open", "suit: Swords"], {"cssclasses": "json5e-deck"}, 3),
        (["", "# comment", "a:", "  - b: c: d", "", "e: f"], {"e": "f"}, 5),
        (["base: &b [x]", "more: *c", "again: *b"], {"base": ["x"]}, 3),
        (["x", "y: 1"], {"y": 1}, 3),
    ],
)
def test_y5_readable_parts_of_invalid_frontmatter(
    end: str, lines: list[str], properties: dict[str, object], line: int
) -> None:
    found = read(end.join(["---", *lines, "---", "Body"]), "Note.md")
    missing = {name: value for name, value in properties.items() if found.properties.get(name) != value}
    assert missing == {}
    assert [(told.code, told.line) for told in found.problems] == [("frontmatter", line)]


@pytest.mark.slow
@given(st.text("ab:\"'[]{}-& *#|>\n\t", max_size=60))
def test_reading_frontmatter_never_raises(yaml: str) -> None:
    found = read(f"---\n{yaml}\n---\nBody", "Note.md")
    assert all(1 <= told.line <= yaml.count("\n") + 3 for told in found.problems)


def test_broken_frontmatter_of_many_lines_is_read_in_one_pass() -> None:
    lines = [f"key{number}: value" for number in range(5000)]
    found = read("\n".join(["---", *lines, 'bad: "x', "---", ""]), "Note.md")
    assert (len(found.properties), found.problems[0].line) == (5000, 5002)


MARKS = " ".join(f"R &D{number} and *bold{number}*" for number in range(60))


@pytest.mark.parametrize(
    "yaml",
    [
        f"text: |\n  {MARKS}\n",
        f"text: >-\n  Tom & Jerry\n  {MARKS}\n",
        f'text: "{MARKS}"\n',
        f"text: '{MARKS}'\n",
        f"text: see {MARKS}\n",
        f"# {MARKS}\ntext: 1\n",
        f"text: |\n  a\tb {MARKS}\u2028 c 🎲\n",
        f"list:\n  - '{MARKS}'\ntext: [\"{MARKS}\"]\n",
        "text: '" + "[" * 200 + "'\n",
        "text: |\n  " + "- " * 60 + "\n",
        "text: |\n  a" + " " * 300 + "b\n",
    ],
)
def test_characters_in_texts_and_comments_are_not_anchors_aliases_or_lists(yaml: str) -> None:
    found = read(f"---\n{yaml}name: Bram\n---\n", "n.md")
    assert not found.problems
    assert found.properties["name"] == "Bram"
    assert "text" in found.properties


def growing(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize("more", ["", "\ntext: '&b *b'", "\ntext: |\n  &b *b\n", "\nb: &b.c [*b.c]", "\nb:\t&b *b"])
def test_growing_aliases_are_refused_among_any_text(more: str) -> None:
    (problem,) = read(f"---\n{growing(9)}{more}\n---\n", "n.md").problems
    assert problem.message.endswith("more than 50,000 characters.")
    assert not read(f"---\n{growing(2)}\n---\n", "n.md").problems


@pytest.mark.parametrize("yaml", ["a: " + "[" * 150 + "]" * 150, "a:\n  " + "- " * 60 + "x", 'q: "["\na: ' + "[" * 150])
def test_deeply_nested_lists_are_refused(yaml: str) -> None:
    (problem,) = read(f"---\n{yaml}\n---\n", "n.md").problems
    assert problem.message == Says("more than 32 lists and maps")


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("a: &x 1\nb: *x\n", True),
        ("a: &x 1\nb: &y 2\nc: [*y]\n", True),
        ("a: &x 1\n", False),
        ("a: *x\nb: &x 1\n", False),
        ("a: &x 1\nb: *y\n", False),
        ("a: &x 1\nb: '*x'\n", False),
    ],
)
def test_an_alias_follows_its_anchor(yaml: str, expected: bool) -> None:
    assert has_alias(yaml) is expected
