"""Conversion of a card's Markdown to plain words on one line."""

from vaultkit.vault import markdown
from vaultkit.vault.markdown import Node
from vaultkit.vault.tables import BREAK

_SILENT = frozenset({"Image", "CodeBlock", "HtmlBlock", "InlineHtml", "FootnoteDefinition"})
_BLOCKS = frozenset({"Paragraph", "Heading", "Item", "TableCell", "CalloutTitle"})


def plain_words(text: str) -> str:
    """Return the words of some Markdown on one line, without pictures, embeds, code blocks and HTML."""
    return " ".join(_words(markdown.parse(BREAK.sub(" ", text))).split())


def _words(node: Node) -> str:
    if node.kind in _SILENT:
        return ""
    if node.kind in ("SoftBreak", "HardBreak"):
        return " "
    own = node.text if node.kind in ("Text", "Code", "InlineMath", "DisplayMath") else ""
    inside = "".join(map(_words, node.children))
    return f" {inside} " if node.kind in _BLOCKS else own + inside
