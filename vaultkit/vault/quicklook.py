"""Quick looks at a note while it is read anyway, which save reading it again: who else will want to see its text?"""

import re
from collections.abc import Mapping

_SPACED = re.compile(r"\]\((?:[^()<>\r\n ]++|\([^()\r\n]*+\))+ ")
_TABLE_RULE = re.compile(r"[\r\n][ \t>]*+(?:\|[ \t]*+:?-|:?-++:?[ \t]*+\|)")
_LONGEST_HEADER = 1000
_HASH = re.compile(r"[ \t]#\w")
_KEY_LINE = r"""["'\w][^\r\n:]*+:(?=[ \t\r\n])[^\r\n]*+"""
_MISPLACED = re.compile(
    r"\A(?!---[\r\n])(?P<before>\s*+)(?P<opening>---[^\r\n]*+)(?:\r\n|\n)"
    rf"(?P<yaml>{_KEY_LINE}(?:\r\n|\n)(?:(?:{_KEY_LINE}|[ \t][^\r\n]*+|-(?:[ \t][^\r\n]*+)?|)(?:\r\n|\n))*)"
    r"(?P<closing>---+)[ \t]*+(?:[\r\n]|\Z)"
)
DIE = re.compile(r"[dD][0-9%]")
"""A die somewhere in a table's header."""


def may_be_misread(properties: Mapping[str, object], text: str) -> bool:
    """Whether something may be written so that Obsidian cannot read it as it is meant; `lint` knows for sure."""
    tags = next((value for name, value in properties.items() if name.lower() == "tags"), "")
    return (
        holds_nested_list(properties)
        or any(wrong_tags(tags))
        or hides_tags(tags, text)
        or _SPACED.search(text) is not None
        or misplaced_properties(text) is not None
    )


def has_spaced_destination(text: str, start: int) -> bool:
    """Whether a Markdown destination at or behind `start` may have a space in it."""
    return _SPACED.search(text, start) is not None


def holds_nested_list(value: object, depth: int = 0) -> bool:
    """Whether a property holds a list in a list, as `[[X]]` is without quotes."""
    if isinstance(value, Mapping):
        return any(holds_nested_list(item) for item in value.values())
    return isinstance(value, list) and (depth > 0 or any(holds_nested_list(item, depth + 1) for item in value))


def wrong_tags(value: object) -> list[str]:
    """The texts of a `tags` property that are no tags, since they have a space or a comma (Y4)."""
    texts = (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
    return [text for text in texts if re.search(r"[\s,]", text.strip()) and not is_template(text)]


def hides_tags(value: object, text: str) -> bool:
    """Whether a `tags` property has nothing where a `#` stands in the frontmatter: `#npc` is a comment there (Y4)."""
    if value is not None and not (isinstance(value, list) and None in value):
        return False
    return _HASH.search(text, 0, max(text.find("\n---"), 0)) is not None


def misplaced_properties(text: str) -> re.Match[str] | None:
    """A block at the start of the text that is none of properties, since its first line is not just `---` (Y1).

    The match has the groups `before`, white space; `opening`, its first line; `yaml`; and `closing`, dashes.
    """
    return _MISPLACED.match(text)


def is_template(text: str) -> bool:
    """Whether something is filled in here when the note is used as a template: `{{title}}`, `<% tp.date.now() %>`."""
    return "{{" in text or "<%" in text


def may_have_rolls(text: str) -> bool:
    """Whether a die may head a table: there is one in a line above a table's rule."""
    rules = _TABLE_RULE.finditer(text) if "|" in text else ()
    return any(DIE.search(text, *_line_before(text, rule.start())) for rule in rules)


def _line_before(text: str, end: int) -> tuple[int, int]:
    """The extent of the line that ends at `end`."""
    if text.startswith("\n", end) and text.startswith("\r", end - 1):
        end -= 1
    start = max(0, end - _LONGEST_HEADER)
    return max(start, text.rfind("\n", start, end), text.rfind("\r", start, end)), end
