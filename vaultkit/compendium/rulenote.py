"""The GM's own rule notes, and our rulings where those are silent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from vaultkit import resources
from vaultkit.errors import NothingFound, UsageError
from vaultkit.vault import Note
from vaultkit.vault.facts import Facts, texts

_RULING = re.compile(r"^## (?P<id>[A-Z]+-\d+): (?P<title>.+?)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"(?P<page>[A-Z]+)[- ]?(?P<number>[0-9]+)")
_PAGES = {
    "G": "general",
    "PG": "prophets-gambit",
    "DD": "deck-of-destiny",
    "VA": "propheta",
    "TF": "turn-of-fate",
    "DC": "dragon-citadel",
}
GAME, PROPERTY = "vaultkit-game", "vaultkit-options"
HOW_TO_SET = f'Write {PROPERTY}: ["key=value"].'


@dataclass(frozen=True)
class RuleNote:
    """The note that explains one game."""

    game: str
    note: Note

    @property
    def options(self) -> Mapping[str, str]:
        """House rules in its frontmatter: `vaultkit-options: ["mode=competitive"]`, or a map `vaultkit: options:`.

        Raises UsageError for an entry that is not `key=value`.
        """
        found: dict[str, str] = {}
        for entry in self.written:
            if not entry.is_pair:
                raise UsageError(f"'{entry.text}' is no option.", where=self.note.path, hint=HOW_TO_SET)
            found[entry.key] = entry.value
        return found

    @property
    def written(self) -> Iterator["WrittenOption"]:
        """The same as they stand there, faulty ones included."""
        nested = self.note.property("vaultkit")
        given = nested.get("options") if isinstance(nested, dict) else None
        for key, value in given.items() if isinstance(given, dict) else ():
            yield WrittenOption(str(key), str(key), "".join(texts(value)))
        for text in texts(self.note.property(PROPERTY)):
            key, equals, value = text.partition("=")
            yield WrittenOption(text, key.strip(), value.strip(), bool(equals))


@dataclass(frozen=True, slots=True)
class WrittenOption:
    """An option in frontmatter: `text` is what can be found there. One without `=` is no pair, and sets nothing."""

    text: str
    key: str
    value: str
    is_pair: bool = True


@dataclass(frozen=True, slots=True)
class Ruling:
    """One numbered ruling in our own words, as Markdown."""

    id: str
    title: str
    text: str


def games_of(note: Note | Facts, titles: Mapping[str, str]) -> frozenset[str]:
    """The games that a note explains, by id: it says so, or its name, title or an alias is among their `titles`.

    `titles` are casefolded.
    """
    if said := texts(note.property(GAME)):
        return frozenset({said[0].strip().lower()})
    names = {note.name.casefold(), note.title.casefold(), *map(str.casefold, note.aliases)}
    return frozenset(titles[name] for name in names & titles.keys())


def ruling(ruling_id: str) -> Ruling:
    """The ruling `DC-12`, in any case, its hyphen left out or not.

    Raises UsageError for what is no ruling number, NothingFound for a number that no ruling has.
    """
    match = _NUMBER.fullmatch(ruling_id.strip().upper())
    if match is None or match["page"] not in _PAGES:
        written = ", ".join(page for page, name in _PAGES.items() if rulings(name))
        raise UsageError(f"'{ruling_id}' is no ruling.", hint=f"Rulings look like DC-12; there are pages {written}.")
    found, wanted = rulings(_PAGES[match["page"]]), f"{match['page']}-{match['number']}"
    if wanted not in found:
        last = max(found, key=lambda name: int(name.partition("-")[2]), default="")
        hint = f"The last one of this page is {last}." if last else "The rulings of that game are not written yet."
        raise NothingFound(f"There is no ruling {wanted}.", hint=hint)
    return found[wanted]


def ruling_of(game: str, wanted: str) -> Ruling:
    """The ruling that `wanted` means where a game's rules are asked for: `12` is the game's own twelfth.

    Raises what `ruling` does, and UsageError for a ruling of another game; those that all games share are fine.
    """
    own = next((page for page, name in _PAGES.items() if name == game), "")
    if wanted.strip().isdecimal():
        return ruling(f"{own}-{wanted.strip()}")
    match = _NUMBER.fullmatch(wanted.strip().upper())
    page = match["page"] if match else ""
    if match and page in _PAGES and page not in (own, "G"):
        other, number = _PAGES[page], f"{page}-{match['number']}"
        hint = f"vaultkit rules {other} --ruling {number}"
        raise UsageError(f"{number} is a ruling of {other}, not of {game}.", hint=f"Write: {hint}")
    return ruling(wanted)


@cache
def rulings(page: str) -> Mapping[str, Ruling]:
    """All rulings of one game's page, by number; empty for a game whose page is not written."""
    file = resources.find("rulings", f"{page}.md")
    if file is None:
        return {}
    text = file.read_text(encoding="utf-8")
    heads = list(_RULING.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head["id"]: Ruling(head["id"], head["title"], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    }
