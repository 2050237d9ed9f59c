"""Print designs, read from TOML files under `print/` with every key checked; the vault's own files come first."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

import msgspec

from vaultkit import files, resources
from vaultkit.errors import InvalidError, UnknownName
from vaultkit.schema import InvalidValue, SchemaError, convert_table
from vaultkit.schema import Path as Steps

Table = Mapping[str, Any]
EMPTY_TABLE: Mapping[str, Any] = MappingProxyType({})
ShapeT = TypeVar("ShapeT")


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A base class for the keys of a design file or of a table in one: a field `line_width` is the key `line-width`."""


class Word(str):
    """A text in a design that must be one of those `accepted`."""

    accepted: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, accepted: tuple[str, ...]) -> None:
        cls.accepted = accepted

    @classmethod
    def parse(cls, value: object) -> Self:
        """Return the word. Raises InvalidValue if it is not accepted."""
        if value not in cls.accepted:
            raise InvalidValue(f"cannot be '{value}'.", f"Accepted: {', '.join(filter(None, cls.accepted))}.")
        return cls(value)


def design_files(folder: str, vault: Path | None) -> dict[str, Path]:
    """Map the names of the designs in a folder of `print/` to their files; the vault's files override built-in ones."""
    return {file.stem: file for _, file in resources.list_files("print", f"{folder}/*.toml", vault)}


def load_design(folder: str, kind: str, name: str, vault: Path | None, shape: type[ShapeT]) -> tuple[ShapeT, str]:
    """Load the design called `name`; return it and its file name for errors.

    `kind` is the word for such a design in messages, and `shape` the type to convert it to. Raises UsageError, listing
    the others, if it does not exist, InvalidError if it cannot be used.
    """
    paths = design_files(folder, vault)
    if name not in paths:
        raise UnknownName(f"There is no {kind} '{name}'.", hint=f"{kind.capitalize()}s: {', '.join(paths)}.")
    where = name_of(paths[name])
    return convert_to_shape(parse_file(paths[name]), shape, where), where


def find(name: str, vault: Path | None) -> Path:
    """Return the path of the file `name` in `print/`. Raises InvalidError if it does not exist."""
    path = resources.find("print", name, vault)
    if path is None:
        raise InvalidError(f"There is no print design '{name}'.", hint="All that were found: vaultkit doctor --all")
    return path


def name_of(path: Path) -> str:
    """Return the name of a design for errors: `.vaultkit/print/paper.toml`, or `vaultkit's own print/paper.toml`."""
    return resources.name_of("print", path)


def parse_file(path: Path) -> Table:
    """Read a design file and return its tables, unchecked. Raises InvalidError if it cannot be read."""
    try:
        return files.parse_toml(resources.read_text(path), name_of(path))
    except OSError as error:
        raise files.unreadable_error("The print design", error, name_of(path)) from error
    except ValueError as error:
        raise InvalidError(f"The print design cannot be read: {error}", where=name_of(path)) from error


def convert_to_shape(table: Table, shape: type[ShapeT], where: str, part: str = "") -> ShapeT:
    """Convert a table of a design, read before, to the type `shape`.

    Raises InvalidError for a mistake. Its place is `where`, followed by the table inside `table` with the mistake, or
    by `part` if the mistake is in no inner table.
    """
    try:
        return convert_table(table, shape)
    except SchemaError as error:
        place = f"{where}{_error_suffix(table, error.path) or part}"
        raise InvalidError(error.message, where=place, hint=error.hint) from error


def _error_suffix(table: Table, path: Steps) -> str:
    """Return how an error names the inner table on a key path: ` [pattern]` or ` [[lines]] 2`, or "" for none."""
    first = table.get(str(path[0])) if path else None
    if isinstance(first, list) and len(path) > 1 and isinstance(first[int(path[1])], Mapping):
        return f" [[{path[0]}]] {int(path[1]) + 1}"
    return f" [{path[0]}]" if isinstance(first, Mapping) else ""


def check_keys(table: object, required: Iterable[str], optional: Iterable[str], where: str) -> Table:
    """Return `table` if it has every required key and no unknown key. Raises InvalidError, listing the keys."""
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


def get_string(table: Table, key: str, where: str, default: str = "") -> str:
    """Return the string under a key of a table, or `default`. Raises InvalidError for a value of another type."""
    value = table.get(key, default)
    if not isinstance(value, str):
        raise InvalidError(f"'{key}' must be a text in quotes.", where=where)
    return value


def choose(options: Mapping[str, Any], name: str, option_word: str) -> Any:
    """Return `options[name]`.

    Raises UnknownName, which calls it `option_word` and lists the options, if it does not exist.
    """
    if name not in options:
        raise UnknownName(f"There is no {option_word} '{name}'.", hint=f"Accepted: {', '.join(options)}.")
    return options[name]
