"""`demo`, a second time."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.test_qr import decoded
from vaultkit.errors import ExitCode
from vaultkit.sheets.qr import note_address


def test_a_folder_that_is_there_stays_and_both_ways_on_are_told(vk: Vaultkit, tmp_path: Path) -> None:
    mine = tmp_path / "vaultkit-demo" / "Mine.md"
    mine.parent.mkdir()
    mine.write_text("mine")
    done = vk("demo", cwd=tmp_path)
    assert done.code == ExitCode.WRITE
    assert "vaultkit demo DIR" in done.err and "delete vaultkit-demo" in done.err
    assert [file.name for file in mine.parent.iterdir()] == ["Mine.md"]


@pytest.mark.slow
def test_p12_the_sheets_of_the_game_lead_to_its_note_where_the_vault_has_a_name(vk: Vaultkit, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "vaultkit" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[print]\nvault-name = "Vale"\n', encoding="utf-8")
    made = vk("demo", "evening", "--json", cwd=tmp_path).json
    sheets = tmp_path / "evening/Sheets/Score sheets of the game.pdf"
    assert set(decoded(sheets, 150)) == {note_address("Vale", made["note"])}
