"""The notes of players, found by the names of seats."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from vaultkit.errors import Problem
from vaultkit.grouping import group
from vaultkit.sorting import name_key, plain_letters
from vaultkit.spelling import nearest
from vaultkit.vault import Vault
from vaultkit.vault.facts import name_of
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import linked
from vaultkit.vault.note import is_generated

_NEARLY = 75
"""The lowest similarity, in per cent, at which one name may be the other misspelled: Ysold and Ysolde."""
_ALIKE = (("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("q", "k"), ("z", "s"), ("y", "i"), ("h", ""))
"""Letters with the letters that sound alike in names: Sepha is Sefa."""


def bare_name(name: str) -> str:
    """Return the name without a link's brackets: `Zoë` for `[[1-Party/Zoë Müller|Zoë]]`."""
    link = linked(name)
    if link is None:
        return name
    text, path, _ = link
    return (text if "|" in name else posixpath.basename(path).removesuffix(".md")) or name


def find_seats(names: Sequence[str], wanted: str) -> list[int]:
    """Return the seats whose names equal the text; if there are none, the seats whose names begin with it."""
    key = name_key(wanted)
    keys = dict(enumerate(map(name_key, names)))
    same = [seat for seat, name in keys.items() if name == key]
    return same or [seat for seat, name in keys.items() if key and name.startswith(key)]


class Players:
    """Lookup of notes by name, then by alias: first among the players of the settings, then in the whole vault.

    A name with more than one note stays plain text, and `problems` lists it. A name without any note is a guest.
    """

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault = vault
        self._party = party
        self.problems: list[Problem] = []

    def note(self, name: str) -> str | None:
        """Return the vault path of the note that `name` means; None for a guest, or if several notes fit.

        A name may be a link, `[[Note|Name]]`.
        """
        link = linked(name)
        if link is None:
            return self._at(name) or self._by_name(name)
        path = link[1]
        return self._at(path) or self._by_name(posixpath.basename(path))

    def spelling(self, name: str, note: str | None) -> str:
        """Return the name of a seat as its `note` spells it: Bram for `bram`, `Party/Bram` and `[[Party/Bram]]`.

        A name that is neither the note's nor an alias stays as it is, without a link's brackets; so does the name of a
        guest, with its brackets.
        """
        if note is None:
            return name
        said, own = bare_name(name), (*self._aliases_of(note), name_of(note))
        if said in own:
            return said
        same = next((spelling for spelling in own if name_key(spelling) == name_key(said)), said)
        return name_of(note) if same == name and self._at(name) else same

    def _at(self, path: str) -> str | None:
        """Return the note at a path such as `Party/Bram` or `Bram.md`.

        None for a bare name, for a missing note and for a note of the compendium.
        """
        path = path.strip().replace("\\", "/")
        if "/" not in path and not is_note(path):
            return None
        found = self._vault.files.resolve(path, "").path
        return found if found and is_note(found) and not self.is_generated(found) else None

    def _by_name(self, name: str) -> str | None:
        wanted = name_key(name)
        found = self._among(self._members, wanted) or self._among(self._names_of_all, wanted)
        found = found or [path for path in self._by_alias.get(wanted, ()) if not self.is_generated(path)]
        if len(found) > 1:
            message = f"'{name}' may be {' and '.join(found[:2])}, so the name was not linked."
            one = min(found, key=lambda path: "/" not in path)
            link = f"[[{one.removesuffix('.md') if '/' in one else one}]]"
            hint = f"Say which as a link, such as {link}: here, or under 'players' in .vaultkit/config.toml."
            self.problems.append(Problem(found[0], 0, 0, "ambiguous-player", message, hint, "warning"))
        return found[0] if len(found) == 1 else None

    def like(self, name: str) -> str:
        """Return the settings' player whose name or alias, or a word of it, is similar to `name`; "" for none."""
        return nearest_name(name_key(name), self._spellings)

    @cached_property
    def _spellings(self) -> Mapping[str, str]:
        """The names of the settings' players, by each of their names and aliases and by each word of their names."""
        found: dict[str, str] = {}
        for entry in self._party:
            notes = self._notes_of(entry)
            title = name_of(notes[0]) if notes else bare_name(entry)
            found |= dict.fromkeys((*name_key(bare_name(entry)).split(), name_key(bare_name(entry))), title)
        return found | {name: name_of(paths[0]) for name, paths in self._members.items()}

    def in_party(self, name: str) -> bool:
        """Return whether a name or alias is that of a player of the settings; a bot may play in place of one."""
        return name_key(name) in self._members

    def is_known(self, name: str) -> bool:
        """Return whether a player of the settings or a note of the vault has the name, or has it as an alias."""
        wanted = name_key(name)
        return wanted in self._members or wanted in self._names_of_all or wanted in self._by_alias

    @cached_property
    def _members(self) -> Mapping[str, list[str]]:
        """The notes of the settings' players, by their names and aliases."""
        paths = [path for entry in self._party for path in self._notes_of(entry)]
        names = ((name_key(name), path) for path in paths for name in (name_of(path), *self._aliases_of(path)))
        return group(dict.fromkeys(names))

    def _notes_of(self, entry: str) -> Sequence[str]:
        """Return the notes that an entry of the settings means by a path, a link, a name, or else an alias."""
        link = linked(entry)
        path = link[1] if link else entry
        if at := self._at(path):
            return [at]
        wanted = name_key(posixpath.basename(path) if link else entry)
        return self._names_of_all.get(wanted) or self._by_alias.get(wanted, [])

    def _aliases_of(self, path: str) -> tuple[str, ...]:
        facts = self._vault.facts.get(path)
        return facts.aliases if facts else ()

    def _among(self, notes: Mapping[str, list[str]], wanted: str) -> list[str]:
        """Return the notes of that name; a note with it as its own name comes before notes with it as an alias."""
        found = [path for path in notes.get(wanted, ()) if not self.is_generated(path)]
        return [path for path in found if name_key(name_of(path)) == wanted] or found

    @cached_property
    def _names_of_all(self) -> Mapping[str, list[str]]:
        return group((name_key(name_of(path)), path) for path in self._vault.note_paths)

    @cached_property
    def _by_alias(self) -> Mapping[str, list[str]]:
        notes = self._vault.note_facts
        return group((alias, facts.path) for facts in notes for alias in dict.fromkeys(map(name_key, facts.aliases)))

    def is_generated(self, path: str) -> bool:
        """Return whether a note belongs to the compendium: a guest called Wizard is not the class."""
        facts = self._vault.facts.get(path)
        return facts is not None and is_generated(facts)


def nearest_name(wanted: str, names: Mapping[str, str]) -> str:
    """Return the value of the name most similar to `search_key`, in its letters or else in its sound.

    "" if no name is similar, or if the value is `search_key` itself.
    """
    sounds = {sound(name): value for name, value in names.items()}
    near = names.get(nearest(wanted, names, like=_NEARLY), "")
    near = near or sounds.get(nearest(sound(wanted), sounds, like=_NEARLY), "")
    return near if name_key(near) != wanted else ""


@lru_cache(maxsize=10_000)
def sound(key: str) -> str:
    """Return a rough phonetic key of a name: without accents, silent letters and doubled letters."""
    bare = plain_letters(key)
    for letters, sound in _ALIKE:
        bare = bare.replace(letters, sound)
    return re.sub(r"(.)\1+", r"\1", bare)
