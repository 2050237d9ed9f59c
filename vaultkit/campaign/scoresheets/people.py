"""Who sat at a table with real cards, and what they faced, by the notes of the vault."""

import contextlib
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from vaultkit.campaign.played import played_games
from vaultkit.campaign.players import Players, name_key, nearest_name, sound
from vaultkit.campaign.result import Result
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.wording import listing

_ENCOUNTER = "Encounter"
_SHORT = 3
"""So few letters of a first name are nearly too many others: The, of The Old Mill, is nearly Thea."""


class People:
    """Looks for the notes of those who sat at a table; the `party` are the players of the settings."""

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault, self._party, self._players = vault, party, Players(vault, party)

    def seated(self, names: Sequence[str]) -> tuple[str, ...]:
        """Who sits where: the paths of players' notes, else the names."""
        return tuple(self._players.note(name) or name for name in names)

    def each_once(self, names: Sequence[str]) -> tuple[str, ...]:
        """As `seated`. Raises InvalidError for one who sits twice."""
        people: dict[str, str] = {}
        for name, who in zip(names, self.seated(names), strict=True):
            if who in people:
                message = f"'{people[who]}' and '{name}' are the same person."
                raise InvalidError(message, where=who if who != name else "", hint="Write one name for each player.")
            people[who] = name
        return tuple(people)

    def guests(self, names: Sequence[str]) -> dict[str, str]:
        """Those without a note, each with whoever may be meant and is not there; "" for nobody.

        The players of the settings come first, then those who played before and the notes beside theirs, then all
        notes. A name that several notes go by is none of them: that is said when it cannot be linked.
        """
        notes = {name: self._note_of(name) for name in names}
        found = {name: self._players.like(name) or self._like(name) for name, note in notes.items() if note is None}
        there = {*notes.values(), *names} - {None}
        return {name: "" if (self._players.note(like) or like) in there else like for name, like in found.items()}

    def linked(self, result: Result) -> Result:
        """An encounter with the notes of the character and of what was faced, as `play` links them.

        What has no note stays the word that was written.
        """
        if result.game not in GAMES or not GAMES[result.game].characters:
            return result
        facts = result.outcome.facts
        faced = next((str(fact.values[0]) for label, fact in facts if label == _ENCOUNTER), "")
        encounter, character = _lookup(faced, self._vault), self._players.note(result.seats[0].name)
        about = tuple((label, note) for label, note in (("Character", character), (_ENCOUNTER, encounter)) if note)
        left = tuple(fact for fact in facts if not (encounter and fact[0] == _ENCOUNTER))
        return replace(result, about=about, outcome=replace(result.outcome, facts=left))

    def _note_of(self, name: str) -> str | None:
        """The player's note, "" where there are several of that name, None for a guest."""
        problems = len(self._players.problems)
        return self._players.note(name) or ("" if len(self._players.problems) > problems else None)

    def _like(self, name: str) -> str:
        """The one, of all but the party, who is nearly called so, or has it as a first name; "" if none is."""
        wanted = name_key(name)
        near = nearest_name(wanted, self._near) or self._heard(sound(wanted))
        return near if name_key(near) != wanted else ""

    @cached_property
    def _near(self) -> Mapping[str, str]:
        """Those who played before, and the notes in the folders of theirs and the party's, by what they are called."""
        people = {one.name: one.note for game in played_games(self._vault, self._party) for one in game.people}
        notes = [*people.values(), *(self._players.note(entry) or "" for entry in self._party)]
        folders = set(map(posixpath.dirname, notes)) - {""}
        beside = (facts for facts in self._vault.note_facts if posixpath.dirname(facts.path) in folders)
        pairs = [*_spellings(_names(facts) for facts in beside), *_spellings((name,) for name in people)]
        return {spelling: name for spelling, name in pairs if len(spelling) > _SHORT}

    def _heard(self, wanted: str) -> str:
        """The one note of the vault of which a name or the first name sounds just so; "" if there are several."""
        named = ((facts, _spellings([_names(facts)])) for facts in self._vault.note_facts)
        found = [facts for facts, names in named if any(sound(name) == wanted for name, _ in names)]
        people = [facts.title for facts in found if not self._players.is_generated(facts.path)]
        return people[0] if len(people) == 1 else ""


def _names(facts: Facts) -> tuple[str, ...]:
    return facts.title, *facts.aliases


def _spellings(people: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """All that people may be called, with the first of their names: each name, and the first word of that first one."""
    for names in people:
        for spelling in (names[0].partition(" ")[0], *names):
            yield name_key(spelling), names[0]


def guest_remarks(found: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each of the `guests` who may be a player with a slip of the hand, and one for all others."""
    slips = tuple(
        f"{name} has no note and is written as a guest. Is it {like}?" for name, like in found.items() if like
    )
    others = tuple(name for name, like in found.items() if not like)
    one = "has no note and is written as a guest."
    several = "have no notes and are written as guests."
    return (*slips, f"{listing(others)} {one if len(others) == 1 else several}") if others else slips


def _lookup(name: str, vault: Vault) -> str | None:
    """The path of the note that is meant; None if there is none, or several."""
    with contextlib.suppress(VaultkitError):
        note = vault.lookup(name) if name else None
        return note.path if note else None
    return None
