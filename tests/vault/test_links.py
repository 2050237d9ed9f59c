import pytest

from tests.vault.making import note
from vaultkit.vault import Link
from vaultkit.vault.links import decode_uri, is_external, parse_wikilink, split_destination, split_wikilink


def links(text: str) -> list[Link]:
    return list(note(text).links)


def targets(text: str) -> list[str]:
    return [link.target for link in links(text)]


def spans(text: str) -> list[str]:
    return [text[link.start : link.end] for link in links(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[Raven]]", ["Raven"]),
        ("[[Raven|the bird]]", ["Raven"]),
        ("[[Sq]uare]]", ["Sq]uare"]),
        ("[[Ra\nven]]", []),
        ("[[Ra\r\nven]]", []),
        ("[[outer [[Inner]]", ["Inner"]),
        ("[[]] [[|x]]", []),
        (r"\[[Raven]]", []),
    ],
)
def test_l1_wikilinks(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "path"),
    [(" [[Birds/Raven#Nest|Corvo]] ", "Birds/Raven"), ("[[Raven]]", "Raven"), ("Raven", None), ("[[]]", None),
     ("[[Raven]] and [[Crow]]", None), ("the [[Raven]]", None), ("![[Raven]]", None)],
)  # fmt: skip
def test_text_that_is_exactly_one_link(text: str, path: str | None) -> None:
    link = parse_wikilink(text)
    assert (link[1] if link else None) == path


def test_l1_escaped_bar_in_a_table() -> None:
    (link,) = links("| a |\n|---|\n| [[Raven\\|the bird]] |\n")
    assert (link.path, link.text) == ("Raven", "the bird")


def test_l2_target_is_trimmed_and_split_at_the_first_hash() -> None:
    assert split_wikilink(" Deck\u00a0Note # A#B | shown ") == ("shown", "Deck Note", "A#B")
    assert split_wikilink("Deck#A") == ("Deck#A", "Deck", "A")


def test_l3_markdown_links() -> None:
    (link,) = links('See [the *Raven*](a/Deck%20Note.md#The%20Raven "title").')
    assert (link.kind, link.text, link.path, link.subpath) == ("markdown", "the *Raven*", "a/Deck Note.md", "The Raven")


def test_l3_destination_in_angle_brackets_may_hold_spaces() -> None:
    assert targets("[t](<Deck Note.md>)") == ["Deck Note.md"]


def test_l3_raw_space_makes_no_link() -> None:
    assert targets("[t](Deck Note.md)") == []


@pytest.mark.parametrize("space", ["\u00a0", "%C2%A0", "%c2%a0", "%20", " "])
def test_l2_l3_no_break_space_counts_as_a_space(space: str) -> None:
    assert split_destination(f"Deck{space}Note.md{space}#{space}The{space}Raven") == ("Deck Note.md", "The Raven")


def test_l2_l3_no_break_space_in_a_note() -> None:
    assert targets("[t](Deck\u00a0Note.md#The\u00a0Raven) [[Deck\u00a0Note]]") == [
        "Deck Note.md#The Raven",
        "Deck Note",
    ]


@pytest.mark.parametrize("link", ["[[N#[^1]]]", "![[N#[^1]]]", "[[N#[^a-b]]]"])
def test_s4_l1_footnote_link_extends_to_its_last_bracket(link: str) -> None:
    text = f"é {link}] x [[M]]"
    (found, _) = links(text)
    assert (found.path, found.subpath) == ("N", link.partition("#")[2].removesuffix("]]"))
    assert spans(text) == [link, "[[M]]"]


def test_l3_reference_links() -> None:
    found = links("[one][r] and [r] and [r][]\n\n[r]: Raven.md\n")
    assert [(link.text, link.path) for link in found] == [("one", "Raven.md"), ("r", "Raven.md"), ("r", "Raven.md")]


@pytest.mark.parametrize(
    ("destination", "external"),
    [("https://x.y", True), ("mailto:a@b.c", True), ("./a:b.md", False), ("../a:b.md", False), ("a/b.md", False)],
)
def test_l3_external_destinations(destination: str, external: bool) -> None:
    assert is_external(destination) is external


def test_l3_external_links_preserve_their_address() -> None:
    (link, auto) = links("[t](https://x.y/z#part) <https://a.b>")
    assert (link.external, link.path, link.subpath) == (True, "https://x.y/z#part", "")
    assert (auto.external, auto.text) == (True, "https://a.b")


@pytest.mark.parametrize(
    ("encoded", "decoded"),
    [("a%20b", "a b"), ("%C3%A9", "é"), ("a%23b%3Fc%2Fd", "a%23b%3Fc%2Fd"), ("50%", "50%"), ("%FF", "%FF")],
)
def test_l3_decoding_as_decode_uri(encoded: str, decoded: str) -> None:
    assert decode_uri(encoded) == decoded


def test_l3_split_comes_after_decoding() -> None:
    assert split_destination("a%23b.md#C%20D") == ("a%23b.md", "C D")


def test_l4_embeds() -> None:
    wiki, picture, sized = links("![[Map.png|100x145]] ![alt](img/raven.webp#card) ![[A.pdf#page=3]]")
    assert (wiki.embed, wiki.path, wiki.text) == (True, "Map.png", "100x145")
    assert (picture.embed, picture.path, picture.subpath) == (True, "img/raven.webp", "card")
    assert (sized.path, sized.subpath) == ("A.pdf", "page=3")


@pytest.mark.parametrize(
    "text",
    [
        "`[[A]]`",
        "```\n[[A]]\n```",
        "~~~md\n[t](A.md)\n~~~",
        "    [[A]]",
        "$[[A]]$",
        "$$\n[[A]]\n$$",
        '<a href="A.md" title="[[A]]">',
        "<div>\n[[A]]\n</div>",
    ],
)
def test_l5_no_links_in_code_math_and_html(text: str) -> None:
    assert [link for link in links(text) if link.kind != "html"] == []


@pytest.mark.parametrize("text", ["%% [[A]] %%", "%%\n[[A]]\n%%", "x[^1]\n\n[^1]: see [[A]]", "# H [[A]]", "> [[A]]"])
def test_l5_links_in_comments_footnotes_headings_and_quotes_are_found(text: str) -> None:
    assert targets(text) == ["A"]


def test_l5_an_address_in_double_brackets_is_a_note() -> None:
    (link,) = links("[[https://x]]")
    assert (link.external, link.path) == (False, "https://x")


def test_l6_links_in_properties() -> None:
    people = '  - "[[Ivo#Past]]"\n  - "[Oriel](2-World/Oriel%20T.md)"\n'
    text = f'---\nplace: "[[Drowned Bell|inn]]"\nwho:\n{people}---\n[[Body]]\n'
    found = links(text)
    assert [link.target for link in found] == ["Drowned Bell", "Ivo#Past", "2-World/Oriel T.md", "Body"]
    assert [link.kind for link in found] == ["property", "property", "property", "wikilink"]
    assert spans(text)[:2] == ["[[Drowned Bell|inn]]", "[[Ivo#Past]]"]
    assert [(link.line, link.column) for link in found] == [(2, 9), (4, 6), (5, 6), (7, 1)]


def test_l6_unquoted_brackets_are_not_a_link() -> None:
    assert targets("---\nplace: [[Bell]]\n---\n") == []


def test_l6_a_list_in_a_list_is_not_the_place_of_a_quoted_link() -> None:
    text = '---\na: [[[X]], "[[X]]"]\n---\n'
    assert [(link.start, link.end) for link in links(text)] == [(text.index('"[') + 1, text.index(']"') + 1)]


def test_l6_a_repeated_property_link_has_its_own_place() -> None:
    assert [link.line for link in links('---\na: "[[X]]"\nb: "[[X]]"\n---\n')] == [2, 3]


def test_l6_property_link_written_with_escapes_has_no_span() -> None:
    (link,) = links('---\na: "[[\\u0041]]"\n---\n')
    assert (link.path, link.start == link.end) == ("A", True)


def test_positions_count_code_points() -> None:
    text = "é𝄞\r\n漢字 [[Rabe|Vögel]] und [Ü](Ü.md)\r\n"
    assert spans(text) == ["[[Rabe|Vögel]]", "[Ü](Ü.md)"]
    assert [(link.line, link.column) for link in links(text)] == [(2, 4), (2, 23)]
