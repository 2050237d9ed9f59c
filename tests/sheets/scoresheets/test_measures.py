"""Measures of all score sheets for 2 to 12 players on A4 and Letter: lines, names, words and boxes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pytest

from tests.counts import short
from tests.games.test_definition import sheet
from tests.sheets import lint
from vaultkit.games.registry import GAMES
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import PARTY, ScoreDesign, load_score_design, make_form
from vaultkit.sheets.scoresheets.painter import MAX_WHOLE_NAME_LENGTH
from vaultkit.sheets.scoresheets.score_sheet import print_scores

MIN_LINE_MM, MAX_NUMBER_WIDTH_MM = 6.5, 41.0
LONG_NAMES = [
    "Nettlethorn the Grey",
    "Maximiliana Wolfenbuettl",
    "Wwwwwwwwwwww Mmmmmmmmmmm",
    "Bartholomew-Constantinus",
    "Sefa of the Seven Pines",
    "Jo",
    "Ysolde",
    "Donaudampfschifffahrtsge",
    "Łukasz Żółć-Źdźbłowicz",
    "Ωμέγα Παπαδόπουλος",
    "Юрий Александрович",
    "Nguyễn Thị Phương Thảo",
]
SIX = [{"id": f"c{n}", "title": title} for n, title in enumerate(("Food", "Birds", "Eggs", "Cards", "Goals", "Tucked"))]
OWN = {
    "six-columns": {"rounds": {"name": "round", "most": 12}, "columns": SIX},
    "six-once": {"columns": SIX},
    "sixty-rounds": {"rounds": {"name": "deal", "most": 60}, "columns": SIX[:1]},
}
NAMES = [*GAMES, "blank", *ScoreSheets(None).defined, *OWN]
FAST = ("skat", "yahtzee", "dragon-citadel")


class Box(NamedTuple):
    """A box on a sheet, with its full name, its size in mm, and what it says."""

    field: str
    width: float
    height: float
    kind: str
    centred: bool
    value: str
    tip: str
    shown: str


def find_design(name: str) -> ScoreDesign:
    if name in OWN:
        return make_form(sheet({"title": "Own", "players": [2, 12], **OWN[name]}, name))
    return load_score_design(name, games=ScoreSheets(None))


def read_boxes(path: Path) -> Iterator[Box]:
    """Yield every box that can be filled in."""
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            for widget in page.get("/Annots", []):
                name, field = "", widget
                while field is not None:
                    name, field = f"{field.get('/T', '')}.{name}".strip("."), field.get("/Parent")
                left, bottom, right, top = map(float, widget.Rect)
                if not int(widget.get("/Ff", 0)) & 1:
                    kind = str(widget.get("/FT", "/Btn"))
                    shown = "" if kind == "/Btn" else shown_text(widget)
                    said = kind, widget.get("/Q") == 1, str(widget.get("/V", "")), str(widget.get("/TU", "")), shown
                    yield Box(name, (right - left) / MM, (top - bottom) / MM, *said)


def shown_text(widget: pikepdf.Dictionary) -> str:
    """Return what the appearance of a box shows, by the letters of its fonts."""
    text = []
    fonts = widget.AP.N.Resources.get("/Font", pikepdf.Dictionary())
    letters: dict[int, str] = {}
    for step in pikepdf.parse_content_stream(widget.AP.N):
        if str(step.operator) == "Tf":
            letters = lint.letters_of(fonts[str(step.operands[0])])
        elif str(step.operator) in ("Tj", "TJ"):
            parts = step.operands[0] if str(step.operator) == "TJ" else [step.operands[0]]
            text += [
                letters.get(code, "?") for part in parts if isinstance(part, pikepdf.String) for code in bytes(part)
            ]
    return "".join(text)


@pytest.mark.slow
@pytest.mark.parametrize("paper", short(["a4", "letter"]))
@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in FAST else pytest.mark.slow) for one in NAMES])
def test_every_sheet_has_writing_lines_and_whole_names(tmp_path: Path, name: str, paper: str) -> None:
    design = find_design(name)
    for layout in design.layouts:
        counts = range(2, 1 + min(12, design.seats)) if layout == PARTY else [1]
        for count in counts or [1]:
            out, players = tmp_path / f"{layout}-{count}.pdf", LONG_NAMES[:count]
            print_scores(name, PrintJob(paper, out), design=design, layout=layout, players=players)
            for box in (box for box in read_boxes(out) if box.kind != "/Btn"):
                where = f"{box.field} of {layout} for {count}: {box.width:.1f} x {box.height:.1f} mm"
                is_number = box.kind == "/Tx" and box.centred and not re.search("player|names|heads", box.field)
                assert box.height + 2 / MM > MIN_LINE_MM, where  # a field lies a point inside of its box
                least = 5.7 if box.kind == "/Ch" and name == "bowling" else 7.5  # one sign, and 21 of them side by side
                assert box.width > least and not (is_number and box.width > MAX_NUMBER_WIDTH_MM), where


@pytest.mark.slow
@pytest.mark.parametrize("paper", short(["a4", "letter"]))
@pytest.mark.parametrize("name", [pytest.param(one, marks=[] if one in FAST else pytest.mark.slow) for one in NAMES])
def test_names_of_24_letters_are_whole_for_every_number_of_players(tmp_path: Path, name: str, paper: str) -> None:
    design, out = find_design(name), tmp_path / "s.pdf"
    assert all(len(one) <= MAX_WHOLE_NAME_LENGTH for one in LONG_NAMES)
    for count in range(2, 1 + min(12, design.seats)) if PARTY in design.layouts else ():
        print_scores(name, PrintJob(paper, out), design=design, layout=PARTY, players=LONG_NAMES[:count])
        boxes = [box for box in read_boxes(out) if box.field.endswith("player")]
        assert len(boxes) == count
        for box in boxes:
            shown, wanted = (re.sub(r"[\s-]", "", words) for words in (box.shown, box.value))
            assert shown == wanted, f"{box.value} for {count} players"


def test_longer_names_are_shortened_and_whole_in_the_tooltip_of_the_box(tmp_path: Path) -> None:
    long = "Bartholomew the Extraordinarily Long-winded of Ostermark-upon-the-Nettlewater, the Second"
    print_scores("hearts", PrintJob("a4", tmp_path / "s.pdf"), layout=PARTY, players=[long, *"BCDEF"])
    box = next(box for box in read_boxes(tmp_path / "s.pdf") if box.field == "p1.player")
    assert box.shown.endswith("…") and long in box.tip and box.value == long
