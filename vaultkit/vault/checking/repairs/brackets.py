"""`place: [[Bell]]` in the frontmatter, which YAML reads as a list in a list (L6)."""

from collections.abc import Iterator

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.alias import alias
from vaultkit.vault.checking.repairs.backslash import backslash
from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.checking.repairs.moved import moved
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.writing.splice import Splice

_BEFORE = "---\nlink: "


def brackets(note: Note, names: Names) -> Iterator[Repair]:
    """Quotes around the link, which is repaired too where it needs that, so that one run mends all."""
    for passage in lint.bare_links(note, names.files):
        written = lint.quoted(passage)
        if written is None:
            continue
        place = (note.places.line(passage.start), note.places.column(passage.start))
        message = f"'{passage.text}' without quotes is no link."
        mended, target = _mended(written, note.path, names)
        if mended is None:
            target = names.leads_to(split_wikilink(passage.text[2:-2])[1], note.path) or ""
        splice = Splice(passage.start, passage.text, mended or written)
        yield Repair("property-link", *place, message, splice, target, makes_link=True)


def _mended(written: str, source: str, names: Names) -> tuple[str | None, str]:
    """The link in quotes with whatever repair it needs besides, and where it leads then; None if it needs none."""
    alone = Note(source, f"{_BEFORE}{written}\n---\n".encode())
    for rule in (backslash, alias, moved):
        for repair in rule(alone, names):
            inner = Splice(repair.splice.offset - len(_BEFORE), repair.splice.removed, repair.splice.inserted)
            return inner.apply(written), repair.target
    return None, ""
