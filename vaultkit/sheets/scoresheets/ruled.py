"""Lines to write notes on, where a sheet would else end in the middle of its page."""

from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.pen import Pen, Place
from vaultkit.sheets.scoresheets.style import MM

_FEWEST = 3
_LOW = 2 * MM


def draw_notes(pen: Pen, place: Place, tag: Tag) -> None:
    """A title with ruled lines all over `place`, the last just above its edge; nothing where few lines have room."""
    x, bottom, width, room = place[0], place[1] + _LOW, place[2], place[3] - _LOW
    step, gap = pen.style.line * 1.2, 4 * MM
    words, tall = pen.words("Notes", look.TITLE_BOLD, max(11.0, pen.style.text), width, textColor=look.ACCENT)
    count = int((room - gap - tall) // step)
    if count < _FEWEST:
        return
    pen.put(words, x, bottom + room - gap - tall, tag.add("H2"))
    step = (room - gap - tall) / count
    for number in range(count):
        pen.rule(look.LINE, x, bottom + number * step, x + width, 0.5)
