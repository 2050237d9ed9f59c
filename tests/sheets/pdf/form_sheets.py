"""A minimal page of form boxes."""

from collections.abc import Sequence
from pathlib import Path

from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field
from vaultkit.theme import model as look
from vaultkit.theme.model import CLASSIC

LONG = "A very long name that does not at all fit into this little box"
NOTE = "Several words in several lines that break\nand a new line"
BOXES = (
    Field("player", "text", (50, 760, 150, 24), "Player", "Łukasz Żółć", align="left"),
    Field("p1.swords.total", "text", (50, 720, 40, 24), "Swords, total", "17"),
    Field("p1.swords.rolls", "text", (50, 680, 40, 24), "Swords, rolls"),
    Field("p1.mode.coop", "check", (50, 640, 14, 14), "Mode: co-operative", "yes"),
    Field("p1.mode.competitive", "check", (300, 640, 14, 14), "Mode: competitive"),
    Field("p1.fate", "radio", (50, 620, 14, 14), "Fate: survived", "yes", ("no",), group="Fate"),
    Field("p1.fate", "radio", (300, 620, 14, 14), "Fate: forfeited", "", ("yes",), group="Fate"),
    Field("greek", "text", (50, 600, 150, 24), "Name in other scripts", "Ωμέγα Юрий 🐉 日本"),
    Field("long", "text", (50, 560, 150, 24), "Long name", LONG),
    Field("seat", "choice", (50, 520, 150, 24), "Seat", "south", ("north", "south", "east, west")),
    Field("notes", "text", (50, 430, 150, 70), "Notes", NOTE, size=11, align="left", lines=True),
    Field("id", "text", (50, 400, 150, 12), "Sheet", "k3f9", size=8.5, fixed=True),
)


def form_sheet(out: Path, boxes: Sequence[Field]) -> Path:
    """Write a one-page PDF with these boxes."""
    document = Document("Boxes", "Boxes", load_stock(None).paper("a4"), CLASSIC)
    document.write("Boxes", 50, 800, look.TEXT, 14, tag=document.structure.add("H1"))
    for box in boxes:
        paragraph = document.structure.add("P")
        x, y, width, height = box.box
        document.canvas.rect(x, y, width, height)
        document.write(" ".join(box.tip.split()), x + width + 10, y + 5, look.TEXT, 10, tag=paragraph)
        document.add_field(box, tag=paragraph)
    document.end_page()
    return document.save(out, ("boxes",)).path
