"""Keep a list of the functions of vaultkit that a process calls, by their first calls: see tests/test_pages.py."""

import os
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import NoReturn

_calls: dict[str, None] = {}
_kept = Path(os.environ["VAULTKIT_CALLS"])
_process, _exit = os.getpid(), os._exit


def _note(frame: FrameType, event: str, _: object) -> None:
    code = frame.f_code
    if event == "call" and f"{os.sep}vaultkit{os.sep}" in code.co_filename:
        file = code.co_filename.rpartition(f"{os.sep}vaultkit{os.sep}")[2]
        _calls.setdefault(f"{file} {code.co_qualname}")


def _keep(code: int) -> NoReturn:
    """Write the list as the program leaves; the copies of it that help it write none."""
    if os.getpid() == _process:
        _kept.write_text("\n".join(_calls), encoding="utf-8")
    _exit(code)


os._exit = _keep
threading.setprofile(_note)
sys.setprofile(_note)
