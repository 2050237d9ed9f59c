"""Tags as Obsidian reads them: `#npc/dead` in the text, and the `tags` property (Y4)."""

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate

import msgspec

from vaultkit.vault.facts import texts
from vaultkit.vault.places import offsets
from vaultkit.vault.resolve import key
from vaultkit.vault.structure import events, tag_kind

# Everything but white space, control characters and punctuation: emoji, arrows and all letters are in.
_IN_TAG = r"[^\s\x00-\x1f!-,.:-@\[-^`{-\x9f\u2000-\u206f\u2e00-\u2e7f]"
_WORD = rf"(?=[0-9]*+{_IN_TAG}){_IN_TAG}++"
_TAG = re.compile(rf"#(?P<name>{_WORD})")
_MAY_BEGIN = re.compile(rf"#(?<![^\s>|*_~]#)(?={_WORD})")
_IS_TAG = re.compile(r"(?=.*[^0-9])[^\s,#]+")
_EMPHASES = {"Emphasis": 1, "Strong": 2}
"""By how many characters they are closed."""
_CLOSED = frozenset({"CodeBlock", "Link", "Image", "MetadataBlock"})


def tags(text: str, body_start: int, listed: object) -> tuple[str, ...]:
    """All tags of a note, without `#`: those `listed` in the property `tags`, then those of the text, top to bottom.

    Each comes once, as it is first spelled: case makes no difference.
    """
    found: dict[str, str] = {}
    for tag in (*_in_property(listed), *_in_text(text, body_start)):
        found.setdefault(key(tag), tag)
    return tuple(found.values())


def is_within(tag: str, wanted: str) -> bool:
    """Whether `tag` is the tag `wanted` or lies below it, as `npc/dead` does below `#NPC`."""
    return f"{key(tag)}/".startswith(f"{key(plain(wanted))}/")


def plain(tag: str) -> str:
    """A tag as somebody may name it, without the `#` before it and the `/` behind it."""
    return tag.strip().removeprefix("#").rstrip("/")


def with_parents(tags: Iterable[str]) -> frozenset[str]:
    """The tags, and each tag that they lie below: `npc/dead` also is one of `npc`."""
    return frozenset(whole for tag in tags for whole in accumulate(tag.split("/"), "{}/{}".format) if whole)


def _in_property(value: object) -> Iterator[str]:
    """A text with a space or a comma is no tag, and a number is none either (Y4)."""
    for text in texts(value):
        name = text.strip().removeprefix("#")
        if _IS_TAG.fullmatch(name):
            yield name


def _in_text(text: str, body_start: int) -> Iterator[str]:
    """Tags outside of code, math, links and HTML; within `%%` they count, as links do (L5)."""
    if _MAY_BEGIN.search(text, body_start) is None:  # most notes are not parsed once more
        return
    body, behind = text[body_start:], 0
    offset = offsets(body, body_start)
    for run in _runs(body):
        start, end = offset(run.start), offset(run.end)
        first = start if run.is_first and text[start - 1 : start] != "\\" else -1
        for mark in re.finditer("#", text[start:end]):
            at = start + mark.start()
            if at in (first, behind) or _is_apart(text, at):  # `#one#two` are two
                opens, closes = map(offset, run.emphasis)
                match = _TAG.match(text, at, closes if behind <= opens < closes else len(text))
                if match:
                    yield match["name"]
                    behind = match.end()


def _is_apart(text: str, offset: int) -> bool:
    before = text[offset - 1 : offset]
    return not before or before == "_" or before.isspace()


class _Run(msgspec.Struct):
    """A stretch of plain text, in bytes of the body; whether it comes first in its block, cell or emphasis.

    `emphasis` is where the innermost emphasis around it opens and closes, `(0, 0)` without any: its `_` ends a tag.
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
