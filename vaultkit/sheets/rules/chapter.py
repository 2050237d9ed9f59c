"""A note to print: its words, and the ways from it into its vault."""

from collections.abc import Callable
from dataclasses import dataclass

from vaultkit.errors import InvalidError
from vaultkit.sheets.note_sources import VaultSource
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.qr import note_address
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.inline import NO_SOURCE, NoteSource, without_links
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
    marked: Node | None = None
    """The title with its bold and italic words, code and signs, if it has any."""

    @property
    def heading(self) -> Node:
        """The title as inline Markdown."""
        return self.marked or Node("Heading", children=[Node("Text", self.title)])

    def parsed(self) -> tuple[Node, Node | None]:
        """The tree without a first heading that repeats the title, and the line of italics under it as a subtitle."""
        children = list(parse(self.text).children)
        first = next((number for number, node in enumerate(children) if node.kind == "Heading"), None)
        if first is not None and children[first].words().strip().lower() == self.title.strip().lower():
            children.pop(first)
        elif first == 0 and children[0].number == 1:
            return Node("Document", children=children), None
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
    marked = _marked_title(note)
    title = note.name if marked is None else " ".join(marked.words().split())
    return Chapter(note.body, title, note.path, VaultSource(note, vault, job.vault_name), code, marked=marked)


def _marked_title(note: Note) -> Node | None:
    """The note's own heading, which is Markdown; None where its title is the name of its file, or has no words."""
    if not any(heading.level == 1 for heading in note.headings):
        return None
    found = without_links(parse(f"# {note.title}").children[0])
    return found if found.words().strip() else None
