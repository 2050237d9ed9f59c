"""Detection of the game master's secrets in a note's tree, and their removal for a players' copy."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from vaultkit.sheets.secrecy import Secrets
from vaultkit.sheets.text import stat_block
from vaultkit.sheets.text.html_blocks import find_spans, fold_tree
from vaultkit.sheets.text.html_tags import html_lines
from vaultkit.sheets.text.inline import embeds_note, link_name
from vaultkit.sheets.text.note_source import NO_SOURCE, NoteSource
from vaultkit.vault.links import is_external
from vaultkit.vault.markdown import Node

_BREAK_KINDS = {"SoftBreak", "HardBreak"}
_BLOCK_KINDS = {
    "Paragraph", "Heading", "List", "BlockQuote", "Callout", "CodeBlock", "Table", "HtmlBlock", "Rule", "Details",
    "FootnoteDefinition",
}  # fmt: skip
_LINE_HOLDERS = {"Paragraph", "Item", "TableCell", "CalloutTitle", "FootnoteDefinition", "Heading", "Summary"}
"""Kinds of nodes whose children form lines of text."""
_TEXT_KINDS = {"Text", "Html", "InlineHtml"}
_REMOVABLE_KINDS = {
    "Paragraph",
    "List",
    "Item",
    "BlockQuote",
    "Details",
    "Table",
    "TableRow",
    "Strong",
    "Emphasis",
}
"""Kinds of nodes that are removed when nothing is left in them."""
_DATAVIEW_FIELD = re.compile(r"\s*([^:\[\]()\n]{1,60}?)\s*::")
_LABELLED_LINE = re.compile(r"\s*([^:\n]{1,60}?)\s*:(?=\s|\Z)")
_BRACKETED_FIELD = re.compile(r"([\[(])([^\[\]():\n]{1,60})::")
_LABEL_TABLE_COLUMNS = 2
"""The number of columns of a table of labels and values, whose head may hold such a pair too."""
_BRACKET_PAIRS = {"[": "[]", "(": "()"}
_REMOVED_TEXT = "[…]"
"""The text that replaces a link to a secret, or the contents of a secret footnote, whose number stays in the text."""
_KEY_LINE = re.compile(r"""^[ \t-]*+["']?(?=\S)([^:"'\n]{1,60})["']?[ \t]*+:""", re.MULTILINE)
_HTML_HEADING = re.compile(r"\s*<h([1-6])\b[^<>]*>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_BOLD_RANK, _LABEL_RANK, _HTML_COMMENT_RANK, _OPEN_ENDED_RANK = 7, 8, 9, 10
"""Ranks of other beginnings of a section, above the heading levels 1 to 6.

They are a bold line, the label of the next block, an open HTML comment, and an open `%%` comment, which has no end.
"""


def filter_secrets(tree: Node, secrets: Secrets, source: NoteSource = NO_SOURCE) -> Counter[str]:
    """Return the number of secrets in a tree, by kind, after removing them from the tree if they are hidden.

    `source` knows which embedded or linked notes are secrets. HTML blocks in the tree are replaced by nodes.
    """
    fold_tree(tree)
    secret_filter = _SecretFilter(secrets, source)
    secret_filter.filter_secrets(tree)
    return +secret_filter.counts


@dataclass
class _SecretFilter:
    """A filter that counts the secrets of one tree, and removes them if they are hidden."""

    secrets: Secrets
    source: NoteSource
    counts: Counter[str] = field(default_factory=Counter)

    def filter_secrets(self, node: Node) -> None:
        """Count the secrets below a node, and remove them if they are hidden."""
        open_nodes = list(self._filter_blocks(node.children))
        if node.kind in _LINE_HOLDERS:
            open_nodes = self._filter_lines(open_nodes)
        elif node.kind == "Table":
            open_nodes = self._filter_rows(node, open_nodes)
        open_nodes = [self._unlink_secret(child) for child in self._filter_inline_fields(open_nodes)]
        if self.secrets.hidden:
            node.children = open_nodes
        for child in open_nodes:
            had_children = bool(child.children)
            self.filter_secrets(child)
            if had_children and not child.children and child.kind in _REMOVABLE_KINDS:
                node.children = [sibling for sibling in node.children if sibling is not child]
            elif had_children and not child.children and child.kind == "FootnoteDefinition":
                child.children = [Node("Paragraph", children=[Node("Text", _REMOVED_TEXT)])]

    def _filter_blocks(self, nodes: Sequence[Node]) -> Iterator[Node]:
        """Yield the nodes that are not secret; with a secret heading its section is left out, except for footnotes."""
        section_rank = 0
        for node in nodes:
            rank, words = _rank(node)
            if section_rank <= _BOLD_RANK and (
                0 < rank <= min(section_rank, _BOLD_RANK) or (section_rank == _BOLD_RANK and node.kind == "Rule")
            ):
                section_rank = 0
            if section_rank:
                if node.kind == "FootnoteDefinition":
                    yield node
                is_comment = section_rank == _HTML_COMMENT_RANK
                is_closed = section_rank == _LABEL_RANK or (is_comment and "-->" in _text_with_tags(node))
                section_rank = 0 if is_closed else section_rank
            elif rank and self._is_secret_head(rank, words):
                self.counts["heading"] += 1
                section_rank = rank
            elif kind := self._secret_kind(node):
                self.counts[kind] += 1
            else:
                section_rank = self._cut_comment(node)
                yield node

    def _is_secret_head(self, rank: int, words: str) -> bool:
        label = words.strip().removesuffix(":")
        is_label = rank >= _BOLD_RANK and label != words.strip()
        return self.secrets.is_secret_label(label) if is_label else self.secrets.is_secret_name(words)

    def _secret_kind(self, node: Node) -> str:
        """Return the kind of secret that a node is, such as `callout`, or "" if it is none."""
        is_secret_name = self.secrets.is_secret_name
        if node.kind == "Callout":
            title = node.children[0].words() if node.children else ""
            return "callout" if is_secret_name(node.text, alone=True) or is_secret_name(title) else ""
        if node.kind == "CodeBlock":
            return self._secret_code_kind(node)
        if node.kind == "Details" and node.children and node.children[0].kind == "Summary":
            return "HTML block" if is_secret_name(_html_words(node.children[0])) else ""
        if node.kind == "HtmlBlock":
            return "HTML block" if self._is_secret_line(_html_words(node)) else ""
        if node.kind == "Image" and embeds_note(node):
            return "embed" if self.source.is_secret(node.text) else ""
        return "field" if node.kind == "Item" and self._is_secret_line(_first_line(node)) else ""

    def _secret_code_kind(self, node: Node) -> str:
        if node.type_name.startswith("ad-"):
            title, _ = stat_block.split_admonition(node.words())
            kind = node.type_name.removeprefix("ad-")
            is_secret = self.secrets.is_secret_name
            return "callout" if is_secret(kind, alone=True) or is_secret(title) else ""
        if node.type_name == "statblock":
            return "code block" if self._sift_stat_block(node) else ""
        return "code block" if node.type_name and self.secrets.is_secret_name(node.type_name) else ""

    def _sift_stat_block(self, node: Node) -> bool:
        """Count secret keys of a stat block, and remove them if secrets are hidden; return whether all of it is secret.

        A stat block whose YAML cannot be read is secret if one of its lines has a secret key.
        """
        source = node.words()
        creature = stat_block.read_keys(source)
        if creature is None:
            return any(self.secrets.is_secret_name(key) for key in _KEY_LINE.findall(source))
        open_keys, count = self.secrets.sift_properties(creature)
        self.counts["property"] += count
        if count and self.secrets.hidden:
            node.children = [Node("Text", stat_block.to_yaml(open_keys))]
        return False

    def _unlink_secret(self, node: Node) -> Node:
        """Return the node, or what replaces it if it is a link to a hidden secret.

        The link is replaced by its text, or by `[…]` if the text is the secret's name.
        """
        if not (node.kind == "Link" and self.secrets.hidden) or is_external(node.text):
            return node
        if not self.source.is_secret(node.text):
            return node
        name = unquote(link_name(node.text)).removesuffix(".md")
        if node.words().strip() not in {node.text, name}:
            return Node("Span", children=node.children)
        self.counts["link"] += 1
        return Node("Text", _REMOVED_TEXT)

    def _is_secret_line(self, line: str) -> bool:
        field_match, label = _DATAVIEW_FIELD.match(line), _LABELLED_LINE.match(line)
        if field_match is not None:
            return self.secrets.is_secret_name(field_match[1])
        return label is not None and self.secrets.is_secret_label(label[1])

    def _filter_lines(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the nodes without the lines that begin with a secret name.

        `dm_notes:: x` is a secret of one line; `GM notes: x` includes the lines below.
        """
        open_nodes, in_secret = list[Node](), False
        for line in _split_lines(nodes):
            words = "".join(node.words() for node in line)
            first = next((node.kind for node in line if node.kind not in _BREAK_KINDS), "")
            if line[0].kind not in _BLOCK_KINDS and self._is_secret_line(words):
                self.counts["field"] += 1
                in_secret = _DATAVIEW_FIELD.match(words) is None
            elif line[0].kind in _BLOCK_KINDS or not in_secret or _DATAVIEW_FIELD.match(words) or first == "Strong":
                open_nodes += line
                in_secret = False
        return open_nodes[1:] if open_nodes and open_nodes[0].kind in _BREAK_KINDS else open_nodes

    def _filter_inline_fields(self, nodes: Sequence[Node]) -> list[Node]:
        """Return the nodes without secret inline fields of Dataview, such as `[dm_notes:: x]`."""
        if not any(node.kind == "Text" and "::" in node.text for node in nodes):
            return list(nodes)
        open_nodes, brackets, depth = list[Node](), "[]", 0
        for node in nodes:
            if node.kind in _BREAK_KINDS or (not depth and node.kind != "Text"):
                open_nodes.append(node)
                depth = 0
                continue
            open_text, position = "", 0
            while node.kind == "Text" and position < len(node.text):
                if depth:
                    depth += (node.text[position] == brackets[0]) - (node.text[position] == brackets[1])
                    position += 1
                    continue
                matches = _BRACKETED_FIELD.finditer(node.text, position)
                match = next((match for match in matches if self.secrets.is_secret_name(match[2])), None)
                open_text += node.text[position : match.start() if match else None]
                brackets, depth, position = (
                    (_BRACKET_PAIRS[match[1]], 1, match.end()) if match else (brackets, 0, len(node.text))
                )
                self.counts["field"] += match is not None
            open_nodes += [Node("Text", open_text)] if open_text else []
        return open_nodes

    def _filter_rows(self, table: Node, rows: Sequence[Node]) -> list[Node]:
        """Return the rows of a table without secret ones.

        Columns with a secret heading are removed from the table if secrets are hidden.
        """
        heads = [row for row in rows if row.kind == "TableHead"]
        head_cells = ((n, _cell_words(cell)) for row in heads for n, cell in enumerate(row.children))
        secret_columns = {n for n, words in head_cells if self.secrets.is_secret_name(words)}
        open_rows = [row for row in rows if row in heads or not self._is_secret_row(row)]
        if (secret_columns or len(open_rows) < len(rows)) and find_spans([row.children for row in rows]):
            open_rows = []  # spanning cells make it unsafe to remove single rows or columns
        self.counts["table column"] += len(secret_columns)
        self.counts["table row"] += len(rows) - len(open_rows)
        if secret_columns and self.secrets.hidden:
            for row in heads if secret_columns == {0} and len(table.columns) == _LABEL_TABLE_COLUMNS else ():
                row.children[1].children = []
            for row in open_rows:
                row.children = [cell for n, cell in enumerate(row.children) if n not in secret_columns]
            table.columns = tuple(column for n, column in enumerate(table.columns) if n not in secret_columns)
        return open_rows if table.columns else []

    def _is_secret_row(self, row: Node) -> bool:
        return len(row.children) > 1 and self.secrets.is_secret_name(_cell_words(row.children[0]))

    def _cut_comment(self, node: Node) -> int:
        """Cut a node at a comment that it does not close, if secrets are hidden; return the comment's rank.

        The rank is 0 if there is no such comment.
        """
        first_character = _cut_comment(node) if self.secrets.hidden else ""
        self.counts["comment"] += bool(first_character)
        return {"": 0, "<": _HTML_COMMENT_RANK}.get(first_character, _OPEN_ENDED_RANK)


def _find_open_comment(text: str) -> int:
    """Return the index of the first comment that is not closed in a text, or -1 if there is none."""
    starts = (text.find("%%"), text.find("<!--", max(0, text.rfind("-->"))))
    return min((start for start in starts if start >= 0), default=-1)


def _cut_comment(node: Node) -> str:
    """Cut a node at a comment that it does not close; return the comment's first character, or "" if there is none."""
    for number, part in enumerate(node.children if node.kind != "CodeBlock" else ()):
        start = _find_open_comment(part.text) if part.kind in _TEXT_KINDS else -1
        if start >= 0:
            node.children[number:] = [Node(part.kind, part.text[:start])]
            return part.text[start]
        if first_character := _cut_comment(part):
            del node.children[number + 1 :]
            return first_character
    return ""


def _rank(node: Node) -> tuple[int, str]:
    """Return the rank and words of a heading, or of a line used as one; `(0, "")` for other nodes."""
    if node.kind == "Heading":
        return node.number or 1, node.words()
    if node.kind == "HtmlBlock":
        match = _HTML_HEADING.match("".join(child.text for child in node.children))
        return (int(match[1]), _html_words(Node("HtmlBlock", children=[Node("Html", match[2])]))) if match else (0, "")
    if node.kind == "Paragraph":
        words, is_bold = node.words().strip(), _is_all_bold(node)
        if is_bold or (words.endswith(":") and ":" not in words[:-1]):
            return (_BOLD_RANK if is_bold else _LABEL_RANK), words
    return 0, ""


def _is_all_bold(node: Node) -> bool:
    """Return whether all words of a node are bold, including the ones of `***GM Notes***`."""
    visible_nodes = [child for child in node.children if child.words().strip(" :")]
    return len(visible_nodes) == 1 and (
        visible_nodes[0].kind == "Strong" or (visible_nodes[0].kind == "Emphasis" and _is_all_bold(visible_nodes[0]))
    )


def _split_lines(nodes: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the lines of text, each beginning with the break before it; a block is a line by itself."""
    line = list[Node]()
    for node in nodes:
        if line and (node.kind in _BREAK_KINDS or node.kind in _BLOCK_KINDS or line[0].kind in _BLOCK_KINDS):
            yield line
            line = []
        line.append(node)
    if line:
        yield line


def _first_line(item: Node) -> str:
    line_holder = item.children[0] if item.children and item.children[0].kind == "Paragraph" else item
    line = next(_split_lines([node for node in line_holder.children if node.kind != "Task"]), [])
    return "" if not line or line[0].kind in _BLOCK_KINDS else "".join(node.words() for node in line)


def _cell_words(cell: Node) -> str:
    return cell.words().strip().removesuffix(":")


def _html_words(node: Node) -> str:
    """Return the words of HTML blocks in a node, without tags."""
    return " ".join(part.words() for line in html_lines(_text_with_tags(node)) for part in line).strip()


def _text_with_tags(node: Node) -> str:
    """Return the text in a node, including HTML tags."""
    return "".join(part.text for part in node.walk() if part.kind in _TEXT_KINDS)
