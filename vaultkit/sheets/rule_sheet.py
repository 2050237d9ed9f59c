"""Any note as a sheet to read at the table."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from vaultkit.sheets import theme as look
from vaultkit.sheets.geometry.paper import MM, load_stock, points
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.text.builder import ResolveEmbed, ResolveImage, Setting, TextBuilder, heading_keys
from vaultkit.sheets.text.inline import DescribeLink, Inline, here_only
from vaultkit.sheets.text.layout import Page, paginate
from vaultkit.sheets.text.paint import paint
from vaultkit.sheets.theme import CLASSIC, Theme
from vaultkit.vault.markdown import Node, parse

_PASSES = 4
_LEFTOVER = 0.5
"""A last page less full than this is worth a try to do without."""
_TIGHT = 45.0
"""How uneven columns may then be, in points."""
_TITLE_SIZE = 25.0


def rule_sheet(
    note_text: str,
    *,
    title: str,
    source_path: str,
    paper: str,
    out: Path,
    cache: Path,
    resolve_image: ResolveImage = lambda _: None,
    describe_link: DescribeLink = here_only,
    resolve_embed: ResolveEmbed = lambda _: None,
    columns: int = 2,
    size: float = 10.5,
    theme: Theme = CLASSIC,
) -> PrintedFile:
    """Prints the body of a note (without frontmatter) to `out`.

    `source_path` is the note's vault path, shown at the foot. `resolve_image` and `resolve_embed` are given a link's
    target as written and must answer with nothing outside the vault. `theme` holds the vault whose designs win.
    """
    glyphs = Glyphs(theme)
    plan = ReadingPlan(load_stock(theme.vault).paper(paper), columns)
    document = Document(title, source_path, plan.paper, glyphs)
    tree, subtitle = _without_title(parse(note_text), title)
    top, heading = _heading(title, subtitle, glyphs, plan, document.canvas)
    inline = Inline(glyphs, describe_link, heading_keys(tree), size=size)
    setting = Setting(
        inline, points(plan.column_width), points(plan.body.width), points(plan.body.height), cache, size,
        resolve_image=resolve_image, resolve_embed=resolve_embed,
    )  # fmt: skip
    pages = _well_filled(tree, setting, plan, document.canvas, top)
    for number, page in enumerate(pages, 1):
        if number == 1:
            document.bookmark(title, "top", 0)
            _draw_heading(document, heading, plan)
        else:
            document.furniture(plan.body, title, "", y=points(plan.paper.height) - 11 * 72 / 25.4)
        paint(document, page)
        document.furniture(plan.body, source_path, f"{number} / {len(pages)}", y=points(10 * MM))
        document.end_page()
    return document.save(out, (title,))


def _without_title(tree: Node, title: str) -> tuple[Node, Node | None]:
    """The tree without a first heading that repeats the title, and the line of italics under it as a subtitle."""
    children = list(tree.children)
    if children and children[0].kind == "Heading" and children[0].number == 1:
        if children[0].words().strip().lower() != title.strip().lower():
            return tree, None
        children.pop(0)
    subtitle = None
    if children and children[0].kind == "Paragraph":
        marks = [node for node in children[0].children if node.words().strip()]
        if len(marks) == 1 and marks[0].kind == "Emphasis":
            subtitle = children.pop(0)
    return Node("Document", children=children), subtitle


def _well_filled(tree: Node, setting: Setting, plan: ReadingPlan, canvas: Any, top: float) -> list[Page]:
    """Pages of which the last is no mere leftover: a little smaller, down to the floor, if that saves it."""
    pages = _laid_out(tree, setting, plan, canvas, top)
    lowest = min((item.top - item.height for item in pages[-1].placed), default=0.0)
    used = points(plan.body.top) - lowest
    if len(pages) == 1 or used > _LEFTOVER * points(plan.body.height):
        return pages
    tight = replace(plan, uneven=_TIGHT)
    for less, tried_plan in ((0.25, plan), (0.5, plan), (0.5, tight)):
        smaller = setting.size - less
        if smaller < setting.floor:
            break
        other = replace(setting, size=smaller, inline=replace(setting.inline, size=smaller))
        tried = _laid_out(tree, other, tried_plan, canvas, top)
        if len(tried) < len(pages):
            return tried
    return pages


def _laid_out(tree: Node, setting: Setting, plan: ReadingPlan, canvas: Any, top: float) -> list[Page]:
    """Lays the note out again until every page reference names the page that its heading has come to stand on."""
    pages: list[Page] = []
    known: Mapping[str, int] = {}
    for _ in range(_PASSES):
        inline = setting.inline
        setting.inline = Inline(inline.glyphs, inline.describe_link, inline.headings, known, size=setting.size)
        inline.glyphs.missing.clear()
        pages = paginate(TextBuilder(setting).build(tree), plan, canvas, first_top=top)
        found = {item.block.key: n for n, page in enumerate(pages, 1) for item in page.placed if item.block.key}
        if found == known or len(pages) == 1 or not _refers(tree):
            break
        known = found
    return pages


def _refers(tree: Node) -> bool:
    return any(node.kind == "Link" and "#" in node.text for node in tree.walk())


def _heading(
    title: str, subtitle: Node | None, glyphs: Glyphs, plan: ReadingPlan, canvas: Any
) -> tuple[float, list[Any]]:
    """Where the text begins below the title, and the title's lines with their heights."""
    from vaultkit.sheets.text.words import Words

    style = glyphs.theme.style
    lines = [
        Words(
            glyphs.markup(title, look.TITLE_BOLD),
            style(look.TITLE_BOLD, _TITLE_SIZE, _TITLE_SIZE * 1.15, alignment=1, textColor=look.ACCENT),
        )
    ]
    if subtitle is not None:
        markup = Inline(glyphs, live=False).markup(subtitle.children, look.ITALIC)
        lines.append(Words(markup, style(look.ITALIC, 11, alignment=1, textColor=look.MUTED)))
    top = points(plan.body.top)
    placed = []
    for line in lines:
        _, height = line.wrapOn(canvas, points(plan.body.width), points(plan.body.height))
        top -= height
        placed.append((line, top))
        top -= 3
    return top - 22, placed


def _draw_heading(document: Document, heading: list[Any], plan: ReadingPlan) -> None:
    x, _, width, _ = plan.body.points
    for line, bottom in heading:
        line.drawOn(document.canvas, x, bottom)
    canvas, y, middle = document.canvas, heading[-1][1] - 10, x + width / 2
    canvas.setStrokeColor(document.colour(look.GOLD))
    canvas.setFillColor(document.colour(look.GOLD))
    canvas.setLineWidth(0.7)
    canvas.line(x, y, middle - 9, y)
    canvas.line(middle + 9, y, x + width, y)
    path = canvas.beginPath()
    path.moveTo(middle - 4.5, y)
    for dx, dy in ((0, 4.5), (4.5, 0), (0, -4.5)):
        path.lineTo(middle + dx, y + dy)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)
