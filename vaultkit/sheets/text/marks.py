"""Which stretches of a paragraph are links: noted while ReportLab draws it, then written as marks inside the text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vaultkit.sheets.pdf.canvas import MarkedText
from vaultkit.sheets.pdf.tags import Tag

_SHOWS = ("Tj", "Tj T*")
_LINE_END = ") Tj T*"
_END = "EMC"


class TextMarks:
    """The marks of one text object: all of it is `tag`, but for what the `links` (by ReportLab's number) hold.

    Without a tag there are none, and the text is content of whatever is being drawn around it.

    `spaced` says for every line whether a space stood where it was broken: ReportLab leaves that out, and readers who
    only have the words would find two of them run together.
    """

    def __init__(
        self, text: Any, tag: Tag | None, links: Mapping[int, Tag], waiting: list[Tag], spaced: Sequence[bool]
    ) -> None:
        self._code: list[str] = text._code
        self._spaced = iter(spaced)
        self._tag = tag
        self._links = links
        self._waiting = waiting
        self._start = len(self._code)
        self._cuts: list[tuple[int, Tag | None]] = [(self._start, tag)]
        self._replaced: list[tuple[int, str]] = []
        text.marks = self
        if tag is not None:
            text._linkRecord = self.note

    def note(self, link: tuple[int, str], edge: str) -> None:
        """ReportLab begins a link, whose first words it has just set, or ends one on this line."""
        tag = self._links[link[0]]
        if edge == "start":
            self._cuts.append((len(self._code) - 1, tag))
        else:
            self._cuts.append((len(self._code), self._tag))
            self._waiting.append(tag)

    def instead(self, characters: str) -> None:
        """The words from here on stand for `characters`; for nothing but themselves if there are none."""
        self._replaced.append((len(self._code), characters))

    def code(self, canvas: Any) -> str:
        """The operators of the text object with the marks in them."""
        self._code = [self._with_space(line) for line in self._code]
        self._replace()
        if self._tag is None:
            return " ".join([*self._code, "ET"])
        made = self._code[: self._start]
        for stretch, tag in self._stretches():
            shown = any(line.endswith((*_SHOWS, _END)) for line in stretch)
            made += [canvas.begin_mark(self._held(tag)), *stretch, _END] if shown else stretch
        return MarkedText(" ".join([*made, "ET"]))

    def _replace(self) -> None:
        """Puts a mark with the characters that are meant around each stretch of words that stands for some."""
        for (start, characters), (end, _) in zip(self._replaced[::2], self._replaced[1::2], strict=False):
            spots = [n for n in range(start, end) if self._code[n].endswith(_SHOWS)]
            for spot in spots:
                meant = characters.encode("utf-16-be").hex().upper() if spot == spots[0] else ""
                self._code[spot] = f"/Span <</ActualText <FEFF{meant}>>> BDC {self._code[spot]} {_END}"

    def _held(self, tag: Tag | None) -> Tag:
        """The tag of a stretch; that of a link stands in the paragraph's from its first words on."""
        assert self._tag is not None
        if tag is None or tag is self._tag:
            return self._tag
        if tag not in self._tag.children:
            self._tag.children.append(tag)
        return tag

    def _with_space(self, code: str) -> str:
        if not code.endswith("T*") or not next(self._spaced, False):
            return code
        if code.endswith(_LINE_END):
            return f"{code.removesuffix(_LINE_END)} {_LINE_END}"
        return f"{code.removesuffix('T*')}( ) Tj T*"

    def _stretches(self) -> Iterator[tuple[list[str], Tag | None]]:
        """Stretches of the code, with what they belong to; a link that goes on from a line to the next is one tag."""
        ends = [start for start, _ in self._cuts[1:]] + [len(self._code)]
        for (start, tag), end in zip(self._cuts, ends, strict=True):
            yield self._code[start:end], tag
