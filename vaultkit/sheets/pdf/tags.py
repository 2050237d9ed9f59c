"""The structure of a tagged PDF: what each piece of a page is, in reading order, recorded during drawing."""

import msgspec


class MarkedPiece(msgspec.Struct, frozen=True):
    """A piece of a page's content: the page, counted from 0, and its mark on that page."""

    page: int
    mark: int


class Annotation(msgspec.Struct, frozen=True):
    """A link or a form field: the page, counted from 0, and its index among the page's annotations."""

    page: int
    place: int


class Tag(msgspec.Struct, eq=False):
    """A structure element of a standard kind, such as `H1`, `P`, `LBody`, `TH` or `Figure`.

    `alt` describes a picture or a link in words. `scope` belongs to a heading cell: `Column` or `Row`. A cell may span
    several `rows` and `columns`. `numbering` belongs to a list: `Decimal`, `Disc` and so on. `box` is the place of a
    picture: left, bottom, right, top in points. `title` names a section, such as a callout's kind. Children are in
    reading order: further tags, pieces of pages, links and fields. `actual` is all its text, if programs might not find
    it in order otherwise.
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
    actual: str = ""

    def add(self, kind: str, *, alt: str = "", scope: str = "", title: str = "", numbering: str = "") -> "Tag":
        """Append a new tag to the children and return it."""
        tag = Tag(kind, alt, scope, title=title, numbering=numbering)
        self.children.append(tag)
        return tag
