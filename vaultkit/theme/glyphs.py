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

from vaultkit.text import group, join_words
from vaultkit.theme.bidi import (
    JOINERS,
    BidiPiece,
    arrange,
    begin_actual_text,
    can_shape,
    visual_order,
)
from vaultkit.theme.line_breaks import split_words
from vaultkit.theme.model import Theme
from vaultkit.theme.plain_forms import plain_form
from vaultkit.theme.reportlab_private import operators
from vaultkit.theme.shaped_scripts import (
    count_signs,
    is_neutral,
    is_shaped_script,
    neutral_runs,
    script_name,
    script_runs,
)
from vaultkit.theme.system_fonts import find_unusable_font, free_font

_KEPT_CONTROLS = {"\n", "\t"}
_DROPPED_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn"}
_EMOJI_MARKS = {"\ufe0e", "\ufe0f", "\u20e3"}
_SKIN_TONE = re.compile("(?<=[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f])[\U0001f3fb-\U0001f3ff]")
_EMOJI = "[\u2190-\u2bff\U0001f300-\U0001faff]\ufe0f?"
_FLAG_A, _FLAG_Z = "\U0001f1e6", "\U0001f1ff"
_EMOJI_SEQUENCE = re.compile(f"([{_FLAG_A}-{_FLAG_Z}]{{2}}|{_EMOJI}(?:\u200d{_EMOJI})+)")
"""Emoji sequences that are one sign together: a flag of two letters, or joined signs such as a woman and a rocket."""
_INSTALL_COMMANDS = (
    "pip install 'vaultkit-ttrpg[scripts]' (with pipx: pipx inject vaultkit-ttrpg uharfbuzz python-bidi budoux)"
)
_MAX_LETTER_COUNT = 12
"""The most missing letters of one script that a remark names."""
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
    """Return `text` in composed letters, without control, direction and joining characters, which have no glyph.

    Joining characters stay in text of scripts that need them, if it can be shaped.
    """
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text.translate(_REPLACEMENTS))
    joiners = JOINERS if any(map(is_shaped_script, composed)) and can_shape() else ""
    return "".join(character for character in composed if character in joiners or _is_visible(character))


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
    language: str = ""
    """The language of the document; "" if unknown."""
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
        """Return the signs of an emoji sequence side by side, or words; a flag becomes the letters of its country."""
        letters = "".join(chr(ord(sign) - ord(_FLAG_A) + ord("A")) for sign in sequence if _FLAG_A <= sign <= _FLAG_Z)
        signs = "" if letters else printable_text(sequence)
        faces = {self._find_face(sign, face) for sign in signs}
        if len(faces) == 1 and (name := faces.pop()):
            return [(self.theme.register_exact_face(name), Placeholder(signs, sequence))]
        self.missing[sequence] += 1
        words = f"[flag {letters}]" if letters else "[1×Emoji]"
        return [(self.theme.register_exact_face(self.theme.resolve_face(face)), Placeholder(words, sequence))]

    def _split_plain_text(self, text: str, face: str) -> list[tuple[str, str]]:
        text, face = printable_text(text), self.theme.resolve_face(face)
        if not text:
            return []
        if _face_has_all(self.theme, face, text):
            return [(self.theme.register_exact_face(face), text)]
        pairs = zip(self._find_faces(text, face), text, strict=True)
        pieces = [(name, "".join(c for _, c in group)) for name, group in groupby(pairs, key=lambda pair: pair[0])]
        own_face, result = self.theme.register_exact_face(face), list[tuple[str, str]]()
        for name, piece in pieces:
            if name:
                result.append((name, piece))
                continue
            for plain, run in groupby(piece, key=lambda sign: self._find_plain_form(sign, face)):
                signs = "".join(run)
                instead = (plain[0], Placeholder(plain[1] * len(signs), signs)) if plain else None
                self.missing.update("" if instead else signs)
                result.append(instead or (own_face, Placeholder(_placeholder_words(signs), signs)))
        return result

    def _find_plain_form(self, sign: str, face: str) -> tuple[str, str] | None:
        """Return plain letters for a sign that no font has, with the font that shows them; None without any."""
        plain = plain_form(sign)
        faces = {self._find_face(letter, face) for letter in plain}
        return (self.theme.register_exact_face(faces.pop()), plain) if len(faces) == 1 and "" not in faces else None

    def _find_faces(self, text: str, face: str) -> list[str]:
        """Return for each character ReportLab's name of the font that shows it, "" if none does.

        Characters in shaped scripts take the marks and joiners behind them along, and the spaces and signs between
        them.
        """
        fonts = self._find_shaped_fonts(text, face) if can_shape() else [None] * len(text)
        pairs = zip(fonts, text, strict=True)
        names = [font.fontName if font else self._find_face(character, face) for font, character in pairs]
        return [
            name and (name if font else self.theme.register_exact_face(name))
            for font, name in zip(fonts, names, strict=True)
        ]

    def _find_shaped_fonts(self, text: str, face: str) -> list[Any]:
        """Return for each character the font that shapes it, None if it needs none or no font has it."""
        fonts = list[Any]()
        for script, run in groupby(script_runs(text), key=lambda pair: pair[0]):
            characters = "".join(character for _, character in run)
            fonts += self._fonts_of_run(characters, face) if script else [None] * len(characters)
        for start, end in neutral_runs(fonts):
            before, after = fonts[start - 1] if start else None, fonts[end] if end < len(fonts) else None
            signs = text[start:end]
            is_inside = before is not None and before is after and all(map(is_neutral, signs))
            head = len(signs) if is_inside else count_signs(signs, text[start - 1]) if before else 0
            tail = count_signs(signs[::-1], text[end]) if after and not is_inside else 0
            for index in [*range(start, start + head), *range(end - tail, end)]:
                font = before if index < start + head else after
                fonts[index] = font if font and font.face.charToGlyph.get(ord(text[index])) else None
        return fonts

    def _fonts_of_run(self, characters: str, face: str) -> list[Any]:
        """Return the font of each character of one script, which is one for all if a font has all."""
        letters = "".join(sorted({character for character in characters if character not in JOINERS}))
        font = self.theme.shaped_font(face, letters, self.language)
        if font is not None or len(letters) <= 1:
            return [font] * len(characters)
        fonts = {letter: self.theme.shaped_font(face, letter, self.language) for letter in letters}
        return [fonts.get(character) for character in characters]

    def font_remarks(self) -> list[str]:
        """Return remarks on fonts that would show the missing characters, or that cannot be used."""
        letters = sorted(character for character in self.missing if len(character) == 1 and is_shaped_script(character))
        if not letters:
            return []
        beginning = f"To print the text in {join_words(dict.fromkeys(map(script_name, letters)))}"
        if not can_shape():
            return [f"{beginning}, install the extra 'scripts': {_INSTALL_COMMANDS}"]
        free = free_font(letters[0], self.language) or "one of the Noto fonts"
        if not self.theme.system_fonts:
            return [f"{beginning}, add --system-fonts, or name a font such as {free} in .vaultkit/print/fonts.toml."]
        unusable = find_unusable_font(letters[0])
        reason = f" This computer's font {unusable} cannot be used: its outlines are CFF." if unusable else ""
        return [f"{beginning}, install a font such as {free}, or name one in .vaultkit/print/fonts.toml.{reason}"]

    def to_markup(self, text: str, face: str) -> str:
        """Escape `text` for a ReportLab paragraph whose own face is `face`."""
        own_face = self.theme.face(face)
        pieces = ((name, _escape_piece(piece)) for name, piece in self.split_runs(text, face))
        return "".join(piece if name == own_face else f'<font name="{name}">{piece}</font>' for name, piece in pieces)

    def measure_width(self, text: str, face: str, size: float) -> float:
        """Return the width of `text` in points, including fallback faces."""
        return sum(self._piece_width(piece, name, size) for name, piece in self.split_runs(text, face))

    def measure_widest_part(self, text: str, face: str, size: float) -> float:
        """Return the width in points of the widest part of `text` in which no line may be broken."""
        return max((self.measure_width(part.rstrip(), face, size) for part in split_words(text)), default=0.0)

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
        runs = self.split_runs(text, face)
        pieces = arrange([piece for _, piece in runs])
        places = _places([self._piece_width(piece.text, runs[piece.owner][0], size) for piece in pieces], pieces)
        x, y = line.getX(), line.getY()
        for piece, place in zip(pieces, places, strict=True):
            name, run = runs[piece.owner]
            line.setFont(name, size)
            if len(pieces) > len(runs) or piece.level:
                line.setTextOrigin(x + place, y)
            original = run.instead if tag_originals and isinstance(run, Placeholder) else ""
            if original:
                operators(line).append(begin_actual_text(original))
            line.textOut(piece.text)
            if original:
                operators(line).append("EMC")

    @staticmethod
    def _piece_width(text: str, face: str, size: float) -> float:
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(stringWidth(text, face, size))

    def _find_face(self, character: str, face: str) -> str:
        if character in _KEPT_CONTROLS:
            return face
        if is_shaped_script(character):
            return ""
        faces = self.theme.faces_for(face)
        return next((name for name in faces if ord(character) in _glyph_codes(self.theme, name)), "")


def _placeholder_words(piece: str) -> str:
    is_letter = unicodedata.category(piece[0])[0] in "LM"
    script = unicodedata.name(piece[0], "unknown").split()[0].capitalize() if is_letter else "Symbol"
    return f"[{len(piece)}×{script}]"


def missing_character_remarks(missing: Iterable[str]) -> list[str]:
    """Return remarks on missing characters; [] if there are none."""
    signs = sorted(missing)
    letters = [sign for sign in signs if len(sign) == 1 and is_shaped_script(sign)]
    others = [sign for sign in signs if sign not in letters]
    scripts = group((script_name(letter), letter) for letter in letters)
    samples = [
        f"{script} ({' '.join(script_letters[:_MAX_LETTER_COUNT])}{' …' * (len(script_letters) > _MAX_LETTER_COUNT)})"
        for script, script_letters in scripts.items()
    ]
    remarks = [(f"No font here has the letters of {join_words(samples)}.", letters)] if samples else []
    remarks += [(f"No font here has these characters: {' '.join(others)}.", others)] if others else []
    return [
        f"{words} They are printed as a count, such as {_placeholder_of(characters[0])}."
        for words, characters in remarks
    ]


def _placeholder_of(sign: str) -> str:
    """Return the words that are printed in place of a missing character or emoji sequence."""
    if len(sign) == 1:
        return _placeholder_words(2 * sign)
    return "[1×Emoji]"


class Placeholder(str):
    """Words or plain letters printed in place of characters that no face has; `instead` are the characters."""

    __slots__ = ("instead",)

    instead: str

    def __new__(cls, words: str, instead: str) -> "Placeholder":
        placeholder = super().__new__(cls, words)
        placeholder.instead = instead
        return placeholder


def _escape_piece(piece: str) -> str:
    """Escape `piece` for a paragraph; a placeholder is enclosed in canvas calls with the characters it stands for."""
    words = escape(piece, quote=False)
    if not isinstance(piece, Placeholder):
        return words
    return f'<onDraw name="instead" label="{escape(piece.instead)}"/>{words}<onDraw name="instead" label=""/>'


def _places(widths: list[float], pieces: list[BidiPiece]) -> list[float]:
    """Return the distance in points of each piece of a line from its left end."""
    order, places, x = visual_order([piece.level for piece in pieces]), [0.0] * len(pieces), 0.0
    for index in order:
        places[index] = x
        x += widths[index]
    return places


def _face_has_all(theme: Theme, face: str, text: str) -> bool:
    codes = _glyph_codes(theme, face)
    return all(
        character in _KEPT_CONTROLS or (ord(character) in codes and not is_shaped_script(character))
        for character in set(text)
    )


@lru_cache(maxsize=32)
def _glyph_codes(theme: Theme, face: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    return frozenset(code for code, glyph in getFont(theme.register_exact_face(face)).face.charToGlyph.items() if glyph)
