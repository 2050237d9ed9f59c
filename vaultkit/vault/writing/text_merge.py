"""A three-way merge: a change of a generated text is made in a copy of that text which people have edited since."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import chain

from vaultkit.errors import WriteError
from vaultkit.vault.note import Note
from vaultkit.vault.writing.properties import is_same_value, remove_property, set_property
from vaultkit.vault.writing.splice import Splice, smallest_splice

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
MIN_SIMILARITY_RATIO = 0.5
"""The lowest similarity of two lines at which one counts as the other, edited by a person."""

Parts = Sequence[str]
Resolve = Callable[[Parts, Parts, Parts], list[str]]
"""A function that merges parts that both sides changed: those of the base, of the current and of the new text."""


class EditedLine(Exception):
    """A person's words in the line `text`, of which the place for the new text has been lost."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text.strip()


def plan_merge(note: Note, base: str, new: str) -> Splice | None:
    """Return the splice that makes the change from `base` to `new` in a note that people have edited since `base`.

    `base` and `new` are whole generated notes. Lines and properties that people added stay. Returns None if nothing
    changes. Raises WriteError if people's words stand in the middle of a line that changes.
    """
    base_note, new_note = (_with_newlines_of(note, text) for text in (base, new))
    try:
        body = merge_text(base_note.body, note.body, new_note.body)
        head = _merge_head(base_note, note, new_note)
    except EditedLine as conflict:
        raise edited_line_error(note, conflict) from conflict
    merged = head + body
    return smallest_splice(note.text, merged) if merged != note.text else None


def _with_newlines_of(note: Note, text: str) -> Note:
    return Note(note.path, note.encoded.newline.join(re.split(r"\r\n|\r|\n", text)).encode())


def _merge_head(base: Note, note: Note, new: Note) -> str:
    """Return the frontmatter of a note with the properties that differ between `base` and `new`.

    Raises WriteError if the frontmatter cannot be changed safely.
    """
    names = [name for name in {**base.properties, **new.properties}
             if not is_same_value(base.properties.get(name), new.properties.get(name))]  # fmt: skip
    with suppress(EditedLine):
        merged = note.with_text(merge_text(base.head, note.head, new.head) + note.body)
        expected = {key: value for key, value in note.properties.items() if key not in names or key in new.properties}
        expected |= {name: new.properties[name] for name in names if name in new.properties}
        is_whole = merged.body == note.body and not merged.problems and merged.properties.keys() == expected.keys()
        if is_whole and all(is_same_value(value, merged.properties[key]) for key, value in expected.items()):
            return merged.head
    for name in names:
        value = new.properties.get(name)
        splice = set_property(note, name, value) if name in new.properties else remove_property(note, name)  # type: ignore[arg-type]
        note = note.with_text(splice.apply(note.text)) if splice else note
    return note.head


def edited_line_error(note: Note, conflict: EditedLine) -> WriteError:
    """Return the error for a line with a person's words that cannot be kept."""
    line = note.places.line(max(note.text.find(conflict.text), 0))
    message = f"This line was changed by hand, and the new one would lose your words: {conflict.text}"
    hint = "Move your words to a line of their own, then try again."
    return WriteError(message, where=f"{note.path}:{line}", hint=hint)


def merge_text(base: str, current: str, new: str) -> str:
    """Return `current` with the change from `base` to `new`, line by line. Raises EditedLine."""
    if new in (base, current):
        return current
    return "".join(_merge(_LINE.findall(base), _LINE.findall(current), _LINE.findall(new), _merge_lines))


def merge_line(base: str, current: str, new: str) -> str:
    """Return the line `current` with the change from `base` to `new`, word by word.

    Where both were changed the new words win, unless that loses words that a person wrote: that raises EditedLine.
    """
    if new in (base, current):
        return current
    own_words = {*_TOKEN.findall(base), *_TOKEN.findall(new)}

    def resolve(_: Parts, current_tokens: Parts, new_tokens: Parts) -> list[str]:
        words = (token for token in current_tokens if any(map(str.isalpha, token)))
        if any(word not in own_words for word in words):
            raise EditedLine(current)
        return [*new_tokens]

    return "".join(_merge(_TOKEN.findall(base), _TOKEN.findall(current), _TOKEN.findall(new), resolve))


def _merge(base: Parts, current: Parts, new: Parts, resolve: Resolve) -> list[str]:
    """Return the parts of `current` with the changes from `base` to `new`.

    `resolve` merges the ranges that both changed. New parts at a place where people added some go first.
    """
    if base == current:
        return [*new]
    merged: list[str] = []
    position = 0
    for start, end, own, other in _overlapping_changes(_changes(base, new), _changes(base, current)):
        merged += base[position:start]
        new_parts, current_parts = _apply(base, start, end, own, new), _apply(base, start, end, other, current)
        if not own or not other:
            merged += new_parts if own else current_parts
        elif start == end:
            merged += current_parts if _contains(current_parts, new_parts) else [*new_parts, *current_parts]
        else:
            merged += resolve(base[start:end], current_parts, new_parts)
        position = end
    return [*merged, *base[position:]]


def _contains(parts: Parts, other: Parts) -> bool:
    """Return whether `other` occurs in `parts` without a gap."""
    return any(parts[start : start + len(other)] == other for start in range(len(parts) - len(other) + 1))


_Change = tuple[int, int, int, int]
"""The start and end of a changed range of the base, and of what replaces it."""


def _changes(base: Parts, other: Parts) -> list[_Change]:
    opcodes = SequenceMatcher(None, base, other, autojunk=False).get_opcodes()
    return [(*extent,) for kind, *extent in opcodes if kind != "equal"]  # type: ignore[misc]


def _overlapping_changes(
    own: Sequence[_Change], other: Sequence[_Change]
) -> Iterator[tuple[int, int, list[_Change], list[_Change]]]:
    """Yield groups of changes that overlap, each with the start and end in the base, then the changes of both sides.

    Two insertions at one place overlap; an insertion at the edge of another change does not.
    """
    pending = sorted(chain(((change, 0) for change in own), ((change, 1) for change in other)))
    while pending:
        first, side = pending.pop(0)
        start, end, sides = first[0], first[1], ([first], []) if side == 0 else ([], [first])
        while pending:
            (next_start, next_end, *_), next_side = pending[0]
            is_inside = next_start < end or (start == end == next_start == next_end)
            if not is_inside:
                break
            sides[next_side].append(pending.pop(0)[0])
            end = max(end, next_end)
        yield start, end, *sides


def _apply(base: Parts, start: int, end: int, changes: Sequence[_Change], other: Parts) -> list[str]:
    """Return the parts `start` to `end` of the base with the changes in that range."""
    parts: list[str] = []
    for change_start, change_end, other_start, other_end in changes:
        parts += [*base[start:change_start], *other[other_start:other_end]]
        start = change_end
    return [*parts, *base[start:end]]


def _merge_lines(base: Parts, current: Parts, new: Parts) -> list[str]:
    """Merge lines that both sides changed: lines that people removed stay removed, lines that they added stay.

    Raises EditedLine for a line that goes although people have written in it.
    """
    successors = _successors(base, new)
    merged: list[str] = []
    for line, index in zip(current, _match_lines(base, current), strict=True):
        if index is None:
            merged.append(line)
            continue
        lines = successors[index]
        if not lines and has_own_words(base[index], line):
            raise EditedLine(line)
        merged += [merge_line(base[index], line, new_line) if number == 0 else new_line
                   for number, new_line in enumerate(lines)]  # fmt: skip
    return merged


def _successors(base: Parts, new: Parts) -> list[list[str]]:
    """Return for each line of the base the lines that replace it; additional lines follow the line above them."""
    successors: list[list[str]] = [[] for _ in base]
    for kind, start, end, new_start, new_end in SequenceMatcher(None, base, new, autojunk=False).get_opcodes():
        if kind == "insert":
            index = max(start - 1, 0)
            added = [*new[new_start:new_end]]
            successors[index] = successors[index] + added if start else added + successors[index]
            continue
        for number, index in enumerate(range(start, end), new_start):
            successors[index] += new[min(number, new_end) : new_end if index == end - 1 else min(number + 1, new_end)]
    return successors


def _match_lines(base: Parts, current: Parts) -> list[int | None]:
    """Return for each current line the index of the base line that it is, perhaps edited; None for an added line."""
    matches: list[int | None] = []
    for kind, start, end, current_start, current_end in SequenceMatcher(None, base, current, False).get_opcodes():
        lines = current[current_start:current_end]
        if kind == "equal":
            matches += range(start, end)
        elif len(lines) == end - start:
            matches += (index if _is_similar(base[index], line) else None for index, line in enumerate(lines, start))
        else:
            first = start
            for line in lines:
                match = next((index for index in range(first, end) if _is_similar(base[index], line)), None)
                matches.append(match)
                first = first if match is None else match + 1
    return matches


def _is_similar(line: str, other: str) -> bool:
    return SequenceMatcher(None, line, other, autojunk=False).ratio() >= MIN_SIMILARITY_RATIO


def added_text(base: str, current: str) -> str:
    """Return the lines of `current` that people added to `base`, or in which they wrote words; "" for none.

    Blank lines at both ends are left out.
    """
    base_lines, lines = _LINE.findall(base), _LINE.findall(current)
    pairs = zip(lines, _match_lines(base_lines, lines), strict=True)
    own_lines = [line for line, index in pairs if index is None or has_own_words(base_lines[index], line)]
    while own_lines and not own_lines[0].strip():
        del own_lines[0]
    while own_lines and not own_lines[-1].strip():
        del own_lines[-1]
    return "".join(own_lines)


def has_own_words(base: str, line: str) -> bool:
    """Return whether a line has words with letters that its base does not have."""
    base_words = {*_TOKEN.findall(base)}
    return any(word not in base_words and any(map(str.isalpha, word)) for word in _TOKEN.findall(line))
