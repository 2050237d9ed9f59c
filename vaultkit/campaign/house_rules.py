"""The places where a GM sets the options of a game, and the faults there."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.options import Value
from vaultkit.games.registry import GAMES, GameInfo, find
from vaultkit.session.options import Layer, faults, in_force
from vaultkit.settings import CONFIG, line_of


def layers(workspace: Workspace, info: GameInfo) -> tuple[Layer, ...]:
    """The options that settings files and the rule note set for a game, the later ones stronger (G-11).

    Raises InvalidError for settings that cannot be read, UsageError for an entry of the note that is no option.
    """
    note = workspace.rule_note(info)
    own = [Layer(note.note.path, note.options)] if note and note.options else []
    return (*_of_settings(workspace, info.id), *own)


def option_values(workspace: Workspace, info: GameInfo) -> dict[str, Value]:
    """Every option's value as it is in force, without what has faults."""
    return {rule.option.key: rule.value for rule in in_force(info.rules(), layers(workspace, info))}


def sound_options(workspace: Workspace, info: GameInfo, unchecked: Collection[str] = ()) -> dict[str, object]:
    """The options that are set. Raises InvalidError that names the file with a wrong one, `unchecked` keys aside."""
    given: dict[str, object] = {}
    for layer in layers(workspace, info):
        for key, error in faults(info.rules(), layer.options):
            if key not in unchecked:
                raise InvalidError(error.message, where=layer.where, hint=error.hint) from error
        given |= layer.options
    return given


def _of_settings(workspace: Workspace, game: str) -> Iterator[Layer]:
    """One layer for each file that has a part in what is set."""
    given, origins = workspace.settings.games.get(game, {}), workspace.settings.origins
    files = {key: origins.get(f"games.{game}.{key}", "") for key in given}
    for file in dict.fromkeys(files.values()):
        yield Layer(file, {key: value for key, value in given.items() if files[key] == file})


def option_refusal(info: GameInfo, key: str, value: object) -> VaultkitError | None:
    """The error that a game has for an option's key and value; None if it takes them."""
    return next((error for _, error in faults(info.rules(), {key: value})), None)


def settings_problems(workspace: Workspace) -> Iterator[Problem]:
    """The faults of the vault's settings file, the options of games included."""
    config = workspace.root / CONFIG
    try:
        given = workspace.settings.games
    except InvalidError as error:
        file, _, line = error.where.rpartition(":") if re.search(r":\d+$", error.where) else (error.where, "", "0")
        yield _problem(settings_place(workspace.root, file), int(line), error)
        return
    for game in given:
        for layer in _of_settings(workspace, game):
            if layer.where == str(config):
                for key, fault in _faults(game, layer):
                    yield _problem(CONFIG, line_of(config, f"games.{game}", key), fault)


def _faults(game: str, layer: Layer) -> Iterator[tuple[str, VaultkitError]]:
    if game in GAMES:
        yield from faults(GAMES[game].rules(), layer.options)
    else:
        yield next(iter(layer.options)), no_game(game)


def no_game(section: str) -> VaultkitError:
    """The error of a section in the settings that is of no game."""
    try:
        return InvalidError(f"The section [games.{section}] is not read.", hint=f"Write [games.{find(section).id}].")
    except UsageError as error:
        return error


def _problem(file: str, line: int, error: VaultkitError) -> Problem:
    return Problem(file, line, min(line, 1), "settings", error.message, error.hint)


def settings_place(root: Path, file: str) -> str:
    """A settings file as a path in the vault, if it lies there."""
    return CONFIG if file == str(root / CONFIG) else file
