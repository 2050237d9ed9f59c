"""Faulty and hostile designs, fonts, icons and files: one clear error, or a page, and nothing left behind."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.sheets.conftest import text_of
from vaultkit import file_errors, resources
from vaultkit.errors import InvalidError, VaultkitError, WriteError
from vaultkit.sheets.paper import load_stock
from vaultkit.sheets.pdf.output_file import is_our_file, write_file
from vaultkit.theme import design_loader, icons, image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.lengths import parse_length
from vaultkit.theme.model import Theme

Print = Callable[..., Path]


@pytest.fixture
def write_design(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Return a function that writes a design into a vault, and returns the vault."""

    def put(name: str, content: str | bytes) -> Path:
        place = tmp_path / "vault" / ".vaultkit" / "print" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / "vault"

    return put


def paper_with(size: str) -> str:
    """Return the shipped paper sizes with A4 written as `size`."""
    shipped = (resources.shipped_folder("print") / "paper.toml").read_text(encoding="utf-8").splitlines()
    return "\n".join(f"a4 = {size}" if line.startswith("a4 ") else line for line in shipped)


@pytest.mark.parametrize(
    "size",
    ['["0mm", "0mm"]', '["-5mm", "10mm"]', '["1e9mm", "1mm"]', '["1000000000mm", "10mm"]', '["210mm"]', "[210, 297]",
     '"x"', "{a = 1}", '["٣mm", "10mm"]', f'["{"9" * 5000}mm", "1mm"]', '["nanmm", "infmm"]', "true", "1979-05-27"],
)  # fmt: skip
def test_a_paper_of_an_impossible_size_is_one_error(write_design: Callable[..., Path], size: str) -> None:
    with pytest.raises(InvalidError) as error:
        load_stock(write_design("paper.toml", paper_with(size)))
    assert "paper.toml" in error.value.where or "paper.toml" in error.value.message


@pytest.mark.parametrize(
    "text",
    ["[[[", "", "a = " + "[" * 5000, "a = " + "9" * 100_000, "a = " + "{a = " * 3000 + "1" + "}" * 3000, b"\xff\xfe\0",
     "a = 1\na = 2"],
)  # fmt: skip
def test_design_that_is_invalid_toml_is_one_error(write_design: Callable[..., Path], text: str | bytes) -> None:
    with pytest.raises(InvalidError):
        load_stock(write_design("paper.toml", text))


def test_an_unknown_key_lists_the_accepted_ones(write_design: Callable[..., Path]) -> None:
    with pytest.raises(InvalidError) as error:
        load_stock(write_design("paper.toml", "zzz = 1\n" + paper_with('["210mm", "297mm"]')))
    assert "'zzz'" in error.value.message
    assert "papers" in error.value.hint


@pytest.mark.parametrize("text", ["1mm" * 2, "1,5mm", "mm", "1", "", "9" * 400 + "mm", "0x1mm", "1_0mm"])
def test_invalid_lengths_are_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="not a length"):
        parse_length(text)


@pytest.mark.parametrize("name", ["../classic", "no-such", "/etc/passwd", "x" * 5000, "a\0b"])
def test_theme_with_a_path_as_its_name_opens_nothing(name: str) -> None:
    with pytest.raises(VaultkitError):
        Theme(None, name).colour_code(look.INK)


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"OTTO" + bytes(100), b"ttcf" + bytes(200), b"\0\1\0\0" + bytes(4000),
     b"\0\1\0\0\xff\xff" + b"\xff" * 5000],
)  # fmt: skip
def test_invalid_font_is_one_error(write_design: Callable[..., Path], content: bytes) -> None:
    vault = write_design(f"fonts/{look.TEXT}.ttf", content)
    with pytest.raises(InvalidError) as error:
        Theme(vault).face(look.TEXT)
    assert look.TEXT in error.value.where


def test_truncated_font_is_one_error(write_design: Callable[..., Path]) -> None:
    whole = design_loader.find(f"fonts/{look.TEXT}.ttf", None).read_bytes()
    with pytest.raises(InvalidError):
        Theme(write_design(f"fonts/{look.TEXT}.ttf", whole[:30_000])).face(look.TEXT)


BILLION = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))


@pytest.mark.parametrize(
    "svg",
    [f'<!DOCTYPE s [<!ENTITY l0 "M0 0">{BILLION}]><svg><path d="&l9;"/></svg>', "<svg/>", "", "<path " * 20_000,
     "<svg><path " + "a " * 50_000 + "/></svg>", '<svg><path d="M 1"/></svg>', '<svg><path d="z"/></svg>',
     '<svg><path d="M 1e999 nan L 5 5"/></svg>', '<svg><path d="M0 0 A 1 1 0 2 3 9 9"/></svg>',
     '<svg><path d="L 1 1"/></svg>', '<svg><path d=" "/></svg>',
     '<svg><path d="M0 0 ' + "L1 1 " * 60_000 + '"/></svg>'],
)  # fmt: skip
def test_invalid_icon_is_one_error(write_design: Callable[..., Path], svg: str) -> None:
    vault = write_design("icons/mine.svg", svg)
    with pytest.raises(InvalidError, match="icon"):
        icons.find_icon("mine", vault)


def test_icon_continues_from_the_point_where_its_path_was_closed(write_design: Callable[..., Path]) -> None:
    one, other = (
        '<svg><path d="m9 9 h20v20z l5 5 5 0z"/></svg>',
        '<svg><path d="M9 9 H29V29Z M9 9 L14 14 19 14Z"/></svg>',
    )
    drawn = [icons.find_icon("mine", write_design("icons/mine.svg", svg)).getCode() for svg in (one, other)]
    assert drawn[0] == drawn[1] and drawn[0].count("h") == 2


@pytest.mark.parametrize("name", ["../mine", "a/b", "", "x" * 5000, "ÄÖ", "a\0b"])
def test_icon_with_a_path_as_its_name_is_not_found(name: str) -> None:
    assert icons.find_icon(name) is None


def png(width: int, height: int) -> bytes:
    """Return the header of a PNG picture of this size in pixels, with almost none of its data."""
    from struct import pack
    from zlib import compress, crc32

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))

    head = pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.mark.short(4)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"RIFF", png(60_000, 60_000), png(12_000, 12_000), png(1_000, 1_000)[:60], png(0, 5),
     b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a" + b"\xff" * 20],
    ids=["empty", "text", "cut off", "huge", "large", "half", "flat", "svg", "gif"],
)  # fmt: skip
def test_invalid_picture_is_named_on_the_page(print_note: Print, tmp_path: Path, content: bytes) -> None:
    picture = tmp_path / "p.png"
    picture.write_bytes(content)
    words = text_of(print_note("Before.\n\n![[p.png]]\n\nAfter.", image=lambda _: picture))
    assert "Before." in words
    assert "[picture p.png:" in words
    assert "After." in words


@pytest.mark.parametrize("mode", ["CMYK", "1", "L", "LA", "P", "RGBA", "I", "F", "I;16", "HSV", "YCbCr"])
def test_a_picture_of_any_mode_is_printed(tmp_path: Path, mode: str) -> None:
    picture = tmp_path / "p.tif"
    try:
        Image.new(mode, (30, 30)).save(picture)
        Image.open(picture).load()
    except OSError:
        pytest.skip("Pillow saves no such TIFF, or none that it reads")
    made = image_transcoding.prepare(picture, Fit(20, 20))
    assert (made.width, made.height) == (20, 20)


@pytest.mark.parametrize("size", [(20_000, 1), (1, 20_000), (1, 1)])
def test_a_picture_of_any_shape_fits(print_note: Print, tmp_path: Path, size: tuple[int, int]) -> None:
    picture = tmp_path / "p.png"
    Image.new("L", size).save(picture)
    assert print_note("a\n\n![[p.png]]\n\nb", image=lambda _: picture).is_file()


def leftovers(folder: Path) -> list[Path]:
    return list(folder.glob(".vaultkit-*"))


def test_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_disk(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill_disk)
    with pytest.raises(WriteError, match="No space left") as error:
        write_file(tmp_path / "x.pdf", b"%PDF-")
    assert error.value.where == str(tmp_path / "x.pdf")
    assert list(tmp_path.iterdir()) == []


def test_file_opened_by_another_program_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = [PermissionError(13, "Permission denied")] * 2
    real = Path.replace

    def busy(self: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return real(self, target)

    monkeypatch.setattr(file_errors, "ON_WINDOWS", True)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(Path, "replace", busy)
    write_file(tmp_path / "x.pdf", b"%PDF-new")
    assert (tmp_path / "x.pdf").read_bytes() == b"%PDF-new"
    assert not leftovers(tmp_path)


def test_retrying_ends_with_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[Path] = []

    def busy(self: Path, _: Path) -> Path:
        tries.append(self)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(file_errors, "ON_WINDOWS", True)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(Path, "replace", busy)
    with pytest.raises(WriteError) as error:
        write_file(tmp_path / "x.pdf", b"%PDF-new")
    assert "close it there" in error.value.hint
    assert len(tries) == 6
    assert list(tmp_path.iterdir()) == []


def test_printed_file_is_replaced_but_not_a_filled_in_one(print_note: Print) -> None:
    out = print_note("one")
    first = out.read_bytes()
    assert print_note("two") == out
    assert out.read_bytes() != first
    out.write_bytes(out.read_bytes() + b"\n% an update by another program\n%%EOF\n")
    assert not is_our_file(out)
    with pytest.raises(WriteError, match="filled in or changed"):
        print_note("three")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("place", ["/dev/full", "/dev/zero", "/dev/null"])
def test_device_is_neither_read_nor_replaced(place: str) -> None:
    with pytest.raises(WriteError, match="not made by vaultkit"):
        write_file(Path(place), b"%PDF-")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_symbolic_link_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "x.pdf"
    link.symlink_to(tmp_path / "real" / "y.pdf")
    write_file(link, b"%PDF-new")
    assert link.is_symlink()
    assert (tmp_path / "real" / "y.pdf").read_bytes() == b"%PDF-new"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_circular_symbolic_link_is_one_error(tmp_path: Path) -> None:
    link = tmp_path / "x.pdf"
    link.symlink_to(link)
    with pytest.raises(WriteError):
        write_file(link, b"%PDF-new")


@pytest.mark.parametrize("name", ["no/x.pdf", "f/x.pdf", "x" * 300 + ".pdf", "a\0b.pdf", "."])
def test_impossible_place_is_one_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "f").write_text("a file", encoding="utf-8")
    with pytest.raises(WriteError):
        write_file(tmp_path / name, b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


@pytest.mark.parametrize(("width", "columns"), [("40mm", 1), ("80mm", 2), ("11mm", 1)])
def test_a_paper_too_small_for_text_is_one_error(
    write_design: Callable[..., Path], print_note: Print, width: str, columns: int
) -> None:
    vault = write_design("paper.toml", paper_with(f'["{width}", "200mm"]'))
    with pytest.raises(VaultkitError, match="too small"):
        print_note("| a | b |\n|---|---|\n| one | two |\n", theme=Theme(vault), columns=columns)
