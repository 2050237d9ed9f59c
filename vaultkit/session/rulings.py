"""Our numbered rulings, for what the GM's own rule notes leave open: one page for each game, and one for all."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from vaultkit import resources
from vaultkit.errors import NothingFound, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.wording import capital

_RULING = re.compile(r"^## (?P<id>[A-Z]+-\d+): (?P<title>.+?)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(?P<prefix>[A-Z]+)[- ]?(?P<number>[0-9]+)")
_QUESTION, _DECISION, _OPTION = "**Open:**", "**Ruling:**", "Option:"
_REPLY = re.compile(r"(Yes|No|Neither|None|Nothing|Nobody|Only|Both|It|They|That)\b")
"""Words that a sentence begins with which answers another one."""
_GENERAL = "G"
"""The prefix of the rulings that hold for all games."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One numbered ruling in our own words, as Markdown."""

    id: str
    title: str
    text: str

    @property
    def settled(self) -> str:
        """The decision alone, without the open question and without its options."""
        settled = self.text.partition(_DECISION)[2].strip() or self.text
        decided = "\n\n".join(part for part in settled.split("\n\n") if not part.startswith(_OPTION))
        return capital(decided)

    @property
    def answer(self) -> str:
        """The decision as it reads by itself: with its open question before it if it begins as an answer does."""
        question = self.text.partition(_QUESTION)[2].partition(_DECISION)[0].strip()
        return f"Open: {question} Ruling: {self.settled}" if question and _REPLY.match(self.settled) else self.settled


def _pages() -> dict[str, str]:
    """The name of the page for each prefix."""
    return {_GENERAL: "general", **{info.prefix: info.id for info in GAMES.values() if info.prefix}}


def is_number(words: str) -> bool:
    """Whether it looks like the number of a ruling, and some page has such numbers."""
    return _parts(words)[0] in _pages()


def _parts(words: str) -> tuple[str, str]:
    """Prefix and number of a ruling: `DC` and `12` of `dc-12`; "" for what is no number of one."""
    match = _NUMBER.fullmatch(words.strip().upper())
    return (match["prefix"], match["number"]) if match else ("", "")


def ruling(ruling_id: str) -> Ruling:
    """The ruling `DC-12`, in any case, its hyphen left out or not.

    Raises UsageError for what is no ruling number, NothingFound for a number that no ruling has.
    """
    pages, (prefix, number) = _pages(), _parts(ruling_id)
    if prefix not in pages:
        written = ", ".join(known for known, page in pages.items() if rulings(page))
        raise UsageError(f"'{ruling_id}' is no ruling.", hint=f"Rulings look like DC-12; there are pages {written}.")
    known, wanted = rulings(pages[prefix]), f"{prefix}-{number}"
    if wanted not in known:
        last = max(known, key=lambda name: int(name.partition("-")[2]), default="")
        hint = f"The last one of this page is {last}." if last else "The rulings of that game are not written yet."
        raise NothingFound(f"There is no ruling {wanted}.", hint=hint)
    return known[wanted]


def known_ruling(ruling_id: str) -> Ruling | None:
    """As `ruling`; None where there is none."""
    with suppress(VaultkitError):
        return ruling(ruling_id)
    return None


def ruling_of(game: str, wanted: str) -> Ruling:
    """The ruling that `wanted` means where a game's rules are asked for: `12` is the game's own twelfth.

    Raises what `ruling` does, and UsageError for a ruling of another game; those that all games share are fine.
    """
    own = GAMES[game].prefix
    if wanted.strip().isdecimal():
        if not own:
            raise NothingFound(f"There are no numbered rulings of {GAMES[game].title}.")
        return ruling(f"{own}-{wanted.strip()}")
    prefix, number = _parts(wanted)
    if prefix not in (own, _GENERAL) and (other := _pages().get(prefix)):
        hint = f"Write: vaultkit rules {other} --ruling {prefix}-{number}"
        raise UsageError(f"{prefix}-{number} is a ruling of {other}, not of {game}.", hint=hint)
    return ruling(wanted)


def all_rulings() -> Iterator[tuple[str, Ruling]]:
    """Every ruling, each with the page that it is on: a game's id, or "general"."""
    for page in _pages().values():
        yield from ((page, one) for one in rulings(page).values())


@cache
def rulings(page: str) -> Mapping[str, Ruling]:
    """All rulings of one game's page, by number; empty for a game whose page is not written."""
    file = resources.find("rulings", f"{page}.md")
    if file is None:
        return {}
    text = resources.read_text(file)
    _, *parts = _RULING.split(text)
    found = (Ruling(*texts) for texts in zip(parts[::3], parts[1::3], map(str.strip, parts[2::3]), strict=True))
    return {one.id: one for one in found}


def asked(page: str, name: str) -> tuple[str, ...]:
    """Questions of players that a ruling answers, by its number; or that a game's section answers, by its heading."""
    return tuple(_questions().get(page, {}).get(name, ()))


@cache
def _questions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    file = resources.find("rulings", "asked.toml")
    return tomllib.loads(resources.read_text(file)) if file else {}
