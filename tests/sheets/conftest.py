"""Sheets of all kinds, made once for each test that needs them and read back with independent libraries."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.rule_sheet import print_chapters, reading_plan
from vaultkit.sheets.text.note_source import LinkTarget, NoteSource
from vaultkit.theme import image_transcoding
from vaultkit.theme.model import CLASSIC, Theme

Answer = Callable[[str], Any]


class Answers(NoteSource):
    """The lookups from a note, each a function; a lookup without one finds nothing."""

    def __init__(self, image: Answer | None = None, embed: Answer | None = None, link: Answer | None = None) -> None:
        self._image, self._embed, self._link = image, embed, link

    def image(self, target: str) -> Path | None:
        return self._image(target) if self._image else super().image(target)

    def embed(self, target: str) -> str | None:
        return self._embed(target) if self._embed else super().embed(target)

    def link(self, target: str) -> LinkTarget | None:
        return self._link(target) if self._link else super().link(target)


def print_text(
    text: str, *, out: Path, title: str = "A Note", source_path: str = "a.md", paper: str = "a4",
    columns: int | None = None, theme: Theme = CLASSIC, **answers: Answer,
) -> PrintedFile:  # fmt: skip
    """Print Markdown as a rule sheet; `answers` are the lookups for the names in it."""
    chapter = Chapter(text, title, source_path, Answers(**answers))
    job = PrintJob(paper, out, theme)
    return print_chapters([chapter], reading_plan(job, columns), job)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Cache pictures in a folder of the tests instead of the user's."""
    with pytest.MonkeyPatch.context() as patch:
        keep_pictures_in(tmp_path_factory.mktemp("cache"), patch)
        yield


def keep_pictures_in(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(image_transcoding, "cache_folder", lambda: folder)


def text_of(path: Path) -> str:
    """Return the words of a PDF, separated by single spaces."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def fonts_of(path: Path) -> dict[str, bool]:
    """Return every font of a PDF, and whether its file is embedded."""
    found: dict[str, bool] = {}
    for page in PdfReader(path).pages:
        for reference in page["/Resources"].get("/Font", {}).values():  # type: ignore[union-attr]
            font = reference.get_object()
            descriptor = font.get("/FontDescriptor")
            found[str(font["/BaseFont"])] = descriptor is not None and "/FontFile2" in descriptor.get_object()
    return found


def links_of(path: Path) -> list[str]:
    """Return every address that a PDF links to."""
    addresses = []
    for page in PdfReader(path).pages:
        for reference in page.get("/Annots", []):
            action = reference.get_object().get("/A", {})
            if "/URI" in action:
                addresses.append(str(action["/URI"]))
    return addresses


@pytest.fixture
def print_note(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that prints Markdown as a rule sheet and returns the file."""

    def make(markdown: str, **more: Any) -> Path:
        out = tmp_path / "note.pdf"
        print_text(markdown, out=out, **({"source_path": "Rules/a-note.md"} | more))
        return out

    return make


@pytest.fixture(autouse=True)
def own_designs_count(trusting: None) -> None:
    """Trust the vaults of these tests, so that their own designs are used."""
