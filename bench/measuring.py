"""Whole processes, measured from outside: seconds on the clock and the most memory that they held."""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

ENOUGH = 20.0
"""Seconds after which a measurement is not repeated."""

CPUS = 2


@dataclass(frozen=True, slots=True)
class Run:
    """One process: wall seconds, peak megabytes (None where the system does not tell), and what it printed."""

    seconds: float
    peak: float | None = None
    output: str = ""


class Failed(Exception):
    """A process ended with an exit code that was not expected; the message says which, and its last words."""


def pin() -> int:
    """Keep this process and all that it starts to the same two CPUs where the system can. Returns how many it has."""
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count() or 1
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CPUS])
    return len(os.sched_getaffinity(0))


def run(
    arguments: Sequence[str],
    env: Mapping[str, str] | None = None,
    codes: tuple[int, ...] = (0,),
    keep: bool = False,
) -> Run:
    """Run a process to its end, its output in a file that is read only if told to `keep` it.

    `env` comes on top of ours, in which Python may write bytecode: users run what Python has compiled once. Raises
    Failed unless it ends with one of `codes`. We stay small on purpose: Linux counts the memory of whoever starts a
    process as a part of that process's peak.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        begun = time.perf_counter()
        variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(env or {})}
        process = subprocess.Popen(arguments, stdout=out, stderr=errors, env=variables)
        peak = _wait(process)
        seconds = time.perf_counter() - begun
        if process.returncode not in codes:
            raise Failed(f"exit code {process.returncode}: {_read(errors)[-300:].strip()}")
        return Run(seconds, peak, _read(out) if keep else "")


def _wait(process: "subprocess.Popen[bytes]") -> float | None:
    """Wait for the end; megabytes at the peak of the process, or of the largest that it started itself."""
    if not hasattr(os, "wait4"):
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e6 / 1024)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def fastest(measure: Callable[[], Run], runs: int = 3) -> Run:
    """The fastest of `runs`, or of as many as fit into `ENOUGH` seconds."""
    return fastest_of([measure], runs)[0]


def fastest_of(measures: Sequence[Callable[[], Run]], runs: int = 3) -> list[Run]:
    """The fastest run of each, taken in turns, so that a busy spell of the machine falls on all alike."""
    rounds = [[measure() for measure in measures]]
    while len(rounds) < runs and sum(one.seconds for found in rounds for one in found) < ENOUGH * len(measures):
        rounds.append([measure() for measure in measures])
    return [min(found, key=lambda one: one.seconds) for found in zip(*rounds, strict=True)]


def machine(cpus: int) -> str:
    """What the figures were taken on: Python, how many CPUs of how many, how busy they are, the system."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"Python {platform.python_version()}, {cpus} of {os.cpu_count()} CPUs{load}, {platform.system()}"
