"""The address and the seats of a table, saved on this computer, so that open pages reconnect after `resume`."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from vaultkit import files
from vaultkit.session.journal_files import SUFFIX
from vaultkit.session.journal_records import DECODE_ERRORS, SCHEMA
from vaultkit.user_folders import tables_folder

OLD_SUFFIX = ".json"
"""The suffix of files of version 0.3, which have the same fields, but no kind and no schema."""
MAX_SCREEN_COUNT = 64
MAX_AGE_SECONDS = 60 * 24 * 3600
"""The age in seconds at which a saved table is deleted."""
FIRST_PORT, LAST_PORT = 1024, 65535


class SavedSeat(msgspec.Struct, frozen=True, array_like=True):
    """A phone in its seat: the hash of its cookie, and its sign."""

    key: str
    sign: str


class SavedPhones(msgspec.Struct, frozen=True, rename={"is_begun": "begun"}):
    """The phones of a table: their address, their seats, the bots by seat, and whether the game has begun.

    Older files have the seats of bots alone, without their strategies. `code` is the lobby's code, in a QR code and as
    people type it; None after the lobby has closed.
    """

    base: str
    seats: dict[int, SavedSeat]
    bots: dict[int, str] | frozenset[int]
    is_begun: bool
    code: tuple[str, str] | None = None

    @property
    def port(self) -> int:
        """The port of the address, 0 for none."""
        digits = self.base.rstrip("/").rpartition(":")[2]
        port = int(digits[:6]) if digits.isdecimal() else 0
        return port if FIRST_PORT <= port <= LAST_PORT else 0


class _Record(msgspec.Struct, frozen=True):
    table: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]+\Z")]
    port: Annotated[int, Meta(ge=FIRST_PORT, le=LAST_PORT)]
    seated: list[str]
    phones: SavedPhones | None = None
    kind: Literal["table"] = "table"
    schema: int = SCHEMA


class SavedTable:
    """The address of a table and its seats, empty if its file is missing or cannot be read."""

    def __init__(self, file: Path) -> None:
        self._file = file
        record = _read(file) or _read(file.with_suffix(OLD_SUFFIX))
        self.port = record.port if record else 0
        self.table = record.table if record else ""
        self.seated = record.seated[:MAX_SCREEN_COUNT] if record else []
        self.phones = record.phones if record else None

    @classmethod
    def of_session(cls, session: str) -> "SavedTable | None":
        """Return the saved table of a session, None if the user has no folder for state."""
        try:
            return cls(Path(tables_folder()) / f"{session}{SUFFIX}")
        except (OSError, RuntimeError):
            return None

    def save(
        self,
        table: str,
        port: int,
        seated: Sequence[str],
        tell: Callable[[str], object],
        phones: SavedPhones | None = None,
    ) -> None:
        """Write the table's file; if that fails, `tell` is called, since the game itself is saved elsewhere."""
        content = msgspec.json.encode(_Record(table, port, list(seated), phones)) + b"\n"
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._file.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with files.open_state(fresh, "xb") as file:
                file.write(content)
            fresh.replace(self._file)
            _delete_old(self._file.parent)
        except OSError as error:
            tell(f"The table's address could not be kept for later: {error.strerror}.")

    def move_to(self, session: str) -> None:
        """Keep the table for another session, which is played after the first one."""
        new_file = self._file.with_name(f"{session}{SUFFIX}")
        with suppress(OSError):
            self._file.replace(new_file)
        self._file = new_file

    def forget(self) -> None:
        """Delete the table's file, and that of version 0.3."""
        for file in (self._file.with_suffix(OLD_SUFFIX), self._file):
            with suppress(OSError):
                file.unlink(missing_ok=True)


def _delete_old(folder: Path) -> None:
    """Delete the files of tables that are older than MAX_AGE_SECONDS."""
    for file in folder.glob("*.*"):
        with suppress(OSError):
            if file.suffix in (SUFFIX, OLD_SUFFIX) and time.time() - file.stat().st_mtime > MAX_AGE_SECONDS:
                file.unlink()


def _read(file: Path) -> _Record | None:
    try:
        record = msgspec.json.decode(files.read_state(file), type=_Record)
    except (OSError, *DECODE_ERRORS):
        return None
    return record if record.schema <= SCHEMA else None
