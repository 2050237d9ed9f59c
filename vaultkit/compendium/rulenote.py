"""The GM's own rule notes, and our rulings where those are silent."""

import re
from collections.abc import Mapping
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
        nested = self.note.property("vaultkit")
        given = nested.get("options") if isinstance(nested, dict) else None
        found = {key: "".join(texts(value)) for key, value in given.items()} if isinstance(given, dict) else {}
        for entry in texts(self.note.property("vaultkit-options")):
            key, equals, value = entry.partition("=")
            if not equals:
                raise UsageError(
                    f"'{entry}' is no option.", where=self.note.path, hint='Write vaultkit-options: ["key=value"].'
                )
            found[key.strip()] = value.strip()
        return found


@dataclass(frozen=True, slots=True)
class Ruling:
    """One numbered ruling in our own words, as Markdown."""

    id: str
    title: str
    text: str


def is_rule_note(note: Note | Facts, game: str, titles: frozenset[str]) -> bool:
    """Whether a note explains `game`: it says so, or its name, title or an alias is among `titles` (casefolded)."""
    said = texts(note.property("vaultkit-game"))
    if said:
        return said[0].strip().lower() == game
    names = {note.name.casefold(), note.title.casefold(), *(alias.casefold() for alias in note.aliases)}
    return bool(names & titles)


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
