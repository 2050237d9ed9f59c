"""The check for references to missing footnotes, `text[^1]`, which Obsidian shows as plain text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.dialect import events
from vaultkit.vault.note import Note
from vaultkit.vault.text_positions import offset_converter

_REFERENCE = re.compile(r"\[\^([^\s\[\]]+)\]")
_HINT = "Write the footnote, in a line of its own: {}: its text."


def _may_have_problem(note: Note) -> bool:
    """Return whether the note has a possible reference to a missing footnote."""
    if "^" not in note.text or "[^" not in note.text:  # a search for one character is fastest
        return False
    return any(label.lower() not in note.anchors.footnotes for label in _REFERENCE.findall(note.text))


def _find_problems(note: Note) -> Iterator[Problem]:
    """Yield a problem for each reference that the parser left as text, since its footnote is missing."""
    to_text_offset = offset_converter(note.body, note.body_start)
    for (previous_event, previous_span), (event, span) in pairwise(events(note.body)):
        text = event.get("Text", "") if isinstance(event, dict) and isinstance(previous_event, dict) else ""
        if text.startswith("^") and previous_event.get("Text") == "[" and previous_span["end"] == span["start"]:
            start, end = to_text_offset(previous_span["start"]), to_text_offset(span["end"])
            reference = note.text[start : end + 1]
            label = text[1:]
            is_reference = reference == f"[{text}]" and label and not any(char.isspace() for char in label)
            if is_reference and note.text[start - 1 : start] != "\\" and label.lower() not in note.anchors.footnotes:
                yield CHECK.problem_at(
                    note, start, f"'{reference}' leads to no footnote of this note.", _HINT.format(reference)
                )


CHECK = Check("footnote", in_note=_find_problems, quick=_may_have_problem)
