"""stdin, stdout and stderr as a shell leaves them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Done
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
CLOSED = "Error: The result could not be written to stdout: it is closed.\n"
FULL = "Error: The result could not be written to stdout: No space left on device.\n"
slow = pytest.mark.slow


def shell(command: str, cwd: Path) -> Done:
    """The command in a shell, where `vk` is vaultkit; with its own exit code, not that of what it is piped into."""
    script = f'vk() {{ "{sys.executable}" -m vaultkit "$@"; echo $? > code; }}; {command}'
    environment = {**os.environ, "VAULTKIT_VAULT": str(cwd)}
    done = subprocess.run(
        ["sh", "-c", script], cwd=cwd, capture_output=True, encoding="utf-8", env=environment, check=False
    )
    return Done(int((cwd / "code").read_text()), done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["decks", *(pytest.param(w, marks=slow) for w in ("check --json", "-h", "--version"))]
)
@pytest.mark.parametrize(("stdout", "said"), [(">&-", CLOSED), (">/dev/full", FULL)])
def test_unwritable_result_is_one_line_and_exit_5(example: Path, words: str, stdout: str, said: str) -> None:
    done = shell(f"vk {words} {stdout}", example)
    told = f"Error: {json.loads(done.err)['error']['message']}\n" if "--json" in words else done.err
    assert (done.code, done.out, told) == (ExitCode.WRITE, "", said)


@slow
@pytest.mark.parametrize("words", ["notes --json", "check", "-h", "--version", "deck tarokka"])
@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_closed_reader_ends_the_command_normally(example: Path, words: str, reader: str) -> None:
    done = shell(f"vk {words} | {reader}", example)
    assert done.code == ExitCode.OK
    assert "Error" not in done.err and "Traceback" not in done.err


@slow
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("check 2>&-", ExitCode.OK),
        ("check 2>/dev/full", ExitCode.OK),
        ("stats >&- 2>&-", ExitCode.WRITE),
        ("nonsense <&- >&- 2>&-", ExitCode.USAGE),
        ("log skat <&-", ExitCode.USAGE),
        ("link 'House Rules' --write >&-", ExitCode.OK),
    ],
)
def test_stream_is_needed_only_for_required_output(example: Path, words: str, code: ExitCode) -> None:
    assert shell(f"vk {words}", example).code == code
