"""Names of notes, files and folders: which of them every system and every link can hold (F4)."""

import re
from typing import NamedTuple
from unicodedata import normalize

from vaultkit.errors import InvalidError

DEVICES = frozenset(
    (
        *("con", "prn", "aux", "nul", "conin$", "conout$"),
        *(f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"),
    )
)
"""Names that Windows keeps for itself, in lower case, without an ending."""
FORBIDDEN = frozenset('*"\\/<>:|?') | frozenset(map(chr, (*range(32), 127)))
"""Characters that Windows and Android allow in no name."""
MAX_NAME_BYTES = 255
"""Of one name, in UTF-8, on Linux and Android."""
MAX_WORDS_BYTES = 200
"""Of a person's words in a name, in UTF-8, so that a date, a number, an ending and a sync tool's mark fit in, too."""
_UNSAFE = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f\x7f]|%%')
"""Characters that some systems allow in no file name, and those that no link can hold."""


class NameFault(NamedTuple):
    """The `systems` that cannot hold a name, and the `reason`, such as "it is kept for a device"."""

    systems: str
    reason: str


def is_device(name: str) -> bool:
    """Return whether Windows keeps a name for a device, with any extension: `con`, `Aux.md`."""
    return name.partition(".")[0].rstrip(" ").lower() in DEVICES


def name_fault(name: str) -> NameFault | None:
    """Return why some system cannot hold a file or folder of this name; None if all can."""
    if forbidden := sorted(FORBIDDEN.intersection(name)):
        return NameFault("Windows and Android", f"it has {quote_signs(forbidden)}")
    if name.endswith((".", " ")):
        return NameFault("Windows", f"it ends with a {'dot' if name.endswith('.') else 'space'}")
    if is_device(name):
        return NameFault("Windows", "it is kept for a device")
    if len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
        return NameFault("Linux and Android", f"it is longer than {MAX_NAME_BYTES} bytes")
    return None


def quote_signs(signs: list[str]) -> str:
    """Return the characters as a list for people, without any on which a terminal would act."""
    return ", ".join("a control character" if not sign.isprintable() else f"'{sign}'" for sign in signs)


def printable(name: str) -> str:
    """Return the name with escapes in place of control characters, on which a terminal would act."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in name)


def name_part(text: str, max_length: int = 150) -> str:
    """Return `text` as a part of a file's name, "" if nothing of it can be; `max_length` is in characters."""
    words = " ".join(_UNSAFE.sub(" ", normalize("NFC", text)).split())[:max_length]
    return words.encode("utf-8", "ignore")[:MAX_WORDS_BYTES].decode("utf-8", "ignore").strip(" .")


def file_name(text: str, suffix: str = "", *, otherwise: str = "") -> str:
    """Return `text` and `suffix` as the name of a file, without its ending, that every system and link can hold.

    A name that Windows keeps for a device gets a `_`. Where nothing of `text` can be in a name, `otherwise` is.
    """
    name = (name_part(text) or otherwise) + suffix
    stem, dot, rest = name.partition(".")
    return f"{stem.rstrip()}_{dot}{rest}" if is_device(name) else name


def safe_parts(path: str, where: str, hint: str) -> list[str]:
    """Return the parts of a path in the vault, without empty ones and `.`.

    Raises InvalidError, with `where` and a hint, for parts that are hidden or that no other system could hold.
    """
    parts = [part.strip() for part in path.replace("\\", "/").split("/") if part.strip() and part.strip() != "."]
    if any(part.startswith(".") for part in parts):
        raise InvalidError("Obsidian does not show files and folders that begin with a dot.", where=where, hint=hint)
    for part in parts:
        refuse_name(part, where, hint)
    return parts


def refuse_name(name: str, where: str, hint: str) -> None:
    """Raise InvalidError, with `where` and a hint, if some system cannot hold a file or folder of this name."""
    if fault := name_fault(name):
        message = f"{fault.systems} cannot hold the name '{printable(name)}': {fault.reason}."
        raise InvalidError(message, where=where, hint=hint)
