"""Obsidian's daily notes: names, places and new ones."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import make_files
from vaultkit.errors import InvalidError
from vaultkit.vault import Vault
from vaultkit.vault.daily_notes import DailyNotes, read_daily_notes_settings

WHEN = datetime(2026, 11, 3, 20, 15)
EMPTY = Vault(Path(__file__).parent / "no such vault")


def vault_with(root: Path, files: dict[str, str | bytes] | None = None, **said: object) -> Vault:
    daily: dict[str, str | bytes] = {".obsidian/daily-notes.json": json.dumps(said)} if said else {}
    return make_files(root, {**daily, **(files or {})})


def path(vault: Vault) -> str:
    return read_daily_notes_settings(vault).path(WHEN, vault)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "2026-11-03.md"),
        ({"format": "", "folder": "/"}, "2026-11-03.md"),
        ({"format": None, "folder": 7}, "2026-11-03.md"),
        ({"folder": "Journal/Daily"}, "Journal/Daily/2026-11-03.md"),
        ({"folder": "/Journal/"}, "Journal/2026-11-03.md"),
        ({"format": "YYYY/MM-MMMM/YYYY-MM-DD", "folder": "J"}, "J/2026/11-November/2026-11-03.md"),
        ({"format": "dddd Do [of] MMMM"}, "Tuesday 3rd of November.md"),
        ({"format": "YYYY/MM-MMMM/YYYY-MM-DD-dddd", "folder": "J/"}, "J/2026/11-November/2026-11-03-Tuesday.md"),
        ({"format": "gggg-[W]ww"}, "2026-W45.md"),
        ({"format": "[Journal] YYYY"}, "Journal 2026.md"),
    ],
)
def test_folder_of_the_daily_note(tmp_path: Path, settings: dict[str, object], expected: str) -> None:
    assert path(vault_with(tmp_path, **settings)) == expected


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_unreadable_settings_count_as_missing(tmp_path: Path, data: bytes) -> None:
    assert read_daily_notes_settings(make_files(tmp_path, {".obsidian/daily-notes.json": data})) == DailyNotes()


def test_existing_daily_note_keeps_its_spelling(tmp_path: Path) -> None:
    assert path(vault_with(tmp_path, {"journal/2026-11-03.md": ""}, folder="Journal")) == "journal/2026-11-03.md"


def test_daily_note_in_a_linked_folder_is_found(tmp_path: Path) -> None:
    vault = vault_with(tmp_path, {"Real/2026-11-03.md": ""}, folder="Journal")
    try:
        (tmp_path / "Journal").symlink_to("Real", target_is_directory=True)
    except OSError:
        pytest.skip("this system makes no links")
    assert path(vault) == "Real/2026-11-03.md"


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "[..]/YYYY"},
        {"format": "[../../]YYYY"},
        {"folder": "../out"},
        {"folder": ".hidden"},
        {"format": ".YYYY"},
        {"format": "HH:mm"},
        {"format": "YYYY[?]"},
        {"format": "YYYY[\\..\\]MM"},
        {"folder": "C:/Journal"},
        {"format": "YYYY."},
        {"format": "YYYY/"},
        {"format": "[]"},
        {"format": "[/]"},
        {"format": "[aux]"},
        {"folder": "Journal/Con"},
    ],
)
def test_f4_invalid_daily_note_names_are_refused(tmp_path: Path, settings: dict[str, object]) -> None:
    with pytest.raises(InvalidError) as caught:
        path(vault_with(tmp_path, **settings))
    assert caught.value.where.startswith(".obsidian/daily-notes.json") and caught.value.hint


TEMPLATE = (
    "---\ndate: {{date}}\n---\n# {{title}}\n{{ date : dddd D }} at {{time}}, {{time:h A}}; {{other}} {{DATE:[on] LL}}\n"
)
FILLED = "---\ndate: 2026-11-03\n---\n# 2026-11-03\nTuesday 3 at 20:15, 8 PM; {{other}} on November 3, 2026\n"


@pytest.mark.parametrize("name", ["Templates/Daily", "Templates/Daily.md", "/templates/daily"])
def test_new_daily_note_is_made_from_the_template(tmp_path: Path, name: str) -> None:
    vault = vault_with(tmp_path, {"Templates/Daily.md": TEMPLATE}, template=name)
    assert read_daily_notes_settings(vault).text("2026-11-03.md", WHEN, vault) == (FILLED, ())


def test_formats_of_the_templates_plugin_are_used(tmp_path: Path) -> None:
    formats = json.dumps({"dateFormat": "D.M.", "timeFormat": "HH[h]"})
    files: dict[str, str | bytes] = {".obsidian/templates.json": formats, "T.md": "{{date}} {{time}} {{date:YY}}"}
    vault = vault_with(tmp_path, files, template="T")
    assert read_daily_notes_settings(vault).text("x.md", WHEN, vault)[0] == "3.11. 20h 26"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_template_line_endings_are_preserved_without_the_byte_order_mark(tmp_path: Path, newline: str) -> None:
    data = b"\xef\xbb\xbf" + TEMPLATE.replace("\n", newline).encode()
    vault = vault_with(tmp_path, {"T.md": data}, template="T")
    assert read_daily_notes_settings(vault).text("2026-11-03.md", WHEN, vault)[0] == FILLED.replace("\n", newline)


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("[[{{yesterday}}]] [[{{ Tomorrow }}]]", "[[Mon 2.]] [[Wed 4.]]"),
        ("{{date-1d:DD}} {{date +1w :DD}} {{time+1d}}", "02 10 20:15"),
        ("{{date+1y:YYYY}} {{title:x}}", "{{date+1y:YYYY}} {{title:x}}"),
    ],
)
def test_neighbouring_days_are_filled_in_as_by_calendar_and_periodic_notes(
    tmp_path: Path, template: str, filled: str
) -> None:
    vault = vault_with(tmp_path, {"T.md": template}, template="T", format="ddd D.")
    assert read_daily_notes_settings(vault).text("x.md", WHEN, vault) == (filled, ())


def test_templater_commands_are_left_and_reported(tmp_path: Path) -> None:
    vault = vault_with(tmp_path, {"T.md": "<% tp.date.now() %>\n"}, template="T")
    text, (remark,) = read_daily_notes_settings(vault).text("x.md", WHEN, vault)
    assert text == "<% tp.date.now() %>\n" and "Templater" in remark


def test_missing_template_is_reported(tmp_path: Path) -> None:
    vault = vault_with(tmp_path, template="Gone")
    text, (remark,) = read_daily_notes_settings(vault).text("x.md", WHEN, vault)
    assert text == "" and "Gone" in remark


PERIODIC = json.dumps({"daily": {"enabled": True, "format": "gggg-[W]ww/ddd", "folder": "P", "template": "T"}})


@pytest.mark.parametrize(
    ("core", "plugins", "expected"),
    [
        ('{"daily-notes": false}', '["periodic-notes"]', "P/2026-W45/Tue.md"),
        ('["file-explorer"]', '["periodic-notes"]', "P/2026-W45/Tue.md"),
        ('{"daily-notes": true}', '["periodic-notes"]', "Core/2026-11-03.md"),
        ('["daily-notes"]', '["periodic-notes"]', "Core/2026-11-03.md"),
        ('{"daily-notes": false}', "[]", "Core/2026-11-03.md"),
        ("", '["periodic-notes"]', "Core/2026-11-03.md"),
    ],
)
def test_periodic_notes_settings_are_used_where_the_core_plugin_is_off(
    tmp_path: Path, core: str, plugins: str, expected: str
) -> None:
    files: dict[str, str | bytes] = {
        ".obsidian/core-plugins.json": core,
        ".obsidian/community-plugins.json": plugins,
        ".obsidian/plugins/periodic-notes/data.json": PERIODIC,
    }
    assert path(vault_with(tmp_path, files, folder="Core")) == expected


PARTS = st.lists(
    st.sampled_from(["YYYY", "MM", "[..]", "..", ".", "/", "\\", "[/]", "L", " ", ":", "[", "]", "x", "é", "\0"])
)


@pytest.mark.slow
@given(PARTS.map("".join), PARTS.map("".join))
def test_f4_formats_and_folders_cannot_lead_out_of_the_vault(form: str, folder: str) -> None:
    try:
        found = DailyNotes(form, folder).path(WHEN, EMPTY)
    except InvalidError:
        return
    assert EMPTY.file(found).is_relative_to(EMPTY.root)
    names = found.split("/")
    assert all(name == name.strip() and name.strip(". ") and name[0] != "." for name in names)
    assert not set(found) & set('\\:*?"<>|\0') and len(names[-1]) > len(".md")
