"""Files that iCloud Drive has moved off this computer: `.NAME.icloud` is there in place of `NAME`."""

from datetime import datetime
from pathlib import Path

import pytest

from tests.vault.making import check, make_files
from vaultkit import files, stdio
from vaultkit.errors import InvalidError, MissingNote, WriteError
from vaultkit.vault import Vault
from vaultkit.vault.daily_notes import DailyNotes
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3)
PLACEHOLDER = b"bplist00 no text"


def evict(file: Path) -> None:
    """Move a file to iCloud, as macOS does."""
    file.unlink(missing_ok=True)
    file.with_name(f".{file.name}.icloud").write_bytes(PLACEHOLDER)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = make_files(
        tmp_path,
        {
            "Home.md": "[[Mill#Wheel]] [[Mill]] ![[Maps/map.png]] [[Board.canvas]] [[Lost]]\n",
            "World/Mill.md": "# Mill\n",
            "Maps/map.png": b"",
            "Board.canvas": "{}",
        },
    )
    for path in ("World/Mill.md", "Maps/map.png", "Board.canvas"):
        evict(made.root / path)
    return made


def test_links_to_icloud_notes_are_not_broken_and_each_is_reported_once(vault: Vault) -> None:
    problems = check(vault).problems
    assert [(one.note, one.code, one.severity) for one in problems] == [
        ("Board.canvas", "not-downloaded", "warning"),
        ("Home.md", "link-unwritten", "remark"),
        ("Maps/map.png", "not-downloaded", "warning"),
        ("World/Mill.md", "not-downloaded", "warning"),
    ]


def test_check_of_one_folder_reports_only_its_own_icloud_notes(vault: Vault) -> None:
    assert [one.note for one in check(vault, ["World/"]).problems] == ["World/Mill.md"]


def test_reading_an_icloud_note_requests_its_download(vault: Vault) -> None:
    for read in (
        lambda: vault.read("World/Mill.md"),
        lambda: vault.find("Mill"),
        lambda: Vault(vault.root).find("mill"),
    ):
        with pytest.raises(InvalidError, match="is in the cloud; download it first") as caught:
            read()
        assert not isinstance(caught.value, MissingNote) and "Download Now" in caught.value.hint
    with pytest.raises(MissingNote):
        vault.read("World/Lost.md")


def test_placeholder_beside_its_file_and_other_hidden_files_are_ignored(tmp_path: Path) -> None:
    vault = make_files(
        tmp_path, {"A.md": "", ".A.md.icloud": PLACEHOLDER, ".icloud": "", "..x.icloud": "", "b.icloud": ""}
    )
    assert vault.listing.evicted == {} and vault.files.paths == ("A.md", "b.icloud")
    assert vault.read("A.md").text == ""


@pytest.mark.parametrize("path", ["World/Mill.md", "World/mill.md", "Maps/map.png", "Board.canvas"])
def test_note_in_icloud_is_not_created_a_second_time(vault: Vault, path: str) -> None:
    if path == "World/mill.md" and (vault.root / "maps").exists():
        pytest.skip("Here both are one name.")
    writer = Writer(vault, "log", NOW)
    writer.create("Other.md", "text")
    writer.create(path, "text", plan_if_exists=lambda _: None)
    with pytest.raises(WriteError, match="is in the cloud; download it first"):
        writer.commit()
    assert not (vault.root / path).exists() and not (vault.root / "Other.md").exists()


@pytest.mark.parametrize(
    "write",
    [
        lambda file: atomic_file.create(file, b"x"),
        lambda file: atomic_file.create_with_folder(file, b"x"),
        lambda file: atomic_file.put(file, b"x"),
        lambda file: files.open_state(file, "xb"),
        lambda file: files.open_state(file, "ab"),
        lambda file: files.open_plain(file, "r+b"),
        files.read,
        files.read_state,
        lambda file: stdio.read_input(file, files.STATE_BYTES),
        lambda file: [*files.read_lines(file)],
    ],
)
def test_every_way_to_open_a_file_handles_icloud_placeholders(tmp_path: Path, write: object) -> None:
    evict(tmp_path / "state.json")
    with pytest.raises((WriteError, files.NotDownloaded), match="it is in the cloud; download it first"):
        write(tmp_path / "state.json")  # type: ignore[operator]
    assert [file.name for file in tmp_path.iterdir()] == [".state.json.icloud"]


def test_icloud_files_match_patterns(tmp_path: Path) -> None:
    make_files(tmp_path, {"games/a.toml": "", "games/.b.toml.icloud": PLACEHOLDER, "games/.c.txt.icloud": PLACEHOLDER})
    assert [path.name for path in files.list_files(tmp_path, "games/*.toml")] == ["a.toml", "b.toml"]
    assert [path.name for path in files.list_files(tmp_path, "**/*.txt")] == ["c.txt"]


def test_daily_note_is_not_created_while_its_settings_are_in_icloud(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": ""})
    evict(tmp_path / ".obsidian" / "daily-notes.json")
    with pytest.raises(InvalidError, match="is in the cloud"):
        DailyNotes().path(NOW, vault)


def test_everything_works_after_the_download(vault: Vault) -> None:
    (vault.root / "World" / ".Mill.md.icloud").unlink()
    (vault.root / "World" / "Mill.md").write_text("# Mill\n", encoding="utf-8")
    assert [one.code for one in check(Vault(vault.root)).problems if one.note == "World/Mill.md"] == []
    assert Vault(vault.root).find("Mill").text == "# Mill\n"
