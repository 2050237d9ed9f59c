"""Two computers that share a vault through a sync tool, and gave their entries the same number."""

import os
import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from vaultkit.campaign import undo as taking_back
from vaultkit.errors import UsageError, WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History, entry_files
from vaultkit.vault.writing.splice import append
from vaultkit.vault.writing.write import Writer

NOTES = ("Hers.md", "His.md")


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for note in NOTES:
        (tmp_path / "vault").mkdir(exist_ok=True)
        (tmp_path / "vault" / note).write_bytes(f"# {note}\n".encode())
    return Vault(tmp_path / "vault")


def write(vault: Vault, note: str, command: str = "log") -> None:
    writer = Writer(vault, command, datetime(2026, 11, 3), note)
    writer.change(note, lambda found: append(found, f"- {note}"))
    writer.commit()


def synced(vault: Vault, command: str = "log", conflict: str = "{stem} (conflicted copy){suffix}") -> Vault:
    """Both logged while they were not connected; then his files came into hers, with longer names where needed."""
    other = Vault(Path(shutil.copytree(vault.root, vault.root.with_name("other"))))
    write(vault, NOTES[0])
    write(other, NOTES[1], command)
    shutil.copy(other.root / NOTES[1], vault.root / NOTES[1])
    for path in (other.root / ".vaultkit" / "history").glob("0*/*"):
        place = vault.root / path.relative_to(other.root)
        place.parent.mkdir(exist_ok=True)
        while place.exists():
            place = place.with_name(conflict.format(stem=place.stem, suffix=place.suffix))
        shutil.copy(path, place)
    return vault


@pytest.mark.short(2)
@pytest.mark.parametrize(
    "conflict", ["{stem} (conflicted copy){suffix}", "{stem}.sync-conflict-20261103{suffix}", "{stem}-LAPTOP{suffix}"]
)
@pytest.mark.parametrize("swapped", [False, True])
def test_entries_merged_in_one_folder_are_separated_and_can_be_undone(
    vault: Vault, conflict: str, swapped: bool
) -> None:
    synced(vault, conflict=conflict)
    place = vault.root / ".vaultkit" / "history" / "000001-log"
    if swapped:  # of each file such a tool may keep another one
        ours, theirs = place / "entry.json", place / conflict.format(stem="entry", suffix=".json")
        ours.rename(place / "x")
        theirs.rename(ours)
        (place / "x").rename(theirs)
    assert {entry.id for entry in taking_back.list_entries(vault)} == {"000001-log", "000001-log-2"}
    shown = [taking_back.show_entry(vault, entry.id)[1][0] for entry in taking_back.list_entries(vault)]
    assert not any(write.missing for write in shown)
    with pytest.raises(UsageError, match="2 writes have the number 1") as caught:
        taking_back.undo(vault, "1")
    assert "000001-log-2" in caught.value.message and caught.value.hint.endswith("vaultkit undo 000001-log")
    for entry in ("000001-log", "000001-log-2"):
        taking_back.undo(vault, entry)
    assert [(vault.root / note).read_bytes() for note in NOTES] == [f"# {note}\n".encode() for note in NOTES]


def test_next_write_separates_merged_entries_too(vault: Vault) -> None:
    synced(vault)
    write(vault, NOTES[0])
    assert [entry.id for entry in History(vault).entries()] == ["000002-log", "000001-log-2", "000001-log"]
    assert not History(vault).has_mixed_entries


def test_two_folders_with_one_number_are_distinguished(vault: Vault) -> None:
    synced(vault, "stats")
    with pytest.raises(UsageError):
        taking_back.show_entry(vault, "1")
    taking_back.undo(vault, "000001-stats")
    assert taking_back.undo(vault, "1").meant.id == "000001-log", "only one of them stands now"


def test_different_state_of_an_entry_is_the_same_entry(vault: Vault) -> None:
    write(vault, NOTES[0])
    place = vault.root / ".vaultkit" / "history" / "000001-log"
    shutil.copy(place / "entry.json", place / "entry 2.json")
    taking_back.undo(vault, "1")
    assert len(list(History(vault).entries())) == 2 and not History(vault).has_mixed_entries
    assert entry_files.load(place, "entry 2.json") is not None


def test_history_on_a_read_only_disk_can_be_listed(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    synced(vault)
    monkeypatch.setattr(Path, "mkdir", read_only)
    assert [entry.id for entry in taking_back.list_entries(vault)] == ["000001-log"]


def test_entry_marked_interrupted_by_another_computer_is_restored_from_its_copy(vault: Vault) -> None:
    """Synced halfway, its last write looked as if a crash had prevented it."""
    write(vault, NOTES[0])
    place = vault.root / ".vaultkit" / "history" / "000001-log"
    shutil.copy(place / "entry.json", place / "entry 2.json")
    entry = entry_files.load(place)
    assert entry is not None
    History(vault).save(replace(entry, writes=()))
    assert taking_back.undo(vault).meant.id == "000001-log-2"
    assert (vault.root / NOTES[0]).read_bytes() == f"# {NOTES[0]}\n".encode()


def test_copied_folder_is_another_entry_and_is_not_undone_twice(vault: Vault) -> None:
    write(vault, NOTES[0])
    history = vault.root / ".vaultkit" / "history"
    shutil.copytree(history / "000001-log", history / "000001-log (conflicted copy)")
    taking_back.undo(vault, "000001-log")
    with pytest.raises(WriteError, match="nothing was undone"):
        taking_back.undo(vault, "000001-log-conflicted-copy")
    assert (vault.root / NOTES[0]).read_bytes() == f"# {NOTES[0]}\n".encode()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"when": "', '"when": 5, "x": "'),
        ('"offset": ', '"offset": null, "x": '),
        (f'"path": "{NOTES[0]}"', '"path": ".obsidian/app.json"'),
        (f'"path": "{NOTES[0]}"', '"path": "a/.git/config"'),
        (f'"path": "{NOTES[0]}"', '"path": ".vaultkit"'),
        (f'"path": "{NOTES[0]}"', '"path": "../n.md"'),
    ],
)
def test_invalid_entry_is_skipped(vault: Vault, right: str, wrong: str) -> None:
    for note in NOTES:
        write(vault, note)
    file = vault.root / ".vaultkit" / "history" / "000001-log" / "entry.json"
    text = file.read_text("utf-8")
    assert right in text
    file.write_text(text.replace(right, wrong), "utf-8")
    assert [entry.id for entry in taking_back.list_entries(vault)] == ["000002-log"]


def read_only(*_: object, **__: object) -> None:
    raise PermissionError(30, "Read-only file system")
