"""Port and seats of a table, kept on this computer so that open pages find it again after `resume --table`."""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from vaultkit import files
from vaultkit.whereabouts import tables_folder

_MOST = 64
_LONG = 60 * 24 * 3600
"""Seconds after which nobody comes back to a table any more."""


class Kept:
    """The address and the seats of a table, as far as they are kept in a file and can be read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        found = _read(self._file)
        port, table, seated = found.get("port"), found.get("table"), found.get("seated")
        self.port = port if isinstance(port, int) and 1024 <= port < 65536 else 0
        self.table = table if isinstance(table, str) and table.replace("-", "").replace("_", "").isalnum() else ""
        self.seated = [key for key in seated if isinstance(key, str)][:_MOST] if isinstance(seated, list) else []

    @classmethod
    def of(cls, session: str) -> "Kept | None":
        """Those of a session's table; None where the user has no folder for them."""
        try:
            return cls(Path(tables_folder()) / f"{session}.json")
        except (OSError, RuntimeError):
            return None

    def save(self, table: str, port: int, seated: Sequence[str], tell: Callable[[str], object]) -> None:
        """Keep these; where that cannot be, `tell` it: the game itself is kept elsewhere."""
        text = json.dumps({"table": table, "port": port, "seated": list(seated)})
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._file.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with files.open_own(fresh, "xb") as file:
                file.write(text.encode())
            fresh.replace(self._file)
            _forget_old(self._file.parent)
        except OSError as error:
            tell(f"The table's address could not be kept for later: {error.strerror}.")

    def forget(self) -> None:
        """Nothing is to be found again."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


def _forget_old(folder: Path) -> None:
    """Nobody comes back to the addresses of games that have long been given up."""
    for file in folder.glob("*.json"):
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > _LONG:
                file.unlink()


def _read(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(files.read_own(file))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
