"""Who sat at a table with real cards, and what they faced, by the notes of the vault."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vaultkit.campaign.players import Players
from vaultkit.campaign.result import Result
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games.registry import GAMES
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.wording import listing

_ENCOUNTER = "Encounter"


def seated(names: Sequence[str], vault: Vault, settings: Settings) -> tuple[str, ...]:
    """Who sits where: the paths of players' notes, else the names."""
    players = Players(vault, settings.players)
    return tuple(players.note(name) or name for name in names)


def people_of(names: Sequence[str], vault: Vault, settings: Settings) -> tuple[str, ...]:
    """As `seated`. Raises InvalidError for one who sits twice."""
    people: dict[str, str] = {}
    for name, who in zip(names, seated(names, vault, settings), strict=True):
        if who in people:
            message = f"'{people[who]}' and '{name}' are the same person."
            raise InvalidError(message, where=who if who != name else "", hint="Write one name for each player.")
        people[who] = name
    return tuple(people)


def guests(names: Sequence[str], vault: Vault, settings: Settings) -> dict[str, str]:
    """Those without a note, each with the player of the settings who may be meant and is not there; "" for nobody.

    A name that several notes go by is none of them: that is said when it cannot be linked.
    """
    players = Players(vault, settings.players)
    notes = {name: _note_of(name, players) for name in names}
    found = {name: players.like(name) for name, note in notes.items() if note is None}
    there = {*notes.values(), *names} - {None}
    return {name: "" if (players.note(like) or like) in there else like for name, like in found.items()}


def _note_of(name: str, players: Players) -> str | None:
    """The player's note, "" where there are several of that name, None for a guest."""
    problems = len(players.problems)
    return players.note(name) or ("" if len(players.problems) > problems else None)


def guest_remarks(found: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence for each of the `guests` who may be a player with a slip of the hand, and one for all others."""
    slips = tuple(
        f"{name} has no note and is written as a guest. Is it {like}?" for name, like in found.items() if like
    )
    others = tuple(name for name, like in found.items() if not like)
    one = "has no note and is written as a guest."
    several = "have no notes and are written as guests."
    return (*slips, f"{listing(others)} {one if len(others) == 1 else several}") if others else slips


def linked(result: Result, vault: Vault, settings: Settings) -> Result:
    """An encounter with the notes of the character and of what was faced, as `play` links them.

    What has no note stays the word that was written.
    """
    if result.game not in GAMES or not GAMES[result.game].characters:
        return result
    facts = result.outcome.facts
    faced = next((str(fact.values[0]) for label, fact in facts if label == _ENCOUNTER), "")
    encounter = _lookup(faced, vault)
    character = Players(vault, settings.players).note(result.seats[0].name)
    about = tuple((label, note) for label, note in (("Character", character), (_ENCOUNTER, encounter)) if note)
    left = tuple(fact for fact in facts if not (encounter and fact[0] == _ENCOUNTER))
    return replace(result, about=about, outcome=replace(result.outcome, facts=left))


def _lookup(name: str, vault: Vault) -> str | None:
    """The path of the note that is meant; None if there is none, or several."""
    with contextlib.suppress(VaultkitError):
        note = vault.lookup(name) if name else None
        return note.path if note else None
    return None
