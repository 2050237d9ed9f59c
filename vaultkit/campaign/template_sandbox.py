"""The sandbox of templates: what they may call, and how long they may run and how much they may write."""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from vaultkit.budget import Limit
from vaultkit.campaign.template_checks import (
    MAX_OUTPUT_CHARS,
    TOO_BIG_MESSAGE,
    check_length,
    check_text,
    collect_text,
    deepest_line,
    template_errors,
    template_line,
    text_of,
)

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_SOURCE_CHARS = Limit("This template has", 20_000, "letters", "Move a part into one that it includes.")
MAX_ROUNDS = Limit("This template takes", 20_000, "rounds of loops, macros and blocks", "Simplify it.")
MAX_SECONDS = Limit("This template takes", 5, "seconds", "Simplify it.")
"""The limit of the CPU time of one rendering.

Elapsed time would take a template for an endless one on a busy or sleeping computer.
"""
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
    """Raise an error if `pattern % filling` might be too long, or for a value that a note cannot show as text."""
    if _WIDE_DIRECTIVE.search(pattern):
        raise OverflowError(TOO_BIG_MESSAGE)
    check_length(filling)
    values = filling.values() if isinstance(filling, Mapping) else filling if isinstance(filling, tuple) else [filling]
    for value in values:
        check_text(value)
    max_value_chars = len(ascii(filling)) + _MAX_PADDING_CHARS
    MAX_OUTPUT_CHARS.check(len(pattern) + pattern.count("%") * max_value_chars)


def join_texts(values: Iterable[object], separator: str = "") -> str:
    """Return the texts of values with a separator between them. Raises BudgetExceeded if that would be too long."""
    parts = [text_of(value) for value in values]
    MAX_OUTPUT_CHARS.check(sum(map(len, parts)) + len(str(separator)) * len(parts))
    return str(separator).join(parts)


def _replace(text: object, old: str, new: str, count: int | None = None) -> str:
    full_text, max_count = text_of(text), -1 if count is None else count
    occurrences = full_text.count(str(old))
    MAX_OUTPUT_CHARS.check(
        len(full_text) + (occurrences if max_count < 0 else min(occurrences, max_count)) * len(str(new))
    )
    return full_text.replace(str(old), str(new), max_count)


def _indent(text: object, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Return what Jinja2's filter `indent` returns. Raises BudgetExceeded if that would be too long."""
    from jinja2.filters import do_indent

    full_text = text_of(text)
    indent_chars = len(width) if isinstance(width, str) else abs(width)
    MAX_OUTPUT_CHARS.check(len(full_text) + (len(full_text.splitlines()) + 1) * indent_chars)
    return do_indent(full_text, width, first, blank)


def _dump_json(value: object, **options: Any) -> str:
    """Return a value as JSON. Raises BudgetExceeded if its indentation makes it too long."""
    MAX_OUTPUT_CHARS.check(options.get("indent") or 0)
    return collect_text(json.JSONEncoder(**options).iterencode(check_length(value)))


BOUNDED_FILTERS: Mapping[str, Callable[..., str]] = {"format": _format, "replace": _replace, "indent": _indent}
"""Filters of Jinja2 whose results are limited to what a note may hold."""
_BOUNDED_METHODS: Mapping[str, Callable[..., str]] = {
    "join": lambda between, values: join_texts(values, between),
    "replace": _replace,
}
"""Methods of texts whose results are limited to what a note may hold."""


@cache
def sandbox_class() -> "type[ImmutableSandboxedEnvironment]":
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

        def visit_List(self, node: nodes.List | nodes.Dict | nodes.Tuple) -> nodes.Node:  # noqa: N802
            self.generic_visit(node)
            is_target = isinstance(node, nodes.Tuple) and node.ctx != "load"
            return node if is_target else call("weighed", node)

        visit_Dict = visit_Tuple = visit_List  # noqa: N815

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
            self.policies["json.dumps_function"] = _dump_json
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
                factor = right if isinstance(right, int) else _size(right)
                MAX_OUTPUT_CHARS.check(_size(left) * factor if operator == "*" else _size(left) + _size(right))
            if operator == "%" and isinstance(left, str):
                _refuse_filling(left, right)
            return check_length(super().call_binop(context, operator, left, right))

        def chain(self, *parts: Any) -> str:
            """Return the value of `a ~ b`. Raises BudgetExceeded for a text that is too long.

            Without this limit each step of a template could double a text.
            """
            return join_texts(parts)

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


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | list | tuple) else len(str(value))
