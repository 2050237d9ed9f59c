"""The syntax of section 1.6 of the specification, which has no numbers: callouts, comments, footnotes, settings."""

from pathlib import Path

import pytest

from tests.vault.making import check, make_files, note
from vaultkit.vault import markdown
from vaultkit.vault.writing.link_style import LinkStyle


def callouts(text: str) -> list[tuple[str, str]]:
    """Kind and title of each callout."""
    nodes = (node for node in markdown.parse(text).walk() if node.kind == "Callout")
    return [(node.text, node.children[0].words()) for node in nodes]


def paragraphs(text: str) -> list[str]:
    """The words of each paragraph; those of a footnote stand behind all others."""
    return [node.words() for node in markdown.parse(text).walk() if node.kind == "Paragraph"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> [!note]", [("note", "")]),
        ("> [!NOTE] Title", [("note", "Title")]),
        ("> [!example|right] T", [("example", "T")]),
        ("> [!quote]- Folded\n> text", [("quote", "Folded")]),
        ("> [!quote]+ Open\r\n> text", [("quote", "Open")]),
        ("> [!my-own kind|a|b]+ *T*", [("my-own kind", "T")]),
        ("> [!a] 1\n> > [!b] 2\n> > > [!c] 3", [("a", "1"), ("b", "2"), ("c", "3")]),
        ("- > [!tip] In a list", [("tip", "In a list")]),
        ("> text\n> [!note] not the first line", []),
        ("> see [!note]", []),
        ("[!note] no quote", []),
        ("> `[!note]` code", []),
        ("> # [!note] a heading", []),
        (">", []),
    ],
)
def test_callouts(text: str, expected: list[tuple[str, str]]) -> None:
    assert callouts(text) == expected


def test_s6_links_and_blocks_in_callouts_count_but_not_headings() -> None:
    found = note("> [!note]- About [[A]]\n> ## Inside\n> - [[B|b]] ^item\n>\n> > [!tip] ![[C]]\n")
    assert [link.path for link in found.links] == ["A", "B", "C"]
    assert found.headings == ()
    assert found.blocks == {"item"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a %%hidden%% b", ["a  b"]),
        ("a\n\n%%\nhidden\n\nmore\n%%\n\nb", ["a", "b"]),
        ("`%%code%%`", ["%%code%%"]),
        ("100% of 50% and 5%%", ["100% of 50% and 5%%"]),
    ],
)
def test_comments_are_not_shown(text: str, expected: list[str]) -> None:
    assert paragraphs(text) == expected


@pytest.mark.parametrize(
    ("text", "label", "is_there"),
    [
        ("a[^1]\n\n[^1]: one", "1", True),
        ("a[^Long-Name]\n\n[^Long-Name]: one\n\n    two", "long-name", True),
        ("a[^Long-Name]\r\n\r\n[^Long-Name]: one\r\n", "LONG-NAME", True),
        ("> a[^q]\n>\n> [^q]: in a quote", "q", True),
        ("a[^1]\n\n[^1]: one", "2", False),
        ("a^[inline] b", "1", False),
        ("a[^1] without a text", "2", False),
        ("```\n[^1]: code\n```", "1", False),
    ],
)
def test_s4_footnotes(tmp_path: Path, text: str, label: str, is_there: bool) -> None:
    vault = make_files(tmp_path, {"N.md": f"[[#[^{label}]|note]]\n\n{text}\n"})
    found = {problem.code for problem in check(vault).problems} - {"footnote"}
    assert found == (set() if is_there else {"link-block"})


def test_inline_footnote_is_a_footnote() -> None:
    assert paragraphs("a^[b [[C]]] d")[0].startswith("a")
    assert [link.path for link in note("a^[b [[C]]] d").links] == ["C"]


@pytest.mark.parametrize(
    ("app", "style"),
    [
        (None, LinkStyle("shortest")),
        ("", LinkStyle("shortest")),
        ("{", LinkStyle("shortest")),
        ("[1]", LinkStyle("shortest")),
        ("{}", LinkStyle("shortest")),
        ('{"newLinkFormat": "relative"}', LinkStyle("relative")),
        ('{"newLinkFormat": "absolute", "useMarkdownLinks": true}', LinkStyle("absolute", True)),
        ('{"newLinkFormat": "newer", "useMarkdownLinks": "yes", "unknown": []}', LinkStyle("shortest")),
        (b"\xef\xbb\xbf{}", LinkStyle("shortest")),
        (b"\xff\xfe", LinkStyle("shortest")),
    ],
)
def test_app_json_in_every_state(tmp_path: Path, app: str | bytes | None, style: LinkStyle) -> None:
    vault = make_files(tmp_path, {} if app is None else {".obsidian/app.json": app})
    assert LinkStyle.from_settings(vault.app_settings) == style


def test_canvas_nodes_are_checked_as_links(tmp_path: Path) -> None:
    nodes = '{"nodes": [{"type": "file", "file": "A.md", "subpath": "#No"}, {"type": "text", "text": "[[B]]"}]}'
    found = check(make_files(tmp_path, {"C.canvas": nodes, "A.md": "# Yes\n"})).problems
    assert [(problem.note, problem.code) for problem in found] == [
        ("C.canvas", "link-heading"),
        ("C.canvas", "link-unwritten"),
    ]


@pytest.mark.parametrize(("fence", "inner"), [("````", "```"), ("```", "```js"), ("~~~~", "~~~")])
def test_table_within_code_is_not_changed(fence: str, inner: str) -> None:
    code = f"{inner}\n| a |\n|---|\n| b | c |\n"
    (block,) = markdown.parse(f"{fence}\n{code}{fence}\n").children
    assert (block.kind, block.words()) == ("CodeBlock", code)
