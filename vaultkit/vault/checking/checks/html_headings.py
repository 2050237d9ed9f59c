"""The check for headings that belong to the HTML above them, since no blank line lies between."""

import re
from collections.abc import Iterator

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.dialect import elements
from vaultkit.vault.note import Note

_HEADING_BELOW_TEXT = re.compile(r"\n[ ]{0,3}(?P<heading>#{1,6}[ \t]+[^\s#][^\r\n]*)")
_ENDED_BY_BLANK_LINE = re.compile(r"\s*</?(?!(?:script|pre|style|textarea)\b)[a-z]", re.IGNORECASE)
"""The beginning of HTML that ends at the next blank line, unlike comments and code."""


_HTML_LINE = re.compile(r"(?:\n|\A)[ ]{0,3}</?[a-zA-Z]")
_TEXT_ABOVE_HEADING = re.compile(r"[^\s][ \t]*\r?\n[ ]{0,3}#{1,6}[ \t]")


def _may_have_problem(note: Note) -> bool:
    text = note.text
    return "<" in text and bool(_HTML_LINE.search(text) and _TEXT_ABOVE_HEADING.search(text, note.body_start))


def _find_problems(note: Note) -> Iterator[Problem]:
    for _, start, end in elements(note.body, note.body_start, {"HtmlBlock"}):
        if _ENDED_BY_BLANK_LINE.match(note.text, start, end):
            for match in _HEADING_BELOW_TEXT.finditer(note.text, start, end):
                message = f"'{match['heading'].strip()}' is no heading: it belongs to the HTML above it."
                yield CHECK.problem_at(note, match.start("heading"), message, "Put a blank line before it.")


CHECK = Check("html-heading", "warning", in_note=_find_problems, quick=_may_have_problem)
