"""Port and seats of a table, kept on this computer so that open pages find it again after `resume --table`."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit import files
from vaultkit.whereabouts import tables_folder

_MOST = 64
_LONG = 60 * 24 * 3600
"""Seconds after which nobody comes back to a table any more."""


@dataclass(frozen=True)
class KeptSeat:
    """A phone in its seat: the hash of its cookie, and its sign."""

    key: str
    sign: str


@dataclass(frozen=True)
class KeptPhones:
    """The phones of a table: their address, who sits where, the seats that bots play, whether the game has begun."""

    base: str
    seats: Mapping[int, KeptSeat]
    bots: set[int]
    is_begun: bool

    @property
    def port(self) -> int:
        """The port of their address, 0 for none."""
        digits = self.base.rstrip("/").rpartition(":")[2]
        return int(digits) if digits.isdecimal() and 1024 <= int(digits[:6]) < 65536 else 0

    @property
    def value(self) -> dict[str, Any]:
        """All of it for JSON."""
        seats = {str(seat): [one.key, one.sign] for seat, one in self.seats.items()}
        return {"base": self.base, "seats": seats, "bots": sorted(self.bots), "begun": self.is_begun}


def _phones(value: object) -> KeptPhones | None:
    """Phones as they were kept; None where that cannot be read."""
    try:
        seats = {int(seat): KeptSeat(str(key), str(sign)) for seat, (key, sign) in value["seats"].items()}  # type: ignore[index]
        bots = {int(seat) for seat in value["bots"]}  # type: ignore[index]
        return KeptPhones(str(value["base"]), seats, bots, value["begun"] is True)  # type: ignore[index]
    except (TypeError, KeyError, ValueError, AttributeError):
        return None


class Kept:
    """The address and the seats of a table, as far as they are kept in a file and can be read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        found = _read(self._file)
        port, table, seated = found.get("port"), found.get("table"), found.get("seated")
        self.port = port if isinstance(port, int) and 1024 <= port < 65536 else 0
        self.table = table if isinstance(table, str) and table.replace("-", "").replace("_", "").isalnum() else ""
        self.seated = [key for key in seated if isinstance(key, str)][:_MOST] if isinstance(seated, list) else []
        self.phones = _phones(found.get("phones"))

    @classmethod
    def of(cls, session: str) -> "Kept | None":
        """Those of a session's table; None where the user has no folder for them."""
        try:
            return cls(Path(tables_folder()) / f"{session}.json")
        except (OSError, RuntimeError):
            return None

    def save(
        self,
        table: str,
        port: int,
        seated: Sequence[str],
        tell: Callable[[str], object],
        phones: KeptPhones | None = None,
    ) -> None:
        """Keep these; where that cannot be, `tell` it: the game itself is kept elsewhere."""
        more = {"phones": phones.value} if phones else {}
        text = json.dumps({"table": table, "port": port, "seated": list(seated), **more})
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
