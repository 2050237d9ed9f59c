"""Names of notes, files and folders that are valid on every operating system and in every link (F4)."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from vaultkit import files
from vaultkit.errors import InvalidError, WriteError
from vaultkit.vault.resolve import key

DEVICE_NAMES = {
    *("con", "prn", "aux", "nul", "conin$", "conout$"),
    *(f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"),
}
"""Names that Windows reserves for devices, in lower case, without extension."""
FORBIDDEN_CHARACTERS = frozenset('*"\\/<>:|?') | frozenset(map(chr, (*range(32), 127)))
"""Characters that Windows and Android forbid in file names."""
MAX_NAME_BYTES = 255
"""The maximum length of a file name in UTF-8 on Linux and Android."""
MAX_WORDS_BYTES = 200
"""The maximum length of a user's text in a file name, in UTF-8; the rest is for a date, extension and sync suffix."""
_UNSAFE = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f\x7f]|%%')
"""Characters that some operating system forbids in file names, or that a link cannot hold."""


_UNZIPPED = re.compile(r"#U([0-9a-fA-F]{4})|#L([0-9a-fA-F]{6})")
"""A character as some unzip programs write it in a file name: `#U00e3` for ã."""


def unescape_unzipped(name: str) -> str:
    """Return a name with the characters that an unzip program wrote as `#U00e3`, in NFC."""
    return normalize("NFC", _UNZIPPED.sub(lambda match: chr(min(int(match[1] or match[2], 16), 0x10FFFF)), name))


class NameFault(NamedTuple):
    """A fault of a file name: the `systems` that forbid it, and the `reason`, such as "it is kept for a device"."""

    name: str
    systems: str
    reason: str

    @property
    def sentence(self) -> str:
        return f"{self.systems} cannot hold the name '{escape_control_characters(self.name)}': {self.reason}."


def is_device(name: str) -> bool:
    """Return whether Windows reserves a name for a device, with any extension: `con`, `Aux.md`."""
    return name.partition(".")[0].rstrip(" ").lower() in DEVICE_NAMES


def name_fault(name: str) -> NameFault | None:
    """Return the fault for which some operating system forbids the name of a file or folder, or None."""
    if forbidden := sorted(FORBIDDEN_CHARACTERS.intersection(name)):
        return NameFault(name, "Windows and Android", f"it has {quote_signs(forbidden)}")
    if name.endswith((".", " ")):
        return NameFault(name, "Windows", f"it ends with a {'dot' if name.endswith('.') else 'space'}")
    if is_device(name):
        return NameFault(name, "Windows", "it is kept for a device")
    if len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        return NameFault(name, "Linux and Android", f"it is longer than {MAX_NAME_BYTES} bytes")
    return None


def quote_signs(signs: list[str]) -> str:
    """Return characters in quotes, joined by commas, for a message; control characters are described instead."""
    return ", ".join("a control character" if not sign.isprintable() else f"'{sign}'" for sign in signs)


def escape_control_characters(name: str) -> str:
    """Return the name with control characters escaped, since a terminal would interpret them."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name)


def name_part(text: str, max_length: int = 150) -> str:
    """Return `text` as part of a file name, with at most `max_length` characters, or "" if none of it is allowed."""
    words = " ".join(_UNSAFE.sub(" ", normalize("NFC", text)).split())[:max_length]
    return words.encode("utf-8", "ignore")[:MAX_WORDS_BYTES].decode("utf-8", "ignore").strip(" .")


def file_name(text: str, suffix: str = "", *, fallback: str = "") -> str:
    """Return `text` and `suffix` as a file name without extension that is valid on every system and in links.

    A name that Windows reserves for a device gets a `_`. `fallback` is used if no character of `text` is allowed.
    """
    name = (name_part(text) or fallback) + suffix
    stem, dot, extension = name.partition(".")
    return f"{stem.rstrip()}_{dot}{extension}" if is_device(name) else name


def safe_parts(path: str, where: str, hint: str) -> list[str]:
    """Return the parts of a path in the vault, without empty ones and `.`.

    Raises InvalidError, with `where` and `hint`, if a part is hidden or some operating system forbids it.
    """
    parts = [part.strip() for part in path.replace("\\", "/").split("/") if part.strip() and part.strip() != "."]
    if any(part.startswith(".") for part in parts):
        raise InvalidError("Obsidian does not show files and folders that begin with a dot.", where=where, hint=hint)
    for part in parts:
        refuse_name(part, where, hint)
    return parts


def refuse_name(name: str, where: str, hint: str) -> None:
    """Raise InvalidError, with `where` and `hint`, if some operating system forbids the name of a file or folder."""
    if fault := name_fault(name):
        raise InvalidError(fault.sentence, where=where, hint=hint)


def check_new_file(root: Path, path: str) -> None:
    """Raise WriteError if no new file can be created at a vault path on some operating system.

    It is raised if some system forbids a new part of the path, if the file is in the cloud, and if a folder has a name
    that differs from the new one only in case or in the normalization of accents.
    """
    part_path = root
    for name in path.split("/"):
        part_path /= name
        if not part_path.exists() and (fault := name_fault(name)):
            raise WriteError(fault.sentence, where=path, hint="Choose another name.")
        _refuse_same_name(part_path, path)


def _refuse_same_name(new_path: Path, path: str) -> None:
    for name, is_evicted in _list_names(new_path.parent):
        if is_evicted and key(name) == key(new_path.name):
            message = f"'{name}' is in the cloud; download it first."
            raise WriteError(message, where=path, hint=files.DOWNLOAD_HINT)
        if key(name) == key(new_path.name) and name != new_path.name:
            message = f"There is '{name}' in this folder, which is the same name on Windows and macOS, and in links."
            raise WriteError(message, where=path, hint="Choose another name, or rename that file.")


def _list_names(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield the name of each file in a folder, which may not exist, and whether the file is in the cloud only."""
    names = set(os.listdir(folder)) if folder.is_dir() else set()  # noqa: PTH208
    for name in names:
        real_name = files.evicted_name(name)
        yield (real_name, True) if real_name and real_name not in names else (name, False)
