"""Secrets of the game master: which callouts and notes are some, and a note without them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.errors import InvalidError
from vaultkit.vault import Note
from vaultkit.vault.markdown import Node, parse, places
from vaultkit.wording import counted, listing

PLAYERS_COPY = "players' copy"

SEALED = "\0"
"""The beginning of the Markdown of an embedded note that is a secret by its tag."""


@dataclass(frozen=True)
class Secrets:
    """The kinds of callouts, and tags of notes, that are for the game master; `hidden` leaves them out."""

    kinds: tuple[str, ...] = ()
    hidden: bool = False

    def marks(self, note: Note) -> bool:
        """Whether one of a note's tags says that the note is a secret: `gm`, or `gm/plots`."""
        return any(note.has_tag(kind) for kind in self.kinds)

    def sift(self, tree: Node) -> int:
        """How many secrets there are in a note; takes them out of its tree if they are hidden."""
        count = 0
        for node in list(tree.walk()):
            found = [child for child in node.children if self._is_one(child)]
            count += len(found)
            if found and self.hidden:
                node.children = [child for child in node.children if not self._is_one(child)]
        return count

    def count(self, text: str) -> int:
        """How many secrets there are in a Markdown text."""
        tree = parse(text)
        codes = (node for node in tree.walk() if node.kind == "CodeBlock" and node.text.startswith("ad-"))
        return replace(self, hidden=False).sift(tree) + sum(
            self.count(code.words()) for code in codes if not self._is_one(code)
        )

    def cut(self, text: str) -> str:
        """A Markdown text without its secrets, if they are hidden; those within a block of code stay there."""
        data = text.encode("utf-8", "replace")
        return b"".join(self._kept(text, data)).decode() if self.hidden else text

    def _kept(self, text: str, data: bytes) -> Iterator[bytes]:
        """The rest of a text: of a secret the end of its last line, so that what follows begins a new one."""
        at = 0
        for node, start, end in places(text):
            if start >= at and self._is_one(node):
                yield data[at:start]
                at = end - data[start:end].endswith(b"\n")
        yield data[at:]

    def cut_note(self, note: Note) -> Note:
        """The note without its secrets, if they are hidden: no picture, heading or stat block in one is its own."""
        if not self.hidden:
            return note
        head, body = note.text[: note.body_start], note.text[note.body_start :]
        return Note(note.path, (head + self.cut(body)).encode("utf-8", "replace"))

    def remark(self, count: int, holder: str) -> tuple[str, ...]:
        """A sentence on so many secrets, left out or held: `This sheet holds`; none if there are none."""
        if not count:
            return ()
        if self.hidden:
            return (f"Left out for players: {counted(count, 'secret')}.",)
        return (f"{holder} {counted(count, 'secret')} for the game master. A copy for players: --no-secrets.",)

    def open_notes(self, notes: Sequence[Note]) -> tuple[list[Note], tuple[str, ...]]:
        """The notes without those that are secrets if these are left out, and a remark on how many are.

        Raises InvalidError where no note is left.
        """
        hidden = [note for note in notes if self.hidden and self.marks(note)]
        kept = [note for note in notes if note not in hidden]
        if not kept:
            hint = "Leave out --no-secrets to print it for yourself."
            raise InvalidError("This note is for the game master alone, by its tag.", where=hidden[0].path, hint=hint)
        by = "its tag" if len(hidden) == 1 else "their tags"
        return kept, ((f"Left out for players: {listing(note.path for note in hidden)}, by {by}.",) if hidden else ())

    def _is_one(self, node: Node) -> bool:
        kind = node.called.casefold()
        if node.kind == "CodeBlock":
            kind = kind.removeprefix("ad-") if kind.startswith("ad-") else ""
        return node.kind in {"Callout", "CodeBlock"} and kind in {one.casefold() for one in self.kinds}


NO_SECRETS = Secrets()
