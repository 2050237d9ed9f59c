import pytest

from tests.vault.making import note
from vaultkit.errors import InvalidError
from vaultkit.vault.note import texts

NOTE = note("""---
Aliases: The Inn
tags: [place]
---
# The Drowned Bell
Beer.

## Rooms

Three.

### Attic
Locked.

## Staff
""")


def test_names_title_and_aliases() -> None:
    assert note("", "a/b/The Inn.v2.md").name == "The Inn.v2"
    assert (NOTE.title, note("## Two", "x/Name.md").title) == ("The Drowned Bell", "Name")
    assert NOTE.aliases == ("The Inn",)


def test_y4_properties_in_any_case() -> None:
    assert NOTE.property("aliases") == "The Inn"
    assert NOTE.property("TAGS") == ["place"]
    assert NOTE.property("none") is None


@pytest.mark.parametrize(
    "yaml",
    ["publish: 1\ntags: [gm/plot]", '"p\\u0075blish": 1\ntags: ["g\\x6D/plot"]', "? publish\n: 1\ntags: gm/plot"],
)
def test_y2_properties_and_tags_in_every_yaml_form(yaml: str) -> None:
    one = note(f"---\n{yaml}\n---\n#npc\n")
    assert (one.property("Publish"), one.property("lang")) == (1, None)
    assert sorted(one.tags) == ["gm/plot", "npc"]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("a", ("a",)),
        (" ", ()),
        (["a", None, 2, True, ""], ("a", "2", "true")),
        ([["X"], {"a": 1}], ()),
        (None, ()),
        (3, ("3",)),
        ({"a": 1}, ()),
    ],
)
def test_texts_of_a_property(value: object, found: tuple[str, ...]) -> None:
    assert texts(value) == found


def test_sections_of_a_note() -> None:
    assert NOTE.section("Rooms") == "Three.\n\n### Attic\nLocked."
    assert NOTE.section("Rooms#Attic") == "Locked."
    assert NOTE.section("Staff") == ""
    assert NOTE.section("Cellar") is None


def test_byte_order_mark_is_preserved_but_not_part_of_the_text() -> None:
    marked = note(b"\xef\xbb\xbf---\na: 1\n---\n# T\n")
    assert (marked.property("a"), marked.title) == (1, "T")
    assert marked.encoded.to_bytes(marked.text) == marked.data


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a\nb", "\n"), ("a\r\nb\r\n", "\r\n"), ("a\r\nb\nc\n", "\n"), ("a\rb", "\n")]
)
def test_the_line_end_of_a_note(text: str, newline: str) -> None:
    assert note(text).encoded.newline == newline


@pytest.mark.parametrize(
    ("data", "where", "message"),
    [
        ("é ü\nÄb".encode() + b"\xe9", "Note.md:2", "in the middle of a character"),
        ("Hällo".encode("utf-16"), "Note.md", "UTF-16"),
        (b"\xfe\xff\x00a", "Note.md", "UTF-16"),
        (b"\xed\xa0\x80", "Note.md:1", "byte 0xed"),
    ],
)
def test_other_encodings_are_refused(data: bytes, where: str, message: str) -> None:
    with pytest.raises(InvalidError, match=message) as caught:
        _ = note(data).text
    assert caught.value.where == where
    assert caught.value.hint
