"""Card names in a note's plain text, which are not links yet."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vaultkit.compendium.decknote import CardEntry, DeckNote
from vaultkit.vault import Note
from vaultkit.vault.plaintext import BLANK, PlainText, plain_text

_WORD = re.compile(r"\w+")
_MARKS = "*_~"
_JOINED_BEFORE = re.compile(r"(?:[\w/\\@&\[]|\w[-‐‑.]|(?<!\b[cdjlmnstCDJLMNST])(?<!\b[qQ]u)(?<=\w)['’])\Z")
_JOINED_AFTER = re.compile(r"[\w/\\@\]]|[-‐‑.]\w|::|['’](?!(?:s|d|ll|S|D|LL)(?!\w))\w")
_GLUE = frozenset("\u00ad\u200c\u200d")
_REACH = 8
"""Characters before a name that tell whether it is part of a longer word."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a note's text from `start` to `end`, in code points; `entry` is None if several decks have it."""

    start: int
    end: int
    text: str
    entry: CardEntry | None
    table: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write a card's name. `key` is how it is looked up; `entries` has one card of each deck with it."""

    key: str
    spelling: str
    entries: tuple[CardEntry, ...]


class Names:
    """The names of some decks' cards, singular and plural, to be looked up by their first word."""

    def __init__(self, decks: Iterable[DeckNote]) -> None:
        self._by_first: defaultdict[str, list[_Form]] = defaultdict(list)
        for form in _forms(tuple(decks)):
            for spelling in {unicodedata.normalize(kind, form.spelling) for kind in ("NFC", "NFD")}:
                first = _WORD.match(spelling)
                if first is not None:
                    self._by_first[_key(first[0])].append(_Form(_key(spelling), spelling, form.entries))

    def starting(self, word: str) -> Iterable[_Form]:
        """What may be meant where a name begins with `word`."""
        return self._by_first.get(_key(word), ())


def spellings(name: str) -> tuple[str, ...]:
    """A card's name and its English plurals: `Master of Stars` and `Masters of Stars`."""
    head, of, rest = name.partition(" of ")
    return (name, *(f"{plural}{of}{rest}" for plural in _plurals(head)))


def is_called(card: str, text: str) -> bool:
    """Whether `text` is the card's name or its plural, in any case."""
    return _key(text) in map(_key, spellings(card))


def find(note: Note, names: Names, any_case: bool = False) -> tuple[Mention, ...]:
    """Every mention in a note's plain text, top to bottom; where two overlap, the longer name counts.

    A name of one word in lower case is a plain word ("the end", "a thief"), and found with `any_case` only.
    """
    plain = plain_text(note)
    free = bytearray(b"\1") * len(plain.text)
    found = []
    for mention in sorted(_candidates(note.text, plain, names, any_case), key=lambda item: item.start - item.end):
        if all(free[mention.start : mention.end]):
            free[mention.start : mention.end] = bytes(mention.end - mention.start)
            found.append(mention)
    return tuple(sorted(found, key=lambda item: item.start))


def _candidates(text: str, plain: PlainText, names: Names, any_case: bool) -> Iterator[Mention]:
    for word in _WORD.finditer(plain.text):
        for form in names.starting(word[0]):
            start, end = word.start(), word.start() + len(form.spelling)
            written = plain.text[start:end]
            if (
                _key(written) == form.key
                and (any_case or _is_name(written, form.spelling))
                and not _is_part(text, plain.text, start, end)
            ):
                entry = form.entries[0] if len(form.entries) == 1 else None
                yield Mention(start, end, written, entry, plain.in_table(start))


def _is_name(written: str, spelling: str) -> bool:
    """Whether it is written as a name: several words, or as the deck has it, with a capital, or all in capitals."""
    if " " in spelling:
        return True
    capital = spelling[:1].upper() + spelling[1:]
    return _straight(written) in {_straight(form) for form in (spelling, capital, spelling.upper())}


def _is_part(text: str, plain: str, start: int, end: int) -> bool:
    """Whether a name is only part of a word, of a compound or of a path; marks of emphasis around it do not count."""
    while start > 0 and plain[start - 1] == BLANK and text[start - 1] in _MARKS:
        start -= 1
    while end < len(text) and plain[end] == BLANK and text[end] in _MARKS:
        end += 1
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    glued = any(char in _GLUE or unicodedata.category(char)[0] == "M" for char in before[-1:] + after[:1])
    return glued or bool(_JOINED_BEFORE.search(before) or _JOINED_AFTER.match(after))


def _forms(decks: tuple[DeckNote, ...]) -> Iterator[_Form]:
    """What is a card's own name is no other card's plural."""
    exact: defaultdict[str, dict[str, tuple[str, CardEntry]]] = defaultdict(dict)
    plural: defaultdict[str, dict[str, tuple[str, CardEntry]]] = defaultdict(dict)
    for deck in decks:
        for entry in deck.entries:
            name, *plurals = spellings(entry.card.name)
            if sum(map(str.isalpha, name)) < 2:  # A card called "7" would link every seven.
                continue
            exact[_key(name)].setdefault(deck.note.path, (name, entry))
            for other in plurals:
                plural[_key(other)].setdefault(deck.note.path, (other, entry))
    for key, found in {**plural, **exact}.items():
        spelling = next(iter(found.values()))[0]
        yield _Form(key, spelling, tuple(entry for _, entry in found.values()))


def _plurals(word: str) -> tuple[str, ...]:
    """English plurals of a singular that may have one."""
    for ending, plural in (("man", "men"), ("fe", "ves"), ("f", "ves")):
        if word.lower().endswith(ending):
            return (f"{word[: -len(ending)]}{plural}", f"{word}s")
    if re.search(r"[^aeiou\W]y\Z", word, re.IGNORECASE):
        return (f"{word[:-1]}ies",)
    if re.search(r"(?:s|x|z|ch|sh)\Z", word, re.IGNORECASE):
        return (f"{word}es",)
    return (f"{word}s", f"{word}es") if word.lower().endswith("o") else (f"{word}s",)


def _key(name: str) -> str:
    return _straight(name).lower()


def _straight(name: str) -> str:
    return name.replace("’", "'")
