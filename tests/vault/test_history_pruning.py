"""The entries that leave the history, by age and by size, and those that never do."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vaultkit.settings import HistorySettings
from vaultkit.vault import Vault
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.history import Entry, History, Write, entry_files
from vaultkit.vault.writing.history.maintenance import (
    MIN_KEPT_ENTRIES,
    SIZE_CHECK_INTERVAL_ENTRIES,
    folder_size,
    limits_to_enforce,
    load_limits,
    prune,
)
from vaultkit.vault.writing.splice import append
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3, 20, 15, tzinfo=UTC)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    (tmp_path / "vault").mkdir()
    return History(Vault(tmp_path / "vault"))


def fill(history: History, ages: list[int], bytes_each: int = 10) -> None:
    """Entries of so many days of age, oldest first."""
    for number, days in enumerate(ages, 1):
        when = (NOW - timedelta(days=days)).isoformat()
        entry = Entry(f"{number:06d}-log", "log", "", when)
        history.record(entry, Write("n.md", 0, "", "x", "a", "b", done=True), b"x" * bytes_each)


def numbers(history: History) -> list[int]:
    return [int(entry.number) for entry in history.entries()][::-1]


def test_entries_older_than_the_limit_are_deleted(history: History) -> None:
    fill(history, [400, 366, 364, *[9] * MIN_KEPT_ENTRIES])
    prune(history.folder, HistorySettings(days=365, megabytes=0), NOW)
    assert numbers(history) == list(range(3, 4 + MIN_KEPT_ENTRIES))


def test_newest_entries_are_never_deleted(history: History) -> None:
    fill(history, [900] * (MIN_KEPT_ENTRIES + 2))
    prune(history.folder, HistorySettings(days=1, megabytes=1), NOW)
    assert numbers(history) == list(range(3, 3 + MIN_KEPT_ENTRIES))


def test_excess_entries_are_deleted_oldest_first_except_todays(history: History) -> None:
    fill(history, [5, 4, 3, 0, *[0] * MIN_KEPT_ENTRIES], bytes_each=200_000)
    prune(history.folder, HistorySettings(days=0, megabytes=4), NOW)
    assert numbers(history)[0] == 4
    assert len(numbers(history)) == MIN_KEPT_ENTRIES + 1


def test_no_more_entries_than_necessary_are_deleted(history: History) -> None:
    fill(history, [5] * (MIN_KEPT_ENTRIES + 5), bytes_each=100_000)
    prune(history.folder, HistorySettings(days=0, megabytes=3), NOW)
    assert numbers(history)[0] == 1
    prune(history.folder, HistorySettings(days=0, megabytes=2), NOW)
    assert numbers(history)[0] == 6
    fill(history, [5] * (MIN_KEPT_ENTRIES + 5), bytes_each=200_000)
    prune(history.folder, HistorySettings(days=0, megabytes=5), NOW)
    kept = sum(folder_size(history.folder / name) for name in entry_files.list_names(history.folder))
    assert 4_800_000 < kept <= 5_000_000


def test_settings_can_disable_pruning(history: History) -> None:
    fill(history, [900] * (MIN_KEPT_ENTRIES + 3), bytes_each=100_000)
    prune(history.folder, HistorySettings(days=0, megabytes=0), NOW)
    assert len(numbers(history)) == MIN_KEPT_ENTRIES + 3


def test_entry_needed_by_an_unfinished_undo_is_not_deleted(history: History) -> None:
    fill(history, [900] * 5 + [9] * MIN_KEPT_ENTRIES)
    entries = list(history.entries())[::-1]
    history.save(replace(entries[0], undoing=True))
    both = replace(entries[1], writes=(entries[1].writes[0], entries[1].writes[0]))
    history.save(both.with_undone([0], is_undone=True))
    history.save(replace(entries[-1], undoing=True, undoes=entries[2].id))
    history.save(entries[3].with_undone([0], is_undone=True))
    prune(history.folder, HistorySettings(days=365, megabytes=0), NOW)
    assert numbers(history)[:4] == [1, 2, 3, 6]


def test_partly_deleted_entry_is_hidden_and_swept(history: History) -> None:
    fill(history, [9, 8])
    (history.folder / "000001-log").rename(history.folder / "000001-log.gone")
    assert numbers(history) == [2]
    prune(history.folder, HistorySettings(), NOW)
    assert not (history.folder / "000001-log.gone").exists()


def test_write_prunes_with_the_defaults_if_settings_are_unreadable(history: History) -> None:
    root = history.folder.parents[1]
    (root / ".vaultkit").mkdir(exist_ok=True)
    (root / ".vaultkit/config.toml").write_text("[history\n", encoding="utf-8")
    assert load_limits(root) == HistorySettings()
    (root / ".vaultkit/config.toml").write_text("[history]\ndays = 30\nmegabytes = 0\n", encoding="utf-8")
    fill(history, [31, 29, *[9] * MIN_KEPT_ENTRIES])
    assert history.begin("log", "", NOW.isoformat()).id == f"{MIN_KEPT_ENTRIES + 3:06d}-log"
    assert numbers(history)[0] == 2


def test_foreign_files_are_not_deleted(history: History) -> None:
    fill(history, [900] * (MIN_KEPT_ENTRIES + 1))
    (history.folder / "aside").mkdir()
    (history.folder / "000000-torn").mkdir()
    (history.folder / "000000-torn/entry.json").write_bytes(b"{")
    prune(history.folder, HistorySettings(days=1, megabytes=1), NOW)
    assert (history.folder / "aside").is_dir() and (history.folder / "000000-torn").is_dir()
    assert len(numbers(history)) == MIN_KEPT_ENTRIES


def test_total_size_is_checked_only_occasionally(history: History) -> None:
    root = history.folder.parents[1]
    (root / ".vaultkit").mkdir(exist_ok=True)
    (root / ".vaultkit/config.toml").write_text("[history]\ndays = 0\nmegabytes = 1\n", encoding="utf-8")
    assert [
        limits_to_enforce(root, number).megabytes
        for number in (SIZE_CHECK_INTERVAL_ENTRIES - 1, SIZE_CHECK_INTERVAL_ENTRIES, SIZE_CHECK_INTERVAL_ENTRIES + 1)
    ] == [0, 1, 0]
    fill(history, [9] * (2 * SIZE_CHECK_INTERVAL_ENTRIES - 2), bytes_each=50_000)
    before = numbers(history)
    history.begin("log", "", NOW.isoformat())
    assert numbers(history) == before
    fill(history, [9] * (2 * SIZE_CHECK_INTERVAL_ENTRIES - 1), bytes_each=50_000)
    history.begin("log", "", NOW.isoformat())
    assert len(numbers(history)) == MIN_KEPT_ENTRIES


@pytest.mark.slow
def test_write_reads_only_the_newest_entries_of_a_large_history(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(history, [9] * 120)
    vault = Vault(history.folder.parents[1])
    (vault.root / "a.md").write_bytes(b"a\n")
    read: list[str] = []
    monkeypatch.setattr(
        entry_files, "load", lambda place, *more, load=entry_files.load: read.append(place.name) or load(place, *more)
    )
    for number in range(3):
        writer = Writer(vault, "log", NOW, str(number))
        writer.change("a.md", lambda note: append(note, "- line"))
        writer.commit()
        recover_leftovers(vault, [vault.root], max_age_seconds=0.0)
    assert len(set(read)) <= MIN_KEPT_ENTRIES + 5
