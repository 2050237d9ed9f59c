"""An attack: what a stranger sends, what the user then does, and the answer that is promised."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY = 600_000_000
"""Bytes of address space for the whole process, the interpreter and all libraries included."""
SECONDS = 10
"""Seconds of work; of waiting a busy machine may need more, and what hangs waits for ever."""
PATIENCE = 60
_PLACES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@dataclass(frozen=True)
class Attack:
    """`prepare` puts into the vault what was sent; `command` is what the user then runs in it.

    `exit_code` is the promised answer, `words` stand in it, and nothing outside the vault comes, goes or changes.
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
    """The program as the user runs it, within the limits."""
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
