"""A ReportLab paragraph for tagged PDF, which marks its text, links and pictures as content of tags."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from vaultkit import files
from vaultkit.sheets.pdf.output_file import refuse_many_parts
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import LinePicture, Paragraph
from vaultkit.sheets.text.hyphenation import (
    MAX_HYPHENATED_CHARS,
    Hyphenator,
    find_divided_words,
    line_texts,
    measure_white_space,
)
from vaultkit.sheets.text.run_layout import break_words, order_lines
from vaultkit.sheets.text.text_marks import TextMarks
from vaultkit.theme.bidi import has_right_to_left, runs_right_to_left

_NOTE_MARK = re.compile(r"(\[[a-z]+\])$")
"""The mark after the name of another note."""
_PICTURE_ATTRIBUTE = 'name="picture"'
_EMPTY_LINE = re.compile(r"(\A|<br/>)(?=(?:\s|<(?!br/|onDraw)[^<>]*>)*(?:<br/>|\Z))")
"""The beginning of an empty line, which needs a space: ReportLab cannot split off parts that have no words."""
_ESCAPE_OR_TAG = re.compile(r"&(amp|lt|gt);|<[^<>]*>")
_SIGNS = {"amp": "\ufdd0", "lt": "\ufdd1", "gt": "\ufdd2"}
"""Characters that no text has, each in place of an escaped sign, at which ReportLab would divide the text."""
_SHOWN_SIGNS = {ord(character): sign for character, sign in zip(_SIGNS.values(), "&<>", strict=True)}
_MAX_SIZE_RATIO = 1.1
"""The size of text, relative to that of its paragraph, above which its line is higher than others."""
_MIRRORED_ALIGNMENTS = {0: 2, 2: 0}
"""ReportLab's numbers for left and right, each by the other."""


def _text_of(pieces: Sequence[Any]) -> str:
    """Return the text of ReportLab's pieces of a paragraph; a forced break counts as a newline."""
    return "".join("\n" if getattr(piece, "lineBreak", False) else piece.text for piece in pieces)


def _hide_escape(match: re.Match[str]) -> str:
    return _SIGNS[match[1]] if match[1] else match[0]


def _line_ends(text: str, lines: Sequence[Any]) -> Iterator[int]:
    """Yield for each line the index in the unbroken text at which it ends."""
    index = 0
    for line in lines:
        pieces = [piece.text for piece in line.words] if hasattr(line, "words") else line[1]
        for letter in "".join("".join(pieces).split()):
            while index < len(text) and text[index].isspace():
                index += 1
            index += text[index : index + 1] == letter
        yield index


class TaggedParagraph(Paragraph):  # type: ignore[misc]
    """A paragraph that is broken into lines only once for each width.

    In a tagged document its text is content of `tag`, its links are content of `Link` tags in it, and its bullet is
    content of `label`. With `once` it is content only when first drawn, and an artifact later, such as the repeated
    head row of a table. Without a tag it is content of the surrounding tag.
    """

    _wrapped_size: tuple[float, float, float] | None = None
    _label_is_open = False
    _was_drawn = False
    _hyphenator: Hyphenator | None = None
    _is_hyphenated = False
    """Whether words are hyphenated, in this paragraph or in the longer paragraph that it was split from."""
    _is_ordered = False
    _right_bullet = ""
    """The bullet of a paragraph that runs from right to left."""
    ground = ""
    """The background of the table cell that it is in, as `#rrggbb`; "" for none."""
    _carried = ""
    """The second part of a word divided above the first line."""

    def __init__(
        self, text: str | None, style: Any = None, bulletText: Any = None, frags: Any = None, *,  # noqa: N803 - its names
        tag: Tag | None = None, label: Tag | None = None, once: bool = False,
        pictures: Mapping[str, LinePicture] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        text = _EMPTY_LINE.sub("\\1\u00a0", text) if text and "<br/>" in text else text
        super().__init__(_ESCAPE_OR_TAG.sub(_hide_escape, text) if text else text, style, bulletText, frags)
        refuse_many_parts(len(self.frags), 0, str(files.LAST_READ[0]))
        for piece in self.frags if text and "&" in text else ():
            piece.text = piece.text.translate(_SHOWN_SIGNS)
        has_pictures = pictures and text and _PICTURE_ATTRIBUTE in text
        self.pictures = list(_reserve_pictures(self.frags, pictures)) if has_pictures else []
        has_sizes = text and " size=" in text
        sizes = [piece.fontSize for piece in self.frags] if has_sizes else [0]
        self.uneven = max(sizes) > _MAX_SIZE_RATIO * self.style.fontSize or any(
            picture.size[1] > self.style.leading for picture in self.pictures
        )
        if self.uneven:
            self.style: Any = self.style.clone(self.style.name, autoLeading="max")
        self.tag, self.label, self.once = tag, label, once
        self.unbroken = _text_of(self.frags) if text else ""
        """The text before it is broken into lines."""
        self.is_right_to_left = runs_right_to_left(self.unbroken)
        if self.is_right_to_left:
            self._mirror()
        self.links = _make_link_tags(self.frags) if tag is not None and text and "<a " in text else {}
        if tag is not None and not (self.links or self.pictures) and has_right_to_left(self.unbroken):
            tag.actual = self.unbroken

    def _mirror(self) -> None:
        """Let the text start at the right, with its bullet there."""
        self.style = style = self.style.clone(self.style.name)
        style.alignment = _MIRRORED_ALIGNMENTS.get(style.alignment, style.alignment)
        style.leftIndent, style.rightIndent = style.rightIndent, style.leftIndent
        bullet, self.bulletText = vars(self)["bulletText"], None
        self._right_bullet = bullet or ""

    def divide_words(self, language: str, unbroken_font: str) -> None:
        """Hyphenate words at the ends of loose lines by the rules of a language, except words in `unbroken_font`."""
        if len(self.unbroken) <= MAX_HYPHENATED_CHARS:
            self._is_hyphenated = True
            self._hyphenator = Hyphenator(language, unbroken_font, self.frags, self.style.textColor)

    def keep_words_whole(self) -> None:
        """Stop hyphenating words, so that lines can be broken again at another width."""
        if self._hyphenator is not None:
            self._hyphenator.remove_hyphens()
            self.frags: Any = list(self._hyphenator.pieces)
        self._hyphenator, self._is_hyphenated, self._wrapped_size = None, False, None

    def join_lines(self) -> None:
        """Remove line breaks from the text for readers, so that all lines are read as one word."""
        self.unbroken = self.unbroken.replace("\n", "")

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        """Return the width and height of the paragraph in points, after breaking it into lines."""
        if self._wrapped_size is None or self._wrapped_size[0] != available_width:
            width, height = (
                self._divided_words(available_width, available_height)
                if self._hyphenator
                else super().wrap(available_width, available_height)
            )
            self._wrapped_size = available_width, width, height
        return self._wrapped_size[1], self._wrapped_size[2]

    def _divided_words(self, available_width: float, available_height: float) -> tuple[float, float]:
        """Break the text into lines with hyphens, in at most two consecutive lines; return width and height in points.

        After each division of a word all lines are broken again.
        """
        assert self._hyphenator is not None
        self._hyphenator.remove_hyphens()
        line_index, divided_lines, is_broken_again = 0, set[int](), True
        while True:
            if is_broken_again:
                self.frags = list(self._hyphenator.pieces)  # wrap() replaces the pieces by words
                size = super().wrap(available_width, available_height)
                lines = vars(self)["blPara"].lines
                ends = list(_line_ends(self.unbroken, lines))
            if line_index >= len(lines) - 1:
                return float(size[0]), float(size[1])
            white_width = 0.0
            if not {line_index - 1, line_index - 2} <= divided_lines:
                white_width = measure_white_space(lines[line_index], available_width)
            is_broken_again = white_width > 0 and self._hyphenator.divide(self.unbroken, ends[line_index], white_width)
            divided_lines |= {line_index} if is_broken_again else set()
            line_index += 1

    def breakLines(self, width: Any) -> Any:  # noqa: N802 - ReportLab's name
        """Return the broken lines, after separating words that have no spaces between them."""
        widths = width if isinstance(width, list | tuple) else [width]
        self.frags = list(break_words(self.frags, self.unbroken, min(widths)))
        return super().breakLines(width)

    def split(self, available_width: float, available_height: float) -> list[Any]:
        """Return the paragraph split into two, the first at most `available_height` points high.

        The list holds one paragraph if all lines fit, and none if there is no good break.
        """
        if self._wrapped_size:  # a table passes the cell width including its padding
            available_width = min(available_width, self._wrapped_size[0])
        self.wrap(available_width, available_height)
        broken_lines = vars(self)["blPara"]
        parts = list(super().split(available_width, available_height))
        self.blPara = broken_lines  # a failed split deletes the lines
        for part in parts:
            part.tag, part.label, part.links, part.once = self.tag, self.label, self.links, self.once
            part.pictures, part.uneven = self.pictures, self.uneven
            part.is_right_to_left, part.ground = self.is_right_to_left, self.ground
        if len(parts) > 1:
            line_count = len(parts[0].blPara.lines)
            *_, end = 0, *_line_ends(self.unbroken, broken_lines.lines[:line_count])
            parts[0].unbroken, parts[1].unbroken = self.unbroken, self.unbroken[end:]
            parts[0]._carried, parts[0]._right_bullet = self._carried, self._right_bullet
            parts[0]._is_hyphenated = self._is_hyphenated
            parts[1]._is_hyphenated = self._is_hyphenated
            if self._is_hyphenated:
                last_line = list(line_texts(broken_lines.lines[line_count - 1 : line_count]))
                ((_, parts[1]._carried),) = find_divided_words(self.unbroken, last_line, [end])
            parts[1].take_lines(broken_lines, line_count, available_width)
        return parts

    def take_lines(self, broken_lines: Any, line_count: int, width: float) -> None:
        """Adopt the lines of a longer paragraph after its first `line_count`, because breaking them again is slow."""
        if self.uneven:
            return
        remaining_lines = broken_lines.lines[line_count:]
        if broken_lines.kind:
            if not hasattr(remaining_lines[0], "sFW"):
                return
            remaining_lines = [
                line.clone(sFW=line.sFW - remaining_lines[0].sFW) for line in remaining_lines
            ]  # relative to the first line
        self.blPara = broken_lines.clone(lines=remaining_lines)
        self.width, self.height = width, len(self.blPara.lines) * self.style.leading
        self._wrapped_size = width, width, self.height

    def draw(self) -> None:
        if self.label is not None and (self.bulletText or self._right_bullet) and self.canv.tagged:
            self._label_is_open = True
            self.canv.begin(self.label)
        if self._right_bullet:
            self._draw_right_bullet()
        if not self.uneven:
            self._level_first_line()
        if has_right_to_left(self.unbroken) and not self._is_ordered:
            self._is_ordered = True
            order_lines(vars(self)["blPara"].lines, self.is_right_to_left)
        super().draw()
        self._end_label()

    def _level_first_line(self) -> None:
        """Put the first line as high as if it had letters of the paragraph's own font only.

        ReportLab would move all lines down for a sign of a font with high ascenders, such as an emoji.
        """
        from reportlab.pdfbase.pdfmetrics import getAscent

        ascent, paragraph = getAscent(self.style.fontName, self.style.fontSize), vars(self)["blPara"]
        for line in (paragraph, *paragraph.lines[:1]):
            if getattr(line, "ascent", 0) > ascent:
                line.ascent = ascent

    def _draw_right_bullet(self) -> None:
        """Draw the bullet at the right edge, at the height of the first line."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        style, text = self.style, self._right_bullet
        width = stringWidth(text, style.bulletFontName, style.bulletFontSize)
        first = vars(self)["blPara"].lines[0]
        bullet = self.canv.beginText(self.width - style.bulletIndent - width, self.height - first.ascent)
        bullet.setFont(style.bulletFontName, style.bulletFontSize)
        bullet.setFillColor(style.bulletColor)
        digits = text.removesuffix(".")
        bullet.textOut(f".{digits}" if digits.isdigit() and digits != text else text)
        self.canv.drawText(bullet)
        self._end_label()

    def beginText(self, x: float, y: float) -> Any:  # noqa: N802 - ReportLab's name
        """Return the text object of the paragraph; ReportLab calls this after it has drawn the bullet."""
        self._end_label()
        text = super().beginText(x, y)
        if self.canv.tagged:
            ends = list(_line_ends(self.unbroken, vars(self)["blPara"].lines))
            removed_spaces = [self.unbroken[end : end + 1].isspace() for end in ends]
            texts = line_texts(vars(self)["blPara"].lines)
            divided_words = find_divided_words(self.unbroken, list(texts), ends) if self._is_hyphenated else []
            marks = TextMarks(
                text,
                self._content_tag(),
                self.links,
                self.canv.pending_link_tags,
                removed_spaces,
                divided_words=divided_words,
                carried_part=self._carried,
            )
            for picture in self.pictures:
                picture.marks = marks
        return text

    def _end_label(self) -> None:
        if self._label_is_open:
            self.canv.end()
        self._label_is_open = False

    def _content_tag(self) -> Tag | None:
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


def _reserve_pictures(pieces: list[Any], pictures: Mapping[str, LinePicture]) -> Iterator[LinePicture]:
    """Reserve space for the inline pictures of a paragraph and yield them."""
    for piece in pieces:
        definition: Any = getattr(piece, "cbDefn", None)
        if getattr(definition, "name", "") == "picture":
            picture = pictures[definition.label]
            definition.kind, definition.image, definition.valign = "img", picture, "middle"
            definition.width, definition.height = picture.size
            yield picture


def _make_link_tags(pieces: list[Any]) -> dict[int, Tag]:
    """Return a tag with a description for each link of a paragraph, by ReportLab's number of the link."""
    words: dict[tuple[int, str], str] = {}
    for piece in pieces:
        for link in getattr(piece, "link", None) or ():
            words[link] = words.get(link, "") + piece.text
    return {number: Tag("Link", _spoken_words(text, address)) for (number, address), text in words.items()}


def _spoken_words(text: str, address: str) -> str:
    """Return the words that a screen reader says for a link."""
    text = " ".join(text.split())
    mark = text.strip("[]")
    if "foot-" in address and address.startswith("#"):
        return f"Footnote {mark}"
    if address.endswith("notes-named") and address.startswith("#"):
        return _NOTE_MARK.sub(r" \1", text) if text[:1] != "[" else f"Note {mark} of those named here"
    return text or address
