from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import note
from vaultkit.vault import Link
from vaultkit.vault.embedded_links import links_in_code, links_in_fence, links_in_html
from vaultkit.vault.text_positions import Places

BEFORE = "é𝄞 before\r\n> "
"""Stands before a piece, so that offsets in the piece and in the note differ."""


def read(find: Callable[..., Iterator[Link]], piece: str, *first: str) -> list[Link]:
    """The links of a piece that stands amid a note; their places are checked."""
    text = f"{BEFORE}{piece} [[After]] ![x](y.md) `dice: [[After]]` <img src=z>"
    places = Places(text)
    found = list(find(*first, text, len(BEFORE), len(BEFORE) + len(piece), places))
    for link in found:
        assert len(BEFORE) <= link.start < link.end <= len(BEFORE) + len(piece)
        assert (link.line, link.column) == places.line_and_column(link.start)
        assert not {"\n", "\r"} & set(text[link.start : link.end])
    return found


def code(piece: str) -> list[Link]:
    return read(links_in_code, piece)


def fence(info: str, content: str, mark: str = "```") -> list[Link]:
    return read(links_in_fence, f"{mark}{info}\n{content}\n{mark}", info)


def html(piece: str) -> list[Link]:
    return read(links_in_html, piece)


def targets(found: list[Link]) -> list[str]:
    return [link.target for link in found]


def written(piece: str, link: Link) -> str:
    return piece[link.start - len(BEFORE) : link.end - len(BEFORE)]


@pytest.mark.parametrize(
    ("piece", "path", "subpath", "shown", "span"),
    [
        ("`dice: [](deck.md#^cards)`", "deck.md", "^cards", "", "[](deck.md#^cards)"),
        ("`dice: [](a%20b/deck.md#^id)`", "a b/deck.md", "^id", "", "[](a%20b/deck.md#^id)"),
        ("`dice: [](Deck Note.md#^id)`", "Deck Note.md", "^id", "", "[](Deck Note.md#^id)"),
        ("`dice: [x](deck (2).md^id)`", "deck (2).md", "^id", "x", "[x](deck (2).md^id)"),
        ("`dice: [](<deck.md#^id>)`", "deck.md", "^id", "", "[](<deck.md#^id>)"),
        ("`dice: [[Note^id]]`", "Note", "^id", "Note^id", "[[Note^id]]"),
        ("`dice: [[Note ^id ]]`", "Note", "^id", "Note ^id", "[[Note ^id ]]"),
        ("`dice: 2d4[[Note^id]]`", "Note", "^id", "Note^id", "[[Note^id]]"),
        ("`dice: 2d4+1 [[Note#^id]]|Column`", "Note", "^id", "Note#^id", "[[Note#^id]]"),
        (r"`dice: [[Note#^id]]\|Column`", "Note", "^id", "Note#^id", "[[Note#^id]]"),
        (r"`dice: [[Note#^id\|shown]]`", "Note", "^id", "shown", r"[[Note#^id\|shown]]"),
        ("`dice: [[a%20b\u00a0c]]|line`", "a b c", "", "a%20b\u00a0c", "[[a%20b\u00a0c]]"),
        ("`dice: 3d[[Note]]|paragraph,heading-2`", "Note", "", "Note", "[[Note]]"),
        ("`dice:[[Note]]`", "Note", "", "Note", "[[Note]]"),
        ("`dice+: [[Note]]`", "Note", "", "Note", "[[Note]]"),
        ("`dice-: [[Note]]`", "Note", "", "Note", "[[Note]]"),
        ("`dice-mod: [[Note]]`", "Note", "", "Note", "[[Note]]"),
        ("`dice-no-roll: [[Note]]`", "Note", "", "Note", "[[Note]]"),
        ("`` dice: [[Note]] ``", "Note", "", "Note", "[[Note]]"),
    ],
)
def test_s5_dice_links(piece: str, path: str, subpath: str, shown: str, span: str) -> None:
    (link,) = code(piece)
    assert (link.kind, link.embed, link.external) == ("dice", False, False)
    assert (link.path, link.subpath, link.text, written(piece, link)) == (path, subpath, shown, span)


@pytest.mark.parametrize(
    "piece",
    [
        "`[[Note]]`",
        "`= [[Note]].field`",
        "`see dice: [[Note]]`",
        "`dices: [[Note]]`",
        "`dice [[Note]]`",
        "`dice: 2d6+1d[3,5]`",
        "`dice: #tag|+`",
        "`dice: 2d#tag/sub|-`",
        "`dice: [[]]`",
        "`dice: [[Note\r\nTwo]]`",
        "`dice: [](a\nb.md)`",
        "`encounter: 2: [[Goblin]]`",
    ],
)
def test_l5_other_inline_code_holds_no_link(piece: str) -> None:
    assert code(piece) == []


def test_s5_dice_on_the_web_are_external() -> None:
    (link,) = code("`dice: [](https://a.b/c^d)`")
    assert (link.external, link.path, link.subpath) == (True, "https://a.b/c^d", "")


STATBLOCK = """name: Raven
image: [[raven.png]]
portrait: pictures/raven.png
desc: "See [[Crow#Traits|the \\"crow\\"]] and [Flight \\"up\\"](../a%20b.md#Up)"
traits:
  - - 'The raven''s [[King''s Nest]]'
"""


def test_l5_links_of_a_statblock() -> None:
    image, crow, flight, nest = fence("statblock", STATBLOCK)
    assert {link.kind for link in (image, crow, flight, nest)} == {"fence"}
    assert image.path == "raven.png"
    assert (crow.path, crow.subpath, crow.text) == ("Crow", "Traits", 'the "crow"')
    assert (flight.path, flight.subpath, flight.text) == ("../a b.md", "Up", 'Flight "up"')
    assert nest.path == "King's Nest"
    piece = f"```statblock\n{STATBLOCK}\n```"
    assert written(piece, crow) == '[[Crow#Traits|the \\"crow\\"]]'
    assert written(piece, flight) == '[Flight \\"up\\"](../a%20b.md#Up)'
    assert written(piece, nest) == "[[King''s Nest]]"


@pytest.mark.parametrize(
    ("info", "content", "found"),
    [
        ("encounter", "creatures:\n - 3: [[Goblin]], 7\n - Orc", ["Goblin"]),
        ("encounter-table", "creatures: [[Goblin|G]]", ["Goblin"]),
        ("leaflet", "image: [[map.png]]\nmarker: default,39,-117,[[Inn#Cellar|The Inn]]", ["map.png", "Inn#Cellar"]),
        ("dataview", "LIST FROM [[Deck]] AND -[[]] OR [[#]] WHERE file = [[#Cards]]", ["Deck", "#Cards"]),
        ("Statblock extra words", "a: '[[X]]'", ["X"]),
        ("AD-note", "![[X.png|100]] and [t](y.md 'title') [z](<a b.md>)", ["X.png", "y.md", "a b.md"]),
        ("ad-statblock", "> | a |\n> |--|\n> | [[X\\|x]] |", ["X"]),
        ("ad-note", "    [[Indented]]\n- [[Item]]", ["Indented", "Item"]),
        ("statblock", "a: [x](a_(b).md) [y](a b.md) [[X\u00a0Y]]", ["a_(b).md", "X Y"]),
        ("statblock", "a: [[[X]]", ["X"]),
        ("statblock", "a: [[outer [[Inner]]", ["Inner"]),
        ("statblock", "a: [[Sq]uare]]", ["Sq]uare"]),
    ],
)
def test_l5_links_of_fences(info: str, content: str, found: list[str]) -> None:
    assert targets(fence(info, content)) == found
    assert targets(fence(info, content, "~~~~")) == found
    assert targets(fence(info, content.replace("\n", "\r\n"))) == found


@pytest.mark.parametrize(
    "info", ["", " ", "yaml", "python", "js", "dataviewjs", "tasks", "ad", "statblocks", "note ad-"]
)
def test_l5_other_fences_contain_no_links(info: str) -> None:
    assert fence(info, "[[X]] and [t](y.md)") == []


@pytest.mark.parametrize(
    "content",
    [
        "~~~js\n[[X]]\n~~~",
        "- ~~~\n  [[X]]\n  ~~~",
        "> ~~~ad-note\n> [[X]]\n> ~~~",
        "~~~\n[[X]] never closed",
        "`[[X]]` and ``a ` [[X]]``",
        r"\[[X]] \[t](y.md)",
        "[[X\nY]] [t](a\nb) [a\nb](c)",
        "[t](a b.md) [t]()",
    ],
)
def test_l5_code_and_escapes_in_an_admonition_stay_code(content: str) -> None:
    assert fence("ad-note", content, "````") == []
    assert targets(fence("ad-note", f"[[Before]]\n{content}\n", "````")) == ["Before"]


def test_l5_text_after_the_code_of_an_admonition() -> None:
    found = fence("ad-note", "~~~\n[[X]]\n~~~\n`[[Y]]` [[A]] ` [[B]] `` [[C]]\n", "````")
    assert targets(found) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("x ``` [[A]] `` [[B]]", ["A", "B"]),
        ("x `` [[A]] ` [[B]]", ["A", "B"]),
        ("x ``` [[A]] ` [[B]] ``` [[C]] `", ["C"]),
        ("x `` [[A]] ``` [[B]] ``", []),
    ],
)
def test_l5_code_ends_only_with_as_many_marks_as_it_starts_with(content: str, found: list[str]) -> None:
    assert targets(fence("ad-note", content, "~~~~")) == found
    assert [link.path for link in note(content).links] == found


def test_l5_dice_in_an_admonition() -> None:
    (link,) = fence("ad-note", "`dice: [[Note^id]]`")
    assert (link.kind, link.target) == ("dice", "Note#^id")


def test_l5_a_fence_without_its_lines() -> None:
    assert targets(read(links_in_fence, "[[X]]", "ad-note")) == ["X"]
    assert read(links_in_fence, "```ad-note", "ad-note") == []


def test_l5_external_links_of_a_fence_keep_their_address() -> None:
    (link,) = fence("statblock", "source: [t](https://a.b/c#d)")
    assert (link.external, link.path) == (True, "https://a.b/c#d")


@pytest.mark.parametrize(
    ("piece", "path", "subpath", "text", "span"),
    [
        ('<a href="x.md" class="internal-link">The X</a>', "x.md", "", "The X", "x.md"),
        ("<A CLASS='a internal-link b' HREF='a%20b.md#The%20H'>", "a b.md", "The H", "", "a%20b.md#The%20H"),
        ("<a class=internal-link href=x.md>a &amp; b</a>", "x.md", "", "a & b", "x.md"),
        ('<a\n  class="internal-link"\n  href="x.md"\n>', "x.md", "", "", "x.md"),
        ('<a href="Tom &amp; Ann.md"><b>x</b></a>', "Tom & Ann.md", "", "", "Tom &amp; Ann.md"),
        ('<a href="./a:b.md">', "./a:b.md", "", "", "./a:b.md"),
        ('<a data-href="X#H" href="other" class="internal-link">', "X", "H", "", "X#H"),
        ('<a class="internal-link" href="#The H">', "", "The H", "", "#The H"),
        ('<a class="internal-link" href="Bob: a life">', "Bob: a life", "", "", "Bob: a life"),
        ('<a href="x.md" href="y.md">', "x.md", "", "", "x.md"),
        ('<a title=">" href="x.md"class=y>', "x.md", "", "", "x.md"),
        ('<a href="a&nbsp;b.md">', "a b.md", "", "", "a&nbsp;b.md"),
        ('<img src="a/b.png">', "a/b.png", "", "", "a/b.png"),
        ("<img alt='A &quot;B&quot;' width=100 src = 'a%20b.png#center' />", "a b.png", "center", 'A "B"', None),
        ("<img src=a/b.png/>", "a/b.png/", "", "", "a/b.png/"),
    ],
)
def test_l5_html_links(piece: str, path: str, subpath: str, text: str, span: str | None) -> None:
    (link,) = html(piece)
    assert (link.kind, link.embed) == ("html", "<img" in piece)
    assert (link.path, link.subpath, link.text) == (path, subpath, text)
    assert written(piece, link) == (span or "a%20b.png#center")


@pytest.mark.parametrize(
    "piece",
    [
        '<a href="https://a.b/c.md">',
        '<a href="mailto:a@b.c">',
        '<a href="//a.b/c.md">',
        '<a href="#footnote">',
        '<a href="">',
        '<a name="x.md">',
        "<a href>",
        '<a class="internal-link">',
        '<a class="internal-link" href="https://a.b">',
        '<a href="a\nb.md">',
        '<a href="x.md"',
        '<a href="x.md>',
        '<abbr href="x.md">',
        '<area href="x.md"><link href="x.md"><video src="x.mp4">',
        '</a href="x.md">',
        '<img src="data:image/png;base64,AA">',
        '<img src="app://local/x.png">',
        '<img src="https://a.b/c.png">',
        '<!-- <a href="x.md"> -->',
        '<!-- <a href="x.md">',
        "<script>\nlet a = '<a href=\"x.md\">'\n</script>",
        '<STYLE><img src="x.png"></style>',
        "<p>[[X]] [t](y.md)</p>",
    ],
)
def test_l5_html_without_links(piece: str) -> None:
    assert html(piece) == []


def test_l5_html_tables() -> None:
    table = '<table>\n<tr><td><a href="a.md" class="internal-link">A</a></td>\n<td><img src="b.png"></td></tr></table>'
    assert [(link.target, link.embed) for link in html(table)] == [("a.md", False), ("b.png", True)]
    assert targets(html(f"<!-- {table} --><!-->{table}<script></script>")) == ["a.md", "b.png"]


def test_l5_a_note_has_its_hidden_links() -> None:
    text = (
        "# A\n\n`dice: [](deck.md#^id)` <a href='x.md'>x</a>\n\n"
        "> ```ad-note\n> [[In]]\n> ```\n\n<table><tr><td><a href='y.md'>y</a></td></tr></table>\n"
    )
    kinds = [(link.kind, link.target) for link in note(text).links]
    assert kinds == [("dice", "deck.md#^id"), ("html", "x.md"), ("fence", "In"), ("html", "y.md")]


MARKS = (
    "[[;]];![[;](;);[;![;<;>;\n;\r\n;\r;```\n;~~~\n;`;``;\\;\\\";'';\";';|;#;^;%20;%;dice: ;dice-mod:;a: ;- ;> ;<a ;<"
    "img ;href=;src=; class=internal-link;<!--;-->;</a>;<script>;</script>;&amp;;&#0;é;𝄞;\u00a0;\u2028;\x00;/;:;(;x.md"
)
PIECES = st.lists(st.sampled_from(MARKS.split(";")) | st.characters(exclude_categories=["Cs"]), max_size=30).map(
    "".join
)
LANGUAGES = st.sampled_from(["statblock", "encounter", "dataview", "leaflet", "ad-note", "js", ""])


@pytest.mark.slow
@given(PIECES, LANGUAGES)
def test_l5_reading_never_raises_and_links_stay_in_their_fragment(piece: str, language: str) -> None:
    for link in [
        *code(piece),
        *code(f"`dice: {piece}`"),
        *fence(language, piece),
        *read(links_in_fence, piece, language),
    ]:
        assert link.kind in ("dice", "fence")
        assert link.path or link.subpath
    for link in html(piece):
        assert link.kind == "html"
        assert "://" not in link.path


TARGETS = st.text("ab é-.𝄞", min_size=1, max_size=8).map(str.strip).filter(bool)
FORMS = [
    (code, "`dice: ", "[[{}]]", "`"),
    (code, "`dice: 1d4", "[]({}.md)", "`|Column"),
    (lambda piece: read(links_in_fence, piece, "statblock"), '```statblock\na: "', "[[{}|shown]]", '"\n```'),
    (lambda piece: read(links_in_fence, piece, "ad-note"), "```ad-note\nsee ", "![](<{}>)", " there\n```"),
    (html, "<p><a class=x href='", "{}", "'></a>"),
]


@given(TARGETS, st.sampled_from(FORMS))
def test_l5_links_have_their_exact_places(target: str, form: tuple[Callable[[str], list[Link]], str, str, str]) -> None:
    find, before, pattern, after = form
    link_text = pattern.format(target)
    piece = f"{before}{link_text}{after}"
    (link,) = find(piece)
    assert link.path.removesuffix(".md") == target.removesuffix(".md")
    assert written(piece, link) == link_text


@pytest.mark.slow
@pytest.mark.parametrize(
    "mark",
    ["[", "[[", "[[x", "[](", "[](x ", "[x\\", "][\\", "![a](<", "`", "` ``", "<a ", "<a x='", "<!--", "\\", "(", "'"],
)
def test_l5_hostile_fragments_take_no_time(mark: str) -> None:
    piece = mark * (50_000 // len(mark))
    for found in (code(f"`dice: {piece}`"), fence("ad-note", piece), fence("statblock", f"[[{piece}"), html(piece)):
        assert found == []
