"""A PDF onto the disk: whole or not at all, and never over a file that is not ours."""

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from vaultkit.errors import WriteError
from vaultkit.sheets.pdf.metadata import is_sealed
from vaultkit.vault.writing.atomic import umask

ATTEMPTS = 6
"""How often a file that another program holds open (Windows) is tried: again after 0.05 s, then twice as long."""

_HINT = "Give another place with --out."


def is_ours(path: Path) -> bool:
    """Whether `path` is a PDF as vaultkit wrote it, not one that somebody has since filled in or signed."""
    data = path.read_bytes()
    return data.startswith(b"%PDF-") and is_sealed(data)


def replace(out: Path, data: bytes) -> None:
    """Puts `data` in place of `out` in one step; a link stays a link, and what it leads to is replaced."""
    try:
        target = out.resolve()
        _refuse(target, out)
        put(target, data)
    except PermissionError as error:
        raise WriteError(
            f"The PDF could not be written: {error.strerror or error}.",
            where=str(out),
            hint="If it is open in another program, close it there. Or give another place with --out.",
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", "") or str(error)
        raise WriteError(f"The PDF could not be written: {reason}.", where=str(out), hint=_HINT) from error


def put(target: Path, data: bytes) -> None:
    """Puts `data` at `target` in one step, whatever is there; another program may hold it open for a moment.

    Raises OSError.
    """
    with _temporary(target, data) as temporary:
        _patiently(temporary, target)


def refuse_missing(folder: Path, named: Path) -> None:
    """Raises WriteError where there is no `folder` to write into; the error calls it as `named`."""
    if not folder.exists():
        hint = "Make it first, or give another place with --out."
        raise WriteError("There is no such folder.", where=str(named), hint=hint)


def _refuse(target: Path, out: Path) -> None:
    refuse_missing(target.parent, out.parent)
    if target.is_dir():
        raise WriteError("There is a folder of this name.", where=str(out), hint=_HINT)
    if target.exists() and not (target.is_file() and is_ours(target)):
        raise WriteError("This file was not made by vaultkit, so it is not replaced.", where=str(out), hint=_HINT)


@contextlib.contextmanager
def _temporary(target: Path, data: bytes) -> Iterator[Path]:
    """A hidden file beside `target` that holds `data`, on disk; gone afterwards, whatever happens."""
    handle, name = tempfile.mkstemp(prefix=".vaultkit-", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":
            Path(name).chmod(0o666 & ~umask())
        yield Path(name)
    finally:
        with contextlib.suppress(OSError):
            Path(name).unlink()


def _patiently(temporary: Path, target: Path) -> None:
    """Windows refuses to replace a file that a reader or a virus scanner has open; often it soon lets go."""
    pause = 0.05
    for _ in range(ATTEMPTS - 1):
        try:
            temporary.replace(target)
            return
        except PermissionError:
            time.sleep(pause)
            pause *= 2
    temporary.replace(target)
