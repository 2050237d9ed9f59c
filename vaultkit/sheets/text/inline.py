"""Conversion of inline nodes to ReportLab's paragraph markup, with all text escaped so that it adds no tags."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.text.html_styles import PLAIN, HtmlStyle
from vaultkit.sheets.text.html_tags import fold_line
from vaultkit.sheets.text.note_source import NO_SOURCE, LinkTarget
from vaultkit.sheets.text.omissions import STYLE_PREFIX, obsidian_only_kind
from vaultkit.theme import colour, image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs, printable_text
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import comparable_heading

if TYPE_CHECKING:
    from vaultkit.sheets.text.flowables import LinePicture

_SCHEMES = {"http", "https", "mailto", "obsidian"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_EMPHASIS_FACES = {
    "Strong": {
        look.TEXT: look.BOLD, look.ITALIC: look.BOLD_ITALIC, look.BOX: look.BOX_BOLD, look.TITLE: look.TITLE_BOLD,
    },
    "Emphasis": {look.TEXT: look.ITALIC, look.BOLD: look.BOLD_ITALIC},
}  # fmt: skip
"""For each kind of emphasis, the font role by that of the surrounding text, which is kept where none is given."""
NOTE_LIST_KEY = "notes-named"
"""The link destination of the list of other notes at the end of a note."""
_SUPERSCRIPTS = {ord(plain): raised for plain, raised in zip("0123456789n", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", strict=True)}
_SUBSCRIPTS = {ord(plain): lowered for plain, lowered in zip("0123456789", "₀₁₂₃₄₅₆₇₈₉", strict=True)}
"""Unicode superscript and subscript letters, which keep their meaning when read aloud or copied."""
_WIDEST_LETTER, _WIDEST_REFERENCE = "m", "\u00a0(p.\u00a000)"
_PICTURE_SIZE = re.compile(r"(?:\||\A)\d{1,5}(?:x\d{1,5})?\Z")
_WRITING_BOX_SCALES = 2.3, 1.5
"""The width and height of a box to write in, as multiples of the font size."""
_MIN_CONTRAST_RATIO = 4.5
"""The least contrast between coloured words and their ground that readers with low vision need, by WCAG 2."""
_LINE_TAGS = {"Underline": "u", "Strikethrough": "strike"}
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def web_address(destination: str) -> str:
    """Return an address that may become a live link, or "" for schemes other than http, https, mailto and obsidian."""
    destination = _CONTROL_CHARACTERS.sub("", destination).strip()
    try:
        scheme = urlsplit(destination).scheme.lower()
    except ValueError:
        return ""
    return quote(destination, safe="%/:=&?~#+!$,;'@()*[]") if scheme in _SCHEMES else ""


class TooManyNotes(Exception):
    """The exception for a text that names more other notes than may be listed at its end."""


@dataclass
class Inline:
    """A renderer of inline nodes as ReportLab's markup.

    It numbers `footnotes`, and collects the other `notes` that the text names, in order. `follow` returns the target of
    an internal link. `headings` maps headings to destinations, `pages` destinations to page numbers. Without `live`,
    links are only coloured. `size` is the font size in points.
    """

    glyphs: Glyphs
    follow: Callable[[str], LinkTarget | None] = NO_SOURCE.link
    headings: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, int] = field(default_factory=dict)
    referenced_pages: dict[str, int | None] = field(default_factory=dict)
    """The page number printed in references to each destination; None if the page was unknown."""
    footnotes: dict[str, int] = field(default_factory=dict)
    """The numbers of the footnotes, from 1, by name."""
    notes: dict[str, LinkTarget] = field(default_factory=dict)
    live: bool = True
    size: float = 10.5
    prefix: str = ""
    """The prefix of this note's destinations, which keeps them distinct from those of other notes in the file."""
    listed: bool = True
    """Whether a link to another note gets a mark, which refers to the list of other notes at the end."""
    max_notes: int | None = None
    """The most other notes that the text may name before `TooManyNotes` is raised; None means no limit."""
    min_size: float = 0.0
    """The minimum font size in points."""
    breaks: bool = False
    """Whether a single newline is a line break, as in Obsidian."""
    language: str = ""
    """The language by which words are hyphenated; "" if it is unknown."""
    dark: bool = False
    """Whether the text is on a dark ground: then links have the colour of the text, and no text is highlighted."""
    nameless: bool = False
    """Whether names of picture files and paths of notes are hidden, as in a players' copy."""
    small: "Callable[[Node, str], LinePicture | None] | None" = None
    """A function that makes an inline picture from its node and the colour role of its background.

    It returns None for a picture that is too large. Without a function, all pictures are replaced by their names.
    """
    ground: str = look.PAPER
    """The colour role of the background."""
    pictures: "dict[str, LinePicture]" = field(default_factory=dict)
    """The inline pictures by the names by which the markup refers to them."""
    omitted: Counter[str] = field(default_factory=Counter)
    """The number of parts left out because only Obsidian can show them, by kind."""
    secrets: Counter[str] = field(default_factory=Counter)
    """The number of secrets by kind, whether they are left out or printed."""
    _section_targets: set[str] = field(default_factory=set)
    _note_numbers: dict[str, int] = field(default_factory=dict)

    def new_section(self) -> None:
        """Begin a new section, in which the first link to each target gets its page reference or mark again."""
        self._section_targets.clear()

    def line(self, nodes: list[Node], face: str) -> str:
        """Return the markup of `nodes` in the font role `face`, without line breaks at its beginning and end."""
        markup = self.markup(nodes, face).strip()
        while (shorter_markup := markup.removeprefix("<br/>").removesuffix("<br/>").strip()) != markup:
            markup = shorter_markup
        return markup

    def styled_line(self, nodes: list[Node], face: str, style: HtmlStyle) -> str:
        """Return the markup of a line in an HTML element of a certain look."""
        markup = self.line(nodes, _styled_face(face, style))
        return self._style_markup(markup, face, style) if markup and style.has_text_look else markup

    def _style_markup(self, markup: str, face: str, style: HtmlStyle) -> str:
        """Return markup in the look of an HTML element, its colours changed as far as they are hard to read."""
        attributes, ground = f'name="{self.glyphs.theme.face(_styled_face(face, style))}"', ""
        if not self.dark:
            ground = "" if self.glyphs.theme.ink_saver else style.ground
            code = style.colour or (self._colour_code(look.INK) if ground else "")
            readable = (
                colour.make_readable(code, ground or self._colour_code(look.PAPER), _MIN_CONTRAST_RATIO) if code else ""
            )
            attributes += f' color="{readable}"' if readable else ""
            attributes += f' backColor="{ground}"' if ground else ""
        if style.scale != 1.0:
            attributes += f' size="{max(self.min_size, self.size * style.scale):.2f}"'
        for kind, tag in _LINE_TAGS.items():
            markup = f"<{tag}>{markup}</{tag}>" if kind in style.kinds else markup
        return f"<font {attributes}>{markup}</font>"

    def visit_styled(self, node: Node, face: str) -> str:
        style: HtmlStyle = getattr(node, "style", PLAIN)
        self.note_ignored(style)
        markup = self.markup(node.children, _styled_face(face, style))
        return self._style_markup(markup, face, style) if markup and style.has_text_look else markup

    def note_ignored(self, style: HtmlStyle) -> None:
        """Count the properties of an HTML element that are not printed."""
        self.omitted.update(f"{STYLE_PREFIX}{name}" for name in style.ignored)

    def visit_break(self, _node: Node, _face: str) -> str:
        """Return "", because a break within a line, such as that of a cell, cannot be made."""
        return ""

    def markup(self, nodes: list[Node], face: str) -> str:
        """Return the markup of `nodes` for a paragraph in the font role `face`."""
        return "".join(self._node_markup(node, face) for node in spell_dice(fold_line(nodes)))

    @property
    def _code_size(self) -> float:
        """The font size in points of code and page references, whose fonts look large for their size."""
        return max(self.min_size, self.size * 0.955)

    def _colour_code(self, role: str) -> str:
        """Return the code of the colour for a role; on a dark ground all roles have the same colour."""
        return self.glyphs.theme.colour_code(look.ON_HEAD if self.dark else role)

    def _node_markup(self, node: Node, face: str) -> str:
        if node.kind in {"SoftBreak", "HardBreak"}:
            return "<br/>" if self.breaks or node.kind == "HardBreak" else " "
        if node.kind in _EMPHASIS_FACES:
            return self._face_markup(node, _EMPHASIS_FACES[node.kind].get(face, face))
        handler = getattr(self, f"visit_{node.kind.lower()}", None)
        if handler is not None:
            return str(handler(node, face))
        return self.markup(node.children, face) if node.children else self.glyphs.to_markup(node.text, face)

    def _face_markup(self, node: Node, face: str) -> str:
        return f'<font name="{self.glyphs.theme.face(face)}">{self.markup(node.children, face)}</font>'

    def visit_text(self, node: Node, face: str) -> str:
        return self.glyphs.to_markup(node.text.replace("\n", " "), face)

    def visit_code(self, node: Node, face: str) -> str:
        if omission := obsidian_only_kind(node):
            self.omitted[omission] += 1
            return ""
        return self.visit_inlinemath(node, face)

    def visit_inlinemath(self, node: Node, _face: str) -> str:
        """Return a formula's source as code."""
        return self._code_markup(self.glyphs.to_markup(" ".join(node.text.split("\n")).strip(), look.MONO))

    def _code_markup(self, inner_markup: str) -> str:
        name = self.glyphs.theme.face(look.MONO)
        shade_attribute = self._shade_attribute(look.PANEL_DARK)
        return f'<font name="{name}" size="{self._code_size:.2f}"{shade_attribute}>{inner_markup}</font>'

    visit_displaymath = visit_inlinemath

    def visit_writingbox(self, _node: Node, _face: str) -> str:
        """Return the markup of an empty box that is large enough to write a number in."""
        from vaultkit.sheets.text.flowables import WritingBox

        width, height = _WRITING_BOX_SCALES
        return self._picture_markup(WritingBox((self.size * width, self.size * height)))

    def _picture_markup(self, picture: "LinePicture") -> str:
        name = f"{len(self.pictures)}"
        self.pictures[name] = picture
        return f'<onDraw name="picture" label="{name}"/>'

    def visit_key(self, node: Node, _face: str) -> str:
        return self._code_markup(self.markup(node.children, look.MONO))

    def visit_underline(self, node: Node, face: str) -> str:
        return f"<u>{self.markup(node.children, face)}</u>"

    def visit_superscript(self, node: Node, face: str) -> str:
        return self._script_markup(node, face, _SUPERSCRIPTS, 0.28)

    def visit_subscript(self, node: Node, face: str) -> str:
        return self._script_markup(node, face, _SUBSCRIPTS, -0.2)

    def _script_markup(self, node: Node, face: str, letters: Mapping[int, str], rise: float) -> str:
        """Return superscript or subscript markup: Unicode letters if all exist, else smaller text, raised or lowered.

        `rise` is a share of the font size, negative for subscript.
        """
        plain_text = node.words()
        if plain_text and all(ord(letter) in letters for letter in plain_text):
            return self.glyphs.to_markup(plain_text.translate(letters), face)
        size = max(self.min_size, self.size * 0.7)
        kind = "super" if rise > 0 else "sub"
        inner_markup = self.markup(node.children, face)
        return f'<{kind} rise="{abs(rise) * self.size:.2f}" size="{size:.2f}">{inner_markup}</{kind}>'

    def visit_strikethrough(self, node: Node, face: str) -> str:
        return f"<strike>{self.markup(node.children, face)}</strike>"

    def visit_highlight(self, node: Node, face: str) -> str:
        return f"<font{self._shade_attribute(look.MARK)}>{self.markup(node.children, face)}</font>"

    def _shade_attribute(self, role: str) -> str:
        return "" if self.dark else f' backColor="{self.glyphs.theme.colour_code(role)}"'

    def visit_image(self, node: Node, face: str) -> str:
        if embeds_note(node):
            return self.glyphs.to_markup(f"[see {link_name(node.text) or node.text}]", face)
        picture = self.small(node, look.HEAD if self.dark else self.ground) if self.small else None
        if picture is not None:
            return self._picture_markup(picture)
        words = "" if node.number else _PICTURE_SIZE.sub("", node.words())
        caption = words or ("" if self.nameless else link_name(node.text))
        return self.glyphs.to_markup(f"[picture: {caption}]" if caption else "[picture]", face)

    visit_linepicture = visit_image

    def visit_footnotereference(self, node: Node, _face: str) -> str:
        number = self.footnotes.setdefault(node.text, len(self.footnotes) + 1)
        return self._mark_markup(str(number), f"#{self.prefix}foot-{number}")

    def visit_footnotedefinition(self, _node: Node, _face: str) -> str:
        """Return "", because the definition is printed at the end of the note."""
        return ""

    def visit_link(self, node: Node, face: str) -> str:
        inner_markup = self.markup(_link_text(node), face)
        address = web_address(node.text)
        if address:
            return self._anchor_markup(inner_markup, address)
        if _SCHEME.match(_CONTROL_CHARACTERS.sub("", node.text).strip()):
            return inner_markup
        target = self.follow(node.text)
        if target is None or target.kind == "missing":
            return inner_markup
        link = self._local_link if target.kind == "here" else self._note_link
        return link(inner_markup, target)

    def _local_link(self, inner_markup: str, target: LinkTarget) -> str:
        key = target.key or self.headings.get(comparable_heading(target.heading.rpartition("#")[2]))
        if key is None:
            return inner_markup
        if not self.live:
            return self._anchor_markup(inner_markup, "")
        page = self.referenced_pages[key] = self.pages.get(key)
        if page is None or key in self._section_targets:
            return self._anchor_markup(inner_markup, f"#{key}")
        self._section_targets.add(key)
        face, shade = self.glyphs.theme.face(look.TEXT), self._colour_code(look.MUTED)
        reference = f'<font name="{face}" size="{self._code_size:.2f}" color="{shade}">\u00a0(p.\u00a0{page})</font>'
        return self._anchor_markup(inner_markup, f"#{key}") + reference

    def _note_link(self, inner_markup: str, target: LinkTarget) -> str:
        """Return a link to a note that is not printed, with a mark that leads to the list at the end.

        The words lead to the note's own address if it has one, else to the list too.
        """
        self.notes.setdefault(target.path, target)
        if self.max_notes is not None and len(self.notes) > self.max_notes:
            raise TooManyNotes
        number = self._note_numbers.setdefault(target.path, len(self._note_numbers))
        address, list_address = web_address(target.href), f"#{self.prefix}{NOTE_LIST_KEY}"
        if not self.live or not self.listed or target.path in self._section_targets:
            return self._anchor_markup(inner_markup, address)
        self._section_targets.add(target.path)
        if address:
            return self._anchor_markup(inner_markup, address) + self._mark_markup(note_mark(number), list_address)
        mark_markup = self._bracket_markup(note_mark(number))
        mark = f'<font color="{self._colour_code(look.MUTED)}">{mark_markup}</font>'
        return self._anchor_markup(f"{inner_markup}{mark}", list_address)

    def _anchor_markup(self, inner_markup: str, address: str, role: str = look.LINK) -> str:
        if not address or not self.live:
            return f'<font color="{self._colour_code(role)}">{inner_markup}</font>'
        return f'<a href="{escape(address)}" color="{self._colour_code(role)}">{inner_markup}</a>'

    def _mark_markup(self, mark: str, address: str) -> str:
        """Return a mark in brackets, such as `[1]`, that links to an address.

        It is not set as superscript, because it would be smaller than the minimum size.
        """
        inner_markup = self._bracket_markup(mark)
        return self._anchor_markup(inner_markup, address, look.MUTED) if self.live else inner_markup

    def _bracket_markup(self, mark: str) -> str:
        name = self.glyphs.theme.face(look.TEXT)
        inner_markup = self.glyphs.to_markup(f"[{mark}]", look.TEXT)
        return f'<font name="{name}" size="{self._mark_size:.2f}">{inner_markup}</font>'

    @property
    def _mark_size(self) -> float:
        return self.min_size or self._code_size

    def reference_width(self, node: Node) -> float:
        """Return the largest width in points that a mark or page reference after a node may have; 0 if it gets none."""
        if node.kind == "FootnoteReference":
            return self._mark_width(str(len(self.footnotes) + 1))
        if node.kind != "Link" or not self.live or _SCHEME.match(_CONTROL_CHARACTERS.sub("", node.text).strip()):
            return 0.0
        target = self.follow(node.text)
        if target is not None and target.kind == "here":
            return self.glyphs.measure_width(_WIDEST_REFERENCE, look.TEXT, self._code_size)
        is_listed = target is not None and target.kind == "note" and self.listed
        return self._mark_width(note_mark(len(self._note_numbers))) if is_listed else 0.0

    def _mark_width(self, mark: str) -> float:
        return self.glyphs.measure_width(f"[{_WIDEST_LETTER * len(mark)}]", look.TEXT, self._mark_size)


def _styled_face(face: str, style: HtmlStyle) -> str:
    for kind in style.kinds:
        face = _EMPHASIS_FACES.get(kind, {}).get(face, face)
    return face


def embeds_note(node: Node) -> bool:
    """Return whether an image node embeds a note: `![[...]]` with no picture, or `![...](...)` with a note."""
    name = link_name(node.text)
    return not image_transcoding.is_named_as_picture(name) if node.number else _names_note(node.text)


def _names_note(destination: str) -> bool:
    return not _SCHEME.match(destination) and is_note(link_name(destination))


def note_mark(number: int) -> str:
    """Return the letters that mark the other note with an index from 0: a, b ... z, aa, ab."""
    return (note_mark(number // 26 - 1) if number >= 26 else "") + chr(ord("a") + number % 26)


def link_name(destination: str) -> str:
    """Return the last part of a link's path, without its subpath."""
    return printable_text(unquote(destination).partition("#")[0].rpartition("/")[2])


def _link_text(node: Node) -> list[Node]:
    """Return the text of a link, or its target as Obsidian shows it, `Note > Heading`, if it has no text of its own."""
    if node.number and "#" in node.text and node.words() == node.text:
        return [Node("Text", " > ".join(part.strip() for part in node.text.split("#") if part.strip()))]
    return [remove_links(child) for child in node.children]


def remove_links(node: Node) -> Node:
    """Return a copy of a node in which links are replaced by their text."""
    kind = "Span" if node.kind == "Link" else node.kind
    return Node(kind, node.text if kind != "Span" else "", [remove_links(c) for c in node.children], node.number)
