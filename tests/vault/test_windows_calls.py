"""Writing and reading on Windows, where other programs hold files and clouds are offline, with calls that stand in."""

import errno
import os
import time
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from unicodedata import normalize

import pytest

from tests.vault.making import check, make_files
from tests.vault.windows import MOVED_AWAY, Windows
from vaultkit import file_errors, files
from vaultkit.campaign.undo import undo
from vaultkit.errors import InvalidError, VaultkitError, WriteError
from vaultkit.file_errors import hint_for, reason_for, retry_if_in_use, windows_error
from vaultkit.vault import Note, Vault
from vaultkit.vault.vault import UNLOCKABLE_ROOTS
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.lock import vault_lock
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer

OLD, NEW = b"## Log\n", b"## Log\n\n- ours ^vk-x\n"
NOW = datetime(2026, 11, 3)
IN_USE = [5, 32, 33, 1175, 1176, MOVED_AWAY, 1224]
CLOUD = [358, 362, 363, 389, 395, 396, 404]
MAX_WAIT_SECONDS = 3.0


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    return make_files(tmp_path, {"n.md": OLD, "Home.md": "[[n]] [[Far]]\n", "Far.md": "# Far\n"})


@pytest.fixture
def windows(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> Windows:
    return Windows(monkeypatch)


def write(vault: Vault) -> tuple[str, ...]:
    def line(note: Note) -> Splice | None:
        return None if "vk-x" in note.blocks else insert_under(note, "Log", "- ours ^vk-x")

    writer = Writer(Vault(vault.root), "log", NOW, "s")
    writer.change("n.md", line)
    return writer.commit()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name not in (files.VAULTKIT_FOLDER, ".obsidian"))


@pytest.mark.parametrize("code", IN_USE)
def test_note_held_for_a_moment_is_written(vault: Vault, windows: Windows, code: int) -> None:
    windows.hold(vault.root / "n.md", code, attempts=2)
    assert write(vault) == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == NEW
    assert names(vault.root) == ["Far.md", "Home.md", "n.md"]
    assert 0 < sum(windows.waits) < MAX_WAIT_SECONDS
    assert undo(Vault(vault.root)).restored == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == OLD


@pytest.mark.parametrize("alone", [False, True], ids=["readable", "unreadable"])
@pytest.mark.parametrize("code", IN_USE)
def test_note_held_all_the_time_stays_and_the_command_can_be_repeated(
    vault: Vault, windows: Windows, code: int, alone: bool
) -> None:
    windows.hold(vault.root / "n.md", code, alone=alone)
    with pytest.raises(VaultkitError) as caught:
        write(vault)
    assert "n.md" in caught.value.where and "Obsidian" in caught.value.hint
    assert sum(windows.waits) < MAX_WAIT_SECONDS
    left = [path.read_bytes() for path in vault.root.iterdir() if path.name == "n.md" or path.suffix == ".swap"]
    assert left == [OLD], "error 1177 leaves it under its backup's name"
    windows.release()
    recover_leftovers(vault, [])
    assert (vault.root / "n.md").read_bytes() == OLD and names(vault.root) == ["Far.md", "Home.md", "n.md"]
    assert write(vault) == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == NEW
    assert undo(Vault(vault.root)).restored == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == OLD


@pytest.mark.parametrize("code", CLOUD)
def test_cloud_that_refuses_is_told_at_once(vault: Vault, windows: Windows, code: int) -> None:
    windows.hold(vault.root / "n.md", code)
    with pytest.raises(WriteError) as caught:
        write(vault)
    assert "OneDrive" in caught.value.message and "online" in caught.value.hint and windows.waits == []
    windows.release()
    assert (vault.root / "n.md").read_bytes() == OLD and names(vault.root) == ["Far.md", "Home.md", "n.md"]
    assert write(vault) == ("n.md",) and (vault.root / "n.md").read_bytes() == NEW


@pytest.mark.parametrize("code", [1, 50, 120])
def test_drive_without_the_call_keeps_the_old_file_by_a_link(vault: Vault, windows: Windows, code: int) -> None:
    windows.hold(vault.root / "n.md", code, attempts=1)
    assert write(vault) == ("n.md",) and (vault.root / "n.md").read_bytes() == NEW
    assert names(vault.root) == ["Far.md", "Home.md", "n.md"] and windows.waits == []


def test_note_held_for_a_moment_is_read(vault: Vault, windows: Windows) -> None:
    windows.hold(vault.root / "n.md", 32, attempts=2, alone=True)
    assert vault.read("n.md").data == OLD and 0 < sum(windows.waits) < 1


def test_held_notes_are_reported_after_a_bounded_wait(vault: Vault, windows: Windows) -> None:
    for number in range(200):
        path = vault.root / f"held {number}.md"
        path.write_bytes(b"")
        windows.hold(path, 32, alone=True)
    problems = [one for one in check(Vault(vault.root)).problems if one.code == "unreadable"]
    assert len(problems) == 200 and all("Windows does not allow it" in one.message and one.hint for one in problems)
    assert sum(windows.waits) <= file_errors._MAX_LOST_SECONDS + 1


def test_held_files_are_waited_for_again_after_a_while(windows: Windows, monkeypatch: pytest.MonkeyPatch) -> None:
    def count_waits() -> int:
        before = len(windows.waits)
        with pytest.raises(PermissionError):
            retry_if_in_use(lambda: (_ for _ in ()).throw(PermissionError(13, "Permission denied")), 0.05)
        return len(windows.waits) - before

    counts = [count_waits() for _ in range(20)]
    assert counts[0] == 5 and counts[-1] == 0
    later = time.monotonic() + 120
    monkeypatch.setattr(file_errors.time, "monotonic", lambda: later)
    assert count_waits() == 5


def test_new_note_is_created_while_a_scanner_holds_it(vault: Vault, windows: Windows) -> None:
    real_rename, left = windows.rename, [32, 5]

    def scanned(source: Path, target: Path) -> None:
        if left:
            raise windows_error(left.pop(), str(source))
        real_rename(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "rename", scanned)
        atomic_file.create(vault.root / "new.md", NEW)
    assert (vault.root / "new.md").read_bytes() == NEW
    with pytest.raises(atomic_file.FileAlreadyExists):
        atomic_file.create(vault.root / "n.md", NEW)
    assert (vault.root / "n.md").read_bytes() == OLD and "new.md" in names(vault.root) and len(names(vault.root)) == 4


def test_folder_that_must_not_be_written_into_is_told_soon(vault: Vault, windows: Windows) -> None:
    """As Windows' controlled folder access: each new file is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", lambda *_, **__: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
        with pytest.raises(WriteError) as caught:
            atomic_file.create(vault.root / "new.md", NEW)
    assert "Controlled folder access" in caught.value.hint and sum(windows.waits) < 1
    assert names(vault.root) == ["Far.md", "Home.md", "n.md"]


def test_path_that_is_too_long_is_told(vault: Vault, windows: Windows) -> None:
    folder = vault.root / ("a" * 200) / ("b" * 100)
    folder.mkdir(parents=True)
    with pytest.raises(WriteError) as caught:
        atomic_file.create(folder / "new.md", NEW)
    assert "its path is too long" in caught.value.message and "259" in caught.value.hint
    for code in (206, 3):
        error = windows_error(code, "C:\\" + "x" * 300)
        assert reason_for(error) == "its path is too long" and hint_for(error)
    assert reason_for(windows_error(3, "C:\\short")) != "its path is too long"


def test_name_that_windows_does_not_allow_is_no_fault_of_the_drive() -> None:
    error = windows_error(123, "C:\\Vault\\*.pdf")
    assert "name" in reason_for(error) and "*" in hint_for(error) and "drive" not in hint_for(error)


def test_files_that_are_only_in_onedrive_are_reported_and_not_read(vault: Vault, windows: Windows) -> None:
    windows.move_to_cloud(vault.root / "Far.md", vault.root / "n.md")
    problems = check(Vault(vault.root)).problems
    assert [(one.note, one.code) for one in problems] == [("Far.md", "not-downloaded"), ("n.md", "not-downloaded")]
    with pytest.raises(InvalidError, match="in the cloud; download it first"):
        Vault(vault.root).find("Far")
    with pytest.raises(VaultkitError, match="in the cloud; download it first"):
        write(vault)
    with pytest.raises(files.NotDownloaded, match="in the cloud; download it first"):
        atomic_file.put(vault.root / "n.md", NEW)
    assert not {"Far.md", "n.md"} & {Path(path).name for path in windows.opened}


def test_note_that_goes_offline_while_it_is_read_is_unreadable(vault: Vault, windows: Windows) -> None:
    windows.move_to_cloud(vault.root / "Far.md")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "is_cloud_only", lambda _: False)
        (problem,) = (one for one in check(Vault(vault.root)).problems if one.note == "Far.md")
    assert problem.code == "unreadable" and problem.hint


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (SimpleNamespace(st_file_attributes=0x20), False),
        (SimpleNamespace(st_file_attributes=0x501620), True),  # online-only in OneDrive
        (SimpleNamespace(st_file_attributes=0x80420), False),  # always kept on this device
        (SimpleNamespace(st_file_attributes=0x40000), True),
        (SimpleNamespace(st_file_attributes=0x1000), True),
        (SimpleNamespace(st_flags=0x40000020), True),  # a dataless file of macOS
        (SimpleNamespace(st_flags=0x20), False),
        (SimpleNamespace(), False),
    ],
)
def test_attributes_of_files_in_the_cloud(status: object, expected: bool) -> None:
    assert files.is_cloud_only(status) is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(("code", "is_unsupported"), [(1, True), (50, True), (120, True), (5, False), (64, False)])
def test_drive_that_cannot_lock(
    vault: Vault, windows: Windows, code: int, is_unsupported: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LockFileEx on a network drive or in a folder of a cloud."""
    import filelock

    class Lock(filelock.FileLock):  # type: ignore[misc]
        def acquire(self, *words: object, **named: object) -> object:
            if str(vault.root) in self.lock_file:
                raise windows_error(code, self.lock_file)
            return super().acquire(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(filelock, "FileLock", Lock)
    if is_unsupported:
        assert write(vault) == ("n.md",) and vault.root in UNLOCKABLE_ROOTS
        UNLOCKABLE_ROOTS.discard(vault.root)
        return
    with pytest.raises(WriteError) as caught, vault_lock(vault.root):
        pass
    assert "cannot be taken" in caught.value.message and (vault.root / "n.md").read_bytes() == OLD
    assert caught.value.hint


@pytest.mark.parametrize("fails", [False, True])
def test_macos_empties_the_memory_of_the_disk(vault: Vault, monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    fcntl = pytest.importorskip("fcntl")
    full, plain, real_fcntl, real_fsync = [], [], fcntl.fcntl, os.fsync

    def call(descriptor: int, command: int, *rest: int) -> object:
        if command != 51:
            return real_fcntl(descriptor, command, *rest)
        if fails:
            raise OSError(errno.ENOTSUP, "not supported")
        full.append(os.fstat(descriptor).st_ino)
        return 0

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", call)
    monkeypatch.setattr(os, "fsync", lambda descriptor: plain.append(real_fsync(descriptor)))
    write(vault)
    assert bool(full) is not fails and bool(plain) is fails
    assert fails or (vault.root / "n.md").stat().st_ino in full


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("path", ["Café/new.md", "café/new.md", "CAFÉ/Deep/new.md", "café/tea.md", "Café/TEA.md"])
def test_new_note_or_folder_that_is_the_same_name_elsewhere_is_refused(tmp_path: Path, path: str, form: str) -> None:
    """Windows and macOS know no case in names, and macOS no normal form; links know neither."""
    vault = make_files(tmp_path, {"Café/Tea.md": "", "Home.md": "[[café/tea]] [[TEA]]"})
    before = sorted(tmp_path.rglob("*"))
    writer = Writer(vault, "log", NOW)
    writer.create(normalize(form, path), "text")
    if path == "Café/new.md" and form == "NFC":
        assert writer.commit() == ("Café/new.md",)
        return
    with pytest.raises(WriteError, match="the same name on Windows and macOS"):
        writer.commit()
    assert [path for path in sorted(tmp_path.rglob("*")) if files.VAULTKIT_FOLDER not in path.parts] == before
    assert check(vault).problems == ()
