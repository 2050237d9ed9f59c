"""P17: every text has a font and is on its page, every stream is encoded as its filter says, and drawing is valid."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest

from scripts.streams import faults
from tests.sheets.lint import problems, tagged_text
from tests.sheets.pdf.form_sheets import BOXES, form_sheet

Print = Callable[..., Path]


WORDS = "many words " * 60
EMPTY_FIRST = {
    "code": f"```\n\n{WORDS}\n```",
    "quote": f"> <br><br>*{WORDS}*",
    "cell": f"| a |\n|---|\n| <br><br>{WORDS} |",
}


@pytest.mark.parametrize("note", EMPTY_FIRST.values(), ids=EMPTY_FIRST)
def test_p17_an_empty_first_line_shows_no_text_without_a_font(print_note: Print, note: str) -> None:
    assert faults(print_note(note)) == []


def test_p17_box_without_a_tick_is_a_valid_stream(tmp_path: Path) -> None:
    form_sheet(tmp_path / "form.pdf", BOXES)
    assert faults(tmp_path / "form.pdf") == []


def write_broken(out: Path, code: bytes) -> Path:
    """Write a page that draws `code`, with a font named `/F`."""
    with pikepdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(100, 100))
        widths = pikepdf.Array([500] * 256)
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, FirstChar=0, LastChar=255, Widths=widths)
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        page.Contents = pdf.make_stream(code)
        pdf.save(out, compress_streams=False)
    return out


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        (b"BT (a) Tj ET", "text without a font"),
        (b"q BT /F 9 Tf (a) Tj ET Q BT (b) Tj ET", "text without a font"),
        (b"q Q Q", "a state is restored that was never saved"),
        (b"BT /G 9 Tf (a) Tj ET", "there is no font /G"),
        (b"BT /F 9 Tf 90 50 Td (much too long) Tj ET", "is beyond the page"),
        (b"q 1 0 0 1 0 -60 cm BT /F 9 Tf 50 50 Td (a) Tj ET Q", "text at 50, -10 is beyond the page"),
        (b"BT /F 9 Tf 10 TL 50 5 Td (a) Tj T* (b) Tj ET", "text at 50, -5 is beyond the page"),
    ],
)
def test_p17_lint_finds_invalid_drawing(tmp_path: Path, code: bytes, fault: str) -> None:
    assert any(fault in line for line in faults(write_broken(tmp_path / "x.pdf", code)))


def test_p17_lint_passes_valid_drawing(tmp_path: Path) -> None:
    code = b"q BT /F 9 Tf 10 TL 50 50 Td (a) Tj T* [(b) -20 (c)] TJ ET q Q BT (d) Tj ET Q"
    assert faults(write_broken(tmp_path / "x.pdf", code)) == []


def test_p17_lint_finds_a_stream_with_a_wrong_filter(tmp_path: Path) -> None:
    file = write_broken(tmp_path / "x.pdf", b"q Q")
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.pages[0].obj.Extra = pikepdf.Stream(pdf, b"plain", Filter=pikepdf.Name.DCTDecode)
        pdf.save(file, compress_streams=False)
    assert any("is no /DCTDecode" in line for line in faults(file))


def glyphs_that_lack(path: Path) -> list[tuple[str, int]]:
    """Return the letters shown in a font without a glyph for them: the font's name and the letter's code."""
    from fontTools.ttLib import TTFont

    lacking = []
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            fonts, font = page.Resources.Font, ""
            known = {
                name: TTFont(BytesIO(one.FontDescriptor.FontFile2.read_bytes()))["cmap"].tables[0].cmap
                for name, one in fonts.items()
            }
            for step in pikepdf.parse_content_stream(page):
                font = str(step.operands[0]) if str(step.operator) == "Tf" else font
                shown = bytes(step.operands[0]) if str(step.operator) == "Tj" else b""
                lacking += [(str(fonts[font].BaseFont), code) for code in shown if code not in known[font]]
    return lacking


@pytest.mark.slow
def test_p6_p17_line_that_ends_with_a_symbol_has_a_space_in_another_font(print_note: Print) -> None:
    words = " ".join(["⇒", "≠", "*√*", "lamp"] * 30)
    made = print_note(f"> {words}\n\n[{words}](https://example.org)\n\n## {words}\n\n{words}")
    assert glyphs_that_lack(made) == []
    assert tagged_text(made)[-1] == words.replace("*", "")
    assert problems(made) == []
