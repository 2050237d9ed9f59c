"""One attack: the files that a stranger sends, the command that the user then runs, and the promised answer."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer

EXTRA_BYTES, EXTRA_SECONDS = 300_000_000, 2
"""The promise: the memory, and the seconds, that a command may take beyond what it takes without the hostile files."""
MEMORY = 2_000_000_000
"""Bytes of address space for the whole process, so that a failing test does not take all memory."""
SECONDS = 10
"""Limit of CPU seconds; PATIENCE limits the elapsed time, which is longer on a busy machine."""
PATIENCE = 60
PEAK_FILE = "peak.txt"
"""The file in which each process writes its peak of memory; what `wait4` returns includes that of the tests."""
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
    """The result of a command, and what it took: the CPU seconds and the bytes of memory at the peak."""

    exit_code: int
    output: str
    seconds: float
    peak: int


def run(vault: Path, home: Path, command: tuple[str, ...]) -> Answer:
    """Run the program as a user would, with limits on memory and time."""
    places = {name: str(home) for name in _PLACES}
    with TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-c", _LIMITED, *command, "--vault", str(vault)],
            cwd=vault,
            env=os.environ | places | {"PYTHONUTF8": "1", "PEAK_FILE": str(home / PEAK_FILE)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        timer = Timer(PATIENCE, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    peaks = (home / PEAK_FILE).read_text().split() if (home / PEAK_FILE).exists() else []
    return Answer(process.returncode, text, usage.ru_utime + usage.ru_stime, max(map(int, peaks), default=0))


_LIMITED = f"""
import os, pathlib, re, resource
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
exit_at_once = os._exit
def exit_with_peak(code):
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        with open(os.environ["PEAK_FILE"], "a") as file:
            print(int(re.search(r"VmHWM:\\s*([0-9]+)", status.read_text())[1]) * 1024, file=file)
    exit_at_once(code)
os._exit = exit_with_peak
from vaultkit.__main__ import main
main()
"""
