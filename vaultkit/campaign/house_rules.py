"""House rules: the options of a game that the settings and the rule note set."""

from collections.abc import Collection
from pathlib import Path

from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError
from vaultkit.games.options import Value
from vaultkit.games.registry import GameInfo
from vaultkit.session import options
from vaultkit.session.options import Layer, faults, find_options_in_force
from vaultkit.settings import VAULT_CONFIG_PATH
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.vault import not_downloaded_error


def find_layers(workspace: Workspace, info: GameInfo) -> tuple[Layer, ...]:
    """Return the options that settings files and the rule note set for a game; later layers are stronger (G-11).

    Raises InvalidError for settings that cannot be read and for a rule note in the cloud, and UsageError for
    an entry of the note that is no option.
    """
    note = workspace.rule_note(info)
    if note is None:
        refuse_evicted_rules(workspace, info)
    note_layers = [Layer(note.note.path, note.options)] if note and note.options else []
    return (*options.layers(workspace.settings, info.id), *note_layers)


def refuse_evicted_rules(workspace: Workspace, info: GameInfo) -> None:
    """Raise InvalidError if a note with the name of the game, which makes it its rule note, is in the cloud only."""
    names = {name.casefold() for name in (info.id, info.title, *info.aliases)}
    for path in workspace.vault.listing.evicted:
        if name_of(path).casefold() in names:
            raise not_downloaded_error(path)


def option_values(workspace: Workspace, info: GameInfo) -> dict[str, Value]:
    """Return the value in force of every option; invalid settings are left out."""
    return {rule.option.key: rule.value for rule in find_options_in_force(info.rules(), find_layers(workspace, info))}


def option_values_if_set(workspace: Workspace, info: GameInfo) -> dict[str, Value]:
    """Return the value in force of every option, or an empty mapping if nobody has set any.

    The empty mapping saves loading the game's rules.
    """
    return option_values(workspace, info) if any(layer.options for layer in find_layers(workspace, info)) else {}


def valid_options(workspace: Workspace, info: GameInfo, unchecked: Collection[str] = ()) -> dict[str, object]:
    """Return the options that are set, by key.

    Raises InvalidError that names the file with an invalid option, unless its key is in `unchecked`.
    """
    values: dict[str, object] = {}
    for layer in find_layers(workspace, info):
        for key, error in faults(info.rules(), layer.options):
            if key not in unchecked:
                raise InvalidError(error.message, where=layer.where, hint=error.hint) from error
        values |= layer.options
    return values


def settings_path(root: Path, file: str) -> str:
    """Return a settings file as a vault path if it is the vault's own, else unchanged."""
    return VAULT_CONFIG_PATH if file == str(root / VAULT_CONFIG_PATH) else file
