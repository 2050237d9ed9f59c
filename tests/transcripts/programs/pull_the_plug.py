"""Run a command in the vault, and kill it with `kill -9` the moment that a new note lies in Games: before the log line.

The command gets less of the processor than others, so that the watcher is the quicker one. Where it is not,
the vault is put back as it was, and all begins anew.

Usage: pull-the-plug NOTE COMMAND...   (NOTE is the one that must not have a new line yet)
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ATTEMPTS = 50


def main(note: str, *command: str) -> int:
    vault, log = Path.cwd(), Path(note)
    with tempfile.TemporaryDirectory() as folder:
        before = Path(shutil.copytree(vault, Path(folder) / "vault"))
        line = log.read_bytes()
        for _ in range(ATTEMPTS):
            if _killed(command) and log.read_bytes() == line and not [*Path("Games").glob(".*")]:
                print("Killed")  # noqa: T201
                return 0
            for child in vault.iterdir():
                shutil.rmtree(child) if child.is_dir() else child.unlink()
            shutil.copytree(before, vault, dirs_exist_ok=True)
    print("It was quicker every time.")  # noqa: T201
    return 1


def _killed(command: tuple[str, ...]) -> bool:
    there = set(Path("Games").glob("*.md"))
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(command, stdout=quiet, stderr=quiet, preexec_fn=_modest)  # noqa: PLW1509
    while child.poll() is None:
        if set(Path("Games").glob("*.md")) - there:
            child.kill()
            child.wait()
            return True
    return False


def _modest() -> None:
    # No more modest than that: on a busy machine the command would never come to its first line.
    os.nice(10)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
