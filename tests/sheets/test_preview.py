"""Previews of pages as pictures (P14)."""

from pathlib import Path

import pytest
from PIL import Image

from tests.sheets.conftest import print_text
from vaultkit.errors import WriteError
from vaultkit.sheets.export.page_pictures import save_pages, to_half_blocks


def note(folder: Path, words: str = "A line.") -> Path:
    return print_text(words, out=folder / "note.pdf").path


@pytest.mark.slow
def test_p14_every_page_is_a_picture_beside_the_pdf(tmp_path: Path) -> None:
    pictures = save_pages(note(tmp_path, "A line.\n\n" * 130))
    assert [picture.name for picture in pictures] == ["page-01.png", "page-02.png"]
    assert {picture.parent for picture in pictures} == {tmp_path / "note-preview"}
    with Image.open(pictures[0]) as image:
        assert image.size == (827, 1170)
        assert min(image.convert("L").getextrema()) < 64


@pytest.mark.slow
def test_p14_pages_of_a_longer_print_are_removed_and_foreign_files_stay(tmp_path: Path) -> None:
    save_pages(note(tmp_path, "A line.\n\n" * 200))
    folder = tmp_path / "note-preview"
    (folder / "page-03.png").write_bytes(b"mine")
    save_pages(note(tmp_path))
    assert {file.name for file in folder.iterdir()} == {"page-01.png", "page-03.png"}
    (folder / "page-01.png").write_bytes(b"mine")
    with pytest.raises(WriteError, match="not made by vaultkit"):
        save_pages(note(tmp_path))


def test_p14_half_blocks_show_two_pixels_each(tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    image = Image.new("RGB", (20, 40), "#ff0000")
    image.paste("#0000ff", (0, 10, 20, 40))
    image.save(picture)
    lines = list(to_half_blocks(picture, 10))
    assert [line.plain for line in lines] == ["▀" * 10] * 10
    styles = [str(line.spans[0].style) for line in lines]
    assert styles == ["#ff0000 on #ff0000"] * 2 + ["#ff0000 on #0000ff"] * (styles[2] != styles[3]) + styles[3:]
    assert set(styles[3:]) == {"#0000ff on #0000ff"}
