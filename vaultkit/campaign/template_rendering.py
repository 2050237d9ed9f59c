"""Rendering of the templates of notes in a sandbox; a vault's own template takes precedence over the shipped one.

A template sees plain values only, reads no file but other templates, and cannot run for ever. Errors name the template
and the line.
"""

import re
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit import resources
from vaultkit.budget import Limit
from vaultkit.campaign.template_checks import (
    MAX_OUTPUT_CHARS,
    TOO_BIG_MESSAGE,
    check_filling,
    check_length,
    check_text,
    deepest_line,
    refuse_long,
    template_errors,
    template_line,
    text_filter,
    text_of,
)
from vaultkit.compendium.words import load_words
from vaultkit.errors import BudgetExceeded, InvalidError
from vaultkit.vault import Note
from vaultkit.vault.writing import escape

if TYPE_CHECKING:
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_ROUNDS = Limit("This template takes", 20_000, "rounds of loops, macros and blocks", "Let it do less.")
MAX_SECONDS = Limit("This template takes", 5, "seconds", "Let it do less.")
"""The limit of the CPU time of one rendering.

Elapsed time would take a template for an endless one on a busy or sleeping computer.
"""
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
            error.where = _line_of(place, line, vault)
            raise
        raise _template_error(place, line, str(error) or type(error).__name__, vault) from error


def render_line(name: str, context: Mapping[str, object], block: str, vault: Path | None) -> str:
    """Return one line that ends with the block id `block`, by which it is found again.

    Raises InvalidError for a template that fails or makes no such line.
    """
    line = render(name, {**context, "block": block}, vault).strip()
    if (lines := len(line.splitlines())) > 1:
        message = f"This template makes {lines} lines, and must make one that ends with its block id."
        hint = f"The second is '{line.splitlines()[1].strip():.60}'. Put both on one line."
        raise InvalidError(message, where=where_of(name, vault), hint=hint)
    if not line.endswith(f" ^{block}"):
        raise InvalidError(
            "This template must make one line that ends with its block id.",
            where=where_of(name, vault),
            hint="Put ^{{ block }} at its end, behind a space: without it the same thing would be logged twice.",
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
        line = text.splitlines()[problem.line - 1].strip()
        message = f"This template makes properties that Obsidian cannot read: {problem.message}"
        hint = f"The line is '{line:.60}'. {problem.hint or 'Put | yaml behind its value.'}"
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
    parts: list[str] = []
    length = 0
    for part in environment.get_template(name).generate(**context):
        refuse_long(length := length + len(part))
        parts.append(part)
    if not (text := "".join(parts)).isascii() and re.search("[\ud800-\udfff]", text):
        raise ValueError("it writes half of a character, which no file can hold")
    return text


@lru_cache(maxsize=8)
def _environment(vault: Path | None) -> Any:
    """Return the sandbox for one vault, cached with its compiled templates while their files do not change."""
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.filters import make_attrgetter

    environment = _sandbox()(
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
        return _join(map(make_attrgetter(environment, attribute), values) if attribute else values, d)

    def word(english: str, **values: object) -> str:
        texts = {name: text_of(value) for name, value in values.items()}
        refuse_long(sum(map(len, texts.values())) * len(english))
        return load_words(vault)(str(english), **texts)

    def format_count(number: float, noun: str, plural: str = "") -> str:
        return load_words(vault).count(number, noun, plural)

    own_filters |= {"word": word, "counted": format_count}
    text_filters = {name: text_filter(apply) for name, apply in own_filters.items()}
    bounded_filters = {"format": _format, "join": join, "replace": _replace, "indent": _indent}
    environment.filters = allowed_filters | text_filters | bounded_filters
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
_METHODS = frozenset((
    "capitalize", "casefold", "count", "endswith", "find", "get", "index", "isalnum", "isalpha", "isdigit",
    "islower", "isoformat", "isupper", "items", "keys", "lower", "lstrip", "partition", "removeprefix",
    "removesuffix", "rfind", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip",
    "swapcase", "title", "upper", "values", "weekday", "isoweekday", "strftime",
))  # fmt: skip
"""The methods of texts, lists, maps and dates that a template may call.

Their running time and output do not exceed the size of their input.
"""
_DATA_TYPES = (str, bytes, int, float, list, tuple, dict, set, frozenset, date)
_WIDE_DIRECTIVE = re.compile(r"%(?:\([^()]*\))?[^a-zA-Z%(]*(?:\d{4}|\*)|%\([^()]*\(")
"""A directive whose width is above 999 or comes from a value, or with brackets in its name.

The end of such a name is hard to find.
"""
_MAX_PADDING_CHARS = 2_000
"""The highest number of characters that a directive other than _WIDE_DIRECTIVE adds to its value."""


def _format(pattern: object, *values: object, **keywords: object) -> str:
    """Return a pattern filled with values, as the filter in `"%s, %s" | format(a, b)`."""
    text, filling = str(pattern), keywords or values
    _refuse_filling(text, filling)
    return text % filling


def _refuse_filling(pattern: str, filling: object) -> None:
    """Raise an error if `pattern % filling` might be too long."""
    if _WIDE_DIRECTIVE.search(pattern):
        raise OverflowError(TOO_BIG_MESSAGE)
    max_value_chars = len(ascii(check_filling(check_length(filling)))) + _MAX_PADDING_CHARS
    refuse_long(len(pattern) + pattern.count("%") * max_value_chars)


def _join(values: Iterable[object], separator: str = "") -> str:
    parts = [text_of(value) for value in values]
    refuse_long(sum(map(len, parts)) + len(str(separator)) * len(parts))
    return str(separator).join(parts)


def _replace(text: object, old: str, new: str, count: int | None = None) -> str:
    full_text, max_count = text_of(text), -1 if count is None else count
    occurrences = full_text.count(str(old))
    refuse_long(len(full_text) + (occurrences if max_count < 0 else min(occurrences, max_count)) * len(str(new)))
    return full_text.replace(str(old), str(new), max_count)


def _indent(text: object, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Return what Jinja2's filter `indent` returns. Raises BudgetExceeded if that would be too long."""
    from jinja2.filters import do_indent

    full_text = text_of(text)
    indent_chars = len(width) if isinstance(width, str) else abs(width)
    refuse_long(len(full_text) + (len(full_text.splitlines()) + 1) * indent_chars)
    return do_indent(full_text, width, first, blank)


_BOUNDED_METHODS: Mapping[str, Callable[..., str]] = {
    "join": lambda between, values: _join(values, between),
    "replace": _replace,
}
"""Methods of texts whose results are limited to what a note may hold."""


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

    def is_current() -> bool:
        now = find_template(name, vault)
        return now == file and (now.stat().st_mtime_ns, now.stat().st_size) == (status.st_mtime_ns, status.st_size)

    return source, _TRACEBACK_PREFIX + name, is_current


_TRACEBACK_PREFIX = "template: "
"""The prefix of a template's file name in tracebacks."""
_TEMPLATE_ERRORS = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError, MemoryError)
"""The errors of Python that an expression in a template can cause."""


@cache
def _sandbox() -> "type[ImmutableSandboxedEnvironment]":
    """Return the class of the sandbox.

    It is built when first needed, since importing Jinja2 would slow down every start.
    """
    from jinja2 import nodes
    from jinja2.exceptions import SecurityError
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from jinja2.utils import Namespace
    from jinja2.visitor import NodeTransformer

    def call(name: str, *values: Any) -> nodes.Call:
        call_node = nodes.Call(nodes.EnvironmentAttribute(name), [*values], [], None, None)
        call_node.set_lineno(values[0].lineno)
        return call_node

    class Guarded(NodeTransformer):
        """A transformer that adds checks where Jinja2 has none; the method names say which nodes they visit."""

        def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
            self.generic_visit(node)
            return call("chain", *node.nodes)

        def visit_List(self, node: nodes.List | nodes.Dict) -> nodes.Node:  # noqa: N802
            self.generic_visit(node)
            return call("weighed", node)

        visit_Dict = visit_List  # noqa: N815

        def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
            self.generic_visit(node)
            return call("weighed", node) if node.ctx == "load" else node

        def visit_Assign(self, node: nodes.Assign) -> nodes.Node:  # noqa: N802
            self.generic_visit(node)
            if isinstance(node.target, nodes.NSRef):
                node.node = call("weighed", node.node)
            return node

    class Bounded(ImmutableSandboxedEnvironment):
        """A sandbox that counts the rounds of every loop, macro and block, which Jinja2's own does not limit."""

        weighed = staticmethod(check_length)
        intercepted_binops = frozenset({"*", "**", "+", "%"})

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.begin()

        def begin(self) -> None:
            self.rounds = 0
            self.began = time.thread_time()

        def tick(self) -> None:
            self.rounds += 1
            MAX_ROUNDS.check(self.rounds)
            MAX_SECONDS.check(time.thread_time() - self.began)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            numbers = isinstance(left, int | float) and isinstance(right, int | float)
            if (numbers and max(map(abs, (left, right))) > MAX_OUTPUT_CHARS.maximum) or (
                operator == "**" and right > 16
            ):
                raise SecurityError(TOO_BIG_MESSAGE)
            if not numbers:
                refuse_long(_size(left) * _repetitions(right) if operator == "*" else _size(left) + _size(right))
            if operator == "%" and isinstance(left, str):
                _refuse_filling(left, right)
            return check_length(super().call_binop(context, operator, left, right))

        def chain(self, *parts: Any) -> str:
            """Return the value of `a ~ b`. Raises BudgetExceeded for a text that is too long.

            Without this limit each step of a template could double a text.
            """
            texts = [text_of(part) for part in parts]
            refuse_long(sum(map(len, texts)))
            return "".join(texts)

        def call(self, context: Any, callee: Any, *values: Any, **keywords: Any) -> Any:
            owner, name = getattr(callee, "__self__", None), getattr(callee, "__name__", "")
            if isinstance(owner, str) and name in _BOUNDED_METHODS:
                return _BOUNDED_METHODS[name](owner, *values, **keywords)
            if name in ("format", "format_map") or (isinstance(owner, _DATA_TYPES) and name not in _METHODS):
                raise SecurityError(f"'{name}' may not be called")
            if name == "strftime" and _WIDE_DIRECTIVE.search(str((values, keywords))):
                raise SecurityError(TOO_BIG_MESSAGE)
            if callee in (dict, Namespace):
                check_length([*values, *keywords.values()])
            return super().call(context, callee, *values, **keywords)

        def compile(self, source: Any, name: str | None = None, *options: Any, **keywords: Any) -> Any:
            tree = self.parse(source, name) if isinstance(source, str) else source
            with template_errors(name, lambda: deepest_line(tree)):
                return super().compile(tree, name, *options, **keywords)

        def _compile(self, source: str, filename: str) -> Any:
            generated_line = 0
            with template_errors(None, lambda: template_line(source, generated_line)):
                try:
                    return super()._compile(source, filename)
                except SyntaxError as error:
                    generated_line = error.lineno or 0
                    raise

        def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
            parser = Parser(self, source, name, filename)
            with template_errors(name, lambda: parser.stream.current.lineno):
                tree = parser.parse()
            with template_errors(name, lambda: deepest_line(tree)):
                return self._guard(tree)

        def _guard(self, tree: nodes.Template) -> nodes.Template:
            tree = Guarded().visit(tree)
            repeated: Any = tree.find_all((nodes.For, nodes.Macro, nodes.CallBlock, nodes.Block))
            bodies = [(node.body, node.lineno) for node in repeated]
            if tree.find(nodes.Extends) is None:
                bodies.append((tree.body, 1))
            for body, line in bodies:
                call = nodes.Call(nodes.EnvironmentAttribute("tick"), [], [], None, None)
                body.insert(0, nodes.ExprStmt(call).set_lineno(line))
            return tree

    return Bounded


def _repetitions(factor: object) -> int:
    return factor if isinstance(factor, int) else _size(factor)


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | list | tuple) else len(str(value))


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
