"""Frontmatter in, never out: python-frontmatter's `parse` with a handler that reads as Obsidian does (Y1 to Y3)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from vaultkit.errors import Problem

_BLOCK = re.compile(r"\A---(?:\r\n|\n)(?P<yaml>.*?)^---[ \t]*(?:\r\n|\n|\Z)", re.DOTALL | re.MULTILINE)
_UNCLOSED = re.compile(r"---(?:\r\n|\n)[\w\"'-]+:")
_PLACE = re.compile(r"at byte \d+ line (\d+) column (\d+)")
_ANCHOR = re.compile(r"(?:^|[\s\[{,:])([&*])[^\s,\[\]{}]", re.MULTILINE)
MAX_YAML = 200_000
"""Characters; frontmatter past this is refused, since no person writes it."""
MAX_EXPANDED = 10 * MAX_YAML
"""Characters that YAML's aliases may grow frontmatter to."""


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """Properties with string keys, the offset in the text where the body begins, and what was wrong."""

    properties: Mapping[str, object]
    body_start: int
    problems: tuple[Problem, ...] = ()


def read(text: str, where: str) -> Frontmatter:
    """The properties of a note's text. Malformed YAML gives no properties and a Problem, never an exception."""
    block = _BLOCK.match(text)
    if block is None:
        unclosed = _UNCLOSED.match(text)
        problem = _problem(where, 1, 1, "The frontmatter has no closing '---'.")
        return Frontmatter({}, 0, (problem,) if unclosed else ())
    if _expanded(block["yaml"]) > MAX_EXPANDED or len(block["yaml"]) > MAX_YAML:
        return Frontmatter({}, block.end(), (_problem(where, 1, 1, "The frontmatter is too long to be read."),))
    try:
        properties = _properties(block[0])
    except ValueError as error:
        return Frontmatter({}, block.end(), (_from_yaml(error, where),))
    return Frontmatter(properties, block.end())


def _expanded(yaml: str) -> int:
    """At most how long the YAML gets when every alias (`*x`) is replaced by what its anchor (`&x`) stands for."""
    marks = [match[1] for match in _ANCHOR.finditer(yaml)]
    anchors, aliases = marks.count("&"), marks.count("*")
    if not anchors or not aliases:
        return len(yaml)
    if aliases > 1000:
        return MAX_EXPANDED + 1
    levels = min(anchors, aliases)
    return int(len(yaml) * (1 + aliases / levels) ** levels)


def _properties(block: str) -> Mapping[str, object]:
    """All values by YAML 1.2 (Y2). Only the block is handed over, since `parse` copies and strips what it is given."""
    import frontmatter

    properties, _ = frontmatter.parse(block, handler=_handler())
    return {str(name): value for name, value in properties.items()}


@cache
def _handler() -> Any:
    import yaml12
    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        """Splits as `read` does. Keys may be of any type, which `frontmatter.loads` does not survive."""

        FM_BOUNDARY = _BLOCK

        def split(self, text: str) -> tuple[str, str]:
            block = _BLOCK.match(text)
            return (block["yaml"], "") if block else ("", text)

        def load(self, fm: str) -> dict[str, Any]:
            values = _plain(yaml12.parse_yaml(fm))
            if values is None:
                return {}
            if not isinstance(values, dict):
                raise ValueError("it is not a list of properties such as 'name: value'")
            return values

    return Handler()


def _plain(value: Any) -> Any:
    """Without the wrappers that yaml12 puts around tagged values and around keys that are lists or maps."""
    if type(value).__name__ == "Yaml":
        return _plain(value.value)
    if isinstance(value, dict):
        return {_key(name): _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _key(name: object) -> str:
    """A property's name as YAML writes it."""
    words = {None: "null", True: "true", False: "false"}
    return words[name] if name is None or isinstance(name, bool) else str(_plain(name))


def _from_yaml(error: ValueError, where: str) -> Problem:
    place = _PLACE.search(str(error))
    reason = _PLACE.sub("", str(error)).removeprefix("YAML parse error: ").strip()
    line, column = (int(place[1]) + 1, int(place[2])) if place else (1, 1)
    return _problem(where, line, column, f"The frontmatter is not valid YAML ({reason}).")


def _problem(where: str, line: int, column: int, message: str) -> Problem:
    hint = "Put quotes around values that hold a colon, a bracket or a quote; close the block with a line '---'."
    return Problem(where, line, column, "frontmatter", message, hint)
