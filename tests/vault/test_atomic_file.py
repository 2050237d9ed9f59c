import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from vaultkit.errors import WriteError
from vaultkit.vault.writing import atomic_file, atomic_swap

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes and symbolic links")


def test_replace_writes_and_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"old")
    atomic_file.replace(note, b"new", atomic_file.sha256(b"old"))
    assert note.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [note]


@POSIX
@pytest.mark.parametrize("way", ["replace", "create"])
def test_new_content_is_on_disk_before_the_file_is_renamed(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, fsync = tmp_path / "n.md", os.fsync
    synced: list[tuple[str, bytes | None]] = []

    def watched(descriptor: int) -> None:
        status = os.fstat(descriptor)
        kind = "folder" if stat.S_ISDIR(status.st_mode) else f"file of {status.st_size}"
        synced.append((kind, note.read_bytes() if note.exists() else None))
        fsync(descriptor)

    if way == "replace":
        note.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", watched)
    if way == "replace":
        atomic_file.replace(note, b"newer", atomic_file.sha256(b"old"))
    else:
        atomic_file.create(note, b"newer")
    assert synced == [("file of 5", b"old" if way == "replace" else None), ("folder", b"newer")]


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o4711])
def test_file_mode_is_preserved(tmp_path: Path, mode: int) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"old")
    note.chmod(mode)
    atomic_file.replace(note, b"new", atomic_file.sha256(b"old"))
    assert stat.S_IMODE(note.stat().st_mode) == mode


@POSIX
def test_private_note_is_never_readable_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"old")
    note.chmod(0o600)
    modes: set[int] = set()

    def looking(act: Callable[..., None]) -> Callable[..., None]:
        def looked(*given: object, **options: object) -> None:
            modes.update(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir())
            act(*given, **options)

        return looked

    for place, name in ((os, "fsync"), (os, "chown"), (shutil, "copymode")):
        monkeypatch.setattr(place, name, looking(getattr(place, name)))
    atomic_file.replace(note, b"new", atomic_file.sha256(b"old"))
    assert modes == {0o600}


def test_file_changed_since_reading_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"theirs")
    before = note.stat()
    with pytest.raises(atomic_file.FileChanged):
        atomic_file.replace(note, b"new", atomic_file.sha256(b"old"))
    assert note.read_bytes() == b"theirs"
    assert (note.stat().st_ino, note.stat().st_ctime_ns) == (before.st_ino, before.st_ctime_ns), "not even for a moment"
    assert list(tmp_path.iterdir()) == [note]


def test_read_only_is_refused_even_for_root(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"old")
    note.chmod(0o444)
    with pytest.raises(WriteError) as caught:
        atomic_file.replace(note, b"new", atomic_file.sha256(b"old"))
    assert caught.value.exit_code == 5
    assert note.read_bytes() == b"old"


def test_vanished_file_and_missing_folder_are_write_errors(tmp_path: Path) -> None:
    with pytest.raises(WriteError):
        atomic_file.replace(tmp_path / "gone.md", b"new", "0")
    with pytest.raises(WriteError):
        atomic_file.create(tmp_path / "no" / "n.md", b"new")


def test_create_never_overwrites(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    atomic_file.create(note, b"one")
    with pytest.raises(WriteError):
        atomic_file.create(note, b"two")
    assert note.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [note]


@POSIX
def test_create_respects_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic_file.create(tmp_path / "n.md", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "n.md").stat().st_mode) == 0o640


@POSIX
def test_symbolic_link_remains_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_bytes(b"old")
    (tmp_path / "link.md").symlink_to("real.md")
    atomic_file.replace(tmp_path / "link.md", b"new", atomic_file.sha256(b"old"))
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == b"new"


def test_create_where_links_are_not_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no hard links on this drive")

    monkeypatch.setattr(os, "link", refuse)
    atomic_file.create(tmp_path / "n.md", b"one")
    with pytest.raises(WriteError):
        atomic_file.create(tmp_path / "n.md", b"two")
    assert (tmp_path / "n.md").read_bytes() == b"one"


def test_sweep_removes_only_our_leftovers(tmp_path: Path) -> None:
    for name in (".vaultkit-abc.tmp", "n.md", ".other.tmp"):
        (tmp_path / name).touch()
    atomic_file.sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.tmp", "n.md"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="needs extended attributes")
def test_extended_attributes_survive_a_write(tmp_path: Path) -> None:
    note = tmp_path / "n.md"
    note.write_bytes(b"a")
    try:
        os.setxattr(note, "user.tags", b"campaign")
    except OSError:
        pytest.skip("not on this drive")
    atomic_file.replace(note, b"b", atomic_file.sha256(b"a"))
    assert (note.read_bytes(), os.getxattr(note, "user.tags")) == (b"b", b"campaign")


def test_failed_rename_leaves_the_note_and_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "n.md").write_bytes(b"old")
    (tmp_path / "fresh.swap").write_bytes(b"new")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        atomic_swap.replace_with_link(tmp_path / "fresh.swap", tmp_path / "n.md")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"n.md": b"old", "fresh.swap": b"new"}


@pytest.mark.skipif(sys.platform == "win32", reason="an open file is not moved there")
def test_a_write_into_the_old_file_after_the_first_look_is_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "n.md").write_bytes(b"old")
    with (tmp_path / "n.md").open("ab", buffering=0) as held:
        monkeypatch.setattr(atomic_file.files, "sync_folder", lambda _: held.write(b"- late\n" * (held.tell() < 4)))
        with pytest.raises(atomic_file.FileChanged):
            atomic_file.replace(tmp_path / "n.md", b"new", atomic_file.sha256(b"old"))
    assert (tmp_path / "n.md").read_bytes() == b"old" + b"- late\n"
    assert [path.name for path in tmp_path.iterdir()] == ["n.md"]
