"""A repair, and the names in a vault that a rule may ask for."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from vaultkit.vault.checking.remedies import Remedies
from vaultkit.vault.entities import unescaped
from vaultkit.vault.frontmatter import repeats
from vaultkit.vault.links import Kind, Link, Resolution, decode_uri, split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.linkstyle import Linker, LinkStyle
from vaultkit.vault.writing.splice import Splice

_ADDRESS = re.compile(r"\[\[(?P<wikilink>[^|]+)(?:\|x)?\]\]|\[x\]\((?P<markdown>.+)\)")
MOST, READ = 100, 400_000
"""Places in one frontmatter that are looked at, and characters that are read for it where each costs a reading."""


def looks(note: Note) -> int:
    """How many places in a note's frontmatter are looked at, where each costs a reading of it."""
    return min(MOST, 1 + READ // max(note.body_start, 1))


class Repair(msgspec.Struct, frozen=True):
    """One repair: what it mends, as the problem's code, where, in a person's words, and the splice that does it.

    `line` and `column` count code points from 1. `target` is the vault path that the link leads to afterwards, "" if
    it may lead nowhere. `makes_link` says that no link stood there before, `subpath` which heading a link has from now
    on. `promise` is what the problem's hint says where `check --fix` does it, "" for what it says anyway. One that is
    not `certain` is made only where its `cause` is asked for.
    """

    code: str
    line: int
    column: int
    message: str
    splice: Splice
    target: str = ""
    makes_link: bool = False
    promise: str = ""
    cause: str = "other"
    certain: bool = True
    subpath: str = ""

    @classmethod
    def at(
        cls, code: str, note: Note, splice: Splice, message: str, *, target: str = "", makes_link: bool = False
    ) -> "Repair":
        """The repair where the splice begins."""
        return cls(code, *note.places.at(splice.offset), message, splice, target, makes_link)

    def is_wanted(self, cause: str) -> bool:
        """Whether it is made for a cause or a code that is asked for; without any, each that is certain is."""
        return cause in (self.cause, self.code) if cause else self.certain


class Names(Remedies):
    """The remedies of a vault, and its files' addresses in links; one for a run over many notes."""

    def __init__(self, vault: Vault) -> None:
        super().__init__(vault)
        self._vault = vault
        self.files = vault.files
        self._sound: set[tuple[str, str]] = set()

    def is_broken(self, link: Link, source: str) -> bool:
        """Whether a link leads to no file or heading, and stands in the text where that can be mended."""
        if link.external or link.start >= link.end or (link.path, link.subpath) in self._sound:
            return False
        found = self._vault.resolve(link, source)
        if found.status == "ok" and found.everywhere and not link.path.startswith("."):
            self._sound.add((link.path, link.subpath))
        return found.status in ("unresolved", "no-heading")

    def broken(self, note: Note) -> Iterator[tuple[Link, Resolution]]:
        """The broken links, without those of properties that YAML's aliases repeat: nobody sees where."""
        repeated = repeats(note.head)
        broken = (link for link in note.links if self.is_broken(link, note.path))
        kept = (link for link in broken if not (repeated and link.kind == "property"))
        return ((link, self._vault.resolve(link, note.path)) for link in kept)

    def address(self, target: str, source: str, *, markdown: bool) -> str | None:
        """The address in a link to `target`, in the vault's own style; None if no link of this form can hold it."""
        written = _ADDRESS.fullmatch(self._linkers[markdown].link(target, source, "x"))
        return None if written is None else written["markdown" if markdown else "wikilink"]

    @cached_property
    def _linkers(self) -> dict[bool, Linker]:
        chosen = LinkStyle.of(self._vault.app).format
        return {markdown: Linker(self._vault, style=LinkStyle(chosen, markdown)) for markdown in (False, True)}


_IN_WIKILINK = re.compile(r"\\?\||#")
_IN_DESTINATION = re.compile("#")
_IN_DICE = re.compile(r"\\?\||[#^]")


class WrittenPath(msgspec.Struct, frozen=True):
    """A link's path as written, by its offset in the note's text, and whether it is percent-encoded there."""

    start: int
    text: str
    kind: Kind
    encoded: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def reads(self, text: str) -> str:
        """The path that `text` would be in its place (L2, L3)."""
        if self.kind == "html":
            text = unescaped(text)
        if self.encoded:
            return split_destination(text)[0]
        path = split_wikilink(text)[1]
        return decode_uri(path) if self.kind == "dice" else path


def written_path(text: str, link: Link) -> WrittenPath | None:
    """The path of `link` in the note's text; None if it stands elsewhere, as with `[text][reference]`."""
    source = text[link.start : link.end]
    encoded = True
    if link.kind == "html":
        start, end = 0, len(source)
    elif source.endswith("]]"):
        start, end, encoded = source.find("[[") + 2, len(source) - 2, False
    elif "](" in source and source.endswith(")"):
        start, end = _destination(source, link.kind)
    else:
        return None
    plain_ends = _IN_DESTINATION if encoded else _IN_WIKILINK
    ends = _IN_DICE if link.kind == "dice" else plain_ends
    path = ends.split(source[start:end], maxsplit=1)[0]
    start += len(path) - len(path.lstrip())
    return WrittenPath(link.start + start, path.strip(), link.kind, encoded) if path.strip() else None


def written_subpath(text: str, link: Link, path: WrittenPath) -> Splice | None:
    """The subpath of `link` as it stands behind its path, to be replaced; None if there is none to be seen."""
    sign = text.find("#", path.end, link.end)
    ends = _AFTER_SUBPATH[path.encoded].search(text, sign, link.end) if sign >= 0 else None
    return Splice(sign + 1, text[sign + 1 : ends.start()].rstrip(), "") if ends else None


_AFTER_SUBPATH = {False: re.compile(r"\\?\||\]\]"), True: re.compile(r"[)>]?[ \t]+[\"']|[)>]+\Z|>\)|\Z")}


def _destination(source: str, kind: Kind) -> tuple[int, int]:
    """From where to where the destination stands in a Markdown link, without the title behind it."""
    start, end = source.rindex("](") + 2, len(source) - 1
    start += len(source[start:end]) - len(source[start:end].lstrip())
    if source[start] == "<":
        return start + 1, source.find(">", start)
    words = source[start:end].split(maxsplit=1)  # the dice roller takes spaces, and no title
    return start, end if kind == "dice" or not words else start + len(words[0])


def differences(before: object, after: object, name: str = "") -> Iterator[tuple[str, object, object]]:
    """Where two readings of properties differ: the property's name, the value before and the value after."""
    if isinstance(before, Mapping) and isinstance(after, Mapping) and list(before) == list(after):
        for key, value in before.items():
            yield from differences(value, after[key], name or str(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for one, other in zip(before, after, strict=True):
            yield from differences(one, other, name)
    elif repr(before) != repr(after):
        yield name, before, after
