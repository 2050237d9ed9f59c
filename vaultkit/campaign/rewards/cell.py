"""What a cell of the reward table gives: rolls on tables, or things in plain words (DC-36)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from vaultkit.campaign.rewards.table import RewardRow, RewardTable
from vaultkit.compendium.rolling import RollTables
from vaultkit.compendium.rolltable import RollTable
from vaultkit.errors import VaultkitError
from vaultkit.vault import Link
from vaultkit.vault.tables import plain

_FIRST = 0xE000  # private characters, which stand for links while the words around them are read
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNT = rf"[0-9]*d[0-9]+(?:\s*[+\-\u2212]\s*[0-9]+)?|[0-9]+|\ban?\b|\b(?:{'|'.join(_NUMBERS)})\b"
_LINK = "[\ue000-\uf8ff]"
_ROLL = rf"(?:(?P<count>{_COUNT})\s+)?\brolls?\s+(?:(?P<times>{'|'.join(_TIMES)}|(?:{_COUNT})\s+times)\s+)?on\s+"
_LINKED = rf"(?:(?P<several>{_COUNT})\s*[x\u00d7*]\s*)?(?P<bare>{_LINK})"
_PHRASE = re.compile(
    rf"{_ROLL}(?:the\s+)?(?:(?P<link>{_LINK})|(?P<words>[^\ue000-\uf8ff]+?)"
    rf"(?=\s*(?:,|;|\band\b|\bor\b|\bplus\b|&)+\s*(?:(?:{_COUNT})\s+)?rolls?\b|\s*\Z))|{_LINKED}",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:^|\s)(?:and|plus|&|\+|,|;)+(?=\s|$)|^[,;]|[,;]$", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


@dataclass(frozen=True)
class Ref:
    """A table that a cell names: its words, and the table if the vault has it; `link` where it leads to anything."""

    title: str
    table: RollTable | None = None


@dataclass(frozen=True)
class Rolls:
    """Rolls on a table. `count` is a number or dice; of several `tables` the player chooses one."""

    count: str
    tables: tuple[Ref, ...]


@dataclass(frozen=True)
class Thing:
    """A reward in plain words, dice not rolled yet, with the links in it."""

    text: str
    links: tuple[Link, ...]


def gives(table: RewardTable, row: RewardRow, column: int, known: RollTables) -> tuple[Rolls | Thing, ...]:
    """What the cell of a row and column gives, in its order; nothing for an empty cell or a dash."""
    reader = _Reader(table, row, known)
    return tuple(reader.read(_BREAK.sub(", ", row.cells[column]), row.cells[column]))


class _Reader:
    def __init__(self, table: RewardTable, row: RewardRow, known: RollTables) -> None:
        self._note = table.note
        self._line = row.line
        self._known = known
        self._links: list[Link] = []

    def read(self, cell: str, as_written: str) -> Iterator[Rolls | Thing]:
        self._links = self._links_of(as_written)
        text, found, done = self._veiled(cell), list[Rolls | Thing](), 0
        for match in _PHRASE.finditer(text):
            refs = self._refs(match)
            if refs is None:
                continue
            between = text[done : match.start()]
            last = found[-1] if found else None
            if isinstance(last, Rolls) and between.strip(" ,;").lower() == "or":
                found[-1] = Rolls(last.count, (*last.tables, refs))
            else:
                found.extend(self._things(between))
                found.append(Rolls(_count(match, last, between), (refs,)))
            done = match.end()
        found.extend(self._things(text[done:]))
        yield from found

    def _links_of(self, cell: str) -> list[Link]:
        if self._note is None or not cell:
            return []
        start = self._note.text.find(cell, self._note.places.offset(self._line, 1))
        end = start + len(cell)
        return [link for link in self._note.links if start <= link.start < end][: 0xF8FF - _FIRST]

    def _veiled(self, cell: str) -> str:
        for number, link in enumerate(self._links):
            assert self._note is not None
            cell = cell.replace(self._note.text[link.start : link.end], chr(_FIRST + number), 1)
        return plain(cell)

    def _refs(self, match: re.Match[str]) -> Ref | None:
        """The table of a phrase; None for a link that is nothing to roll on."""
        if match["words"]:
            name = plain(match["words"]).strip(" .")
            with suppress(VaultkitError):
                return Ref(name, self._known.find(name))
            return Ref(name)
        link = self._links[ord(match["link"] or match["bare"]) - _FIRST]
        assert self._note is not None
        title = plain(self._note.text[link.start : link.end])
        found = self._known.behind(link, self._note.path)
        if match["bare"]:
            return Ref(title, found[0]) if len(found) == 1 else None
        return Ref(title, found[0] if len(found) == 1 else None)

    def _things(self, text: str) -> Iterator[Thing]:
        """What is left between phrases, without what only joins them."""
        bare = _BETWEEN.sub(" ", text) if not _BETWEEN.sub(" ", text).strip() else _trimmed(text)
        bare = " ".join(bare.split()).strip(" .")
        if bare.strip("-\u2013\u2014\u2212"):
            yield self._thing(bare)

    def _thing(self, text: str) -> Thing:
        links = tuple(self._links[ord(char) - _FIRST] for char in re.findall(_LINK, text))
        for link in links:
            assert self._note is not None
            shown = plain(self._note.text[link.start : link.end])
            text = re.sub(_LINK, lambda _, shown=shown: shown, text, count=1)  # type: ignore[misc]
        return Thing(text, links)


def _trimmed(text: str) -> str:
    """Without the conjunctions at both ends, which joined it to a phrase."""
    text = re.sub(r"^\s*(?:(?:and|plus|&|\+)\b|[,;&+]|\s)*", "", text, flags=re.IGNORECASE)
    return re.sub(r"(?:(?:\band|\bplus)\b|[,;&+]|\s)*$", "", text, flags=re.IGNORECASE)


def _count(match: re.Match[str], last: Rolls | Thing | None, between: str) -> str:
    """How many rolls a phrase means; a second table without a number has that of the first."""
    said = match["count"] or match["times"] or match["several"]
    if said:
        return _number(said)
    goes_on = match["bare"] and isinstance(last, Rolls) and between.strip(" ,;&").lower() in ("", "and")
    return last.count if goes_on and isinstance(last, Rolls) else "1"


def _number(said: str) -> str:
    word = said.lower().removesuffix("times").strip()
    if word in ("a", "an"):
        return "1"
    if word in _TIMES:
        return str(_TIMES[word])
    return str(_NUMBERS.index(word) + 1) if word in _NUMBERS else word


def where_in_books(refs: Sequence[Ref]) -> str:
    """Where the printed books have such tables, "" for others (DC-36)."""
    title = " ".join(ref.title for ref in refs).casefold()
    if re.search(r"\btable [a-i]\b", title) or "magic item" in title:
        return "Dungeon Master's Guide, pages 144\u2013145"
    if "challenge" in title or "treasure" in title:
        return "Dungeon Master's Guide, page 136"
    return ""
