"""`tags: a, b`, which Obsidian reads as one text that is no tag (Y4)."""

import re
from collections.abc import Iterator

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.note import Note
from vaultkit.vault.writing.escape import yaml_scalar
from vaultkit.vault.writing.splice import Splice

_TAG = re.compile(r"(?=.*[^\d/])[\w/-]+")


def tags(note: Note, names: Names) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """`tags: [a, b]`, where all that the commas divide are tags."""
    passage = lint.tag_text(note)
    if passage is None or "," not in passage.text:
        return
    wanted = [tag.strip() for tag in passage.text.strip("\"'").split(",") if tag.strip()]
    if wanted and all(_TAG.fullmatch(tag) for tag in wanted):
        place = (note.places.line(passage.start), note.places.column(passage.start))
        written = f"[{', '.join(map(yaml_scalar, wanted))}]"
        message = f"'{passage.text}' is no list of tags."
        yield Repair("property-tags", *place, message, Splice(passage.start, passage.text, written))
