"""Checks of templates: errors with the template's own line, and limits on what a template writes.

A template may write words, numbers and dates, no whole objects, and no more than a note may hold.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, time
from enum import Enum, StrEnum
from functools import wraps
from numbers import Number
from typing import TYPE_CHECKING, Any

from vaultkit.budget import Limit

if TYPE_CHECKING:
    from jinja2 import nodes

MAX_OUTPUT_CHARS = Limit("The output of this template has", 1_000_000, "letters", "Shorten its output.")
MAX_LISTED_ITEMS = 12
"""The maximum number of names that an error message lists."""
TOO_BIG_MESSAGE = "a number or a text gets too big"
"""The error message for text that is longer than a note may be."""


_DEBUG_INFO = re.compile(r"^debug_info = '([\d=&]*)'$", re.MULTILINE)
"""The pairs in Jinja2's generated code of a template line and the code line made from it: `template=code&...`."""


def check_text(value: object) -> object:
    """Return `value` if a note can show it as text: words, a number, a date or a time.

    Raises TypeError for any other value, such as a list or a whole object.
    """
    from jinja2 import Undefined

    is_plain_enum = isinstance(value, Enum) and not isinstance(value, StrEnum)
    if isinstance(value, str | Number | date | time | Undefined) and not is_plain_enum:
        return value  # an undefined value raises an error of its own
    raise TypeError(f"it writes {_describe(value)}")


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


def collect_text(parts: Iterable[str]) -> str:
    """Return the parts of a text joined. Raises BudgetExceeded as soon as they are longer than a note may be."""
    kept_parts, length = list[str](), 0
    for part in parts:
        MAX_OUTPUT_CHARS.check(length := length + len(part))
        kept_parts.append(part)
    return "".join(kept_parts)


def text_of(value: object) -> str:
    """Return a value as text.

    Raises TypeError for a value that a note cannot show as text, and BudgetExceeded for one whose text is too long.
    """
    return str(check_text(check_length(value)))


def check_length(value: object) -> object:
    """Return `value` if its text would not be too long, without making the text.

    The text of lists that contain one list many times may exceed any memory. Raises BudgetExceeded for a text that is
    too long, and TypeError for a namespace, since its contents may change later.
    """
    from jinja2.utils import Namespace

    min_chars, unchecked_values = 0, [value]
    while unchecked_values:
        item = unchecked_values.pop()
        if isinstance(item, Namespace):
            raise TypeError("a namespace can be neither stored in another value nor printed")
        if not isinstance(item, str | list | tuple | set | frozenset | dict):
            continue
        # An item of a collection takes at least as much text as `0, `.
        min_chars += len(item) * (1 if isinstance(item, str) else len("0, "))
        MAX_OUTPUT_CHARS.check(min_chars)
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
        return "a function instead of what it returns; call it with () after its name"
    if hasattr(value, "__iter__"):
        return "a whole list; write its items, for example: {{ items | join(', ') }}"
    return f"an object of the kind {type(value).__name__}, which is not text"


def _join_names(names: Any) -> str:
    """Return the first names, separated by commas, with dots for the rest."""
    parts = list(names)
    return ", ".join([*parts[:MAX_LISTED_ITEMS], *(["..."] if len(parts) > MAX_LISTED_ITEMS else [])])


@contextmanager
def template_errors(name: str | None, find_line: Callable[[], int]) -> Iterator[None]:
    """Convert errors of compiling the template `name` to TemplateSyntaxError; a TemplateError is raised unchanged.

    `find_line` is called for the line of the error. A template is a user's text, so no error of the compilers is an
    error of the program.
    """
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        yield
    except TemplateSyntaxError as error:
        error.name = error.name or name
        raise
    except TemplateError:
        raise
    except Exception as error:
        raise TemplateSyntaxError(_error_reason(error), find_line(), name) from error


def _error_reason(error: Exception) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    if re.search("nested blocks|indentation", message):
        return "its {% for %} and {% if %} are nested too deeply; move some of them into {% include %}"
    if isinstance(error, RecursionError | MemoryError) or "nested" in message:
        return "an expression or a block is nested too deeply; move a part of it into {% set %} or {% include %}"
    return message or type(error).__name__


def template_line(code: str, line: int) -> int:
    """Return the line of the template from which Jinja2 made the line `line` of its Python `code`."""
    match = _DEBUG_INFO.search(code)
    pairs = [pair.split("=") for pair in match[1].split("&") if pair] if match else []
    return max((int(source_line) for source_line, code_line in pairs if int(code_line) <= line), default=1)


def deepest_line(tree: "nodes.Node") -> int:
    """Return the line of the most deeply nested expression or block of a template."""
    level, line = [tree], 1
    while level:
        line = level[0].lineno or line
        level = [child for node in level for child in node.iter_child_nodes()]
    return line
