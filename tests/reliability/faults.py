"""A command of which one call, or each call from one on, fails with an error of the system."""

import errno
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.reliability.disk import EVENTS, WRITES
from vaultkit.errors import ExitCode
from vaultkit.vault.writing import atomic_swap

NOT_MET = 99
READS = ("open", "os.listdir", "os.scandir")
INTERRUPTED = tuple(event for event in EVENTS if event != "os.truncate")
"""The calls that Python does not repeat by itself when a signal comes."""


@dataclass(frozen=True)
class Fault:
    """An error of the system, and the calls that meet it; `lasts` if all later calls meet it as well."""

    code: int
    events: tuple[str, ...]
    lasts: bool = False


FAULTS = {
    "too many open files": Fault(errno.EMFILE, READS),
    "too many open files from then on": Fault(errno.ENFILE, READS, lasts=True),
    "interrupted": Fault(errno.EINTR, INTERRUPTED),
    "disk error": Fault(errno.EIO, (*EVENTS, "fsync", "exchange")),
    "full from then on": Fault(errno.ENOSPC, ("create", "os.rename", "os.link", "os.mkdir", "fsync"), lasts=True),
}


def failed(work: Callable[[], tuple[int, str]], root: Path, fault: Fault, number: int) -> tuple[int, str] | None:
    """Do `work` in a process of its own, whose call `number` below `root` fails; None if there are not so many calls.

    `work` gives an exit code and what was printed.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            met = _fail(str(root), fault, number)
            code, said = work()
        except BaseException:  # noqa: BLE001
            met, code, said = ["it"], ExitCode.BUG, traceback.format_exc()
        finally:
            os.write(writer, said.encode())
            os._exit(code if met else NOT_MET)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as stream:
        said = stream.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return None if code == NOT_MET else (code, said)


def _fail(root: str, fault: Fault, number: int) -> list[str]:
    """Let a call fail from now on; the list that is returned names those that did."""
    left, met, fsync, try_exchange = number, list[str](), os.fsync, atomic_swap._try_exchange

    def call(event: str, place: object) -> None:
        nonlocal left
        if event in fault.events and str(place).startswith(root):
            left -= 1
            if left == 0 or (fault.lasts and left < 0):
                met.append(event)
                raise OSError(fault.code, os.strerror(fault.code), str(place))

    def synced(descriptor: int) -> None:
        call("fsync", Path(f"/proc/self/fd/{descriptor}").readlink())
        fsync(descriptor)

    def exchanged(new_file: Path, target: Path) -> bool:
        call("exchange", target)
        return try_exchange(new_file, target)

    os.fsync = synced  # type: ignore[assignment]
    atomic_swap._try_exchange = exchanged

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        call(event, arguments[0] if arguments else "")
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES:
            call("create", arguments[0])

    sys.addaudithook(hook)
    return met
