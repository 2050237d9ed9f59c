"""A note as a sheet takes it: its words, and the ways from it into its vault."""

from collections.abc import Callable
from dataclasses import dataclass

from vaultkit.sheets.text.builder import ResolveEmbed, ResolveImage, Setting, TextBuilder
from vaultkit.sheets.text.inline import DescribeLink, here_only
from vaultkit.vault.markdown import Node, parse


def _nothing(_target: str) -> None:
    return None


@dataclass(frozen=True)
class Chapter:
    """A note to print: Markdown without frontmatter.

    `path` is its vault path, shown at the foot. `resolve_image` and `resolve_embed` are given a link's target as
    written and must answer with nothing outside the vault. `code` is what a QR code beside the title holds, if any.
    `subtitle` stands in place of a line of italics below the note's title; `builder` makes the blocks of the sheet.
    """

    text: str
    title: str
    path: str = ""
    resolve_image: ResolveImage = _nothing
    describe_link: DescribeLink = here_only
    resolve_embed: ResolveEmbed = _nothing
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
