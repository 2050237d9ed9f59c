"""Print designs are data: TOML files under `print/`, the vault's own before ours, every key checked."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vaultkit import resources
from vaultkit.errors import InvalidError, UsageError

Table = Mapping[str, Any]
NOTHING: Mapping[str, Any] = MappingProxyType({})


def find(name: str, vault: Path | None) -> Path:
    """The file `name` of `print/`; an error that says where it was looked for if there is none."""
    found = resources.find("print", name, vault)
    if found is None:
        raise InvalidError(f"There is no print design '{name}'.", hint="`vaultkit doctor` lists the designs it found.")
    return found


def told(path: Path) -> str:
    """The name of a design in errors: `.vaultkit/print/paper.toml`, or `vaultkit's own print/paper.toml`."""
    return resources.name_of("print", path)


def load(path: Path) -> Table:
    """The tables of a design file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidError(f"The print design cannot be read: {error}", where=told(path)) from error


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
