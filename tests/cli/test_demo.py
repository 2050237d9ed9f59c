"""`demo`, a second time."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.test_qr import decode_codes
from vaultkit.errors import ExitCode
from vaultkit.trust import is_trusted
from vaultkit.vault.obsidian import note_address


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
    assert set(decode_codes(sheets, 150)) == {note_address("Vale", made["note"])}
    assert is_trusted(tmp_path / "evening")


@pytest.mark.slow
def test_the_moves_are_shown_on_demand_alone_and_three_things_to_open_are_there(vk: Vaultkit, tmp_path: Path) -> None:
    brief, whole = vk("demo", "brief", cwd=tmp_path).out, vk("demo", "whole", "--story", cwd=tmp_path).out
    assert " draws " not in brief and whole.count(" draws ") > 20
    for out in (brief, whole):
        assert out.count("The deck is empty and the party is still at the table") == 1
    first, second, third = re.findall(r"^  \d  (.+)$", brief, re.M)
    assert all((tmp_path / sheet).read_bytes().startswith(b"%PDF-") for sheet in (first, second))
    folder, note = third.split(" in Obsidian, as a vault; there ")
    assert (tmp_path / folder / note).is_file()
