"""Conversion of a card's Markdown to plain words on one line."""

from vaultkit.vault import markdown
from vaultkit.vault.markdown import Node
from vaultkit.vault.tables import BREAK

_OMITTED_KINDS = frozenset({"Image", "CodeBlock", "HtmlBlock", "InlineHtml", "FootnoteDefinition"})
_BLOCK_KINDS = frozenset({"Paragraph", "Heading", "Item", "TableCell", "CalloutTitle"})


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
