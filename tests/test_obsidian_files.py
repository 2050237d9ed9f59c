"""The ready-made files for Obsidian's plugins, held to the settings formats that the plugins publish.

Shell commands 0.23: `SC_MainSettings` and `ShellCommandConfiguration` of github.com/Taitava/obsidian-shellcommands.
QuickAdd 2.22: `QuickAddPackage`, `IMacroChoice` and `IUserScript` of github.com/chhoumann/quickadd.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from scripts import obsidian_files
from scripts.obsidian_files import FOLDER, MACROS, SCRIPT, SCRIPT_IN_VAULT
from vaultkit import resources

SHELL = json.loads((FOLDER / "shell-commands.json").read_bytes())
PACKAGE = json.loads((FOLDER / "vaultkit.quickadd.json").read_bytes())
HANDLERS = {
    "ignore", "notification", "current-file-caret", "current-file-top", "current-file-bottom", "status-bar",
    "clipboard", "modal", "open-files", "assign-custom-variables",
}  # fmt: skip
ONE_OF: Mapping[str, set[Any]] = {
    "output_channel_order": {"stdout-first", "stderr-first"},
    "output_handling_mode": {"buffered", "realtime"},
    "execution_notification_mode": {None, "disabled", "quick", "permanent", "if-long"},
    "command_palette_availability": {"enabled", "unlisted", "disabled"},
}
TYPES: Mapping[str, type | tuple[type, ...]] = {
    "id": str, "platform_specific_commands": dict, "shells": dict, "alias": str, "icon": (str, type(None)),
    "confirm_execution": bool, "ignore_error_codes": list, "input_contents": dict, "output_handlers": dict,
    "output_wrappers": dict, "events": dict, "debounce": (dict, type(None)), "preactions": list,
    "variable_default_values": dict,
}  # fmt: skip
STUB = """
import json, sys
from pathlib import Path
log = Path(__file__).with_name("calls.jsonl")
text = sys.stdin.read()
with log.open("a", encoding="utf-8") as file:
    file.write(json.dumps([sys.argv[1:], text]) + "\\n")
if sys.argv[1] == "games":
    print(json.dumps({items}))
elif "--example" in sys.argv:
    print("game = 'x'")
"""
GAMES = [
    {"id": "skat", "title": "Skat", "deck": None, "ready": True},
    {"id": "bad", "title": "Bad", "deck": "B.md", "ready": False},
    {"id": "propheta", "title": "Propheta", "deck": "A.md", "ready": True},
]
HARNESS = """
const [script, name, folder, note] = process.argv.slice(2);
const shown = [];
const quickAddApi = {
  infoDialog: async (title, lines) => { shown.push({ title, lines }); },
  suggester: async (titles, values) => { shown.push({ titles }); return values[0]; },
  wideInputPrompt: async (header, placeholder, value) => value.replace("x", "y"),
};
const app = {
  vault: { adapter: { getBasePath: () => folder } },
  workspace: { getActiveFile: () => (note ? { path: note } : null) },
};
require(script)[name]({ app, quickAddApi }).then(() => console.log(JSON.stringify(shown)));
"""


def test_obsidian_files_are_up_to_date() -> None:
    assert {path: path.read_text(encoding="utf-8") for path in obsidian_files.files()} == obsidian_files.files(), (
        "run: make docs"
    )


def test_shell_commands_settings_have_its_format() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", SHELL["settings_version"])
    ids = [entry["id"] for entry in SHELL["shell_commands"]]
    assert len(ids) == len(set(ids)) == 4
    for entry in SHELL["shell_commands"]:
        assert entry.keys() == TYPES.keys() | ONE_OF.keys()
        assert [key for key, types in TYPES.items() if not isinstance(entry[key], types)] == []
        assert [key for key, values in ONE_OF.items() if entry[key] not in values] == []
        assert re.fullmatch(r"[a-z0-9]{10,}", entry["id"])
        commands = entry["platform_specific_commands"]
        assert commands.keys() <= {"default", "darwin", "linux", "win32"} and isinstance(commands["default"], str)
        for stream in ("stdout", "stderr"):
            handler = entry["output_handlers"][stream]
            assert handler.keys() == {"handler", "convert_ansi_code"} and handler["handler"] in HANDLERS
            assert isinstance(handler["convert_ansi_code"], bool) and entry["output_wrappers"][stream] is None
        assert entry["input_contents"] == {"stdin": None}


def test_commands_are_on_the_page() -> None:
    page = (FOLDER.parent / "obsidian-plugins.md").read_text(encoding="utf-8")
    commands = [entry["platform_specific_commands"]["default"] for entry in SHELL["shell_commands"]]
    assert "```text\n" + "\n".join(commands) + "\n```\n" in page


def test_quickadd_package_has_its_format() -> None:
    assert PACKAGE["schemaVersion"] == 1
    assert isinstance(PACKAGE["createdAt"], str) and re.fullmatch(r"\d+\.\d+\.\d+", PACKAGE["quickAddVersion"])
    choices = [entry["choice"] for entry in PACKAGE["choices"]]
    assert PACKAGE["rootChoiceIds"] == [choice["id"] for choice in choices]
    for entry, (function, name) in zip(PACKAGE["choices"], MACROS, strict=True):
        choice, (command,) = entry["choice"], entry["choice"]["macro"]["commands"]
        assert entry["parentChoiceId"] is None and entry["pathHint"] == [choice["name"]]
        assert (choice["type"], choice["command"], choice["runOnStartup"]) == ("Macro", True, False)
        assert choice["name"] == choice["macro"]["name"] == f"vaultkit: {name}"
        assert len({UUID(choice["id"]), UUID(choice["macro"]["id"]), UUID(command["id"])}) == 3
        assert command.keys() == {"name", "type", "id", "path", "settings"}
        assert (command["type"], command["name"]) == ("UserScript", f"vaultkit::{function}")
        assert command["path"] == SCRIPT_IN_VAULT
    (asset,) = PACKAGE["assets"]
    assert (asset["kind"], asset["originalPath"], asset["contentEncoding"]) == (
        "user-script",
        SCRIPT_IN_VAULT,
        "base64",
    )
    assert not any(part.startswith(".") for part in Path(SCRIPT_IN_VAULT).parts)
    assert b64decode(asset["content"], validate=True).decode() == SCRIPT.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("entry", SHELL["shell_commands"], ids=lambda entry: entry["id"])
def test_shell_command_does_what_it_states(tmp_path: Path, entry: dict[str, Any]) -> None:
    vault = Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))
    (tmp_path / "sheet.toml").write_text(
        'game = "chess"\n[[players]]\nname = "Ysolde Marr"\ncolour = "White"\nresult = "won"\n'
        '[[players]]\nname = "Bram Tolliver"\ncolour = "Black"\nresult = "lost"\n'
    )
    paths = {"{{file_path:relative}}": "House Rules.md", "{{file_path:absolute}}": str(tmp_path / "sheet.toml")}
    words = [paths.get(word, word) for word in shlex.split(entry["platform_specific_commands"]["default"])]
    if "--table" in words:
        words.append("-h")  # tests/web plays at the table
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", *words[1:]], cwd=vault, capture_output=True, encoding="utf-8", check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode in {0, *entry["ignore_error_codes"]}, done.stderr
    written = {"vaultkitprint": "Sheets/*.pdf", "vaultkitlog": "Games/* Chess 1.md"}.get(entry["id"], "")
    assert not written or list(vault.glob(written))


@pytest.fixture
def obsidian(tmp_path: Path) -> Path:
    """A folder with a program `vaultkit` that writes down how it is called."""
    if shutil.which("node") is None or sys.platform == "win32":
        pytest.skip("needs node and a shell")
    (tmp_path / "stub.py").write_text(STUB.replace("{items}", repr({"schema": 1, "items": GAMES})), encoding="utf-8")
    program = tmp_path / "vaultkit"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/stub.py" "$@"\n')
    program.chmod(0o755)
    (tmp_path / "harness.js").write_text(HARNESS)
    return tmp_path


def run_macro(folder: Path, name: str, note: str, path: str) -> tuple[list[Any], list[Any]]:
    """Run a function of the script; return what QuickAdd showed, and the calls of vaultkit with their stdin."""
    words = [shutil.which("node") or "node", folder / "harness.js", SCRIPT, name, folder, note]
    environment = {"PATH": path, "HOME": str(folder / "home")}
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env=environment, check=False)
    assert done.returncode == 0, done.stderr
    log = folder / "calls.jsonl"
    calls = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return json.loads(done.stdout), [json.loads(call) for call in calls]


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("printNote", [[["print", "rules", "A b/Ä 'c'.md", "--open"], ""]]),
        ("checkNote", [[["check", "A b/Ä 'c'.md"], ""]]),
        (
            "logGame",
            [
                [["games", "--json"], ""],
                [["log", "skat", "--example"], ""],
                [["log", "--from", "-"], "game = 'y'\n"],
            ],
        ),
        ("openTable", [[["games", "--json"], ""], [["play", "propheta", "--table"], ""]]),
    ],
)
def test_a_macro_calls_vaultkit(obsidian: Path, name: str, calls: list[Any]) -> None:
    shown, made = run_macro(obsidian, name, "A b/Ä 'c'.md", f"{obsidian}:/usr/bin:/bin")
    assert made == calls
    titles = [entry["titles"] for entry in shown if "titles" in entry]
    assert titles == {"logGame": [["Skat", "Propheta"]], "openTable": [["Propheta"]]}.get(name, [])


def test_macro_finds_vaultkit_installed_by_pipx_or_reports_it_missing(obsidian: Path) -> None:
    shown, calls = run_macro(obsidian, "checkNote", "A.md", "/nowhere")
    assert "vaultkit was not found" in shown[0]["lines"][0] and calls == []
    programs = obsidian / "home/.local/bin"
    programs.mkdir(parents=True)
    shutil.copy(obsidian / "vaultkit", programs)
    assert len(run_macro(obsidian, "checkNote", "A.md", "/nowhere")[1]) == 1


def test_a_macro_about_a_note_needs_an_open_one(obsidian: Path) -> None:
    shown, calls = run_macro(obsidian, "printNote", "", str(obsidian))
    assert shown[0]["lines"] == "Open a note first." and calls == []
