"""Words of one note told in another: the links in them lead where they led before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.tables import plain
from vaultkit.vault.writing.escape import markdown
from vaultkit.vault.writing.linkstyle import Linker


@dataclass(frozen=True, slots=True)
class Piece:
    """Plain words, and the vault path and subpath that they link to, "" if to nothing."""

    text: str
    note: str = ""
    subpath: str = ""


Words = tuple[Piece, ...]


def words(text: str, links: Iterable[Link], note: Note, vault: Vault) -> Words:
    """`text` with those of the `links` that stand in `note`, in their order, and that lead to a file of the vault."""
    return tuple(piece for piece in _pieces(text, links, note, vault) if piece.text)


def _pieces(text: str, links: Iterable[Link], note: Note, vault: Vault) -> Iterator[Piece]:
    done = 0
    for link in links:
        shown = plain(note.text[link.start : link.end])
        target = None if link.external else vault.files.resolve(link.path, note.path).path
        found = text.find(shown, done) if shown and target else -1
        if found >= 0 and target:
            yield Piece(text[done:found])
            yield Piece(shown, target, link.subpath)
            done = found + len(shown)
    yield Piece(text[done:])


def spoken(pieces: Words) -> str:
    """The words alone."""
    return "".join(piece.text for piece in pieces)


def written(pieces: Words, linker: Linker, source: str, *, table: bool = False) -> str:
    """The words as Markdown in the note `source`; `table` for a cell."""
    return "".join(_written(piece, linker, source, table) for piece in pieces)


def _written(piece: Piece, linker: Linker, source: str, table: bool) -> str:
    if piece.note:
        return linker.link(piece.note, source, piece.text, piece.subpath, table=table)
    before = " " * piece.text[:1].isspace()
    after = " " * (piece.text[-1:].isspace() and bool(piece.text.strip()))
    return f"{before}{markdown(piece.text)}{after}"


def part(pieces: Words, start: int, end: int) -> Words:
    """The words from `start` to `end`, in characters; a link that is cut stays a link."""
    found, at = [], 0
    for piece in pieces:
        first, last = max(start - at, 0), min(end - at, len(piece.text))
        if first < last:
            found.append(replace(piece, text=piece.text[first:last]))
        at += len(piece.text)
    return tuple(found)


def joined(many: Sequence[Words], between: str) -> Words:
    """Words one behind the other."""
    found: list[Piece] = []
    for number, some in enumerate(many):
        found.extend((Piece(between), *some) if number else some)
    return tuple(found)
