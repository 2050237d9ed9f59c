"""Text as a font can show it: without control characters, and with other fonts for characters that its font lacks."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Any

from vaultkit.text import group
from vaultkit.theme.model import Theme
from vaultkit.theme.reportlab_private import operators

_KEPT_CONTROLS = {"\n", "\t"}
_DROPPED_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn"}
_EMOJI_MARKS = {"\ufe0e", "\ufe0f", "\u20e3"}
_SKIN_TONE = re.compile("(?<=[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f])[\U0001f3fb-\U0001f3ff]")
_EMOJI = "[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?"
_FLAG_A, _FLAG_Z = "\U0001f1e6", "\U0001f1ff"
_EMOJI_SEQUENCE = re.compile(f"([{_FLAG_A}-{_FLAG_Z}]{{2}}|{_EMOJI}(?:\u200d{_EMOJI})+)")
"""Emoji sequences that are one sign together: a flag of two letters, or joined signs such as a woman and a rocket."""
_SHAPED_SCRIPT = re.compile(
    "(HEBREW|ARABIC|SYRIAC|MANDAIC|MONGOLIAN|DEVANAGARI|BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA|MALAYALAM"
    "|SINHALA|THAI|LAO|TIBETAN|MYANMAR|KHMER|BALINESE|JAVANESE|SUNDANESE|BATAK|BUGINESE|TAI|CHAM|LEPCHA|LIMBU|MEETEI"
    "|BRAHMI|KAITHI|CHAKMA|SHARADA|GRANTHA|NEWA|TIRHUTA|SIDDHAM|MODI|TAKRI|PHAGS-PA) "
)
"""Scripts whose letters join, stack or change places, by the beginning of their Unicode names."""
_WIDE_SPACES, _NO_BREAK_SPACES = "\u2001\u2002\u2003\u3000", "\u2007\u202f"
_NARROW_SPACES = "\u2000\u2004\u2005\u2006\u2008\u2009\u200a\u205f"
_REPLACEMENTS = str.maketrans(
    {"\u2011": "-", "\u2010": "-", "\u00ad": "", "\u2028": "\n", "\u2029": "\n", "\u23e4": "\u2014"}
    | dict.fromkeys(_WIDE_SPACES, "\u00a0\u00a0")
    | dict.fromkeys(_NARROW_SPACES, " ")
    | dict.fromkeys(_NO_BREAK_SPACES, "\u00a0")
)
"""Replacements for characters that few faces have; converters write U+23E4 for a dash."""


def printable_text(text: str) -> str:
    """Return `text` in composed letters, without control, direction and joining characters, which have no glyph."""
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text.translate(_REPLACEMENTS))
    return "".join(filter(_is_visible, composed))


def _is_visible(character: str) -> bool:
    """Return whether a character is visible, including emoji that are newer than Python's Unicode data."""
    if character in _KEPT_CONTROLS or "\U0001f300" <= character <= "\U0001faff":
        return True
    return unicodedata.category(character) not in _DROPPED_CATEGORIES and character not in _EMOJI_MARKS


@dataclass
class Glyphs:
    """A chooser of font faces for runs of text; `missing` counts the characters that no face has."""

    theme: Theme
    missing: Counter[str] = field(default_factory=Counter)
    _runs_cache: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict, repr=False)
    """The runs by text and face, since the same text is measured and written many times."""

    def split_runs(self, text: str, face: str) -> list[tuple[str, str]]:
        """Split `text` into pieces, each with the face that shows it; the list is cached and must not be changed.

        Characters that no face has are replaced by their number and script: `[2×Cjk]`.
        """
        pieces = self._runs_cache.get((text, face))
        if pieces is None:
            pieces = self._runs_cache[text, face] = self._compute_runs(text, face)
        return pieces

    def _compute_runs(self, text: str, face: str) -> list[tuple[str, str]]:
        """Return the pieces of a text; an emoji sequence is one piece and loses its skin tones."""
        if text.isascii():
            return self._split_plain_text(text, face)
        parts = _EMOJI_SEQUENCE.split(_SKIN_TONE.sub("", text))
        return [
            piece
            for index, part in enumerate(parts)
            for piece in (self._describe_sequence if index % 2 else self._split_plain_text)(part, face)
        ]

    def _describe_sequence(self, sequence: str, face: str) -> list[tuple[str, str]]:
        """Return the words for an emoji sequence; a flag becomes the two letters of its country."""
        self.missing[sequence] += 1
        letters = "".join(chr(ord(sign) - ord(_FLAG_A) + ord("A")) for sign in sequence if _FLAG_A <= sign <= _FLAG_Z)
        words = f"[flag {letters}]" if letters else "[1×Emoji]"
        return [(self.theme.register_exact_face(self.theme.resolve_face(face)), Placeholder(words, sequence))]

    def _split_plain_text(self, text: str, face: str) -> list[tuple[str, str]]:
        text, face = printable_text(text), self.theme.resolve_face(face)
        if not text:
            return []
        if _face_has_all(self.theme, face, text):
            return [(self.theme.register_exact_face(face), text)]
        pairs = [(self._find_face(character, face), character) for character in text]
        pieces = [(name, "".join(c for _, c in group)) for name, group in groupby(pairs, key=lambda pair: pair[0])]
        return [
            (self.theme.register_exact_face(name or face), piece if name else self._make_placeholder(piece))
            for name, piece in pieces
        ]

    def to_markup(self, text: str, face: str) -> str:
        """Escape `text` for a ReportLab paragraph whose own face is `face`."""
        own_face = self.theme.face(face)
        pieces = ((name, _escape_piece(piece)) for name, piece in self.split_runs(text, face))
        return "".join(piece if name == own_face else f'<font name="{name}">{piece}</font>' for name, piece in pieces)

    def measure_width(self, text: str, face: str, size: float) -> float:
        """Return the width of `text` in points, including fallback faces."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(sum(stringWidth(piece, name, size) for name, piece in self.split_runs(text, face)))

    def shorten(self, text: str, face: str, size: float, max_width: float) -> str:
        """Return `text`, shortened with an ellipsis if it is wider than `max_width` points."""
        shortened = text
        while shortened and self.measure_width(shortened + ("…" if shortened != text else ""), face, size) > max_width:
            shortened = shortened[:-1]
        return shortened if shortened == text else shortened.rstrip() + "…"

    def write(
        self, canvas: Any, text: str, position: tuple[float, float], face: str, size: float, *, colour: str,
        tag_originals: bool = False,
    ) -> None:  # fmt: skip
        """Write one line of text at the position (x, y), without breaking it, into the content being drawn.

        With `tag_originals`, placeholders for characters that no face has are tagged with the characters themselves.
        """
        line = canvas.beginText(*position)
        line.setFillColor(self.theme.colour(colour))
        self.append_text(line, text, face, size, tag_originals=tag_originals)
        canvas.drawText(line)

    def append_text(self, line: Any, text: str, face: str, size: float, *, tag_originals: bool = False) -> None:
        """Append `text` to a ReportLab text object.

        With `tag_originals`, placeholders are tagged with the characters that they replace.
        """
        for name, piece in self.split_runs(text, face):
            line.setFont(name, size)
            original = piece.instead if tag_originals and isinstance(piece, Placeholder) else ""
            if original:
                operators(line).append(begin_actual_text(original))
            line.textOut(piece)
            if original:
                operators(line).append("EMC")

    def _find_face(self, character: str, face: str) -> str:
        if character in _KEPT_CONTROLS:
            return face
        if is_unsupported_script(character):
            return ""
        faces = self.theme.faces_for(face)
        return next((name for name in faces if ord(character) in _glyph_codes(self.theme, name)), "")

    def _make_placeholder(self, piece: str) -> "Placeholder":
        self.missing.update(piece)
        is_letter = unicodedata.category(piece[0])[0] in "LM"
        script = unicodedata.name(piece[0], "unknown").split()[0].capitalize() if is_letter else "Symbol"
        return Placeholder(f"[{len(piece)}×{script}]", piece)


def missing_character_remarks(missing: Iterable[str]) -> list[str]:
    """Return remarks on missing characters; [] if there are none."""
    characters_by_support = group(
        (len(characters) == 1 and is_unsupported_script(characters), " " + characters) for characters in sorted(missing)
    )
    beginnings = ["No font here has these characters:", "These scripts cannot be set yet, whatever font has them:"]
    remarks = [
        beginnings[is_script] + "".join(characters_found)
        for is_script, characters_found in sorted(characters_by_support.items())
    ]
    placeholder_note = "In their place stands how many there are and of which script, such as [2×Cjk]."
    return [*remarks, placeholder_note] if remarks else []


class Placeholder(str):
    """Words printed in place of characters that no face has; `instead` are the characters."""

    __slots__ = ("instead",)

    instead: str

    def __new__(cls, words: str, instead: str) -> "Placeholder":
        placeholder = super().__new__(cls, words)
        placeholder.instead = instead
        return placeholder


def begin_actual_text(characters: str) -> str:
    """Return the PDF operator that begins replacement text for `characters`; `EMC` ends it."""
    return f"/Span <</ActualText <FEFF{characters.encode('utf-16-be').hex().upper()}>>> BDC"


def _escape_piece(piece: str) -> str:
    """Escape `piece` for a paragraph; a placeholder is enclosed in canvas calls with the characters it stands for."""
    words = escape(piece, quote=False)
    if not isinstance(piece, Placeholder):
        return words
    return f'<onDraw name="instead" label="{escape(piece.instead)}"/>{words}<onDraw name="instead" label=""/>'


@lru_cache(maxsize=4096)
def is_unsupported_script(character: str) -> bool:
    """Return whether vaultkit cannot set a character, even with a font that has it.

    Such scripts run from right to left, join or stack letters, or are East Asian; vaultkit would set them in the wrong
    order, in separate pieces, or with line breaks in the wrong places.
    """
    if unicodedata.bidirectional(character) in {"R", "AL"}:
        return True
    if character.isascii() or unicodedata.category(character)[0] not in "LM":
        return False
    match = _SHAPED_SCRIPT.match(unicodedata.name(character, ""))
    return bool(match) or unicodedata.east_asian_width(character) in "WH"


def _face_has_all(theme: Theme, face: str, text: str) -> bool:
    codes = _glyph_codes(theme, face)
    return all(
        character in _KEPT_CONTROLS or (ord(character) in codes and not is_unsupported_script(character))
        for character in set(text)
    )


@lru_cache(maxsize=32)
def _glyph_codes(theme: Theme, face: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    return frozenset(code for code, glyph in getFont(theme.register_exact_face(face)).face.charToGlyph.items() if glyph)
