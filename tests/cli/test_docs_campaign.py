"""The page on the campaign's memory names commands, options, settings and templates that there are."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from vaultkit.cli.command_registry import COMMANDS, load_command
from vaultkit.settings import VAULT_CONFIG_PATH
from vaultkit.settings import load as settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("campaign", "log-line", "note-templates"))
LINES = re.findall(r"(?m)^(?:\$ )?(vaultkit .+)$", PAGE)
SPOKEN = re.findall(r"`(vaultkit [a-z]+ [^`]+)`", PAGE)


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """The command that the words call, and the words behind its name."""
    command = load_command(words[0])
    nested = getattr(command, "commands", {})
    if words[1:] and words[1] in nested:
        return nested[words[1]], words[2:]
    return command, words[1:]


@pytest.mark.short(21)
@pytest.mark.parametrize("line", [*LINES, *SPOKEN])
def test_every_documented_command_line_is_valid(line: str) -> None:
    program, *words = shlex.split(line, comments=True)
    assert program == "vaultkit"
    command, rest = command_of(words)
    command.make_context(words[0], rest)  # raises for an option or a word too many, and runs nothing


def test_every_documented_option_belongs_to_its_command() -> None:
    known = {name for word in ("log", "rewards", "stats", "undo", "demo") for name in options(load_command(word))}
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= known
    assert {"log", "rewards", "stats", "undo", "templates"} <= set(COMMANDS)


def options(command: Any) -> list[str]:
    return [name for parameter in command.params for name in parameter.opts]


@pytest.mark.parametrize("block", re.findall(r"(?s)```toml\n(.*?)```", PAGE))
def test_every_documented_setting_exists(tmp_path: Path, block: str) -> None:
    (tmp_path / ".vaultkit").mkdir()
    (tmp_path / VAULT_CONFIG_PATH).write_text(block, encoding="utf-8")
    found = settings(tmp_path, tmp_path / "none.toml")
    assert set(found.origins) == {f"{name}.{key}" for name, keys in tomllib.loads(block).items() for key in keys}
