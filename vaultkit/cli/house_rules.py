"""Where a GM sets the options of a game, and what is wrong there."""

import re
from collections.abc import Iterator

from vaultkit.cli.common import Workspace
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError
from vaultkit.games.registry import GAMES, GameInfo, find
from vaultkit.session.options import Layer, faults
from vaultkit.settings import CONFIG, line_of


def layers(workspace: Workspace, info: GameInfo) -> tuple[Layer, ...]:
    """The options that settings files and the rule note set for a game, the later ones stronger (G-11).

    Raises InvalidError for settings that cannot be read, UsageError for an entry of the note that is no option.
    """
    found = list(_of_settings(workspace, info.id))
    note = workspace.rule_note(info)
    if note and note.options:
        found.append(Layer(note.note.path, note.options))
    return tuple(found)


def _of_settings(workspace: Workspace, game: str) -> Iterator[Layer]:
    """One layer for each file that has a part in what is set."""
    given, origins = workspace.settings.games.get(game, {}), workspace.settings.origins
    files = {key: origins.get(f"games.{game}.{key}", "") for key in given}
    for file in dict.fromkeys(files.values()):
        yield Layer(file, {key: value for key, value in given.items() if files[key] == file})


def refusal(info: GameInfo, key: str, value: object) -> VaultkitError | None:
    """What a game has against an option's key and value; None if it takes them."""
    return next((error for _, error in faults(info.rules(), {key: value})), None)


def problems(workspace: Workspace) -> Iterator[Problem]:
    """What is wrong with the vault's settings file, the options of games included."""
    try:
        given = workspace.settings.games
    except InvalidError as error:
        file, _, line = error.where.rpartition(":") if re.search(r":\d+$", error.where) else (error.where, "", "0")
        yield Problem(shown(workspace, file), int(line), min(int(line), 1), "settings", error.message, error.hint)
        return
    for game in given:
        for layer in _of_settings(workspace, game):
            if layer.where == str(workspace.root / CONFIG):
                yield from (_problem(workspace, game, key, error) for key, error in _wrong(game, layer))


def _wrong(game: str, layer: Layer) -> Iterator[tuple[str, VaultkitError]]:
    if game in GAMES:
        yield from faults(GAMES[game].rules(), layer.options)
    else:
        yield next(iter(layer.options)), no_game(game)


def no_game(section: str) -> VaultkitError:
    """What is wrong with the section of a game's settings that no game reads."""
    try:
        return InvalidError(f"The section [games.{section}] is not read.", hint=f"Write [games.{find(section).id}].")
    except UsageError as error:
        return error


def _problem(workspace: Workspace, game: str, key: str, error: VaultkitError) -> Problem:
    line = line_of(workspace.root / CONFIG, f"games.{game}", key)
    return Problem(CONFIG, line, min(line, 1), "settings", error.message, error.hint)


def shown(workspace: Workspace, where: str) -> str:
    """A settings file as a path in the vault, if it lies there."""
    return CONFIG if where == str(workspace.root / CONFIG) else where
