"""`tags: a, b`, which Obsidian reads as one text that is no tag, and `tags: #npc`, which YAML takes as empty (Y4)."""

import re
from collections.abc import Iterator

from vaultkit.vault.checking import lint
from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.note import Note
from vaultkit.vault.writing.escape import yaml_scalar
from vaultkit.vault.writing.splice import Splice

_TAG = re.compile(r"(?=.*[^\d/])[\w/-]+")


def tags(note: Note, names: Names) -> Iterator[Repair]:  # noqa: ARG001 (all rules are asked alike)
    """`tags: [a, b]`, where all that the commas divide are tags, and `tags: npc`."""
    for passage in lint.hidden_tags(note):
        plain = lint.without_hash(note, passage)
        if plain is not None:
            yield _repair(note, passage, f"'{passage.text}' is a comment, not a tag.", plain)
    text = lint.tag_text(note)
    if text is None or "," not in text.text:
        return
    wanted = [tag.strip() for tag in text.text.strip("\"'").split(",") if tag.strip()]
    if wanted and all(_TAG.fullmatch(tag) for tag in wanted):
        listed = f"[{', '.join(map(yaml_scalar, wanted))}]"
        yield _repair(note, text, f"'{text.text}' is no list of tags.", listed)


def _repair(note: Note, passage: lint.Passage, message: str, written: str) -> Repair:
    place = (note.places.line(passage.start), note.places.column(passage.start))
    return Repair("property-tags", *place, message, Splice(passage.start, passage.text, written))
