"""P7: the fields of a printed sheet, which people can fill in, with appearances fit for archives."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import pikepdf
import pypdf
import pypdfium2
import pytest
from pikepdf import Name

from tests.sheets.pdf.form_sheets import BOXES, form_sheet
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.forms import FIELD_FACE, Field, _wrap
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import CLASSIC


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    return form_sheet(tmp_path_factory.mktemp("form") / "sheet.pdf", BOXES)


@pytest.fixture(scope="module")
def pdf(sheet):
    with pikepdf.open(sheet) as opened:
        yield opened


def values(path: Path) -> dict[str, object]:
    return {name: field.get("/V") for name, field in (pypdf.PdfReader(path).get_fields() or {}).items()}


@pytest.mark.slow
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
        assert "/BS" not in widget
        assert "/AA" not in widget
        assert "." not in str(widget.get("/T", ""))
        assert [float(n) for n in widget.Rect][:2] == pytest.approx(field.box[:2], abs=0.001)


def test_p7_appearances_are_complete_without_the_viewer(pdf):
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


def test_p7_input_font_is_embedded_whole_and_has_the_letters_of_names(pdf):
    fonts = {str(font.BaseFont): font for _, font in pdf.Root.AcroForm.DR.Font.items()}
    assert fonts.pop("/ZapfDingbats").Subtype == Name.Type1, "the signs with which viewers tick"
    (font,) = fonts.values()
    (inner,) = font.DescendantFonts
    assert (font.Subtype, str(font.Encoding)) == (Name.Type0, "/Identity-H")
    assert inner.FontDescriptor.FontFile2.read_bytes()[:4] == b"\0\1\0\0"
    letters = dict(re.findall(r"<(\w{4})> <(\w{4})>", font.ToUnicode.read_bytes().decode()))
    glyphs = {chr(int(code, 16)): int(glyph, 16) for glyph, code in letters.items()}
    widths = dict(zip([*inner.W][::2], [*inner.W][1::2], strict=True))
    assert inner.CIDToGIDMap == Name.Identity
    for letter in "0123456789ŁłÓóŹźŻżĄąĚěŘřŮůŐőŰűÄßñçΩμέγαЮрийжẾễạđ":
        assert int(widths[glyphs[letter]][0]) > 200


def test_p7_checkbox_states_its_sign_and_every_letter_has_its_size(pdf):
    for widget in (widget for page in pdf.pages for widget in page.Annots):
        kind = widget.get("/FT", widget.get("/Parent", {}).get("/FT"))
        assert " 0 Tf" in str(widget.DA)
        assert ("/MK" in widget) == (kind == Name.Btn)
        if kind == Name.Btn:
            assert str(widget.MK.CA) == ("l" if "/T" not in widget else "8") and "/ZaDb " in str(widget.DA)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler")
def test_p7_poppler_draws_the_text_typed_into_a_name(tmp_path):
    names = ("", "Łódź", "Lodz", "Ωμέγα", "Юрий", "Nguyễn Thị", "Nguyen Thi")
    pictures = [_drawn_by_poppler(tmp_path, name) for name in names]
    assert len({*pictures}) == len(names)


@pytest.mark.short(1)
@pytest.mark.parametrize("name", ["Łódź", "Ωμέγα", "Юрий", "Nguyễn Thị"])
def test_p7_pypdf_fills_in_text_with_the_font_of_the_box(sheet, name):
    writer = pypdf.PdfWriter(clone_from=sheet)
    writer.update_page_form_field_values(writer.pages[0], {"player": name}, auto_regenerate=False)
    writer.write(filled := io.BytesIO())
    with pikepdf.open(filled) as opened:
        (field,) = [field for field in opened.Root.AcroForm.Fields if field.get("/T") == "player"]
        (font,) = [font for _, font in field.AP.N.Resources.Font.items()]
        letters = dict(re.findall(r"<(\w{4})> <(\w{4})>", font.ToUnicode.read_bytes().decode()))
        steps = pikepdf.parse_content_stream(field.AP.N)
        codes = b"".join(bytes(step.operands[0]) for step in steps if str(step.operator) == "Tj").hex().upper()
    typed = [codes[at : at + 4] for at in range(0, len(codes), 4)]
    assert "".join(chr(int(letters[code], 16)) for code in typed) == name


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


def test_p7_each_field_is_under_a_form_tag(pdf):
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


def test_p4_long_value_is_shrunk_and_shortened_but_stored_whole(sheet, pdf):
    long = next(field for field in BOXES if field.name == "long")
    assert values(sheet)["long"] == long.value
    widget = next(widget for widget in pdf.pages[0].Annots if widget.get("/T") == "long")
    smallest = min(
        float(step.operands[1]) for step in pikepdf.parse_content_stream(widget.AP.N) if str(step.operator) == "Tf"
    )
    assert smallest == 10


def test_p8_same_fields_give_the_same_bytes(sheet, tmp_path):
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


@pytest.mark.parametrize("value", ["a(b)\\c", "((", "\\", "a\nb\tc", "x\r\ny", "þÿ", "ÿþab", "ï»¿", "łΩ🐉"])
def test_p7_values_with_signs_of_pdf_are_read_back(value, tmp_path):
    out = form_sheet(tmp_path / "a.pdf", [Field("name", "text", (50, 700, 150, 24), value, value, lines=True)])
    with pikepdf.open(out) as pdf:
        (widget,) = pdf.pages[0].Annots
        assert str(widget.V) == str(widget.TU) == value


def test_a_document_without_fields_has_no_form(tmp_path):
    with pikepdf.open(form_sheet(tmp_path / "sheet.pdf", [])) as made:
        assert "/AcroForm" not in made.Root


@pytest.mark.parametrize(
    ("words", "width", "lines"),
    [
        ("Christina-Maria", 60, ["Christina-", "Maria"]), ("Anna-Lena-Sophie Au", 70, ["Anna-Lena-", "Sophie Au"]),
        ("Ann B-C", 90, ["Ann B-C"]), ("Donaudampf-Schifffahrt", 50, ["Donauda-", "mpf-", "Schifffa-", "hrt"]),
        ("--", 60, ["--"]),
    ],
)  # fmt: skip
def test_words_are_divided_behind_hyphens_of_their_own(words: str, width: float, lines: list[str]) -> None:
    glyphs = Glyphs(CLASSIC)
    wrapped_lines = _wrap(words, FIELD_FACE, 12, width, glyphs)
    assert [line.split() for line in wrapped_lines] == [line.split() for line in lines]
