"""The numbered rulings on questions that rule notes leave open: a page for each game, and a page for all games."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from vaultkit import resources
from vaultkit.errors import NothingFound, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.text import capitalize_first

_RULING = re.compile(r"^## (?P<id>[A-Z]+-\d+): (?P<title>.+?)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(?P<prefix>[A-Z]+)[- ]?(?P<number>[0-9]+)")
_QUESTION, _DECISION, _OPTION = "**Open:**", "**Ruling:**", "Option:"
_REPLY = re.compile(r"(Yes|No|Neither|None|Nothing|Nobody|Only|Both|It|They|That)\b")
"""The first word of a decision that can only be understood after the question that it answers."""
_GENERAL = "G"
"""The prefix of the ids of rulings for all games."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling in Markdown; `id` is its number, such as `DC-12`."""

    id: str
    title: str
    text: str

    @property
    def settled(self) -> str:
        """The decision, without the open question and without paragraphs about options."""
        settled = self.text.partition(_DECISION)[2].strip() or self.text
        decided = "\n\n".join(part for part in settled.split("\n\n") if not part.startswith(_OPTION))
        return capitalize_first(decided)

    @property
    def answer(self) -> str:
        """The decision, after the open question if it begins like an answer, so that it can be understood alone."""
        question = self.text.partition(_QUESTION)[2].partition(_DECISION)[0].strip()
        return f"Open: {question} Ruling: {self.settled}" if question and _REPLY.match(self.settled) else self.settled


def _pages() -> dict[str, str]:
    """Return the names of all pages by the prefixes of their rulings."""
    return {_GENERAL: "general", **{info.prefix: info.id for info in GAMES.values() if info.prefix}}


def is_number(words: str) -> bool:
    """Return whether a text looks like the id of a ruling and has the prefix of a page."""
    return _parts(words)[0] in _pages()


def _parts(words: str) -> tuple[str, str]:
    """Return the prefix and the number in the id of a ruling: `DC` and `12` for `dc-12`.

    Both are "" if the text does not look like an id.
    """
    match = _NUMBER.fullmatch(words.strip().upper())
    return (match["prefix"], match["number"]) if match else ("", "")


def ruling(ruling_id: str) -> Ruling:
    """Return the ruling with an id such as `DC-12`, in any case, with or without the hyphen.

    Raises UsageError if the text is no id with the prefix of a page, and NothingFound if there is no such ruling.
    """
    pages, (prefix, number) = _pages(), _parts(ruling_id)
    if prefix not in pages:
        prefixes = ", ".join(page_rulings for page_rulings, page in pages.items() if rulings(page))
        raise UsageError(f"'{ruling_id}' is no ruling.", hint=f"Rulings look like DC-12; there are pages {prefixes}.")
    page_rulings, full_id = rulings(pages[prefix]), f"{prefix}-{number}"
    if full_id not in page_rulings:
        last = max(page_rulings, key=lambda name: int(name.partition("-")[2]), default="")
        hint = f"The last one of this page is {last}." if last else "The rulings of that game are not written yet."
        raise NothingFound(f"There is no ruling {full_id}.", hint=hint)
    return page_rulings[full_id]


def known_ruling(ruling_id: str) -> Ruling | None:
    """Return the ruling with an id such as `DC-12`, or None if there is none."""
    with suppress(VaultkitError):
        return ruling(ruling_id)
    return None


def ruling_of(game: str, ruling_id: str) -> Ruling:
    """Return a ruling of a game, or one for all games, by its id, or a ruling of the game by its number alone: `12`.

    Raises UsageError for the id of a ruling of another game and for a text that is no id, and NothingFound if there is
    no such ruling.
    """
    own = GAMES[game].prefix
    if ruling_id.strip().isdecimal():
        if not own:
            raise NothingFound(f"There are no numbered rulings of {GAMES[game].title}.")
        return ruling(f"{own}-{ruling_id.strip()}")
    prefix, number = _parts(ruling_id)
    if prefix not in (own, _GENERAL) and (other := _pages().get(prefix)):
        hint = f"Write: vaultkit rules {other} --ruling {prefix}-{number}"
        raise UsageError(f"{prefix}-{number} is a ruling of {other}, not of {game}.", hint=hint)
    return ruling(ruling_id)


def all_rulings() -> Iterator[tuple[str, Ruling]]:
    """Yield every ruling with the name of its page: the id of a game, or "general"."""
    for page in _pages().values():
        yield from ((page, page_ruling) for page_ruling in rulings(page).values())


@cache
def rulings(page: str) -> Mapping[str, Ruling]:
    """Return the rulings of a page by their ids, or an empty mapping if the page does not exist."""
    file = resources.find("rulings", f"{page}.md")
    if file is None:
        return {}
    text = resources.read_text(file)
    _, *parts = _RULING.split(text)
    page_rulings = (Ruling(*texts) for texts in zip(parts[::3], parts[1::3], map(str.strip, parts[2::3]), strict=True))
    return {page_ruling.id: page_ruling for page_ruling in page_rulings}


def player_questions(page: str, name: str) -> tuple[str, ...]:
    """Return the questions of players that a ruling or a section of rules answers.

    For a ruling, `page` is "rulings" and `name` is its id. For a section, `page` is the id of a game and `name` is the
    heading of the section in its rules.
    """
    return tuple(_questions().get(page, {}).get(name, ()))


@cache
def _questions() -> Mapping[str, Mapping[str, Sequence[str]]]:
    file = resources.find("rulings", "asked.toml")
    return tomllib.loads(resources.read_text(file)) if file else {}
