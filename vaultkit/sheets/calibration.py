"""The calibration sheet for a printer: a cross on the front, and scales on the back to read the offset from."""

from vaultkit import resources
from vaultkit.errors import UsageError
from vaultkit.sheets.paper import Box, Duplex, Flip, Segment, Size, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.printers import LINE_LENGTH_UM
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.layout import TextColumn, TextPage, draw_page, fill_column
from vaultkit.sheets.text.setting import Setting
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points
from vaultkit.vault.markdown import parse

STATION_DISTANCE_UM = 71_620
"""The distance of the scales at the sides from the middle; 1 mm between their readings corresponds to 0.4 degrees."""
_MIN_PAPER_SIZE_UM = 190 * MM
"""The least width and height of the paper; the scales at the sides and the text need that much space."""
_REACH_MM = 5
"""The millimetres that a scale shows on each side of 0."""
_CROSS_ARM_UM = 26 * MM
_SCALE_OFFSETS_UM = 20 * MM, 14 * MM
"""The offsets of the upright scale to the left of the middle, and of the level scale below it."""
_SIDE_MARGIN_UM = 18 * MM
_SMALL_TEXT_PT = 9.0
_TICK, _FAR, _FAN = 1800, 8 * MM, 5 * MM
"""Lengths on a scale: of its ticks, from the ticks to the numbers, and from one number to the next."""

_TURNS = {
    Duplex.LONG_EDGE: "turned on the long edge",
    Duplex.SHORT_EDGE: "turned on the short edge",
    Duplex.TWO_PASS: "print page 1, turn the sheet like the page of a book, put it in again and print page 2",
}


def print_calibration_sheet(
    job: PrintJob, *, duplex: Duplex = Duplex.LONG_EDGE, landscape: bool = False
) -> PrintedFile:
    """Print both pages of the calibration sheet, without a correction, for printing with `duplex`.

    Raises UsageError if the paper is too small for the scales.
    """
    size = load_stock(job.theme.vault).paper(job.paper)
    if min(size.width, size.height) < _MIN_PAPER_SIZE_UM:
        hint = "Print it on a4 or letter: what is read off holds for smaller paper as well."
        raise UsageError(f"The sheet does not fit on {size.name} paper.", hint=hint)
    size = size.on_its_side if landscape else size
    document = Document("Calibration", "How far the printer is off", size, job.theme)
    document.canvas.setViewerPreference("Duplex", duplex.viewer_preference)
    further_options = "" if duplex is Duplex.LONG_EDGE else f" --duplex {duplex}"
    further_options += " --landscape" if landscape else ""
    _draw_front(document, size, _read_text("front").format(turn=_TURNS[duplex], more=further_options))
    _draw_back(document, size, duplex.flip(size) or Flip.BOOK)
    return document.save(job.out, ("Calibration",))


def _read_text(side: str) -> str:
    return resources.read_text(resources.shipped_folder("print") / "calibration" / f"{side}.md")


def _draw_front(document: Document, paper: Size, words: str) -> None:
    section = document.structure.add("Sect")
    top = _draw_title(document, paper, "How far is your printer off?", section)
    _draw_text(document, paper, words, section, top)
    middle_x, middle_y = paper.width // 2, paper.height // 2
    figure = section.add("Figure", alt="A cross in the middle of the page, and a level line at each side.")
    _set_figure_box(
        figure,
        middle_x - STATION_DISTANCE_UM - 8 * MM,
        middle_y - _CROSS_ARM_UM,
        middle_x + STATION_DISTANCE_UM + 8 * MM,
        middle_y + _CROSS_ARM_UM,
    )
    with document.canvas.tag_content(figure):
        _draw_line(document, 0.4, middle_x - _CROSS_ARM_UM, middle_y, middle_x + _CROSS_ARM_UM, middle_y)
        _draw_line(document, 0.4, middle_x, middle_y - _CROSS_ARM_UM, middle_x, middle_y + _CROSS_ARM_UM)
        for offset in (-STATION_DISTANCE_UM, STATION_DISTANCE_UM):
            _draw_line(document, 0.4, middle_x + offset - 8 * MM, middle_y, middle_x + offset + 8 * MM, middle_y)
    _draw_measuring_line(document, paper, section)
    document.end_page()


def _draw_measuring_line(document: Document, paper: Size, section: Tag) -> None:
    """Draw the line of 100 mm, with a tick every 10 mm."""
    left, line_y = (paper.width - LINE_LENGTH_UM) // 2, 24 * MM
    figure = section.add("Figure", alt="A line of 100 mm.")
    _set_figure_box(figure, left, line_y, left + LINE_LENGTH_UM, line_y + 4 * MM)
    with document.canvas.tag_content(figure):
        _draw_line(document, 0.6, left, line_y, left + LINE_LENGTH_UM, line_y)
        for step in range(11):
            x = left + step * 10 * MM
            _draw_line(document, 0.6, x, line_y, x, line_y + (4 if step % 10 == 0 else 2) * MM)
    words = "This line is 100 mm long if the printer keeps the scale."
    middle_pt, caption_y = points(paper.width) / 2, points(line_y - 6 * MM)
    size, tag = document.glyphs.theme.body_text_size, section.add("P")
    document.write(words, middle_pt, caption_y, look.TEXT, size, align="center", tag=tag)


def _draw_back(document: Document, paper: Size, flip: Flip) -> None:
    section = document.structure.add("Sect")
    top = points(paper.height // 2 - 44 * MM)
    heading_size = document.glyphs.theme.body_text_size * 1.3
    words = "The back: hold this side towards you"
    if flip.has_inverted_back:
        top = _draw_title(document, paper, words, section)
    else:
        tag = section.add("H2")
        document.write(
            words, points(_SIDE_MARGIN_UM), top - heading_size, look.TITLE_BOLD, heading_size, colour=look.HEAD, tag=tag
        )
        top -= heading_size * 1.7
    _draw_text(document, paper, _read_text("back"), section, top)
    middle_x, middle_y = paper.width // 2, paper.height // 2
    alt = "Four scales in millimetres from -5 to 5: x, y, and y at the left and right edge."
    figure = section.add("Figure", alt=alt)
    _set_figure_box(
        figure,
        middle_x - STATION_DISTANCE_UM - 16 * MM,
        middle_y - 31 * MM,
        middle_x + STATION_DISTANCE_UM + 16 * MM,
        middle_y + 27 * MM,
    )
    with document.canvas.tag_content(figure):
        _draw_scale(document, middle_x, middle_y - _SCALE_OFFSETS_UM[1], upright=False, name="x")
        _draw_scale(document, middle_x - _SCALE_OFFSETS_UM[0], middle_y, upright=True, name="y")
        _draw_scale(document, middle_x - STATION_DISTANCE_UM, middle_y, upright=True, name="left")
        _draw_scale(document, middle_x + STATION_DISTANCE_UM, middle_y, upright=True, name="right")
    document.end_page()


def _draw_scale(document: Document, x: int, y: int, *, upright: bool, name: str) -> None:
    """Draw a scale of millimetres and half millimetres with its zero at x, y.

    Its numbers are below it, or to the left of an upright scale, farther apart than the ticks to which lines lead.
    """

    def stroke(along: int, away: int, to_along: int, to_away: int, width: float = 0.3) -> None:
        ends = (-away, along, -to_away, to_along) if upright else (along, -away, to_along, -to_away)
        _draw_line(document, width, x + ends[0], y + ends[1], x + ends[2], y + ends[3])

    stroke(-_REACH_MM * MM, 0, _REACH_MM * MM, 0)
    for half_millimetres in range(-2 * _REACH_MM, 2 * _REACH_MM + 1):
        width = 0.6 if half_millimetres == 0 else 0.3
        at = half_millimetres * MM // 2
        stroke(at, 0, at, 1000 if half_millimetres % 2 else _TICK, width)
    for millimetres in range(-_REACH_MM, _REACH_MM + 1):
        stroke(millimetres * MM, _TICK, millimetres * _FAN, _TICK + _FAR, 0.6 if millimetres == 0 else 0.3)
        across, up = (-_TICK - _FAR - 700, millimetres * _FAN) if upright else (millimetres * _FAN, -_TICK - _FAR - 700)
        label, align = f"{millimetres:+d}".replace("-", "−") if millimetres else "0", "right" if upright else "center"
        label_y = points(y + up) - _SMALL_TEXT_PT * (0.36 if upright else 0.8)
        document.write(label, points(x + across), label_y, look.BOX, _SMALL_TEXT_PT, align=align)
    across, up = (2 * MM, _REACH_MM * MM) if upright else (-_REACH_MM * MM - 6 * MM, -2 * MM)
    document.write(name, points(x + across), points(y + up), look.BOX_BOLD, 12, colour=look.HEAD)


def _draw_title(document: Document, paper: Size, words: str, section: Tag) -> float:
    """Draw the title of the page; return the top of the text below it, in points from the bottom."""
    top = points(paper.height - 26 * MM)
    kind = "H1" if document.pages == 0 else "H2"
    document.write(words, points(_SIDE_MARGIN_UM), top, look.TITLE_BOLD, 18, colour=look.HEAD, tag=section.add(kind))
    return top - 12


def _draw_text(document: Document, paper: Size, markdown: str, section: Tag, top: float) -> None:
    width, theme = points(paper.width - 2 * _SIDE_MARGIN_UM), document.glyphs.theme
    inline = Inline(document.glyphs, size=theme.body_text_size, min_size=theme.min_text_size)
    blocks = TextBuilder(Setting(inline, width, width, top, theme.body_text_size)).build(parse(markdown))
    placements, _ = fill_column(blocks, TextColumn(points(_SIDE_MARGIN_UM), width, top, 0.0), document.canvas)
    draw_page(document, TextPage([placements]), section)


def _draw_line(document: Document, width: float, *ends: int) -> None:
    document.canvas.pen(look.INK, width)
    document.canvas.line(*Segment(*ends).points)


def _set_figure_box(figure: Tag, left: int, bottom: int, right: int, top: int) -> None:
    figure.box = Box(left, bottom, right - left, top - bottom).corners
