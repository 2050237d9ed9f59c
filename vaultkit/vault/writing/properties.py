"""Properties of a note, changed one at a time: the frontmatter keeps its comments, quotes, order and line ends.

yaml-edit finds the place, we write the value, and a second reading decides whether the edit stands (Y1 to Y5).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from vaultkit.errors import WriteError
from vaultkit.vault import frontmatter
from vaultkit.vault.note import Note
from vaultkit.vault.writing import yamledit
from vaultkit.vault.writing.escape import clean
from vaultkit.vault.writing.splice import Splice, between
from vaultkit.vault.writing.yamledit import Block

Value = str | float | bool | Sequence[str]
"""A value of a property: a text, a number, a checkbox, or a list of texts. Dates and times are texts."""

_FLOW = re.compile(r"(?:\s|#[^\n]*\n)*\{")
_KEY = re.compile(r"""^(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s#\-?\[\]{}&*!|>%@`"'][^\r\n]*?):(?=\s)""", re.MULTILINE)
_REFERS = re.compile(r"[&*]\w")


def set_property(note: Note, name: str, value: Value) -> Splice | None:
    """`value` as the property `name`, in any case of its letters; at the end if missing, None if it is so already.

    Raises WriteError if the frontmatter cannot be read, or cannot take it without harm to anything else.
    """
    block = _block(note, name)
    wanted = value if isinstance(value, str | int | float) else list(value)
    if block.index is not None and yamledit.same(block.properties[block.name], wanted):
        return None
    return _set(note, block, wanted)


def add_to_list(note: Note, name: str, item: str) -> Splice | None:
    """`item` at the end of the list property `name`, which is made if missing; None if it is in there already.

    A single text or number becomes a list. Raises WriteError as `set_property` does, and if the property is a map.
    """
    block = _block(note, name)
    value = block.properties.get(block.name)
    if isinstance(value, Mapping):
        raise _refusal(note, f'The property "{block.name}" is not a list.')
    items = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    return None if item in items else _set(note, block, [*items, item])


def _block(note: Note, name: str) -> Block:
    """The frontmatter of `note`, if something can be written into it."""
    if not name or clean(name) != name:
        raise WriteError(f"{name!r} cannot be the name of a property.", where=note.path, hint="Use one line of text.")
    for problem in frontmatter.read(note.text, note.path).problems:
        raise WriteError(problem.message, where=f"{note.path}:{problem.line}", hint=problem.hint)
    yaml = _yaml(note)
    if _FLOW.match(yaml):
        raise _refusal(note, "The frontmatter is JSON and would have to be written anew.")
    same = [index for index, key in enumerate(note.properties) if key.lower() == name.lower()]
    if len(same) > 1 or _count(yaml) != len(note.properties):
        raise _refusal(note, "The frontmatter names a property twice, or is too unusual to be changed safely.")
    written = list(note.properties)[same[0]] if same else name
    return Block(yaml, note.properties, written, same[0] if same else None, note.encoded.newline)


def _yaml(note: Note) -> str:
    """The text between the lines `---` of a note, "" without them."""
    block = note.text[: note.body_start]
    if not block:
        return ""
    return block[block.index("\n") + 1 : block.rindex("\n", 0, len(block.rstrip())) + 1]


def _head(note: Note, block: Block, yaml: str) -> str:
    """The whole frontmatter with other YAML in it, made if there is none."""
    if not note.body_start:
        return f"---{block.newline}{yaml}---{block.newline}"
    before = note.text.index("\n") + 1
    return note.text[:before] + yaml + note.text[before + len(block.yaml) : note.body_start]


def _count(yaml: str) -> int:
    """How many properties are written, those of the same name counted each."""
    document = yamledit.read(yaml)
    return len(document.entries) if document else len(_KEY.findall(yaml))


def _set(note: Note, block: Block, value: object) -> Splice:
    edits = (_head(note, block, yaml) for yaml in _edits(note, block, value))
    return _first_right(note, block, {**block.properties, block.name: value}, edits)


def _edits(note: Note, block: Block, value: object) -> Iterator[str]:
    """The YAML with the property set: as yaml-edit does it, else by whole lines where that loses no comment."""
    start, end = _extent(note, block)
    edited = yamledit.with_value(block, value)
    if edited is not None and edited.startswith(block.yaml[:start]) and edited[start:].endswith(block.yaml[end:]):
        yield edited
    if "#" not in block.yaml[start:end]:
        yield block.yaml[:start] + _lines(block.name, value, block.newline) + block.yaml[end:]


def _extent(note: Note, block: Block) -> tuple[int, int]:
    """Where the property's lines start and end in the YAML; the end of it, twice, for one that is not there."""
    if block.index is None:
        return len(block.yaml), len(block.yaml)
    document = yamledit.read(block.yaml)
    if document is None:
        starts = [*(match.start() for match in _KEY.finditer(block.yaml)), len(block.yaml)]
        return starts[block.index], starts[block.index + 1]
    start, end = document.extent(block.yaml, block.index)
    if document.whole.anchors() and _REFERS.search(block.yaml[start:end]):
        raise _refusal(note, f'Another property may share the value of "{block.name}".')
    return start, end


def _lines(name: str, value: object, newline: str) -> str:
    """A property as lines of its own."""
    if not isinstance(value, list) or not value:
        return f"{yamledit.scalar(name)}: {yamledit.scalar(value)}{newline}"
    return "".join([f"{yamledit.scalar(name)}:{newline}", *(f"  - {yamledit.scalar(item)}{newline}" for item in value)])


def _first_right(note: Note, block: Block, expected: Mapping[str, object], heads: Iterator[str]) -> Splice:
    """The first frontmatter that reads back as exactly `expected`, before the same body."""
    for head in heads:
        again = frontmatter.read(head + note.body, note.path)
        if not again.problems and again.body_start == len(head) and yamledit.same(again.properties, expected):
            return between(note.text[: note.body_start], head)
    raise _refusal(note, f'The property "{block.name}" cannot be written here without harm to something else.')


def _refusal(note: Note, message: str) -> WriteError:
    return WriteError(message, where=f"{note.path}:1", hint="Change it by hand.")
