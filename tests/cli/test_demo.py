"""`demo`, a second time."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.sheets.test_qr import decode_codes
from vaultkit.errors import ExitCode
from vaultkit.trust import is_trusted
from vaultkit.vault.obsidian import note_address


def test_existing_folder_is_not_overwritten_and_both_next_steps_are_shown(vk: Vaultkit, tmp_path: Path) -> None:
    mine = tmp_path / "vaultkit-demo" / "Mine.md"
    mine.parent.mkdir()
    mine.write_text("mine")
    done = vk("demo", cwd=tmp_path)
    assert done.code == ExitCode.WRITE
    assert "vaultkit demo DIR" in done.err and "delete vaultkit-demo" in done.err
    assert [file.name for file in mine.parent.iterdir()] == ["Mine.md"]


@pytest.mark.slow
def test_p12_demo_sheets_link_to_the_game_note_if_the_vault_has_a_name(vk: Vaultkit, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "vaultkit" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[print]\nvault-name = "Vale"\n', encoding="utf-8")
    made = vk("demo", "evening", "--json", cwd=tmp_path).json
    sheets = tmp_path / "evening/Sheets/Score sheets of the game.pdf"
    assert set(decode_codes(sheets, 150)) == {note_address("Vale", made["note"])}
    assert is_trusted(tmp_path / "evening")


@pytest.mark.slow
def test_demo_shows_moves_only_on_request_and_names_three_files_to_open(vk: Vaultkit, tmp_path: Path) -> None:
    brief, whole = vk("demo", "brief", cwd=tmp_path).out, vk("demo", "whole", "--story", cwd=tmp_path).out
    assert " draws " not in brief and whole.count(" draws ") > 20
    for out in (brief, whole):
        assert out.count("The deck is empty and the party is still at the table") == 1
    first, second, third = re.findall(r"^  \d  (.+)$", brief, re.M)
    assert all((tmp_path / sheet).read_bytes().startswith(b"%PDF-") for sheet in (first, second))
    folder, note = third.split(" in Obsidian, as a vault; there ")
    assert (tmp_path / folder / note).is_file()
