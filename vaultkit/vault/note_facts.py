"""Facts of notes without their texts, small enough to keep them in memory for every note of a large vault."""

from collections.abc import Mapping

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault.links import Link
from vaultkit.vault.structure import Anchors, Structure

_encoder = msgspec.msgpack.Encoder()
_anchors_decoder = msgspec.msgpack.Decoder(Anchors)
_links_decoder = msgspec.msgpack.Decoder(tuple[Link, ...])
_targets_decoder = msgspec.msgpack.Decoder(frozenset[str])


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """The properties, tags, headings, links and problems of a note, or the links of a canvas.

    `unreadable` is the problem of a file that cannot be read; everything else is then empty. `problems` are those that
    the file alone shows. `suspects` are the codes of checks that must read the note again. `rolls` says whether the
    note may have tables to roll on. Anchors, links and targets are decoded only when needed, since a vault may have a
    million of them.
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
        """The headings, blocks and footnotes. They are decoded at each access."""
        return _anchors_decoder.decode(self.encoded_anchors)

    @property
    def links(self) -> tuple[Link, ...]:
        """All links. They are decoded at each access."""
        return _links_decoder.decode(self.encoded_links)

    @property
    def targets(self) -> frozenset[str]:
        """The distinct targets of links within the vault. They are decoded at each access."""
        return _targets_decoder.decode(self.encoded_targets)

    @property
    def name(self) -> str:
        """The file name without `.md`, as wikilinks use it."""
        return name_of(self.path)

    @property
    def aliases(self) -> tuple[str, ...]:
        """The texts of the property `aliases`, which is a list or a single text (Y4)."""
        return texts(self.property("aliases"))

    @property
    def is_broken(self) -> bool:
        """Whether the YAML of the properties has a problem."""
        return any(problem.code == "frontmatter" for problem in self.problems)

    def property(self, key: str) -> object:
        """Return the value of the property `key`, in any letter case, or None if it is missing (Y4)."""
        return find_property(self.properties, key)


def find_property(properties: Mapping[str, object], key: str) -> object:
    """Return the value of the property `key`, in any letter case, or None if it is missing (Y4)."""
    if key in properties:
        return properties[key]
    lower_key = key.lower()
    return next((value for name, value in properties.items() if name.lower() == lower_key), None)


def encode_structure(structure: Structure) -> tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw, int]:
    """Return the anchors, links and link targets, encoded as Facts stores them, and the number of links."""
    targets = {link.target for link in structure.links if not link.external}
    anchors, links, encoded_targets = map(_encoder.encode, (structure.anchors, structure.links, targets))
    return msgspec.Raw(anchors), msgspec.Raw(links), msgspec.Raw(encoded_targets), len(structure.links)


def name_of(path: str) -> str:
    """Return the file name of a path without its extension."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return name[:dot] if dot > 0 else name


def texts(value: object) -> tuple[str, ...]:
    """Return the items of a property's value as texts, without empty ones, lists and maps.

    A single text or number counts as a list of one.
    """
    if value is None:
        return ()  # fast path: this runs for every note, and most have no such property
    items = value if isinstance(value, list) else [value]
    return tuple(text for text in map(_scalar_text, items) if text.strip())


def _scalar_text(value: object) -> str:
    """Return a scalar value as YAML writes it, or "" for any other value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""
