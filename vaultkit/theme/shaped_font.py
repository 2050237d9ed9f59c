"""Fonts whose text HarfBuzz shapes, drawn glyph by glyph, and the text objects that draw them.

ReportLab's own shaping gives glyphs without a character private code points, which then are the text that readers find.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

from reportlab.pdfbase.pdfmetrics import getFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.textobject import PDFTextObject

from vaultkit.theme import reportlab_private
from vaultkit.theme.bidi import RightToLeftText, begin_actual_text, has_right_to_left, script_of

_PRIVATE_CODES = range(0xE000, 0xF900)
_INVISIBLE = "\u200b"
"""The text of a glyph that shows no character by itself, such as the second one of a character with two glyphs."""
_MAX_CACHED_TEXT_COUNT = 20_000


class ShapedGlyph(NamedTuple):
    """A glyph by its code in the font, with its width, advance and offsets in thousandths of the font size."""

    code: int
    width: float
    advance: float
    x: float
    y: float


class UnicodeFont(TTFont):  # type: ignore[misc]
    """A TrueType font whose Unicode maps name all characters, also those beyond U+FFFF, as PDF requires."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._texts: dict[int, str] = {}
        """The characters that private codes show."""

    def addObjects(self, doc: Any) -> None:  # noqa: N802 - ReportLab's name
        """Add the font's objects to a document; its Unicode maps give the characters of each glyph."""
        subsets = self.state[doc].subsets
        super().addObjects(doc)
        for number, subset in enumerate(subsets):
            name = reportlab_private.subset_name(self, number)
            texts = {f"{number:02X}": self._texts.get(code, chr(code)) for number, code in enumerate(subset)}
            doc.idToObject[f"toUnicodeCMap:{name}"].content = make_unicode_map(texts)


class ShapedFont(UnicodeFont):
    """A TrueType font that draws shaped glyphs.

    A glyph that shows its own character has the code of that character. Any other has a private code, for which
    `_texts` holds the characters that it shows.
    """

    def __init__(self, name: str, data: bytes) -> None:
        super().__init__(name, BytesIO(data), shapable=False)
        self._data = data
        self._codes: dict[tuple[int, str], int] = {}
        self._shaped: dict[tuple[str, bool], Sequence[ShapedGlyph]] = {}
        self._repair_tables()

    def _repair_tables(self) -> None:
        """Give glyphs that share the last width of the table that width in the font's own units; read the letters anew.

        ReportLab scales that width, and may take the letters of an encoding of East Asia for Unicode's.
        """
        face = self.face
        count = int.from_bytes(face.get_table("hhea")[34:36], "big")
        shared = face.hmetrics[count - 1][0]
        face.hmetrics[count:] = [(shared, bearing) for _, bearing in face.hmetrics[count:]]
        glyphs = ((letter, self._shaper.get_nominal_glyph(letter)) for letter in self._shaper.face.unicodes)
        face.charToGlyph = {letter: glyph for letter, glyph in glyphs if glyph and glyph < face.numGlyphs}
        scale = 1000 / self._shaper.face.upem
        face.charWidths = {letter: face.hmetrics[glyph][0] * scale for letter, glyph in face.charToGlyph.items()}

    @cached_property
    def _shaper(self) -> Any:
        import uharfbuzz

        return uharfbuzz.Font(uharfbuzz.Face(self._data))

    def shape(self, text: str) -> Sequence[ShapedGlyph]:
        """Return the glyphs of a text in one direction, from left to right."""
        is_right_to_left = self.is_right_to_left(text)
        key = str(text), is_right_to_left
        if key not in self._shaped:
            if len(self._shaped) >= _MAX_CACHED_TEXT_COUNT:
                self._shaped.clear()
            parts = [list(self._shape_part(part, is_right_to_left)) for part in _split_scripts(str(text))]
            self._shaped[key] = [glyph for part in (parts[::-1] if is_right_to_left else parts) for glyph in part]
        return self._shaped[key]

    @staticmethod
    def is_right_to_left(text: str) -> bool:
        """Return whether a text in one direction is drawn from right to left."""
        return isinstance(text, RightToLeftText) or has_right_to_left(text)

    def _shape_part(self, text: str, is_right_to_left: bool) -> Iterator[ShapedGlyph]:
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.cluster_level = uharfbuzz.BufferClusterLevel.MONOTONE_CHARACTERS
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.direction = "rtl" if is_right_to_left else "ltr"
        uharfbuzz.shape(self._shaper, buffer)
        infos, scale = buffer.glyph_infos, 1000 / self._shaper.face.upem
        glyphs = [(info.codepoint, info.cluster) for info in infos]
        glyph_texts = self._shown_characters(glyphs, text, is_left_to_right=not is_right_to_left)
        for info, position, characters in zip(infos, buffer.glyph_positions, glyph_texts, strict=True):
            lengths = (position.x_advance, position.x_offset, position.y_offset)
            advance, x, y = (length * scale for length in lengths)
            code = self._code(info.codepoint, characters)
            yield ShapedGlyph(code, self.face.charWidths[code], advance, x, y)

    def _shown_characters(self, glyphs: Sequence[tuple[int, int]], text: str, *, is_left_to_right: bool) -> list[str]:
        """Return the characters that each glyph shows; a glyph is given with the index in the text where it begins.

        Of glyphs that begin together, each shows its own character; the others share what is left, in reading order.
        """
        starts = sorted({start for _, start in glyphs})
        ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
        if len(starts) == len(glyphs):
            return [text[start : ends[start]] for _, start in glyphs]
        places = defaultdict[tuple[int, int | None], deque[int]](deque)
        for start, end in ends.items():
            for place in range(start, end):
                places[start, self.face.charToGlyph.get(ord(text[place]))].append(place)
        own_places = [places[start, glyph].popleft() if places[start, glyph] else None for glyph, start in glyphs]
        own_set = set(own_places)
        rest = {s: deque(text[place] for place in range(s, end) if place not in own_set) for s, end in ends.items()}
        glyph_texts = ["" if place is None else text[place] for place in own_places]
        open_glyphs = [index for index, characters in enumerate(glyph_texts) if not characters]
        open_counts = Counter(glyphs[index][1] for index in open_glyphs)
        for index in sorted(open_glyphs, key=lambda index: glyphs[index][1]) if is_left_to_right else open_glyphs[::-1]:
            start = glyphs[index][1]
            open_counts[start] -= 1
            count = min(1, len(rest[start])) if open_counts[start] else len(rest[start])
            glyph_texts[index] = "".join(rest[start].popleft() for _ in range(count)) or _INVISIBLE
        return glyph_texts

    def _code(self, glyph: int, characters: str) -> int:
        """Return the code by which the font knows a glyph that shows some characters."""
        face = self.face
        if len(characters) == 1 and face.charToGlyph.get(ord(characters)) == glyph:
            return ord(characters)
        code = self._codes.get((glyph, characters))
        if code is None:
            code = next(number for number in _PRIVATE_CODES if number not in face.charToGlyph)
            self._codes[glyph, characters], self._texts[code] = code, characters
            face.charToGlyph[code] = glyph
            face.charWidths[code] = face.hmetrics[glyph][0] * 1000 / self._shaper.face.upem
        return code

    def stringWidth(self, text: str, size: float, encoding: str = "utf8") -> float:  # noqa: ARG002, N802 - ReportLab's name
        """Return the width of a text in points."""
        return 0.001 * size * sum(glyph.advance for glyph in self.shape(text))


def make_unicode_map(texts: Mapping[str, str]) -> str:
    """Return a PDF's map from hexadecimal codes, all of the same length, to the characters that they show."""
    lines = [f"<{code}> <{text.encode('utf-16-be', 'surrogatepass').hex().upper()}>\n" for code, text in texts.items()]
    groups = [lines[at : at + _MAX_GROUP_SIZE] for at in range(0, len(lines), _MAX_GROUP_SIZE)]
    entries = "".join(f"{len(part)} beginbfchar\n{''.join(part)}endbfchar\n" for part in groups)
    code_length = len(next(iter(texts), "00"))
    return _UNICODE_MAP.format(first="0" * code_length, last="F" * code_length, entries=entries)


_MAX_GROUP_SIZE = 100
"""The most entries of a PDF's map that may stand together."""
_UNICODE_MAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<{first}> <{last}>
endcodespacerange
{entries}endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _split_scripts(text: str) -> Iterator[str]:
    """Yield the parts of a text, each in one script; what belongs to no script stays with the part before it."""
    start, current = 0, ""
    for index, character in enumerate(text):
        script = script_of(character)
        if script and current and script != current:
            yield text[start:index]
            start = index
        current = script or current
    if text:
        yield text[start:]


class RunTextObject(PDFTextObject):  # type: ignore[misc]
    """A text object that draws shaped fonts, and text from right to left, with the characters for readers.

    Programs that read PDFs expect text from right to left as it is drawn, and put it in order themselves: poppler and
    PDFium turn the letters of an /ActualText around once more. So it has none; its glyphs have the characters that they
    show, and its structure tag has the whole text.
    """

    def _formatText(self, text: str) -> str:  # noqa: N802 - ReportLab's name
        state = reportlab_private.text_state(self)
        font = getFont(state.font)
        if text and isinstance(font, ShapedFont):
            code = " ".join(self._glyph_operators(font, text, state))
            return code if font.is_right_to_left(text) else f"{begin_actual_text(text)} {code} EMC"
        if not isinstance(text, RightToLeftText):
            return str(super()._formatText(text))
        parts = list[str]()
        for sign, drawn in zip(reversed(text), text.visual, strict=True):
            code = str(super()._formatText(drawn))
            parts.append(code if sign == drawn else f"{begin_actual_text(sign)} {code} EMC")
        return " ".join(parts)

    def _glyph_operators(self, font: ShapedFont, text: str, state: "reportlab_private.TextState") -> Iterator[str]:
        document, rise, move = reportlab_private.pdf_document(reportlab_private.canvas_of(self)), state.rise, 0.0
        glyphs = [(self._place(font, glyph.code, document), glyph) for glyph in font.shape(text)]
        for (subset, y), group in groupby(glyphs, key=lambda pair: (pair[0][0], pair[1].y)):
            if reportlab_private.select_subset(self, subset):
                yield f"{font.getSubsetInternalName(subset, document)} {state.size:.4g} Tf {state.leading:.4g} TL"
            if (height := state.rise + y * state.size / 1000) != rise:
                rise = height
                yield f"{rise:.4g} Ts"
            parts = ["<"]
            for (_, byte), glyph in group:
                move -= glyph.x
                parts.append(f"> {move:.5g} <{byte:02X}" if abs(move) > _MOVE_TOLERANCE else f"{byte:02X}")
                move = glyph.width - glyph.advance + glyph.x
            yield f"[{''.join(parts)}>] TJ"
        if abs(move) > _MOVE_TOLERANCE:
            yield f"[{move:.5g}] TJ"
        if rise != state.rise:
            yield f"{state.rise:.4g} Ts"

    @staticmethod
    def _place(font: ShapedFont, code: int, document: Any) -> tuple[int, int]:
        """Return the subset of a glyph and its number there."""
        ((subset, data),) = font.splitString(chr(code), document)
        return subset, data[0]


_MOVE_TOLERANCE = 0.05
"""The least displacement that is written, in thousandths of the font size."""
