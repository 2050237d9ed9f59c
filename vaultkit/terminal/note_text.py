"""A note's Markdown for the terminal: Rich renderables, or plain lines. Nothing in it may steer the terminal."""

import io
from collections.abc import Iterator

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from vaultkit.session.examples.parser import LANGUAGE, words_of_block
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.vault.markdown import Node, parse

_STYLES = {
    "Strong": "bold",
    "Emphasis": "italic",
    "Strikethrough": "strike",
    "Highlight": "reverse",
    "Link": "underline",
}
_BREAKS = {"SoftBreak": " ", "HardBreak": "\n"}
_LEAVES = {"Text", "Code", "InlineMath", "DisplayMath"}
_INLINE = {*_LEAVES, "Link", "Image", "Task", "FootnoteReference", *_BREAKS, *_STYLES}


def plain_lines(markdown: str, width: int = 76, *, examples: bool = True) -> str:
    """Return the text wrapped to `width` columns, with or without the words of playable examples."""
    target = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False, highlight=False)
    for piece in _space_blocks([node for node in parse(markdown).children if examples or not _is_example(node)]):
        target.print(piece)
    assert isinstance(target.file, io.StringIO)
    return "\n".join(line.rstrip() for line in target.file.getvalue().strip("\n").splitlines())


def renderables(markdown: str) -> Iterator[RenderableType]:
    """Yield one renderable for each block, with empty lines between them."""
    yield from _space_blocks(parse(markdown).children)


def _space_blocks(nodes: list[Node]) -> Iterator[RenderableType]:
    for index, node in enumerate(nodes):
        if index:
            yield Text("")
        yield from _block(node)


def _is_example(node: Node) -> bool:
    return node.kind == "CodeBlock" and node.text.strip().casefold() == LANGUAGE


def _block(node: Node) -> Iterator[RenderableType]:
    if node.kind == "Heading":
        yield Text(strip_controls(node.words()), "bold underline" if (node.number or 1) < 3 else "bold")
    elif node.kind == "List":
        yield from _list(node)
    elif node.kind == "Table":
        yield _table(node)
    elif node.kind == "Rule":
        yield Rule(style="dim")
    elif _is_example(node):
        yield Padding(Text(f"Example: {strip_controls(words_of_block(node.words()))}", "italic"), (0, 0, 0, 4))
    elif node.kind == "CodeBlock":
        yield Padding(Text(strip_controls(node.words().rstrip("\n"), lines=True), "dim"), (0, 0, 0, 4))
    elif node.kind in {"BlockQuote", "Callout"}:
        yield from _quote(node)
    elif node.kind == "FootnoteDefinition":
        yield Text(f"[{strip_controls(node.text)}] ").append_text(_line(node.children))
    elif node.kind in _INLINE:
        yield _line([node])
    else:
        yield _line(node.children)


def _quote(node: Node) -> Iterator[RenderableType]:
    blocks = node.children
    if node.kind == "Callout":
        title, *blocks = node.children
        yield Padding(Text(strip_controls(title.words().strip() or node.text.capitalize()), "bold"), (0, 0, 0, 2))
    for piece in _space_blocks(blocks):
        yield Padding(piece, (0, 0, 0, 2))


def _list(node: Node) -> Iterator[RenderableType]:
    for index, item in enumerate(node.children):
        mark = "-" if node.number is None else f"{node.number + index}."
        yield from _item(item, mark)


def _item(item: Node, mark: str) -> Iterator[RenderableType]:
    """Return an item of a list with its mark in the margin, and its contents with nested lists beside it."""
    indent = len(mark) + 1
    inline = [child for child in item.children if child.kind in _INLINE]
    blocks = [child for child in item.children if child.kind not in _INLINE]
    if not inline and blocks and blocks[0].kind == "Paragraph":
        inline, blocks = blocks[0].children, blocks[1:]
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=len(mark), no_wrap=True)
    grid.add_column()
    grid.add_row(mark, _line(inline))
    yield grid
    for block in blocks:
        for piece in _block(block):
            yield Padding(piece, (0, 0, 0, indent))


def _table(node: Node) -> Table:
    rows = [[_line(cell.children) for cell in row.children] for row in node.children]
    header, body = (rows[0], rows[1:]) if rows else ([], [])
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for cell in header:
        table.add_column(cell)
    for row in body:
        table.add_row(*row[: len(header)])
    return table


def _line(nodes: list[Node]) -> Text:
    text = Text()
    for node in nodes:
        text.append_text(_span(node))
    return text


def _span(node: Node) -> Text:
    if node.kind in _LEAVES:
        return Text(strip_controls(node.text), "cyan" if node.kind == "Code" else "")
    if node.kind in _BREAKS:
        return Text(_BREAKS[node.kind])
    if node.kind == "Task":
        return Text(f"[{'x' if node.number else strip_controls(node.text) or ' '}] ")
    if node.kind == "FootnoteReference":
        return Text(f"[{strip_controls(node.text)}]")
    if node.kind == "Image":
        return Text(f"({strip_controls(node.words() or node.text)})", "dim")
    inner = _line(node.children)
    inner.stylize(_STYLES.get(node.kind, ""))
    return inner
