"""The structure of a tagged PDF: what each piece of a page is, in reading order, recorded while it is drawn."""

import msgspec


class MarkedPiece(msgspec.Struct, frozen=True):
    """A stretch of a page's content: the page, counted from 0, and its mark on that page."""

    page: int
    mark: int


class Annotation(msgspec.Struct, frozen=True):
    """A link or a form field: the page, counted from 0, and its place in the page's list of annotations."""

    page: int
    place: int


class Tag(msgspec.Struct, eq=False):
    """A structure element of a standard kind, such as `H1`, `P`, `LBody`, `TH` or `Figure`.

    `alt` tells in words what a picture or a link is; `scope` is a heading cell's: `Column` or `Row`; a cell may
    reach over several `rows` and `columns`.
    `numbering` is a list's: `Decimal`, `Disc`...; `box` is where a picture stands: left, bottom, right, top in points.
    `title` names a stretch, such as a callout's kind. Children stand in reading order: further tags, pieces of pages,
    links and fields.
    """

    kind: str
    alt: str = ""
    scope: str = ""
    children: "list[Tag | MarkedPiece | Annotation]" = []
    title: str = ""
    numbering: str = ""
    box: tuple[float, float, float, float] | None = None
    rows: int = 1
    columns: int = 1

    def add(self, kind: str, *, alt: str = "", scope: str = "", title: str = "", numbering: str = "") -> "Tag":
        """A new tag after the ones that are there."""
        tag = Tag(kind, alt, scope, title=title, numbering=numbering)
        self.children.append(tag)
        return tag
