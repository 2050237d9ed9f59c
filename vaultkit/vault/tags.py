"""The tags of notes, as Obsidian reads them: `#npc/dead` in the text, and the property `find_tags` (Y4)."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from operator import itemgetter

import msgspec

from vaultkit.vault.dialect import events, tag_kind
from vaultkit.vault.note_facts import texts
from vaultkit.vault.resolve import key
from vaultkit.vault.scanner import scan
from vaultkit.vault.text_positions import offset_converter

# Everything but white space, control characters and punctuation: emoji, arrows and all letters are allowed.
_TAG_CHARACTER = r"[^\s\x00-\x1f!-,.:-@\[-^`{-\x9f\u2000-\u206f\u2e00-\u2e7f]"
_WORD = rf"(?=[0-9]*+{_TAG_CHARACTER}){_TAG_CHARACTER}++"
_TAG = re.compile(rf"#(?P<name>{_WORD})")
_TAG_START = re.compile(rf"#(?<![^\s>|*_~\[]#)(?={_WORD})")
_VALID_PROPERTY_TAG = re.compile(r"(?=.*[^0-9])[^\s,#]+")
_EMPHASIS_MARK_LENGTHS = {"Emphasis": 1, "Strong": 2}
"""The length of the closing marks of each kind of emphasis."""
_OPENING_SIGNS = frozenset(">|*_~[")
"""Signs behind which a tag may begin, if they begin a block or emphasis."""
_TOKENS_WITHOUT_TAGS = frozenset({"wiki", "code", "fence"})
_KINDS_WITHOUT_TAGS = frozenset({"CodeBlock", "Image", "MetadataBlock"})
_LINK_TYPES_WITH_TAGS = frozenset({"Inline", "Reference", "Collapsed", "Shortcut"})
"""The types of links with a text of their own, where tags count (O7), unlike wikilinks and bare addresses."""


def find_tags(text: str, body_start: int, property_value: object) -> tuple[str, ...]:
    """Return all tags of a note, without `#`: first the ones in the property `tags`, then the ones in the text.

    Tags that differ only in case are one tag, which is returned in its first spelling.
    """
    tags_by_key: dict[str, str] = {}
    for tag in (*_property_tags(property_value), *_text_tags(text, body_start)):
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
    return frozenset(
        tag_or_parent for tag in tags for tag_or_parent in accumulate(tag.split("/"), "{}/{}".format) if tag_or_parent
    )


def _property_tags(value: object) -> Iterator[str]:
    """Yield the valid tags in the value of a property; numbers and texts with a space or a comma are none (Y4)."""
    for text in texts(value):
        name = text.strip().removeprefix("#")
        if _VALID_PROPERTY_TAG.fullmatch(name):
            yield name


def _text_tags(text: str, body_start: int) -> Iterator[str]:
    """Yield the tags in the body, outside of code, math, wikilinks and HTML.

    Tags in `%%` comments count (L5), as do those in the text of a Markdown link (O7).
    """
    if _TAG_START.search(text, body_start) is None:  # saves parsing most notes
        return
    tokens, tags = scan(text, body_start), [*_TAG.finditer(text, body_start)]
    if tokens is None or any("_" in tag["name"] or _sign_before(text, tag.start()) in _OPENING_SIGNS for tag in tags):
        yield from tags_from_events(text, body_start)
        return
    hidden = [
        (start, end)
        for kind, start, end, *_ in tokens
        if kind in _TOKENS_WITHOUT_TAGS or _sign_before(text, start) == "!"
    ]
    last_tag_end = -1
    for tag in tags:
        start = tag.start()
        if start == last_tag_end or _can_begin_tag(text, start):  # `#one#two` are two tags
            index = bisect_right(hidden, start, key=itemgetter(0)) - 1
            if index < 0 or start >= hidden[index][1]:
                yield tag["name"]
                last_tag_end = tag.end()


def tags_from_events(text: str, body_start: int) -> Iterator[str]:
    """Yield the tags in the body that the Markdown parser finds, which works for any note."""
    body, last_tag_end = text[body_start:], 0
    to_offset = offset_converter(body, body_start)
    for run in _find_text_runs(body):
        start, end = to_offset(run.start), to_offset(run.end)
        first_offset = start if run.is_first and _sign_before(text, start) != "\\" else -1
        for hash_match in re.finditer("#", text[start:end]):
            hash_offset = start + hash_match.start()
            if hash_offset in (first_offset, last_tag_end) or _can_begin_tag(
                text, hash_offset
            ):  # `#one#two` are two tags
                emphasis_start, emphasis_end = map(to_offset, run.emphasis)
                match = _TAG.match(
                    text, hash_offset, emphasis_end if last_tag_end <= emphasis_start < emphasis_end else len(text)
                )
                if match:
                    yield match["name"]
                    last_tag_end = match.end()


def _sign_before(text: str, offset: int) -> str:
    return text[offset - 1 : offset]


def _can_begin_tag(text: str, offset: int) -> bool:
    before = _sign_before(text, offset)
    return not before or before == "_" or before.isspace()


class _TextRun(msgspec.Struct):
    """A run of plain text; offsets are in bytes of the body. `is_first` says that it begins its block or emphasis.

    `emphasis` is the start and the end of the innermost emphasis around it, without the closing mark, or `(0, 0)`; a
    tag ends there.
    """

    start: int
    end: int
    is_first: bool
    emphasis: tuple[int, int]


def _find_text_runs(body: str) -> list[_TextRun]:
    runs: list[_TextRun] = []
    emphases = [(0, 0)]
    link_depths: list[int] = []
    closed_depth, just_opened = 0, True
    for event, span in events(body):
        kind = next(iter(event)) if type(event) is dict else ""
        if kind == "Text" and not closed_depth:
            if runs and runs[-1].end == span["start"] and not just_opened:
                runs[-1].end = span["end"]
            else:
                runs.append(_TextRun(span["start"], span["end"], just_opened, emphases[-1]))
        elif kind in ("Start", "End"):
            name = tag_kind(event[kind])
            if kind == "Start" and name == "Link":
                has_tags = str(event[kind][name]["link_type"]) in _LINK_TYPES_WITH_TAGS
                link_depths.append(0 if has_tags else 1)
                closed_depth += link_depths[-1]
            elif name == "Link":
                closed_depth -= link_depths.pop()
            else:
                closed_depth += (1 if kind == "Start" else -1) * (name in _KINDS_WITHOUT_TAGS)
            if name in _EMPHASIS_MARK_LENGTHS and kind == "Start":
                emphases.append((span["start"], span["end"] - _EMPHASIS_MARK_LENGTHS[name]))
            elif name in _EMPHASIS_MARK_LENGTHS:
                emphases.pop()
        just_opened = kind == "Start"
    return runs
