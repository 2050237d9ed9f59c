"""The sections of notes, and the pieces of sections: paragraphs, list items, table rows, callouts and statblocks."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, zip_longest

from vaultkit.search.passages import Passage, PassageEntry, format_wikilink, link_name
from vaultkit.search.stemming import split_words
from vaultkit.vault import Heading, Note, Vault, markdown
from vaultkit.vault.markdown import Node
from vaultkit.vault.note_facts import name_of, texts
from vaultkit.vault.table_heads import DIE
from vaultkit.vault.tables import may_have_roll_tables

_NAME_END = re.compile(r"[.:?!]|.[.:]|.$")
"""The end of a bold text that is a name: its last character is a mark, or a stop, a colon or nothing follows it."""
_MAX_SECTION_LENGTH = 200_000
"""The letters of a section that are read for an answer, as `docs/limits.md` says."""
_MAX_WHOLE_LIST_LENGTH = 300
"""The maximum length, in characters, of a list that is quoted as a whole when one of its items is an answer."""
_MAX_INTRODUCTION_LENGTH = 250
"""The maximum length, in characters, of the text above a statblock that is quoted before it."""
_EXAMPLE_WORD = "example"
"""A word in headings above examples."""
_BLOCKS = {"Paragraph", "List", "Item", "Table", "BlockQuote", "Callout", "CodeBlock", "Heading", "TableCell"}
"""The kinds of Markdown nodes that are separated from the text around them."""
_STATBLOCK = "statblock"
"""The language of code blocks of the plugin Fantasy Statblocks, and the property of notes that are statblocks."""
_STATBLOCK_LINE = re.compile(r"^[ \t]*(?:-[ \t]+)?(?:(?P<key>[\w ]+):(?:[ \t]+|$))?(?P<value>.*?)[ \t]*$", re.MULTILINE)
_HIDDEN_STATBLOCK_KEYS = {"name", "desc", "text", "image", "layout", "columns", "source", "dice", "render"}
"""The keys of a statblock whose values are not shown, or are shown without the key."""
_SHOWN_STATBLOCK_KEYS = {"name", "desc", "text"}
_MAX_SHORT_NOTE_LENGTH, _MAX_OPENING_LENGTH = 3000, 600
"""The lengths, in characters, up to which the context of a note is its whole text, and else its opening."""
_PLACEHOLDER = re.compile(
    r"\{\{(?>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*)\}\}|<%(?>(?:[^<%\n]|<(?!%)|%(?!>))*)%>|`\$?=[^`\n]*`"
)
"""A part of a text that a template or a query fills in."""
_WIKILINK = re.compile(r"\[\[(?P<target>[^\[\]|#\n]+)(?:#(?P<heading>[^\[\]|\n]+))?[^\[\]\n]*\]\]")
_MIN_INDEX_LINK_SHARE = 0.3
"""The share of a section in links from which it is an index of other notes rather than a text."""
_CLAUSE = re.compile(r"[^\n.!?;·]+")
"""A part of a line between full stops or other marks."""
_MIN_STATEMENT_WORDS = 3
"""The number of words beside a link from which a clause says something about what it links to."""
_HIDDEN_PROPERTIES = ("alias", "tag", "cssclass", "publish", "obsidianui", "vaultkit-", "banner", "image", "id", "uid")
"""The beginnings of the names of properties that say nothing about the subject of a note."""


def section_bounds(note: Note) -> list[tuple[Heading, int]]:
    """Return the headings of a note, each with the end of the text below it, up to the next heading.

    The first one has no text and stands for the text above all headings.
    """
    headings = (Heading(0, "", 1, note.body_start, note.body_start), *note.headings)
    return [*zip(headings, [*(heading.start for heading in headings[1:]), len(note.text)], strict=True)]


_PLAY_BLOCK = re.compile(r"^ {0,3}(`{3,}|~{3,})play.*?^ {0,3}\1[ \t]*$\n?", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def own_text(note: Note, title: str) -> str:
    """Return the Markdown between a heading and the next one, without examples; that above all headings for ""."""
    bounds = (note.text[heading.end : end] for heading, end in section_bounds(note) if heading.text == title)
    return _PLAY_BLOCK.sub("", next(bounds, "")).strip()


def parent_headings(headings: Iterable[Heading]) -> Iterator[list[str]]:
    """Yield for each heading the texts of the headings above it, the outermost first."""
    parents: list[Heading] = []
    for heading in headings:
        while parents and parents[-1].level >= heading.level:
            parents.pop()
        yield [parent.text for parent in parents if parent.text]
        parents.append(heading)


def property_text(note: Note) -> str:
    """Return the properties that say something about the subject of a note, such as `home: Harrow; rank: captain`."""
    return "; ".join(
        f"{name}: {', '.join(values)}"
        for name, value in note.properties.items()
        if not str(name).lower().startswith(_HIDDEN_PROPERTIES) and str(name).lower() != _STATBLOCK
        if (values := [plain_text(text) for text in texts(value)])
    )


def plain_text(text: str) -> str:
    """Return Markdown without its signs, on one line."""
    return join_words(markdown.parse(text).children) if set(text) & set("[]*_`\\<$%^~=") else text


def note_entry(vault: Vault, note: Note, names: Sequence[str] = ()) -> PassageEntry:
    """Return an entry for a whole note, with its first statblock near the beginning of the text."""
    parts = [*_headed_texts(note, section_bounds(note))]
    if _STATBLOCK in note.properties or not parts:
        parts[1 if parts and len(parts[0]) <= _MAX_INTRODUCTION_LENGTH else 0 : 0] = [property_text(note)]
    passage = Passage(
        note.name, " ".join(_with_statblock_early(parts)), format_wikilink(link_name(vault, note.path), "")
    )
    return PassageEntry(
        replace(passage, note=note.path), note.name, " ".join(names), passage.text, subjects=(note.name, *names)
    )


def _headed_texts(note: Note, bounds: Iterable[tuple[Heading, int]]) -> Iterator[str]:
    """Yield the texts of sections, each after its heading unless that is the name of the note."""
    for heading, end in bounds:
        if heading.text and heading.text.casefold() != note.name.casefold():
            yield f"{heading.text}:"
        yield from _block_texts(note, heading, min(end, heading.end + _MAX_SECTION_LENGTH))


def _with_statblock_early(parts: Sequence[str]) -> list[str]:
    """Return texts with the first statblock moved to the second place, unless little text is above it."""
    for index, part in enumerate(parts):
        if part.startswith(_STATBLOCK_SIGN):
            above = " ".join(parts[:index])
            count_above = index if len(above) <= _MAX_INTRODUCTION_LENGTH else 0
            others = [*parts[:index], *parts[index + 1 :]]
            return [text.removeprefix(_STATBLOCK_SIGN) for text in (*others[:count_above], part, *others[count_above:])]
    return [*parts]


_STATBLOCK_SIGN = "\ufdd0"
"""A character that occurs in no text, before the text of a statblock while a passage is put together."""


def _block_texts(note: Note, heading: Heading, end: int) -> Iterator[str]:
    """Yield the texts of the blocks below a heading; the rows of a roll table follow its header and a command."""
    blocks = markdown.parse(note.text[heading.end : end]).children
    headers = iter(_roll_table_headers(note, heading.end, end))
    for block in blocks:
        if block.kind == "Table":
            head, *rows = (" | ".join(_cells(row)) for row in block.children)
            header = next(headers, "") if _is_roll_table(block) else f"{head}:"
            yield f"{header} {'; '.join(rows)}.".strip()
        elif block.kind == "List":
            yield _list_text(block)
        else:
            mark = _STATBLOCK_SIGN if block.kind == "CodeBlock" and _is_statblock(block) else ""
            yield from (f"{mark}{text}" for _, text in find_pieces([block]) if text)


def _is_roll_table(table: Node) -> bool:
    return bool(table.children and table.children[0].children) and bool(
        DIE.search(table.children[0].children[0].words())
    )


def _roll_table_headers(note: Note, start: int, end: int) -> Iterator[str]:
    """Yield the header of each roll table between two offsets of a note, with the command that rolls on it."""
    from vaultkit.compendium.tables.table_parser import tables_of

    if not may_have_roll_tables(note):
        return
    for table in tables_of(note):
        if start <= table.start < end:
            place = f"#{table.subpaths[0]}" if table.subpaths else ""
            columns = " | ".join(map(plain_text, (str(table.dice), *table.columns)))
            yield f'{columns} (to roll: vaultkit roll "{note.name}{place}"):'


def section_entries(
    vault: Vault,
    note: Note,
    games: frozenset[str] | None = None,
    *,
    numbers: Collection[int] | None = None,
    names: Sequence[str] = (),
) -> Iterator[PassageEntry]:
    """Yield an entry for each section of a note, and for each piece of it, such as a list item or a table row.

    The text above the first heading is a section with the name of the note. `numbers` are those of the sections to
    yield, all if None. `names` are other names of the note.
    `games` are the games whose rules the note has, if it is a rule note, else None.
    """
    bounds = section_bounds(note)
    link, parents = link_name(vault, note.path), parent_headings(heading for heading, _ in bounds)
    context = "" if games else note_context(vault, note)
    for number, ((heading, end), headings_above) in enumerate(zip(bounds, parents, strict=True)):
        if numbers is not None and number not in numbers:
            continue
        subjects = (note.name, *names) if games is None else ()
        under = " ".join([*subjects, *headings_above])
        passage = Passage(
            heading.text or note.name, "", format_wikilink(link, heading.text), note=note.path, heading=heading.text
        )
        entry = PassageEntry(
            passage, passage.title, under, "", games or frozenset(), subjects=subjects, context=context
        )
        yield from _section_entries(vault, note, heading, min(end, heading.end + _MAX_SECTION_LENGTH), entry)


def note_context(vault: Vault, note: Note) -> str:
    """Return the properties, tags and folders of a note and its opening, or all its text if it is short."""
    end = None if len(note.text) <= _MAX_SHORT_NOTE_LENGTH else note.body_start + _MAX_OPENING_LENGTH
    text = without_mentions(vault, note.text[note.body_start : end])
    folders = " ".join(note.path.split("/")[:-1])
    return f"{folders} {' '.join(note.tags)} {property_text(note)} {text}"


def unwritten_names(vault: Vault, text: str) -> set[str]:
    """Return the names and headings in the wikilinks of a text that lead to no file."""
    links = [(name_of(match["target"].strip()), match["heading"]) for match in _WIKILINK.finditer(text)]
    missing_links = {link for link in links if not vault.files.find_namesakes(link[0])}
    return {part.strip() for link in missing_links for part in link if part}


def without_mentions(vault: Vault, text: str) -> str:
    """Return Markdown without placeholders and queries, and without links to missing notes of which it says nothing."""
    text, names = _PLACEHOLDER.sub("", text), unwritten_names(vault, text)

    def clean_clause(match: re.Match[str]) -> str:
        if len(split_words(_WIKILINK.sub("", match[0]))) >= _MIN_STATEMENT_WORDS:
            return match[0]
        return _WIKILINK.sub(lambda link: "" if name_of(link["target"].strip()) in names else link[0], match[0])

    return _CLAUSE.sub(clean_clause, text) if names else text


def _section_entries(
    vault: Vault, note: Note, heading: Heading, end: int, entry: PassageEntry
) -> Iterator[PassageEntry]:
    """Yield `entry` with the text below a heading, and an entry for each piece of that text that says something."""
    raw_text = note.text[heading.end : end]
    link_length = sum(len(match[0]) for match in _WIKILINK.finditer(raw_text))
    entry = replace(entry, is_index=not entry.games and link_length > _MIN_INDEX_LINK_SHARE * len(raw_text))
    blocks = markdown.parse(without_mentions(vault, note.text[heading.end : end])).children
    own_text = " ".join(_with_statblock_early([*_block_texts(note, heading, end)]))
    is_rule = not entry.subjects
    properties = "" if heading.text or is_rule else property_text(note)
    if not own_text and (is_rule or not (text_below := _text_below(note, heading) or properties)):
        return
    is_example = _EXAMPLE_WORD in heading.text.casefold() and is_rule
    passage = replace(entry.passage, text=own_text or text_below)
    body = " ".join(text for _, text in find_pieces(blocks))
    yield replace(entry, passage=passage, body=f"{body} {properties}".strip(), aside=is_example)
    piece_entry = replace(entry, under=f"{entry.under} {entry.name}", piece=True, aside=is_example)
    if properties:
        yield replace(piece_entry, passage=replace(passage, text=properties), name="", body=properties)
    for previous_block, block in zip((None, *blocks), blocks, strict=False):
        is_aside = is_example or (block.kind == "Callout" and is_rule)
        for piece_name, piece_text in find_pieces([block]):
            piece = replace(
                passage,
                title=piece_name or passage.title,
                text=_with_lead(piece_text, block, previous_block),
                whole=passage.text,
            )
            yield replace(piece_entry, passage=piece, name=piece_name, body=piece_text, aside=is_aside)
        if piece_text := _format_example(block):
            yield replace(
                piece_entry, passage=replace(passage, text=piece_text), name="Example", body=piece_text, aside=True
            )


def _text_below(note: Note, heading: Heading) -> str:
    """Return the text of the sections below a heading, each after its heading; of all sections for the text on top."""
    end = note.section_end(heading) if heading.text else len(note.text)
    bounds = [(lower, lower_end) for lower, lower_end in section_bounds(note)[1:] if heading.end <= lower.start < end]
    return " ".join(_with_statblock_early([*_headed_texts(note, bounds)]))


def _with_lead(text: str, block: Node, previous_block: Node | None) -> str:
    """Return the text of a list item, preceded by the text that introduces the list.

    If the list is short, all its items are returned. The text is returned unchanged if `block` is no list, or if the
    previous block does not end in a colon.
    """
    introduction = previous_block.words() if previous_block and block.kind == "List" else ""
    if not introduction.endswith(":"):
        return text
    items = _list_text(block)
    return f"{introduction} {items if len(items) <= _MAX_WHOLE_LIST_LENGTH else text}"


def _list_text(block: Node) -> str:
    """Return the items of a list on one line, with their numbers if it has any."""
    item_marks = (f"{number}. " if block.number is not None else "" for number in count(block.number or 0))
    return "; ".join(mark + join_words(item.children) for mark, item in zip(item_marks, block.children, strict=False))


def find_pieces(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each paragraph line, list item, table row, callout or other node.

    The name is the bold beginning of the text, the first cell of a row, or the title of a callout unless that is a
    question; otherwise it is "".
    """
    for node in nodes:
        if node.kind == "List":
            yield from (_parse_piece(item.children) for item in node.children)
        elif node.kind == "Table":
            yield from _find_row_pieces(*node.children)
        elif node.kind == "Callout":
            title = join_words(node.children[:1])
            text = f"{title} {join_words(node.children[1:])}".strip()
            yield "" if title.endswith("?") else title, text
        elif node.kind == "Paragraph":
            yield from (_parse_piece(line) for line in _split_lines(node))
        elif node.kind == "CodeBlock" and _is_statblock(node):
            yield _statblock_piece(node.words())
        elif node.kind not in ("Rule", "CodeBlock", "HtmlBlock"):
            yield _parse_piece(node.children)


def _is_statblock(node: Node) -> bool:
    return node.text.strip().casefold().startswith(_STATBLOCK)


def _statblock_piece(yaml: str) -> tuple[str, str]:
    """Return the name in a statblock of Fantasy Statblocks, and its lines as text."""
    name, lines = "", list[str]()
    for match in _STATBLOCK_LINE.finditer(yaml):
        key, value = match["key"] or "", match["value"].strip("\"'|> ")
        if key == "name" and not name:
            name = value
        if value and (not key or key in _SHOWN_STATBLOCK_KEYS or key not in _HIDDEN_STATBLOCK_KEYS):
            lines.append(value if key in _HIDDEN_STATBLOCK_KEYS else f"{key}: {value}".removeprefix(": "))
    return name, plain_text("; ".join(lines))


def _format_example(node: Node) -> str:
    """Return the words of a `play` block after "Example:", or "" for any other block."""
    if node.kind != "CodeBlock":
        return ""
    from vaultkit.session.examples.parser import LANGUAGE, words_of_block

    if node.text.strip().casefold() != LANGUAGE:
        return ""
    words = words_of_block(node.words())
    return f"Example: {words}" if words else ""


def _split_lines(paragraph: Node) -> Iterator[list[Node]]:
    """Yield the lines of a paragraph, split at hard line breaks only."""
    line: list[Node] = []
    for node in paragraph.children:
        if node.kind == "HardBreak":
            yield line
            line = []
        else:
            line.append(node)
    yield line


def _parse_piece(nodes: Sequence[Node]) -> tuple[str, str]:
    inline_nodes = nodes[0].children if nodes and nodes[0].kind == "Paragraph" else nodes
    text, first_text = join_words(nodes), join_words(inline_nodes[:1])
    is_name = bool(inline_nodes) and inline_nodes[0].kind == "Strong" and _NAME_END.match(text, len(first_text) - 1)
    return first_text.rstrip(".:") if is_name else "", text


def _find_row_pieces(head: Node, *rows: Node) -> Iterator[tuple[str, str]]:
    """Yield the first cell and the text of each row of a table.

    In a table with more than two columns, each cell follows the title of its column. Rows whose first cell contains
    code are skipped: they explain options, and rulings say more about options.
    """
    titles = _cells(head)
    for row in rows:
        if row.children and not any(node.kind == "Code" for node in row.children[0].children):
            cells = _cells(row)
            pairs = zip_longest(titles, cells, fillvalue="")
            texts_of_cells = (f"{title}: {cell}" if title else cell for title, cell in pairs if cell)
            yield cells[0], "; ".join(texts_of_cells) if len(titles) > 2 else " | ".join(cells)


def _cells(row: Node) -> list[str]:
    return [join_words(cell.children) for cell in row.children]


def join_words(nodes: Iterable[Node]) -> str:
    """Return the words of nodes on one line, with a space around blocks, without pictures and embeds."""
    return " ".join("".join(map(_node_words, nodes)).split())


def _node_words(node: Node) -> str:
    if node.kind == "Image":
        return ""
    own_words = Node(node.kind, node.text).words() + "".join(map(_node_words, node.children))
    return f" {own_words} " if node.kind in _BLOCKS else own_words
