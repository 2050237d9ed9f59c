"""Repairs of notes, and the lookups in a vault from which checks make them."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from vaultkit.vault.checking.fixes import RemedyFinder
from vaultkit.vault.entities import unescape_references
from vaultkit.vault.frontmatter import has_alias
from vaultkit.vault.links import Kind, Link, Resolution, decode_uri, split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.link_style import Linker, LinkStyle
from vaultkit.vault.writing.splice import Splice

Shared = TypeVar("Shared")
_ADDRESS = re.compile(r"\[\[(?P<wikilink>[^|]+)(?:\|x)?\]\]|\[x\]\((?P<markdown>.+)\)")
MAX_PLACES, MAX_READ_CHARS = 100, 400_000
"""The limits for checks that read a frontmatter once for each place in it: the maximum number of places, and of
characters in all readings together."""


def max_examined_places(note: Note) -> int:
    """Return how many places in a note's frontmatter a check may examine if it reads it once for each place."""
    return min(MAX_PLACES, 1 + MAX_READ_CHARS // max(note.body_start, 1))


class Repair(msgspec.Struct, frozen=True):
    """A repair of one problem in a note. `code` is the problem's code, `line` and `column` its place, from 1.

    `message` tells the user what the repair does. `target` is the vault path that the link leads to after the repair,
    "" if none is required. `makes_link` is True if there was no link before. `subpath` is the link's new heading, ""
    if the repair does not change it. `hint` is the start of the problem's hint, "" for its usual hint. A repair that is
    not `certain` is made only if the user asks for its `cause`. One that `derives` rewrites what follows from other
    text of the note, and may change links in it.
    """

    code: str
    line: int
    column: int
    message: str
    splice: Splice
    target: str = ""
    makes_link: bool = False
    hint: str = ""
    cause: str = "other"
    certain: bool = True
    subpath: str = ""
    derives: bool = False

    @classmethod
    def at_splice(
        cls, code: str, note: Note, splice: Splice, message: str, *, target: str = "", makes_link: bool = False
    ) -> "Repair":
        """Return a repair at the place where the splice begins."""
        return cls(code, *note.places.line_and_column(splice.offset), message, splice, target, makes_link)

    def is_wanted(self, cause: str | None) -> bool:
        """Return whether the repair has the given cause, or is certain and has the given code.

        For "" return whether it is certain, and for None whether it is a guess.
        """
        if not cause:
            return self.certain is (cause is not None)
        return cause == self.cause or (cause == self.code and self.certain)


class RepairContext(RemedyFinder):
    """The remedies of links in a vault and the addresses of its files, for a run over many notes."""

    def __init__(self, vault: Vault) -> None:
        super().__init__(vault)
        self.vault = vault
        self.files = vault.files
        self._shared: dict[Callable[[Vault], Any], Any] = {}
        self._right_targets: set[tuple[str, str]] = set()

    def get_shared(self, factory: Callable[[Vault], Shared]) -> Shared:
        """Return something that the repairs of several notes need; `factory` makes it once."""
        if factory not in self._shared:
            self._shared[factory] = factory(self.vault)
        value: Shared = self._shared[factory]
        return value

    def is_broken(self, link: Link, source: str) -> bool:
        """Return whether a link leads to no single file or to no place in it, and has a text that can be repaired."""
        if link.external or link.start >= link.end or (link.path, link.subpath) in self._right_targets:
            return False
        resolution = self.resolve(link, source)
        if resolution.status == "ok" and resolution.from_anywhere and not link.path.startswith("."):
            self._right_targets.add((link.path, link.subpath))
        return resolution.status in ("unresolved", "no-heading", "no-block", "ambiguous")

    def find_broken_links(self, note: Note) -> Iterator[tuple[Link, Resolution]]:
        """Return the broken links of a note, each with its resolution.

        Links in properties are left out if the frontmatter has YAML aliases, since the links' places are then unclear.
        """
        has_yaml_aliases = has_alias(note.head)
        broken_links = (link for link in note.links if self.is_broken(link, note.path))
        locatable = (link for link in broken_links if not (has_yaml_aliases and link.kind == "property"))
        return ((link, self.resolve(link, note.path)) for link in locatable)

    def link_address(self, target: str, source: str, *, markdown: bool) -> str | None:
        """Return the address for a link to `target`, in the vault's style, or None if such a link is impossible."""
        match = _ADDRESS.fullmatch(self._linkers[markdown].link(target, source, "x"))
        return None if match is None else match["markdown" if markdown else "wikilink"]

    @cached_property
    def _linkers(self) -> dict[bool, Linker]:
        link_format = LinkStyle.from_settings(self.vault.app_settings).format
        return {markdown: Linker(self.vault, style=LinkStyle(link_format, markdown)) for markdown in (False, True)}


_WIKILINK_PATH_END = re.compile(r"\\?\||#")
_DESTINATION_PATH_END = re.compile("#")
_DICE_PATH_END = re.compile(r"\\?\||[#^]")


class WrittenPath(msgspec.Struct, frozen=True):
    """A link's path as written in the note's text; `start` is its offset, `encoded` whether it is percent-encoded."""

    start: int
    text: str
    kind: Kind
    encoded: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def read_as(self, text: str) -> str:
        """Return the path that Obsidian would read in the link if `text` replaced the written path (L2, L3)."""
        if self.kind == "html":
            text = unescape_references(text)
        if self.encoded:
            return split_destination(text)[0]
        path = split_wikilink(text)[1]
        return decode_uri(path) if self.kind == "dice" else path


def written_path(text: str, link: Link) -> WrittenPath | None:
    """Return the path of `link` as written in the note's text, or None if it is not in the link itself.

    In `[text][reference]`, for example, the path is in the definition of the reference.
    """
    source = text[link.start : link.end]
    encoded = True
    if link.kind == "html":
        start, end = 0, len(source)
    elif source.endswith("]]"):
        start, end, encoded = source.find("[[") + 2, len(source) - 2, False
    elif "](" in source and source.endswith(")"):
        start, end = _find_destination(source, link.kind)
    else:
        return None
    usual_path_end = _DESTINATION_PATH_END if encoded else _WIKILINK_PATH_END
    path_end = _DICE_PATH_END if link.kind == "dice" else usual_path_end
    path = path_end.split(source[start:end], maxsplit=1)[0]
    start += len(path) - len(path.lstrip())
    return WrittenPath(link.start + start, path.strip(), link.kind, encoded) if path.strip() or not link.path else None


def written_subpath(text: str, link: Link, path: WrittenPath) -> Splice | None:
    """Return a splice that removes the subpath of `link`, or None if there is none; its `removed` is the subpath."""
    hash_offset = text.find("#", path.end, link.end)
    end_match = _SUBPATH_END[path.encoded].search(text, hash_offset, link.end) if hash_offset >= 0 else None
    return Splice(hash_offset + 1, text[hash_offset + 1 : end_match.start()].rstrip(), "") if end_match else None


_SUBPATH_END = {False: re.compile(r"\\?\||\]\]"), True: re.compile(r"[)>]?[ \t]+[\"']|[)>]+\Z|>\)|\Z")}


def _find_destination(source: str, kind: Kind) -> tuple[int, int]:
    """Return the start and end of the destination in a Markdown link, without the title after it."""
    start, end = source.rindex("](") + 2, len(source) - 1
    start += len(source[start:end]) - len(source[start:end].lstrip())
    if source[start] == "<":
        return start + 1, source.find(">", start)
    words = source[start:end].split(maxsplit=1)  # the dice roller plugin allows spaces, but no title
    return start, end if kind == "dice" or not words else start + len(words[0])


def differences(before: object, after: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Yield the differences between two readings of properties: name, value before and value after."""
    if isinstance(before, Mapping) and isinstance(after, Mapping) and list(before) == list(after):
        for key, value in before.items():
            yield from differences(value, after[key], name or str(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for item, other_item in zip(before, after, strict=True):
            yield from differences(item, other_item, name)
    elif repr(before) != repr(after):
        yield name, before, after
