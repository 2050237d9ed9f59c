"""What a cell of the reward table gives: rolls on tables, or things in plain words (DC-36)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from vaultkit.campaign.rewards.pieces import COIN_WORDS
from vaultkit.campaign.rewards.table import RewardRow, RewardTable
from vaultkit.compendium.tables.rolling import RollTables
from vaultkit.compendium.tables.rolltable import RollTable
from vaultkit.errors import VaultkitError
from vaultkit.vault import Link
from vaultkit.vault.subpath import comparable
from vaultkit.vault.tables import plain


@dataclass(frozen=True)
class Ref:
    """A table that a cell names: its words, the table if the vault has it, and whether the words are a link."""

    title: str
    table: RollTable | None = None
    linked: bool = True


@dataclass(frozen=True)
class Rolls:
    """Rolls on a table. `count` is a number or dice; of several `tables` the player chooses one.

    `unread` are the words before a table in which there was no number, so that they were taken as one roll.
    """

    count: str
    tables: tuple[Ref, ...]
    unread: str = ""


@dataclass(frozen=True)
class Thing:
    """A reward in plain words, dice not rolled yet, with the links in it."""

    text: str
    links: tuple[Link, ...]


def gives(table: RewardTable, row: RewardRow, column: int, known: RollTables) -> tuple[Rolls | Thing, ...]:
    """What the cell of a row and column gives, in its order; nothing for an empty cell or a dash."""
    reader = _Reader(table, row, known)
    return tuple(reader.read(BREAK.sub(", ", row.cells[column]), row.cells[column]))


class _Reader:
    def __init__(self, table: RewardTable, row: RewardRow, known: RollTables) -> None:
        self._note = table.note
        self._line = row.line
        self._known = known
        self._links: list[Link] = []

    def read(self, cell: str, as_written: str) -> Iterator[Rolls | Thing]:
        self._links = self._links_of(as_written)
        text, found, done = self._veiled(cell), list[Rolls | Thing](), 0
        for match in PHRASE.finditer(text):
            refs = self._refs(match)
            if refs is None:
                continue
            between = text[done : match.start()]
            last = found[-1] if found else None
            if isinstance(last, Rolls) and re.fullmatch(OR, between.strip(" ,;"), re.IGNORECASE):
                found[-1] = Rolls(last.count, (*last.tables, refs), last.unread)
            else:
                leading = LEADING.search(between) if match["bare"] else None
                found.extend(self._things(between[: leading.start("words")] if leading else between))
                counted = match["several"] not in (None, "a")  # which in other languages is no number
                unread = leading["words"].strip() if leading and not counted else ""
                found.append(Rolls(_count(match, last, between), (refs,), unread))
            done = match.end()
        found.extend(self._things(text[done:]))
        yield from found

    def _links_of(self, cell: str) -> list[Link]:
        if self._note is None or not cell:
            return []
        start = self._note.text.find(cell, self._note.places.offset(self._line, 1))
        end = start + len(cell)
        return [link for link in self._note.links if start <= link.start < end][: 0xF8FF - FIRST]

    def _veiled(self, cell: str) -> str:
        for number, link in enumerate(self._links):
            assert self._note is not None
            cell = cell.replace(self._note.text[link.start : link.end], chr(FIRST + number), 1)
        return plain(cell)

    def _refs(self, match: re.Match[str]) -> Ref | None:
        """The table of a phrase; None for a link that is nothing to roll on."""
        if match["words"]:
            name = plain(match["words"]).strip(" .")
            return Ref(name, self._called(name), linked=False)
        link = self._links[ord(match["link"] or match["bare"]) - FIRST]
        assert self._note is not None
        title = plain(self._note.text[link.start : link.end])
        found = self._known.behind(link, self._note.path)
        if match["bare"] and len(found) != 1 and not self._is_missing_table(link, title):
            return None
        return Ref(title, found[0] if len(found) == 1 else None)

    def _is_missing_table(self, link: Link, title: str) -> bool:
        """Whether a link to no file is about a table, by its words: then it is no reward."""
        assert self._note is not None
        there = link.external or self._known.vault.files.resolve(link.path, self._note.path).path
        return not there and TABLE.search(f"{title} {link.path}") is not None

    def _called(self, name: str) -> RollTable | None:
        """The table of this name, else the only one whose title or block id has all its words: `table B`."""
        with suppress(VaultkitError):
            return self._known.find(name)
        wanted = _words(name)
        alike = [one for one in self._known.all if any(wanted <= _words(own) for own in (one.title, one.block_id))]
        return alike[0] if wanted and len(alike) == 1 else None

    def _things(self, text: str) -> Iterator[Rolls | Thing]:
        """What is left between phrases, without what only joins them; rolls, if it names a table in other words."""
        bare = BETWEEN.sub(" ", text) if not BETWEEN.sub(" ", text).strip() else trimmed(text)
        bare = " ".join(bare.split()).strip(" .")
        if unlinked := UNLINKED.fullmatch(bare):
            name = unlinked["words"]
            yield Rolls(number_said(unlinked["several"]), (Ref(name, self._called(name), linked=False),))
        elif bare.strip("-\u2013\u2014\u2212"):
            yield self._thing(bare)

    def _thing(self, text: str) -> Thing:
        links = tuple(self._links[ord(char) - FIRST] for char in re.findall(LINK, text))
        for link in links:
            assert self._note is not None
            shown = plain(self._note.text[link.start : link.end])
            text = re.sub(LINK, lambda _, shown=shown: shown, text, count=1)  # type: ignore[misc]
        return Thing(text, links)


def _words(name: str) -> frozenset[str]:
    return frozenset(comparable(name.replace("-", " ")).split())


def _count(match: re.Match[str], last: Rolls | Thing | None, between: str) -> str:
    """How many rolls a phrase means; a second table without a number has that of the first."""
    said = match["count"] or match["times"] or match["several"]
    if said:
        return number_said(said)
    goes_on = match["bare"] and re.fullmatch(rf"(?:{AND})?", between.strip(" ,;&"), re.IGNORECASE)
    return last.count if goes_on and isinstance(last, Rolls) else "1"


def where_in_books(refs: Sequence[Ref]) -> str:
    """Where the printed books have such tables, "" for others (DC-36)."""
    title = " ".join(ref.title for ref in refs).casefold()
    if re.search(r"\btable [a-i]\b", title) or "magic item" in title:
        return "Dungeon Master's Guide, pages 144\u2013145"
    if "challenge" in title or "treasure" in title:
        return "Dungeon Master's Guide, page 136"
    return ""


FIRST = 0xE000  # private characters, which stand for links while the words around them are read
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNT = rf"[0-9]*d[0-9]+(?:\s*[+\-\u2212]\s*[0-9]+)?|[0-9]+|\ban?\b|\b(?:{'|'.join(_NUMBERS)})\b"
LINK = "[\ue000-\uf8ff]"
_ROLL = rf"(?:(?P<count>{_COUNT})\s+)?\brolls?\s+(?:(?P<times>{'|'.join(_TIMES)}|(?:{_COUNT})\s+times)\s+)?on\s+"
AND, OR = r"and|plus|und|sowie|et|y|e", r"or|oder|ou|o"
"""Between two rewards, also in the languages into which people have put their rule notes."""
_JOINS = rf"(?:{AND}|{OR}|with|mit|con|avec)\b"
_WORD = rf"(?!{_JOINS}|(?:{'|'.join(COIN_WORDS)})\b)[^\W\d_]+(?:['\u2019.\-][^\W\d_]+)*[.:]?\s+"
_LINKED = rf"(?:(?<![\w+.,])(?P<several>{_COUNT})\s*(?:[x\u00d7*]\s*|-)?(?:{_WORD}){{0,4}})?(?P<bare>{LINK})"
PHRASE = re.compile(
    rf"{_ROLL}(?:the\s+)?(?:(?P<link>{LINK})|(?P<words>[^\ue000-\uf8ff]+?)"
    rf"(?=\s*(?:,|;|\band\b|\bor\b|\bplus\b|&)+\s*(?:(?:{_COUNT})\s+)?rolls?\b|\s*\Z))|{_LINKED}",
    re.IGNORECASE,
)
LEADING = re.compile(rf"(?:^|[,;.&+]|\b{_JOINS})\s*(?P<words>(?:{_WORD}){{1,4}})\Z", re.IGNORECASE)
"""A few words that do no more than lead to a table: `tira`, `Würfe auf`."""
TABLE = re.compile(r"\bta[bv]", re.IGNORECASE)
"""Table, Tabelle, tabla, tavola."""
UNLINKED = re.compile(
    rf"(?P<several>{_COUNT})\s*(?:[x\u00d7*]\s*|-)?(?:{_WORD}){{1,4}}\[?(?P<words>ta(?:b[a-z]+|vola)\s+\w{{1,3}})\]?",
    re.IGNORECASE,
)
"""`1 Wurf auf Tabelle A`, without a link."""
BETWEEN = re.compile(rf"(?:^|\s)(?:{AND}|&|\+|,|;)+(?=\s|$)|^[,;]|[,;]$", re.IGNORECASE)
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def number_said(said: str) -> str:
    """A count in figures or words as a number, dice as they are: `2` of `twice`."""
    word = said.lower().removesuffix("times").strip()
    if word in ("a", "an"):
        return "1"
    if word in _TIMES:
        return str(_TIMES[word])
    return str(_NUMBERS.index(word) + 1) if word in _NUMBERS else word


def trimmed(text: str) -> str:
    """Without the conjunctions at both ends, which joined it to a phrase."""
    text = re.sub(rf"^\s*(?:(?:{AND})\b|[,;&+]|\s)*", "", text, flags=re.IGNORECASE)
    return re.sub(rf"(?:\b(?:{AND})\b|[,;&+]|\s)*$", "", text, flags=re.IGNORECASE)
