"""The marks in a text object of a tagged PDF, which say to which tags its text, links and pictures belong."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from reportlab.pdfbase.pdfmetrics import getFont

from vaultkit.sheets.pdf.canvas import MarkedText
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.hyphenation import mark_divided_words
from vaultkit.theme import reportlab_private
from vaultkit.theme.bidi import begin_actual_text
from vaultkit.theme.model import TEXT

_SHOW_OPERATORS = ("Tj", "Tj T*")
_FONT = re.compile(r"/\S+ \S+ Tf(?: \S+ TL)?")
_LINE_END = ") Tj T*"
_END_MARK = "EMC"


def _shows_only_space(code: str) -> bool:
    """Return whether an operator shows nothing but a space at the end of a line."""
    return code.count("Tj") == 1 and code.endswith("( ) Tj T*")


def _font_has_space(font: str, canvas: Any) -> bool:
    """Return whether the font that an operator of the canvas sets contains a space."""
    name = font.partition(" ")[0].rpartition("+")[0]
    font_names = reportlab_private.pdf_document(canvas).fontMapping.items()
    font_name = next((font_name for font_name, internal in font_names if internal == name), "")
    return not font_name or ord(" ") in getFont(font_name).face.charToGlyph


def _text_font_operator(font: str, canvas: Any) -> str:
    """Return an operator that sets the text font in the font size of the operator `font`."""
    text_font = getFont(canvas.theme.face(TEXT))
    document = reportlab_private.pdf_document(canvas)
    ((subset, _),) = text_font.splitString(" ", document)
    return f"{text_font.getSubsetInternalName(subset, document)} {font.partition(' ')[2]}"


class TextMarks:
    """The content marks of one text object, which belongs to `tag` except for its `links` (tags by ReportLab's number).

    Without a tag there are no marks, and the text is content of the surrounding tag. `removed_spaces` says for each
    line whether ReportLab removed a space at its end; the space is put back, so that words of two lines do not run
    together when the text is read aloud or copied. `divided_words` holds both parts of the words that are divided at
    line ends, and `carried_part` the second part of a word that is divided above the first line.
    """

    def __init__(
        self, text: Any, tag: Tag | None, links: Mapping[int, Tag], pending_link_tags: list[Tag],
        removed_spaces: Sequence[bool], *, divided_words: Sequence[tuple[str, str]] = (), carried_part: str = "",
    ) -> None:  # fmt: skip
        self._code = reportlab_private.operators(text)
        self._removed_spaces = iter(removed_spaces)
        self._divided_words, self._carried_part = divided_words, carried_part
        self._tag = tag
        self._link_tags = links
        self._pending_link_tags = pending_link_tags
        self._first_operator = len(self._code)
        self._cuts: list[tuple[int, Tag | None]] = [(self._first_operator, tag)]
        self._figures: dict[int, Tag] = {}
        """The pictures by the index of the text piece that follows them."""
        self._replacements: list[tuple[int, str]] = []
        text.marks = self
        if tag is not None:
            reportlab_private.record_links(text, self.record_link)

    def record_link(self, link: tuple[int, str], edge: str) -> None:
        """Record that a link starts, with the words that ReportLab has just set, or that it ends on this line."""
        tag = self._link_tags[link[0]]
        if edge == "start":
            self._cuts.append((len(self._code) - 1, tag))
        else:
            self._cuts.append((len(self._code), self._tag))
            self._pending_link_tags.append(tag)

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
        for index in range(self._count_operators_before_font(), len(self._code)):
            operator = self._code[index]
            match = _FONT.search(operator) if " Tf" in operator else None
            font = match[0] if match else font
            if operator.endswith("T*"):
                self._code[index] = self._add_space(operator, font, canvas)
        line_ranges = self._line_ranges() if self._divided_words else []
        self._mark_replacements()
        mark_divided_words(self._code, line_ranges, self._divided_words, self._carried_part)
        if self._tag is None:
            return " ".join([*self._code, "ET"])
        operators = self._code[: self._first_operator]
        ends = [start for start, _ in self._cuts[1:]] + [len(self._code)]
        for index, ((start, tag), end) in enumerate(zip(self._cuts, ends, strict=True)):
            self._tag.children += [self._figures[index]] if index in self._figures else []
            piece = self._code[start:end]
            has_text = any(" Tj" in line or "] TJ" in line for line in piece)
            operators += [canvas.begin_mark(self._attach_tag(tag)), *piece, _END_MARK] if has_text else piece
        return MarkedText(" ".join([*operators, "ET"]))

    def _count_operators_before_font(self) -> int:
        """Return the number of operators before the first font is set, and skip the removed spaces of their lines."""
        count = next((n for n, line in enumerate(self._code) if " Tf" in line), 0)
        for line in self._code[:count]:
            if line.endswith("T*"):
                next(self._removed_spaces, None)
        return count

    def _line_ranges(self) -> list[range]:
        """Return the range of operators of each line."""
        ends = [number + 1 for number, line in enumerate(self._code) if line.endswith("T*")]
        return [range(start, end) for start, end in pairwise([0, *ends])]

    def _mark_replacements(self) -> None:
        """Put marks around the operators of each replaced piece of text; the first mark holds the replacement text."""
        for (start, characters), (end, _) in zip(self._replacements[::2], self._replacements[1::2], strict=False):
            codes = [(n, self._code[n]) for n in range(start, end)]
            indices = [n for n, code in codes if code.endswith(_SHOW_OPERATORS) and not _shows_only_space(code)]
            for index in indices:
                space = " " if index == indices[-1] and self._code[index].endswith(f" {_LINE_END}") else ""
                mark = begin_actual_text(f"{characters if index == indices[0] else ''}{space}")
                self._code[index] = f"{mark} {self._code[index]} {_END_MARK}"

    def _attach_tag(self, tag: Tag | None) -> Tag:
        """Return the tag of a piece of text, which is the paragraph's if `tag` is None.

        The tag of a link is added to the paragraph's tag when its first words are met.
        """
        assert self._tag is not None
        if tag is None or tag is self._tag:
            return self._tag
        if tag not in self._tag.children:
            self._tag.children.append(tag)
        return tag

    def _add_space(self, code: str, font: str, canvas: Any) -> str:
        """Return an operator that ends a line, with the space put back if one was removed.

        If the current font has no space, the space is set in the text font.
        """
        if not next(self._removed_spaces, False):
            return code
        if not _font_has_space(font, canvas):
            return f"{code.removesuffix('T*')}{_text_font_operator(font, canvas)} ( ) Tj {font} T*"
        if code.endswith(_LINE_END):
            return f"{code.removesuffix(_LINE_END)} {_LINE_END}"
        return f"{code.removesuffix('T*')}( ) Tj T*"
