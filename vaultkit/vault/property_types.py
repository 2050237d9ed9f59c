"""Obsidian's types of properties: declared in `.obsidian/types.json`, built in, or inferred from the value (Y3)."""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from vaultkit.vault.frontmatter import is_template
from vaultkit.vault.obsidian import settings_of

PropertyType = Literal[
    "text", "multitext", "number", "checkbox", "date", "datetime", "aliases", "tags", "cssclasses", "unknown"
]
"""Obsidian's own type names. `multitext` is a list; `unknown` is a map, for which Obsidian has no type."""

_DECLARABLE_TYPES: Mapping[object, PropertyType] = {name: name for name in get_args(PropertyType) if name != "unknown"}
_BUILT_IN_TYPES: Mapping[str, PropertyType] = {"tags": "tags", "aliases": "aliases", "cssclasses": "multitext"}
_ACCEPTED_TYPES: Mapping[PropertyType, Collection[PropertyType]] = {
    "number": ["number"], "checkbox": ["checkbox"], "date": ["date"], "datetime": ["date", "datetime"],
}  # fmt: skip
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?", re.ASCII)


class Misfit(NamedTuple):
    """A property whose value does not fit the type declared for its name."""

    name: str
    value: object
    type: PropertyType


def read_declared_types(root: Path) -> Mapping[str, PropertyType]:
    """Return the types declared in the vault at `root`, by property name in lower case.

    Empty if the file `types.json` is missing or broken.
    """
    types = settings_of(root, "types.json").get("types")
    items = types.items() if isinstance(types, dict) else ()
    return {
        name.lower(): _DECLARABLE_TYPES[kind]
        for name, kind in items
        if isinstance(kind, str) and kind in _DECLARABLE_TYPES
    }


def type_of(name: str, value: object, declared: Mapping[str, PropertyType]) -> PropertyType:
    """Return the type of a property: the declared one, else Obsidian's built-in one, else the value's own.

    The case of `name` is ignored.
    """
    lower_name = name.lower()
    return declared.get(lower_name) or _BUILT_IN_TYPES.get(lower_name) or _value_type(value)


def fits(value: object, kind: PropertyType) -> bool:
    """Return whether a value is of the type `kind`.

    An empty value fits every type, and a single text or number fits a list. A date is also a datetime, but a datetime
    is no date, and a quoted number is no number.
    """
    if value is None or value in ("", [], {}) or kind == "unknown":
        return True
    if kind in _ACCEPTED_TYPES:
        return _value_type(value) in _ACCEPTED_TYPES[kind]
    return not isinstance(value, list | Mapping if kind == "text" else Mapping)


def find_misfits(properties: Mapping[str, object], declared: Mapping[str, PropertyType]) -> Iterator[Misfit]:
    """Yield the properties whose value does not fit the declared type, in order; placeholders of templates fit any."""
    for name, value in properties.items():
        kind = declared.get(name.lower())
        if kind is not None and not fits(value, kind) and not (isinstance(value, str) and is_template(value)):
            yield Misfit(name, value, kind)


def _value_type(value: object) -> PropertyType:
    match value:
        case bool():
            return "checkbox"
        case int() | float():
            return "number"
        case list():
            return "multitext"
        case str():
            return _text_type(value)
        case _:
            return "text" if value is None else "unknown"


def _text_type(text: str) -> PropertyType:
    """Return the type of a text: "date" or "datetime" if it is a valid one, else "text"."""
    if _DATE.fullmatch(text):
        return "date" if _is_valid_date(date, text) else "text"
    return "datetime" if _DATETIME.fullmatch(text) and _is_valid_date(datetime, text) else "text"


def _is_valid_date(date_class: type[date], text: str) -> bool:
    try:
        date_class.fromisoformat(text)
    except ValueError:
        return False
    return True
