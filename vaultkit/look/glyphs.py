"""Text that the faces can show: control characters go, and letters that one face lacks are set in another."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Any

from vaultkit.grouping import group
from vaultkit.look.theme import Theme

_KEPT = {"\n", "\t"}
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn"}
_MARKS = {"\ufe0e", "\ufe0f", "\u20e3"}
_TONE = re.compile("(?<=[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f])[\U0001f3fb-\U0001f3ff]")
_EMOJI = "[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?"
_FLAG_A, _FLAG_Z = "\U0001f1e6", "\U0001f1ff"
_SEQUENCE = re.compile(f"([{_FLAG_A}-{_FLAG_Z}]{{2}}|{_EMOJI}(?:\u200d{_EMOJI})+)")
"""Emoji that are one sign together, and others one by one: a flag of two letters, a woman and a rocket."""
_SHAPED = re.compile(
    "(HEBREW|ARABIC|SYRIAC|MANDAIC|MONGOLIAN|DEVANAGARI|BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA|MALAYALAM"
    "|SINHALA|THAI|LAO|TIBETAN|MYANMAR|KHMER|BALINESE|JAVANESE|SUNDANESE|BATAK|BUGINESE|TAI|CHAM|LEPCHA|LIMBU|MEETEI"
    "|BRAHMI|KAITHI|CHAKMA|SHARADA|GRANTHA|NEWA|TIRHUTA|SIDDHAM|MODI|TAKRI|PHAGS-PA) "
)
"""Scripts, as Unicode's names begin, whose letters join, stack or change places."""
_WIDE_SPACES, _FIRM_SPACES = "\u2001\u2002\u2003\u3000", "\u2007\u202f"
_SPACES = "\u2000\u2004\u2005\u2006\u2008\u2009\u200a\u205f"
_SAME = str.maketrans(
    {"\u2011": "-", "\u2010": "-", "\u00ad": "", "\u2028": "\n", "\u2029": "\n", "\u23e4": "\u2014"}
    | dict.fromkeys(_WIDE_SPACES, "\u00a0\u00a0")
    | dict.fromkeys(_SPACES, " ")
    | dict.fromkeys(_FIRM_SPACES, "\u00a0")
)
"""Characters that few faces have, and what all faces have in their place; converters write U+23E4 for a dash."""


def printable_text(text: str) -> str:
    """`text` composed, and without control, direction and joining characters, which have no shape of their own."""
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text.translate(_SAME))
    return "".join(filter(_has_shape, composed))


def _has_shape(character: str) -> bool:
    """Whether a character is seen; so are the emoji that Python has not heard of yet."""
    if character in _KEPT or "\U0001f300" <= character <= "\U0001faff":
        return True
    return unicodedata.category(character) not in _DROPPED and character not in _MARKS


@dataclass
class Glyphs:
    """Chooses faces for runs of text; `missing` counts the characters that no face has."""

    theme: Theme
    missing: Counter[str] = field(default_factory=Counter)
    _known: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict, repr=False)
    """The same words are measured and written again and again."""

    def runs(self, text: str, face: str) -> list[tuple[str, str]]:
        """Pieces of `text` with the face that shows each; not to be changed.

        Characters that no face has are counted by their script: `[2×Cjk]`.
        """
        known = self._known.get((text, face))
        if known is None:
            known = self._known[text, face] = self._chosen(text, face)
        return known

    def _chosen(self, text: str, face: str) -> list[tuple[str, str]]:
        """The pieces of a text; a sequence of emoji is one, never its parts, and stands without the tone of a skin."""
        if text.isascii():
            return self._plain(text, face)
        parts = _SEQUENCE.split(_TONE.sub("", text))
        return [piece for n, part in enumerate(parts) for piece in (self._joined if n % 2 else self._plain)(part, face)]

    def _joined(self, sequence: str, face: str) -> list[tuple[str, str]]:
        """The words for a sequence: a flag has the two letters of its country."""
        self.missing[sequence] += 1
        letters = "".join(chr(ord(sign) - ord(_FLAG_A) + ord("A")) for sign in sequence if _FLAG_A <= sign <= _FLAG_Z)
        words = f"[flag {letters}]" if letters else "[1×Emoji]"
        return [(self.theme.exact(self.theme.worn(face)), Replaced(words, sequence))]

    def _plain(self, text: str, face: str) -> list[tuple[str, str]]:
        text, face = printable_text(text), self.theme.worn(face)
        if not text:
            return []
        if _covers(self.theme, face, text):
            return [(self.theme.exact(face), text)]
        found = [(self._face_of(character, face), character) for character in text]
        pieces = [(name, "".join(c for _, c in group)) for name, group in groupby(found, key=lambda pair: pair[0])]
        return [(self.theme.exact(name or face), piece if name else self._named(piece)) for name, piece in pieces]

    def markup(self, text: str, face: str) -> str:
        """`text` escaped for a ReportLab paragraph whose own face is `face`."""
        own = self.theme.face(face)
        pieces = ((name, _escaped(piece)) for name, piece in self.runs(text, face))
        return "".join(piece if name == own else f'<font name="{name}">{piece}</font>' for name, piece in pieces)

    def width(self, text: str, face: str, size: float) -> float:
        """The width of `text` in points, fallbacks included."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(sum(stringWidth(piece, name, size) for name, piece in self.runs(text, face)))

    def shorten(self, text: str, face: str, size: float, room: float) -> str:
        """`text`, or as much of its beginning as has room before an ellipsis."""
        cut = text
        while cut and self.width(cut + ("…" if cut != text else ""), face, size) > room:
            cut = cut[:-1]
        return cut if cut == text else cut.rstrip() + "…"

    def write(
        self, canvas: Any, text: str, place: tuple[float, float], face: str, size: float, *, colour: str,
        read: bool = False,
    ) -> None:  # fmt: skip
        """One line of text at x, y, which is not broken, as content of whatever is being drawn.

        Where it is `read`, words for characters that no face has say which those are.
        """
        line = canvas.beginText(*place)
        line.setFillColor(self.theme.colour(colour))
        self.put(line, text, face, size, read=read)
        canvas.drawText(line)

    def put(self, line: Any, text: str, face: str, size: float, *, read: bool = False) -> None:
        """Adds `text` to a text object of ReportLab's."""
        for name, piece in self.runs(text, face):
            line.setFont(name, size)
            meant = piece.instead if read and isinstance(piece, Replaced) else ""
            line._code += [stand_for(meant)] if meant else []
            line.textOut(piece)
            line._code += ["EMC"] if meant else []

    def _face_of(self, character: str, face: str) -> str:
        if character in _KEPT:
            return face
        if is_beyond_us(character):
            return ""
        faces = self.theme.faces_for(face)
        return next((name for name in faces if ord(character) in _shapes(self.theme, name)), "")

    def _named(self, piece: str) -> "Replaced":
        self.missing.update(piece)
        letter = unicodedata.category(piece[0])[0] in "LM"
        kind = unicodedata.name(piece[0], "unknown").split()[0].capitalize() if letter else "Symbol"
        return Replaced(f"[{len(piece)}×{kind}]", piece)


def on_missing(missing: Iterable[str]) -> list[str]:
    """Sentences on the characters that are counted in place of being printed; none if there are none."""
    kinds = group((len(one) == 1 and is_beyond_us(one), " " + one) for one in sorted(missing))
    words = ["No font here has these characters:", "These scripts cannot be set yet, whatever font has them:"]
    remarks = [words[kind] + "".join(some) for kind, some in sorted(kinds.items())]
    counts = "In their place stands how many there are and of which script, such as [2×Cjk]."
    return [*remarks, counts] if remarks else []


class Replaced(str):
    """Words on paper for characters that no face has; `instead` are the characters themselves."""

    __slots__ = ("instead",)

    instead: str

    def __new__(cls, words: str, instead: str) -> "Replaced":
        made = super().__new__(cls, words)
        made.instead = instead
        return made


def stand_for(characters: str) -> str:
    """The operator of a PDF from which on words stand for these characters; `EMC` ends it."""
    return f"/Span <</ActualText <FEFF{characters.encode('utf-16-be').hex().upper()}>>> BDC"


def _escaped(piece: str) -> str:
    """`piece` for a paragraph; around words for other characters, a call of the canvas that notes them."""
    words = escape(piece, quote=False)
    if not isinstance(piece, Replaced):
        return words
    return f'<onDraw name="instead" label="{escape(piece.instead)}"/>{words}<onDraw name="instead" label=""/>'


@lru_cache(maxsize=4096)
def is_beyond_us(character: str) -> bool:
    """Whether a face that has it is not enough: from right to left, with letters that join or stack, or East Asian.

    We would set it backwards, in pieces, or break its lines in the wrong places.
    """
    if unicodedata.bidirectional(character) in {"R", "AL"}:
        return True
    if character.isascii() or unicodedata.category(character)[0] not in "LM":
        return False
    shaped = _SHAPED.match(unicodedata.name(character, ""))
    return bool(shaped) or unicodedata.east_asian_width(character) in "WH"


def _covers(theme: Theme, face: str, text: str) -> bool:
    shapes = _shapes(theme, face)
    return all(c in _KEPT or (ord(c) in shapes and not is_beyond_us(c)) for c in set(text))


@lru_cache(maxsize=32)
def _shapes(theme: Theme, face: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    return frozenset(code for code, glyph in getFont(theme.exact(face)).face.charToGlyph.items() if glyph)
