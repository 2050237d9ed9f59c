"""The canonical text of a game's definition in TOML: equal definitions give equal texts."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import starmap
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from vaultkit.games.definition import Definition
from vaultkit.text import toml_line

_PREFIX = "sha256-"
"""The beginning of every id, which keeps programs from reading an id as a number."""


def definition_text(raw: Definition) -> str:
    """Return a definition as TOML, without the values that equal their defaults."""
    tables = _to_table(raw)
    values = {key: value for key, value in tables.items() if not _is_table(value)}
    lines = (line for key in tables if key not in values for line in _table_lines(key, tables))
    return "\n".join((*starmap(toml_line, values.items()), *lines, ""))


def definition_id(raw: Definition) -> str:
    """Return the id of a definition, a hash of its text: `sha256-5f0c...`."""
    return _PREFIX + hashlib.sha256(definition_text(raw).encode()).hexdigest()[:16]


def _to_table(struct: Struct) -> dict[str, Any]:
    """Return a struct as a plain table of the fields that differ from their defaults."""
    field_values = ((field, getattr(struct, field.name)) for field in fields(struct))
    return {
        field.encode_name: _to_plain_value(value) for field, value in field_values if value != _default_value(field)
    }


def _default_value(field: Any) -> object:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _to_plain_value(value: object) -> Any:
    if isinstance(value, Struct):
        return _to_table(value)
    if isinstance(value, tuple | list):
        return [_to_plain_value(item) for item in value]
    return {key: _to_plain_value(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _is_table(value: object) -> bool:
    """Return whether a value is a table, or a list of tables."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _table_lines(key: str, tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the table `key` of `tables`, or of each table in it if it is a list."""
    value = tables[key]
    heading = f"[{key}]" if isinstance(value, dict) else f"[[{key}]]"
    for table in [value] if isinstance(value, dict) else value:
        yield from ("", heading, *starmap(toml_line, table.items()))
