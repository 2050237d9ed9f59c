"""The numbered rulings on questions that rule notes leave open: a page for each game, and a page for all games."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from vaultkit import resources
from vaultkit.errors import NothingFound, UnknownName, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.text import capitalize_first

_RULING_PATTERN = re.compile(r"^## (?P<id>[A-Z]+-\d+): (?P<title>.+?)\s*$", re.MULTILINE)
_ID_PATTERN = re.compile(r"(?P<prefix>[A-Z]+)[- ]?(?P<number>[0-9]+)")
_QUESTION, _DECISION, _OPTION = "**Open:**", "**Ruling:**", "Option:"
_REPLY_PATTERN = re.compile(r"(Yes|No|Neither|None|Nothing|Nobody|Only|Both|It|They|That)\b")
"""The first word of a decision that can only be understood after the question that it answers."""
_GENERAL_PREFIX = "G"
"""The prefix of the ids of rulings for all games."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling in Markdown; `id` is its number, such as `DC-12`."""

    id: str
    title: str
    text: str

    @property
    def decision(self) -> str:
        """The decision, without the open question and without paragraphs about options."""
        text = self.text.partition(_DECISION)[2].strip() or self.text
        decision = "\n\n".join(part for part in text.split("\n\n") if not part.startswith(_OPTION))
        return capitalize_first(decision)

    @property
    def answer(self) -> str:
        """The decision, after the open question if it begins like an answer, so that it can be understood alone."""
        question = self.text.partition(_QUESTION)[2].partition(_DECISION)[0].strip()
        if question and _REPLY_PATTERN.match(self.decision):
            return f"Open: {question} Ruling: {self.decision}"
        return self.decision


def _page_of_prefix() -> dict[str, str]:
    """Return the names of all pages by the prefixes of their rulings."""
    return {_GENERAL_PREFIX: "general", **{info.prefix: info.id for info in GAMES.values() if info.prefix}}


def is_ruling_id(words: str) -> bool:
    """Return whether a text looks like the id of a ruling and has the prefix of a page."""
    return _split_id(words)[0] in _page_of_prefix()


def _split_id(words: str) -> tuple[str, str]:
    """Return the prefix and the number in the id of a ruling: `DC` and `12` for `dc-12`.

    Both are "" if the text does not look like an id.
    """
    match = _ID_PATTERN.fullmatch(words.strip().upper())
    return (match["prefix"], match["number"]) if match else ("", "")


def ruling(ruling_id: str) -> Ruling:
    """Return the ruling with an id such as `DC-12`, in any case, with or without the hyphen.

    Raises UsageError if the text is no id with the prefix of a page, and NothingFound if there is no such ruling.
    """
    page_of_prefix, (prefix, number) = _page_of_prefix(), _split_id(ruling_id)
    if prefix not in page_of_prefix:
        prefixes = ", ".join(page_rulings for page_rulings, page in page_of_prefix.items() if rulings(page))
        raise UnknownName(
            f"'{ruling_id}' is not a ruling.", hint=f"Rulings look like DC-12; there are pages {prefixes}."
        )
    page_rulings, full_id = rulings(page_of_prefix[prefix]), f"{prefix}-{number}"
    if full_id not in page_rulings:
        last_id = max(page_rulings, key=lambda name: int(name.partition("-")[2]), default="")
        hint = f"The last one of this page is {last_id}." if last_id else "That game's rulings are not written yet."
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
    own_prefix = GAMES[game].prefix
    if ruling_id.strip().isdecimal():
        if not own_prefix:
            raise NothingFound(f"There are no numbered rulings of {GAMES[game].title}.")
        return ruling(f"{own_prefix}-{ruling_id.strip()}")
    prefix, number = _split_id(ruling_id)
    if prefix not in (own_prefix, _GENERAL_PREFIX) and (other_page := _page_of_prefix().get(prefix)):
        hint = f"Write: vaultkit rules {other_page} --ruling {prefix}-{number}"
        raise UsageError(f"{prefix}-{number} is a ruling of {other_page}, not of {game}.", hint=hint)
    return ruling(ruling_id)


@cache
def rulings(page: str) -> Mapping[str, Ruling]:
    """Return the rulings of a page by their ids, or an empty mapping if the page does not exist."""
    file = resources.find("rulings", f"{page}.md")
    if file is None:
        return {}
    text = resources.read_text(file)
    _, *split_text = _RULING_PATTERN.split(text)
    texts = zip(split_text[::3], split_text[1::3], map(str.strip, split_text[2::3]), strict=True)
    page_rulings = (Ruling(*ruling_texts) for ruling_texts in texts)
    return {page_ruling.id: page_ruling for page_ruling in page_rulings}


def player_questions(page: str, name: str) -> tuple[str, ...]:
    """Return the questions of players that a ruling or a section of rules answers.

    For a ruling, `page` is "rulings" and `name` is its id. For a section, `page` is the id of a game and `name` is the
    heading of the section in its rules.
    """
    return tuple(_questions_by_page().get(page, {}).get(name, ()))


@cache
def _questions_by_page() -> Mapping[str, Mapping[str, Sequence[str]]]:
    file = resources.find("rulings", "asked.toml")
    return tomllib.loads(resources.read_text(file)) if file else {}
