"""Notes as read from the vault: text, properties, headings and links."""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from itertools import islice

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter, subpath
from vaultkit.vault.encoding import Encoded, decode
from vaultkit.vault.links import Link
from vaultkit.vault.note_facts import Facts, find_property, name_of, texts
from vaultkit.vault.structure import Anchors, Heading, Structure, read
from vaultkit.vault.text_positions import Places

__all__ = ["Note", "texts"]


class Note(msgspec.Struct, frozen=True, dict=True):
    """A note, parsed when needed. `path` is its vault path with `/`, `data` the bytes of its file."""

    path: str
    data: bytes

    def __hash__(self) -> int:
        return hash(self.path)

    @cached_property
    def encoded(self) -> Encoded:
        return decode(self.data, self.path)

    @cached_property
    def text(self) -> str:
        """The whole text with the frontmatter, without a byte order mark. Raises EncodingError if it is not UTF-8."""
        return self.encoded.text

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def structure(self) -> Structure:
        """The note's links, and its headings, blocks and footnotes."""
        return read(self.text, self.body_start, self.properties if frontmatter.may_hold(self.head, "[") else {})

    @cached_property
    def _frontmatter(self) -> frontmatter.Frontmatter:
        return frontmatter.read(self.text, self.path)

    @property
    def name(self) -> str:
        """The file name without `.md`, as wikilinks use it."""
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
        """The offset in `text` at which the body begins."""
        return frontmatter.body_start(self.text)

    @property
    def head(self) -> str:
        """The frontmatter's text with its `---` lines, "" if there is none."""
        return self.text[: self.body_start]

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """All tags without `#`; those of the property `tags` come first, but do not count in invalid YAML (O9)."""
        from vaultkit.vault.tags import find_tags

        return find_tags(self.text, self.body_start, self._tags_property)

    @property
    def _tags_property(self) -> object:
        value = self.property("tags")
        return None if value is None or self._frontmatter.is_broken else value

    @cached_property
    def places(self) -> Places:
        """A converter of offsets in `text` to lines and columns."""
        return Places(self.text)

    @property
    def anchors(self) -> Anchors:
        """The headings, blocks and footnotes, to which links can lead."""
        return self.structure.anchors

    @cached_property
    def outline(self) -> subpath.Outline:
        """A quick finder of headings, for notes with many."""
        return subpath.Outline(self.anchors)

    @property
    def headings(self) -> tuple[Heading, ...]:
        return self.structure.anchors.headings

    @property
    def links(self) -> tuple[Link, ...]:
        return self.structure.links

    @property
    def blocks(self) -> frozenset[str]:
        """The block ids in lower case, without `^`."""
        return self.structure.anchors.blocks

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        """The texts of the property `aliases`, which is a list or a single text (Y4)."""
        return texts(self.property("aliases"))

    @cached_property
    def title(self) -> str:
        """The first heading of level 1, else the file name without `.md`."""
        return next((heading.text for heading in self.headings if heading.level == 1), self.name)

    def property(self, key: str) -> object:
        """Return the value of the property `key`, in any letter case, or None if it is missing (Y4)."""
        if "_frontmatter" not in self.__dict__ and not frontmatter.may_hold(self.head, key):  # parsing YAML is slow
            return None
        return find_property(self.properties, key)

    def with_text(self, text: str) -> "Note":
        """Return a copy of the note with another text; unchanged frontmatter is not parsed again."""
        new_note = Note(self.path, self.encoded.to_bytes(text))
        if self.body_start and text.startswith(self.head) and "_frontmatter" in self.__dict__:
            new_note.__dict__["_frontmatter"] = self._frontmatter
        return new_note

    def section_end(self, heading: Heading) -> int:
        """Return the end of the section under `heading`: the start of the next heading of its level or a higher one."""
        index = bisect_right(self.headings, heading.start, key=lambda other: other.start)
        next_starts = (later.start for later in islice(self.headings, index, None) if later.level <= heading.level)
        return next(next_starts, len(self.text))

    def section(self, path: str, *, with_heading: bool = False) -> str | None:
        """Return the section under the heading at `path`, such as `A` or `A#B`, without the heading itself.

        Embeds show it `with_heading`. None means that there is no such heading.
        """
        heading = self.outline.find_heading(path)
        if heading is None:
            return None
        start = heading.start if with_heading else heading.end
        return self.text[start : self.section_end(heading)].strip("\r\n")


def is_generated(note: Note | Facts) -> bool:
    """Return whether ttrpg-convert-cli generated a note; its next run would overwrite changes."""
    classes = note.property("cssclasses") or note.property("cssclass")
    class_names = classes if isinstance(classes, list) else [classes]
    has_generated_class = any(isinstance(name, str) and name.startswith(("json5e-", "pf2e")) for name in class_names)
    return has_generated_class or note.property("obsidianUIMode") == "preview"
