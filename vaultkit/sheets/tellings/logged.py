"""Notes that vaultkit wrote, and what they tell of: games that were played, and readings."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from vaultkit.campaign.dates import spoken_day
from vaultkit.campaign.played import originals
from vaultkit.compendium import CardEntry, Compendium
from vaultkit.errors import NothingFound, VaultkitError
from vaultkit.session.ids import one_by_ending
from vaultkit.sheets.notes import chapter_of
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_destination
from vaultkit.vault.subpath import comparable

_MOST_NAMED = 8


def find_telling(vault: Vault, key: str, wanted: str, hint: str) -> Note:
    """The note with the property `key` that goes by an id, the end of an id, or the note's own name.

    Raises NothingFound with `hint` if there is none, and where several ids end like that.
    """
    told = {str(facts.property(key)).strip(): facts.path for facts in originals(vault.note_facts, key)[0]}
    found = one_by_ending(told, wanted, f"{key.removeprefix('vaultkit-')}s")
    if found:
        return vault.read(told[found])
    try:
        note = vault.find(wanted)
    except VaultkitError as error:
        more = f"{_known(told.values())} {hint}".strip()
        raise NothingFound(f"There is no note that tells of '{wanted}'.", hint=more) from error
    if not note.property(key):
        raise NothingFound("This note tells of nothing that can be printed like that.", where=note.path, hint=hint)
    return note


def _known(paths: Iterable[str]) -> str:
    """The notes that there are, as a hint: the last ones, as far as their names tell which came last."""
    names = sorted(PurePosixPath(path).stem for path in paths)
    more = f" and {len(names) - _MOST_NAMED} before these" if len(names) > _MOST_NAMED else ""
    return f"There are: {'; '.join(names[-_MOST_NAMED:])}{more}." if names else ""


class KnownCards:
    """The cards of a vault's decks by the places that links to them lead to."""

    def __init__(self, vault: Vault, compendium: Compendium) -> None:
        self._vault = vault
        self._by_place: defaultdict[tuple[str, str], list[CardEntry]] = defaultdict(list)
        for entry in (entry for deck in compendium.decks for entry in deck.entries):
            self._by_place[_place(*split_destination(entry.link))].append(entry)

    def linked(self, target: str, shown: str, source: str) -> CardEntry | None:
        """The card that a link in the note `source` leads to; None where it leads elsewhere.

        Cards of a table have no places of their own: there `shown`, the link's words, says which one it is.
        """
        path, heading = split_destination(target)
        found = self._vault.files.resolve(path, source).path if path else None
        entries = self._by_place.get(_place(found, heading), []) if found else []
        named = [entry for entry in entries if entry.card.name == shown]
        return next(iter(named), entries[0] if len(entries) == 1 else None)


def _place(path: str, heading: str) -> tuple[str, str]:
    return path, comparable(heading)


def _without_title(note: Note) -> str:
    """The note's body without a heading of the first level that it begins with."""
    first = next(iter(note.headings), None)
    if first is None or first.level != 1 or note.text[note.body_start : first.start].strip():
        return note.body
    return note.text[first.end :]


def chapter_of_telling(note: Note, vault: Vault, vault_name: str, *, qr: bool) -> Chapter:
    """The note as a chapter; the day that its title ends with stands below it."""
    chapter, title, day = chapter_of(note, vault, vault_name, qr=qr), note.title, _day(note)
    if day and title.endswith(f", {day}"):
        title = title.removesuffix(f", {day}")
        return replace(chapter, title=title, subtitle=day, text=_without_title(note))
    return chapter


def _day(note: Note) -> str:
    try:
        return spoken_day(date.fromisoformat(str(note.property("date"))))
    except ValueError:
        return ""


def titles(entries: Iterable[CardEntry]) -> dict[str, CardEntry]:
    """Cards by their titles: `Berserker (6 of Swords)`."""
    return {entry.card.title: entry for entry in entries}
