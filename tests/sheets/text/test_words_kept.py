"""P5: the words of a note are the words of the tagged text, in order, apart from generated ones."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems, tagged_text
from vaultkit.resources import shipped_folder
from vaultkit.sheets.example_strip import StripMaker
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.vault_source import VaultSource
from vaultkit.vault import Note, Vault
from vaultkit.vault.markdown import Node, parse

Print = Callable[..., Path]
Embed = Callable[[str], str | None]
NASTY = (Path(__file__).parent / "nasty.md").read_text("utf-8")
FEW = ("deck-of-destiny", "Gloamwater Vale", "2026-09-19 Session 2", "House Rules", "items")
GENERATED = re.compile(r" ?\(p\. \d+\)|\[(?:picture|see) [^\]]*\]|(?<=\S)\[[a-z]{1,2}\]")


def words_of(node: Node, later: list[Node], embed: Embed) -> Iterator[str]:
    """Yield the words of a note as written, with the kinds of callouts; footnotes are appended to `later`."""
    if node.kind == "FootnoteDefinition":
        later.append(node)
    elif node.kind == "Callout":
        title = node.children[0].words()
        yield f" {node.text} {'' if title.strip().lower() == node.text else title} "
        for child in node.children[1:]:
            yield from words_of(child, later, embed)
    elif node.kind == "Link" and node.number and "#" in node.text and node.words() == node.text:
        yield " > ".join(part.strip() for part in node.text.split("#") if part.strip())
    elif node.kind == "Image" and node.number:
        yield from words_of(parse(embed(node.text) or ""), later, embed)
    elif node.kind in {"Text", "Code", "InlineMath", "DisplayMath", "SoftBreak", "HardBreak", "Html", "InlineHtml"}:
        yield re.sub(r"</?\w+[^<>]*>", "", node.text).replace("$", "") or " "
    else:
        around = "" if node.kind in {"Strong", "Emphasis", "Link", "Strikethrough", "Highlight"} else " "
        yield around
        for child in spell_dice(node.children):
            yield from words_of(child, later, embed)
        yield around


def remove_repeats(tree: Node, title: str) -> Node:
    """Return the tree without alternative texts of pictures that repeat the heading above them."""
    for node in tree.walk():
        if node.kind == "Heading":
            title = node.words()
        elif node.kind == "Image" and node.words().lower() == title.lower():
            node.children = []
    return tree


def insert_strips(tree: Node, note: Note | None, vault: Vault | None) -> Node:
    """Return the tree with its examples as printed: the cards played, and a sentence."""
    for node in tree.walk():
        if note and vault and node.kind == "CodeBlock" and node.text == "play":
            strip = StripMaker(note, vault).make(node.words())
            assert strip
            cards = " ".join(caption for caption, _ in strip.cards)
            node.children = [Node("Text", f" {cards} Example. {strip.words} ")]
    return tree


def expected_words(
    body: str, title: str, embed: Embed = lambda _: None, note: Note | None = None, vault: Vault | None = None
) -> list[str]:
    tree, later = insert_strips(remove_repeats(parse(body), title), note, vault), []
    first = tree.children[0] if tree.children else Node("None")
    titled = first.kind == "Heading" and first.number == 1 and first.words().strip().lower() == title.strip().lower()
    text = ("" if titled else f"{title} ") + "".join(words_of(tree, later, embed))
    text += "".join("".join(words_of(child, [], embed)) for note in later for child in note.children)
    return text.lower().split()


def printed_words(path: Path, *, footnotes: bool) -> list[str]:
    parts = tagged_text(path, generated=False)
    if "Notes of the vault named here" in parts:
        del parts[parts.index("Notes of the vault named here") :]
    if footnotes:
        del parts[len(parts) - 1 - parts[::-1].index("Notes")]
    return GENERATED.sub("", " ".join(parts)).lower().split()


@pytest.mark.short(1)
@pytest.mark.parametrize("columns", [1, 2])
def test_p5_p6_every_word_of_a_difficult_note_is_printed(print_note: Print, columns: int) -> None:
    out = print_note(NASTY, title="A Nasty Note", columns=columns)
    assert problems(out) == []
    assert printed_words(out, footnotes=True) == expected_words(NASTY, "A Nasty Note")


def check(note: Note, vault: Vault, out: Path) -> None:
    print_rules(note, vault, PrintJob("a4", out))
    assert problems(out) == []
    assert printed_words(out, footnotes="[^" in note.body) == expected_words(
        note.body, note.title, VaultSource(note, vault, "").embed, note, vault
    )


@pytest.mark.short(2)
@pytest.mark.parametrize("name", FEW)
def test_p5_p6_every_word_of_some_example_notes_is_printed(name: str, tmp_path: Path) -> None:
    vault = Vault(shipped_folder("vault-example"))
    check(vault.find(name), vault, tmp_path / "note.pdf")


@pytest.mark.slow
def test_p5_p6_every_word_of_the_example_vault_is_printed(tmp_path: Path) -> None:
    vault = Vault(shipped_folder("vault-example"))
    for number, note in enumerate(map(vault.read, vault.note_paths)):
        if (
            note.body.strip()
            and "```encounter" not in note.body
            and "```statblock" not in note.body
            and not note.property("statblock")
        ):
            check(note, vault, tmp_path / f"{number}.pdf")


def test_p5_characters_missing_from_all_fonts_are_in_the_tagged_text(print_note: Print) -> None:
    out = print_note(
        "A **שלום** b 中 c, [שלום](https://x.org) foot[^n].\n\n| שלום |\n|---|\n\n[^n]: one ם\n", title="Of ש"
    )
    assert problems(out) == []
    assert tagged_text(out, generated=False) == ["Of ש", "A שלום b 中 c, שלום foot.", "שלום", "Notes", "one ם"]


def test_p5_links_without_words_of_their_own_read_as_in_obsidian(print_note: Print) -> None:
    out = print_note("See [[#Part]], [[Note#A#B]] and [[Note#A|words]].\n\n## Part\n\nx")
    assert "Note > A > B and words." in " ".join(tagged_text(out))
    assert "See Part" in " ".join(tagged_text(out))


def test_p5_first_column_of_a_split_table_is_read_once(print_note: Print) -> None:
    head = "|" + "|".join(f"Heading{n}" for n in range(20)) + "|\n|" + "---|" * 20 + "\n"
    rows = "".join("|" + "|".join(f"v{row}x{n}" for n in range(20)) + "|\n" for row in range(3))
    out = print_note(head + rows)
    assert problems(out) == []
    words = " ".join(tagged_text(out)).split()
    assert [words.count(word) for word in ("Heading0", "v0x0", "v2x0", "v2x19")] == [1, 1, 1, 1]
    assert text_of(out).count("v2x0") > 1
