"""Errors in templates that Jinja2 or Python cannot compile, with the template's own line."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import nodes

_DEBUG_INFO = re.compile(r"^debug_info = '([\d=&]*)'$", re.MULTILINE)
"""The pairs in Jinja2's generated code of a template line and the code line made from it: `template=code&...`."""


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
