"""P16: every word of 330 realistic notes is printed in order, reported, or left out by a rule."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts import streams, verapdf
from tests.counts import some
from tests.sheets.conftest import text_of
from tests.sheets.lint import problems, tagged_text
from tests.sheets.test_standards import MUST_RUN
from tests.sheets.wild_notes import NOTES, WildNote, make_vault, notes, pairs
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.text.omissions import describe_omissions
from vaultkit.vault import Vault

Printed = Callable[[WildNote], PrintedFile]
NAMED_HERE = "Notes of the vault named here"
GENERATED = re.compile(r" ?\(p\. \d+\)|(?<=\S)\[[a-z]\]")
"""Page numbers and marks of other notes, which are printed behind links."""
BATCH = 20
FEW = 4


@cache
def wild_notes() -> list[WildNote]:
    return list(notes())


@pytest.fixture(scope="module")
def print_wild(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """Return a function that prints a note of a vault of wild notes."""
    folder = tmp_path_factory.mktemp("wild")
    vault = Vault(make_vault(folder / "vault", wild_notes()))

    @cache
    def make(name: str) -> PrintedFile:
        return print_rules(vault.read(f"{name}.md"), vault, PrintJob("a4", folder / f"{name}.pdf"))

    return lambda note: make(note.name)


def words_on(path: Path) -> list[str]:
    """Return the words of a sheet in reading order, without those added behind links."""
    parts = tagged_text(path, generated=False)
    if NAMED_HERE in parts:
        del parts[parts.index(NAMED_HERE) :]
    return GENERATED.sub("", " ".join(parts)).casefold().split()


def words_of(note: WildNote) -> list[str]:
    """Return the words that the note's sheet must have, in order."""
    foot = f"Notes {note.piece.foot}" if note.piece.foot.strip() else ""
    return unicodedata.normalize("NFC", f"{note.piece.printed} {foot}").casefold().split()


def check(note: WildNote, made: PrintedFile) -> None:
    assert words_on(made.path) == words_of(note), note.made_of
    seen = re.sub(r"[\s\u00ad-]", "", text_of(made.path)).casefold()
    assert [word for word in re.findall("[a-z]{6,}", " ".join(words_of(note))) if word not in seen] == [], note.made_of
    assert [word for word in note.piece.hidden if word in seen] == []
    advice = re.compile("not found in the vault|add --system-fonts")
    remarks = [remark for remark in made.remarks if not advice.search(remark)]
    assert set(describe_omissions(note.piece.left_out).split()) == set(" ".join(remarks).split())
    assert problems(made.path) + streams.faults(made.path) == []


@pytest.mark.slow
def test_p16_every_word_of_some_wild_notes_is_printed_or_reported(print_wild: Printed) -> None:
    for note in wild_notes()[:FEW]:
        check(note, print_wild(note))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, NOTES, BATCH))
def test_p5_p6_p16_p17_every_word_of_the_wild_notes_is_printed_or_reported(print_wild: Printed, first: int) -> None:
    for note in wild_notes()[first : first + BATCH]:
        check(note, print_wild(note))


def test_every_construct_is_tested_in_every_place() -> None:
    used = {construct for note in wild_notes() for construct in note.made_of}
    assert [f"{shape.name} [{place}]" for shape, place in pairs() if f"{shape.name} [{place}]" not in used] == []


@pytest.mark.slow
def test_p16_plain_notes_have_the_words_that_a_renderer_of_markdown_shows(print_wild: Printed) -> None:
    plain = [note for note in wild_notes() if note.plain]
    assert len(plain) == NOTES // 6
    for note in plain:
        body = re.sub(r"\A\ufeff?(?:---\r?\n.*?^---\r?\n)?", "", note.text, flags=re.DOTALL | re.MULTILINE)
        markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
        rendered = " ".join(block_texts(markdown.parse(body))).casefold().split()
        assert rendered == words_on(print_wild(note).path), note.made_of


def block_texts(tokens: list[Token]) -> Iterator[str]:
    """Yield the text of each block."""
    for token in tokens:
        if token.type in {"fence", "code_block"}:
            yield token.content
        elif token.type == "inline":
            yield "".join(" " if part.type.endswith("break") else part.content for part in token.children or [])


@pytest.mark.slow
@pytest.mark.skipif(bool(verapdf.missing()) and not MUST_RUN, reason=f"veraPDF cannot run: {verapdf.missing()}")
def test_p6_p16_verapdf_accepts_forty_wild_notes(print_wild: Printed) -> None:
    assert not verapdf.missing()
    made = [print_wild(note).path for note in some(wild_notes(), 20)]
    broken = {f"{path.name} {kind}": verapdf.failures(path, kind) for path in made for kind in ("ua1", "2a")}
    assert {name: [str(failure) for failure in found] for name, found in broken.items() if found} == {}
