"""The names of PDFs: derived from notes, decks and games, or given by a person."""

from pathlib import Path

import pytest

from tests.vault.test_in_icloud import evict
from vaultkit.campaign.init import check_free
from vaultkit.errors import InvalidError, UsageError, WriteError
from vaultkit.settings import PrintSettings, Settings
from vaultkit.sheets.pdf.output_file import write_file
from vaultkit.sheets.print_setup import PrintSetup
from vaultkit.vault.file_names import name_fault


@pytest.mark.parametrize(
    ("name", "kind", "file"),
    [
        ("con", "cards", "con-cards.pdf"),
        ("Aux. of the Mill", "rules", "Aux_. of the Mill-rules.pdf"),
        ("Who? A/B: 1", "booklet", "Who A B 1-booklet.pdf"),
        ("nul", "", "nul_.pdf"),
        ("...", "cards", "sheet-cards.pdf"),
    ],
)
def test_name_of_a_note_becomes_a_valid_windows_name(name: str, kind: str, file: str) -> None:
    assert PrintSetup(Path(), Settings()).output_path(name, kind) == Path(file)


def test_a_long_name_keeps_the_kind_of_the_sheet() -> None:
    setup = PrintSetup(Path(), Settings())
    rules, booklet = (setup.output_path("龍の" * 60, kind).name for kind in ("rules", "booklet"))
    assert rules.endswith("-rules.pdf") and booklet.endswith("-booklet.pdf")
    assert name_fault(rules) is name_fault(booklet) is None


@pytest.mark.parametrize("out", ["con.pdf", "Sheets/NUL", "CONIN$.pdf", "lpt1 .pdf"])
def test_out_may_not_be_a_device(out: str) -> None:
    with pytest.raises(UsageError, match="for a device"):
        PrintSetup(Path(), Settings(), out=Path(out)).output_path("x")


@pytest.mark.parametrize("folder", ["aux", "Sheets/con.d", "Prints."])
def test_a_folder_of_the_settings_may_not_be_a_device(tmp_path: Path, folder: str) -> None:
    (tmp_path / ".obsidian").mkdir()
    setup = PrintSetup(tmp_path, Settings(print=PrintSettings(folder=folder)))
    with pytest.raises(InvalidError, match="cannot hold the name"), setup.prepare_folder():
        pass
    assert [file.name for file in tmp_path.iterdir()] == [".obsidian"]


def test_the_folder_of_a_demo_may_not_be_a_device(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="for a device"):
        check_free(tmp_path / "Con")


def test_a_sheet_in_icloud_is_not_made_a_second_time(tmp_path: Path) -> None:
    evict(tmp_path / "con-cards.pdf")
    with pytest.raises(WriteError, match="it is in the cloud; download it first"):
        write_file(tmp_path / "con-cards.pdf", b"%PDF-")
    evict(tmp_path / "page-01.png")
    with pytest.raises(WriteError, match="in the cloud"):
        write_file(tmp_path / "page-01.png", b"\x89PNG", "picture")
    assert len(list(tmp_path.iterdir())) == 2
