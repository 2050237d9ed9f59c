"""Letters of cards read back from a PDF, with their places and sizes."""

from pathlib import Path
from typing import Any

import pypdfium2


def letters(path: Path) -> list[tuple[int, str, tuple[float, float, float, float]]]:
    """Return every letter with its page and its box: left, bottom, right and top in points."""
    found: list[tuple[int, str, Any]] = []
    document = pypdfium2.PdfDocument(path)
    for number, page in enumerate(document):
        text = page.get_textpage()
        for index in range(text.count_chars()):
            letter = text.get_text_range(index, 1)
            if letter.strip():
                found.append((number, letter, text.get_charbox(index)))
    document.close()
    return found


def sizes(path: Path) -> set[float]:
    """Return every size of text in the file, in points."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        return {
            round(float(step.operands[1]), 2)
            for page in pdf.pages
            for step in pikepdf.parse_content_stream(page)
            if str(step.operator) == "Tf"
        }
