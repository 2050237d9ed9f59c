"""Opening of files in the program that the system has for them."""

import os
import subprocess
import sys
from pathlib import Path

from vaultkit.cli.output import print_note

_FAILURE_SECONDS = 3
"""The time in which an opener that fails has ended; one that still runs then has shown the file."""


def open_file(path: Path) -> None:
    """Open a file or folder in the system's program for it, or print that nothing here opens it."""
    if not _can_open(path):
        print_note(f"Nothing on this computer could open it. The file is: {path}")


def _can_open(path: Path) -> bool:
    try:
        if sys.platform == "win32":
            os.startfile(path)
            return True
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        null, command = subprocess.DEVNULL, [opener, str(path.absolute())]
        process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True)
        return process.wait(_FAILURE_SECONDS) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
