"""People at a table where a game is scored on paper: their names, and their notes in the vault."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from vaultkit.campaign.logged_game import played_games
from vaultkit.campaign.players import Players, nearest_name
from vaultkit.campaign.result import GameResult
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.session.seats import parse_seats
from vaultkit.text import group, join_words, name_key
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import name_of

_ENCOUNTER = "Encounter"


class People:
    """A matcher of the names of people at a table with notes of the vault; `party` are the players of the settings."""

    def __init__(self, vault: Vault, party: Sequence[str]) -> None:
        self._vault, self._party, self._players = vault, party, Players(vault, party)

    def identify_players(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the path of each player's note, or the name of a player who has none.

        Raises InvalidError if two names mean the same person.
        """
        people = group((self._players.note(name) or name, name) for name in names)
        for who, same_person_names in people.items():
            if len(same_person_names) > 1:
                message = f"'{same_person_names[0]}' and '{same_person_names[1]}' are the same person."
                where = "" if who in same_person_names else who
                raise InvalidError(message, where=where, hint="Write one name for each player.")
        return tuple(people)

    def find_guests(self, names: Sequence[str]) -> dict[str, str]:
        """Return the names without a note, each with the similar name of an absent player who may be meant, else "".

        The players of the settings are tried first, then people who played before, then notes named by a title and the
        name. A name that fits several notes is not a guest; it is reported when it cannot be linked.
        """
        notes = {name: self._note_of(name) for name in names}
        present = {*notes.values(), *names}
        similar_names = {name: self._similar_name(name) for name, note in notes.items() if note is None}
        return {
            name: "" if (self._players.note(similar_name) or similar_name) in present else similar_name
            for name, similar_name in similar_names.items()
        }

    def seat(
        self,
        typed_names: Sequence[str],
        game: str,
        ask: Callable[[str, str], bool | None],
        tell: Callable[[str], None],
        known_names: Collection[str] = (),
    ) -> tuple[str, ...]:
        """Return the names of the people who played `game`, with mistyped names corrected.

        `ask` returns whether a guest is the player with a similar name, None if nobody can be asked; `tell` receives
        remarks on guests. The `known_names` are right. Raises UsageError for an invalid name, InvalidError for a
        person named twice.
        """
        names = tidy_names(typed_names, game)
        similar_names = {name: similar for name, similar in self.find_guests(names).items() if name not in known_names}
        answers = {name: ask(name, similar_name) for name, similar_name in similar_names.items() if similar_name}
        guests = {name: similar for name, similar in similar_names.items() if answers.get(name) is None}
        for remark in guest_remarks(guests):
            tell(remark)
        corrected = tidy_names([similar_names[name] if answers.get(name) else name for name in names], game)
        self.identify_players(corrected)
        return corrected

    def link_characters(self, result: GameResult) -> GameResult:
        """Return the result with links to the notes of the character and of the encounter, as `play` makes them.

        A result of a game without characters is returned unchanged. What has no note stays plain text.
        """
        if result.game not in GAMES or not GAMES[result.game].characters:
            return result
        facts, notes = result.outcome.facts, {"Character": self._players.note(result.seats[0].name)}
        for encounter_name in (str(fact.values[0]) for label, fact in facts if label == _ENCOUNTER):
            with suppress(VaultkitError):  # if several notes fit, none is linked
                notes[_ENCOUNTER] = self._vault.locate(encounter_name).path
        linked_notes = tuple((label, note) for label, note in notes.items() if note)
        unlinked_facts = tuple((label, fact) for label, fact in facts if not notes.get(label))
        return replace(result, about=linked_notes, outcome=replace(result.outcome, facts=unlinked_facts))

    def _note_of(self, name: str) -> str | None:
        """Return the path of the player's note, "" if several notes have that name, None for a guest."""
        problem_count = len(self._players.problems)
        return self._players.note(name) or ("" if len(self._players.problems) > problem_count else None)

    def _similar_name(self, name: str) -> str:
        """Return a similar name, of a player of the settings or of earlier games, or of a note; "" if there is none."""
        return (
            self._players.find_similar_member(name)
            or nearest_name(name_key(name), self._names_of_past_players)
            or self._name_with_title(name)
        )

    def _name_with_title(self, name: str) -> str:
        """Return the one note name that is a title and this name, such as Captain Ilse; "" if none or several fit."""
        with_title = re.compile(rf"(?!the )\S+ {re.escape(name_key(name))}")
        matches = {note for note in map(name_of, self._vault.note_paths) if with_title.fullmatch(name_key(note))}
        return matches.pop() if len(matches) == 1 else ""

    @cached_property
    def _names_of_past_players(self) -> Mapping[str, str]:
        """The names of the people in all logged games, by the key for comparing names."""
        people = (person.name for game in played_games(self._vault, self._party) for person in game.people)
        return {name_key(name): name for name in people}


def tidy_names(names: Sequence[str], game: str) -> tuple[str, ...]:
    """Return the names of the people who played, checked and tidied; `game` is its title for error messages.

    Raises UsageError for an invalid name, for duplicates, for bots, and if nobody is named.
    """
    if not names:
        raise UsageError("Nobody is named.", hint=f'Say who played {game}: --score "NAME: ..." once for each.')
    seats = parse_seats(names)
    if bot := next((name for name, seat in zip(names, seats, strict=True) if not seat.is_person), ""):
        raise UsageError(f"'{bot}' did not sit at a table with real cards.", hint="Name the people who played.")
    return tuple(seat.name for seat in seats)


def guest_remarks(similar_names: Mapping[str, str]) -> Iterator[str]:
    """Yield a remark on each group of guests with the same similar name, and one on guests with none.

    `similar_names` gives for each guest the player who may be meant, or "".
    """
    for similar_name, names in group((similar_name, name) for name, similar_name in similar_names.items()).items():
        singular, plural = "has no note and is written as a guest.", "have no notes and are written as guests."
        question = f" {'Is it' if len(names) == 1 else 'Are they'} {similar_name}?" if similar_name else ""
        yield f"{join_words(names)} {singular if len(names) == 1 else plural}{question}"
