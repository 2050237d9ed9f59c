"""`[[The Bird]]`, which is an alias: Obsidian never looks for those (R2)."""

from collections.abc import Iterator
from functools import cache, partial

from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.checking.repairs.written import WrittenPath, written_path
from vaultkit.vault.links import Link
from vaultkit.vault.note import Note
from vaultkit.vault.places import TextOffsets
from vaultkit.vault.structure import events
from vaultkit.vault.writing.splice import Splice


def alias(note: Note, names: Names) -> Iterator[Repair]:
    """`[[Note|The Bird]]`, where exactly one note has that alias and no file that name. Embeds are left alone."""
    tables = cache(partial(_tables, note))
    for link in names.unresolved(note):
        path = written_path(note.text, link)
        if path is None or link.embed or link.kind not in ("wikilink", "markdown", "property"):
            continue
        called = names.with_alias(link.path.removesuffix(".md") if path.encoded else link.path)
        if len(called) != 1 or names.files.named(link.path):
            continue
        (target,) = called
        address = names.address(target, note.path, markdown=path.encoded)
        if address is not None:
            message = f"'{path.text}' is an alias of '{target}'."
            cell = any(start <= link.start < end for start, end in tables())
            splice = _splice(note.text, link, path, address, "\\|" if cell else "|")
            yield Repair("link-unresolved", link.line, link.column, message, splice, target)


def _splice(text: str, link: Link, path: WrittenPath, address: str, bar: str) -> Splice:
    """The address in place of the alias; a wikilink that shows its target goes on showing it."""
    end = link.end - len("]]")
    behind = text[path.end : end]
    if path.encoded or "|" in behind:
        return Splice(path.start, path.text, address)
    shown = " > ".join(filter(None, (path.text, *link.subpath.split("#"))))
    return Splice(path.start, text[path.start : end], f"{address}{behind.rstrip()}{bar}{shown}")


def _tables(note: Note) -> list[tuple[int, int]]:
    """From where to where each table reaches."""
    offset = TextOffsets(note.body, note.body_start)
    spans = [span for event, span in events(note.body) if _begins_table(event)]
    return [(offset(span["start"]), offset(span["end"])) for span in spans]


def _begins_table(event: object) -> bool:
    begun = event.get("Start") if isinstance(event, dict) else None
    return isinstance(begun, dict) and "Table" in begun
