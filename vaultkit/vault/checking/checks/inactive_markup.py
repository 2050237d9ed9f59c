"""The checks for references to missing footnotes and for headings inside HTML, which Obsidian shows as plain text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.dialect import elements, events
from vaultkit.vault.note import Note
from vaultkit.vault.text_positions import offset_converter

_REFERENCE = re.compile(r"\[\^([^\s\[\]]+)\]")
_FOOTNOTE_HINT = "Write the footnote, in a line of its own: {}: its text."


def _may_lack_footnote(note: Note) -> bool:
    """Return whether the note has a possible reference to a missing footnote."""
    if "^" not in note.text or "[^" not in note.text:  # a search for one character is fastest
        return False
    return any(label.lower() not in note.anchors.footnotes for label in _REFERENCE.findall(note.text))


def _find_missing_footnotes(note: Note) -> Iterator[Problem]:
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
                yield FOOTNOTE.problem_at(
                    note, start, f"'{reference}' points to a missing footnote.", _FOOTNOTE_HINT.format(reference)
                )


FOOTNOTE = Check("footnote", in_note=_find_missing_footnotes, quick=_may_lack_footnote)


_HEADING_BELOW_TEXT = re.compile(r"\n[ ]{0,3}(?P<heading>#{1,6}[ \t]+[^\s#][^\r\n]*)")
_ENDED_BY_BLANK_LINE = re.compile(r"\s*</?(?!(?:script|pre|style|textarea)\b)[a-z]", re.IGNORECASE)
"""The beginning of HTML that ends at the next blank line, unlike comments and code."""


_HTML_LINE = re.compile(r"(?:\n|\A)[ ]{0,3}</?[a-zA-Z]")
_TEXT_ABOVE_HEADING = re.compile(r"[^\s][ \t]*\r?\n[ ]{0,3}#{1,6}[ \t]")


def _may_have_html_heading(note: Note) -> bool:
    text = note.text
    return "<" in text and bool(_HTML_LINE.search(text) and _TEXT_ABOVE_HEADING.search(text, note.body_start))


def _find_html_headings(note: Note) -> Iterator[Problem]:
    for _, start, end in elements(note.body, note.body_start, {"HtmlBlock"}):
        if _ENDED_BY_BLANK_LINE.match(note.text, start, end):
            for match in _HEADING_BELOW_TEXT.finditer(note.text, start, end):
                message = f"'{match['heading'].strip()}' is not a heading: it belongs to the HTML above it."
                yield HTML_HEADING.problem_at(note, match.start("heading"), message, "Put a blank line before it.")


HTML_HEADING = Check("html-heading", "warning", in_note=_find_html_headings, quick=_may_have_html_heading)
