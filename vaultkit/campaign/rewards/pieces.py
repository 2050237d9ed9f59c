"""Words of one note told in another: the links in them lead where they led before."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.tables import plain
from vaultkit.vault.writing.escape import markdown
from vaultkit.vault.writing.linkstyle import Linker


@dataclass(frozen=True, slots=True)
class Piece:
    """Plain words, and the vault path and subpath that they link to, "" if to nothing."""

    text: str
    note: str = ""
    subpath: str = ""


Words = tuple[Piece, ...]


def words(text: str, links: Iterable[Link], note: Note, vault: Vault) -> Words:
    """`text` with those of the `links` that stand in `note`, in their order, and that lead to a file of the vault."""
    return tuple(piece for piece in _pieces(text, links, note, vault) if piece.text)


def _pieces(text: str, links: Iterable[Link], note: Note, vault: Vault) -> Iterator[Piece]:
    done = 0
    for link in links:
        shown = plain(note.text[link.start : link.end])
        target = None if link.external else vault.files.resolve(link.path, note.path).path
        found = text.find(shown, done) if shown and target else -1
        if found >= 0 and target:
            yield Piece(text[done:found])
            yield Piece(shown, target, link.subpath)
            done = found + len(shown)
    yield Piece(text[done:])


def spoken(pieces: Words) -> str:
    """The words alone."""
    return "".join(piece.text for piece in pieces)


def written(pieces: Words, linker: Linker, source: str, *, table: bool = False) -> str:
    """The words as Markdown in the note `source`; `table` for a cell."""
    return "".join(_written(piece, linker, source, table) for piece in pieces)


def _written(piece: Piece, linker: Linker, source: str, table: bool) -> str:
    if piece.note:
        return linker.link(piece.note, source, piece.text, piece.subpath, table=table)
    before = " " * piece.text[:1].isspace()
    after = " " * (piece.text[-1:].isspace() and bool(piece.text.strip()))
    return f"{before}{markdown(piece.text)}{after}"


def part(pieces: Words, start: int, end: int) -> Words:
    """The words from `start` to `end`, in characters; a link that is cut stays a link."""
    found, at = [], 0
    for piece in pieces:
        first, last = max(start - at, 0), min(end - at, len(piece.text))
        if first < last:
            found.append(replace(piece, text=piece.text[first:last]))
        at += len(piece.text)
    return tuple(found)


def joined(many: Sequence[Words], between: str) -> Words:
    """Words one behind the other."""
    found: list[Piece] = []
    for number, some in enumerate(many):
        found.extend((Piece(between), *some) if number else some)
    return tuple(found)


UNITS = ("pp", "gp", "ep", "sp", "cp")
"""The kinds of coins, the dearest first."""
_METALS = {"platinum": "pp", "gold": "gp", "electrum": "ep", "silver": "sp", "copper": "cp"}
COIN_WORDS = (*UNITS, *_METALS)
_UNIT = rf"(?P<unit>{'|'.join(COIN_WORDS)})"
_NUMBER = r"[0-9][0-9,]*"
_ROLLED = r"(?:[0-9]*d[0-9%][0-9dkhl%+\-\u2212\u2013*x\u00d7, ]{0,60})"
"""Dice in all the ways of `compendium.dicetext`, which puts what they rolled behind them."""
_GOES_ON = r"and|plus|with|in|inside|of|from|on|at|under|[a-z]{2,}(?:ed|en|wn)"
_END = rf"(?:\s(?:pieces?|coins?)\b)?(?=\s*(?:\Z|[.;,]|\b(?:{_GOES_ON})\b))"
"""What may follow coins; other words would make them the price of something, as in `50 gp gems`."""
_COINS = re.compile(
    rf"(?:^|(?<=\s)|(?<=;)){_ROLLED}\((?P<rolled>{_NUMBER})\)\s?{_UNIT}{_END}"
    rf"|(?:^|(?<=;\s)){_UNIT.replace('unit', 'column')}:\s"
    rf"(?:{_ROLLED}\((?P<of_column>{_NUMBER})\)|(?P<plain>{_NUMBER}))(?=\s*(?:\Z|;))"
    rf"|(?:^|(?<=;\s)|(?<=\band\s)|(?<=,\s))(?P<fixed>{_NUMBER})\s?{_UNIT.replace('unit', 'kind')}{_END}",
    re.IGNORECASE,
)
_THING = r"(?:;|(?:,\s*)?\b(?:and|plus|with)\b|,\s*(?:an?|the|one|two|three|four|five|six|[0-9]+)\b)"
_DRESSING = re.compile(rf".*?(?=\Z|{_THING})", re.IGNORECASE)
"""What is told of coins, such as what they lie in, up to the next thing."""
_JOINS = re.compile(r"(?:[\s,;.]|\b(?:and|plus|with)\b)+", re.IGNORECASE)
_EMPTY_COLUMN = re.compile(rf"(?:^|;\s)(?:{'|'.join(UNITS)}):\s[-\u2013\u2014]+(?=\Z|;)", re.IGNORECASE)


def split_coins(pieces: Words) -> tuple[Words, Mapping[str, int]]:
    """What is no coins, and the coins by their kinds. Values of things, as in `a pearl worth 25 gp`, are none."""
    text = spoken(pieces)
    found: Counter[str] = Counter()
    kept: list[tuple[int, int]] = []
    done = 0
    for match in _COINS.finditer(text):
        unit = (match["unit"] or match["column"] or match["kind"]).lower()
        amount = match["rolled"] or match["of_column"] or match["plain"] or match["fixed"]
        found[_METALS.get(unit, unit)] += int(amount.replace(",", ""))
        kept.append((done, match.start()))
        dressing = _DRESSING.match(text, match.end())
        done = dressing.end() if dressing else match.end()
    if not found:
        return pieces, {}
    kept.append((done, len(text)))
    rest = (part(pieces, *_trimmed(text, start, end)) for start, end in kept)
    return joined([things for things in rest if things], ", "), found


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the words at its ends that joined it to coins, or nothing."""
    stretch = _EMPTY_COLUMN.sub(lambda match: " " * len(match[0]), text[start:end])
    lead = _JOINS.match(stretch)
    first = lead.end() if lead else 0
    last = len(stretch)
    while last > first and (
        tail := re.search(r"(?:[\s,;]|\b(?:and|plus|with|of|holding|containing))\Z", stretch[first:last], re.IGNORECASE)
    ):
        last = first + tail.start()
    return start + first, start + last


def spoken_coins(coins: Mapping[str, int]) -> str:
    """`3 pp, 1,200 gp`; "" for none."""
    return ", ".join(f"{coins[unit]:,} {unit}" for unit in UNITS if coins.get(unit))
