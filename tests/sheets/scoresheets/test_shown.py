"""Filled sheets with covered boxes: only what the pages show counts, and covered boxes are reported."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from pypdf.annotations import FreeText, Highlight, Line, Rectangle
from pypdf.generic import ArrayObject, FloatObject
from reportlab.pdfgen.canvas import Canvas

from tests.sheets.scoresheets.filling import by_pikepdf, by_pypdf, change_sheet, fields_by_name, pdf_bytes
from tests.wording import Says
from vaultkit.campaign.scoresheets.sheet_merge import CoveredBox, FilledSheet
from vaultkit.errors import InvalidError
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import print_scores

GAMES = ("dragon-citadel", "prophets-gambit", "deck-of-destiny", "propheta", "turn-of-fate")
GAMES_BY_DEFINITION = ("blank", "hearts", "chess", "skat", "yahtzee", "darts-501", "who-won")
Rect = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def for_three(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a filled Hearts sheet with a page for each of three players."""
    out = tmp_path_factory.mktemp("three") / "sheet.pdf"
    job = PrintJob("a4", out)
    made = print_scores("hearts", job, layout="one", players=["Ysolde", "Bram", "Sefa"]).path.read_bytes()
    return by_pikepdf(made, {"p1.deal.1.points": "8", "p2.deal.1.points": "18", "p3.deal.1.points": "0"})


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("party") / "sheet.pdf"
    made = print_scores("hearts", PrintJob("a4", out), layout="party", players=["Ysolde", "Bram"]).path.read_bytes()
    return by_pypdf(made, {"p1.deal.1.points": "8", "p2.deal.1.points": "18"})


@pytest.fixture(scope="module")
def uncovered_sheet(party: bytes, tmp_path_factory: pytest.TempPathFactory) -> FilledSheet:
    """Return the party's sheet before anything covers it."""
    path = tmp_path_factory.mktemp("before") / "filled.pdf"
    path.write_bytes(party)
    return read_filled_sheet(path)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., FilledSheet]:
    def reader(data: bytes, **settled: str) -> FilledSheet:
        path = tmp_path / "foreign.pdf"
        path.write_bytes(data)
        return read_filled_sheet(path, settled={name.replace("_", "."): words for name, words in settled.items()})

    return reader


def names(sheet: FilledSheet) -> list[str]:
    return [seat.name for seat in sheet.seats if seat.said]


def answers(sheet: FilledSheet) -> list[tuple[str, dict[str, str]]]:
    """Return each player's name and the texts of the boxes."""
    return [(seat.name, {key: words.text for key, words in seat.said.items()}) for seat in sheet.seats]


def box_of(data: bytes, name: str) -> Rect:
    with pikepdf.open(BytesIO(data)) as pdf:
        left, bottom, right, top = map(float, fields_by_name(pdf)[name].Rect)
    return left, bottom, right, top


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        "hearts",
        *(pytest.param(one, marks=pytest.mark.slow) for one in (*GAMES, *GAMES_BY_DEFINITION) if one != "hearts"),
    ],
)
def test_unchanged_sheet_has_no_covered_box(tmp_path: Path, game: str) -> None:
    for layout in load_score_design(game, None).layouts:
        path = print_scores(game, PrintJob("a4", tmp_path / "a.pdf"), layout=layout, players=["Ysolde", "Bram"]).path
        assert read_filled_sheet(path).covered == ()


@pytest.mark.slow
@pytest.mark.parametrize("page", [0, *(pytest.param(page, marks=pytest.mark.slow) for page in (1, 2))])
def test_scores_of_a_deleted_page_do_not_count(for_three: bytes, read: Any, page: int) -> None:
    with pikepdf.open(BytesIO(for_three)) as pdf:
        del pdf.pages[page]
        by_pikepdf_gone = pdf_bytes(pdf)
    left = [name for number, name in enumerate(("Ysolde", "Bram", "Sefa")) if number != page]
    assert names(read(by_pikepdf_gone)) == left
    writer = pypdf.PdfWriter(clone_from=BytesIO(for_three))
    writer.remove_page(page)
    made = BytesIO()
    writer.write(made)
    assert names(read(made.getvalue())) == left


@pytest.mark.slow
def test_pages_in_another_order_or_turned_are_the_same_sheet(for_three: bytes, read: Any) -> None:
    with pikepdf.open(BytesIO(for_three)) as pdf:
        pdf.pages.reverse()
        pdf.pages[0].rotate(90, relative=True)
        assert sorted(names(read(pdf_bytes(pdf)))) == ["Bram", "Sefa", "Ysolde"]


def hide(pdf: pikepdf.Pdf, fields: dict[str, Any]) -> None:
    fields["p2.deal.1.points"].F = 2


def view_nowhere(pdf: pikepdf.Pdf, fields: dict[str, Any]) -> None:
    fields["p2.deal.1.points"].F = 32


def put_on_a_hidden_layer(pdf: pikepdf.Pdf, fields: dict[str, Any]) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Answers")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    fields["p2.deal.1.points"].OC = layer


def cut_away(pdf: pikepdf.Pdf, fields: dict[str, Any]) -> None:
    left, _, right, _ = map(float, fields["p2.deal.1.points"].Rect)
    pdf.pages[0].cropbox = Array([right + 1, 0, 595, 842]) if left < 300 else Array([0, 0, left - 1, 842])


@pytest.mark.short(1)
@pytest.mark.parametrize("change", [hide, view_nowhere, put_on_a_hidden_layer, cut_away])
def test_box_missing_from_all_pages_is_reported(party: bytes, read: Any, change: Any) -> None:
    with pytest.raises(InvalidError, match="has gone from this score sheet: its page was deleted"):
        read(change_sheet(party, change))


@pytest.mark.slow
def test_two_copies_of_a_sheet_in_one_file_are_read_like_two_files(for_three: bytes, read: Any) -> None:
    writer = pypdf.PdfWriter()
    for fields in ({"p1.deal.2.points": "26"}, {}):
        writer.append(BytesIO(by_pikepdf(for_three, fields)))
    made = BytesIO()
    writer.write(made)
    said = [(seat.name, seat.said) for seat in read(made.getvalue()).seats]
    assert [name for name, _ in said] == ["Ysolde", "Bram", "Sefa"] * 2
    assert "26" in [words.text for words in said[0][1].values()]
    assert "26" not in [words.text for words in said[3][1].values()]


def annotate(data: bytes, annotation: Any, page: int = 0) -> bytes:
    """Return the sheet with an annotation added by pypdf."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(data))
    writer.add_annotation(page, annotation)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def by_pikepdf_annotation(data: bytes, kind: str, page: int = 0, **keys: Any) -> bytes:
    with pikepdf.open(BytesIO(data)) as pdf:
        made = Dictionary(Type=Name.Annot, Subtype=Name(f"/{kind}"), F=4, **keys)
        pdf.pages[page].Annots.append(pdf.make_indirect(made))
        return pdf_bytes(pdf)


def middle(box: Rect) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def ink(data: bytes, box: Rect) -> bytes:
    x, y = middle(box)
    return by_pikepdf_annotation(
        data, "Ink", Rect=Array([0, 0, 595, 842]), InkList=Array([Array([x, y, x + 3, y + 4])])
    )


def stamp(data: bytes, box: Rect) -> bytes:
    return by_pikepdf_annotation(data, "Stamp", Rect=Array(box))


def type_over(data: bytes, box: Rect) -> bytes:
    return annotate(data, FreeText(text="9", rect=box))


def strike_out(data: bytes, box: Rect) -> bytes:
    return annotate(data, Line(rect=box, p1=box[:2], p2=box[2:], text=""))


def white_out(data: bytes, box: Rect) -> bytes:
    return annotate(data, Rectangle(rect=box, interior_color="ffffff"))


def highlight(data: bytes, box: Rect) -> bytes:
    x, y, right, top = map(FloatObject, box)
    return annotate(data, Highlight(rect=box, quad_points=ArrayObject([x, top, right, top, x, y, right, y])))


def overlay(draw: Callable[[Canvas, Rect], object]) -> Callable[[bytes, Rect], bytes]:
    """Return a function that draws into the page and keeps the fields, as flattening programs and tablets do."""

    def by_pypdf_merge(data: bytes, box: Rect) -> bytes:
        buffer = BytesIO()
        canvas = Canvas(buffer, pagesize=(595, 842))
        draw(canvas, box)
        canvas.save()
        writer = pypdf.PdfWriter(clone_from=BytesIO(data))
        writer.pages[0].merge_page(pypdf.PdfReader(buffer).pages[0])
        made = BytesIO()
        writer.write(made)
        return made.getvalue()

    return by_pypdf_merge


def form_overlay(data: bytes, box: Rect) -> bytes:
    """Add a flattened stamp: a form XObject moved to the box."""
    with pikepdf.open(BytesIO(data)) as pdf:
        stamped = pikepdf.new()
        stamped.add_blank_page(page_size=(100, 100))
        stamped.pages[0].contents_add(b"0 0 m 100 100 l S")
        pdf.pages[0].add_overlay(stamped.pages[0], pikepdf.Rectangle(*box))
        return pdf_bytes(pdf)


def added_stream(data: bytes, box: Rect) -> bytes:
    """Add a curve in a new content stream, marked as an artifact."""
    x, y = middle(box)
    with pikepdf.open(BytesIO(data)) as pdf:
        code = f"/Artifact BMC q 1 0 0 1 {x} {y} cm 0 0 m 1 1 2 1 3 0 c S Q EMC"
        pdf.pages[0].contents_add(code.encode())
        return pdf_bytes(pdf)


COVERS: dict[str, tuple[Callable[[bytes, Rect], bytes], str]] = {
    "ink": (ink, "ink"),
    "stamp": (stamp, "a stamp"),
    "text": (type_over, "text"),
    "line": (strike_out, "a line"),
    "rectangle": (white_out, "a shape"),
    "highlight": (highlight, "a highlight or a line"),
    "flattened text": (overlay(lambda canvas, box: canvas.drawString(*middle(box), "7")), "text"),
    "flattened ink": (overlay(lambda canvas, box: canvas.line(*box)), "a drawing"),
    "flattened form": (form_overlay, "a drawing"),
    "white area": (overlay(lambda canvas, box: canvas.rect(*box[:2], 90, 20, stroke=0, fill=1)), "a drawing"),
    "added stream": (added_stream, "a drawing"),
}


BOXES = [("p2.deal.1.points", "18"), ("p1.deal.3.points", "")]
COVERED = [
    pytest.param(
        *COVERS[name], *box, id=f"{name} {box[1]}", marks=pytest.mark.slow if not box[1] and name != "ink" else []
    )
    for name in COVERS
    for box in BOXES
]


@pytest.mark.short(1)
@pytest.mark.parametrize(("cover", "said", "name", "text"), COVERED)
def test_covered_box_is_reported(
    party: bytes, uncovered_sheet: FilledSheet, read: Any, *, cover: Any, said: str, name: str, text: str
) -> None:
    assert uncovered_sheet.covered == ()
    sheet = read(cover(party, box_of(party, name)))
    (found,) = [one for one in sheet.covered if one.field == name]
    assert (found.page, found.cover, found.text) == (1, said, text)
    assert found.label.startswith("Bram: Deal 1" if text else "Ysolde: Deal 3")
    assert len(sheet.covered) < 6, "neighbours hardly count"
    assert answers(sheet) == answers(uncovered_sheet)


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "kind", ["Ink", "Stamp", "FreeText", "Highlight", "Square"], ids=lambda kind: f"{kind} beside the boxes"
)
def test_annotation_that_covers_no_box_is_ignored(party: bytes, read: Any, kind: str) -> None:
    at = Array([5, 830, 60, 840])
    assert read(by_pikepdf_annotation(party, kind, Rect=at)).covered == ()


@pytest.mark.slow
def test_links_hidden_notes_and_a_background_cover_nothing(party: bytes, read: Any) -> None:
    box = Array(box_of(party, "p2.deal.1.points"))
    assert read(by_pikepdf_annotation(party, "Link", Rect=box)).covered == ()
    with pikepdf.open(BytesIO(party)) as pdf:
        pdf.pages[0].contents_add(b"q 1 1 1 rg 0 0 595 842 re f Q", prepend=True)
        assert read(pdf_bytes(pdf)).covered == ()
    with pikepdf.open(BytesIO(ink(party, box_of(party, "p2.deal.1.points")))) as pdf:
        pdf.pages[0].Annots[-1].F = 2
        assert read(pdf_bytes(pdf)).covered == ()


def test_a_field_that_is_empty_and_shows_old_words_is_reported(party: bytes, read: Any) -> None:
    with pikepdf.open(BytesIO(party)) as pdf:
        fields_by_name(pdf)["p2.deal.1.points"].V = String("")
        (found,) = read(pdf_bytes(pdf)).covered
    assert found.sentence == Says("page 1", "old text covers", "field is empty")


@pytest.mark.slow
def test_value_visible_on_the_page_counts(party: bytes, read: Any) -> None:
    over = ink(party, box_of(party, "p2.deal.1.points"))
    sheet = read(over, p2_deal_1_points="7")
    assert sheet.covered == ()
    assert [seat.said["deal.1.points"].text for seat in sheet.seats] == ["8", "7"]
    assert names(read(over, p2_deal_1_points="")) == ["Ysolde"]


@pytest.mark.slow
def test_tick_covered_by_ink_is_asked_about(tmp_path: Path, read: Any) -> None:
    job = PrintJob("a4", tmp_path / "sheet.pdf")
    blank = print_scores("who-won", job, layout="party", players=["Ysolde", "Bram"]).path.read_bytes()
    name = next(name for name in box_names(blank) if name.startswith("p2."))
    with pikepdf.open(BytesIO(blank)) as pdf:
        field = fields_by_name(pdf)[name]
        rect = tuple(map(float, (field.Kids[0] if "/Kids" in field else field).Rect))
    sheet = read(ink(blank, rect))
    assert [(one.cover, one.text) for one in sheet.covered] == [("ink", "no")]
    path = tmp_path / "foreign.pdf"
    settled = read_filled_sheet(path, settled={sheet.covered[0].field: "yes"})
    assert [seat.name for seat in settled.seats if any(words.text == "yes" for words in seat.said.values())] == ["Bram"]


def box_names(data: bytes) -> list[str]:
    with pikepdf.open(BytesIO(data)) as pdf:
        return [name for name in fields_by_name(pdf) if not name.endswith(".player")]


@pytest.mark.slow
def test_invalid_drawing_operators_are_skipped(party: bytes, read: Any) -> None:
    with pikepdf.open(BytesIO(party)) as pdf:
        pdf.pages[0].contents_add(b"Q Q (x) cm /Nothing Do 1 Tf Tj EMC 5 re f [1 2] 0 d BT (x) Td ET")
        assert read(pdf_bytes(pdf)).covered == ()


def test_covered_box_is_described_in_a_sentence() -> None:
    box = CoveredBox("p1.score", "Bram: Score", 2, "ink", "8")
    assert box.sentence == Says("Bram", "Score", "page 2", "ink covers", "8")
