"""The calibration sheet for a printer: a cross on the front, and scales on the back to read the offset from."""

from vaultkit import resources
from vaultkit.errors import UsageError
from vaultkit.sheets.calibrating.printers import LINE
from vaultkit.sheets.geometry.duplex import Duplex, Flip
from vaultkit.sheets.geometry.paper import Box, Segment, Size, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.layout import TextColumn, TextPage, fill_column
from vaultkit.sheets.text.page_painter import draw_page
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points
from vaultkit.vault.markdown import parse

STATION_DISTANCE_UM = 71_620
"""The distance of the scales at the sides from the middle; 1 mm between their readings corresponds to 0.4 degrees."""
_SMALLEST = 190 * MM
"""The least width and height of the paper; the scales at the sides and the text need that much space."""
_REACH_MM = 5
"""The millimetres that a scale shows on each side of 0."""
_ARM = 26 * MM
_AWAY = 20 * MM, 14 * MM
"""The offsets of the upright scale to the left of the middle, and of the level scale below it."""
_SIDE = 18 * MM
_SMALL_TEXT_PT = 9.0
_TICK, _FAR, _FAN = 1800, 8 * MM, 5 * MM
"""Lengths on a scale: of its ticks, from the ticks to the numbers, and from one number to the next."""

_TURNS = {
    Duplex.LONG_EDGE: "turned on the long edge",
    Duplex.SHORT_EDGE: "turned on the short edge",
    Duplex.TWO_PASS: "print page 1, turn the sheet like the page of a book, put it in again and print page 2",
}


def calibration_page(job: PrintJob, *, duplex: Duplex = Duplex.LONG_EDGE, landscape: bool = False) -> PrintedFile:
    """Print both pages of the calibration sheet, without a correction, for printing with `duplex`.

    Raises UsageError if the paper is too small for the scales.
    """
    size = load_stock(job.theme.vault).paper(job.paper)
    if min(size.width, size.height) < _SMALLEST:
        hint = "Print it on a4 or letter: what is read off holds for smaller paper as well."
        raise UsageError(f"The sheet does not fit on {size.name} paper.", hint=hint)
    size = size.on_its_side if landscape else size
    document = Document("Calibration", "How far the printer is off", size, job.theme)
    document.canvas.setViewerPreference("Duplex", duplex.viewer_preference)
    more = "" if duplex is Duplex.LONG_EDGE else f" --duplex {duplex}"
    more += " --landscape" if landscape else ""
    _front(document, size, _words("front").format(turn=_TURNS[duplex], more=more))
    _back(document, size, duplex.flip(size) or Flip.BOOK)
    return document.save(job.out, ("Calibration",))


def _words(side: str) -> str:
    return resources.read_text(resources.shipped_folder("print") / "calibration" / f"{side}.md")


def _front(document: Document, paper: Size, words: str) -> None:
    part = document.structure.add("Sect")
    top = _title(document, paper, "How far is your printer off?", part)
    _text(document, paper, words, part, top)
    middle, level = paper.width // 2, paper.height // 2
    figure = part.add("Figure", alt="A cross in the middle of the page, and a level line at each side.")
    _place(
        figure, middle - STATION_DISTANCE_UM - 8 * MM, level - _ARM, middle + STATION_DISTANCE_UM + 8 * MM, level + _ARM
    )
    with document.canvas.tag_content(figure):
        _line(document, 0.4, middle - _ARM, level, middle + _ARM, level)
        _line(document, 0.4, middle, level - _ARM, middle, level + _ARM)
        for side in (-STATION_DISTANCE_UM, STATION_DISTANCE_UM):
            _line(document, 0.4, middle + side - 8 * MM, level, middle + side + 8 * MM, level)
    _draw_measuring_line(document, paper, part)
    document.end_page()


def _draw_measuring_line(document: Document, paper: Size, part: Tag) -> None:
    """Draw the line of 100 mm, with a tick every 10 mm."""
    left, level = (paper.width - LINE) // 2, 24 * MM
    figure = part.add("Figure", alt="A line of 100 mm.")
    _place(figure, left, level, left + LINE, level + 4 * MM)
    with document.canvas.tag_content(figure):
        _line(document, 0.6, left, level, left + LINE, level)
        for step in range(11):
            x = left + step * 10 * MM
            _line(document, 0.6, x, level, x, level + (4 if step % 10 == 0 else 2) * MM)
    words = "This line is 100 mm long if the printer keeps the scale."
    middle, below = points(paper.width) / 2, points(level - 6 * MM)
    document.write(words, middle, below, look.TEXT, document.glyphs.theme.body, align="center", tag=part.add("P"))


def _back(document: Document, paper: Size, flip: Flip) -> None:
    part = document.structure.add("Sect")
    top = points(paper.height // 2 - 44 * MM)
    heading = document.glyphs.theme.body * 1.3
    words = "The back: hold this side towards you"
    if flip.has_inverted_back:
        top = _title(document, paper, words, part)
    else:
        tag = part.add("H2")
        document.write(words, points(_SIDE), top - heading, look.TITLE_BOLD, heading, colour=look.HEAD, tag=tag)
        top -= heading * 1.7
    _text(document, paper, _words("back"), part, top)
    middle, level = paper.width // 2, paper.height // 2
    figure = part.add("Figure", alt="Four scales in millimetres from -5 to 5: x, y, and y at the left and right edge.")
    _place(
        figure,
        middle - STATION_DISTANCE_UM - 16 * MM,
        level - 31 * MM,
        middle + STATION_DISTANCE_UM + 16 * MM,
        level + 27 * MM,
    )
    with document.canvas.tag_content(figure):
        _scale(document, middle, level - _AWAY[1], upright=False, name="x")
        _scale(document, middle - _AWAY[0], level, upright=True, name="y")
        _scale(document, middle - STATION_DISTANCE_UM, level, upright=True, name="left")
        _scale(document, middle + STATION_DISTANCE_UM, level, upright=True, name="right")
    document.end_page()


def _scale(document: Document, x: int, y: int, *, upright: bool, name: str) -> None:
    """Draw a scale of millimetres and half millimetres with its zero at x, y.

    Its numbers are below it, or to the left of an upright scale, farther apart than the ticks to which lines lead.
    """

    def stroke(along: int, away: int, to_along: int, to_away: int, width: float = 0.3) -> None:
        ends = (-away, along, -to_away, to_along) if upright else (along, -away, to_along, -to_away)
        _line(document, width, x + ends[0], y + ends[1], x + ends[2], y + ends[3])

    stroke(-_REACH_MM * MM, 0, _REACH_MM * MM, 0)
    for half in range(-2 * _REACH_MM, 2 * _REACH_MM + 1):
        width = 0.6 if half == 0 else 0.3
        stroke(half * MM // 2, 0, half * MM // 2, 1000 if half % 2 else _TICK, width)
    for number in range(-_REACH_MM, _REACH_MM + 1):
        stroke(number * MM, _TICK, number * _FAN, _TICK + _FAR, 0.6 if number == 0 else 0.3)
        across, up = (-_TICK - _FAR - 700, number * _FAN) if upright else (number * _FAN, -_TICK - _FAR - 700)
        words, align = f"{number:+d}".replace("-", "−") if number else "0", "right" if upright else "center"
        level = points(y + up) - _SMALL_TEXT_PT * (0.36 if upright else 0.8)
        document.write(words, points(x + across), level, look.BOX, _SMALL_TEXT_PT, align=align)
    across, up = (2 * MM, _REACH_MM * MM) if upright else (-_REACH_MM * MM - 6 * MM, -2 * MM)
    document.write(name, points(x + across), points(y + up), look.BOX_BOLD, 12, colour=look.HEAD)


def _title(document: Document, paper: Size, words: str, part: Tag) -> float:
    """Draw the title of the page; return the top of the text below it, in points from the bottom."""
    top = points(paper.height - 26 * MM)
    kind = "H1" if document.pages == 0 else "H2"
    document.write(words, points(_SIDE), top, look.TITLE_BOLD, 18, colour=look.HEAD, tag=part.add(kind))
    return top - 12


def _text(document: Document, paper: Size, markdown: str, part: Tag, top: float) -> None:
    width, theme = points(paper.width - 2 * _SIDE), document.glyphs.theme
    inline = Inline(document.glyphs, size=theme.body, min_size=theme.floor)
    blocks = TextBuilder(Setting(inline, width, width, top, theme.body)).build(parse(markdown))
    placements, _ = fill_column(blocks, TextColumn(points(_SIDE), width, top, 0.0), document.canvas)
    draw_page(document, TextPage([placements]), part)


def _line(document: Document, width: float, *ends: int) -> None:
    document.canvas.pen(look.INK, width)
    document.canvas.line(*Segment(*ends).points)


def _place(figure: Tag, left: int, bottom: int, right: int, top: int) -> None:
    figure.box = Box(left, bottom, right - left, top - bottom).corners
