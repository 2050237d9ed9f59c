"""Checks of a vault that need to know the games, such as that of settings, and the list of all checks."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import files, resources
from vaultkit.compendium import checks as compendium
from vaultkit.compendium.rule_note import GAME_PROPERTY
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.registry import GAMES, find
from vaultkit.session import rule_note_checks
from vaultkit.session.examples import check_examples
from vaultkit.spelling import did_you_mean
from vaultkit.user_folders import config_folder
from vaultkit.vault.checking import checks as vault
from vaultkit.vault.checking.check import Check, Checks
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note_facts import texts

if TYPE_CHECKING:
    from vaultkit.session.scoresheets import ScoreSheets

# Modules that read settings and score sheets are imported only for vaults that have any.


def no_game_error(section: str) -> VaultkitError:
    """Return the error for a section `games.SECTION` of the settings whose name is not the id of a game."""
    try:
        return InvalidError(f"The section [games.{section}] is not read.", hint=f"Write [games.{find(section).id}].")
    except UsageError as error:
        return error


def _check_settings(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of the settings, including options of games.

    Nothing is yielded if only some notes are checked.
    """
    config_file = selection.vault.root / files.VAULTKIT_FOLDER / "config.toml"
    if selection.paths is not None or not any(
        map(_exists_or_is_evicted, (config_file, Path(config_folder()) / config_file.name))
    ):
        return
    from vaultkit.session.options import layers
    from vaultkit.settings import VAULT_CONFIG_PATH, line_of, load

    file = selection.vault.root / VAULT_CONFIG_PATH
    try:
        settings = load(selection.vault.root)
    except InvalidError as error:
        error_path, _, line = (
            error.where.rpartition(":") if re.search(r":\d+$", error.where) else (error.where, "", "0")
        )
        yield _settings_problem(VAULT_CONFIG_PATH if error_path == str(file) else error_path, int(line), error)
        return
    codes = [check.code for check in every_check()]
    for code in settings.check:
        if code not in codes and settings.origins.get(f"check.{code}") == str(file):
            fault = InvalidError(f"There is no code '{code}' of a problem.", hint=did_you_mean(code, codes))
            yield _settings_problem(VAULT_CONFIG_PATH, line_of(file, "check", code), fault)
    for game in settings.games:
        vault_options = (layer.options for layer in layers(settings, game) if layer.where == str(file))
        game_options = next(vault_options, {})
        yield from (
            _settings_problem(VAULT_CONFIG_PATH, line_of(file, f"games.{game}", key), error)
            for key, error in _find_faults(game, game_options)
        )


def _exists_or_is_evicted(file: Path) -> bool:
    return os.path.lexists(file) or files.is_evicted(file)


def _find_faults(game: str, game_options: Mapping[str, object]) -> Iterator[tuple[str, VaultkitError]]:
    from vaultkit.session.options import faults

    if game in GAMES:
        yield from faults(GAMES[game].rules(), game_options)
    elif game_options:
        yield next(iter(game_options)), no_game_error(game)


def _settings_problem(path: str, line: int, error: VaultkitError) -> Problem:
    return Problem(path, line, min(line, 1), "settings", error.message, error.hint)


def _check_score_sheets(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of the score sheets that a vault defines, and of notes that name unknown games.

    Definitions in files other than notes are checked only if the whole vault is checked.
    """
    if not (
        resources.vault_folder("scoresheets", selection.vault.root).exists()
        or GAME_PROPERTY in selection.property_names
    ):
        return
    from vaultkit.session.scoresheets import ScoreSheets

    sheets = ScoreSheets(selection.vault)
    for raw, error in sheets.faults:
        if not raw.ours and (raw.tables.where in selection.notes or selection.paths is None):
            line_match = re.search(r":(\d+)$", error.where)
            line_number = int(line_match[1]) if line_match else 0
            yield Problem(raw.tables.where, line_number, min(line_number, 1), "game", error.message, error.hint)
    if selection.paths is None:
        yield from _check_kept_definitions(selection, sheets)
    yield from _check_game_names(selection, sheets)


def _check_kept_definitions(selection: CheckScope, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each definition, kept for logged games, that cannot be read or was changed."""
    from vaultkit.compendium.own_games import kept_definitions

    for definition, where in kept_definitions(selection.vault.root):
        try:
            sheets.find_by_definition("game", definition)
        except InvalidError as error:
            yield Problem(where, 0, 0, "game", error.message, error.hint)


def _check_game_names(selection: CheckScope, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each note whose game property names no game."""
    candidates = (
        facts
        for facts in selection.vault.note_facts
        if facts.path in selection.notes and facts.property(GAME_PROPERTY) is not None
    )
    for note in selection.read_notes(candidates):
        value = note.property(GAME_PROPERTY)
        if isinstance(value, dict):
            continue
        offset = max(note.text.find(GAME_PROPERTY, 0, note.body_start), 0)
        try:
            sheets.find_info("".join(texts(value)[:1]))
        except UsageError as error:
            yield GAME_CHECK.problem_at(note, offset, error.message, error.hint)
        except InvalidError:  # the error is reported for the definition
            continue


GAME_CHECK = Check("game", in_vault=_check_score_sheets)

CHECKS = (
    Check("settings", in_vault=_check_settings),
    *rule_note_checks.CHECKS,
    *check_examples.CHECKS,
    GAME_CHECK,
)


@cache
def every_check() -> Checks:
    """Return the checks of all layers."""
    return (*vault.CHECKS, *compendium.CHECKS, *CHECKS)
