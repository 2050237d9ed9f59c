"""A note to print: its words, and the ways from it into its vault."""

from collections.abc import Callable
from dataclasses import dataclass

from vaultkit.errors import InvalidError
from vaultkit.sheets.note_sources import VaultSource
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.qr import note_address
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.inline import NO_SOURCE, NoteSource
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.vault import Note, Vault
from vaultkit.vault.markdown import Node, parse

_EMPTY = "A note with nothing but properties counts as empty. Write something below them, or name another note."


@dataclass(frozen=True)
class Chapter:
    """A note to print: Markdown without frontmatter.

    `path` is its vault path, shown at the foot. `code` is for a QR code beside the title. `subtitle` stands in place of
    a line of italics below the note's title; `builder` makes the blocks of the sheet.
    """

    text: str
    title: str
    path: str = ""
    source: NoteSource = NO_SOURCE
    code: str = ""
    subtitle: str = ""
    builder: Callable[[Setting], TextBuilder] = TextBuilder

    def parsed(self) -> tuple[Node, Node | None]:
        """The tree without a first heading that repeats the title, and the line of italics under it as a subtitle."""
        tree = parse(self.text)
        children = list(tree.children)
        if children and children[0].kind == "Heading" and children[0].number == 1:
            if children[0].words().strip().lower() != self.title.strip().lower():
                return tree, None
            children.pop(0)
        subtitle = Node("Emphasis", children=[Node("Text", self.subtitle)]) if self.subtitle else None
        if not subtitle and children and children[0].kind == "Paragraph":
            marks = [node for node in children[0].children if node.words().strip()]
            if len(marks) == 1 and marks[0].kind == "Emphasis":
                subtitle = children.pop(0)
        return Node("Document", children=children), subtitle


def chapter_of(note: Note, vault: Vault, job: PrintJob) -> Chapter:
    """The chapter of a note. Raises InvalidError for an empty one."""
    if not note.body.strip():
        raise InvalidError("This note is empty, so there is nothing to print.", where=note.path, hint=_EMPTY)
    code = (note_address(job.vault_name, note.path) or note.path) if job.qr else ""
    return Chapter(note.body, note.title, note.path, VaultSource(note, vault, job.vault_name), code)
