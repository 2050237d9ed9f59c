"""The gate: files are opened here and nowhere else, since a vault, or a file in it, may come from a stranger.

What is no plain file, leads where it may not, or is larger than its kind ever needs is refused before it is read: a
pipe hangs for ever, a device has no end. Shells read completions through this as well, so it imports next to nothing.
"""

import errno
import os
import stat
import sys

TYPE_CHECKING = False
"""For mypy; `typing` itself takes too long to load."""
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import RawIOBase
    from pathlib import Path
    from typing import IO, Any

    Name = str | os.PathLike[str]

MB = 1_000_000
NOTE, PICTURE, PDF, STATE = 16 * MB, 64 * MB, 32 * MB, 8 * MB
"""The most bytes of a note, a picture or a font, a PDF, and of a settings or state file of ours or of Obsidian's."""
MADE = 256 * MB
"""The most bytes of a PDF or picture of our own that is looked at once more."""
MOST_DOTS = 10 * MB
"""The most that the dots of each line, squared, add up to: so much work a key of many parts may be."""
LINE = MB
"""The most bytes of a line in a file that only grows; the file itself may have any size."""
PATIENCE = 60.0
"""Seconds for all that a pipe which was named on the command line has to say."""

OWN = ".vaultkit"
"""The folder of ours in a vault. Nobody has a reason to put links into it, apart from those who want to lead us out."""

NOT_DOWNLOADED = "it is in iCloud; download it first"
DOWNLOAD_HINT = "In Finder, right-click it and choose Download Now, or open it in Obsidian."
_PLACEHOLDER_ENDING = ".icloud"
"""How the placeholder of `NAME` ends; it is called `.NAME.icloud`."""

_READ = os.O_RDONLY
for _flag in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NOINHERIT", "O_NONBLOCK"):  # a pipe is opened without waiting
    _READ |= getattr(os, _flag, 0)
_HERE = getattr(os, "O_NOFOLLOW", 0)
_AS_IT_IS = getattr(os, "O_NONBLOCK", 0) | _HERE
_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_JUNCTION = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0xA0000003)
_CHUNK = 1 << 16
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The marks at the beginning of a text in UTF-16."""
_ENDLESS = r"\b(?:0[box]\w{999}|\d[\d_]{999})"
"""A number in TOML that has no end."""


class Refused(OSError):
    """A file that is not read, or not written, whatever the system would let us do; `strerror` says why."""

    def __init__(self, reason: str, file: "Name") -> None:
        super().__init__(errno.EINVAL, reason, os.fspath(file))


class NotDownloaded(Refused):
    """A file that iCloud Drive has moved off this computer, leaving a placeholder in its folder."""

    def __init__(self, file: "Name") -> None:
        super().__init__(NOT_DOWNLOADED, file)


class TooLarge(Refused):
    """A file with more bytes than its kind ever needs."""

    def __init__(self, most: int, file: "Name") -> None:
        super().__init__(f"it is larger than {most // MB} MB", file)


def read(file: "Name", most: int = STATE, *, links: bool = False) -> bytes:
    """All bytes of a plain file. Raises OSError, among them Refused, also for a link unless `links` are allowed."""
    descriptor = _open_to_read(file, links)
    try:
        size = _size(descriptor, file)
        if size > most:
            raise TooLarge(most, file)
        data = os.read(descriptor, size + 1)
        # One byte more than there should be was asked for: fewer came, so that was all.
        return data if len(data) == size else _to_the_end(descriptor, data, most, file)
    finally:
        os.close(descriptor)


def read_text(file: "Name", most: int = STATE, *, links: bool = False) -> str:
    """The text of a plain file in UTF-8, each line with a plain end. Raises as `read` does, and UnicodeError."""
    return read(file, most, links=links).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes) -> str:
    """The text of a file of a person's: UTF-8, or UTF-16 as some editors on Windows and PowerShell's `>` write it.

    Raises UnicodeError.
    """
    return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")


def parse_toml(text: str) -> "dict[str, Any]":
    """The tables of a text in TOML. Raises TOMLDecodeError, also for keys of so many parts that they take too long.

    The same goes for numbers of so many figures that Python refuses to read or to write them.
    """
    import re
    import tomllib

    if number := re.search(_ENDLESS, text):
        line = text.count("\n", 0, number.start()) + 1
        raise tomllib.TOMLDecodeError(f"a number is too long (at line {line}, column 1)")
    if sum(line.count(".") ** 2 for line in text.split("\n")) > MOST_DOTS:
        raise tomllib.TOMLDecodeError("a line has too many dots (at end of document)")
    return tomllib.loads(text)


def read_own(file: "Name", most: int = STATE) -> bytes:
    """The bytes of a state file of ours: no link, nor any folder above it up to ours. Raises what `read` does."""
    refuse_links(file)
    return read(file, most)


def read_lines(file: "Name") -> "Iterator[bytes]":
    """The lines, with their ends, of a state file of ours that only grows. Raises what `read` does."""
    with open_own(file, "rb") as stream:
        while line := stream.readline(LINE + 1):
            if len(line) > LINE:
                raise Refused(f"one of its lines is larger than {LINE // MB} MB", file)
            yield line


def read_named(file: "Name", most: int) -> bytes:
    """The bytes of what a person names on the command line: `-` for stdin, a file, a link to one, or a pipe.

    Raises OSError, among them Refused for more than `most` bytes, and for a pipe that takes too long.
    """
    if os.fspath(file) == "-":
        return _capped(sys.stdin.buffer, most, file)
    refuse_evicted(file)
    if stat.S_ISREG(os.stat(file).st_mode) or os.path.isdir(file):
        return read(file, most, links=True)
    return _patiently(file, most)


def open_own(file: "Name", mode: str, buffering: int = -1) -> "IO[bytes]":
    """A state file of ours, opened in a binary `mode` of Python's, unless a link leads to it. Raises OSError."""
    refuse_links(file)
    return open_plain(file, mode, buffering)


def open_plain(file: "Name", mode: str = "rb", buffering: int = -1, *, most: int = sys.maxsize) -> "IO[bytes]":
    """A plain file that is no link, opened in a binary `mode` of Python's. Raises OSError, among them Refused."""
    stream: IO[bytes] = open(file, mode, buffering, opener=_open_here)  # noqa: SIM115
    try:
        if _size(stream.fileno(), file) > most:
            raise TooLarge(most, file)
    except OSError:
        stream.close()
        raise
    return stream


def sync_folder(folder: "Name") -> None:
    """Make what was named in `folder` last through a power cut. Windows cannot, nor can some network drives."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def drive_hint(error: Exception) -> str:
    """A hint where a drive cannot do what a safe write needs, as some in a network cannot; "" for other errors."""
    lacking = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
    if not isinstance(error, NotImplementedError) and getattr(error, "errno", None) not in lacking:
        return ""
    return "Is it a network drive? Not each of them can lock files and confirm writes; a disk of this computer can."


def download_hint(error: Exception) -> str:
    """Return the hint for a file that is in iCloud alone; "" for other errors."""
    return DOWNLOAD_HINT if isinstance(error, NotDownloaded) else ""


def is_link(file: "Name") -> bool:
    """Whether this is a symbolic link or, on Windows, a junction; not so where nothing is."""
    try:
        found = os.lstat(file)
    except (OSError, ValueError):
        return False
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION


def refuse_links(file: "Name") -> None:
    """Raise Refused if this is a link, or any folder above it up to our own in a vault; what is missing is none."""
    place = os.fspath(file)
    inside = OWN in place.replace("\\", "/").split("/")
    while place:
        if is_link(place):
            raise Refused("it is a link, and vaultkit keeps what is its own in the vault itself", place)
        above, name = os.path.split(place)
        place = above if inside and name != OWN else ""


def evicted_name(name: str) -> str:
    """Return the name of the file for which `name` is iCloud Drive's placeholder; "" if it is that of none."""
    is_placeholder = name.startswith(".") and name.endswith(_PLACEHOLDER_ENDING)
    return name[1 : -len(_PLACEHOLDER_ENDING)] if is_placeholder else ""


def is_evicted(file: "Name") -> bool:
    """Return whether a file is in iCloud alone: only its placeholder is in the folder."""
    folder, name = os.path.split(os.fspath(file))
    return not os.path.lexists(file) and os.path.isfile(os.path.join(folder, f".{name}{_PLACEHOLDER_ENDING}"))


def is_file(file: "Name") -> bool:
    """Return whether there is such a file, on this computer or in iCloud alone."""
    return os.path.isfile(file) or is_evicted(file)


def matching(folder: "Path", pattern: str) -> "list[Path]":
    """Return the sorted files in a folder that match a glob, including files that are only in iCloud."""
    above, slash, name = pattern.rpartition("/")
    placeholders = folder.glob(f"{above}{slash}.{name}{_PLACEHOLDER_ENDING}")
    evicted = (place.with_name(evicted_name(place.name)) for place in placeholders)
    return sorted(path for path in {*folder.glob(pattern), *evicted} if is_file(path))


def refuse_evicted(file: "Name") -> None:
    """Raise NotDownloaded for a file that is in iCloud alone: a new one of its name would be a second one."""
    if is_evicted(file):
        raise NotDownloaded(file)


def _open_to_read(file: "Name", links: bool) -> int:
    if not (links or _HERE) and is_link(file):
        raise Refused("it is a link", file)
    try:
        return os.open(file, _READ if links else _READ | _HERE)
    except OSError as error:
        if error.errno == errno.ELOOP and not links:
            raise Refused("it is a link", file) from error
        if error.errno == errno.ENOENT:
            refuse_evicted(file)
        raise


def _open_here(file: str, flags: int) -> int:
    if not _HERE and is_link(file):
        raise Refused("it is a link", file)
    refuse_evicted(file)
    return os.open(file, flags | _AS_IT_IS, 0o600)  # what of ours is made may hold a note that is for one person alone


def _size(descriptor: int, file: "Name") -> int:
    """The size of a plain file that is open."""
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode):
        return found.st_size
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(file))
    raise Refused(f"it is {_KINDS.get(stat.S_IFMT(found.st_mode), 'something else')}, not a file", file)


def _to_the_end(descriptor: int, data: bytes, most: int, file: "Name") -> bytes:
    """All of a file that grows or shrinks while it is read, or does not tell its size."""
    chunks, length = [data], len(data)
    while data and length <= most:
        data = os.read(descriptor, _CHUNK)
        chunks.append(data)
        length += len(data)
    if length > most:
        raise TooLarge(most, file)
    return b"".join(chunks)


def _patiently(file: "Name", most: int) -> bytes:
    """The bytes of a pipe or device, read by a thread, since nobody but the other end can stop the wait for one."""
    import threading

    results: list[bytes | OSError] = []

    def work() -> None:
        try:
            with open(file, "rb", buffering=0) as stream:
                results.append(_capped(stream, most, file))
        except OSError as error:
            results.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(PATIENCE)
    result = results[0] if results else Refused(f"nothing more came for {PATIENCE:.0f} seconds", file)
    if isinstance(result, OSError):
        raise result
    return result


def _capped(stream: "IO[bytes] | RawIOBase", most: int, file: "Name") -> bytes:
    chunks, length = list[bytes](), 0
    while length <= most and (data := stream.read(min(_CHUNK, most + 1 - length))):
        chunks.append(data)
        length += len(data)
    if length > most:
        raise TooLarge(most, file)
    return b"".join(chunks)
