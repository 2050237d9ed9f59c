from pathlib import Path

import pytest

from tests.vault.making import check, make_files
from tests.wording import Says
from vaultkit.errors import Problem
from vaultkit.vault import Vault

FILES: dict[str, str | bytes] = {
    "my note.md": "# A B\n",
    "Ivo.md": "",
    "img/a b.png": "",
    "Foo (old) x.md": "",
    "7.md": "",
}
HOSTILE = [
    "\n" * 50_000 + "---\n" + "a: b\n" * 20_000,
    "-" * 50_000,
    "\n---\n" + "a" * 50_000 + "\n" * 50_000,
    "---\ntags:\n- \n- a" + "\t" * 50_000 + "\n- #" + "1" * 50_000 + "\n- #1" + " #1" * 20_000 + "\n---\n",
]
"""Blocks of properties that no person writes."""


_OTHERS = {"link-unresolved", "link-unwritten", "frontmatter", "nul"}


def problems(vault: Vault) -> list[Problem]:
    """Of the note `N.md`, without broken links and frontmatter."""
    return [problem for problem in check(vault, ["N.md"]).problems if problem.code not in _OTHERS]


def found(root: Path, text: str) -> list[tuple[int, int, str]]:
    vault = make_files(root, {**FILES, "N.md": text})
    return [(problem.line, problem.column, problem.code) for problem in problems(vault)]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("[t](my note.md)", [5]),
        ("é [t](my note.md) and [t](my note.md#A)", [7, 27]),
        ('![p](img/a b.png "title")', [6]),
        ("[*t* `x`](my note)", [11]),
        ("[t](Foo (old) x.md)", [5]),
        ("[t](my note%2Emd)", [5]),
        ("%% [t](my note.md) %%", [8]),
        ("| a |\n|---|\n| [t](my note.md) |", [7]),
        ("[t](#A B)", [5]),
        ("[a [b](my note.md)", [8]),
    ],
)
def test_l3_a_space_in_a_destination(tmp_path: Path, text: str, columns: list[int]) -> None:
    line = text.count("\n") + 1
    assert found(tmp_path, f"# A B\n\n{text}\n") == [(line + 2, column, "link-space") for column in columns]


@pytest.mark.parametrize(
    "text",
    [
        "[sic](see above)",
        "[t](my%20note.md)",
        "[t](<my note.md>)",
        '[t](Ivo.md "a title")',
        "`[t](my note.md)`",
        "```\n[t](my note.md)\n```",
        "    [t](my note.md)",
        "$[t](my note.md)$",
        "<div>\n[t](my note.md)\n</div>",
        r"\[t](my note.md)",
        "[[Ivo]](my note.md)",
        "[t](Ivo.md)(my note.md)",
        "[t](https://a.b/my note.md)",
        "[t](#No Such Heading)",
        "t](my note.md)",
        "[t] (my note.md)",
        "[t](my note.md",
        "[t](my\nnote.md)",
    ],
)
def test_l3_no_false_alarm(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, f"{text}\n") == []


@pytest.mark.parametrize(
    ("block", "places"),
    [
        ("a: [[Ivo]]", [(2, 4)]),
        ("a: [[Nobody|N]] # said", [(2, 4)]),
        ("a:\n  - [[Ivo#Past]]\n  - x", [(3, 5)]),
        ("a: [[[Ivo]], [[my note]]]", [(2, 5), (2, 14)]),
        ("a: {b: [[Ivo's]]}", [(2, 8)]),
        ("a: [[7]]", [(2, 4)]),
        ("a: [[Ivo]]\nb: [[Ivo]]", [(2, 4), (3, 4)]),
    ],
)
def test_l6_brackets_without_quotes_are_reported(tmp_path: Path, block: str, places: list[tuple[int, int]]) -> None:
    text = f"---\n{block}\n---\n"
    assert found(tmp_path, text) == [(*place, "property-link") for place in places]
    (tmp_path / "N.md").unlink()
    assert found(tmp_path, text.replace("\n", "\r\n")) == [(*place, "property-link") for place in places]


@pytest.mark.parametrize(
    "block",
    [
        'a: "[[Ivo]]"',
        "a: see [[Ivo]]",
        "a: [[1, 2]]",
        "a: [[3]]",
        "a: [[1, 2], [3, 4]]",
        "a: [x, [[y, z]]]",
        "a: 1 # [[Ivo]]",
        "a: |\n  - [[Ivo]]",
        "a: [[Ivo]] and [[x]]",
        "aliases: [[Ivo]]",
        "tags: [[Ivo]]",
    ],
)
def test_l6_no_false_alarm(tmp_path: Path, block: str) -> None:
    assert found(tmp_path, f"---\n{block}\n---\n[[Ivo]]\n") == []


@pytest.mark.parametrize(
    ("block", "places"),
    [
        ("tags: a, b", [(2, 7)]),
        ('Tags: "a, b" # c', [(2, 8)]),
        ("tags: a b", [(2, 7)]),
        ("tags: [a, b c]", [(2, 11)]),
        ("x: b c\ntags:\n  - a\n  - b c\n  - 'd, e'", [(5, 5), (6, 6)]),
    ],
)
def test_y4_invalid_tags_are_reported(tmp_path: Path, block: str, places: list[tuple[int, int]]) -> None:
    assert found(tmp_path, f"---\n{block}\n---\n") == [(*place, "property-tags") for place in places]


@pytest.mark.parametrize(
    "block", ["tags: a", "tags: '#a'", "tags: [a, b/c]", "tags:", "tags: 3", "cssclasses: x", "tag: a, b"]
)
def test_y4_scalars_are_accepted(tmp_path: Path, block: str) -> None:
    assert found(tmp_path, f"---\n{block}\n---\n") == []


@pytest.mark.parametrize(
    ("block", "places"),
    [
        ("tags: #npc", [(2, 7)]),
        ("x: #a\nTAGS:  #npc/dead  # why\ny: 1", [(3, 8)]),
        ("tags: #npc #dead, #b", [(2, 7)]),
        ("tags:\n  - #npc\n  - place\n  -  #b1", [(3, 5), (5, 6)]),
        ("tags:\n- #npc #dead\nx:\n- #a", [(3, 3)]),
        ("aliases:\ntags: #npc\n# end", [(3, 7)]),
    ],
)
def test_y4_tags_written_as_comments(tmp_path: Path, block: str, places: list[tuple[int, int]]) -> None:
    text = f"---\n{block}\n---\n# A #b\n"
    assert found(tmp_path, text) == [(*place, "property-tags") for place in places]
    (tmp_path / "N.md").unlink()
    assert found(tmp_path, text.replace("\n", "\r\n")) == [(*place, "property-tags") for place in places]


@pytest.mark.parametrize(
    "block",
    [
        "tags: # none yet",
        "tags:\n  # - npc",
        "tags:\n  #npc",
        "tags: #1",
        "tags: #TODO ask Ivo",
        "tags: #{{kind}}",
        "tags: npc #b",
        "tags: '#npc'",
        "tags:\n- npc #b\n-",
        "tags:\n  - npc\n  # - #b",
        "tag: #npc",
        "tags:\nx: #npc\ny:\n- #npc",
        "tags:\n  -\n    #npc",
    ],
)
def test_y4_comments_are_not_reported(tmp_path: Path, block: str) -> None:
    assert found(tmp_path, f"---\n{block}\n---\n#npc\n") == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("\n---\ntype: npc\n---\n", "Write '---' in the very first line: delete what is before it."),
        ("\r\n \r\n---\r\ntype: npc\r\n---", "Write '---' in the very first line: delete what is before it."),
        (
            " ---\naliases:\n- Ivo\n\n'a b': {c: 1}\n---\n# H\n",
            "Write '---' in the very first line: delete what is before it.",
        ),
        ("--- \ntype: npc\n---\n", "Write '---' in the first line."),
        ("--- Ivo\ntype: npc\n---\n", "Write '---' in the first line."),
        ("\n----\ntype: npc\n----\n", "Write '---' in the first line."),
    ],
)
def test_y1_properties_outside_the_frontmatter_are_reported(tmp_path: Path, text: str, hint: str) -> None:
    vault = make_files(tmp_path, {"N.md": text})
    (problem,) = problems(vault)
    assert (problem.line, problem.column, problem.code) == (1, 1, "frontmatter-place")
    is_repaired = text.split(maxsplit=1)[0] == "---" and "Ivo\ntype" not in text
    assert (problem.hint, problem.severity) == (hint, "error" if is_repaired else "warning")


@pytest.mark.parametrize(
    "text",
    [
        "---\ntype: npc\n---\n",
        "\n---\n\n# Ivo\n\n---\n",
        "\n---\ntype: npc\n",
        "\n---\nThe bell: it rang.\nThen silence.\n---\n",
        "\n---\n# Ivo\na: b\n---\n",
        "\n---\na:b\n---\n",
        "# Ivo\n\n---\ntype: npc\n---\n",
        "\n- - -\ntype: npc\n---\n",
        "--\ntype: npc\n---\n",
        "\n---\n[t]: https://a.b\n---\n",
    ],
)
def test_y1_horizontal_rules_are_not_reported(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


def test_hints_state_what_to_write(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {**FILES, "N.md": "---\na: [[Ivo]]\n---\n[t](my note.md)\n"})
    brackets, space = problems(vault)
    assert (space.hint, space.severity) == ("Write 'my%20note.md'.", "error")
    assert (brackets.hint, brackets.severity) == (Says("Write", "[[Ivo]]", "quotes"), "error")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["[](" * 20_000, "[a](b " * 20_000, "[" * 50_000 + "](a b", "](" + "a(" * 20_000, *HOSTILE]
)
def test_long_lines_are_checked_quickly(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []
