"""Hyphenation: only where the language is known and allows it, and hyphenated words are read as one (P5, P18)."""

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfReader

from scripts import verapdf
from tests.sheets.conftest import print_text
from tests.sheets.lint import problems
from vaultkit.sheets.cards.card_sheet import CardSet, print_set_pages
from vaultkit.sheets.cards.card_words import fit_title
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.sheets.text.hyphenation import hyphenation_points
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import CLASSIC
from vaultkit.vault import Vault

GERMAN = (
    "Die abenteuerlustigen Gefährtinnen verließen die sagenumwobene Hauptstadt in der Morgendämmerung, um das "
    "Geheimnis der **verschwundenen** Weltenwandlerin aufzudecken (wissenschaftliche Untersuchungen "
    "blieben bisher ergebnislos). "
)
PLAIN = GERMAN.replace("*", "")


def print_note(folder: Path, text: str, lang: str = "de", columns: int = 2) -> Path:
    """Print a note in this language as a rule sheet."""
    (folder / "Note.md").write_text(f"---\nlang: {lang}\n---\n# Titel\n\n{text}\n", encoding="utf-8")
    vault = Vault(folder)
    return print_rules([vault.read("Note.md")], vault, PrintJob("a4", folder / f"{lang}.pdf"), columns=columns).path


def lines_of(path: Path) -> list[str]:
    """Return the lines as they are seen; pypdf does not rejoin hyphenated words."""
    return [line.strip() for page in PdfReader(path).pages for line in page.extract_text().splitlines()]


def words_of(path: Path) -> list[str]:
    """Return the words as PDFium, and thus Chrome, finds and copies them."""
    document = pypdfium2.PdfDocument(path)
    return " ".join(page.get_textpage().get_text_range() for page in document).split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "language", "parts"),
    [
        ("Geschwindigkeit", "de", "Geschwin-dig-keit"),
        ("niebezpieczeństwo", "pl", "nie-bez-pie-czeń-stwo"),
        ("possibilidade", "pt-BR", "pos-si-bi-li-dade"),
        ("wonderful", "en", "won-der-ful"),
        ("asszonynak", "hu", "asszony-nak"),
        ("Strahd", "en", "Strahd"),
        ("Barovian", "en", "Barovian"),
        ("under", "en", "under"),
        ("NASDAQS", "de", "NASDAQS"),
        ("wonderful2", "en", "wonderful2"),
        ("wonderful", "tlh", "wonderful"),
        ("wonderful", "", "wonderful"),
    ],
)
def test_word_is_hyphenated_by_the_rules_of_its_language(word: str, language: str, parts: str) -> None:
    """A word is hyphenated by its language's rules, unless it may be a name, is short, or changes its spelling."""
    places = [0, *hyphenation_points(word, language), len(word)]
    assert "-".join(word[start:end] for start, end in pairwise(places)) == parts


@pytest.mark.slow
def test_p5_hyphenated_words_are_read_as_one(tmp_path: Path) -> None:
    """P5: hyphenated words are read as one across lines, columns and pages, in one font or several."""
    text = "\n\n".join((GERMAN if number % 2 else PLAIN) * (1 + number % 5) for number in range(10))
    path = print_note(tmp_path, text)
    ends = [line for line in lines_of(path) if line.endswith("-")]
    found = words_of(path)
    assert len(ends) > 20 and len(PdfReader(path).pages) > 1
    words = [word for word in found if word in set(PLAIN.split())]
    assert words == PLAIN.split() * (len(words) // len(PLAIN.split()))
    assert len(words) == len(text.split())
    assert problems(path) == []


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="there is no pdftotext here")
def test_p5_poppler_reads_hyphenated_words_as_one(tmp_path: Path) -> None:
    done = subprocess.run(
        ["pdftotext", print_note(tmp_path, GERMAN * 3), "-"], capture_output=True, text=True, check=True
    )
    assert " ".join(PLAIN.split()) in " ".join(done.stdout.split())


@pytest.mark.slow
@pytest.mark.skipif(bool(verapdf.missing()), reason=f"veraPDF cannot run: {verapdf.missing()}")
@pytest.mark.parametrize("flavour", ["ua1", "2a"])
def test_p6_sheet_with_hyphenated_words_meets_the_standards(tmp_path: Path, flavour: str) -> None:
    assert verapdf.failures(print_note(tmp_path, GERMAN * 3), flavour) == []


def test_p18_at_most_two_lines_in_a_row_are_hyphenated_and_none_without_a_language(tmp_path: Path) -> None:
    text = " ".join("Unverhältnismäßigkeitsvermeidung" for _ in range(40))
    lines = lines_of(print_note(tmp_path, text))
    assert any(line.endswith("-") for line in lines)
    assert not any(all(line.endswith("-") for line in lines[start : start + 3]) for start in range(len(lines) - 2))
    out = print_text(GERMAN * 3, out=tmp_path / "x.pdf", columns=2).path
    assert not [line for line in lines_of(out) if line.endswith("-")]


@pytest.mark.short(1)
@pytest.mark.parametrize("around", ["`{}`", "[{}](https://example.org)", "[[#Titel|{}]]"])
def test_p18_code_and_links_are_never_hyphenated(tmp_path: Path, around: str) -> None:
    """P18: code and links, whose texts are mostly names, are never hyphenated."""
    word = around.format("unverhältnismäßigkeitsvermeidung")
    lines = lines_of(print_note(tmp_path, " ".join(f"{'wir ' * (number % 9)}{word}" for number in range(40)) + " aus"))
    assert not [line for line in lines if line.endswith("-")]


def test_p18_cards_and_their_titles_are_hyphenated(tmp_path: Path) -> None:
    title = "Donaudampfschifffahrtsgesellschaftskapitänswitwe"
    room = Glyphs(CLASSIC).measure_width(title, look.TITLE_BOLD, 7.0) * 0.7
    lines, _ = fit_title(title, Glyphs(CLASSIC), look.TITLE_BOLD, room, size=13.0, floor=7.0, language="de")
    assert len(lines) == 2 and lines[0].endswith("gesell-") and "".join(lines).replace("-", "") == title
    cards = CardSet("Karten", (PrintableCard("Eine", text_markdown=GERMAN * 2),))
    path = print_set_pages(cards, PrintJob("a4", tmp_path / "cards.pdf", language="de")).path
    assert [line for line in lines_of(path) if line.endswith("-")]
    assert " ".join((PLAIN * 2).split()) in " ".join(words_of(path))
