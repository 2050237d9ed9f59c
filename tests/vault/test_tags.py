from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.vault.making import make_files, note
from vaultkit.vault.file_facts import facts_of
from vaultkit.vault.tags import find_tags, is_within, strip_tag, tags_from_events, with_parents


def tags_of(text: str) -> tuple[str, ...]:
    return facts_of("N.md", note(text).data).tags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#npc and #place/inn/red-lion_2", ("npc", "place/inn/red-lion_2")),
        ("#1984 #y1984 #1984s #19-84 #12/3", ("y1984", "1984s", "19-84", "12/3")),
        ("#日本 #café #✅done #🐉 #Зло", ("日本", "café", "✅done", "🐉", "Зло")),
        ("#a. #b, #c! #d: (see #e) #f'g", ("a", "b", "c", "d", "e", "f")),
        ("#one\u2014two #three\u2026", ("one", "three")),
        ("x\t#a\u00a0#b\u3000#c", ("a", "b", "c")),
        ('\\#no \\\\#no a#no (#no) "#no" .#no /#no # #', ()),
        ("\\#no", ()),
        ("# #in-heading\n## Plain\nUnder #it\n---\n", ("in-heading", "it")),
        ("- #a\n- [ ] #b\n1. #c\n> #d\n\n>#e\n> [!note] #f\n> #g", ("a", "b", "c", "d", "e", "f", "g")),
        ("|#a|b|\n|-|-|\n| #c |\\#d|", ("a", "c")),
        ("**#a** x _#b_ y *x#no* ~~#c~~", ("a", "b", "c")),
        ("#a#b", ("a", "b")),
        ("snake_case_#a", ("a",)),
        ("#_a_ #x/_y #x_/y __#b__ _é #c_", ("_a_", "x/_y", "x_/y", "b", "c")),
        ("[^1]\n\n[^1]: #foot", ("foot",)),
        ("%% #hidden %%\n\n%%\n#block\n%%", ("hidden", "block")),
        ("a\r\n#b\r\n#c\r\n", ("b", "c")),
        ("é é #é and é #x", ("é", "x")),
        ("\ufeff#first", ("first",)),
    ],
)
def test_tags_in_the_text(text: str, found: tuple[str, ...]) -> None:
    assert tags_of(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "`#no` and ``a #no``",
        "```\n#no\n```",
        "~~~css\na #no\n~~~",
        "    #no",
        "$x #no$ and $$ #no $$",
        "$$\n#no\n$$",
        "[[#no]] [[N #no]] [[N|a #no]] ![[N#no]]",
        "[a](<N #no>) ![#no](a.png)",
        "[a](x 'y #no')",
        "<https://a.b/#no> https://a.b/#no https://a.b#no",
        "<span style='color: #no'>x</span>",
        "<div>\n#no\n</div>",
        "<!-- #no -->",
        "x <!-- #no --> y",
        "[a]: b.md 'the #no'",
        "---\ncolor: '#no'\nplan: \"a #no\" # no #no\n---\n",
    ],
)
def test_o11_no_tags_in_code_math_links_and_html(text: str) -> None:
    assert tags_of(f"{text}\n\n#yes\n" if not text.startswith("---") else f"{text}#yes\n") == ("yes",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[#one two](https://x.org)", ("one",)),
        ("* [#one](x.md)[#two three](y.md) [a#no #four][ref]\n\n[ref]: z.md", ("one", "two", "four")),
        ("[[#no|#no]] ![#no](x.png) <https://x.org/#no> [**#five**](x.md)", ("five",)),
    ],
)
def test_o7_tags_in_the_text_of_a_markdown_link(text: str, found: tuple[str, ...]) -> None:
    assert tags_of(text) == found


@pytest.mark.parametrize("yaml", ["name: {{title}} x", 'aliases: ["A "B" C"]', "a: 1\na: 2", "a: b: c"])
def test_o9_broken_properties_hold_no_tags(yaml: str) -> None:
    assert tags_of(f"---\ntags: npc\n{yaml}\n---\n#seen\n") == ("seen",)
    assert not note(f"---\ntags: npc\n{yaml}\n---\n").tags
    assert tags_of("---\ntags: npc\nname: x\n---\n#seen\n") == ("npc", "seen")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("npc", ("npc",)),
        ("'#npc'", ("npc",)),
        ("[npc, '#place/inn', é]", ("npc", "place/inn", "é")),
        ("\n  - npc\n  - dead", ("npc", "dead")),
        ("a, b", ()),
        ("[a b, c]", ("c",)),
        ("[1984, 'y1984', '#', '', null]", ("y1984",)),
        ("{a: b}", ()),
        ("[[a]]", ()),
        ("", ()),
    ],
)
def test_y4_the_tags_property(value: str, found: tuple[str, ...]) -> None:
    assert tags_of(f"---\ntags: {value}\n---\n") == found
    assert tags_of(f"---\nTAGS: {value}\n---\n") == found
    assert tags_of(f"---\ntag: {value}\n---\n") == ()


def test_y4_tags_that_differ_in_case_are_one_with_the_first_spelling() -> None:
    text = "---\ntags: [Npc]\n---\n#NPC #npc/Dead #cafe\u0301 #caf\u00e9 #NPC/dead\n"
    assert tags_of(text) == ("Npc", "npc/Dead", "cafe\u0301")


def test_tags_are_stored_in_the_index(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "---\ntags: a\n---\n#b", "B.md": "", "C.md": b"\xff #no", "D.canvas": "{}"})
    assert {path: facts.tags for path, facts in vault.facts.items()} == {
        "A.md": ("a", "b"),
        "B.md": (),
        "C.md": (),
        "D.canvas": (),
    }


@pytest.mark.parametrize(
    ("tag", "wanted", "within"),
    [
        ("npc", "npc", True),
        ("NPC/Dead", "#npc", True),
        ("npc/dead", "npc/", True),
        ("npc/dead", "npc/dead", True),
        ("npcs", "npc", False),
        ("npc", "npc/dead", False),
        ("caf\u00e9/x", "CAFE\u0301", True),
    ],
)
def test_a_tag_below_another(tag: str, wanted: str, within: bool) -> None:
    assert is_within(tag, wanted) is within


def test_parent_tags_of_a_tag() -> None:
    assert with_parents(["npc/dead/king", "place"]) == {"npc", "npc/dead", "npc/dead/king", "place"}
    assert strip_tag(" #npc/dead/ ") == "npc/dead"


words = st.text(st.sampled_from("aé1-_/日🐉"), min_size=1, max_size=6).filter(lambda word: not word.isdigit())


@pytest.mark.slow
@given(st.lists(words.map(lambda word: f"x{word}x"), max_size=5), st.sampled_from([" ", "\n", "\r\n", "\n\n", "\n- "]))
def test_tags_separated_by_any_white_space_are_found(names: list[str], between: str) -> None:
    found = tags_of(between.join(f"#{name}" for name in names))
    assert found == tuple({name.lower(): name for name in names})


@given(st.text(st.sampled_from("#aB1é/_- \n\r\\`$[]()<>|*%!>\"':"), max_size=40))
def test_any_text_is_searched_for_tags(text: str) -> None:
    read = note(text)
    found = facts_of("N.md", read.data).tags
    assert all(f"#{tag}" in read.text and not tag.isdigit() for tag in found)
    assert len({tag.lower() for tag in found}) == len(found)


PIECES = (
    "#a", "#b", " #c ", "#d_", "_", "*", "**", "[", "](x)", "[[", "]]", "![", "`", "\n", "\n\n", " ", "#1", "#x/y",
    "\\", "|", "\n\n|a|b|\n|-|-|\n", "> ", "- ", "# ", "~~", "\n```\n", "a", "é", "\xa0", "!", "\n\n[^1]: ",
    "[#e f](g)", "[ #e f](g)", "![ #e f](g)", "[[n #h]]", "`k #l`",
    "%%", "#m#n", "&amp;", "<", "$", "\n```\nx #y\n```\n",
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=count(80, 50_000))
@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join), st.sampled_from(["", "---\na: b\n---\n"]))
def test_scanner_and_parser_find_the_same_tags(body: str, head: str) -> None:
    text, start = head + body, len(head)
    by_key = {tag.lower(): tag for tag in reversed([*tags_from_events(text, start)])}
    assert {tag.lower(): tag for tag in find_tags(text, start, None)} == by_key
