"""The facts of a note without its text: small enough to be kept for every note of a large vault."""

from collections.abc import Mapping

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.links import Link
from vaultkit.vault.structure import Anchors, Structure

_encoder = msgspec.msgpack.Encoder()
_anchors = msgspec.msgpack.Decoder(Anchors)
_links = msgspec.msgpack.Decoder(tuple[Link, ...])
_targets = msgspec.msgpack.Decoder(frozenset[str])


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """One note's properties, tags, headings, links and problems, or a canvas's links.

    `unreadable` says why there is nothing else; `problems` are those that the file has in itself, whatever else is in
    the vault; `suspects` are the codes of checks that have to read it once more. A note with `rolls` may have tables to
    roll on. Anchors, links and targets stay encoded until somebody asks for them, since a vault may have a million.
    """

    path: str
    title: str = ""
    properties: Mapping[str, object] = {}
    problems: tuple[Problem, ...] = ()
    unreadable: Problem | None = None
    suspects: tuple[str, ...] = ()
    rolls: bool = False
    tags: tuple[str, ...] = ()
    encoded_anchors: msgspec.Raw = msgspec.Raw(_encoder.encode(Anchors()))
    encoded_links: msgspec.Raw = msgspec.Raw(_encoder.encode(()))
    encoded_targets: msgspec.Raw = msgspec.Raw(_encoder.encode(()))
    link_count: int = 0

    @property
    def anchors(self) -> Anchors:
        """Headings, blocks and footnotes; decoded anew each time, so ask once."""
        return _anchors.decode(self.encoded_anchors)

    @property
    def links(self) -> tuple[Link, ...]:
        """All links; decoded anew each time, so ask once."""
        return _links.decode(self.encoded_links)

    @property
    def targets(self) -> frozenset[str]:
        """The targets of a note's links into its vault, each once: far fewer than links; decoded anew each time."""
        return _targets.decode(self.encoded_targets)

    @property
    def name(self) -> str:
        """The file's name without `.md`, which is what a wikilink says."""
        return name_of(self.path)

    @property
    def aliases(self) -> tuple[str, ...]:
        """The `aliases` property, whether a list or a single text (Y4)."""
        return texts(self.property("aliases"))

    @property
    def is_broken(self) -> bool:
        """Whether something is wrong with the YAML of its properties."""
        return any(problem.code == "frontmatter" for problem in self.problems)

    def property(self, key: str) -> object:
        """A property's value by name in any case, None if there is none (Y4)."""
        if key in self.properties:
            return self.properties[key]
        wanted = key.lower()
        for name, value in self.properties.items():
            if name.lower() == wanted:
                return value
        return None


def packed(structure: Structure) -> tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw, int]:
    """Anchors, links and targets as Facts hold them, and how many links they are."""
    inner = (link for link in structure.links if not link.external)
    targets = {f"{link.path}#{link.subpath}" if link.subpath else link.path for link in inner}
    anchors, links, reached = map(_encoder.encode, (structure.anchors, structure.links, targets))
    return msgspec.Raw(anchors), msgspec.Raw(links), msgspec.Raw(reached), len(structure.links)


def name_of(path: str) -> str:
    """A file's name without folders and without its ending."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return name[:dot] if dot > 0 else name


def texts(value: object) -> tuple[str, ...]:
    """A list property's texts; a single text or number counts as a list of one, a map or a list in the list as none."""
    if value is None:
        return ()  # asked of every note of a vault, most of which have nothing
    items = value if isinstance(value, list) else [value]
    return tuple(spoken for spoken in map(_spoken, items) if spoken.strip())


def _spoken(value: object) -> str:
    """A plain value as YAML writes it, "" for what is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""
