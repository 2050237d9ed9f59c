"""Every command shows by an example how it is used, and each example can be given as it stands."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.cli.conftest import Vaultkit
from vaultkit.cli.app import app
from vaultkit.cli.command_registry import COMMANDS, load_command
from vaultkit.errors import ExitCode

ROOT: Any = typer.main.get_command(app)
AT_A_TABLE = ("vaultkit play", "vaultkit resume", "vaultkit learn", "vaultkit demo")
"""Examples that ask a person, or take long."""
BEGINS = "For example: "


def commands() -> Iterator[tuple[str, Any]]:
    yield "", ROOT
    for name in COMMANDS:
        yield name, (command := load_command(name))
        yield from ((f"{name} {nested}", one) for nested, one in getattr(command, "commands", {}).items())


def examples(command: Any) -> list[str]:
    last = (command.help or "").split("\n\n")[-1]
    return last.removeprefix(BEGINS).replace(", vaultkit ", "\nvaultkit ").split("\n") if BEGINS in last else []


EXAMPLES = [(name, one) for name, command in commands() for one in examples(command)]


def parse(command: Any, name: str, words: list[str], parent: Any = None) -> str:
    """The commands that the words name, if each takes those that are its own."""
    context = command.make_context(name, words, parent=parent)
    if not context._protected_args:
        return ""
    nested, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
    return f"{nested} {parse(command, nested, rest, context)}".strip()


@pytest.mark.short(22)
@pytest.mark.parametrize(("name", "command"), [*commands()])
def test_every_command_has_an_example_of_its_own(name: str, command: Any) -> None:
    words = [shlex.split(example) for example in examples(command)]
    assert words, f"vaultkit {name} has no line that begins with: {BEGINS}"
    for program, *rest in words:
        assert program == "vaultkit"
        assert f"{parse(ROOT, program, rest)} ".startswith(name)


@pytest.mark.slow
@pytest.mark.parametrize("example_line", [line for name, line in EXAMPLES if name and not line.startswith(AT_A_TABLE)])
def test_every_example_runs_in_the_example_vault(vk: Vaultkit, example: Path, example_line: str) -> None:
    seats = ("--seat", "bot:greedy") * 3
    vk("play", "dragon-citadel", *seats, "--seed", "4", "-q", cwd=example)
    (game,) = vk("sessions", "--json", cwd=example).json
    for _ in range(2):
        vk("draw", "tarokka", "--log", "-q", cwd=example)
    drawn = vk("undo", "--list", "--json", cwd=example).json[0]["session"]
    session = drawn if "reading" in example_line else game["session"]
    words = [session if word == "k3f9" else word for word in shlex.split(example_line)[1:]]
    done = vk(*words, cwd=example)
    assert done.code == ExitCode.OK, done.err
