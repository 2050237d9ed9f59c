"""Rendering of the templates of notes in a sandbox; a vault's own template takes precedence over the shipped one.

A template sees plain values only, reads no file but other templates, and cannot run for ever. Errors name the template
and the line.
"""

import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit import resources
from vaultkit.campaign.template_checks import (
    MAX_OUTPUT_CHARS,
    check_length,
    check_text,
    collect_text,
    text_filter,
    text_of,
)
from vaultkit.campaign.template_sandbox import BOUNDED_FILTERS, MAX_SOURCE_CHARS, join_texts, sandbox_class
from vaultkit.compendium.words import load_words
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.vault import Note
from vaultkit.vault.text_positions import LINE_END
from vaultkit.vault.writing import escape

if TYPE_CHECKING:
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

SHIPPED = "shipped/"
"""The prefix for our own templates, as in `{% extends "shipped/session-note.md.j2" %}`.

It is needed if the vault has a template of the same name.
"""


def render(name: str, context: Mapping[str, object], vault: Path | None) -> str:
    """Return the text of the template `name`. Raises InvalidError that names the template and the line."""
    from jinja2 import TemplateError, TemplateSyntaxError

    environment = _environment(vault)
    environment.begin()
    try:
        return _generate_text(environment, name, context)
    except TemplateSyntaxError as error:
        raise _template_error(error.name or name, error.lineno, error.message or "it cannot be read", vault) from error
    except (TemplateError, BudgetExceeded, *_TEMPLATE_ERRORS) as error:
        place, line = _error_place(error, name)
        if isinstance(error, BudgetExceeded):
            error.where = error.where or _line_of(place, line, vault)
            raise
        raise _template_error(place, line, str(error) or type(error).__name__, vault) from error


def render_line(name: str, context: Mapping[str, object], block: str, vault: Path | None) -> str:
    """Return one line that ends with the block id `block`, by which it is found again.

    Raises InvalidError for a template that fails or makes no such line.
    """
    line = render(name, {**context, "block": block}, vault).strip()
    if len(lines := LINE_END.split(line)) > 1:
        message = f"This template makes {len(lines)} lines, and must make one that ends with its block id."
        hint = f"The second is '{lines[1].strip():.60}'. Put both on one line."
        raise InvalidError(message, where=where_of(name, vault), hint=hint)
    if not line.endswith(f" ^{block}"):
        raise InvalidError(
            "This template must make one line that ends with its block id.",
            where=where_of(name, vault),
            hint="Put ^{{ block }} at its end, after a space: without it the same thing would be logged twice.",
        )
    return line


def render_note(name: str, context: Mapping[str, object], key: str, vault: Path | None) -> str:
    """Return a note with the property `key` that identifies it, such as `vaultkit-session`.

    The context has the value of the property under the key without `vaultkit-`, such as `session`. Raises InvalidError
    for a template that fails, makes properties that Obsidian cannot read, or does not write the property with that
    value.
    """
    text, context_key = render(name, context, vault), key.removeprefix("vaultkit-")
    note = Note(name, text.encode("utf-8"))
    if problem := next(iter(note.problems), None):
        line = LINE_END.split(text)[problem.line - 1].strip()
        message = f"This template makes properties that Obsidian cannot read: {problem.message}"
        hint = f"The line is '{line:.60}'. {problem.hint or 'Put | yaml after its value.'}"
        raise InvalidError(message, where=where_of(name, vault), hint=hint)
    if note.property(key) != context[context_key]:
        raise InvalidError(
            f"This template must write the property '{key}'.",
            where=where_of(name, vault),
            hint=f"Without `{key}: {{{{ {context_key} }}}}` its note is not found again, "
            "and the same thing written twice.",
        )
    return text if text.endswith("\n") else f"{text}\n"


def parse_template(name: str, vault: Path | None) -> "tuple[str, nodes.Template]":
    """Return the source of the template `name` and its syntax tree, without rendering it.

    Raises InvalidError that names the template and the line.
    """
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    environment = _environment(vault)
    try:
        text: str = environment.loader.get_source(environment, name)[0]
        tree: nodes.Template = environment.parse(text)
        environment.compile(tree)  # only this finds unknown filters and tests
    except TemplateNotFound as error:
        raise _template_error(name, 0, "it cannot be found", vault) from error
    except TemplateSyntaxError as error:
        raise _template_error(name, error.lineno, error.message or "it cannot be read", vault) from error
    return text, tree


def _generate_text(environment: "ImmutableSandboxedEnvironment", name: str, context: Mapping[str, object]) -> str:
    """Return the text of a template. Raises BudgetExceeded if it is too long, ValueError for a lone surrogate."""
    text = collect_text(environment.get_template(name).generate(**context))
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise ValueError("it writes half of a character, which no file can hold")
    return text


@lru_cache(maxsize=8)
def _environment(vault: Path | None) -> Any:
    """Return the sandbox for one vault, cached with its compiled templates while their files do not change."""
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.filters import make_attrgetter

    environment = sandbox_class()(
        loader=FunctionLoader(lambda name: _load_source(name, vault)),
        undefined=StrictUndefined,
        autoescape=False,  # notes are not HTML; the filters below make text safe
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: check_text(check_length(value)),
    )
    allowed_filters = {name: environment.filters[name] for name in _FILTERS}
    allowed_filters |= {name: text_filter(environment.filters[name]) for name in _TEXT_FILTERS}
    own_filters: dict[str, Callable[..., str]] = {
        "md": escape.escape_markdown,
        "yaml": escape.format_yaml_scalar,
        "property": escape.escape_property,
    }

    def join(values: Iterable[object], d: str = "", attribute: str | None = None) -> str:
        return join_texts(map(make_attrgetter(environment, attribute), values) if attribute else values, d)

    def word(english: str, **values: object) -> str:
        texts = {name: text_of(value) for name, value in values.items()}
        MAX_OUTPUT_CHARS.check(sum(map(len, texts.values())) * len(english))
        return load_words(vault)(str(english), **texts)

    def format_count(number: float, noun: str, plural: str = "") -> str:
        return load_words(vault).count(number, noun, plural)

    own_filters |= {"word": word, "counted": format_count}
    text_filters = {name: text_filter(apply) for name, apply in own_filters.items()}
    environment.filters = {**allowed_filters, **text_filters, **BOUNDED_FILTERS, "join": join}
    environment.globals = {name: environment.globals[name] for name in _GLOBALS}
    return environment


_FILTERS = (
    "abs", "count", "d", "default", "dictsort", "first", "float", "groupby", "int", "items", "last",
    "length", "list", "map", "max", "min", "reject", "rejectattr", "reverse", "round", "select", "selectattr",
    "sort", "sum", "tojson", "unique", "urlencode",
)  # fmt: skip
"""The filters of Jinja2 whose running time and output do not exceed the size of their input."""
_TEXT_FILTERS = ("capitalize", "lower", "string", "striptags", "title", "trim", "truncate", "upper", "wordcount")
"""The filters of Jinja2 that convert any value to a text."""
_GLOBALS = ("cycler", "dict", "joiner", "namespace", "range")


def find_template(name: str, vault: Path | None) -> Path | None:
    """Return the file of a template: the vault's own before ours, unless `name` begins with SHIPPED; None for none."""
    return resources.find("templates", name.removeprefix(SHIPPED), None if name.startswith(SHIPPED) else vault)


def _load_source(name: str, vault: Path | None) -> tuple[str, str, Callable[[], bool]] | None:
    """Return a template's source, its name in tracebacks, and a function that says whether the source is current.

    None if there is no such file in our folders.
    """
    file = find_template(name, vault)
    if file is None:
        return None
    source, status = resources.read_user_text(file, "template", name), file.stat()
    MAX_SOURCE_CHARS.check(len(source), where_of(name, vault))

    def is_current() -> bool:
        now = find_template(name, vault)
        return now == file and (now.stat().st_mtime_ns, now.stat().st_size) == (status.st_mtime_ns, status.st_size)

    return source, _TRACEBACK_PREFIX + name, is_current


_TRACEBACK_PREFIX = "template: "
"""The prefix of a template's file name in tracebacks."""
_TEMPLATE_ERRORS = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError)
"""The errors of Python that an expression in a template can cause."""


def _error_place(error: BaseException, name: str) -> tuple[str, int]:
    """Return the template and the line in which an error occurred: the innermost frame that is a template's."""
    all_frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in all_frames if frame.filename.startswith(_TRACEBACK_PREFIX)]
    return (frames[-1].filename.removeprefix(_TRACEBACK_PREFIX), frames[-1].lineno or 0) if frames else (name, 0)


def _template_error(name: str, line: int, reason: str, vault: Path | None) -> InvalidError:
    where = where_of(name, vault)
    message = f"This template cannot be used: {reason.rstrip('.')}."
    hint = "Correct it, or delete it to use the one that ships with vaultkit." if where != name else ""
    return InvalidError(message, where=_line_of(name, line, vault), hint=hint)


def _line_of(name: str, line: int, vault: Path | None) -> str:
    return f"{where_of(name, vault)}:{line}" if line else where_of(name, vault)


def where_of(name: str, vault: Path | None) -> str:
    """Return the place of a template: the vault path of the vault's own, the name of a shipped one."""
    file = find_template(name, vault)
    is_own = file is not None and vault is not None and file.is_relative_to(vault)
    return f".vaultkit/templates/{name}" if is_own else name
