"""Secrets of the game master: which callouts and notes are some, and a note without them."""

from dataclasses import dataclass

from vaultkit.vault import Note
from vaultkit.vault.markdown import Node
from vaultkit.vault.tags import is_within

SEALED = "\0"
"""The beginning of the Markdown of an embedded note that is a secret by its tag."""


@dataclass(frozen=True)
class Secrets:
    """The kinds of callouts, and tags of notes, that are for the game master; `hidden` leaves them out."""

    kinds: tuple[str, ...] = ()
    hidden: bool = False

    def marks(self, note: Note) -> bool:
        """Whether one of a note's tags says that the note is a secret: `gm`, or `gm/plots`."""
        return any(is_within(tag, kind) for tag in note.tags for kind in self.kinds)

    def sift(self, tree: Node) -> int:
        """How many secrets there are in a note; takes them out of its tree if they are hidden."""
        count = 0
        for node in list(tree.walk()):
            found = [child for child in node.children if self._is_one(child)]
            count += len(found)
            if found and self.hidden:
                node.children = [child for child in node.children if not self._is_one(child)]
        return count

    def _is_one(self, node: Node) -> bool:
        kind = node.text.strip().partition(" ")[0].casefold()
        if node.kind == "CodeBlock":
            kind = kind.removeprefix("ad-") if kind.startswith("ad-") else ""
        return node.kind in {"Callout", "CodeBlock"} and kind in {one.casefold() for one in self.kinds}


NO_SECRETS = Secrets()
