"""Every command of the README does in a copy of the example vault what it says, as far as nobody has to be asked."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode
from vaultkit.session.journal_store import Store

pytestmark = pytest.mark.slow

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
LINES = (line.partition("  #")[0].strip() for line in BLOCKS.splitlines())
COMMANDS = [
    *re.findall(r"`vaultkit ([^`]+)`", README),
    *(line.removeprefix("vaultkit ") for line in LINES if line.startswith("vaultkit ")),
]
BOTS = ("play", "dragon-citadel", *("--seat", "bot:greedy") * 3, "--seed", "7")
AFTER_A_GAME = ("replay", "rewards", "undo", "print session")
ASKS = ("resume", "learn", "log chess", "games new")
ELSEWHERE = "log --from sheet.pdf"
"""Filled sheets are read in the tests of score sheets; here is none."""
NOT_RUN = {ELSEWHERE, *(command for command in COMMANDS if "--table" in command)}
"""Commands that need a filled sheet or a browser."""


def test_readme_has_commands() -> None:
    assert len(COMMANDS) > 25 and ELSEWHERE in COMMANDS


@pytest.mark.parametrize("command", [one for one in dict.fromkeys(COMMANDS) if one not in NOT_RUN])
def test_command_of_the_readme_works(vk: Vaultkit, example: Path, tmp_path: Path, command: str) -> None:
    words = shlex.split(command)
    if command.startswith(AFTER_A_GAME):
        assert vk(*BOTS, cwd=example).code == ExitCode.OK
        words = [Store(example / ".vaultkit/journals").ids()[0] if word == "ID" else word for word in words]
    if command == "resume":
        vk("play", "propheta", "--seat", "Ysolde", "--seat", "Bram", "--script", "/dev/null", cwd=example)
    done = vk(*words, cwd=tmp_path if words[0] == "demo" else example)
    if done.code == ExitCode.USAGE and command.startswith(ASKS):
        assert "This is not a terminal" in done.err
    else:
        assert done.code == ExitCode.OK, done.err
