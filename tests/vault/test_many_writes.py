"""Many notes changed by one command: recorded at once, written one by one, and taken back like any other writes."""

import contextlib
import errno
import json
import os
import signal
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from vaultkit.campaign.undo import undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing import atomic_file, atomic_swap
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.splice import Splice, append
from vaultkit.vault.writing.write import Writer

NOTES = 12
HERE = 5
"""The note that something happens to."""

Replace = Callable[..., bool]
Hinder = Callable[[Callable[[Path], object]], None]


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(atomic_file, "MAX_PARALLEL_FILES", 4)
    return make(tmp_path, NOTES)


def make(root: Path, number: int) -> Vault:
    for index in range(number):
        folder = root / f"{index % 3}"
        folder.mkdir(exist_ok=True)
        (folder / f"{index:03}.md").write_text(f"# {index}\r\n\r\ntext\r\n" if index % 5 else "")
    return Vault(root)


def contents(vault: Vault) -> dict[str, bytes]:
    return {path.relative_to(vault.root).as_posix(): path.read_bytes() for path in sorted(vault.root.glob("?/*.md"))}


def line(note: Note) -> Splice | None:
    return None if "- ours" in note.text else append(note, "- ours")


def change_all(vault: Vault) -> tuple[str, ...]:
    fresh = Vault(vault.root)
    writer = Writer(fresh, "check --fix", datetime(2026, 11, 3))
    for path in fresh.note_paths:
        writer.change(path, line)
    return writer.commit()


def changed(vault: Vault) -> list[bool]:
    return [b"- ours" in data for data in contents(vault).values()]


@pytest.fixture
def hinder(monkeypatch: pytest.MonkeyPatch) -> Hinder:
    """Do something just before the sixth file is replaced."""

    def patch(deed: Callable[[Path], object]) -> None:
        real, calls = atomic_file.replace, []

        def replace(target: Path, *arguments: object, **options: bool) -> bool:
            calls.append(target)
            if len(calls) == HERE + 1:
                deed(target)
            return real(target, *arguments, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(atomic_file, "replace", replace)

    return patch


def killed(target: Path) -> None:
    raise KeyboardInterrupt


def test_many_writes_are_stored_in_one_file_undone_and_redone(vault: Vault) -> None:
    before = contents(vault)
    assert len(change_all(vault)) == NOTES
    after, (entry,) = contents(vault), History(vault).entries()
    assert all(changed(vault))
    assert (entry.state, entry.complete, [write.done for write in entry.writes]) == ("", True, [True] * NOTES)
    assert not list((History(vault).folder / entry.id).glob("*.before"))
    kept = [History(vault).load_image(entry, index) for index in range(NOTES)]
    assert kept == [before[write.path] for write in entry.writes]
    undone = undo(vault)
    assert contents(vault) == before
    assert len(undo(Vault(vault.root), undone.again).restored) == NOTES
    assert contents(vault) == after
    recover_leftovers(Vault(vault.root), (), max_age_seconds=0)
    assert not list((History(vault).folder / "aside").iterdir())


def test_change_by_another_program_is_preserved_and_all_notes_are_written(vault: Vault, hinder: Hinder) -> None:
    hinder(lambda target: target.write_bytes(target.read_bytes() + b"theirs\r\n"))
    assert len(change_all(vault)) == NOTES
    (entry,) = History(vault).entries()
    assert all(changed(vault)) and entry.complete and all(write.done for write in entry.writes)
    undo(vault)
    theirs = [data.endswith(b"theirs\r\n") for data in contents(vault).values()]
    assert not any(changed(vault)) and theirs.count(True) == 1


def test_text_already_written_by_another_program_is_not_written_twice(vault: Vault, hinder: Hinder) -> None:
    hinder(lambda target: target.write_bytes(target.read_bytes() + b"- ours\r\n"))
    change_all(vault)
    assert [data.count(b"- ours") for data in contents(vault).values()] == [1] * NOTES


@pytest.mark.parametrize("progress", [True, False])
def test_crash_midway_leaves_created_notes_that_can_be_undone(vault: Vault, hinder: Hinder, progress: bool) -> None:
    before = contents(vault)
    hinder(killed)
    with pytest.raises(KeyboardInterrupt):
        change_all(vault)
    (entry,) = History(vault).entries()
    assert not list(vault.root.glob("?/.vaultkit-*"))
    assert (entry.state, sum(changed(vault))) == ("cut off", HERE)
    assert [write.done for write in entry.writes] == [True] * HERE + [False] * (NOTES - HERE)
    if not progress:
        (History(vault).folder / entry.id / "progress").unlink()
    assert len(undo(Vault(vault.root)).restored) == HERE
    assert contents(vault) == before


@pytest.mark.short(1)
@pytest.mark.parametrize("progress", [None, b"", b"\0" * 30, b"0\n1", b"0\n\0\0\0\n"])
def test_undo_continues_after_a_power_cut_during_undo(vault: Vault, hinder: Hinder, progress: bytes | None) -> None:
    """The list of what is done never reached the disk, or not whole."""
    before = contents(vault)
    change_all(vault)
    cut_short_undo(vault, hinder, progress)
    assert sum(changed(vault)) == NOTES - HERE
    assert len(undo(Vault(vault.root)).restored) == NOTES - HERE
    assert contents(vault) == before
    assert [entry.state for entry in History(vault).entries() if not entry.undoes] == ["undone"]
    with pytest.raises(NothingFound):
        undo(Vault(vault.root))


@pytest.mark.short(1)
@pytest.mark.parametrize("lost", [[0], [1, 3], [0, 1, 2, 3, 4]])
def test_names_lost_in_a_power_cut_are_undone_again(vault: Vault, hinder: Hinder, lost: list[int]) -> None:
    """The list of what is done reached the disk, and some of the notes it names did not."""
    before = contents(vault)
    change_all(vault)
    after = contents(vault)
    cut_short_undo(vault, hinder, None)
    (place,) = History(vault).folder.glob("*-undo")
    undone = [write["path"] for write in json.loads((place / "entry.json").read_bytes())["writes"]]
    for index in lost:
        (vault.root / undone[index]).write_bytes(after[undone[index]])
    (place / "progress").write_text("".join(f"{index}\n" for index in range(HERE)))
    assert len(undo(Vault(vault.root)).restored) == NOTES - HERE + len(lost)
    assert contents(vault) == before


def cut_short_undo(vault: Vault, hinder: Hinder, progress: bytes | None) -> None:
    """An undo that ends before its sixth note, and of which the disk has this list of what is done."""
    hinder(killed)
    with pytest.raises(KeyboardInterrupt):
        undo(Vault(vault.root))
    (place,) = History(vault).folder.glob("*-undo")
    if progress is None:
        (place / "progress").unlink()
    else:
        (place / "progress").write_bytes(progress)


def test_command_finishes_the_remaining_writes_after_a_crash(vault: Vault, hinder: Hinder) -> None:
    before = contents(vault)
    hinder(killed)
    with pytest.raises(KeyboardInterrupt):
        change_all(vault)
    assert len(change_all(vault)) == NOTES - HERE
    assert all(changed(vault))
    assert [entry.state for entry in History(vault).entries()] == [""], "it is one command, and so is its undo"
    assert len(undo(Vault(vault.root)).restored) == NOTES
    assert contents(vault) == before


def test_command_that_changes_other_notes_than_planned_is_a_new_one(vault: Vault, hinder: Hinder) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "replace", lambda *_, **__: killed(vault.root))
        change_all(vault)
    hinder(killed)
    with pytest.raises(KeyboardInterrupt):
        change_all(vault)
    (vault.root / "0/new.md").write_text("text\n")
    assert len(change_all(vault)) == NOTES - HERE + 1
    assert [len(entry.writes) for entry in History(vault).entries()] == [NOTES - HERE + 1, HERE]


def test_unwritable_note_stops_the_writes(vault: Vault, hinder: Hinder) -> None:
    def held_open(target: Path) -> None:
        raise WriteError("Another program has this note open.")

    before = contents(vault)
    hinder(held_open)
    with pytest.raises(WriteError, match="has this note open"):
        change_all(vault)
    (entry,) = History(vault).entries()
    assert (len(entry.writes), sum(changed(vault))) == (HERE, HERE)
    undo(Vault(vault.root))
    assert contents(vault) == before


def test_each_note_is_on_disk_before_it_is_renamed(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, fsync, named = set[int](), os.fsync, list[bool]()

    def kept(descriptor: int) -> None:
        fsync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    def seen(fresh: Path, target: Path) -> Path | None:
        named.append(fresh.stat().st_ino in synced)
        return atomic_swap.exchange(fresh, target)

    monkeypatch.setattr(os, "fsync", kept)
    monkeypatch.setattr(atomic_file, "exchange", seen)
    change_all(vault)
    assert named == [True] * NOTES
    undo(vault)
    assert named == [True] * NOTES * 2


@pytest.mark.short(1)
@pytest.mark.parametrize("work", [change_all, undo])
@pytest.mark.parametrize("times", [1, 100])
def test_text_that_fails_to_reach_the_disk_is_retried_separately(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, work: Callable[[Vault], object], times: int
) -> None:
    """The file is the only one of its size; the disk refuses it once, or each time, as one that is full does."""
    original = contents(vault)
    sixth = vault.note_paths[HERE if work is change_all else NOTES - 1 - HERE]
    (vault.root / sixth).write_bytes(large := b"# Large\r\n" * 50)
    original[sixth], size, left = large, len(large), [times]
    if work is undo:
        change_all(vault)
    else:
        size += len(b"\r\n- ours\r\n")
    before, fsync = contents(vault), os.fsync

    def full(descriptor: int) -> None:
        if os.fstat(descriptor).st_size == size and left[0]:
            left[0] -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with contextlib.nullcontext() if times == 1 else pytest.raises(WriteError, match="No space left"):
        work(Vault(vault.root))
    done = [data != before[path] for path, data in contents(vault).items()]
    assert sum(done) == (NOTES if times == 1 else HERE)
    assert not list(vault.root.glob("?/.vaultkit-*"))
    monkeypatch.setattr(os, "fsync", fsync)
    if contents(vault) != original:
        undo(Vault(vault.root))
    assert contents(vault) == original


def test_interrupted_undo_of_many_writes_continues(vault: Vault, hinder: Hinder) -> None:
    before = contents(vault)
    change_all(vault)
    hinder(killed)
    with pytest.raises(KeyboardInterrupt):
        undo(vault)
    assert sum(changed(vault)) == NOTES - HERE
    undo(Vault(vault.root))
    assert contents(vault) == before
    with pytest.raises(NothingFound):
        undo(Vault(vault.root))


def test_undo_that_meets_another_program_reports_what_it_undid(vault: Vault, hinder: Hinder) -> None:
    change_all(vault)
    hinder(lambda target: target.write_bytes(target.read_bytes() + b"theirs\r\n"))
    with pytest.raises(WriteError, match="were undone"):
        undo(vault)
    assert sum(changed(vault)) == NOTES - HERE
    assert len(undo(Vault(vault.root), keep_edits=True).restored) == NOTES - HERE
    assert not any(changed(vault))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills")
def test_kills_at_any_moment_leave_whole_notes_that_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chance = Random(7)
    for number in range(count(6, 200)):
        (root := tmp_path / f"{number}").mkdir()
        vault = make(root, 60)
        before = contents(vault)
        _kill(change_all, vault, chance.uniform(0, 0.35))
        whole = {path: data + b"\r\n- ours\r\n" if data else b"- ours" for path, data in before.items()}
        assert all(data in (before[path], whole[path]) for path, data in contents(vault).items())
        if any(changed(vault)) and chance.random() < 0.5:
            _kill(undo, Vault(root), chance.uniform(0, 0.35))
        if any(changed(vault)):
            undo(Vault(root))
        assert contents(vault) == before, f"round {number}"
        change_all(vault)
        assert contents(vault) == whole
        undo(Vault(root))
        assert contents(vault) == before


def _kill(work: Callable[[Vault], object], vault: Vault, after: float) -> None:
    child = os.fork()
    if not child:
        work(vault)
        os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
