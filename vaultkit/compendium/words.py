"""The words that vaultkit writes into notes and prints on sheets; `templates/words.toml` lists them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.compendium.toml_tables import read_toml
from vaultkit.errors import InvalidError
from vaultkit.spelling import did_you_mean

WORDS_FILE = "words.toml"
STORY_TABLE = "story"
"""The name of the table with phrases for the story of a game of which only the scores are known."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MAX_CHARS = 400
_FORBIDDEN_CHARACTER = re.compile(r"[\x00-\x1f\x7f|]")


@dataclass(frozen=True)
class VaultWords:
    """The texts to write, by their English texts; a text that is not listed is written in English.

    A text may have placeholders for values, such as `{player}`. `story` has the phrases of STORY_TABLE, and `source` is
    the text of the vault's own file `where`.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    story: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    where: str = ""

    def __call__(self, english: str, /, **values: object) -> str:
        """Return the text to write for an English one, with the values in its places."""
        text = self.texts.get(english, english)
        return _PLACEHOLDER.sub(lambda place: str(values.get(place[1], place[0])), text) if values else text

    def count(self, number: float, noun: str, plural: str = "") -> str:
        """Return a number with its noun: `1 game`, `3 games`."""
        return self(f"{{count}} {noun if number == 1 else plural or f'{noun}s'}", count=f"{number:g}")

    def join(self, items: Iterable[str], conjunction: str = "and") -> str:
        """Return items as a list in a sentence: `A, B and C`."""
        *others, last = tuple(items) or ("",)
        return self(f"{{others}} {conjunction} {{last}}", others=self(", ").join(others), last=last) if others else last

    def day(self, day: date) -> str:
        """Return a date in words: `3 November 2026`."""
        return self("{day} {month} {year}", day=day.day, month=self(f"{day:%B}"), year=day.year)

    def translate(self, text: str) -> str:
        """Return the text to write for an English one with its values already filled in, such as `3 games`."""
        if text in self.texts:
            return self.texts[text]
        matches = ((pattern.fullmatch(text), own) for pattern, own in self._patterns)
        match, own = next((pair for pair in matches if pair[0]), (None, ""))
        return _PLACEHOLDER.sub(lambda place: self(match[place[1]]), own) if match else text

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The patterns of English texts that have words and places, each with the text to write instead."""
        changed = (
            (english, own) for english, own in self.texts.items() if english != own and _PLACEHOLDER.search(english)
        )
        with_words = (pair for pair in changed if any(map(str.isalpha, _PLACEHOLDER.sub("", pair[0]))))
        longest_first = sorted(with_words, key=lambda pair: -len(_PLACEHOLDER.sub("", pair[0])))
        return tuple((_make_pattern(english), own) for english, own in longest_first)


ENGLISH = VaultWords()
"""The words that write everything in English."""


def _make_pattern(english: str) -> re.Pattern[str]:
    """Return a pattern for texts that were made by filling the places of `english`."""
    names = set[str]()
    parts: list[str] = []
    for index, piece in enumerate(_PLACEHOLDER.split(english)):
        parts.append(re.escape(piece) if index % 2 == 0 else f"(?P={piece})" if piece in names else f"(?P<{piece}>.+)")
        names |= {piece} if index % 2 else set()
    return re.compile("".join(parts))


def load_words(vault: Path | None = None) -> VaultWords:
    """Return the words of a vault: its own WORDS_FILE if it is trusted, and shipped words for everything else.

    Raises InvalidError, with file and line, for a text in the vault's own file that cannot be used.
    """
    file = resources.find("templates", WORDS_FILE, vault)
    own = resources.vault_file("templates", WORDS_FILE, vault)
    return _read_words(own) if own is not None and file == own else _shipped_words()


def load_readable_words(vault: Path) -> VaultWords:
    """Return the words with which a vault's notes may have been written, from its own file even if it is not trusted.

    A file that cannot be used is ignored.
    """
    own = resources.vault_file("templates", WORDS_FILE, vault)
    with suppress(InvalidError):
        return _read_words(own) if own is not None else _shipped_words()
    return _shipped_words()


def _read_words(file: Path) -> VaultWords:
    where = resources.name_of("templates", file)
    return parse_words(resources.read_user_text(file, "file of words", where), where)


@lru_cache(maxsize=8)
def parse_words(text: str, where: str) -> VaultWords:
    """Return the shipped words as replaced by the words in the text of a file.

    Raises InvalidError with file and line.
    """
    shipped = _shipped_words()
    file = read_toml(text, where)
    story = file.table.get(STORY_TABLE, {})
    own = dict[str, str]()
    for steps, english, own_text in _list_entries(file.table):
        _check_text(english, own_text, shipped.texts, file.place(steps))
        own[english] = str(own_text)
    if not isinstance(story, dict):
        raise InvalidError(f"'{STORY_TABLE}' is not a table.", where=file.place((STORY_TABLE,)))
    return VaultWords({**shipped.texts, **own}, story, text, where)


def _check_text(english: str, text: object, shipped_texts: Mapping[str, str], where: str) -> None:
    """Raise InvalidError for an unusable text in a vault's file."""
    if english not in shipped_texts:
        hint = did_you_mean(english, shipped_texts, suffix="See all texts: vaultkit templates eject words --dry-run")
        raise InvalidError(f"vaultkit does not write '{english}'.", where=where, hint=hint)
    if not isinstance(text, str) or len(text) > _MAX_CHARS or _FORBIDDEN_CHARACTER.search(text):
        hint = f"One line of {_MAX_CHARS} characters at most, without |."
        raise InvalidError(f"'{english}' needs a text in quotes.", where=where, hint=hint)
    places, own_places = set(_PLACEHOLDER.findall(english)), set(_PLACEHOLDER.findall(text))
    if unknown := sorted(own_places - places):
        accepted = ", ".join(f"{{{place}}}" for place in sorted(places)) or "none"
        raise InvalidError(f"'{english}' has no place {{{unknown[0]}}}.", where=where, hint=f"Places: {accepted}.")


def _list_entries(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, object]]:
    """Yield the path, the English text and the text to write for each entry of a file, without its story."""
    for name, section in table.items():
        if name == STORY_TABLE:
            continue
        if isinstance(section, dict):
            yield from (((name, english), english, text) for english, text in section.items())
        else:
            yield (name,), name, section


@lru_cache(maxsize=1)
def _shipped_words() -> VaultWords:
    file = resources.find("templates", WORDS_FILE)
    assert file is not None, "it ships with vaultkit"
    table = read_toml(resources.read_text(file), f"templates/{WORDS_FILE}").table
    return VaultWords({english: str(text) for _, english, text in _list_entries(table)})
