"""Print designs are data: TOML files under `print/`, the vault's own before ours, every key checked."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vaultkit import files, resources
from vaultkit.errors import InvalidError, UsageError

Table = Mapping[str, Any]
NOTHING: Mapping[str, Any] = MappingProxyType({})


def names(folder: str, vault: Path | None) -> dict[str, Path]:
    """The designs in a folder of `print/` by name, with their files; the vault's own hide ours of the same name."""
    return {file.stem: file for _, file in resources.listing("print", f"{folder}/*.toml", vault)}


def named(
    folder: str, kind: str, name: str, vault: Path | None, *, required: Iterable[str], optional: Iterable[str] = ()
) -> tuple[Table, str]:
    """The design of that name, checked, and the name of its file for errors. `kind` is the word for such a design.

    Raises UsageError that lists the others where there is none.
    """
    known = names(folder, vault)
    if name not in known:
        raise UsageError(f"There is no {kind} '{name}'.", hint=f"{kind.capitalize()}s: {', '.join(known)}.")
    where = name_of(known[name])
    return check(load(known[name]), required, optional, where), where


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


def one_of(table: Table, key: str, accepted: Sequence[str], where: str) -> str:
    """A string of a design that is one of these; "" where it is not given and may be left out."""
    value = text(table, key, where)
    if value not in accepted:
        hint = f"Accepted: {', '.join(filter(None, accepted))}."
        raise InvalidError(f"'{key}' cannot be '{value}'.", where=where, hint=hint)
    return value


def number(table: Table, key: str, where: str, least: int, most: int, *, default: int = 0) -> int:
    """A whole number of a design."""
    value = table.get(key, default)
    if key in table and (type(value) is not int or not least <= value <= most):
        raise InvalidError(f"'{key}' must be a whole number from {least} to {most}.", where=where)
    return int(value)


def switch(table: Table, key: str, where: str, *, default: bool = False) -> bool:
    """A yes or no of a design."""
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise InvalidError(f"'{key}' must be true or false.", where=where)
    return value


def pair(table: Table, key: str, where: str, hint: str = "") -> tuple[Any, Any]:
    """A width and a height of a design."""
    value = table[key]
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidError(f"'{key}' needs a width and a height.", where=where, hint=hint)
    return value[0], value[1]


def texts(table: Table, key: str, where: str) -> tuple[str, ...]:
    """A list of strings of a design."""
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidError(f"'{key}' must be a list of texts in quotes.", where=where)
    return tuple(value)


def tables(table: Table, key: str, where: str) -> list[Any]:
    """A list of tables of a design (`[[key]]` in the file)."""
    value = table.get(key, [])
    if not isinstance(value, list):
        raise InvalidError(f"'{key}' must be written as [[{key}]].", where=where)
    return value


def choose(options: Mapping[str, Any], name: str, what: str) -> Any:
    """`options[name]`, or an error that lists what there is."""
    if name not in options:
        raise UsageError(f"Unknown {what} '{name}'.", hint=f"Accepted: {', '.join(options)}.")
    return options[name]
