"""P6 and P8: the metadata of a file, and whether it is unchanged since we wrote it."""

from pathlib import Path

import pikepdf
import pytest
from pypdf import PdfReader, PdfWriter

from tests.sheets.lint import problems
from vaultkit.errors import WriteError
from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.output_file import is_our_file, write_file
from vaultkit.theme.model import TEXT, Theme


def make(out: Path, *, tagged: bool = True, title: str = "A <Title> & more – ⚔", text: str = "Words.") -> Path:
    document = Document(title, "About it", load_stock().paper("a4"), Theme(), tagged=tagged, language="de")
    document.write("head line", 50, 800, TEXT, 9)
    document.write(text, 50, 700, TEXT, 12, tag=document.structure.add("H1"))
    document.canvas.line(50, 690, 200, 690)
    with document.canvas.tag_content(document.structure.add("P").add("Link", alt="A place")):
        document.canvas.drawString(50, 650, "here")
        document.canvas.linkURL("https://x.org", (50, 650, 90, 662))
    document.end_page()
    document.save(out, ("x",))
    return out


@pytest.fixture(scope="module")
def made_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("finish") / "a.pdf")


def test_p6_page_is_completely_tagged(made_file: Path) -> None:
    assert problems(made_file) == []


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("plain") / "a.pdf", tagged=False)


@pytest.mark.parametrize("kind", ["made_file", "plain"])
def test_p6_title_and_producer_are_the_same_in_both_places(kind: str, request: pytest.FixtureRequest) -> None:
    with pikepdf.open(request.getfixturevalue(kind)) as pdf, pdf.open_metadata() as xmp:
        assert pdf.pdf_version == "1.7"
        assert xmp["dc:title"] == str(pdf.docinfo["/Title"]) == "A <Title> & more – ⚔"
        assert xmp["dc:description"] == str(pdf.docinfo["/Subject"]) == "About it"
        assert xmp["xmp:CreatorTool"] == str(pdf.docinfo["/Creator"]) == "vaultkit"
        assert xmp["pdf:Producer"] == str(pdf.docinfo["/Producer"])
        assert pdf.Root.Lang == "de"
        assert not {"/CreationDate", "/ModDate"} & set(pdf.docinfo.keys())


def test_p6_viewers_print_at_true_size(made_file: Path) -> None:
    with pikepdf.open(made_file) as pdf:
        assert pdf.Root.ViewerPreferences.PrintScaling == pikepdf.Name("/None")
        assert pdf.Root.ViewerPreferences.DisplayDocTitle


@pytest.mark.parametrize("tagged", [True, False])
def test_p9_pikepdf_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tagged: bool) -> None:
    monkeypatch.setattr(pikepdf, "open", lambda *_: pytest.fail("pikepdf was asked"))
    out = make(tmp_path / "damaged.pdf", tagged=tagged)
    assert is_our_file(out)
    assert is_our_file(make(out, tagged=tagged, text="Others."))
    out.write_bytes(out.read_bytes() + b"\n")
    assert not is_our_file(out)


def test_p10_objects_other_than_streams_are_compressed(made_file: Path) -> None:
    data = made_file.read_bytes()
    with pikepdf.open(made_file) as pdf:
        assert pdf.check_pdf_syntax() == []
        small = [one.objgen[0] for one in pdf.objects if not isinstance(one, pikepdf.Stream)]
    assert len(small) > 10
    assert not [number for number in small if b"\n%d 0 obj" % number in data]


@pytest.mark.parametrize("text", ["Fire 🐉 and ice", "Fire and ice"])
def test_p5_words_of_an_untagged_file_are_read_back(tmp_path: Path, text: str) -> None:
    out = make(tmp_path / "a.pdf", tagged=False, text=text)
    assert text in PdfReader(out).pages[0].extract_text()


def test_p6_imposed_sheets_do_not_claim_to_be_tagged(plain: Path) -> None:
    with pikepdf.open(plain) as pdf, pdf.open_metadata() as xmp:
        assert "/StructTreeRoot" not in pdf.Root
        assert "pdfuaid:part" not in xmp
        assert "pdfaid:part" not in xmp
        assert xmp["dc:title"]
    assert is_our_file(plain)


def test_p8_same_drawing_gives_the_same_bytes(made_file: Path, tmp_path: Path) -> None:
    assert make(tmp_path / "b.pdf").read_bytes() == made_file.read_bytes()
    assert make(tmp_path / "c.pdf", text="Other words.").read_bytes() != made_file.read_bytes()


def test_our_own_file_may_be_replaced(made_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.pdf"
    out.write_bytes(made_file.read_bytes())
    assert is_our_file(out)
    write_file(out, b"%PDF-new")
    assert out.read_bytes() == b"%PDF-new"


def by_pikepdf(out: Path) -> None:
    with pikepdf.open(out, allow_overwriting_input=True) as pdf:
        pdf.save(out)


def by_pikepdf_alike(out: Path) -> None:
    with pikepdf.open(out, allow_overwriting_input=True) as pdf:
        pdf.Root.Lang = pikepdf.String("fr")
        pdf.save(out, deterministic_id=True, fix_metadata_version=False)


def by_pypdf(out: Path) -> None:
    PdfWriter(clone_from=PdfReader(out)).write(out)


def by_pypdf_at_the_end(out: Path) -> None:
    writer = PdfWriter(out, incremental=True)
    writer.add_blank_page(100, 100)
    writer.write(out)


def by_one_byte(out: Path) -> None:
    out.write_bytes(out.read_bytes() + b"\n")


@pytest.mark.parametrize("change", [by_pikepdf, by_pikepdf_alike, by_pypdf, by_pypdf_at_the_end, by_one_byte])
def test_our_file_changed_since_is_not_replaced(made_file: Path, tmp_path: Path, change: object) -> None:
    out = tmp_path / "foreign.pdf"
    out.write_bytes(made_file.read_bytes())
    change(out)  # type: ignore[operator]
    changed = out.read_bytes()
    assert not is_our_file(out)
    with pytest.raises(WriteError, match="has been filled in or changed since vaultkit made it"):
        write_file(out, b"%PDF-new")
    assert out.read_bytes() == changed


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n%%EOF", b"urn:vaultkit:", b"%PDF urn:vaultkit:" + b"0" * 64])
def test_other_files_are_not_ours(tmp_path: Path, data: bytes) -> None:
    out = tmp_path / "damaged.pdf"
    out.write_bytes(data)
    assert not is_our_file(out)
    with pytest.raises(WriteError, match="was not made by vaultkit"):
        write_file(out, b"%PDF-new")


def test_p6_lint_finds_mistakes(made_file: Path, tmp_path: Path) -> None:
    with pikepdf.open(made_file) as pdf:
        del pdf.Root.Lang
        del pdf.pages[0].Annots[0].Contents
        pdf.pages[0].Contents.write(pdf.pages[0].Contents.read_bytes() + b"\n0 0 5 5 re f")
        pdf.save(tmp_path / "damaged.pdf")
    assert problems(tmp_path / "damaged.pdf") == [
        "no language", "page 1: f is neither content nor decoration", "page 1: a Link says nothing",
    ]  # fmt: skip
