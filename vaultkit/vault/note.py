"""A note as read: text, properties, headings and links. Reading never changes a byte."""

import hashlib
from collections.abc import Mapping
from functools import cached_property

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter, subpath
from vaultkit.vault.encoding import Encoded, decode
from vaultkit.vault.facts import Facts, name_of, texts
from vaultkit.vault.links import Link
from vaultkit.vault.places import Places
from vaultkit.vault.structure import Anchors, Heading, Structure, read

__all__ = ["Note", "texts"]


class Note(msgspec.Struct, frozen=True, dict=True):
    """One note. `path` is its vault path with `/`; `data` its bytes as they were read."""

    path: str
    data: bytes

    def __hash__(self) -> int:
        return hash(self.path)

    @cached_property
    def encoded(self) -> Encoded:
        return decode(self.data, self.path)

    @property
    def text(self) -> str:
        """The whole note, frontmatter included, without a byte order mark. Raises InvalidError if it is not UTF-8."""
        return self.encoded.text

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def structure(self) -> Structure:
        """The targets in the note that links can lead to, and its own links."""
        return read(self.text, self.body_start, self.properties if frontmatter.may_hold(self.head, "[") else {})

    @cached_property
    def _frontmatter(self) -> frontmatter.Frontmatter:
        return frontmatter.read(self.text, self.path)

    @property
    def name(self) -> str:
        """The file's name without `.md`, which is what a wikilink says."""
        return name_of(self.path)

    @property
    def properties(self) -> Mapping[str, object]:
        return self._frontmatter.properties

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the frontmatter."""
        return self._frontmatter.problems

    @cached_property
    def body_start(self) -> int:
        """Where the body begins in `text`."""
        return frontmatter.body_start(self.text)

    @property
    def head(self) -> str:
        """All that stands above the body."""
        return self.text[: self.body_start]

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """All tags without `#`, those of the properties first."""
        from vaultkit.vault.tags import tags

        return tags(self.text, self.body_start, self.property("tags"))

    @cached_property
    def places(self) -> Places:
        """Lines and columns of `text`."""
        return Places(self.text)

    @property
    def anchors(self) -> Anchors:
        """Headings, blocks and footnotes: what links into the note can lead to."""
        return self.structure.anchors

    @property
    def headings(self) -> tuple[Heading, ...]:
        return self.structure.anchors.headings

    @property
    def links(self) -> tuple[Link, ...]:
        return self.structure.links

    @property
    def blocks(self) -> frozenset[str]:
        """Block ids in lower case, without `^`."""
        return self.structure.anchors.blocks

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        """The `aliases` property, whether a list or a single text (Y4)."""
        return texts(self.property("aliases"))

    @property
    def title(self) -> str:
        """The first heading of level 1, else the file's name."""
        return next((heading.text for heading in self.headings if heading.level == 1), self.name)

    def property(self, key: str) -> object:
        """A property's value by name in any case, None if there is none (Y4)."""
        if not frontmatter.may_hold(self.head, key):  # to read YAML takes a while
            return None
        return Facts(self.path, properties=self.properties).property(key)

    def with_text(self, text: str) -> "Note":
        """The note as it will be with another text. What is the same in its frontmatter is not read once more."""
        after = Note(self.path, self.encoded.to_bytes(text))
        if self.body_start and text.startswith(self.head) and "_frontmatter" in self.__dict__:
            after.__dict__["_frontmatter"] = self._frontmatter
        return after

    def has_tag(self, wanted: str) -> bool:
        """Whether the note has the tag `wanted` or one below it, as `npc/dead` is below `npc`."""
        from vaultkit.vault.tags import is_within, tags

        listed = self.property("tags") if frontmatter.may_hold(self.head, wanted) else None
        return any(is_within(tag, wanted) for tag in tags(self.text, self.body_start, listed))

    def section_end(self, heading: Heading) -> int:
        """Where the section under `heading` ends in `text`: at the next heading of its level or above."""
        later = (other.start for other in self.headings if other.start > heading.start and other.level <= heading.level)
        return next(later, len(self.text))

    def section(self, path: str) -> str | None:
        """The Markdown under the heading that `A` or `A#B` names, without the heading itself; None if it is missing."""
        heading = subpath.find_heading(self.headings, path)
        return None if heading is None else self.text[heading.end : self.section_end(heading)].strip("\r\n")

    def headed_section(self, path: str) -> str | None:
        """The same with the heading, as it is embedded."""
        heading = subpath.find_heading(self.headings, path)
        return None if heading is None else self.text[heading.start : self.section_end(heading)].strip("\r\n")


def is_generated(note: Note | Facts) -> bool:
    """Whether ttrpg-convert-cli generates a note; its next run would overwrite a line of ours."""
    classes = note.property("cssclasses") or note.property("cssclass")
    names = classes if isinstance(classes, list) else [classes]
    generated = any(isinstance(name, str) and name.startswith(("json5e-", "pf2e")) for name in names)
    return generated or note.property("obsidianUIMode") == "preview"
