"""The games that are known by a definition: each as its score sheet, or with what is wrong with it."""

import re
from collections.abc import Iterator, Mapping

from vaultkit.compendium.scoresheets import RawSheet, raw_sheets
from vaultkit.errors import InvalidError, Problem
from vaultkit.games.definition import DefinitionError, read_definition
from vaultkit.games.info import GameInfo
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.vault import Vault
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.chosen import Chosen

Faults = tuple[tuple[RawSheet, InvalidError], ...]


def defined_games(vault: Vault | None) -> tuple[Mapping[str, ScoreSheet], Faults]:
    """The score sheets of a vault's own games and of those that ship with vaultkit, by id; and what cannot be used.

    The vault's own hide those of ours. Of two with one id none is used.
    """
    found: dict[str, ScoreSheet] = {}
    places: dict[str, RawSheet] = {}
    faults = []
    for raw in raw_sheets(vault):
        other = places.setdefault(raw.game, raw)
        if raw.ours and other is not raw:
            continue
        try:
            found[raw.game] = _sheet(raw, other)
        except InvalidError as error:
            faults.append((raw, error))
            found.pop(raw.game, None)
    return found, tuple(faults)


def names_of(info: GameInfo) -> set[str]:
    """The names of a game, in small letters."""
    return {name.casefold() for name in (info.id, info.title, *info.aliases)}


def _sheet(raw: RawSheet, first: RawSheet) -> ScoreSheet:
    """The score sheet of a definition, the `first` one of its id. Raises InvalidError that names file and line."""
    place = raw.tables.place
    if first is not raw:
        message = f"Two definitions are of the game '{raw.game}'."
        raise InvalidError(message, where=place(()), hint=f"The other one is {first.tables.place(())}.")
    if raw.fault:
        raise raw.fault
    try:
        definition = read_definition(raw.game, raw.tables.table)
    except DefinitionError as error:
        raise InvalidError(error.message, where=place(error.path), hint=error.hint) from error
    info = GameInfo(raw.game, definition.title, definition.players, "", aliases=definition.aliases)
    if taken := next((one for one in GAMES.values() if names_of(one) & names_of(info)), None):
        hint = f"Give it another id and title; {taken.title} has its own score sheet."
        raise InvalidError(f"This is {taken.title}, which is known already.", where=place(("title",)), hint=hint)
    return ScoreSheet(info, definition, place)


def _look(chosen: Chosen) -> Iterator[Problem]:
    """The faults of the definitions of a vault; those in files count among all alone."""
    for raw, error in defined_games(chosen.vault)[1]:
        if not raw.ours and (raw.where in chosen.notes or chosen.paths is None):
            line = re.search(r":(\d+)$", error.where)
            number = int(line[1]) if line else 0
            yield Problem(raw.where, number, min(number, 1), "game", error.message, error.hint)


CHECKS = (Check("game", in_vault=_look),)
