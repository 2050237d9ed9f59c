"""Conversion of plain tables into msgspec types, with errors that explain to people what is wrong with a table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

INTERNAL_FIELD = msgspec.Meta(extra={"inner": True})
"""Annotation of a field that only vaultkit's own tables have; messages for people do not mention the field."""
Path = tuple[str | int, ...]
Shape = TypeVar("Shape")
_TYPE_PHRASES = {"int": "a whole number", "float": "a number", "str": "a text in quotes", "bool": "true or false",
          "array": "a list", "object": "a table"}  # fmt: skip
_MAX_QUOTED_CHARS = 40
"""The maximum number of characters of a refused text that a message quotes."""


class InvalidValue(ValueError):
    """A value that a type's own `parse` refuses; the message is the end of a sentence, such as `cannot be 7.`"""

    def __init__(self, fault: str, hint: str = "") -> None:
        super().__init__(fault)
        self.hint = hint


@dataclass
class SchemaError(Exception):
    """A fault of a table: its path, as in `("columns", 2, "share")`, a message, and a hint at what would be right."""

    path: Path
    message: str
    hint: str = ""


def convert_table(table: Mapping[str, Any], target_type: type[Shape]) -> Shape:
    """Convert `table` to the msgspec type `target_type`. Raises SchemaError."""
    try:
        return msgspec.convert(table, target_type, dec_hook=lambda kind, value: kind.parse(value))
    except msgspec.ValidationError as error:
        raise _explain_error(error, table, inspect.type_info(target_type)) from error


def _explain_error(error: msgspec.ValidationError, table: Any, kind: inspect.Type) -> SchemaError:
    """Return an error of msgspec in words for people.

    msgspec words it as ``Expected `int`, got `str` - at `$.columns[0].most` ``.
    """
    message, _, path_text = str(error).rpartition(" - at `") if " - at `" in str(error) else (str(error), "", "")
    path: Path = tuple(name or int(number) for name, number in re.findall(r"\.([\w-]+)|\[(\d+)\]", path_text))
    subject = next((f"'{step}'" for step in reversed(path) if isinstance(step, str)), "This")
    if isinstance(error.__cause__, InvalidValue):
        return SchemaError(path, f"{subject} {error.__cause__}", error.__cause__.hint)
    subject = f"A value of {subject}" if "[...]" in path_text else subject
    for step in path:
        kind, table = _element_type(kind, step), table[step]
    kind, hint = _unwrap_type(kind, isinstance(table, str))
    if isinstance(kind, inspect.StructType):
        hint = f"Accepted: {', '.join(field.encode_name for field in kind.fields if not _is_internal(field))}."
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", message, re.DOTALL):
        return SchemaError((*path, unknown[1]), f"Unknown key '{unknown[1]}'.", hint)
    if missing := re.fullmatch(r"Object missing required field `(.*)`", message):
        return SchemaError(path, f"The key '{missing[1]}' is missing.", hint)
    if isinstance(kind, inspect.LiteralType | inspect.StrType) and isinstance(table, str):
        words = ", ".join(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) and not hint else ""
        quoted_text = table if len(table) <= _MAX_QUOTED_CHARS else f"{table[:_MAX_QUOTED_CHARS]}…"
        return SchemaError(path, f"{subject} cannot be '{quoted_text}'.", f"Accepted: {words}." if words else hint)
    if isinstance(kind, inspect.IntType) and kind.le is not None:
        decimals = ", or one with decimals" * ("float" in message)
        return SchemaError(path, f"{subject} must be a whole number from {kind.ge} to {kind.le}{decimals}.")
    expected = re.match(r"Expected `([^`]*)`", message)
    names = re.split(r"[ |]+", expected[1].replace("int | float", "float")) if expected else []
    type_phrase = " or ".join(_TYPE_PHRASES[name] for name in names if name in _TYPE_PHRASES)
    if length := re.search(r"of length ((?:[<>]= )?\d+)", message):
        type_phrase += f" of {length[1].replace('>=', 'at least').replace('<=', 'at most')}"
    return SchemaError(path, f"{subject} must be {type_phrase}." if type_phrase else f"{subject}: {message}.")


def _is_internal(field: inspect.Field) -> bool:
    kind = field.type
    return isinstance(kind, inspect.Metadata) and bool((kind.extra or {}).get("inner"))


def _element_type(kind: inspect.Type, step: str | int) -> Any:
    """Return the type of the field `step` of a struct, or of the item `step` of a list."""
    kind, _ = _unwrap_type(kind)
    if isinstance(kind, inspect.StructType):
        return next(field.type for field in kind.fields if field.encode_name == step)
    if isinstance(kind, inspect.TupleType):
        return kind.item_types[int(step)]
    return kind.item_type  # type: ignore[attr-defined]


def _unwrap_type(kind: inspect.Type, prefers_text: bool = False) -> tuple[inspect.Type, str]:
    """Return a type without its annotations, and its description, "" if there is none.

    Of a union, the member that is a list is taken, or with `prefers_text` a member that is no list.
    """
    hint = ""
    while isinstance(kind, inspect.Metadata | inspect.UnionType):
        if isinstance(kind, inspect.Metadata):
            hint, kind = (kind.extra_json_schema or {}).get("description", ""), kind.type
        else:
            kinds = [member for member in kind.types if not isinstance(member, inspect.NoneType)]
            kind = max(kinds, key=lambda kind: hasattr(kind, "item_type") != prefers_text)
    return kind, hint
