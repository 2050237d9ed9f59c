"""The notes of players, found by the names of seats."""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from vaultkit.errors import Problem
from vaultkit.spelling import find_nearest, read_number
from vaultkit.text import group, name_key, plain_letters
from vaultkit.vault import Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.note import is_generated
from vaultkit.vault.note_facts import name_of

_MIN_SIMILARITY_PERCENT = 75
"""The lowest similarity, in per cent, at which one name may be the other misspelled: Ysold and Ysolde."""
_SIMILAR_SOUNDS = (("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("q", "k"), ("z", "s"), ("y", "i"), ("h", ""))
"""Letters with the letters that sound alike in names: Sepha is Sefa."""


def bare_name(name: str) -> str:
    """Return the name without a link's brackets: `Zoë` for `[[1-Party/Zoë Müller|Zoë]]`."""
    link = parse_wikilink(name)
    if link is None:
        return name
    text, path, _ = link
    return (text if "|" in name else posixpath.basename(path).removesuffix(".md")) or name


def split_names(texts: Iterable[str], players: "Players | None" = None) -> list[str]:
    """Return the names in texts such as `Ysolde` and `Ysolde, Bram`; a name with a comma that a player has is kept."""
    pairs = ((text, list(filter(str.strip, text.split(","))) or [text]) for text in texts)
    return [
        name.strip()
        for text, names in pairs
        for name in ([text] if (players and players.is_known(text)) or text.startswith("[[") else names)
    ]


def read_player_range(text: str) -> tuple[int, int] | None:
    """Return the fewest and most players that `3`, `three` or `2-4` mean, or None for anything else, such as names."""
    numbers = [read_number(part) for part in re.split(r"\s*(?:[-–]|\bto\b)\s*", text.strip(), maxsplit=1)]
    fewest, most = numbers[0], numbers[-1]
    return (fewest, most) if fewest and most and most < 100 else None


def take_players(words: Sequence[str], players: "Players", *, bots: bool = False) -> tuple[list[str], list[str]]:
    """Return the players whose names the first words are, bots too with `bots`, and the words that follow."""
    names, rest = list[str](), [word.strip(",") for word in words if word.strip(",").casefold() not in _CONNECTIVES]
    while rest:
        candidates = (" ".join(rest[:length]) for length in range(len(rest), 0, -1))
        known_names = (text for text in candidates if players.is_known(text) or (bots and text.startswith("bot:")))
        name = next(known_names, "")
        if not name:
            break
        names.append(name)
        rest = rest[name.count(" ") + 1 :]
    return names, rest


_CONNECTIVES = frozenset({"", "and", "with", "vs", "versus", "against"})
"""Words between the names of players."""


def find_seats(names: Sequence[str], text: str) -> list[int]:
    """Return the seats whose names equal the text; if there are none, the seats whose names begin with it."""
    key = name_key(text)
    keys = dict(enumerate(map(name_key, names)))
    equal_seats = [seat for seat, name in keys.items() if name == key]
    return equal_seats or [seat for seat, name in keys.items() if key and name.startswith(key)]


class Players:
    """Lookup of players' notes, first among the players of the settings, then in the whole vault.

    In both, a note's name comes before an alias. A name with more than one note stays plain text, and `problems` lists
    it. A name without any note is that of a guest.
    """

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault = vault
        self._party = party
        self.problems: list[Problem] = []

    def note(self, name: str) -> str | None:
        """Return the vault path of the note that `name` means; None for a guest, or if several notes fit.

        A name may be a link, `[[Note|Name]]`.
        """
        link = parse_wikilink(name)
        path = link[1] if link else name
        return self._find_note_at(path) or self._find_by_name(posixpath.basename(path) if link else name)

    def spelling(self, name: str, note: str | None) -> str:
        """Return the name of a seat as its `note` spells it: Bram for `bram`, `Party/Bram` and `[[Party/Bram]]`.

        A name that is neither the note's nor an alias stays as it is, without a link's brackets; so does the name of a
        guest, with its brackets.
        """
        if note is None:
            return name
        seat_name, own_names = bare_name(name), (*self._aliases_of(note), name_of(note))
        if seat_name in own_names:
            return seat_name
        matching_name = next(
            (spelling for spelling in own_names if name_key(spelling) == name_key(seat_name)), seat_name
        )
        return name_of(note) if matching_name == name and self._find_note_at(name) else matching_name

    def _find_note_at(self, path: str) -> str | None:
        """Return the note at a path such as `Party/Bram` or `Bram.md`.

        None for a bare name, for a missing note and for a note of the compendium.
        """
        path = path.strip().replace("\\", "/")
        if "/" not in path and not is_note(path):
            return None
        note_path = self._vault.files.resolve(path, "").path
        return note_path if note_path and is_note(note_path) and not self.is_generated(note_path) else None

    def _find_by_name(self, name: str) -> str | None:
        """Return the note with a name or alias, None for none or several; several add a problem."""
        key = name_key(name)
        paths = self._select_by_name(self._party_paths, key) or self._select_by_name(self._paths_by_name, key)
        paths = paths or [path for path in self._paths_by_alias.get(key, ()) if not self.is_generated(path)]
        if len(paths) > 1:
            message = f"'{name}' may be {' and '.join(paths[:2])}, so the name was not linked."
            example_path = min(paths, key=lambda path: "/" not in path)
            link = f"[[{example_path.removesuffix('.md') if '/' in example_path else example_path}]]"
            hint = f"Write a link, such as {link}: here, or under 'players' in .vaultkit/config.toml."
            self.problems.append(Problem(paths[0], 0, 0, "ambiguous-player", message, hint, "warning"))
        return paths[0] if len(paths) == 1 else None

    def find_similar_member(self, name: str) -> str:
        """Return the name of the settings' player with a name or alias similar to `name`; "" for none.

        A single word of a player's name counts, too.
        """
        return nearest_name(name_key(name), self._party_spellings)

    @cached_property
    def _party_spellings(self) -> Mapping[str, str]:
        """The name of each player of the settings, by all names and aliases, and by each word of the name."""
        titles: dict[str, str] = {}
        for entry in self._party:
            notes = self._notes_of(entry)
            title = name_of(notes[0]) if notes else bare_name(entry)
            titles |= dict.fromkeys((*name_key(bare_name(entry)).split(), name_key(bare_name(entry))), title)
        return titles | {name: name_of(paths[0]) for name, paths in self._party_paths.items()}

    def is_in_party(self, name: str) -> bool:
        """Return whether a name or alias is that of a player of the settings; a bot may play in place of one."""
        return name_key(name) in self._party_paths

    def is_known(self, name: str) -> bool:
        """Return whether a player of the settings or a note of the vault has the name, or has it as an alias."""
        key = name_key(name)
        return key in self._party_paths or key in self._paths_by_name or key in self._paths_by_alias

    @cached_property
    def _party_paths(self) -> Mapping[str, list[str]]:
        """The notes of the settings' players, by their names and aliases."""
        paths = [path for entry in self._party for path in self._notes_of(entry)]
        names = ((name_key(name), path) for path in paths for name in (name_of(path), *self._aliases_of(path)))
        return group(dict.fromkeys(names))

    def _notes_of(self, entry: str) -> Sequence[str]:
        """Return the notes that an entry of the settings means by a path, a link, a name, or else an alias."""
        link = parse_wikilink(entry)
        path = link[1] if link else entry
        if note_path := self._find_note_at(path):
            return [note_path]
        key = name_key(posixpath.basename(path) if link else entry)
        return self._paths_by_name.get(key) or self._paths_by_alias.get(key, [])

    def _aliases_of(self, path: str) -> tuple[str, ...]:
        facts = self._vault.facts.get(path)
        return facts.aliases if facts else ()

    def _select_by_name(self, notes: Mapping[str, list[str]], key: str) -> list[str]:
        """Return the notes of that name; a note with it as its own name comes before notes with it as an alias."""
        paths = [path for path in notes.get(key, ()) if not self.is_generated(path)]
        return [path for path in paths if name_key(name_of(path)) == key] or paths

    @cached_property
    def _paths_by_name(self) -> Mapping[str, list[str]]:
        return group((name_key(name_of(path)), path) for path in self._vault.note_paths)

    @cached_property
    def _paths_by_alias(self) -> Mapping[str, list[str]]:
        notes = self._vault.note_facts
        return group((alias, facts.path) for facts in notes for alias in dict.fromkeys(map(name_key, facts.aliases)))

    def is_generated(self, path: str) -> bool:
        """Return whether a note belongs to the compendium: a guest called Wizard is not the class."""
        facts = self._vault.facts.get(path)
        return facts is not None and is_generated(facts)


def nearest_name(search_key: str, names: Mapping[str, str]) -> str:
    """Return the value in `names` of the key most similar to `search_key`, by its letters or else by its sound.

    "" if no key is similar, or if the value is `search_key` itself.
    """
    sounds = {phonetic_key(name): value for name, value in names.items()}
    nearest = names.get(find_nearest(search_key, names, min_score=_MIN_SIMILARITY_PERCENT), "")
    nearest = nearest or sounds.get(
        find_nearest(phonetic_key(search_key), sounds, min_score=_MIN_SIMILARITY_PERCENT), ""
    )
    return nearest if name_key(nearest) != search_key else ""


@lru_cache(maxsize=10_000)
def phonetic_key(key: str) -> str:
    """Return a rough phonetic key of a name: without accents, silent letters and doubled letters."""
    phonetic = plain_letters(key)
    for letters, sound in _SIMILAR_SOUNDS:
        phonetic = phonetic.replace(letters, sound)
    return re.sub(r"(.)\1+", r"\1", phonetic)
