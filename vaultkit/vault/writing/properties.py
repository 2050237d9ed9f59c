"""Properties of a note, changed one at a time: the frontmatter keeps its comments, quotes, order and line ends.

Only the property's own lines are touched, and a second reading decides whether that stands (Y1 to Y5).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.facts import texts
from vaultkit.vault.note import Note
from vaultkit.vault.writing import yamledit
from vaultkit.vault.writing.escape import clean
from vaultkit.vault.writing.splice import Splice, between
from vaultkit.vault.writing.yamledit import Property

Value = str | float | bool | Sequence[str]
"""A value of a property: a text, a number, a checkbox, or a list of texts. Dates and times are texts."""

_FLOW = re.compile(r"(?:\s|#[^\n]*\n)*\{")
_KEY = re.compile(
    r"""^(?:"(?:[^"\\\r\n]|\\.)*" | '(?:[^'\r\n]|'')*'
        | (?:[^\s\#\-?:,\[\]{}&*!|>%@`"'] | [-?:](?=\S)) [^\r\n]*?) [ \t]*:(?=\s)""",
    re.MULTILINE | re.VERBOSE,
)
_DASH = re.compile(r"^ *-(?= )", re.MULTILINE)
_LOST = re.compile(r"#|[&*]\w")
"""A comment, or what another property may share: whole lines are not written anew over these."""


def set_property(note: Note, name: str, value: Value) -> Splice | None:
    """`value` as the property `name`, in any case of its letters; at the end if missing, None if it is so already.

    Raises WriteError if the frontmatter cannot be read, or cannot take it without harm to anything else.
    """
    own = _find(note, name)
    wanted = value if isinstance(value, str | int | float) else list(value)
    return None if own.yaml and yamledit.same(own.value, wanted) else _set(note, own, wanted)


def edit_list(note: Note, name: str, stays: Callable[[str], bool], added: Sequence[str]) -> Splice | None:
    """The property `name` without the items that do not stay, and with those added at its end; None if that is nothing.

    `stays` is asked for each item's text. A property that is missing is made; a single text or number becomes a list.
    Raises WriteError as `set_property` does, and if the property is a map.
    """
    own = _find(note, name)
    if isinstance(own.value, Mapping):
        raise _refusal(note, f'The property "{own.name}" is not a list.')
    items = own.value if isinstance(own.value, list) else [item for item in [own.value] if item not in (None, "")]
    kept = [item for item in items if all(map(stays, texts([item])))]
    more = [item for item in added if item not in kept]
    return None if own.value is not None and len(kept) == len(items) and not more else _set(note, own, kept + more)


def _find(note: Note, name: str) -> Property:
    """The property `name` of `note`, if something can be written there."""
    if not name or clean(name) != name:
        raise WriteError(f"{name!r} cannot be the name of a property.", where=note.path, hint="Use one line of text.")
    for problem in frontmatter.read(note.text, note.path).problems:
        raise WriteError(problem.message, where=f"{note.path}:{problem.line}", hint=problem.hint)
    newline = note.encoded.newline
    head = note.text[: note.body_start] or f"---{newline}---{newline}"
    first, last = head.index("\n") + 1, head.rindex("\n", 0, len(head.rstrip())) + 1
    if _FLOW.match(head, first):
        raise _refusal(note, "The frontmatter is JSON and would have to be written anew.")
    starts = [*(match.start() for match in _KEY.finditer(head, first, last)), last, last]
    same = [index for index, key in enumerate(note.properties) if key.lower() == name.lower()]
    if len(same) > 1 or len(starts) - 2 != len(note.properties):
        raise _refusal(note, "The frontmatter names a property twice, or is too unusual to be changed safely.")
    index = same[0] if same else -2
    start, end = starts[index], starts[index + 1]
    written = list(note.properties)[index] if same else name
    dash = _DASH.search(head, first, last)
    value = note.properties.get(written)
    return Property(written, value, head[:start], head[start:end], head[end:], newline, dash[0] if dash else "  -")


def _set(note: Note, own: Property, value: object) -> Splice:
    """The first edit that reads back as exactly what is wanted, before the same body."""
    expected = {**note.properties, own.name: value}
    for edit in _edits(own, value):
        head = own.before + edit + own.after
        again = frontmatter.read(head + note.body, note.path)
        if not again.problems and again.body_start == len(head) and yamledit.same(again.properties, expected):
            return between(note.text[: note.body_start], head)
    raise _refusal(note, f'The property "{own.name}" cannot be written here without harm to something else.')


def _edits(own: Property, value: object) -> Iterator[str]:
    """The property's lines with another value: only that is new, else whole lines where that loses no comment."""
    edited = yamledit.with_value(own, value) if own.yaml else None
    if edited is not None:
        yield edited
    if not _LOST.search(own.yaml):
        yield yamledit.new_lines(own, value) + (own.yaml[len(own.yaml.rstrip()) :] or own.newline)


def _refusal(note: Note, message: str) -> WriteError:
    return WriteError(message, where=f"{note.path}:1", hint="Change it by hand.")
