"""ReportLab's private names: vaultkit reads and sets them here alone, besides the hooks `_addAnnotation` of
its canvas and `_formatText` of its text objects.

Each function has a test, which `make lowest` runs with the oldest supported release of ReportLab.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


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


def row_heights(table: Any) -> Sequence[float]:
    """Return the height of each row of a table that was laid out, in points."""
    heights: Sequence[float] = table._rowHeights
    return heights


def cell_values(flowable: Any) -> Sequence[Sequence[Any]]:
    """Return the contents of a table's cells, row by row; empty for a flowable that is no table."""
    cells: Sequence[Sequence[Any]] = getattr(flowable, "_cellvalues", ())
    return cells


class TextState(NamedTuple):
    """The font of a text object, and its size, leading and rise in points."""

    font: str
    size: float
    leading: float
    rise: float


def text_state(text: Any) -> TextState:
    """Return the state in which a text object draws."""
    return TextState(text._fontname, text._fontsize, text._leading or 0, text._rise)


def select_subset(text: Any, subset: int) -> bool:
    """Make a subset of its font the one that a text object draws with; return whether it was another one."""
    is_other = text._curSubset != subset
    text._curSubset = subset
    return bool(is_other)


def canvas_of(text: Any) -> Any:
    """Return the canvas of a text object."""
    return text._canvas


def subset_name(font: Any, number: int) -> str:
    """Return the name in a PDF of one subset of a TrueType font."""
    from reportlab.pdfbase.ttfonts import SUBSETN

    name: str = (SUBSETN(number) + b"+" + font.face.name + font.face.subfontNameX).decode("pdfdoc")
    return name


def fragment_words(pieces: Sequence[Any], width: float) -> list[list[Any]]:
    """Return the words of a paragraph, each a list of its width and of pieces with their text."""
    from reportlab.platypus.paragraph import _getFragWords

    words: list[list[Any]] = _getFragWords(list(pieces), width)
    return words


def are_words(pieces: Sequence[Any]) -> bool:
    """Return whether a paragraph's pieces are words already."""
    return bool(pieces) and isinstance(pieces[0], list)
