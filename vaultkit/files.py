"""The only place where files are opened, since a vault or a file in it may come from a stranger.

A file that is not a plain file, leads where it must not, or is larger than its kind ever needs is refused before it is
read: a pipe hangs for ever, a device has no end.
"""

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from vaultkit.budget import MB, Limit
from vaultkit.errors import InvalidError, TooManyOpenFiles
from vaultkit.file_errors import hint_for, reason_for, retry_if_in_use

Name = str | os.PathLike[str]
_SPLIT_NOTE = "Split it, or move it out of the vault."
_TAKE_OUT = "Delete what is not needed."
NOTE_BYTES = Limit("This note, canvas or base has", 16 * MB, "bytes", _SPLIT_NOTE)
NOTE_MARKS = Limit("This note, canvas or base has", 300_000, "marks of Markdown", _SPLIT_NOTE)
PICTURE_BYTES = Limit("This picture, font or copy has", 64 * MB, "bytes", "Save it smaller.")
PDF_BYTES = Limit("This PDF has", 32 * MB, "bytes", "Save it smaller, or type its scores in.")
STATE_BYTES = Limit("This file of settings, designs or scores has", 8 * MB, "bytes", _TAKE_OUT)
OUTPUT_BYTES = Limit("This PDF or picture of vaultkit has", 256 * MB, "bytes", "Print it in parts.")
LINE_BYTES = Limit("A line of this journal has", MB, "bytes", "Restore it from a backup.")
"""The limit of a line in an append-only file; the file itself may have any size."""
TOML_DEPTH = Limit("This file has", 40, "tables and lists within one another", _TAKE_OUT)
TOML_PARTS = Limit("This file has", 50_000, "lines and values", _TAKE_OUT)
TOML_DIGITS = Limit("A number in this file has", 999, "digits", "Write a shorter one.")
TOML_DOTS = Limit("The dotted names in this file take", 10_000_000, "steps to read", "Use fewer dots in a line.")
"""The limit of the squared dots of each line, since keys of many parts take long to read."""

VAULTKIT_FOLDER = ".vaultkit"
"""The name of vaultkit's folder in a vault. Links in it are refused: only an attacker has a reason to put any there."""

LAST_READ: list[Name] = [""]
"""The note, picture or PDF that was read last, for the line that says what is worked on."""
DOWNLOAD_HINT = (
    "In Finder, right-click it and choose Download Now; in the Explorer, Always keep on this device. "
    "Or open it in Obsidian."
)
_PLACEHOLDER_ENDING = ".icloud"
"""The suffix of an iCloud placeholder: the placeholder of the file `NAME` is called `.NAME.icloud`."""

_RECALL_MASK = 0x1000 | 0x40000 | 0x400000
"""The attributes of a file of OneDrive that is only in the cloud: offline, fetched when opened or when read."""
_DATALESS_FLAG = 0x40000000
"""The flag of such a file on macOS 14 and newer, which has no placeholder."""
_HAS_CLOUD_FILES = sys.platform in ("win32", "darwin")
_OPEN_PAUSE_SECONDS, _OPEN_ATTEMPTS = 0.02, 4
_READ_FLAGS = os.O_RDONLY
for _flag in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NOINHERIT", "O_NONBLOCK"):  # so that opening a pipe does not wait
    _READ_FLAGS |= getattr(os, _flag, 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_OPEN_FLAGS = getattr(os, "O_NONBLOCK", 0) | _NO_FOLLOW
_FILE_KIND_NAMES = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_JUNCTION_TAG = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)
_CHUNK_BYTES = 1 << 16
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks at the beginning of UTF-16 text."""
_LONG_NUMBER_PATTERN = rf"\b(?:0[box]\w{{{TOML_DIGITS.maximum}}}|\d[\d_]{{{TOML_DIGITS.maximum}}})"
"""The beginning of a TOML number that is too long to read."""


class FileRefused(OSError):
    """A file that vaultkit does not read or write although the system may allow it; `strerror` says why."""

    hint = ""

    def __init__(self, reason: str, file: Name) -> None:
        super().__init__(errno.EINVAL, reason, os.fspath(file))


class NotDownloaded(FileRefused):
    """A file that iCloud Drive, OneDrive or another cloud has moved off this computer."""

    hint = DOWNLOAD_HINT

    def __init__(self, file: Name) -> None:
        super().__init__("it is in the cloud; download it first", file)


class TooLarge(FileRefused):
    """A file with more bytes than its kind ever needs."""

    def __init__(self, limit: Limit, file: Name) -> None:
        super().__init__(f"it has more than {limit.amount}", file)
        self.limit = limit


def unreadable_error(subject: str, error: OSError, where: str) -> InvalidError:
    """Return the error for a file that cannot be read, or exceeds a limit; `subject` may be `The settings`."""
    if isinstance(error, TooLarge):
        return error.limit.error(where)
    return InvalidError(f"{subject} cannot be read: {reason_for(error)}.", where=where, hint=hint_for(error))


def read(file: Name, limit: Limit = STATE_BYTES, *, allow_links: bool = False) -> bytes:
    """Return all bytes of a plain file.

    Raises OSError; its subclass FileRefused for what is no plain file, for more bytes than the limit, and, without
    `allow_links`, for a link.
    """
    if limit is not STATE_BYTES:
        LAST_READ[0] = file
    descriptor = _open_to_read(file, allow_links)
    try:
        size = _plain_file_size(descriptor, file)
        if size > limit.maximum:
            raise TooLarge(limit, file)
        data = os.read(descriptor, size + 1)
        # One byte more than expected was requested; if it did not come, this is the whole file.
        return data if len(data) == size else _read_to_end(descriptor, data, limit, file)
    finally:
        os.close(descriptor)


def read_text(file: Name, limit: Limit = STATE_BYTES, *, allow_links: bool = False) -> str:
    """Return the text of a plain UTF-8 file with `\\n` as line ends. Raises OSError as in `read`, and UnicodeError."""
    return read(file, limit, allow_links=allow_links).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def decode_text(data: bytes) -> str:
    """Return the text of a file written by the user: UTF-8, or UTF-16 with a byte order mark.

    Some editors on Windows and `>` in PowerShell write UTF-16. Raises UnicodeError.
    """
    return data.decode("utf-16" if data.startswith(_UTF_16_MARKS) else "utf-8-sig")


def parse_toml(text: str, where: str = "") -> dict[str, Any]:
    """Return the tables of the TOML text of the file `where`.

    Raises TOMLDecodeError, and BudgetExceeded for keys with too many parts, which take too long, for numbers with too
    many digits, which Python refuses to read or write, and for tables and lists that are too deep to be compared.
    """
    import tomllib

    if long_number := re.search(_LONG_NUMBER_PATTERN, text):
        line = text.count("\n", 0, long_number.start()) + 1
        raise TOML_DIGITS.error(f"{where}:{line}" if where else "")
    TOML_PARTS.check(sum(map(text.count, "\n[{,")), where)
    TOML_DOTS.check(sum(line.count(".") ** 2 for line in text.split("\n")), where)
    try:
        tables = tomllib.loads(text)
    except RecursionError as error:
        raise TOML_DEPTH.error(where) from error
    level: list[Any] = [tables]
    for _ in range(TOML_DEPTH.maximum):
        level = [
            item
            for value in level
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, dict | list)
        ]
        if not level:
            return tables
    raise TOML_DEPTH.error(where)


def read_state(file: Name, limit: Limit = STATE_BYTES) -> bytes:
    """Return the bytes of a state file of vaultkit's.

    Raises OSError as in `read`, and FileRefused if the file or a folder above it, up to `.vaultkit`, is a link.
    """
    refuse_links(file)
    return read(file, limit)


def read_lines(file: Name) -> Iterator[bytes]:
    """Yield the lines of an append-only state file of vaultkit's, with their line ends.

    Raises OSError, and FileRefused if a link leads to the file or a line is too long.
    """
    with open_state(file, "rb") as stream:
        while line := stream.readline(LINE_BYTES.maximum + 1):
            if len(line) > LINE_BYTES.maximum:
                raise TooLarge(LINE_BYTES, file)
            yield line


def open_state(file: Name, mode: str, buffering: int = -1) -> IO[bytes]:
    """Open a state file of vaultkit's in a binary `mode` unless a link leads to it. Raises OSError."""
    refuse_links(file)
    return open_plain(file, mode, buffering)


def open_plain(file: Name, mode: str = "rb", buffering: int = -1, *, limit: Limit | None = None) -> IO[bytes]:
    """Open a plain file that is no link in a binary `mode`. Raises OSError, and its subclass FileRefused."""
    stream: IO[bytes] = open(file, mode, buffering, opener=_open_no_follow)  # noqa: SIM115
    try:
        size = _plain_file_size(stream.fileno(), file)
        if limit and size > limit.maximum:
            raise TooLarge(limit, file)
    except OSError:
        stream.close()
        raise
    return stream


def sync(descriptor: int) -> None:
    """Put the bytes of an open file onto the disk; on macOS also out of the disk's own memory. Raises OSError."""
    if sys.platform != "win32":
        import fcntl

        command = getattr(fcntl, "F_FULLFSYNC", None)
        if command is not None:
            try:
                fcntl.fcntl(descriptor, command)
            except OSError:  # a network drive does not know it
                pass
            else:
                return
    os.fsync(descriptor)


def sync_folder(folder: Name) -> None:
    """Make new names in `folder` survive a power cut. Do nothing on Windows and network drives that cannot do this."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        sync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and its missing parents so that they survive a power cut. Raises OSError."""
    if folder.is_dir():
        return
    if not folder.parent.exists():
        make_folder(folder.parent)
    folder.mkdir(mode, exist_ok=True)
    sync_folder(folder.parent)


def raise_if_exhausted(error: OSError) -> None:
    """Raise TooManyOpenFiles if that is what the error says, since it is no fault of the file."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        raise TooManyOpenFiles from error


def resolve(path: Path) -> Path:
    """Return the path without links. Raises OSError for a loop of links, which Python 3.13 does not tell by itself."""
    try:
        resolved = path.resolve()
        is_loop = is_link(resolved)
    except RuntimeError:
        is_loop = True
    if is_loop:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    return resolved


def is_link(file: Name) -> bool:
    """Return whether `file` is a symbolic link or, on Windows, a junction; False if it does not exist."""
    try:
        status = os.lstat(file)
    except (OSError, ValueError):
        return False
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION_TAG


def refuse_links(file: Name) -> None:
    """Raise FileRefused if `file` or a folder above it, up to `.vaultkit`, is a link. A missing file is no link."""
    path = os.fspath(file)
    is_in_vaultkit_folder = VAULTKIT_FOLDER in path.replace("\\", "/").split("/")
    while path:
        if is_link(path):
            raise FileRefused("it is a link, and vaultkit keeps what is its own in the vault itself", path)
        parent, name = os.path.split(path)
        path = parent if is_in_vaultkit_folder and name != VAULTKIT_FOLDER else ""


def evicted_name(name: str) -> str:
    """Return the name of the file for which `name` is iCloud Drive's placeholder; "" if it is no placeholder."""
    is_placeholder = name.startswith(".") and name.endswith(_PLACEHOLDER_ENDING)
    return name[1 : -len(_PLACEHOLDER_ENDING)] if is_placeholder else ""


def is_cloud_only(status: os.stat_result) -> bool:
    """Return whether a file's content is in the cloud only, so that reading it would download it or fail."""
    attributes, flags = getattr(status, "st_file_attributes", 0), getattr(status, "st_flags", 0)
    return bool(attributes & _RECALL_MASK or flags & _DATALESS_FLAG)


def is_evicted(file: Name) -> bool:
    """Return whether a file is in the cloud only: it has no content here, or its folder has only a placeholder."""
    try:
        return is_cloud_only(os.lstat(file))
    except (OSError, ValueError):
        folder, name = os.path.split(os.fspath(file))
        return os.path.isfile(os.path.join(folder, f".{name}{_PLACEHOLDER_ENDING}"))


def is_file(file: Name) -> bool:
    """Return whether there is such a file, on this computer or only in the cloud."""
    return os.path.isfile(file) or is_evicted(file)


def list_files(folder: Path, pattern: str) -> list[Path]:
    """Return the sorted files in a folder that match a glob, including files that are only in the cloud."""
    parent, slash, name = pattern.rpartition("/")
    placeholders = folder.glob(f"{parent}{slash}.{name}{_PLACEHOLDER_ENDING}")
    evicted = (placeholder.with_name(evicted_name(placeholder.name)) for placeholder in placeholders)
    return sorted(path for path in {*folder.glob(pattern), *evicted} if is_file(path))


def refuse_evicted(file: Name) -> None:
    """Raise NotDownloaded for a file that is only in the cloud: writing one of its name would make a second file."""
    if is_evicted(file):
        raise NotDownloaded(file)


def _open_to_read(file: Name, allow_links: bool) -> int:
    if not (allow_links or _NO_FOLLOW) and is_link(file):
        raise FileRefused("it is a link", file)
    if _HAS_CLOUD_FILES:
        refuse_evicted(file)
    flags = _READ_FLAGS if allow_links else _READ_FLAGS | _NO_FOLLOW
    try:
        return retry_if_in_use(lambda: os.open(file, flags), _OPEN_PAUSE_SECONDS, _OPEN_ATTEMPTS)
    except OSError as error:
        if error.errno == errno.ELOOP and not allow_links:
            raise FileRefused("it is a link", file) from error
        if error.errno == errno.ENOENT:
            refuse_evicted(file)
        raise


def _open_no_follow(file: str, flags: int) -> int:
    if not _NO_FOLLOW and is_link(file):
        raise FileRefused("it is a link", file)
    refuse_evicted(file)
    mode = 0o600  # a file of ours may hold a note meant for one person
    return retry_if_in_use(lambda: os.open(file, flags | _OPEN_FLAGS, mode), _OPEN_PAUSE_SECONDS, _OPEN_ATTEMPTS)


def _plain_file_size(descriptor: int, file: Name) -> int:
    """Return the size in bytes of an open file. Raises IsADirectoryError, or FileRefused unless it is a plain file."""
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode):
        return status.st_size
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(file))
    raise FileRefused(f"it is {_FILE_KIND_NAMES.get(stat.S_IFMT(status.st_mode), 'something else')}, not a file", file)


def _read_to_end(descriptor: int, data: bytes, limit: Limit, file: Name) -> bytes:
    """Return all bytes of an open file of which `data` has been read and whose size is unknown or changing.

    Raises TooLarge for more bytes than the limit.
    """
    chunks, length = [data], len(data)
    while data and length <= limit.maximum:
        data = os.read(descriptor, _CHUNK_BYTES)
        chunks.append(data)
        length += len(data)
    if length > limit.maximum:
        raise TooLarge(limit, file)
    return b"".join(chunks)
