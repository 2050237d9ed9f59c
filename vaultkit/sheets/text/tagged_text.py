"""A ReportLab paragraph for tagged PDF, which marks its text, links and pictures as content of tags."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from vaultkit.sheets.pdf.canvas import MarkedText
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import LinePicture, Paragraph
from vaultkit.sheets.text.hyphenation import (
    MAX_HYPHENATED_CHARS,
    Hyphenator,
    find_divided_words,
    join_parts,
    line_texts,
    white_behind,
)
from vaultkit.theme import reportlab_private
from vaultkit.theme.glyphs import actual_text_operator
from vaultkit.theme.model import TEXT

_MARK = re.compile(r"(\[[a-z]+\])$")
"""The mark after the name of another note."""
_PICTURE = 'name="picture"'
_SHOW_OPERATORS = ("Tj", "Tj T*")
_FONT = re.compile(r"/\S+ \S+ Tf(?: \S+ TL)?")
_LINE_END = ") Tj T*"
_EMPTY_LINE = re.compile(r"(\A|<br/>)(?=(?:\s|<(?!br/|onDraw)[^<>]*>)*(?:<br/>|\Z))")
"""The beginning of an empty line, which needs a space: ReportLab cannot split off parts that have no words."""
_END = "EMC"


def _text_of(pieces: Sequence[Any]) -> str:
    """Return the text of ReportLab's pieces of a paragraph; a forced break counts as a newline."""
    return "".join("\n" if getattr(piece, "lineBreak", False) else piece.text for piece in pieces)


def _line_ends(text: str, lines: Sequence[Any]) -> Iterator[int]:
    """Yield for each line the index in the unbroken text at which it ends."""
    place = 0
    for line in lines:
        pieces = [piece.text for piece in line.words] if hasattr(line, "words") else line[1]
        for letter in "".join("".join(pieces).split()):
            while place < len(text) and text[place].isspace():
                place += 1
            place += text[place : place + 1] == letter
        yield place


def _is_space(code: str) -> bool:
    """Return whether an operator shows nothing but a space at the end of a line."""
    return code.count("Tj") == 1 and code.endswith("( ) Tj T*")


def _has_space(font: str, canvas: Any) -> bool:
    """Return whether the font that an operator of the canvas sets contains a space."""
    from reportlab.pdfbase.pdfmetrics import getFont

    name = font.partition(" ")[0].rpartition("+")[0]
    face = next(
        (face for face, internal in reportlab_private.pdf_document(canvas).fontMapping.items() if internal == name), ""
    )
    return not face or ord(" ") in getFont(face).face.charToGlyph


def _text_font_operator(font: str, canvas: Any) -> str:
    """Return an operator that sets the text font in the font size of the operator `font`."""
    from reportlab.pdfbase.pdfmetrics import getFont

    words = getFont(canvas.theme.face(TEXT))
    document = reportlab_private.pdf_document(canvas)
    ((subset, _),) = words.splitString(" ", document)
    return f"{words.getSubsetInternalName(subset, document)} {font.partition(' ')[2]}"


class TextMarks:
    """The content marks of one text object, which belongs to `tag` except for its `links` (tags by ReportLab's number).

    Without a tag there are no marks, and the text is content of the surrounding tag. `removed_spaces` says for each
    line whether ReportLab removed a space at its end; the space is put back, so that words of two lines do not run
    together when the text is read aloud or copied. `divided_words` holds both parts of the words that are divided at
    line ends, and `carried_part` the second part of a word that is divided above the first line.
    """

    def __init__(
        self, text: Any, tag: Tag | None, links: Mapping[int, Tag], waiting: list[Tag], spaced: Sequence[bool],
        *, divided: Sequence[tuple[str, str]] = (), carried: str = "",
    ) -> None:  # fmt: skip
        self._code = reportlab_private.operators(text)
        self._spaced = iter(spaced)
        self._break_with_hyphens, self._carried = divided, carried
        self._tag = tag
        self._links = links
        self._waiting = waiting
        self._start = len(self._code)
        self._cuts: list[tuple[int, Tag | None]] = [(self._start, tag)]
        self._figures: dict[int, Tag] = {}
        """The pictures by the index of the text piece that follows them."""
        self._replacements: list[tuple[int, str]] = []
        text.marks = self
        if tag is not None:
            reportlab_private.record_links(text, self.record_link)

    def record_link(self, link: tuple[int, str], edge: str) -> None:
        """Record that a link starts, with the words that ReportLab has just set, or that it ends on this line."""
        tag = self._links[link[0]]
        if edge == "start":
            self._cuts.append((len(self._code) - 1, tag))
        else:
            self._cuts.append((len(self._code), self._tag))
            self._waiting.append(tag)

    def add_figure(self, figure: Tag) -> bool:
        """Record the tag of a picture at the current position; return whether the picture is content."""
        self._figures[len(self._cuts)] = figure
        self._cuts.append((len(self._code), self._cuts[-1][1]))
        return self._tag is not None

    def set_replacement(self, characters: str) -> None:
        """Let `characters` replace, for readers, the text that is set from now on; "" ends the replacement."""
        self._replacements.append((len(self._code), characters))

    def code(self, canvas: Any) -> str:
        """Return the operators of the text object, including its content marks."""
        font = ""
        for number in range(self._lines_before_letters(), len(self._code)):
            font = next((match[0] for match in _FONT.finditer(self._code[number])), font)
            self._code[number] = self._with_space(self._code[number], font, canvas)
        rows = self._rows() if self._break_with_hyphens else []
        self._replace()
        join_parts(self._code, rows, self._break_with_hyphens, self._carried)
        if self._tag is None:
            return " ".join([*self._code, "ET"])
        operators = self._code[: self._start]
        ends = [start for start, _ in self._cuts[1:]] + [len(self._code)]
        for number, ((start, tag), end) in enumerate(zip(self._cuts, ends, strict=True)):
            self._tag.children += [self._figures[number]] if number in self._figures else []
            stretch = self._code[start:end]
            has_text = any(" Tj" in line for line in stretch)
            operators += [canvas.begin_mark(self._structure_tag(tag)), *stretch, _END] if has_text else stretch
        return MarkedText(" ".join([*operators, "ET"]))

    def _lines_before_letters(self) -> int:
        """Return the number of operators before the first font is set, and skip the removed spaces of their lines."""
        count = next((n for n, line in enumerate(self._code) if " Tf" in line), 0)
        for line in self._code[:count]:
            if line.endswith("T*"):
                next(self._spaced, None)
        return count

    def _rows(self) -> list[range]:
        """Return the range of operators of each line."""
        ends = [number + 1 for number, line in enumerate(self._code) if line.endswith("T*")]
        return [range(start, end) for start, end in pairwise([0, *ends])]

    def _replace(self) -> None:
        """Put marks around the operators of each replaced piece of text; the first mark holds the replacement text."""
        for (start, characters), (end, _) in zip(self._replacements[::2], self._replacements[1::2], strict=False):
            spots = [
                n for n in range(start, end) if self._code[n].endswith(_SHOW_OPERATORS) and not _is_space(self._code[n])
            ]
            for spot in spots:
                space = " " if spot == spots[-1] and self._code[spot].endswith(f" {_LINE_END}") else ""
                mark = actual_text_operator(f"{characters if spot == spots[0] else ''}{space}")
                self._code[spot] = f"{mark} {self._code[spot]} {_END}"

    def _structure_tag(self, tag: Tag | None) -> Tag:
        """Return the tag of a piece of text, which is the paragraph's if `tag` is None.

        The tag of a link is added to the paragraph's tag when its first words are met.
        """
        assert self._tag is not None
        if tag is None or tag is self._tag:
            return self._tag
        if tag not in self._tag.children:
            self._tag.children.append(tag)
        return tag

    def _with_space(self, code: str, font: str, canvas: Any) -> str:
        """Return an operator, with the removed space put back if it ends a line.

        If the current font has no space, the space is set in the text font.
        """
        if not code.endswith("T*") or not next(self._spaced, False):
            return code
        if not _has_space(font, canvas):
            return f"{code.removesuffix('T*')}{_text_font_operator(font, canvas)} ( ) Tj {font} T*"
        if code.endswith(_LINE_END):
            return f"{code.removesuffix(_LINE_END)} {_LINE_END}"
        return f"{code.removesuffix('T*')}( ) Tj T*"


class TaggedParagraph(Paragraph):  # type: ignore[misc]
    """A paragraph that is broken into lines only once for each width.

    In a tagged document its text is content of `tag`, its links are content of `Link` tags in it, and its bullet is
    content of `label`. With `once` it is content only when first drawn, and an artifact later, such as the repeated
    head row of a table. Without a tag it is content of the surrounding tag.
    """

    _wrapped_size: tuple[float, float, float] | None = None
    _labelled = False
    _was_drawn = False
    _divider: Hyphenator | None = None
    _divides = False
    """Whether words are hyphenated, in this paragraph or in the longer paragraph that it was split from."""
    _carried = ""
    """The second part of a word divided above the first line."""

    def __init__(
        self, text: str | None, style: Any = None, bulletText: Any = None, frags: Any = None, *,  # noqa: N803 - its names
        tag: Tag | None = None, label: Tag | None = None, once: bool = False,
        pictures: Mapping[str, LinePicture] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        text = _EMPTY_LINE.sub("\\1\u00a0", text) if text and "<br/>" in text else text
        super().__init__(text, style, bulletText, frags)
        self.pictures = list(_pictures(self.frags, pictures)) if pictures and text and _PICTURE in text else []
        self.uneven = any(picture.size[1] > self.style.leading for picture in self.pictures)
        if self.uneven:
            self.style: Any = self.style.clone(self.style.name, autoLeading="max")
        self.tag, self.label, self.once = tag, label, once
        self.unbroken = _text_of(self.frags) if text else ""
        """The text before it is broken into lines."""
        self.links = _links(self.frags) if tag is not None and text and "<a " in text else {}

    def divide_words(self, language: str, whole: str) -> None:
        """Hyphenate words at the ends of loose lines by the rules of a language, except words in `unbroken_font`."""
        if len(self.unbroken) <= MAX_HYPHENATED_CHARS:
            self._divides = True
            self._divider = Hyphenator(language, whole, self.frags, self.style.textColor)

    def join_lines(self) -> None:
        """Remove line breaks from the text for readers, so that all lines are read as one word."""
        self.unbroken = self.unbroken.replace("\n", "")

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """Return the width and height of the paragraph in points, after breaking it into lines."""
        if self._wrapped_size is None or self._wrapped_size[0] != wide:
            width, height = self._break_with_hyphens(wide, high) if self._divider else super().wrap(wide, high)
            self._wrapped_size = wide, width, height
        return self._wrapped_size[1], self._wrapped_size[2]

    def _break_with_hyphens(self, wide: float, high: float) -> tuple[float, float]:
        """Break the text into lines with hyphens, in at most two consecutive lines; return width and height in points.

        After each division of a word all lines are broken again.
        """
        assert self._divider is not None
        self._divider.remove_hyphens()
        row, divided, is_broken_again = 0, set[int](), True
        while True:
            if is_broken_again:
                self.frags: list[Any] = list(self._divider.pieces)  # wrap() replaces the pieces by words
                size = super().wrap(wide, high)
                lines = vars(self)["blPara"].lines
                ends = list(_line_ends(self.unbroken, lines))
            if row >= len(lines) - 1:
                return float(size[0]), float(size[1])
            white = 0.0 if {row - 1, row - 2} <= divided else white_behind(lines[row], wide)
            is_broken_again = white > 0 and self._divider.divide(self.unbroken, ends[row], white)
            divided |= {row} if is_broken_again else set()
            row += 1

    def split(self, wide: float, high: float) -> list[Any]:
        """Return the paragraph split into two, the first at most `available_height` points high.

        The list holds one paragraph if all lines fit, and none if there is no good break.
        """
        if self._wrapped_size:  # a table passes the cell width including its padding
            wide = min(wide, self._wrapped_size[0])
        self.wrap(wide, high)
        lines = vars(self)["blPara"]
        parts = list(super().split(wide, high))
        self.blPara = lines  # a failed split deletes the lines
        for part in parts:
            part.tag, part.label, part.links, part.once = self.tag, self.label, self.links, self.once
            part.pictures, part.uneven = self.pictures, self.uneven
        if len(parts) > 1:
            count = len(parts[0].blPara.lines)
            *_, end = 0, *_line_ends(self.unbroken, lines.lines[:count])
            parts[0].unbroken, parts[1].unbroken = self.unbroken, self.unbroken[end:]
            parts[0]._carried, parts[0]._divides, parts[1]._divides = self._carried, self._divides, self._divides
            if self._divides:
                last = list(line_texts(lines.lines[count - 1 : count]))
                ((_, parts[1]._carried),) = find_divided_words(self.unbroken, last, [end])
            parts[1].take_lines(lines, count, wide)
        return parts

    def take_lines(self, lines: Any, count: int, wide: float) -> None:
        """Adopt the lines of a longer paragraph after its first `line_count`, because breaking them again is slow."""
        if self.uneven:
            return
        remaining_lines = lines.lines[count:]
        if lines.kind:
            if not hasattr(remaining_lines[0], "sFW"):
                return
            remaining_lines = [
                line.clone(sFW=line.sFW - remaining_lines[0].sFW) for line in remaining_lines
            ]  # relative to the first line
        self.blPara = lines.clone(lines=remaining_lines)
        self.width, self.height = wide, len(self.blPara.lines) * self.style.leading
        self._wrapped_size = wide, wide, self.height

    def draw(self) -> None:
        if self.label is not None and self.bulletText and self.canv.tagged:
            self._labelled = True
            self.canv.begin(self.label)
        super().draw()
        self._end_label()

    def beginText(self, x: float, y: float) -> Any:  # noqa: N802 - ReportLab's name
        """Return the text object of the paragraph; ReportLab calls this after it has drawn the bullet."""
        self._end_label()
        text = super().beginText(x, y)
        if self.canv.tagged:
            ends = list(_line_ends(self.unbroken, vars(self)["blPara"].lines))
            spaced = [self.unbroken[end : end + 1].isspace() for end in ends]
            texts = line_texts(vars(self)["blPara"].lines)
            divided = find_divided_words(self.unbroken, list(texts), ends) if self._divides else []
            marks = TextMarks(
                text,
                self._content(),
                self.links,
                self.canv.pending_link_tags,
                spaced,
                divided=divided,
                carried=self._carried,
            )
            for picture in self.pictures:
                picture.marks = marks
        return text

    def _end_label(self) -> None:
        if self._labelled:
            self.canv.end()
        self._labelled = False

    def _content(self) -> Tag | None:
        """Return the tag of the text, or the link's tag if the whole text is one link; None for an artifact.

        For a paragraph that is one link, ReportLab does not call `TextMarks.record_link`.
        """
        if self.tag is None or (self.once and self._was_drawn):
            return None
        self._was_drawn = True
        if vars(self)["blPara"].kind or not self.links:
            return self.tag
        (link,) = self.links.values()
        if link not in self.tag.children:
            self.tag.children.append(link)
        self.canv.pending_link_tags += [link] * len(vars(self)["blPara"].lines)
        return link


def _pictures(pieces: list[Any], pictures: Mapping[str, LinePicture]) -> Iterator[LinePicture]:
    """Reserve space for the inline pictures of a paragraph and yield them."""
    for piece in pieces:
        definition: Any = getattr(piece, "cbDefn", None)
        if getattr(definition, "name", "") == "picture":
            picture = pictures[definition.label]
            definition.kind, definition.image, definition.valign = "img", picture, "middle"
            definition.width, definition.height = picture.size
            yield picture


def _links(pieces: list[Any]) -> dict[int, Tag]:
    """Return a tag with a description for each link of a paragraph, by ReportLab's number of the link."""
    words: dict[tuple[int, str], str] = {}
    for piece in pieces:
        for link in getattr(piece, "link", None) or ():
            words[link] = words.get(link, "") + piece.text
    return {number: Tag("Link", _describe(text, address)) for (number, address), text in words.items()}


def _describe(text: str, address: str) -> str:
    """Return the words that a screen reader says for a link."""
    text = " ".join(text.split())
    mark = text.strip("[]")
    if "foot-" in address and address.startswith("#"):
        return f"Footnote {mark}"
    if address.endswith("notes-named") and address.startswith("#"):
        return _MARK.sub(r" \1", text) if text[:1] != "[" else f"Note {mark} of those named here"
    return text or address
