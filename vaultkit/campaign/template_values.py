"""Checks of what a template writes: words, numbers and dates, no whole objects, and no more than a note may hold."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import Enum, StrEnum
from functools import wraps
from numbers import Number
from typing import Any

MAX_OUTPUT_CHARS = 1_000_000
"""The maximum length in characters of one rendered note."""
MAX_LISTED_ITEMS = 12
"""The maximum number of names that an error message lists."""
TOO_BIG_MESSAGE = "a number or a text gets too big"
"""The error message for text that is longer than a note may be."""


def check_text(value: object) -> object:
    """Return `value` if a note can show it as text: words, a number, a date or a time.

    Raises TypeError for any other value, such as a list or a whole object.
    """
    from jinja2 import Undefined

    is_plain_enum = isinstance(value, Enum) and not isinstance(value, StrEnum)
    if isinstance(value, str | Number | date | time | Undefined) and not is_plain_enum:
        return value  # an undefined value raises an error of its own
    raise TypeError(f"it writes {_describe(value)}")


def check_filling(filling: object) -> object:
    """Return `filling`, the value or values that fill a pattern such as `%s and %s`, after a check of each.

    Raises TypeError for a value that a note cannot show as text.
    """
    filling_values = (
        filling.values() if isinstance(filling, Mapping) else filling if isinstance(filling, tuple) else (filling,)
    )
    for value in filling_values:
        check_text(value)
    return filling


def text_filter(filter_function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the filter `filter_function` with a check.

    It raises TypeError for a value that a note cannot show as text. The value to filter is the first argument, or the
    second for a filter marked by Jinja2 as one that gets the environment first.
    """
    text_index = 1 if hasattr(filter_function, "jinja_pass_arg") else 0

    @wraps(filter_function)
    def apply_checked(*values: Any, **keywords: Any) -> Any:
        check_text(values[text_index])
        return filter_function(*values, **keywords)

    return apply_checked


def refuse_long(length: int) -> None:
    """Raise OverflowError if `length` is more characters than a note may hold."""
    if length > MAX_OUTPUT_CHARS:
        raise OverflowError(TOO_BIG_MESSAGE)


def text_of(value: object) -> str:
    """Return a value as text.

    Raises TypeError for a value that a note cannot show as text, and OverflowError for one whose text is too long.
    """
    return str(check_text(check_length(value)))


def check_length(value: object) -> object:
    """Return `value` if its text would not be too long, without making the text.

    The text of lists that contain one list many times may exceed any memory. Raises OverflowError for a text that is
    too long, and TypeError for a namespace, since its contents may change later.
    """
    from jinja2.utils import Namespace

    min_chars, unchecked_values = 0, [value]
    while unchecked_values:
        item = unchecked_values.pop()
        if isinstance(item, Namespace):
            raise TypeError("a namespace may stand in no other value, and is not written")
        if not isinstance(item, str | list | tuple | set | frozenset | dict):
            continue
        # An item of a collection takes at least as much text as `0, `.
        min_chars += len(item) * (1 if isinstance(item, str) else len("0, "))
        refuse_long(min_chars)
        if isinstance(item, dict):
            unchecked_values += [*item.keys(), *item.values()]
        elif not isinstance(item, str):
            unchecked_values += item
    return value


def _describe(value: object) -> str:
    """Return what kind of object `value` is, for an error message, and what to write in the template instead."""
    if value is None:
        return "None, a value that is missing here; write instead, for example: {{ value | default('–', true) }}"
    if isinstance(value, Mapping):
        return f"a table of values instead of one of them ({_join_names(map(str, value))})"
    if is_dataclass(value):
        names = _join_names(field.name for field in fields(value))
        return f"a whole {type(value).__name__} instead of one of its parts ({names})"
    if callable(value):
        return "a function instead of what it returns; call it with () behind its name"
    if hasattr(value, "__iter__"):
        return "a whole list; write its items, for example: {{ items | join(', ') }}"
    return f"an object of the kind {type(value).__name__}, which is not text"


def _join_names(names: Any) -> str:
    """Return the first names, separated by commas, with dots for the rest."""
    parts = list(names)
    return ", ".join([*parts[:MAX_LISTED_ITEMS], *(["..."] if len(parts) > MAX_LISTED_ITEMS else [])])
