"""Chapters: notes to print, with their text, title and access to the vault."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vaultkit.compendium.rule_note import has_play_blocks
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.secrecy import NO_SECRETS, PLAYERS_COPY, Secrets
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.inline import remove_links
from vaultkit.sheets.text.note_source import NO_SOURCE, NoteSource
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.setting import Setting
from vaultkit.sheets.text.stat_block import stat_fence
from vaultkit.sheets.vault_source import VaultSource, language_of
from vaultkit.vault import Note, Vault
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.obsidian import note_address

_NO_QR_CODE_REMARK = "A copy for players has no QR code: it would reveal the note's path."
_MAX_HEADING_LEVEL = 6
_FOOTNOTE_KINDS = {"FootnoteReference", "FootnoteDefinition"}
_EMPTY_NOTE_HINT = (
    "A note with nothing but properties counts as empty. Write something below them, or name another note."
)


@dataclass(frozen=True)
class Chapter:
    """A note to print; `text` is its Markdown without frontmatter.

    `path` is its vault path, shown at the foot of pages. `qr_text` is the text of a QR code beside the title.
    `subtitle` is printed instead of a line of italics below the note's title. `make_builder` makes the builder of its
    blocks.
    """

    text: str
    title: str
    path: str = ""
    source: NoteSource = NO_SOURCE
    qr_text: str = ""
    subtitle: str = ""
    make_builder: Callable[[Setting], TextBuilder] = TextBuilder
    secrets: Secrets = NO_SECRETS
    lists_linked_notes: bool | None = None
    """Whether other notes that this note names are listed at the end; None lists them only if they are few."""
    language: str = ""
    """The language of the note; "" if it is unknown."""
    is_secret: bool = False
    """Whether the whole note is a secret."""
    title_node: Node | None = None
    """The title with its inline formatting (bold, italics, code, icons), or None if it is plain text."""
    parts: "tuple[Chapter, ...]" = ()
    """Notes that stand one below the other in this chapter, in place of `text`, each below its title."""
    select_nodes: Callable[[list[Node]], list[Node]] = list
    """A function that returns the nodes to print of all nodes in the text."""
    replaces_heading: bool = False
    """Whether the title replaces a level 1 heading at the beginning of the note even if its words differ."""

    @property
    def heading(self) -> Node:
        """The title as a node with inline formatting."""
        return self.title_node or Node("Heading", children=[Node("Text", self.title)])

    @property
    def footer(self) -> str:
        """The text at the foot of pages: the note's path, "" if `lists_linked_notes` is False, or `players' copy`."""
        if self.secrets.hidden:
            return PLAYERS_COPY
        return "" if self.lists_linked_notes is False else self.path

    @property
    def subject(self) -> str:
        """The subject in the file's metadata: the note's path, or for players its title."""
        return f"{self.title} · {PLAYERS_COPY}" if self.secrets.hidden else self.path

    def parse_text(self) -> tuple[Node, Node | None, Counter[str]]:
        """Return the parsed text, its subtitle or None, and the number of secrets by kind.

        The tree has no hidden secrets, no subtitle, and no heading that repeats the title.
        """
        if self.parts:
            part_nodes, counters = zip(
                *(_part_node(part, number) for number, part in enumerate(self.parts)), strict=True
            )
            return Node("Document", children=list(part_nodes)), None, sum(counters, Counter())
        tree = parse(self.text)
        secrets = filter_secrets(tree, self.secrets, self.source)
        tree.children = self.select_nodes(tree.children)
        if self.select_nodes is not list and not self.secrets.hidden:  # only the secrets that are shown are counted
            secrets = filter_secrets(tree, self.secrets, self.source)
        secrets["note"] += self.is_secret
        children = tree.children
        heading_index = next((number for number, node in enumerate(children) if node.kind == "Heading"), None)
        if heading_index == 0 and self.replaces_heading and children[0].number == 1:
            children.pop(0)
        elif (
            heading_index is not None and children[heading_index].words().strip().lower() == self.title.strip().lower()
        ):
            children.pop(heading_index)
        elif heading_index == 0 and children[0].number == 1:
            return Node("Document", children=children), None, secrets
        subtitle = Node("Emphasis", children=[Node("Text", self.subtitle)]) if self.subtitle else None
        if not subtitle and children and children[0].kind == "Paragraph":
            visible_nodes = [node for node in children[0].children if node.words().strip()]
            if len(visible_nodes) == 1 and visible_nodes[0].kind == "Emphasis":
                subtitle = children.pop(0)
        return Node("Document", children=children), subtitle, secrets


def _part_node(part: Chapter, number: int) -> tuple[Node, Counter[str]]:
    """Return a node with the title and the text of a note, whose headings are one level deeper, and its secrets.

    The names of its footnotes begin with its `number`, because those of several notes may be equal.
    """
    tree, subtitle, secrets = part.parse_text()
    for node in tree.walk():
        if node.kind == "Heading":
            node.number = min((node.number or 1) + 1, _MAX_HEADING_LEVEL)
        elif node.kind in _FOOTNOTE_KINDS:
            node.text = f"{number} {node.text}"
    title = Node("Heading", children=part.heading.children, number=1)
    subtitle_nodes = [Node("Paragraph", children=[subtitle])] if subtitle else []
    return Node("Part", children=[title, *subtitle_nodes, *tree.children], number=number), secrets


def chapter_of(note: Note, vault: Vault, job: PrintJob) -> Chapter:
    """Return the chapter of a note. Raises InvalidError for an empty note and for a hidden secret."""
    job.secrets.filter_notes([note])
    text = stat_fence(note) + note.body
    if not text.strip():
        raise InvalidError("This note is empty, so there is nothing to print.", where=note.path, hint=_EMPTY_NOTE_HINT)
    qr_text = (note_address(job.vault_name, note.path) or note.path) if job.qr and not job.secrets.hidden else ""
    make_strip = None
    if has_play_blocks(note):
        from vaultkit.sheets.example_strip import StripMaker  # loads the engine of games

        make_strip = StripMaker(note, vault).make
    source = VaultSource(note, vault, job.vault_name, job.secrets, make_strip)
    # The whole body is read for footnotes and secrets around the title.
    title_text = note.body if "^" in note.title or job.secrets.hidden else f"# {note.title}"
    has_title = any(heading.level == 1 for heading in note.headings)
    title_node = find_title_node(title_text, job.secrets, source) if has_title else None
    title = note.name if title_node is None else " ".join(title_node.words().split())
    is_secret = job.secrets.is_secret_note(note)
    return Chapter(
        text, title, note.path, source, qr_text, secrets=job.secrets, is_secret=is_secret, title_node=title_node,
        lists_linked_notes=job.sources, language=language_of(note) or job.language,
    )  # fmt: skip


def chapters_of(notes: Sequence[Note], vault: Vault, job: PrintJob) -> tuple[list[Chapter], tuple[str, ...]]:
    """Return the chapters of all notes that are not hidden secrets, and remarks on omissions.

    Raises InvalidError for an empty note, and if no note is left.
    """
    visible_notes, remarks = job.secrets.filter_notes(notes)
    remarks += (_NO_QR_CODE_REMARK,) if job.qr and job.secrets.hidden else ()
    return [chapter_of(note, vault, job) for note in visible_notes], remarks


def find_title_node(text: str, secrets: Secrets, source: NoteSource) -> Node | None:
    """Return the level 1 heading that is the title of a text, without links; None if there is none or it is empty."""
    tree = parse(text)
    filter_secrets(tree, secrets, source)
    title_node = next((node for node in tree.children if node.kind == "Heading" and node.number == 1), None)
    return remove_links(title_node) if title_node is not None and title_node.words().strip() else None
