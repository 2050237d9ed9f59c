"""A note as read: text, properties, headings and links. Reading never changes a byte."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter, structure, subpath
from vaultkit.vault.encoding import Encoded, decode
from vaultkit.vault.links import Link
from vaultkit.vault.places import Places
from vaultkit.vault.structure import Heading


@dataclass(frozen=True)
class Note:
    """One note. `path` is its vault path with `/`; `data` its bytes as they were read."""

    path: str
    data: bytes

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

    @property
    def name(self) -> str:
        """The file's name without `.md`, which is what a wikilink says."""
        return PurePosixPath(self.path).stem

    @cached_property
    def _frontmatter(self) -> frontmatter.Frontmatter:
        return frontmatter.read(self.text, self.path)

    @property
    def properties(self) -> Mapping[str, object]:
        return self._frontmatter.properties

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the frontmatter."""
        return self._frontmatter.problems

    @property
    def body_start(self) -> int:
        """Where the body begins in `text`."""
        return self._frontmatter.body_start

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    @cached_property
    def places(self) -> Places:
        """Lines and columns of `text`."""
        return Places(self.text)

    @cached_property
    def _structure(self) -> structure.Structure:
        return structure.read(self.text, self.body_start, self.properties)

    @property
    def headings(self) -> tuple[Heading, ...]:
        return self._structure.headings

    @property
    def links(self) -> tuple[Link, ...]:
        return self._structure.links

    @property
    def blocks(self) -> frozenset[str]:
        """Block ids in lower case, without `^`."""
        return self._structure.blocks

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
        wanted = key.lower()
        return next((value for name, value in self.properties.items() if name.lower() == wanted), None)

    def section_end(self, heading: Heading) -> int:
        """Where the section under `heading` ends in `text`: at the next heading of its level or above."""
        later = (other.start for other in self.headings if other.start > heading.start and other.level <= heading.level)
        return next(later, len(self.text))

    def section(self, path: str) -> str | None:
        """The Markdown under the heading that `A` or `A#B` names, without the heading itself; None if it is missing."""
        heading = subpath.find_heading(self.headings, path)
        return None if heading is None else self.text[heading.end : self.section_end(heading)].strip("\r\n")


def texts(value: object) -> tuple[str, ...]:
    """A list property's texts; a single text or number counts as a list of one, a map or a list in the list as none."""
    items = value if isinstance(value, list) else [value]
    return tuple(spoken for spoken in map(_spoken, items) if spoken.strip())


def _spoken(value: object) -> str:
    """A plain value as YAML writes it, "" for what is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""
