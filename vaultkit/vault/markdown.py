"""A Markdown parser for notes: a tree without comments and block ids, with Obsidian's highlights and callouts."""

import re
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgspec

from vaultkit.vault.dialect import correct, count_cells, syntax, unmask
from vaultkit.vault.table_heads import split_at_heads

MAX_DEPTH = 60
"""The deepest nesting of elements; deeper ones, which only a hostile note would have, are flattened."""

_FENCED = r"^[ \t>]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?s:.*?)(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
# Possessive quantifiers avoid rescanning: otherwise a long line would take quadratic time.
_CODE = r"(?<!`)(?P<tick>`++)(?:[^`\n]++|(?!(?P=tick)(?!`))`++)*(?P=tick)(?!`)"
_SKIP = rf"(?P<skip>{_FENCED}|{_CODE}|\\\$|\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)|<[A-Za-z/][^<>\n]*>)"
_BLOCK_MATH = r"^(?P<lead>[ \t>]*)(?P<block>\$\$(?:\\.|[^\\$])+\$\$)[ \t]*$"
_LINE_MATH = r"(?P<math>\$\$(?:(?!\n[ \t>]*\n)[^$])+?\$\$|\$(?=[^\s$])(?:\\.|(?!%%)[^\\$\n])*?(?<!\s)\$(?![\d$]))"
_MATH = rf"{_BLOCK_MATH}|{_LINE_MATH}"
"""Mathematics; a dollar sign before a digit, or next to a space where mathematics allows none, is money."""
_FORMULA = re.compile("\ufdd0(\\d+)\ufdd1")
"""The placeholder of a formula during parsing: its index between two characters that occur in no text."""
_BLOCK_ID = r"(?:^|(?<![ \t])[ \t]++)\^[A-Za-z0-9-]++[ \t]*+$"
_FOOTNOTE = r"\^\[(?P<inline>[^\]\n]{1,2000}+)\]"
_EMPTY_HEADER = r"^(?P<header>[ \t>]*\|)[| \t]*$(?=\n(?P<rule>[|:\- \t>]*-[|:\- \t]*)$)"
"""A header of just `|` above a delimiter row, as in infoboxes; it stands for empty cells."""
_OBSIDIAN_SYNTAX = re.compile(rf"{_SKIP}|{_MATH}|%%(?s:.*?)%%|{_BLOCK_ID}|{_FOOTNOTE}|{_EMPTY_HEADER}", re.MULTILINE)
_TASK_SIGN = re.compile(r"\[([^\s\]])\][ \t]")
_CALLOUT = re.compile(r"\[!([^\]|\n]{1,40})(?:\|[^\]\n]*)?\]([+-]?)[ \t]*")


class Node(msgspec.Struct):
    """A block or inline element.

    `text` is a leaf's text, a link's address, a callout's type, a code block's language, or a task's sign. `number` is
    a heading's level, a list's first number, 1 for a wikilink, or 1 for a task that is done. `columns` are the
    alignments of a table's columns.
    """

    kind: str
    text: str = ""
    children: list["Node"] = []
    number: int | None = None
    columns: tuple[str, ...] = ()

    @property
    def type_name(self) -> str:
        """A callout's type or a code block's language: the first word of `text`, in lower case."""
        return self.text.strip().partition(" ")[0].lower()

    def words(self) -> str:
        """Return the text inside, without markup."""
        if self.kind in {"SoftBreak", "HardBreak"}:
            return " "
        own_text = self.text if self.kind in {"Text", "Code", "InlineMath", "DisplayMath"} else ""
        return own_text + "".join(child.words() for child in self.children)

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all nodes below it."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(body: str) -> Node:
    """Return the tree of a note's body, which does not include the frontmatter."""
    import pyromark

    text, formulas = _prepare(body)
    root = _build_tree(pyromark.events(text, options=syntax(math=False)))
    if formulas:
        _restore_formulas(root, formulas)
    return root


def _prepare(body: str) -> tuple[str, list[str]]:
    """Return the text for the Markdown parser, and the formulas that placeholders replace in it.

    Comments and block ids are removed, and inline footnotes become ordinary ones.
    """
    body = body.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    body = body.translate({0xFDD0: None, 0xFDD1: None})
    footnotes, formulas = dict[str, str](), list[str]()

    def change(match: re.Match[str]) -> str:
        if match["skip"] is not None:
            return match[0]
        if (source := match["math"] or match["block"]) is not None:
            lead = match["lead"] or ""
            formulas.append(re.sub(r"\n[ \t>]*", "\n", source) if ">" in lead else source)
            return f"{lead}\ufdd0{len(formulas) - 1}\ufdd1"
        if match["header"] is not None:
            return match["header"] + " |" * count_cells(match["rule"].encode())
        if match["inline"] is None:
            return ""
        name = f"inline-{crc32(match['inline'].encode()):x}"  # the same name when only a part of the note is read
        footnotes[name] = match["inline"]
        return f"[^{name}]"

    text = _OBSIDIAN_SYNTAX.sub(change, body)
    text += "".join(f"\n\n[^{name}]: {note}" for name, note in footnotes.items())
    return correct(text)[0], formulas


def _restore_formulas(root: Node, formulas: list[str]) -> None:
    """Replace the placeholders in the tree by their formulas."""
    for node in list(root.walk()):
        if any(_FORMULA.search(child.text) for child in node.children):
            node.children = [piece for child in node.children for piece in _split_at_formulas(child, formulas)]


def _split_at_formulas(node: Node, formulas: list[str]) -> Iterator[Node]:
    if node.kind != "Text":
        node.text = _FORMULA.sub(lambda match: formulas[int(match[1])], node.text)
        yield node
        return
    for index, text in enumerate(_FORMULA.split(node.text)):
        source = formulas[int(text)] if index % 2 else ""
        if source:
            yield Node("DisplayMath" if source.startswith("$$") else "InlineMath", source.strip("$"))
        elif text:
            yield Node("Text", text)


def _build_tree(events: Any) -> Node:
    root = Node("Document")
    stack = [root]
    depth = 0
    for event in events:
        if isinstance(event, str):
            stack[-1].children.append(Node(event))
            continue
        ((event_kind, value),) = event.items()
        if event_kind == "Start":
            depth += 1
            node = _make_node(value)
            if depth <= MAX_DEPTH:
                stack[-1].children.append(node)
                stack.append(node)
        elif event_kind == "End":
            if depth <= MAX_DEPTH:
                _finish_node(node := stack.pop())
                if node.kind == "Table":
                    stack[-1].children[-1:] = _split_table(node)
            depth -= 1
        else:
            _add_leaf(stack[-1].children, event_kind, value)
    _finish_node(root)
    return root


def _split_table(table: Node) -> list[Node]:
    """Return the tables in a table, of which each begins with its head."""
    texts = [[cell.words().strip() for cell in row.children] for row in table.children]
    tables = [
        Node("Table", children=[table.children[index] for index in indices], columns=table.columns)
        for indices in split_at_heads(texts)
    ]
    for extra_table in tables[1:]:
        extra_table.children[0].kind = "TableHead"
    return tables


def _make_node(tag: Any) -> Node:
    if isinstance(tag, str):
        return Node(tag)
    ((kind, data),) = tag.items()
    if kind == "Heading":
        return Node(kind, number=int(data["level"][1]))
    if kind == "List":
        return Node(kind, number=data)
    if kind == "Table":
        return Node(kind, columns=tuple(data))
    if kind in {"Link", "Image"}:
        is_wikilink = isinstance(data["link_type"], dict)
        return Node(kind, unmask(data["dest_url"]).rstrip("\\").strip(), number=int(is_wikilink))
    if kind == "CodeBlock":
        data = data["Fenced"] if isinstance(data, dict) else ""
    return Node(kind, data if isinstance(data, str) else "")


def _add_leaf(siblings: list[Node], kind: str, value: Any) -> None:
    text = unmask(value) if isinstance(value, str) else ""
    if kind == "Text" and siblings and siblings[-1].kind == "Text":
        siblings[-1].text += text
    elif kind == "TaskListMarker":
        siblings.append(Node("Task", number=int(value)))
    else:
        siblings.append(Node(kind, text))


def _finish_node(node: Node) -> None:
    if node.kind != "CodeBlock":
        node.children = list(_group_highlights(node.children))
    if node.kind == "BlockQuote":
        _mark_callout(node)
    if node.kind == "Item" and node.children:
        _mark_task(node.children[0] if node.children[0].kind == "Paragraph" else node)


def _mark_task(line: Node) -> None:
    """Make a list item that begins with any sign in brackets, such as `[/]`, a task."""
    first = line.children[0] if line.children else line
    match = _TASK_SIGN.match(first.text) if first.kind == "Text" else None
    if match is not None:
        first.text = first.text[match.end() :]
        line.children.insert(0, Node("Task", match[1]))


def _mark_callout(node: Node) -> None:
    first = node.children[0] if node.children else None
    if first is None or first.kind != "Paragraph" or not first.children:
        return
    match = _CALLOUT.match(first.children[0].text) if first.children[0].kind == "Text" else None
    if match is None:
        return
    first.children[0].text = first.children[0].text[match.end() :]
    end = next((n for n, child in enumerate(first.children) if child.kind == "SoftBreak"), len(first.children))
    title, rest = first.children[:end], first.children[end + 1 :]
    body = [Node("Paragraph", children=rest), *node.children[1:]] if rest else node.children[1:]
    node.kind, node.text = "Callout", match[1].strip().lower()
    is_untitled = all(part.kind == "Text" and not part.text.strip() for part in title)
    node.children = [Node("CalloutTitle", children=[] if is_untitled else title), *body]


def _group_highlights(children: list[Node]) -> Iterator[Node]:
    pieces: list[Node] = []
    for child in children:
        if child.kind == "Text" and "==" in child.text:
            for number, text in enumerate(child.text.split("==")):
                pieces += [Node("==")] * bool(number) + [Node("Text", text)] * bool(text)
        else:
            pieces.append(child)
    closings = _find_closings(pieces)
    index = 0
    while index < len(pieces):
        piece, end = pieces[index], closings[index]
        if piece.kind == "==" and end is not None and _can_open_highlight(pieces[index + 1 : index + 2]):
            inner = pieces[index + 1 : end]
            yield Node("Highlight", children=[n if n.kind != "==" else Node("Text", "==") for n in inner])
            index = end
        elif piece.kind == "==":
            yield Node("Text", "==")
        else:
            yield piece
        index += 1


def _find_closings(pieces: list[Node]) -> list[int | None]:
    """Return, for each piece, the index of the next `==` after it that can end a highlight, or None."""
    following: list[int | None] = [None] * len(pieces)
    for index in range(len(pieces) - 1, 0, -1):
        before = pieces[index - 1]
        closes = pieces[index].kind == "==" and not (before.kind == "Text" and before.text[-1:].isspace())
        following[index - 1] = index if closes else following[index]
    return following


def _can_open_highlight(following: list[Node]) -> bool:
    """Return whether `==` can open a highlight before the pieces `following`."""
    first = following[0] if following else Node("==")
    return first.kind != "==" and not (first.kind == "Text" and not first.text[:1].strip())
