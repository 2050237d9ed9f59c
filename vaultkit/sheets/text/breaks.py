"""Where a paragraph's lines were broken: at a space, or in the middle of a word that is longer than a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Breaks:
    """The text of a paragraph as it was before it was broken into lines."""

    text: str

    @classmethod
    def of(cls, pieces: Sequence[Any]) -> "Breaks":
        """Of ReportLab's pieces of text; a forced break counts as a space."""
        return cls("".join("\n" if getattr(piece, "lineBreak", False) else piece.text for piece in pieces))

    def spaced(self, lines: Sequence[Any]) -> list[bool]:
        """For each line whether a space follows it in the text."""
        found, place = [], 0
        for line in lines:
            place = self._after(_words(line), place)
            found.append(self.text[place : place + 1].isspace())
        return found

    def split(self, count: int, lines: Sequence[Any]) -> tuple["Breaks", "Breaks"]:
        """The text of the first `count` lines and that of the others."""
        place = 0
        for line in lines[:count]:
            place = self._after(_words(line), place)
        return self, Breaks(self.text[place:])

    def _after(self, words: str, place: int) -> int:
        """Where the text goes on after `words`, which begin at `place` or behind spaces there."""
        for letter in words:
            while place < len(self.text) and self.text[place].isspace():
                place += 1
            place += self.text[place : place + 1] == letter
        return place


def _words(line: Any) -> str:
    """The letters of a line as ReportLab keeps it, without spaces."""
    pieces = [piece.text for piece in line.words] if hasattr(line, "words") else line[1]
    return "".join("".join(pieces).split())
