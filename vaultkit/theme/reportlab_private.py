"""ReportLab's private names: vaultkit reads and sets them here alone, besides the hook `_addAnnotation` of its canvas.

Each function has a test, which `make lowest` runs with the oldest supported release of ReportLab.
"""

from collections.abc import Callable, Sequence
from typing import Any


def pdf_document(canvas: Any) -> Any:
    """Return the PDF document that a canvas draws into."""
    return canvas._doc


def operators(drawing: Any) -> list[str]:
    """Return the PDF operators of a canvas's page or of a text object; items added to the list are drawn."""
    code: list[str] = drawing._code
    return code


def set_operators(canvas: Any, code: list[str]) -> None:
    """Replace the PDF operators of a canvas's page."""
    canvas._code = code


def text_being_drawn(canvas: Any) -> Any:
    """Return the text object of the paragraph that a canvas is drawing."""
    return canvas._curr_tx_info["tx"]


def record_links(text: Any, record: Callable[[tuple[int, str], str], None]) -> None:
    """Have a text object call `record` at both ends of a link, with its number and address, and `start` or `end`."""
    text._linkRecord = record


def annotation_count(canvas: Any) -> int:
    """Return the number of links and form fields on a canvas's page."""
    return len(canvas._annotationrefs)


def page_size(canvas: Any) -> tuple[float, float]:
    """Return the width and height of a canvas's page in points."""
    width, height = canvas._pagesize
    return width, height


def pdf_version(document: Any) -> tuple[int, int]:
    """Return the major and minor version of PDF that a document claims."""
    major, minor = document._pdfVersion
    return major, minor


def set_pdf_version(document: Any, version: tuple[int, int]) -> None:
    """Set the version of PDF that a document claims."""
    document._pdfVersion = version


def row_heights(table: Any) -> Sequence[float]:
    """Return the height of each row of a table that was laid out, in points."""
    heights: Sequence[float] = table._rowHeights
    return heights


def cell_values(flowable: Any) -> Sequence[Sequence[Any]]:
    """Return the contents of a table's cells, row by row; empty for a flowable that is no table."""
    cells: Sequence[Sequence[Any]] = getattr(flowable, "_cellvalues", ())
    return cells
