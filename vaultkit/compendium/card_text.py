"""The text of one card: its rule in a game's rule note, and its Markdown as plain words on one line."""

import re

from vaultkit.vault import Note, markdown
from vaultkit.vault.markdown import Node
from vaultkit.vault.tables import BREAK, markdown_tables

_OMITTED_KINDS = frozenset({"Image", "CodeBlock", "HtmlBlock", "InlineHtml", "FootnoteDefinition"})
_BLOCK_KINDS = frozenset({"Paragraph", "Heading", "Item", "TableCell", "CalloutTitle"})


_EMPHASIS_CHARS = " \t*_=~"


def plain_words(text: str) -> str:
    """Return the words of some Markdown on one line, without pictures, embeds, code blocks and HTML."""
    return " ".join(_node_text(markdown.parse(BREAK.sub(" ", text))).split())


def _node_text(node: Node) -> str:
    if node.kind in _OMITTED_KINDS:
        return ""
    if node.kind in ("SoftBreak", "HardBreak"):
        return " "
    own_text = node.text if node.kind in ("Text", "Code", "InlineMath", "DisplayMath") else ""
    children_text = "".join(map(_node_text, node.children))
    return f" {children_text} " if node.kind in _BLOCK_KINDS else own_text + children_text


def find_rule_line(note: Note, name: str) -> str:
    """Return the first line that begins with the card's name in bold, as `**Raven.** ...`; "" if there is none."""
    match = _match_opening(note, name)
    return match.string.strip() if match else ""


def find_rule(note: Note, name: str) -> str:
    """Return the rule of a card in the note, as Markdown without the card's name before it; "" if there is none.

    It may stand in a line or list item that opens with the name in bold, in a table row whose first cell is the name,
    or under a heading that is the name. The first one found, in this order, counts.
    """
    match = _match_opening(note, name)
    if match:
        return match.string[match.end() :].strip(" \t:–—-")
    return _find_row_rule(note, name) or (note.section(name) or "").strip()


def _match_opening(note: Note, name: str) -> re.Match[str] | None:
    opening = re.compile(rf"\s*(?:[-*+] |\d+[.)] )?\*\*(?:{_link_pattern(name)})[.:]?\*\*[.:]?")
    return next((match for line in note.text.splitlines() if (match := opening.match(line))), None)


def _link_pattern(name: str) -> str:
    """Return a pattern for the name, plain or as a link in Markdown or Wikilink style."""
    plain = re.escape(name)
    return rf"\[{plain}\]\([^)\n]*\)|\[\[[^\]\n]*{plain}\]\]|{plain}"


def _find_row_rule(note: Note, name: str) -> str:
    """Return the rule in the second cell of a table row of two cells, the first with the card's name.

    Returns "" if there is no such row, or if the second cell is a single word.
    """
    name_pattern = re.compile(_link_pattern(name))
    rows = (row.cells for block in markdown_tables(note) for row in (block.header, *block.rows) if len(row.cells) == 2)
    matches = (rule for cell, rule in rows if name_pattern.fullmatch(cell.strip(_EMPHASIS_CHARS)))
    return next((rule for rule in matches if " " in rule), "")
