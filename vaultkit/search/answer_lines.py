"""Answers as a few lines of text: whole sentences, as many as fit."""

import re
import textwrap
from collections.abc import Sequence

from vaultkit.search.passages import Passage

MAX_LINES = 8
"""The maximum number of lines of an answer."""
_MIN_WRAP_COLUMNS, _MAX_LINE_CHARS = 20, 100
_CUT_MARK = " …"
"""The end of a text that is cut."""
_SENTENCE_END = re.compile(r"[.!?…;][\"'”’»)\]]*(?= )")
"""The end of a sentence, or of a line of a statblock."""


def lines(passages: Sequence[Passage], width: int = 0, *, whole: bool = False) -> list[str]:
    """Return passages as text, together at most `MAX_LINES` lines; the first one gets all that it needs if it can.

    Lines are wrapped after `width` characters. If `width` is 0, each passage is one line. If `whole`, nothing is cut,
    and parts of sections are replaced by their sections.
    """
    line_width = max(width, _MIN_WRAP_COLUMNS) if width else _MAX_LINE_CHARS
    texts = [_format(passage, whole=whole) for passage in passages]
    if not whole:
        texts = _cut_texts(texts, line_width)
    return [line for text in texts for line in _wrap(text, line_width)] if width else texts


def is_cut(passages: Sequence[Passage], width: int = 0) -> bool:
    """Return whether `lines` with `whole` shows more of some passages."""
    line_width = max(width, _MIN_WRAP_COLUMNS) if width else _MAX_LINE_CHARS
    texts = [*map(_format, passages)]
    return _cut_texts(texts, line_width) != texts or any(
        len(whole_text(passage)) > len(passage.text) for passage in passages
    )


def whole_text(passage: Passage) -> str:
    """Return the text of the section of which a passage is a part, or its own text."""
    return passage.whole if len(passage.whole) > len(passage.text) else passage.text


def _format(passage: Passage, *, whole: bool = False) -> str:
    """Return the source and the text of a passage on one line."""
    return " ".join(f"{passage.source} {_titled_text(passage, whole=whole)}".split())


def _cut_texts(texts: Sequence[str], width: int) -> list[str]:
    """Return the texts of passages, cut to `MAX_LINES` lines in all."""
    others = len(texts) - 1
    if others < 1:
        return [_cut_sentences(text, MAX_LINES, width) for text in texts]
    first_count = max(1, min(len(_wrap(texts[0], width)), MAX_LINES - others))
    each = max(1, (MAX_LINES - first_count) // others)
    first_count = max(1, MAX_LINES - each * others)
    return [
        _cut_sentences(text, count, width) for text, count in zip(texts, [first_count] + [each] * others, strict=True)
    ]


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  ")


def _cut_sentences(text: str, max_lines: int, width: int) -> str:
    """Return the whole sentences of a text that fit into some lines, or a part of the first one if it is too long."""
    if len(_wrap(text, width)) <= max_lines:
        return text
    for end in reversed([match.end() for match in _SENTENCE_END.finditer(text, 0, max_lines * width)]):
        cut_text = text[:end] + _CUT_MARK
        if len(_wrap(cut_text, width)) <= max_lines and end > max_lines * width // 3:
            return cut_text
    wrapped = textwrap.wrap(text, width, subsequent_indent="  ", max_lines=max_lines, placeholder=_CUT_MARK)
    return " ".join(line.strip() for line in wrapped)


def _titled_text(passage: Passage, *, whole: bool = False) -> str:
    """Return the text of a passage after its title, or without it if the link or the text contains the title."""
    text = whole_text(passage) if whole else passage.text
    is_titled = text.startswith(passage.title) or f": {passage.title};" in text
    if passage.title in (passage.heading, passage.source[2:-2]) or is_titled or not text:
        return text
    return f"{passage.title}: {text}"
