"""Changes of one property of a note that keep the comments, quotes, order and line ends of the frontmatter.

Only the property's own lines change, and an edit is used only if it is parsed as expected (Y1 to Y5).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.writing import yaml_edit
from vaultkit.vault.writing.escape import clean_line
from vaultkit.vault.writing.splice import Splice, smallest_splice
from vaultkit.vault.writing.yaml_edit import Property

Value = str | float | bool | Sequence[str]
"""The type of a property's value: a text, a number, a checkbox, or a list of texts. Dates and times are texts."""

_FLOW_MAPPING = re.compile(r"(?:\s|#[^\n]*\n)*\{")
_KEY = re.compile(
    r"""^(?:"(?:[^"\\\r\n]|\\.)*" | '(?:[^'\r\n]|'')*'
        | (?:[^\s\#\-?:,\[\]{}&*!|>%@`"'] | [-?:](?=\S)) [^\r\n]*?) [ \t]*:(?=\s)""",
    re.MULTILINE | re.VERBOSE,
)
_DASH = re.compile(r"^ *-(?= )", re.MULTILINE)
_LOST_IF_REWRITTEN = re.compile(r"#|[&*]\w")
"""A comment, anchor or alias, which would be lost if the whole lines were rewritten."""


def set_property(note: Note, name: str, value: Value) -> Splice | None:
    """Return the splice that sets the property `name`, in any letter case, to `value`; None if it is set already.

    A missing property is added at the end. Raises WriteError if the frontmatter cannot be read, or cannot be changed
    without a change of something else.
    """
    prop = _find_property(note, name)
    new_value = value if isinstance(value, str | int | float) else list(value)
    return None if prop.yaml and yaml_edit.is_same_value(prop.value, new_value) else _make_splice(note, prop, new_value)


def edit_list(note: Note, name: str, keeps_item: Callable[[str], bool], new_items: Sequence[str]) -> Splice | None:
    """Return the splice that filters and extends the list in the property `name`; None if nothing changes.

    `keeps_item` returns whether an item, given as a text, is kept; those of `new_items` that the list lacks go to its
    end. A missing property is added, and a single text or number becomes a list. Raises WriteError if the frontmatter
    cannot be read or safely changed, or if the property is a map.
    """
    prop = _find_property(note, name)
    if isinstance(prop.value, Mapping):
        raise _refusal_error(note, f'The property "{prop.name}" is not a list.')
    items = prop.value if isinstance(prop.value, list) else [item for item in [prop.value] if item not in (None, "")]
    kept_items = [item for item in items if all(map(keeps_item, texts([item])))]
    missing_items = [item for item in new_items if item not in kept_items]
    return (
        None
        if prop.value is not None and len(kept_items) == len(items) and not missing_items
        else _make_splice(note, prop, kept_items + missing_items)
    )


def _find_property(note: Note, name: str) -> Property:
    """Return the property `name` of a note, with its lines and the frontmatter around them.

    Raises WriteError if it cannot be the name of a property, or if the frontmatter cannot be safely changed.
    """
    if not name or clean_line(name) != name:
        raise WriteError(f"{name!r} cannot be the name of a property.", where=note.path, hint="Use one line of text.")
    for problem in frontmatter.read(note.text, note.path).problems:
        raise WriteError(problem.message, where=f"{note.path}:{problem.line}", hint=problem.hint)
    newline = note.encoded.newline
    head = note.text[: note.body_start] or f"---{newline}---{newline}"
    content_start, content_end = head.index("\n") + 1, head.rindex("\n", 0, len(head.rstrip())) + 1
    if _FLOW_MAPPING.match(head, content_start):
        raise _refusal_error(note, "The frontmatter is JSON and would have to be written anew.")
    starts = [*(match.start() for match in _KEY.finditer(head, content_start, content_end)), content_end, content_end]
    indices = [index for index, key in enumerate(note.properties) if key.lower() == name.lower()]
    if len(indices) > 1 or len(starts) - 2 != len(note.properties):
        raise _refusal_error(note, "The frontmatter names a property twice, or is too unusual to be changed safely.")
    index = indices[0] if indices else -2
    start, end = starts[index], starts[index + 1]
    spelling = list(note.properties)[index] if indices else name
    dash = _DASH.search(head, content_start, content_end)
    value = note.properties.get(spelling)
    return Property(spelling, value, head[:start], head[start:end], head[end:], newline, dash[0] if dash else "  -")


def _make_splice(note: Note, prop: Property, value: object) -> Splice:
    """Return the splice of the first edit that is parsed as the old properties with the new value.

    Raises WriteError if there is none.
    """
    expected = {**note.properties, prop.name: value}
    for edit in _possible_edits(prop, value):
        head = prop.before + edit + prop.after
        new_frontmatter = frontmatter.read(head + note.body, note.path)
        if (
            not new_frontmatter.problems
            and new_frontmatter.body_start == len(head)
            and yaml_edit.is_same_value(new_frontmatter.properties, expected)
        ):
            return smallest_splice(note.text[: note.body_start], head)
    raise _refusal_error(note, f'The property "{prop.name}" cannot be written here without harm to something else.')


def _possible_edits(prop: Property, value: object) -> Iterator[str]:
    """Yield the property's lines with another value: with only the value replaced, then with all lines rewritten.

    Lines with a comment, an anchor or an alias are not rewritten.
    """
    edited = yaml_edit.replace_value(prop, value) if prop.yaml else None
    if edited is not None:
        yield edited
    if not _LOST_IF_REWRITTEN.search(prop.yaml):
        yield yaml_edit.format_lines(prop, value) + (prop.yaml[len(prop.yaml.rstrip()) :] or prop.newline)


def _refusal_error(note: Note, message: str) -> WriteError:
    return WriteError(message, where=f"{note.path}:1", hint="Change it by hand.")
