"""P7: ambiguous sheets are refused, each with the reason and what to do."""

from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pikepdf
import pypdf
import pytest
from pikepdf import Array, Dictionary, Encryption, Name, String

from tests.sheets.conftest import print_text
from tests.sheets.scoresheets.filling import FILLERS, by_pikepdf, change_sheet, pdf_bytes
from vaultkit.campaign.scoresheets.sheet_merge import FilledSheet
from vaultkit.errors import ExitCode, InvalidError, NothingFound
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("sheet") / "sheet.pdf"
    made = print_scores("dragon-citadel", PrintJob("a4", out), layout="one").path.read_bytes()
    return by_pikepdf(made, {"player": "Bram", "score": "5"})


def refuse_file(path: Path) -> InvalidError:
    with pytest.raises(InvalidError) as caught:
        read_filled_sheet(path)
    assert caught.value.exit_code == ExitCode.INVALID
    assert caught.value.where == str(path)
    return caught.value


@pytest.fixture
def refusal(tmp_path: Path) -> Any:
    def refuse_bytes(data: bytes) -> InvalidError:
        path = tmp_path / "damaged.pdf"
        path.write_bytes(data)
        return refuse_file(path)

    return refuse_bytes


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"swords 17", b"%PD"])
def test_file_that_is_not_a_pdf_is_refused(refusal, data):
    error = refusal(data)
    assert error.message == "This is not a PDF."
    assert "by hand" in error.hint


def test_missing_file_and_folder_are_refused(tmp_path):
    with pytest.raises(NothingFound, match="no such file"):
        read_filled_sheet(tmp_path / "gone.pdf")
    assert "cannot be read" in refuse_file(tmp_path).message


@pytest.mark.slow
def test_damaged_pdf_is_refused(refusal, sheet):
    for share in (0.01, 0.3, 0.9, 0.99):
        error = refusal(sheet[: int(len(sheet) * share)])
        assert error.message.startswith("This PDF is damaged")
        assert error.hint


@pytest.mark.slow
def test_truncated_update_does_not_restore_earlier_values(refusal, sheet):
    updated = FILLERS["Firefox"](sheet, {"score": "6"})
    for cut in (3, 40, 200):
        assert refusal(updated[:-cut]).message == "This PDF is damaged."


@pytest.mark.slow
def test_corrupted_bytes_lead_to_an_answer_or_a_refusal(tmp_path, sheet):
    rng, path = Random(7), tmp_path / "damaged.pdf"
    for _ in range(60):
        data = bytearray(sheet)
        for _ in range(rng.choice((1, 20, 400))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            assert isinstance(read_filled_sheet(path), FilledSheet)
        except InvalidError as error:
            assert error.message


@pytest.mark.slow
def test_pdf_with_a_password_is_refused(refusal, sheet):
    with pikepdf.open(BytesIO(sheet)) as pdf:
        error = refusal(pdf_bytes(pdf, encryption=Encryption(owner="o", user="secret")))
    assert "password" in error.message
    assert error.hint


def test_a_pdf_that_opens_without_its_password_is_read(tmp_path, sheet):
    path = tmp_path / "damaged.pdf"
    with pikepdf.open(BytesIO(sheet)) as pdf:
        path.write_bytes(pdf_bytes(pdf, encryption=Encryption(owner="o", user="")))
    assert read_filled_sheet(path).seats[0].said["score"].text == "5"


@pytest.mark.filterwarnings("ignore")
def test_flattened_sheet_is_refused(refusal, sheet):
    def flatten(pdf, fields):
        pdf.flatten_annotations("all")
        del pdf.Root.AcroForm

    error = refusal(change_sheet(sheet, flatten))
    assert "it was flattened" in error.message
    assert "Print the sheet again" in error.hint


def test_our_sheet_that_is_not_a_score_sheet_is_refused(refusal, tmp_path):
    out = tmp_path / "rules.pdf"
    print_text("# A rule", title="A rule", source_path="A.md", out=out)
    assert "not a score sheet" in refusal(out.read_bytes()).message


@pytest.mark.slow
def test_partly_flattened_sheet_is_refused(refusal, sheet):
    def flatten(pdf, fields):
        fields["swords.total"].Parent.Kids = Array(
            [kid for kid in fields["swords.total"].Parent.Kids if str(kid.T) != "total"]
        )
        page = pdf.pages[0]
        page.Annots = Array([one for one in page.Annots if str(one.get("/T")) != "total"])

    error = refusal(change_sheet(sheet, flatten))
    assert "has gone" in error.message
    assert "Swords" in error.message


def test_foreign_form_is_refused(refusal):
    writer, made = pypdf.PdfWriter(), BytesIO()
    writer.add_blank_page(100, 100)
    writer.write(made)
    assert "not a score sheet" in refusal(made.getvalue()).message

    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        field = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("Name"), V=String("Bram")))
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]))
        assert "not a score sheet" in refusal(pdf_bytes(pdf)).message


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("vaultkit.fields", "99", "boxes of version '99'"),
        ("vaultkit.game", "mancala", "of which there is no design"),
        ("vaultkit.game", "", "not a score sheet"),
        ("vaultkit.game", "../../secret", "of which there is no design"),
    ],
)
def test_sheet_of_another_version_or_game_is_refused(refusal, sheet, field, value, said):
    def change(pdf, fields):
        fields[field].V = String(value)

    error = refusal(change_sheet(sheet, change))
    assert said in error.message
    assert error.hint


def test_sheet_of_another_design_is_refused(refusal, sheet):
    def rename(pdf, fields):
        fields["swords.total"].T = String("sum")

    assert "today's has no box 'swords.sum'" in refusal(change_sheet(sheet, rename)).message


def test_circular_fields_are_read_once(tmp_path, sheet):
    def tie(pdf, fields):
        above = fields["swords.total"].Parent
        above.Kids.append(above)

    path = tmp_path / "damaged.pdf"
    path.write_bytes(change_sheet(sheet, tie))
    (bram,) = read_filled_sheet(path).seats
    assert (bram.name, bram.said["score"].text) == ("Bram", "5")


def test_two_boxes_with_one_name_and_different_values_are_refused(refusal, sheet):
    def double(pdf, fields):
        field = pdf.make_indirect(Dictionary(fields["score"]))
        field.V = String("6")
        pdf.Root.AcroForm.Fields.append(field)
        pdf.pages[0].Annots.append(field)

    assert "twice" in refusal(change_sheet(sheet, double)).message
