"""Checks that depend on the games, such as unknown settings and options, and the list of all checks."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import files, resources
from vaultkit.compendium import checks as compendium
from vaultkit.compendium.rulenote import GAME
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.registry import GAMES, find
from vaultkit.session import example_checks, rulenotes
from vaultkit.vault.checking import checks as vault
from vaultkit.vault.checking.check import Check, Checks
from vaultkit.vault.checking.chosen import Chosen
from vaultkit.vault.facts import texts
from vaultkit.whereabouts import config_folder

if TYPE_CHECKING:
    from vaultkit.session.scoresheets import ScoreSheets

# Modules that read settings and score sheets are imported only for vaults that have any.


def no_game(section: str) -> VaultkitError:
    """Return the error for a section of the settings that belongs to no game."""
    try:
        return InvalidError(f"The section [games.{section}] is not read.", hint=f"Write [games.{find(section).id}].")
    except UsageError as error:
        return error


def _look(chosen: Chosen) -> Iterator[Problem]:
    """Yield the problems of the settings file of the vault, including options of games.

    Nothing is yielded if only some notes are checked.
    """
    own = chosen.vault.root / files.OWN / "config.toml"
    if chosen.paths is not None or not any(map(_is_there, (own, Path(config_folder()) / own.name))):
        return
    from vaultkit.session.options import layers
    from vaultkit.settings import CONFIG, line_of, load

    file = chosen.vault.root / CONFIG
    try:
        settings = load(chosen.vault.root)
    except InvalidError as error:
        place, _, line = error.where.rpartition(":") if re.search(r":\d+$", error.where) else (error.where, "", "0")
        yield _problem(CONFIG if place == str(file) else place, int(line), error)
        return
    for game in settings.games:
        ours = (layer.options for layer in layers(settings, game) if layer.where == str(file))
        given = next(ours, {})
        yield from (_problem(CONFIG, line_of(file, f"games.{game}", key), error) for key, error in _wrong(game, given))


def _is_there(file: Path) -> bool:
    return os.path.lexists(file) or files.is_evicted(file)


def _wrong(game: str, given: Mapping[str, object]) -> Iterator[tuple[str, VaultkitError]]:
    from vaultkit.session.options import faults

    if game in GAMES:
        yield from faults(GAMES[game].rules(), given)
    elif given:
        yield next(iter(given)), no_game(game)


def _problem(path: str, line: int, error: VaultkitError) -> Problem:
    return Problem(path, line, min(line, 1), "settings", error.message, error.hint)


def _sheets(chosen: Chosen) -> Iterator[Problem]:
    """Yield the problems of the score sheets that a vault defines.

    Definitions in files are included only if the whole vault is checked.
    """
    if not (resources.own_folder("scoresheets", chosen.vault.root).exists() or GAME in chosen.property_names):
        return
    from vaultkit.session.scoresheets import ScoreSheets

    sheets = ScoreSheets(chosen.vault)
    for raw, error in sheets.faults:
        if not raw.ours and (raw.tables.where in chosen.notes or chosen.paths is None):
            line = re.search(r":(\d+)$", error.where)
            number = int(line[1]) if line else 0
            yield Problem(raw.tables.where, number, min(number, 1), "game", error.message, error.hint)
    if chosen.paths is None:
        yield from _changed_definitions(chosen, sheets)
    yield from _strange_names(chosen, sheets)


def _changed_definitions(chosen: Chosen, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each kept definition of logged games that cannot be read or was changed."""
    from vaultkit.compendium.scoresheets import kept_definitions

    for definition, where in kept_definitions(chosen.vault.root):
        try:
            sheets.by_definition("game", definition)
        except InvalidError as error:
            yield Problem(where, 0, 0, "game", error.message, error.hint)


def _strange_names(chosen: Chosen, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each note whose game property names no game."""
    found = (
        facts for facts in chosen.vault.note_facts if facts.path in chosen.notes and facts.property(GAME) is not None
    )
    for note in chosen.read(found):
        said = note.property(GAME)
        if isinstance(said, dict):
            continue
        place = max(note.text.find(GAME, 0, note.body_start), 0)
        try:
            sheets.known("".join(texts(said)[:1]))
        except UsageError as error:
            yield OWN_GAME.at(note, place, error.message, error.hint)
        except InvalidError:  # the error is reported for the definition
            continue


OWN_GAME = Check("game", in_vault=_sheets)

CHECKS = (
    Check("settings", in_vault=_look),
    *rulenotes.CHECKS,
    *example_checks.CHECKS,
    OWN_GAME,
)


@cache
def every_check() -> Checks:
    """Return the checks of all layers."""
    return (*vault.CHECKS, *compendium.CHECKS, *CHECKS)
