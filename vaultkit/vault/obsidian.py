"""Settings of Obsidian and its plugins in `.obsidian`, as far as vaultkit needs them, and addresses of notes."""

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from vaultkit import files

CORE_TEMPLATES = "templates.json"
TEMPLATER = "plugins/templater-obsidian/data.json"


def load_settings_file(root: Path, name: str) -> object:
    """Return the JSON value of a settings file in `.obsidian`; None if it is missing or unreadable."""
    try:
        return json.loads(files.read(root / ".obsidian" / name, allow_links=True))
    except (OSError, ValueError, RecursionError):
        return None


def settings_of(root: Path, name: str) -> Mapping[str, object]:
    """Return the settings in the file `name` of `.obsidian`; empty if it is missing or is no JSON object."""
    settings = load_settings_file(root, name)
    return settings if isinstance(settings, dict) else {}


def text_setting(settings: Mapping[str, object], name: str) -> str:
    """Return a setting that is a text, stripped; "" if it is missing or not a text."""
    value = settings.get(name)
    return value.strip() if isinstance(value, str) else ""


def is_core_plugin_enabled(root: Path, plugin: str) -> bool:
    """Return whether a core plugin, which is enabled by default, is enabled.

    Older vaults list the enabled core plugins instead of mapping each one to true or false.
    """
    plugins = load_settings_file(root, "core-plugins.json")
    if isinstance(plugins, list):
        return plugin in plugins
    return not (isinstance(plugins, dict) and plugins.get(plugin) is False)


def enabled_plugins(root: Path) -> list[object]:
    """Return the ids of the enabled community plugins."""
    plugins = load_settings_file(root, "community-plugins.json")
    return plugins if isinstance(plugins, list) else []


def template_folders(root: Path) -> tuple[str, ...]:
    """Return the vault paths of the template folders of the core plugin and Templater, without the vault's root."""
    names = (
        text_setting(settings_of(root, CORE_TEMPLATES), "folder"),
        text_setting(settings_of(root, TEMPLATER), "templates_folder"),
    )
    return tuple(folder for name in names if (folder := name.replace("\\", "/").strip("/ ")))


def note_address(vault_name: str, path: str, heading: str = "") -> str:
    """Return the address that opens a note in Obsidian, or "" if the vault's name is not set."""
    if not vault_name:
        return ""
    file = path.removesuffix(".md") + (f"#{heading}" if heading else "")
    return f"obsidian://open?vault={quote(vault_name, safe='')}&file={quote(file, safe='')}"
