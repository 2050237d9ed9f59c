"""The settings of Obsidian and its plugins in `.obsidian`, as far as we need them."""

import json
from collections.abc import Mapping
from pathlib import Path

from vaultkit import files

CORE_TEMPLATES = "templates.json"
TEMPLATER = "plugins/templater-obsidian/data.json"


def loaded(root: Path, name: str) -> object:
    """The JSON of the file `name` of `.obsidian`; None if it is missing or unreadable, as Obsidian takes it."""
    try:
        return json.loads(files.read(root / ".obsidian" / name, links=True))
    except (OSError, ValueError, RecursionError):
        return None


def settings_of(root: Path, name: str) -> Mapping[str, object]:
    """The same as settings by name; none where it is anything else."""
    found = loaded(root, name)
    return found if isinstance(found, dict) else {}


def text_of(found: Mapping[str, object], name: str) -> str:
    """A setting that is a text, without spaces around it; "" for anything else."""
    value = found.get(name)
    return value.strip() if isinstance(value, str) else ""


def core_is_on(root: Path, plugin: str) -> bool:
    """Whether a core plugin is on, one that is on by default. Older vaults list those that are on."""
    plugins = loaded(root, "core-plugins.json")
    if isinstance(plugins, list):
        return plugin in plugins
    return not (isinstance(plugins, dict) and plugins.get(plugin) is False)


def enabled_plugins(root: Path) -> list[object]:
    """The ids of the community plugins that are on."""
    plugins = loaded(root, "community-plugins.json")
    return plugins if isinstance(plugins, list) else []


def template_folders(root: Path) -> tuple[str, ...]:
    """The folders of the GM's templates, of the core plugin and Templater, as vault paths; never the vault itself."""
    named = (
        text_of(settings_of(root, CORE_TEMPLATES), "folder"),
        text_of(settings_of(root, TEMPLATER), "templates_folder"),
    )
    return tuple(folder for name in named if (folder := name.replace("\\", "/").strip("/ ")))
