"""Sheets of all kinds, made once for each test that wants them; read back with libraries that did not make them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from vaultkit.sheets.rule_sheet import rule_sheet


def text_of(path: Path) -> str:
    """The words of a PDF, spaces evened out."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def fonts_of(path: Path) -> dict[str, bool]:
    """Every font of a PDF, and whether its file is inside."""
    found: dict[str, bool] = {}
    for page in PdfReader(path).pages:
        for reference in page["/Resources"].get("/Font", {}).values():  # type: ignore[union-attr]
            font = reference.get_object()
            descriptor = font.get("/FontDescriptor")
            found[str(font["/BaseFont"])] = descriptor is not None and "/FontFile2" in descriptor.get_object()
    return found


def links_of(path: Path) -> list[str]:
    """Every address that a PDF links to."""
    addresses = []
    for page in PdfReader(path).pages:
        for reference in page.get("/Annots", []):
            action = reference.get_object().get("/A", {})
            if "/URI" in action:
                addresses.append(str(action["/URI"]))
    return addresses


@pytest.fixture
def print_note(tmp_path: Path) -> Callable[..., Path]:
    """Prints Markdown as a rule sheet, and gives the file."""

    def make(markdown: str, **more: Any) -> Path:
        settings: dict[str, Any] = {"title": "A Note", "source_path": "Rules/a-note.md", "paper": "a4"} | more
        out = tmp_path / "note.pdf"
        rule_sheet(markdown, out=out, cache=tmp_path / "cache", **settings)
        return out

    return make
