"""Print designs are data: TOML files under `print/`, the vault's own before ours, every key checked."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

import msgspec

from vaultkit import files, resources
from vaultkit.errors import InvalidError, UsageError
from vaultkit.shapes import Path as Steps
from vaultkit.shapes import ShapeError, Unfit, read_shape

Table = Mapping[str, Any]
NOTHING: Mapping[str, Any] = MappingProxyType({})
Made = TypeVar("Made")


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A design, or a table of one, as it is to be: its fields are the keys, with hyphens."""


class Word(str):
    """A text of a design that is one of those `accepted`."""

    accepted: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, accepted: tuple[str, ...]) -> None:
        cls.accepted = accepted

    @classmethod
    def parse(cls, value: object) -> Self:
        """The word. Raises Unfit."""
        if value not in cls.accepted:
            raise Unfit(f"cannot be '{value}'.", f"Accepted: {', '.join(filter(None, cls.accepted))}.")
        return cls(value)


def names(folder: str, vault: Path | None) -> dict[str, Path]:
    """The designs in a folder of `print/` by name, with their files; the vault's own hide ours of the same name."""
    return {file.stem: file for _, file in resources.listing("print", f"{folder}/*.toml", vault)}


def named(folder: str, kind: str, name: str, vault: Path | None, shape: type[Made]) -> tuple[Made, str]:
    """The design of that name, and the name of its file for errors. `kind` is the word for such a design.

    Raises UsageError that lists the others where there is none, InvalidError for one that cannot be used.
    """
    known = names(folder, vault)
    if name not in known:
        raise UsageError(f"There is no {kind} '{name}'.", hint=f"{kind.capitalize()}s: {', '.join(known)}.")
    where = name_of(known[name])
    return read(load(known[name]), shape, where), where


def find(name: str, vault: Path | None) -> Path:
    """The file `name` of `print/`; an error that says where it was looked for if there is none."""
    found = resources.find("print", name, vault)
    if found is None:
        raise InvalidError(f"There is no print design '{name}'.", hint="`vaultkit doctor` lists the designs it found.")
    return found


def name_of(path: Path) -> str:
    """The name of a design in errors: `.vaultkit/print/paper.toml`, or `vaultkit's own print/paper.toml`."""
    return resources.name_of("print", path)


def load(path: Path) -> Table:
    """The tables of a design file."""
    try:
        return files.parse_toml(resources.read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidError(f"The print design cannot be read: {error}", where=name_of(path)) from error


def read(table: Table, shape: type[Made], where: str, part: str = "") -> Made:
    """The table in that shape. Raises InvalidError that names the part with the mistake, `part` where it is in none."""
    try:
        return read_shape(table, shape)
    except ShapeError as error:
        raise InvalidError(
            error.message, where=f"{where}{_part(table, error.path) or part}", hint=error.hint
        ) from error


def _part(table: Table, path: Steps) -> str:
    """The part of a design that a path leads into: ` [pattern]`, or ` [[lines]] 2`."""
    first = table.get(str(path[0])) if path else None
    if isinstance(first, list) and len(path) > 1 and isinstance(first[int(path[1])], Mapping):
        return f" [[{path[0]}]] {int(path[1]) + 1}"
    return f" [{path[0]}]" if isinstance(first, Mapping) else ""


def check(table: object, required: Iterable[str], optional: Iterable[str], where: str) -> Table:
    """`table` as it is, if it has every required key and no key beyond these; else an error that lists them."""
    required, accepted = list(required), [*required, *optional]
    if not isinstance(table, Mapping):
        raise InvalidError(f"A table with the keys {', '.join(accepted)} belongs here.", where=where)
    unknown = [key for key in table if key not in accepted]
    if unknown:
        raise InvalidError(f"Unknown key '{unknown[0]}'.", where=where, hint=f"Accepted: {', '.join(accepted)}.")
    missing = [key for key in required if key not in table]
    if missing:
        raise InvalidError(f"The key '{missing[0]}' is missing.", where=where, hint=f"Needed: {', '.join(required)}.")
    return table


def text(table: Table, key: str, where: str, default: str = "") -> str:
    """A string of a design."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InvalidError(f"'{key}' must be a text in quotes.", where=where)
    return value


def pair(table: Table, key: str, where: str, hint: str = "") -> tuple[Any, Any]:
    """A width and a height of a design."""
    value = table[key]
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidError(f"'{key}' needs a width and a height.", where=where, hint=hint)
    return value[0], value[1]


def choose(options: Mapping[str, Any], name: str, what: str) -> Any:
    """`options[name]`, or an error that lists what there is."""
    if name not in options:
        raise UsageError(f"Unknown {what} '{name}'.", hint=f"Accepted: {', '.join(options)}.")
    return options[name]
