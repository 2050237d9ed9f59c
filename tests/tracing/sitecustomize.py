"""Keep a list of the functions of vaultkit that a process calls, by their first calls: see tests/test_walks.py."""

import atexit
import os
import sys
import threading
from pathlib import Path
from types import FrameType

_calls: dict[str, None] = {}
_kept = Path(os.environ["VAULTKIT_CALLS"])


def _note(frame: FrameType, event: str, _: object) -> None:
    code = frame.f_code
    if event == "call" and f"{os.sep}vaultkit{os.sep}" in code.co_filename:
        file = code.co_filename.rpartition(f"{os.sep}vaultkit{os.sep}")[2]
        _calls.setdefault(f"{file} {code.co_qualname}")


threading.setprofile(_note)
sys.setprofile(_note)
atexit.register(lambda: _kept.write_text("\n".join(_calls), encoding="utf-8"))
