"""Headings with tags, Periodic Notes of version 1, dates in the world as links or lists, linked folders."""

import json
from datetime import date, datetime
from pathlib import Path

import pytest

from tests.campaign.correction.games import log, make_vault
from vaultkit.campaign.log_target.gm_sessions import find_world_date
from vaultkit.errors import VaultkitError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault
from vaultkit.vault.daily_notes import read_daily_notes_settings

CHESS = ["Ysolde Marr: colour=White, result=won", "Bram: colour=Black, result=lost"]


@pytest.mark.short(1)
@pytest.mark.parametrize("heading", ["Log #tag ^id", "Log #campaign/log", "Log ^log", "**Log** #a #b"])
def test_heading_with_tags_and_a_block_id_is_found(tmp_path: Path, heading: str) -> None:
    root = make_vault(tmp_path / "vault")
    path = root / "Campaign.md"
    path.write_text(f"# Campaign\n\n## {heading}\n\n- Tea.\n\n## Rest\n\nLast.\n")
    session, _ = log(root, "chess", CHESS)
    lines = path.read_text().splitlines()
    assert lines[4] == "- Tea." and lines[5].endswith(f"^vk-{session}") and path.read_text().count("## ") == 2


def test_heading_without_tags_is_preferred(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    path = root / "Campaign.md"
    path.write_text("## Log #old\n\n- Tea.\n\n## Log\n\n- Cake.\n")
    log(root, "chess", CHESS)
    assert path.read_text().splitlines()[6] == "- Cake." and len(path.read_text().splitlines()) == 8


@pytest.mark.parametrize(
    ("active", "expected"),
    [("Campaign", "Days/2026/2026-11-03.md"), ("Home", "2026.11.03.md"), ("gone", "2026.11.03.md")],
)
def test_daily_notes_of_the_active_calendar_set_are_used(tmp_path: Path, active: str, expected: str) -> None:
    root = make_vault(tmp_path / "vault")
    home = {"id": "Home", "day": {"enabled": True, "format": "YYYY.MM.DD", "folder": ""}}
    day = {"enabled": True, "format": "YYYY/YYYY-MM-DD", "folder": "Days", "templatePath": "Templates/Day.md"}
    settings = {"activeCalendarSet": active, "calendarSets": [home, {"id": "Campaign", "day": day}]}
    (root / ".obsidian/plugins/periodic-notes").mkdir(parents=True)
    (root / ".obsidian/plugins/periodic-notes/data.json").write_text(json.dumps(settings))
    (root / ".obsidian/community-plugins.json").write_text('["periodic-notes"]')
    (root / ".obsidian/core-plugins.json").write_text('{"daily-notes": false}')
    daily = read_daily_notes_settings(Vault(root))
    assert daily.path(datetime(2026, 11, 3), Vault(root)) == expected
    assert daily.template == ("Templates/Day.md" if active == "Campaign" else "")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"[[14 Mirtul 1492]]"', "14 Mirtul 1492"),
        ('"[[Calendar#Mirtul|14 Mirtul]]"', "14 Mirtul"),
        ('["[[14 Mirtul]]", "[[15 Mirtul]]"]', "14 Mirtul"),
        ("[[14 Mirtul]]", "14 Mirtul"),
        ("\n  - 1492-05-14\n  - 1492-05-15", "1492-05-14"),
    ],
)
def test_world_date_may_be_a_link_or_a_list(tmp_path: Path, written: str, expected: str) -> None:
    root = make_vault(tmp_path / "vault")
    (root / "Campaign.md").write_text(f"---\nday: {written}\n---\n")
    settings = Settings(campaign=CampaignSettings(note="Campaign", in_world="day"))
    assert find_world_date(Vault(root), settings, "Campaign.md", date(2026, 11, 3)).properties == {"day": expected}


def test_a_folder_that_is_linked_out_of_the_vault_is_refused(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    (tmp_path / "elsewhere").mkdir()
    (root / "Games").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(VaultkitError) as caught:
        log(root, "chess", CHESS)
    assert "out of the vault" in caught.value.message and "Games" in caught.value.where
    assert not [*(tmp_path / "elsewhere").iterdir()] and "^vk-" not in (root / "Campaign.md").read_text()
