"""The tags of notes, as Obsidian reads them: `#npc/dead` in the text, and the property `find_tags` (Y4)."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

import msgspec

from vaultkit.vault.note_facts import texts
from vaultkit.vault.resolve import key
from vaultkit.vault.structure import events, tag_kind
from vaultkit.vault.text_positions import offset_converter

# Everything but white space, control characters and punctuation: emoji, arrows and all letters are allowed.
_IN_TAG = r"[^\s\x00-\x1f!-,.:-@\[-^`{-\x9f\u2000-\u206f\u2e00-\u2e7f]"
_WORD = rf"(?=[0-9]*+{_IN_TAG}){_IN_TAG}++"
_TAG = re.compile(rf"#(?P<name>{_WORD})")
_MAY_BEGIN = re.compile(rf"#(?<![^\s>|*_~]#)(?={_WORD})")
_IS_TAG = re.compile(r"(?=.*[^0-9])[^\s,#]+")
_EMPHASES = {"Emphasis": 1, "Strong": 2}
"""The length of the closing marks of each kind of emphasis."""
_CLOSED = frozenset({"CodeBlock", "Link", "Image", "MetadataBlock"})


def tags(text: str, body_start: int, listed: object) -> tuple[str, ...]:
    """Return all tags of a note, without `#`: those in the value of the property `find_tags`, then those in the text.

    Tags that differ only in case are one tag, which is returned in its first spelling.
    """
    tags_by_key: dict[str, str] = {}
    for tag in (*_property_tags(listed), *_text_tags(text, body_start)):
        tags_by_key.setdefault(key(tag), tag)
    return tuple(tags_by_key.values())


def is_within(tag: str, parent: str) -> bool:
    """Return whether `tag` is the tag `parent` or below it, as `npc/dead` is below `#NPC`."""
    return f"{key(tag)}/".startswith(f"{key(strip_tag(parent))}/")


def strip_tag(tag: str) -> str:
    """Return a tag that a user typed without `#` at its start and `/` at its end."""
    return tag.strip().removeprefix("#").rstrip("/")


def with_parents(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags and all their parents: for `npc/dead`, also `npc`."""
    return frozenset(whole for tag in tags for whole in accumulate(tag.split("/"), "{}/{}".format) if whole)


def _property_tags(value: object) -> Iterator[str]:
    """Yield the valid tags in the value of a property; numbers and texts with a space or a comma are none (Y4)."""
    for text in texts(value):
        name = text.strip().removeprefix("#")
        if _IS_TAG.fullmatch(name):
            yield name


def _text_tags(text: str, body_start: int) -> Iterator[str]:
    """Yield the tags in the body, outside of code, math, links and HTML; those in `%%` comments count (L5)."""
    if _MAY_BEGIN.search(text, body_start) is None:  # saves parsing most notes
        return
    body, behind = text[body_start:], 0
    offset = offset_converter(body, body_start)
    for run in _runs(body):
        start, end = offset(run.start), offset(run.end)
        first = start if run.is_first and text[start - 1 : start] != "\\" else -1
        for mark in re.finditer("#", text[start:end]):
            at = start + mark.start()
            if at in (first, behind) or _is_apart(text, at):  # `#one#two` are two tags
                opens, closes = map(offset, run.emphasis)
                match = _TAG.match(text, at, closes if behind <= opens < closes else len(text))
                if match:
                    yield match["name"]
                    behind = match.end()


def _is_apart(text: str, offset: int) -> bool:
    before = text[offset - 1 : offset]
    return not before or before == "_" or before.isspace()


class _Run(msgspec.Struct):
    """A run of plain text; offsets are in bytes of the body. `is_first` says that it begins its block or emphasis.

    `emphasis` is the start and the end of the innermost emphasis around it, without the closing mark, or `(0, 0)`; a
    tag ends there.
    """

    start: int
    end: int
    is_first: bool
    emphasis: tuple[int, int]


def _runs(body: str) -> list[_Run]:
    runs: list[_Run] = []
    emphases = [(0, 0)]
    closed, opened = 0, True
    for event, span in events(body):
        kind = next(iter(event)) if type(event) is dict else ""
        if kind == "Text" and not closed:
            if runs and runs[-1].end == span["start"] and not opened:
                runs[-1].end = span["end"]
            else:
                runs.append(_Run(span["start"], span["end"], opened, emphases[-1]))
        elif kind in ("Start", "End"):
            name = tag_kind(event[kind])
            closed += (1 if kind == "Start" else -1) * (name in _CLOSED)
            if name in _EMPHASES and kind == "Start":
                emphases.append((span["start"], span["end"] - _EMPHASES[name]))
            elif name in _EMPHASES:
                emphases.pop()
        opened = kind == "Start"
    return runs
