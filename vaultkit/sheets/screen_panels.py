"""Panels for a game master's screen: tables and short sections of notes on pages in landscape format."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.notecards.pruning import drop_records
from vaultkit.sheets.paper import ReadingPlan, load_stock
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.chapter import Chapter, chapter_of, find_title_node
from vaultkit.sheets.rules.rule_sheet import print_chapters
from vaultkit.sheets.secrecy import add_counts
from vaultkit.theme.lengths import MM
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Note, Vault
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import find_heading

_TITLE = "GM Screen"
_MAX_SECTION_CHARS = 700
"""The maximum number of characters of text in a section that is printed as a whole."""
_SHORT_BLOCKS = frozenset({"Table", "CodeBlock", "Callout"})
"""Kinds of blocks that are printed whatever their length."""
_MAX_LISTED_NAMES = 6
_SIDE_MARGIN, _TOP_AND_BOTTOM_MARGIN, _GUTTER = 10 * MM, 13 * MM, 6 * MM
"""The margins of a panel at the sides, and above and below, and the space between columns."""


def print_screen(
    notes: Sequence[tuple[Note, str]], vault: Vault, job: PrintJob, columns: int | None = None
) -> PrintedFile:
    """Print panels with the tables and short sections of notes.

    Each note is given with the heading of a section, or "". A section that is named is printed whatever its length.
    `columns` is the number of columns of a panel; None means 3, or 2 in large print. Raises NothingFound if a note has
    no such section, or if nothing is short enough, and InvalidError if all of it is hidden secrets.
    """
    visible_notes, remarks = job.secrets.filter_notes([note for note, _ in notes])
    too_long, parts, secret_names = list[str](), list[Chapter](), list[str]()
    for note, heading in notes:
        if note in visible_notes:
            part = _make_part(note, heading, vault, job, too_long)
            tree, _, counts = part.parse_text()
            if job.secrets.hidden and (part.source.is_secret(f"#{heading}") or (not tree.children and counts.total())):
                secret_names.append(f"{note.name}#{heading}".rstrip("#"))
            elif tree.children:
                parts.append(part)
    listed = join_first_names(list(dict.fromkeys(too_long)), _MAX_LISTED_NAMES)
    if secret_names:
        names = join_first_names(secret_names, _MAX_LISTED_NAMES)
        remarks += (f"Left out for players, since everything in them is secret: {names}.",)
    if not parts and secret_names:
        hint = "Leave out --no-secrets to print it for yourself."
        raise InvalidError("This is only for the game master.", where=", ".join(secret_names), hint=hint)
    if not parts:
        hint = f'Name a section to print it at any length: vaultkit print screen "{too_long[0]}"' if listed else ""
        raise NothingFound("These notes have no table and no short section.", hint=hint)
    paper = load_stock(job.theme.vault).paper(job.paper)
    paper = paper if paper.is_landscape else paper.on_its_side
    count = columns or (2 if job.theme.large else 3)
    plan = ReadingPlan(
        paper, count, side=_SIDE_MARGIN, above=_TOP_AND_BOTTOM_MARGIN, below=_TOP_AND_BOTTOM_MARGIN, gutter=_GUTTER
    )
    chapter = replace(
        parts[0], text="", title=_TITLE, path="", qr_text="", title_node=None, parts=tuple(parts),
        lists_linked_notes=False,
    )  # fmt: skip
    printed = print_chapters([chapter], plan, job, with_contents=False)
    if listed:
        way = "A section that you name is always printed."
        remarks += (f"Left out, since they are too long for a screen: {listed}. {way}",)
    omissions = Counter("heading" if "#" in name else "note" for name in secret_names)
    omissions["note"] += len({note for note, _ in notes}) - len(set(visible_notes))
    left_out = add_counts([printed.left_out, omissions])
    return replace(printed, remarks=(*printed.remarks, *remarks), left_out=left_out)


def _make_part(note: Note, heading: str, vault: Vault, job: PrintJob, too_long: list[str]) -> Chapter:
    """Return a note, or a section of it, for a screen; the names of omitted sections are added to `too_long`."""
    part = chapter_of(note, vault, job)
    if not heading:
        return replace(part, select_nodes=lambda nodes: list(_select_short_sections(nodes, note.name, too_long)))
    section = find_heading(note.headings, heading)
    text = note.section(heading, with_heading=True)
    if section is None or text is None:
        headings = join_first_names([each.text for each in note.headings], _MAX_LISTED_NAMES)
        hint = f"Its headings are: {headings}." if headings else "It has no headings."
        raise NothingFound(f"There is no heading '{heading}'.", where=note.path, hint=hint)
    title_node = find_title_node(f"# {section.text}", job.secrets, part.source)
    title = " ".join(title_node.words().split()) if title_node else section.text
    return replace(
        part, text=text, title=title, title_node=title_node, replaces_heading=True, select_nodes=_drop_first_heading
    )


def _drop_first_heading(nodes: list[Node]) -> list[Node]:
    return nodes[1:] if nodes and nodes[0].kind == "Heading" else nodes


def _select_short_sections(nodes: list[Node], name: str, too_long: list[str]) -> Iterator[Node]:
    """Yield the nodes of short sections, and of each longer section only its tables and other short blocks.

    Sections that only say where a note comes from are left out.
    """
    section = 0

    def number(node: Node) -> int:
        nonlocal section
        section += node.kind == "Heading"
        return section

    pending: list[Node] = []
    for _, group in groupby(drop_records(nodes), number):
        section_nodes = list(group)
        heading = section_nodes[0] if section_nodes[0].kind == "Heading" else None
        pending = [each for each in pending if heading and (each.number or 1) < (heading.number or 1)]
        body = section_nodes[1:] if heading else section_nodes
        visible_nodes = body
        if sum(len(node.words()) for node in body if node.kind not in _SHORT_BLOCKS) > _MAX_SECTION_CHARS:
            visible_nodes = [node for node in body if node.kind in _SHORT_BLOCKS]
            too_long.append(f"{name}#{heading.words()}" if heading else name)
        if heading and visible_nodes:
            yield from [*pending, heading]
            pending = []
        elif heading:
            pending.append(heading)
        yield from visible_nodes
