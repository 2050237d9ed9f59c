"""Several notes in one file: contents, page references, bookmarks, and one clear error."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheets.conftest import text_of
from tests.sheets.lint import problems
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules
from vaultkit.vault import Vault

FILLER = "Some words about nothing at all. " * 60
FIRST = f"# First\n\nSee [[Second#Late]] and [[Second]].\n\nA foot[^1].\n\n[^1]: Of the first.\n\n## Same\n\n{FILLER}"
SECOND = (
    "# Second\n\n## Same\n\nHere[^1] and [[#Same|its own]].\n\n[^1]: Of the second.\n\n"
    + "\n\n".join(f"### Part {n}\n\n{FILLER}" for n in range(12))
    + "\n\n## Late\n\nThe end."
)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    root = tmp_path_factory.mktemp("vault")
    for name, text in {"First": FIRST, "Second": SECOND, "Empty": "---\na: 1\n---\n\n"}.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    return Vault(root)


@pytest.fixture(scope="module")
def printed_notes(vault: Vault, tmp_path_factory: pytest.TempPathFactory) -> PrintedFile:
    notes = [vault.find("First"), vault.find("Second")]
    return print_rules(notes, vault, PrintJob("a4", tmp_path_factory.mktemp("out") / "both.pdf"))


def pages(made: PrintedFile) -> list[str]:
    return [" ".join(page.extract_text().replace("\u00a0", " ").split()) for page in PdfReader(made.path).pages]


@pytest.mark.slow
def test_links_between_the_notes_name_the_page(printed_notes: PrintedFile) -> None:
    found = pages(printed_notes)
    late = next(number for number, text in enumerate(found, 1) if "The end." in text)
    second = next(number for number, text in enumerate(found, 1) if number > 1 and "Here" in text)
    assert f"Late (p. {late})" in found[1]
    assert f"Second (p. {second})" in found[1]
    assert "Notes of the vault named here" not in " ".join(found)


@pytest.mark.slow
def test_contents_list_every_note_and_heading_with_its_page_and_a_link(printed_notes: PrintedFile) -> None:
    reader = PdfReader(printed_notes.path)
    late = next(number for number, text in enumerate(pages(printed_notes), 1) if "The end." in text)
    first = pages(printed_notes)[0]
    assert "Contents" in first
    assert f"Late {late}" in first
    links = [link.get_object() for link in reader.pages[0]["/Annots"]]  # type: ignore[attr-defined]
    assert len(links) >= 4
    assert all("/Dest" in link and str(link["/Contents"]) for link in links)


@pytest.mark.slow
def test_equal_headings_and_footnotes_of_two_notes_are_distinguished(printed_notes: PrintedFile) -> None:
    words = text_of(printed_notes.path)
    assert "1. Of the first." in words
    assert "1. Of the second." in words
    links = [link.get_object() for page in PdfReader(printed_notes.path).pages for link in page.get("/Annots", [])]
    places = [link["/Dest"] for link in links if str(link.get("/Contents", "")).startswith("Footnote")]
    assert len({str(place[0]) for place in places}) == 2


@pytest.mark.slow
def test_p6_document_structure(printed_notes: PrintedFile) -> None:
    assert problems(printed_notes.path) == []


def test_an_empty_note_is_one_error_with_a_hint(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(InvalidError) as caught:
        print_rules([vault.find("First"), vault.find("Empty")], vault, PrintJob("a4", tmp_path / "x.pdf"))
    assert (caught.value.where, bool(caught.value.hint)) == ("Empty.md", True)
    assert not list(tmp_path.iterdir())
