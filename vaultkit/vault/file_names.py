"""Names of notes and folders: which of them every system and every link can hold (F4)."""

import re

from vaultkit.errors import InvalidError

DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"))
)
"""Names that Windows keeps for itself, in lower case, without an ending."""
_UNSAFE = re.compile(r'[*"\\/<>:|?#^\[\]\x00-\x1f\x7f]|%%')
_FORBIDDEN = re.compile(r'[*"\\<>:|?\x00-\x1f\x7f]')
"""Characters that no name may hold on Windows."""


def is_device(name: str) -> bool:
    """Whether Windows keeps a name for a device, whatever its ending: `con`, `Aux.md`."""
    return name.partition(".")[0].rstrip(" ").lower() in DEVICES


def file_name(text: str, longest: int = 150) -> str:
    """`text` as a part of a file's name, "" if nothing of it can be; `longest` in characters."""
    return " ".join(_UNSAFE.sub(" ", text).split())[:longest].strip(" .")


def safe_parts(path: str, where: str, hint: str) -> list[str]:
    """The parts of a path in the vault, without those that say nothing.

    Raises InvalidError, with `where` and a hint, for parts that are hidden or that no other system could hold.
    """
    parts = [part.strip() for part in path.replace("\\", "/").split("/") if part.strip() and part.strip() != "."]
    if any(part.startswith(".") for part in parts):
        raise InvalidError("Obsidian does not show files and folders that begin with a dot.", where=where, hint=hint)
    if found := next(filter(None, map(_FORBIDDEN.search, parts)), None):
        raise InvalidError(f"A name cannot hold the character {found[0]!r} on every system.", where=where, hint=hint)
    if any(part.endswith(".") for part in parts):
        raise InvalidError("A name cannot end with a dot on every system.", where=where, hint=hint)
    if device := next(filter(is_device, parts), None):
        raise InvalidError(f"Windows keeps the name '{device}' for a device.", where=where, hint=hint)
    return parts
