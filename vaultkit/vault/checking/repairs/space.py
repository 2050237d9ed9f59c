"""`[text](my note.md)`: a space in the destination, which makes it no link (L3)."""

from collections.abc import Iterator

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.links import split_destination
from vaultkit.vault.note import Note
from vaultkit.vault.writing.splice import Splice


def space(note: Note, names: Names) -> Iterator[Repair]:
    """`%20` for each space, where the path leads to one file."""
    for passage in lint.spaced_destinations(note, names.files):
        target = names.leads_to(split_destination(passage.text)[0], note.path)
        if target is not None:
            place = (note.places.line(passage.start), note.places.column(passage.start))
            message = f"'{passage.text}' has a space, so that it is no link."
            splice = Splice(passage.start, passage.text, lint.encoded(passage.text))
            yield Repair("link-space", *place, message, splice, target, makes_link=True)
