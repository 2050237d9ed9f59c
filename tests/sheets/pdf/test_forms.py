"""P7: the fields of a printed sheet, which people can fill in, with appearances fit for archives."""

import io
import shutil
import subprocess
from pathlib import Path

import pikepdf
import pypdf
import pypdfium2
import pytest
from fontTools.agl import toUnicode
from pikepdf import Name

from tests.sheets.pdf.form_sheets import BOXES, form_sheet
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.forms import Field


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    return form_sheet(tmp_path_factory.mktemp("form") / "sheet.pdf", BOXES)


@pytest.fixture(scope="module")
def pdf(sheet):
    with pikepdf.open(sheet) as opened:
        yield opened


def values(path: Path) -> dict[str, object]:
    return {name: field.get("/V") for name, field in (pypdf.PdfReader(path).get_fields() or {}).items()}


def test_p7_another_reader_finds_every_value_under_its_name(sheet):
    found = values(sheet)
    assert found["player"] == "Łukasz Żółć"
    assert found["p1.swords.total"] == "17"
    assert found["p1.swords.rolls"] == ""
    assert found["p1.mode.coop"] == "/Yes"
    assert found["p1.mode.competitive"] == "/Off"
    assert found["p1.fate"] == "/no"
    assert found["greek"] == "Ωμέγα Юрий 🐉 日本"
    assert found["seat"] == "south"


def test_p7_every_field_is_printed_named_and_borderless(pdf):
    widgets = [widget for page in pdf.pages for widget in page.Annots]
    assert len(widgets) == len(BOXES)
    for widget, field in zip(widgets, BOXES, strict=True):
        assert widget.F == 4
        assert str(widget.TU) == field.tip
        assert "/MK" not in widget
        assert "/BS" not in widget
        assert "/AA" not in widget
        assert "." not in str(widget.get("/T", ""))
        assert [float(n) for n in widget.Rect][:2] == pytest.approx(field.box[:2], abs=0.001)


def test_p7_nothing_is_left_to_the_viewer_to_draw(pdf):
    assert "/NeedAppearances" not in pdf.Root.AcroForm
    assert "/XFA" not in pdf.Root.AcroForm
    for page in pdf.pages:
        for widget in page.Annots:
            looks = (
                [look for _, look in widget.AP.N.items()]
                if not isinstance(widget.AP.N, pikepdf.Stream)
                else [widget.AP.N]
            )
            assert all(look.Subtype == Name.Form for look in looks)


def test_p7_the_face_to_type_in_is_embedded_whole(pdf):
    fonts = [font for _, font in pdf.Root.AcroForm.DR.Font.items()]
    assert len(fonts) == 1
    assert fonts[0].Encoding.BaseEncoding == Name.WinAnsiEncoding
    assert len(fonts[0].Widths) == fonts[0].LastChar - fonts[0].FirstChar + 1
    assert fonts[0].FontDescriptor.FontFile2.read_bytes()[:4] == b"\0\1\0\0"
    digits = {int(fonts[0].Widths[ord(digit) - fonts[0].FirstChar]) for digit in "0123456789"}
    assert min(digits) > 300


def test_p7_names_of_central_europe_can_be_typed(pdf):
    (font,) = [font for _, font in pdf.Root.AcroForm.DR.Font.items()]
    items = [*font.Encoding.Differences]
    letters = {toUnicode(str(name)[1:]) for name in items[1::2]}
    assert {*"ŁłÓóŹźŻżĄąĚěŘřŮůŐőŰű"} <= letters | {*bytes(range(160, 256)).decode("cp1252")}
    assert len({int(code) for code in items[::2]}) == len(letters) == 34


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler")
def test_p7_poppler_draws_what_was_typed_in_a_name(tmp_path):
    pictures = [_drawn_by_poppler(tmp_path, name) for name in ("", "Łódź", "Lodz")]
    assert len({*pictures}) == 3


def _drawn_by_poppler(folder: Path, name: str) -> bytes:
    """Return the first page as poppler draws it after a program has entered a name without an appearance.

    Fail if poppler reports a missing letter.
    """
    with pikepdf.open(form_sheet(folder / "empty.pdf", BOXES)) as opened:
        (field,) = [field for field in opened.Root.AcroForm.Fields if field.get("/T") == "player"]
        field.V = pikepdf.String(name)
        del field.AP
        opened.Root.AcroForm.NeedAppearances = True
        opened.save(typed := io.BytesIO())
    command = ["pdftoppm", "-r", "72", "-f", "1", "-l", "1", "-"]
    done = subprocess.run(command, input=typed.getvalue(), capture_output=True, check=True)
    assert not [letter for letter in name if f"U+{ord(letter):04X}" in done.stderr.decode()]
    return done.stdout


def test_p7_each_field_stands_under_a_form_tag(pdf):
    objects = {kid.Obj.objgen for kid in forms_of(pdf.Root.StructTreeRoot.K)}
    assert objects == {widget.objgen for page in pdf.pages for widget in page.Annots}


def forms_of(node) -> list:
    if isinstance(node, pikepdf.Array):
        return [kid for part in node for kid in forms_of(part)]
    if not isinstance(node, pikepdf.Dictionary):
        return []
    if node.get("/S") == Name.Form:
        kids = node.K if isinstance(node.K, pikepdf.Array) else [node.K]
        return [kid for kid in kids if isinstance(kid, pikepdf.Dictionary) and "/Obj" in kid]
    return forms_of(node.get("/K"))


def test_p7_a_value_is_seen_in_its_box(sheet):
    document = pypdfium2.PdfDocument(sheet)
    document.init_forms()
    picture = document[0].render(scale=1).to_pil().convert("L")
    dark = {}
    for field in BOXES:
        x, y, width, height = field.box
        top = picture.height - y - height
        inside = picture.crop((round(x) + 3, round(top) + 3, round(x + width) - 3, round(top + height) - 3))
        dark[field.tip] = inside.getextrema()[0] < 128
    assert dark == {field.tip: bool(field.value) for field in BOXES}


def test_p4_a_long_value_gets_smaller_letters_and_an_ellipsis_but_stays_whole(sheet, pdf):
    long = next(field for field in BOXES if field.name == "long")
    assert values(sheet)["long"] == long.value
    widget = next(widget for widget in pdf.pages[0].Annots if widget.get("/T") == "long")
    assert " 10 Tf" in str(widget.DA)


def test_p8_the_same_fields_make_the_same_bytes(sheet, tmp_path):
    assert form_sheet(tmp_path / "again.pdf", BOXES).read_bytes() == sheet.read_bytes()


@pytest.mark.parametrize("names", [("a", "a"), ("a", "a.b"), ("a.b", "a"), ("a.b", "a.b")])
def test_p7_two_boxes_of_one_name_are_an_error_and_nothing_is_written(names, tmp_path):
    fields = [Field(name, "text", (50, 100 + 50 * n, 90, 20), name) for n, name in enumerate(names)]
    with pytest.raises(InvalidError, match=f"two boxes named '{names[1]}'"):
        form_sheet(tmp_path / "sheet.pdf", fields)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "a.", ".a", "a..b"])
def test_p7_a_box_without_a_name_is_an_error(name, tmp_path):
    with pytest.raises(InvalidError, match="A box of the sheet is named"):
        form_sheet(tmp_path / "sheet.pdf", [Field(name, "text", (50, 100, 90, 20), "tip")])


def test_a_document_without_fields_has_no_form(tmp_path):
    with pikepdf.open(form_sheet(tmp_path / "sheet.pdf", [])) as made:
        assert "/AcroForm" not in made.Root
