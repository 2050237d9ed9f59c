"""Where a GM sets the options of a game."""

from vaultkit.cli.common import Workspace
from vaultkit.games.registry import GameInfo
from vaultkit.session import checks
from vaultkit.session.options import Layer
from vaultkit.settings import CONFIG


def layers(workspace: Workspace, info: GameInfo) -> tuple[Layer, ...]:
    """The options that settings files and the rule note set for a game, the later ones stronger (G-11).

    Raises InvalidError for settings that cannot be read, UsageError for an entry of the note that is no option.
    """
    note = workspace.rule_note(info)
    of_note = (Layer(note.note.path, note.options),) if note and note.options else ()
    return (*checks.layers(workspace.settings, info.id), *of_note)


def shown(workspace: Workspace, where: str) -> str:
    """A settings file as a path in the vault, if it lies there."""
    return CONFIG if where == str(workspace.root / CONFIG) else where
