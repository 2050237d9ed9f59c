"""A reader of frontmatter: python-frontmatter's `parse` with a handler that reads as Obsidian does (Y1 to Y3).

Obsidian ignores a whole block that does not parse. This reader keeps the properties that parse by themselves, so that a
deck is found though its `aliases` are broken. It also returns a Problem, and code that writes refuses such a note.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from vaultkit.budget import Limit
from vaultkit.errors import Problem
from vaultkit.vault.links import TOP_PROPERTY
from vaultkit.vault.text_positions import LINE_END

_BLOCK = re.compile(r"\A---(?:\r\n|\n)(?P<yaml>(?:[^\n]*+\n)*?)---[ \t]*(?:\r\n|\n|\Z)")
_UNCLOSED = re.compile(r"---(?:\r\n|\n)[\w\"'-]+:")
_UNESCAPED_WORD = re.compile(r"(?!(?:null|true|false)\Z)[A-Za-z][A-Za-z_-]*|\[")
"""A word that YAML writes in one way only, unlike null, which may also be `~`; or `[`."""
_ERROR_POSITION = re.compile(r"at byte \d+ line (\d+) column (\d+)")
_ANCHOR = re.compile(r"(?:^|[\s\[{,:])([&*])[^\s,\[\]{}]", re.MULTILINE)
"""Possible anchors and aliases; matches within strings and comments are no real ones."""
_NAMED_ANCHOR = re.compile(r"(?:^|(?<=[\s\[{,:]))([&*])([^\s,\[\]{}]+)", re.MULTILINE)
_ONLY_IN_1_1 = {ord(sign): " " for sign in "\t\x85\u2028\u2029"}
"""Line ends of YAML 1.1 only, and tabs, which YAML 1.1 forbids in places where 1.2 allows them."""
_PROPERTY_LINE = re.compile(r"(?P<name>[ \t]*(?:- +)*(?:[^\s:#'\"\[{-][^:]*?:[ \t]+)?)(?P<value>\S.*?)[ \t]*")
_MAX_QUOTED_LINE_CHARS = 120
"""The length of the longest line that a hint shows again with its value in quotes."""
_PROPERTIES = "properties at the top of this note"
_TOP_PROPERTIES = f"The {_PROPERTIES}"
_TAKE_OUT = "Delete what is not a property, or move it below the line '---'."
MAX_CHARS = Limit(f"{_TOP_PROPERTIES} have", 200_000, "characters", _TAKE_OUT)
MAX_DEPTH = Limit(f"{_TOP_PROPERTIES} have", 32, "lists and maps within one another", _TAKE_OUT)
_MAX_ALIASES = Limit(f"{_TOP_PROPERTIES} repeat", 1_000, "values with '*'", _TAKE_OUT)
_MAX_EXPANDED_CHARS = Limit(f"With what '*' repeats, the {_PROPERTIES} have", 50_000, "characters", _TAKE_OUT)
"""The limit of the letters after aliases are replaced; ten times those of the YAML itself are always allowed."""
_DEEP_LINE = re.compile(rf"^(?:(?>(?:[^\n:?-]|[:?-](?![ \t]))*)[:?-][ \t]){{{MAX_DEPTH.maximum + 1}}}", re.MULTILINE)
"""A line on which so many lists and maps may begin: a dash, a colon or a question mark, each with a space behind it."""
_LONG_LINE = re.compile(rf"[^\n]{{{2 * MAX_DEPTH.maximum}}}")
_MAX_SEEMING_DEPTH = 100
"""The deepest nesting by a count of brackets and spaces, in strings too, that needs no closer look."""
_NO_PROPERTIES, _COMPOUND_KEY = "no properties", "key is a collection"


class Frontmatter(NamedTuple):
    """The properties with string keys, the offset in the text at which the body begins, and the problems.

    `is_broken` says that the YAML as a whole is invalid, so that Obsidian reads none of the properties (O9).
    """

    properties: Mapping[str, object]
    body_start: int
    problems: tuple[Problem, ...] = ()
    is_broken: bool = False


def body_start(text: str) -> int:
    """Return the offset at which the body begins in the text of a note."""
    block = _BLOCK.match(text)
    return block.end() if block else 0


def may_hold(block: str, word: str) -> bool:
    """Return whether the frontmatter `block` may have `word` in a key or value; True if escapes could hide it."""
    return not _UNESCAPED_WORD.fullmatch(word) or "\\" in block or "?" in block or word.lower() in block.lower()


def read(text: str, where: str) -> Frontmatter:
    """Return the frontmatter of a note. Never raises: malformed YAML adds a Problem, and what can be parsed is kept."""
    block = _BLOCK.match(text)
    if block is None:
        unclosed = _UNCLOSED.match(text)
        problem = _problem(
            where, 1, 1, f"{_TOP_PROPERTIES} have no closing '---'.", "Put a line '---' under the last of them."
        )
        return Frontmatter({}, 0, (problem,) if unclosed else ())
    if limit := _exceeded_limit(block["yaml"]):
        return Frontmatter({}, block.end(), (limit.problem(where, "frontmatter", 1),))
    try:
        properties = _parse_properties(block[0])
    except ValueError as error:
        recovered_frontmatter = _recover_properties(block, where, error)
        return recovered_frontmatter._replace(problems=()) if is_template(block["yaml"]) else recovered_frontmatter
    problems = tuple(_find_duplicates(block["yaml"], properties, where))
    return Frontmatter(properties, block.end(), problems, is_broken=bool(problems))


def is_template(text: str) -> bool:
    """Return whether a text has placeholders to fill in, such as `{{title}}` or `<% tp.date.now() %>`."""
    return "{{" in text or "<%" in text


def _exceeded_limit(yaml: str) -> Limit | None:
    """Return the limit for which the YAML must not be parsed, or None if it may be parsed."""
    if len(yaml) > MAX_CHARS.maximum:
        return MAX_CHARS
    anchors = _ANCHOR.findall(yaml) if "&" in yaml or "*" in yaml else []
    if not _seems_deep(yaml) and not _exceeded_by_aliases(yaml, anchors):
        return None
    tokens = _scan_anchors(yaml)
    by_aliases = _exceeded_by_aliases(yaml, [sign for sign, _ in tokens.marks])
    return by_aliases or (MAX_DEPTH if tokens.depth > MAX_DEPTH.maximum else None)


def _seems_deep(yaml: str) -> bool:
    """Return whether lists and maps may be nested too deeply; brackets and dashes within strings count, too."""
    if " " * (2 * _MAX_SEEMING_DEPTH) in yaml or _max_bracket_depth(yaml) > _MAX_SEEMING_DEPTH:
        return True
    return _LONG_LINE.search(yaml) is not None and _DEEP_LINE.search(yaml) is not None


def _max_bracket_depth(yaml: str) -> int:
    """Return the greatest possible nesting of lists and maps in brackets, or 0 if there are few brackets."""
    if yaml.count("[") + yaml.count("{") <= _MAX_SEEMING_DEPTH:
        return 0
    return max(accumulate(1 if sign in "[{" else -1 for sign in re.findall(r"[\[\]{}]", yaml)))


def _find_duplicates(yaml: str, properties: Mapping[str, object], where: str) -> Iterator[Problem]:
    """Yield a problem for each duplicate key; Obsidian then ignores the whole block."""
    if yaml.count(":") <= len(properties) or len(TOP_PROPERTY.findall(yaml)) <= len(properties):
        return
    names_above: set[str] = set()
    for lines_above, text in _split_top_level(yaml):
        try:
            names = _parse_properties(f"---\n{text}\n---\n")
        except ValueError:  # an alias whose anchor is in another property
            continue
        for name in names_above.intersection(names):
            message = f"The property '{name}' appears twice, so Obsidian reads no properties at all."
            yield Problem(where, lines_above + 2, 1, "frontmatter", message, "Delete one of them.")
        names_above.update(names)


def _recover_properties(block: re.Match[str], where: str, error: ValueError) -> Frontmatter:
    """Return the top-level properties that parse by themselves, and a problem for the first one that does not.

    If all parse by themselves, the problem is that of `error`, the error for the whole block.
    """
    properties: dict[str, object] = {}
    problem: Problem | None = None
    for lines_above, text in _split_top_level(block["yaml"]):
        try:
            for name, value in _parse_properties(f"---\n{text}\n---\n").items():
                properties.setdefault(name, value)
        except ValueError as part_error:
            if _has_alias_from_elsewhere(part_error, text, block["yaml"]):
                continue
            own_problem = _syntax_problem(part_error, where, text)
            line_count = len(LINE_END.split(text.rstrip()))
            problem = problem or replace(own_problem, line=lines_above + min(own_problem.line, line_count + 1))
    problem = problem or _syntax_problem(error, where, block["yaml"])
    return Frontmatter(properties, block.end(), (problem,), is_broken=True)


def _has_alias_from_elsewhere(error: ValueError, text: str, yaml: str) -> bool:
    """Return whether a property fails to parse only because its alias (`*a`) has the anchor (`&a`) in another one."""
    names = {match[1] for match in re.finditer(r"(?<!\S)\*([^\s,\[\]{}]+)", text)}
    return "unknown anchor" in str(error) and any(re.search(rf"&{re.escape(name)}(?!\S)", yaml) for name in names)


def _split_top_level(yaml: str) -> Iterator[tuple[int, str]]:
    """Yield, for each top-level property, the number of lines above it and its text."""
    starts = [match.start() for match in TOP_PROPERTY.finditer(yaml)]
    lines_above, previous_start = 0, 0
    for start, end in pairwise([*starts, len(yaml)]):
        lines_above += len(LINE_END.findall(yaml[previous_start:start]))
        previous_start = start
        yield lines_above, yaml[start:end]


def _exceeded_by_aliases(yaml: str, marks: Sequence[str]) -> Limit | None:
    """Return the limit that YAML may exceed when its aliases (`*x`) are replaced by the values of anchors (`&x`).

    `marks` are the signs of its anchors and aliases.
    """
    anchors, aliases = marks.count("&"), marks.count("*")
    if not anchors or not aliases:
        return None
    if aliases > _MAX_ALIASES.maximum:
        return _MAX_ALIASES
    levels = min(anchors, aliases)
    expanded_chars = len(yaml) * (1 + aliases / levels) ** levels
    return _MAX_EXPANDED_CHARS if expanded_chars > max(_MAX_EXPANDED_CHARS.maximum, 10 * len(yaml)) else None


class _AnchorScan(NamedTuple):
    """The anchors and aliases in YAML, as pairs of `&` or `*` and a name, and the greatest depth of lists and maps."""

    marks: list[tuple[str, str]]
    depth: int


def has_alias(yaml: str) -> bool:
    """Return whether an alias of the YAML, `*name`, follows its anchor, `&name`."""
    if "&" not in yaml or "*" not in yaml or not _ANCHOR.search(yaml):
        return False
    anchors = set[str]()
    for sign, name in _scan_anchors(yaml).marks:
        if sign == "&":
            anchors.add(name)
        elif name in anchors:
            return True
    return False


def _scan_anchors(yaml: str) -> _AnchorScan:
    """Return the anchors, aliases and depth of the YAML, ignoring strings and comments.

    If PyYAML, which reads YAML 1.1, cannot tokenize the text, every possible anchor and alias counts.
    """
    from yaml import AliasToken, AnchorToken, YAMLError, scan

    marks: list[tuple[str, str]] = []
    depth = deepest = 0
    try:
        for token in scan(yaml.translate(_ONLY_IN_1_1), _loader_class()):
            kind = type(token).__name__
            if isinstance(token, AnchorToken | AliasToken):
                marks.append(("&" if kind == "AnchorToken" else "*", token.value))
            depth += kind.endswith(("SequenceStartToken", "MappingStartToken"))
            depth -= kind in ("BlockEndToken", "FlowSequenceEndToken", "FlowMappingEndToken")
            deepest = max(deepest, depth)
            if depth > MAX_DEPTH.maximum:  # beyond this depth, the time for each token grows with the depth
                break
    except (YAMLError, ValueError):
        marks = [(match[1], match[2]) for match in _NAMED_ANCHOR.finditer(yaml)]
        return _AnchorScan(marks, MAX_DEPTH.maximum + _seems_deep(yaml))
    return _AnchorScan(marks, deepest)


@cache
def _loader_class() -> Any:
    """Return PyYAML's loader class; the fast one if PyYAML is built with libyaml."""
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _parse_properties(block: str) -> Mapping[str, object]:
    """Return the properties of a frontmatter block, with its `---` lines, parsed as YAML 1.2 (Y2).

    Do not pass a whole note: python-frontmatter copies and strips its whole argument.
    """
    properties, _ = _parse_function()(block)
    return {str(name): value for name, value in properties.items()}


@cache
def _parse_function() -> Any:
    """Return the `parse` function of python-frontmatter with our own handler."""
    import frontmatter
    import yaml12
    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        """A handler that splits notes as `read` does, and allows keys of any type, unlike `frontmatter.loads`."""

        FM_BOUNDARY = _BLOCK

        def split(self, text: str) -> tuple[str, str]:
            block = _BLOCK.match(text)
            return (block["yaml"], "") if block else ("", text)

        def load(self, fm: str) -> dict[str, Any]:
            values = _unwrap_values(yaml12.parse_yaml(fm))
            if values is None:
                return {}
            if not isinstance(values, dict):
                raise ValueError(_NO_PROPERTIES)
            return values

    return partial(frontmatter.parse, handler=Handler())


def _unwrap_values(value: Any, *, in_key: bool = False) -> Any:
    """Return a value without the wrappers of yaml12 around tagged values and around keys that are lists or maps.

    Raises ValueError for a key in a key (`in_key`) that is a list or a map: as text it would double at each level.
    """
    if isinstance(value, str):  # fast path: most values are strings
        return value
    if isinstance(value, dict):
        return {
            name if type(name) is str else _format_key(name, in_key=in_key): _unwrap_values(item, in_key=in_key)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [item if type(item) is str else _unwrap_values(item, in_key=in_key) for item in value]
    return _unwrap_values(value.value, in_key=in_key) if type(value).__name__ == "Yaml" else value


def _format_key(name: object, *, in_key: bool) -> str:
    """Return a key that may be no string, such as `true` or a list, as a string."""
    words = {None: "null", True: "true", False: "false"}
    if name is None or isinstance(name, bool):
        return words[name]
    value = _unwrap_values(name, in_key=True)
    if in_key and isinstance(value, list | dict):
        raise ValueError(_COMPOUND_KEY)
    return str(value)


def _syntax_problem(error: ValueError, where: str, yaml: str) -> Problem:
    """Return a problem for the parser's error in `yaml`; common mistakes are explained in plain words."""
    position_match = _ERROR_POSITION.search(str(error))
    reason = _ERROR_POSITION.sub("", str(error)).removeprefix("YAML parse error: ").strip()
    line, column = (int(position_match[1]) + 1, int(position_match[2])) if position_match else (1, 1)
    lines = LINE_END.split(yaml)
    source_line = lines[line - 2] if 2 <= line < len(lines) + 2 else lines[0]
    mistake, hint = _explain_error(reason, source_line, column)
    if mistake == _LIST_MISTAKE and yaml.count("[") <= yaml.count("]"):
        mistake, hint = "an item of a list in brackets has a colon, a bracket or a quote", _ITEM_HINT
    return _problem(where, line, column, f"{_TOP_PROPERTIES} cannot be read: {mistake}.", hint)


def _explain_error(reason: str, source_line: str, column: int) -> tuple[str, str]:
    """Return a description of the mistake in `source_line`, which the parser refuses at `column`, and a hint."""
    unknown = ("", f"YAML says '{reason}'", "Put quotes around the value that is not read.")
    _, mistake_text, hint = next((mistake for mistake in _MISTAKES if mistake[0] in reason), unknown)
    if (
        mistake_text == _COLON_MISTAKE
        and source_line[:1] in (" ", "\t")
        and ": " not in source_line[: column - 1].strip()
    ):
        return (
            "this line is indented, though the one above already has its value",
            "Delete the spaces at its beginning.",
        )
    if hint == _SHOW_QUOTED:
        fallback_hint = _ITEM_HINT if "[" in source_line and "," in source_line else _VALUE_HINT
        hint = f"Write {quoted_line}" if (quoted_line := _quote_value(source_line)) else fallback_hint
    return mistake_text, hint


_COLON_MISTAKE = "a value with a colon needs quotes"
_LIST_MISTAKE = "a list that begins with '[' has no ']'"
_ITEM_HINT = "Put quotes around that item, and none of the same kind within."
_VALUE_HINT = "Put quotes around the whole value."
_SHOW_QUOTED = "quote"
_MISTAKES = (
    ("mapping values are not allowed", _COLON_MISTAKE, _SHOW_QUOTED),
    ("tab", "it has a tab where only spaces are allowed", "Put spaces in place of the tab."),
    ("unexpected end of stream", "a quote is opened and not closed", _SHOW_QUOTED),
    ("trailing content after", "there is a quote within quotes, or text after them", _SHOW_QUOTED),
    ("parsing a flow sequence", _LIST_MISTAKE, "Put ']' after the last item, or quotes around the whole value."),
    ("parsing a flow mapping", "a value in brackets is not closed, or has a colon too many", _SHOW_QUOTED),
    ("did not find expected key", "there is text after the end of a value", _SHOW_QUOTED),
    ("misplaced bracket", "there is a bracket too many", "Delete it, or put quotes around the whole value."),
    ("unexpected character", "a value begins with a character that needs quotes", _SHOW_QUOTED),
    ("unknown anchor", "a value that begins with '*' needs quotes", _SHOW_QUOTED),
    ("block scalar", "a value that begins with '|' or '>' needs quotes", _SHOW_QUOTED),
    ("unknown escape", "a '\\' within double quotes has a meaning of its own", _SHOW_QUOTED),
    ("mapping keys are not allowed", "a value that begins with '?' needs quotes", _SHOW_QUOTED),
    ("block sequence entries", "a list begins on the line of its name", "Write each '- item' on a line of its own."),
    ("expect ':'", "this line is not a property, since it has no colon", "Write 'name: value', or put it below '---'."),
    (
        _COMPOUND_KEY,
        "the name of a property is a list or a map",
        "Put quotes around the name, and delete '? ' before it.",
    ),
    (_NO_PROPERTIES, "they are not of the form 'name: value'", "Write a name, a colon, a space and the value."),
)
"""Parts of the parser's messages, their meaning, and a hint; `_SHOW_QUOTED` means to show the line with quotes."""


def _quote_value(source_line: str) -> str:
    """Return the line with its value in quotes, or "" if the result cannot be parsed."""
    parts = _PROPERTY_LINE.fullmatch(source_line) if len(source_line) <= _MAX_QUOTED_LINE_CHARS else None
    if parts is None:
        return ""
    name, value, closing_bracket = parts["name"], parts["value"], ""
    if value.startswith("[") and value.endswith("]"):
        name, value, closing_bracket = f"{name}[", value[1:-1].strip(), "]"
        if "," in value:
            return ""
    if value[:1] in ("'", '"') and (value.endswith(value[0]) or value.count(value[0]) == 1):
        value = value[1:].removesuffix(value[0])
    if "'" in value:
        quoted_value = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    else:
        quoted_value = f"'{value}'" if '"' in value or "\\" in value else f'"{value}"'
    line = f"{name}{quoted_value}{closing_bracket}"
    list_line = "list:\n" if line.lstrip().startswith("-") else ""
    try:
        return line.strip() if _parse_properties(f"---\n{list_line}{line}\n---\n") else ""
    except ValueError:
        return ""


def _problem(where: str, line: int, column: int, message: str, hint: str) -> Problem:
    return Problem(where, line, column, "frontmatter", message, hint)
