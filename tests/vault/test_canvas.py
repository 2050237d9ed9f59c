import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.vault import Link, canvas
from vaultkit.vault.text_positions import Places

FULL = """{
\t"nodes":[
\t\t{"id":"a","type":"file","file":"Cards/Raven.md","x":0,"y":0,"width":400,"height":400},
\t\t{"id":"b","file":"Cards/Raven.md","subpath":"#The Raven","type":"file"},
\t\t{"id":"c","type":"text","text":"Cards/Raven.md\\n\\u00e9 [[Raven|the bird]], ![](a%20b.png) and `[[code]]`"},
\t\t{"id":"d","type":"group","label":"Cards/Raven.md","background":"pictures/map.png","backgroundStyle":"cover"},
\t\t{"id":"e","type":"link","url":"https://a.b/[[c]]"},
\t\t{"id":"f","type":"of tomorrow","file":"[[x]]"}
\t],
\t"edges":[{"id":"g","fromNode":"a","toNode":"b","label":"[[Raven]]"}],
\t"metadata":{"nodes":[{"type":"file","file":"x.md"}]}
}"""


def links(text: str | bytes) -> list[Link]:
    found, problems = canvas.read_links("A.canvas", text if isinstance(text, bytes) else text.encode())
    assert problems == ()
    return list(found)


def nodes(*members: object) -> str:
    return json.dumps({"nodes": members})


def complaints(text: str | bytes) -> list[tuple[int, int, str]]:
    _, problems = canvas.read_links("A.canvas", text if isinstance(text, bytes) else text.encode())
    assert {problem.note for problem in problems} <= {"A.canvas"}
    assert all(problem.hint for problem in problems)
    return [(problem.line, problem.column, problem.message) for problem in problems]


def test_every_kind_of_canvas_node() -> None:
    assert [(link.kind, link.embed, link.text, link.path, link.subpath) for link in links(FULL)] == [
        ("canvas", True, "", "Cards/Raven.md", ""),
        ("canvas", True, "", "Cards/Raven.md", "The Raven"),
        ("wikilink", False, "the bird", "Raven", ""),
        ("markdown", True, "", "a b.png", ""),
        ("canvas", True, "", "pictures/map.png", ""),
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_link_place_is_the_place_of_its_value(newline: str) -> None:
    text = FULL.replace("\n", newline)
    first, second, wiki, picture, background = links(text)
    assert text[first.start : first.end] == text[second.start : second.end] == "Cards/Raven.md"
    assert (first.line, first.column) == (3, 35)
    assert (second.line, second.column) == (4, 21)
    assert text[wiki.start : wiki.end].startswith("Cards/Raven.md\\n\\u00e9 [[Raven|")
    assert (wiki.line, wiki.column) == (picture.line, picture.column) == (5, 35)
    assert text[background.start : background.end] == "pictures/map.png"
    assert background.line == 6


def test_canvas_path_is_not_decoded() -> None:
    (link,) = links(nodes({"type": "file", "file": " a%20b\u00a0#c|d.md", "subpath": "#^Id"}))
    assert (link.path, link.subpath) == (" a%20b\u00a0#c|d.md", "^Id")


def test_canvas_text_nodes_are_markdown_with_plugin_syntax() -> None:
    text = "---\n[[A]]\n\n```ad-note\n[[B]]\n```\n`dice: [[C^d]]` [e](https://e.f)\n"
    found = [(link.kind, link.target, link.external) for link in links(nodes({"type": "text", "text": text}))]
    assert found == [
        ("wikilink", "A", False),
        ("fence", "B", False),
        ("dice", "C#^d", False),
        ("markdown", "https://e.f", True),
    ]


@pytest.mark.parametrize(
    "text",
    ["", " \r\n", b"\xef\xbb\xbf", "{}", '{"nodes":[]}', '{"edges":[]}', "{ } ", nodes({"type": "text", "text": ""})],
)
def test_empty_file_is_an_empty_canvas(text: str | bytes) -> None:
    assert links(text) == []


def test_byte_order_marks_and_long_numbers_are_accepted() -> None:
    (link,) = links(b'\xef\xbb\xbf{"x":' + b"9" * 5000 + b',"nodes":[{"type":"file","file":"a.md"}]}')
    assert (link.path, link.line, link.column) == ("a.md", 1, 5039)


def test_last_of_two_members_with_one_name_wins() -> None:
    (link,) = links('{"nodes":3,"nodes":[{"type":"text","file":"a.md","type":"file","file":"b.md"}]}')
    assert link.path == "b.md"


def test_half_a_surrogate_pair_is_invalid_text() -> None:
    found = links(r'{"nodes":[{"type":"file","file":"\ud800.md"},{"type":"text","text":"\udc00 [[A]]"}]}')
    assert [link.path for link in found] == ["?.md", "A"]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('{"nodes":[\n  {"type":]}', 2, 11, "not valid JSON"),
        ("# A note", 1, 1, "not valid JSON"),
        ("{} {}", 1, 4, "not valid JSON"),
        ('{"a": "b\nc"}', 1, 9, "not valid JSON"),
        ("\n[]", 2, 1, "not a JSON object"),
        ("null", 1, 1, "not a JSON object"),
        ('{"nodes": {}}', 1, 11, "not a list"),
        ('{"nodes": [\n 4]}', 2, 2, "A node of this canvas is not a JSON object"),
        ('{"nodes": [{"file": "a.md"}]}', 1, 12, "does not say its type"),
        ('{"nodes": [{"type": 3}]}', 1, 12, "does not say its type"),
        ('{"nodes": [{"type": "file"}]}', 1, 12, "names no file"),
        ('{"nodes": [{"type": "file", "file": ""}]}', 1, 12, "names no file"),
        ('{"nodes": [{"type": "file", "file": ["a"]}]}', 1, 37, "'file' of a node of this canvas is not text"),
        ('{"nodes": [{"type": "text"}]}', 1, 12, "has no text"),
        ('{"nodes": [{"type": "text", "text": null}]}', 1, 37, "'text' of a node of this canvas is not text"),
        ('{"nodes": [{"type": "group", "background": 1}]}', 1, 44, "'background' of a node"),
        (b"{\n\xff}", 2, 1, "not UTF-8"),
        ("[" * 200_000, 1, 1, "too deeply"),
    ],
)
def test_invalid_canvas_is_a_problem(text: str | bytes, line: int, column: int, message: str) -> None:
    (complaint,) = complaints(text)
    assert complaint[:2] == (line, column)
    assert message in complaint[2]


def test_bad_node_does_not_hide_other_nodes() -> None:
    text = nodes(4, {"type": "file", "file": "a.md", "subpath": 3}, {}, {"type": "file", "file": "b.md"})
    found, problems = canvas.read_links("A.canvas", text.encode())
    assert [link.path for link in found] == ["a.md", "b.md"]
    assert len(problems) == 3


PATHS = st.text(min_size=1, max_size=20)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.sampled_from(["file", "text", "group"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["nodes", "type", "file", "text", "subpath", "background"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(st.lists(PATHS, max_size=5), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_file_places_in_the_canvas_are_exact(paths: list[str], plain: bool, indent: int | str | None) -> None:
    canvas_nodes = {"nodes": [{"label": path, "type": "file", "file": path} for path in paths]}
    text = json.dumps(canvas_nodes, ensure_ascii=plain, indent=indent)
    places = Places(text)
    found = links(text)
    assert [link.path for link in found] == paths
    for link in found:
        assert json.loads(text[link.start - 1 : link.end + 1]) == link.path
        assert text[: link.start].endswith('"file": "')
        assert (link.line, link.column) == places.line_and_column(link.start)


@pytest.mark.slow
@given(ANYTHING | st.fixed_dictionaries({"nodes": st.lists(ANYTHING, max_size=4)}))
def test_any_json_is_read_or_reported(value: object) -> None:
    found, problems = canvas.read_links("A.canvas", json.dumps(value).encode())
    assert all(problem.code == "canvas" for problem in problems)
    assert all(link.kind == "canvas" or link.start for link in found)
    assert isinstance(value, dict) or problems


@pytest.mark.slow
@given(st.binary() | st.text('{}[]",: nodestypefile\\u\n0').map(str.encode))
def test_any_bytes_are_read_or_reported(data: bytes) -> None:
    found, problems = canvas.read_links("A.canvas", data)
    assert isinstance(found, tuple)
    assert all(problem.code in ("canvas", "unreadable") for problem in problems)
