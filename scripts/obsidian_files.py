"""Generator of the ready-made files in docs/obsidian for the Obsidian plugins Shell commands and QuickAdd.

Usage: python -m scripts.obsidian_files
"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "obsidian"
SCRIPT = FOLDER / "vaultkit.js"
SCRIPT_IN_VAULT = "_quickadd/vaultkit.js"
SHELL_COMMANDS_VERSION, QUICKADD_VERSION = "0.23.0", "2.22.0"
SHELL_COMMANDS = (
    ("print", "print this note", "vaultkit print rules {{file_path:relative}} --open"),
    ("check", "check this note", "vaultkit check {{file_path:relative}}"),
    ("log", "log the open score sheet", "vaultkit log --from {{file_path:absolute}}"),
    ("table", "open the table", "vaultkit play dragon-citadel --table"),
)
"""The commands for Shell commands: a word for the id, the name in the palette, and the command."""
MACROS = (
    ("printNote", "print this note"),
    ("checkNote", "check this note"),
    ("logGame", "log a game"),
    ("openTable", "open the table"),
)
"""The macros for QuickAdd: a function of the script, and the name in the palette."""


def shell_commands() -> dict[str, Any]:
    """Return the settings of Shell commands, `data.json` of the plugin, with one entry for each command."""
    entries = [_shell_command(*command) for command in SHELL_COMMANDS]
    return {"settings_version": SHELL_COMMANDS_VERSION, "shell_commands": entries}


def _shell_command(word: str, name: str, command: str) -> dict[str, Any]:
    outputs = {stream: {"handler": "modal", "convert_ansi_code": True} for stream in ("stdout", "stderr")}
    return {
        "id": f"vaultkit{word}",
        "platform_specific_commands": {"default": command},
        "shells": {},
        "alias": f"vaultkit: {name}",
        "icon": None,
        "confirm_execution": False,
        "ignore_error_codes": [1] if word == "check" else [],
        "input_contents": {"stdin": None},
        "output_handlers": outputs,
        "output_wrappers": {"stdout": None, "stderr": None},
        "output_channel_order": "stdout-first",
        "output_handling_mode": "buffered",
        "execution_notification_mode": "permanent" if word == "table" else None,
        "events": {},
        "debounce": None,
        "command_palette_availability": "enabled",
        "preactions": [],
        "variable_default_values": {},
    }


def quickadd_package() -> dict[str, Any]:
    """Return a package for QuickAdd: a macro for each function of the script, and the script itself."""
    choices = [_macro(*macro) for macro in MACROS]
    asset = {
        "kind": "user-script",
        "originalPath": SCRIPT_IN_VAULT,
        "contentEncoding": "base64",
        "content": b64encode(SCRIPT.read_bytes().replace(b"\r\n", b"\n")).decode(),
    }
    return {
        "schemaVersion": 1,
        "quickAddVersion": QUICKADD_VERSION,
        "createdAt": "2026-11-29T00:00:00.000Z",
        "rootChoiceIds": [choice["id"] for choice in choices],
        "choices": [{"choice": choice, "pathHint": [choice["name"]], "parentChoiceId": None} for choice in choices],
        "assets": [asset],
    }


def _macro(function: str, name: str) -> dict[str, Any]:
    name, key = f"vaultkit: {name}", f"vaultkit/{function}"
    command = {
        "name": f"vaultkit::{function}",
        "type": "UserScript",
        "id": _id(f"{key}/command"),
        "path": SCRIPT_IN_VAULT,
        "settings": {},
    }
    macro = {"name": name, "id": _id(f"{key}/macro"), "commands": [command]}
    return {"id": _id(key), "name": name, "type": "Macro", "command": True, "macro": macro, "runOnStartup": False}


def _id(key: str) -> str:
    return str(uuid5(NAMESPACE_URL, key))


def files() -> dict[Path, str]:
    """Return the text of each generated file by its path."""
    documents = {"shell-commands.json": shell_commands(), "vaultkit.quickadd.json": quickadd_package()}
    return {FOLDER / name: json.dumps(document, indent=2) + "\n" for name, document in documents.items()}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8", newline="\n")
