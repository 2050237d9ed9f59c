"""The phrases of stories: one file a game, `templates/story/GAME.toml`, over which a vault's own wins phrase by phrase.

They are plain text with places in braces, filled by replacement alone: nothing in them is run.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.compendium.plain_tables import read_toml
from vaultkit.errors import InvalidError
from vaultkit.spelling import did_you_mean

FOLDER = "story"
SCORES = "scores"
"""The file for games of which only the scores are known, and for those that have no file of their own."""
LONGEST = 300
"""Letters of one phrase."""

SEATS = ("who", "other", "winners", "second", "leader", "players")
CARDS = ("card", "with", "cards", "dealt", "best", "against", "lost")
TEXTS = (
    *("when", "chapter", "number", "length", "points", "gain", "loss", "score", "lead", "margin", "count", "left"),
    *("hand", "foe", "ranks", "others", "earlier", "chapters"),
)
PLACES = (*SEATS, *CARDS, *TEXTS)
"""All that a phrase may be filled with: seats and cards, which become links, and words."""
_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in pieces: text, place, text, place ... text."""

    pieces: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Phrase":
        return cls(tuple(_PLACE.split(" ".join(text.split()))))

    @property
    def places(self) -> tuple[str, ...]:
        return self.pieces[1::2]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one game by `kind` and case, the vault's own before ours."""

    by_key: Mapping[tuple[str, str], tuple[Phrase, ...]]

    @property
    def kinds(self) -> Mapping[str, bool]:
        """Every kind, with whether anything is to be said of it."""
        return {kind: any(self.by_key[one] for one in self.by_key if one[0] == kind) for kind, _ in self.by_key}


def has_phrases(game: str) -> bool:
    """Whether a game has a file of phrases of its own."""
    return resources.find("templates", f"{FOLDER}/{game}.toml") is not None


def phrases(game: str, vault: Path | None) -> Phrases:
    """The phrases of a game. Raises InvalidError that names the file of the vault's own, and what is wrong there."""
    name = f"{FOLDER}/{game if has_phrases(game) else SCORES}.toml"
    file = resources.find("templates", name, vault)
    where = resources.name_of("templates", file) if file else ""
    own = check_phrases(name, read_phrases(name, vault), where) if where.startswith(".vaultkit/") else {}
    return Phrases({**_shipped(name), **own})


def check_phrases(name: str, text: str, where: str) -> dict[tuple[str, str], tuple[Phrase, ...]]:
    """The phrases in a file's text that goes over the shipped `name`. Raises InvalidError for any that cannot be."""
    return dict(_read(text, where, _shipped(name)))


def read_phrases(name: str, vault: Path | None) -> str:
    """The text of a file of phrases, the vault's own before ours. Raises InvalidError if it cannot be read."""
    file = resources.find("templates", name, vault)
    assert file, "it was found before"
    return resources.text_for_people(file, "file of phrases", resources.name_of("templates", file))


@lru_cache(maxsize=16)
def _shipped(name: str) -> Mapping[tuple[str, str], tuple[Phrase, ...]]:
    return dict(_read(read_phrases(name, None), name, None))


def _read(
    text: str, where: str, known: Mapping[tuple[str, str], Any] | None
) -> Iterator[tuple[tuple[str, str], tuple[Phrase, ...]]]:
    """Each phrase with its kind and case; `known` are those that there may be, None for any."""
    for kind, cases in read_toml(text, where).table.items():
        if known is not None:
            _check_name(kind, dict.fromkeys(kind for kind, _ in known), "table", text, where)
        if not isinstance(cases, dict):
            raise InvalidError(f"'{kind}' is no table.", where=where, hint=f"Write [{kind}], and its phrases below.")
        for case, texts in cases.items():
            if known is not None:
                _check_name(case, [one for table, one in known if table == kind], f"case of [{kind}]", text, where)
            yield (kind, case), tuple(_phrases(texts, f"{kind}.{case}", text, where))


def _phrases(texts: object, key: str, text: str, where: str) -> Iterator[Phrase]:
    several = [texts] if isinstance(texts, str) else texts
    if not isinstance(several, list) or not all(isinstance(one, str) and len(one) <= LONGEST for one in several):
        hint = f"Write one phrase in quotes, or several in brackets, of {LONGEST} letters at most."
        raise InvalidError(f"'{key}' is no phrase.", where=where, hint=hint)
    for one in several:
        phrase = Phrase.of(one)
        for place in phrase.places:
            _check_name(place, PLACES, "place", text, where)
        yield phrase


def _check_name(name: str, known: Collection[str], what: str, text: str, where: str) -> None:
    if name not in known:
        hint = did_you_mean(name, known, then=f"There are: {', '.join(known)}.")
        lines = (number for number, line in enumerate(text.splitlines(), 1) if name in line.partition("#")[0])
        line = next(lines, 0)
        raise InvalidError(f"There is no {what} '{name}'.", where=f"{where}:{line}" if line else where, hint=hint)
