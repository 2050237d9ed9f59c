"""ReportLab's private names, with the oldest and the newest supported release."""

from io import BytesIO
from typing import Any

import pytest
from reportlab.pdfbase.pdfmetrics import getFont

from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.text.flowables import Paragraph, Table
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import reportlab_private
from vaultkit.theme.model import TEXT, Theme


@pytest.fixture
def canvas() -> Any:
    from reportlab.pdfgen.canvas import Canvas

    return Canvas(BytesIO(), pagesize=(300, 400), pageCompression=0)


def test_the_document_of_a_canvas(canvas: Any) -> None:
    assert reportlab_private.pdf_document(canvas).Catalog


def test_operators_are_read_added_and_replaced(canvas: Any) -> None:
    canvas.rect(1, 2, 3, 4)
    drawn = list(reportlab_private.operators(canvas))
    assert any(line.startswith("n 1 2 3 4 re") for line in drawn)
    reportlab_private.operators(canvas).append("% added")
    reportlab_private.set_operators(canvas, ["% before", *reportlab_private.operators(canvas)])
    line = canvas.beginText(10, 10)
    line.textOut("words")
    assert reportlab_private.operators(line)[-1].endswith("Tj")
    canvas.showPage()
    pdf = canvas.getpdfdata()
    assert pdf.index(b"% before") < pdf.index(b"1 2 3 4 re") < pdf.index(b"% added")


def test_links_are_recorded_where_they_start_and_end(canvas: Any) -> None:
    recorded = list[tuple[tuple[int, str], str]]()

    class Recording(Paragraph):
        def drawPara(self, debug: int = 0) -> None:  # noqa: N802
            begin = self.canv.beginText

            def begin_recorded(*place: float, **more: Any) -> Any:
                text = begin(*place, **more)
                reportlab_private.record_links(text, lambda link, edge: recorded.append((link, edge)))
                return text

            self.canv.beginText = begin_recorded
            super().drawPara(debug)

    words = Recording('one <a href="https://example.org">two</a> three')
    words.wrapOn(canvas, 200, 100)
    words.drawOn(canvas, 0, 0)
    assert [edge for _, edge in recorded] == ["start", "end"] and recorded[0][0][1] == "https://example.org"


def test_text_being_drawn_is_available_in_a_callback(canvas: Any) -> None:
    seen = list[Any]()
    canvas.setNamedCB("seen", lambda canvas, _kind, _label: seen.append(reportlab_private.text_being_drawn(canvas)))
    words = Paragraph('one <onDraw name="seen" label="x"/> two')
    words.wrapOn(canvas, 200, 100)
    words.drawOn(canvas, 0, 0)
    assert len(seen) == 1 and reportlab_private.operators(seen[0])[0] == "BT"


def test_annotations_are_counted_and_the_page_has_a_size(canvas: Any) -> None:
    assert reportlab_private.page_size(canvas) == (300, 400)
    assert reportlab_private.annotation_count(canvas) == 0
    canvas.linkURL("https://example.org", (0, 0, 10, 10))
    assert reportlab_private.annotation_count(canvas) == 1
    canvas.showPage()
    assert reportlab_private.annotation_count(canvas) == 0


def test_a_link_of_a_tagged_document_reaches_the_hook_of_our_canvas(tmp_path: Any) -> None:
    document = Document("Title", "Subject", _a4(), Theme())
    tag = document.structure.add("P").add("Link", alt="A place")
    with document.canvas.tag_content(tag):
        document.canvas.linkURL("https://example.org", (0, 0, 10, 10))
    assert [type(child).__name__ for child in tag.children] == ["MarkedPiece", "Annotation"]


def test_rows_and_cells_of_a_table(canvas: Any) -> None:
    table = Table([["a", "b"], ["c", TaggedParagraph]], rowHeights=[10, 20])
    assert [*map(list, reportlab_private.cell_values(table))] == [["a", "b"], ["c", TaggedParagraph]]
    assert reportlab_private.cell_values(Paragraph("no table")) == ()
    rows = Table([["a"], ["b"]], rowHeights=[10, 20])
    rows.wrapOn(canvas, 100, 100)
    assert list(reportlab_private.row_heights(rows)) == [10, 20]


def test_state_canvas_and_subset_of_a_text_object(canvas: Any) -> None:
    text = canvas.beginText(10, 20)
    text.setFont(Theme().face(TEXT), 12, 15)
    text.setRise(3)
    assert reportlab_private.text_state(text) == (TEXT, 12, 15, 3)
    assert reportlab_private.canvas_of(text) is canvas
    assert [reportlab_private.select_subset(text, number) for number in (1, 1, 0)] == [True, False, True]


def test_subset_has_the_name_that_the_document_gives_it(canvas: Any) -> None:
    font = getFont(Theme().face(TEXT))
    canvas.setFont(font.fontName, 12)
    canvas.drawString(10, 10, "words")
    canvas.showPage()
    assert f"/BaseFont /{reportlab_private.subset_name(font, 0)} ".encode() in canvas.getpdfdata()


def test_words_of_a_paragraph_keep_their_pieces() -> None:
    words = Paragraph("one t<b>w</b>o three")
    assert not reportlab_private.are_words(words.frags)
    parts = reportlab_private.fragment_words(words.frags, 200)
    assert ["".join(text for _, text in part[1:]) for part in parts] == ["one", "two", "three"]
    assert all(part[0] > 0 for part in parts) and reportlab_private.are_words(parts)


def _a4() -> Any:
    from vaultkit.sheets.paper import load_stock

    return load_stock(None).paper("a4")
