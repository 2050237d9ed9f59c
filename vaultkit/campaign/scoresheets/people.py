"""Who sat at a table with real cards, and what they faced, by the notes of the vault."""

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from vaultkit.campaign.played import played_games
from vaultkit.campaign.players import Players, nearest_name
from vaultkit.campaign.result import Result
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.grouping import group
from vaultkit.session.seats import parse_seats
from vaultkit.sorting import name_key
from vaultkit.vault import Vault
from vaultkit.vault.facts import name_of
from vaultkit.wording import listing

_ENCOUNTER = "Encounter"


class People:
    """Looks for the notes of those who sat at a table; the `party` are the players of the settings."""

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault, self._party, self._players = vault, party, Players(vault, party)

    def each_once(self, names: Sequence[str]) -> tuple[str, ...]:
        """Who sits where: the paths of players' notes, else the names. Raises InvalidError for one who sits twice."""
        people = group((self._players.note(name) or name, name) for name in names)
        for who, same in people.items():
            if len(same) > 1:
                message = f"'{same[0]}' and '{same[1]}' are the same person."
                raise InvalidError(message, where="" if who in same else who, hint="Write one name for each player.")
        return tuple(people)

    def guests(self, names: Sequence[str]) -> dict[str, str]:
        """Those without a note, each with whoever may be meant and is not there; "" for nobody.

        The players of the settings come first, then those who played before. A name that several notes go by is none of
        them: that is said when it cannot be linked.
        """
        notes = {name: self._note_of(name) for name in names}
        there = {*notes.values(), *names}
        found = {name: self._nearly(name) for name, note in notes.items() if note is None}
        return {name: "" if (self._players.note(like) or like) in there else like for name, like in found.items()}

    def seat(
        self, given: Sequence[str], game: str, ask: Callable[[str, str], bool | None], tell: Callable[[str], None]
    ) -> tuple[str, ...]:
        """The names of those who played `game`, those put right that somebody mistyped.

        `ask` says whether a guest is the player of almost that name, None where nobody can be asked; `tell` takes what
        is to be known of guests. Raises UsageError for what is no name, InvalidError for one who sits twice.
        """
        names = seats_of(given, game)
        found = self.guests(names)
        meant = {name: ask(name, like) for name, like in found.items() if like}
        for remark in guest_remarks({name: like for name, like in found.items() if meant.get(name) is None}):
            tell(remark)
        corrected = seats_of([found[name] if meant.get(name) else name for name in names], game)
        self.each_once(corrected)
        return corrected

    def linked(self, result: Result) -> Result:
        """An encounter with the notes of the character and of what was faced, as `play` links them.

        What has no note stays the word that was written.
        """
        if result.game not in GAMES or not GAMES[result.game].characters:
            return result
        facts = result.outcome.facts
        faced = next((str(fact.values[0]) for label, fact in facts if label == _ENCOUNTER), "")
        notes = {"Character": self._players.note(result.seats[0].name), _ENCOUNTER: _lookup(faced, self._vault)}
        about = tuple((label, note) for label, note in notes.items() if note)
        left = tuple((label, fact) for label, fact in facts if not notes.get(label))
        return replace(result, about=about, outcome=replace(result.outcome, facts=left))

    def _note_of(self, name: str) -> str | None:
        """The player's note, "" where there are several of that name, None for a guest."""
        problems = len(self._players.problems)
        return self._players.note(name) or ("" if len(self._players.problems) > problems else None)

    def _nearly(self, name: str) -> str:
        """Whoever is nearly called so; "" for nobody."""
        return self._players.like(name) or self._like(name) or self._titled(name)

    def _like(self, name: str) -> str:
        """The one of those who played before who is nearly called so; "" if none is."""
        near = nearest_name(name_key(name), self._played)
        return near if name_key(near) != name_key(name) else ""

    def _titled(self, name: str) -> str:
        """The one note that is called by a title and this name, such as Captain Ilse; "" if none is, or several."""
        names = (name_of(path) for path in self._vault.note_paths)
        found = {one for one in names if re.fullmatch(rf"(?!the )\S+ {re.escape(name_key(name))}", name_key(one))}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def _played(self) -> Mapping[str, str]:
        games = played_games(self._vault, self._party)
        return {name_key(person.name): person.name for game in games for person in game.people}


def seats_of(names: Sequence[str], game: str) -> tuple[str, ...]:
    """The names of the people who played `game`, by its title, made tidy.

    Raises UsageError for what cannot be a name, for two that are the same, for bots, and where nobody is named.
    """
    if not names:
        raise UsageError("Nobody is named.", hint=f'Say who played {game}: --score "NAME: ..." once for each.')
    seats = parse_seats(names)
    if bot := next((name for name, seat in zip(names, seats, strict=True) if not seat.is_person), ""):
        raise UsageError(f"'{bot}' did not sit at a table with real cards.", hint="Name the people who played.")
    return tuple(seat.name for seat in seats)


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
        return vault.locate(name).path if name else None
    return None
