"""Links as written in notes, and the parsing of their text (L1 to L6)."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Literal
from urllib.parse import unquote_to_bytes

import msgspec

from vaultkit.vault.text_positions import Places

Kind = Literal["wikilink", "markdown", "property", "dice", "fence", "html", "canvas"]
"""The kind of text in which a link is written. Obsidian itself follows the first three and `canvas`, plugins follow
`dice` and `fence`, and only a reader's click follows `html`."""
Status = Literal["ok", "unresolved", "no-heading", "no-block", "ambiguous", "external"]

_LINK_IN_PROPERTY = re.compile(
    r"\[\[(?P<wiki>[^\[\]\r\n]+)\]\]"
    r"|\[(?P<text>[^\[\]\r\n]*)\]\((?:<(?P<angled>[^<>\r\n]*)>|(?P<bare>(?:[^\s()<>]|\([^\s()<>]*\))*))\)"
)
_WHOLE_WIKILINK = re.compile(r"\[\[([^\[\]]+)\]\]")
TOP_PROPERTY = re.compile(r"^(?=[^\s#\-\]}])(?=[^\r\n]*:)", re.MULTILINE)
"""The beginning of a top-level property in YAML."""
_COMMENT = re.compile(r"^[ \t]*#[^\r\n]*|(?<=[ \t])#[^\r\n\"']*+(?:$|(?P<open>))", re.MULTILINE)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A link as written in a note. `path` and `subpath` are decoded; `subpath` has no leading `#`.

    `text` is the displayed text. `line` and `column` count from 1; `start` and `end` are offsets in the note's text.
    `commented` says that the link is between `%%` and `%%`, where Obsidian follows it but does not show it (S7).
    """

    kind: Kind
    embed: bool
    text: str
    path: str
    subpath: str
    line: int
    column: int
    start: int
    end: int
    external: bool = False
    commented: bool = False

    @property
    def target(self) -> str:
        return f"{self.path}#{self.subpath}" if self.subpath else self.path


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """The result of resolving a link. `path` is the target's vault path, None if there is no such file in the vault.

    `others` are further files that match equally well. `is_partial` says that the match begins within a folder's name
    (R7), `from_anywhere` that the link leads to the same file from any note (R3, R5).
    """

    status: Status
    path: str | None = None
    others: tuple[str, ...] = ()
    is_partial: bool = False
    from_anywhere: bool = False


@lru_cache(maxsize=50_000)
def split_wikilink(content: str) -> tuple[str, str, str]:
    """Return the displayed text, path and subpath of the content between `[[` and `]]` (L1, L2)."""
    target, bar, text = content.partition("|")
    target = target.removesuffix("\\") if bar else target
    path, _, subpath = target.replace("\u00a0", " ").strip().partition("#")
    return text.strip() if bar else target.strip(), path.strip(), subpath.strip()


def parse_wikilink(text: str) -> tuple[str, str, str] | None:
    """Return the displayed text, path and subpath if `text` is a single wikilink, else None."""
    link = _WHOLE_WIKILINK.fullmatch(text.strip())
    return split_wikilink(link[1]) if link else None


@lru_cache(maxsize=50_000)
def split_destination(destination: str) -> tuple[str, str]:
    """Return the path and subpath of a Markdown link's destination: decode it, then split it at the first `#` (L3)."""
    path, _, subpath = decode_uri(destination).replace("\u00a0", " ").partition("#")
    return path.strip(), subpath.strip()


def decode_uri(text: str) -> str:
    """Decode percent-encoding as JavaScript's `decodeURI` does: escapes of reserved characters stay."""
    if "%" not in text:
        return text
    if "%" not in (spaced_text := text.replace("%20", " ")):  # fast path
        return spaced_text

    def decode(match: re.Match[str]) -> str:
        data = unquote_to_bytes(match[0])
        try:
            decoded = data.decode("utf-8")
        except UnicodeDecodeError:
            return match[0]
        return "".join(f"%{ord(char):02X}" if char in ";/?:@&=+$,#" else char for char in decoded)

    return _ESCAPES.sub(decode, text)


def is_external(destination: str) -> bool:
    """Return whether a Markdown destination leaves the vault: it has a `:` and no `./` or `../` at its start (L3)."""
    return ":" in destination and not destination.startswith(("./", "../"))


def property_links(block: str, properties: Mapping[str, object], places: Places) -> Iterator[Link]:
    """Yield the links in the texts of the frontmatter `block`; an unquoted `[[X]]` is a YAML list, not a link (L6)."""
    if "[" not in block:
        return
    for value, (begin, end) in _iter_values_with_extents(block, properties):
        yaml, search_start, missing_links = _COMMENT.sub(_blank_comment, block[begin:end]), 0, set[str]()
        for text in _iter_texts(value):
            for match in _LINK_IN_PROPERTY.finditer(text):
                offset = -1 if match[0] in missing_links else _find_quoted_link(yaml, match[0], search_start)
                missing_links |= {match[0]} if offset < 0 else set()
                start = begin + max(offset, search_start)  # -1: repeated by an alias, or written with escapes
                search_start = start - begin + (len(match[0]) if offset >= 0 else 0)
                yield _make_property_link(match, places.extent(start, begin + search_start))


def _iter_values_with_extents(block: str, properties: Mapping[str, object]) -> Iterator[tuple[object, tuple[int, int]]]:
    """Yield the value of each property with its start and end in the block.

    If the properties' lines are not clear, yield a list of all values with the extent of the whole block.
    """
    starts = [match.start() for match in TOP_PROPERTY.finditer(block)]
    if len(starts) == len(properties):
        yield from zip(properties.values(), pairwise([*starts, len(block)]), strict=True)
    else:
        yield list(properties.values()), (0, len(block))


def _blank_comment(comment: re.Match[str]) -> str:
    """Return spaces in place of a comment; if a quote follows on the line, it may be no comment, so it stays."""
    return comment[0] if comment["open"] is not None else " " * len(comment[0])


def _find_quoted_link(block: str, link: str, search_start: int) -> int:
    """Return the offset, at or after `search_start`, of a link that is text in YAML, not a nested list, or -1."""
    offset = block.find(link, search_start)
    while offset >= 0 and link.startswith("[[") and _begins_item(block, search_start, offset):
        offset = block.find(link, offset + 1)
    return offset


def _begins_item(block: str, search_start: int, offset: int) -> bool:
    """Return whether a line start or a sign that begins a YAML value is before an offset, apart from blanks."""
    while offset > search_start and block[offset - 1] in " \t":
        offset -= 1
    return not offset or block[offset - 1] == "\n" or (offset > search_start and block[offset - 1] in ":-,[")


def _make_property_link(match: re.Match[str], extent: tuple[int, int, int, int]) -> Link:
    if match["wiki"] is not None:
        return Link("property", False, *split_wikilink(match["wiki"]), *extent)
    destination = match["angled"] or match["bare"] or ""
    if is_external(destination):
        return Link("property", False, match["text"], destination, "", *extent, external=True)
    return Link("property", False, match["text"], *split_destination(destination), *extent)


def _iter_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _iter_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _iter_texts(item)
