"""One attack: the files that a stranger sends, the command that the user then runs, and the promised answer."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY = 600_000_000
"""Bytes of address space for the whole process, including the interpreter and all libraries."""
SECONDS = 10
"""Limit of CPU seconds; PATIENCE limits the elapsed time, which is longer on a busy machine."""
PATIENCE = 60
_PLACES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@dataclass(frozen=True)
class Attack:
    """A hostile vault and the answer that vaultkit promises.

    `prepare` writes the hostile files into the vault and `command` is what the user then runs in it. The command ends
    with `exit_code`, its output contains `words`, and nothing outside the vault is created, changed or removed.
    """

    name: str
    prepare: Callable[[Path], object]
    command: tuple[str, ...]
    exit_code: int = 0
    words: str = ""


@dataclass(frozen=True)
class Answer:
    exit_code: int
    output: str


def run(vault: Path, home: Path, command: tuple[str, ...]) -> Answer:
    """Run the program as a user would, with limits on memory and time."""
    places = {name: str(home) for name in _PLACES}
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, *command, "--vault", str(vault)],
        cwd=vault,
        env=os.environ | places | {"PYTHONUTF8": "1"},
        input="",
        capture_output=True,
        text=True,
        errors="replace",
        timeout=PATIENCE,
        check=False,
    )
    return Answer(done.returncode, done.stdout + done.stderr)


_LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from vaultkit.__main__ import main
main()
"""
