"""Text that another program writes in the last instant, between our look at a note and the replacement of it."""

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from vaultkit import file_errors
from vaultkit.campaign.undo import undo
from vaultkit.errors import MissingNote, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing import atomic_file, write
from vaultkit.vault.writing import atomic_swap as exchanging
from vaultkit.vault.writing.crash_recovery import find_interrupted_entries, recover_leftovers
from vaultkit.vault.writing.history import Entry, History
from vaultkit.vault.writing.history.reversal import ASIDE_FOLDER
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer, plan_and_commit

OLD, NEW, THEIRS = b"## Log\n", b"## Log\n- ours\n", b"## Log\n- theirs\n"
NOW = datetime(2026, 11, 3)


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (tmp_path / "n.md").write_bytes(OLD)
    return Vault(tmp_path)


def just_before(monkeypatch: pytest.MonkeyPatch, *acts: Callable[[Path], object]) -> None:
    """Let another program act just before each exchange, in turn; the exchange itself is the system's."""
    real, left = exchanging.exchange, list(acts)

    def raced(fresh: Path, target: Path) -> Path | None:
        if left:
            left.pop(0)(target)
        return real(fresh, target)

    monkeypatch.setattr(atomic_file, "exchange", raced)
    monkeypatch.setattr(write, "RETRY_SECONDS", 0)


def by_rename(data: bytes) -> Callable[[Path], object]:
    def act(target: Path) -> None:
        target.with_name("part").write_bytes(data)
        target.with_name("part").replace(target)

    return act


def in_place(data: bytes) -> Callable[[Path], object]:
    return lambda target: target.write_bytes(data)


def line(note: Note) -> Splice | None:
    return None if "vk-x" in note.blocks else insert_under(note, "Log", "- ours ^vk-x")


def writer(vault: Vault, session: str = "s") -> Writer:
    made = Writer(vault, "log", NOW, session)
    made.change("n.md", line)
    return made


def displaced(vault: Vault) -> list[bytes]:
    return [path.read_bytes() for path in sorted((vault.root / ".vaultkit/history").glob("*/*.displaced"))]


def test_exchange_returns_the_old_content(tmp_path: Path) -> None:
    (tmp_path / "n.md").write_bytes(OLD)
    (tmp_path / "fresh.swap").write_bytes(NEW)
    old = exchanging.exchange(tmp_path / "fresh.swap", tmp_path / "n.md")
    assert old and old.read_bytes() == OLD
    assert (tmp_path / "n.md").read_bytes() == NEW


@pytest.mark.parametrize("way", ["linked", "no call", "no such flag"])
def test_hard_link_fallback_where_the_drive_cannot_exchange(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "n.md").write_bytes(OLD)
    (tmp_path / "fresh.swap").write_bytes(NEW)
    monkeypatch.setattr(exchanging, "_load_exchange_call", lambda: None if way == "no call" else lambda *_: 22)
    act = exchanging.replace_with_link if way == "linked" else exchanging.exchange
    old = act(tmp_path / "fresh.swap", tmp_path / "n.md")
    assert old and old.read_bytes() == OLD
    assert (tmp_path / "n.md").read_bytes() == NEW
    assert not (tmp_path / "fresh.swap").exists()


def test_drive_without_exchange_or_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no hard links on this drive")

    monkeypatch.setattr(exchanging, "_load_exchange_call", lambda: None)
    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "n.md").write_bytes(OLD)
    assert atomic_file.replace(tmp_path / "n.md", NEW, atomic_file.sha256(OLD)) is False
    assert (tmp_path / "n.md").read_bytes() == NEW
    assert [path.name for path in tmp_path.iterdir()] == ["n.md"]


def test_failed_exchange_leaves_the_note_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchanging, "_load_exchange_call", lambda: lambda *_: 5)
    (tmp_path / "n.md").write_bytes(OLD)
    with pytest.raises(WriteError):
        atomic_file.replace(tmp_path / "n.md", NEW, atomic_file.sha256(OLD))
    assert (tmp_path / "n.md").read_bytes() == OLD
    assert [path.name for path in tmp_path.iterdir()] == ["n.md"]


@pytest.mark.parametrize("act", [by_rename(THEIRS), in_place(THEIRS)], ids=["rename", "in place"])
@pytest.mark.parametrize("way", ["exchange", "link"])
def test_last_instant_change_by_another_program_is_restored(
    tmp_path: Path, act: Callable[[Path], object], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "link":
        monkeypatch.setattr(exchanging, "_load_exchange_call", lambda: None)
    (tmp_path / "n.md").write_bytes(OLD)
    just_before(monkeypatch, act)
    with pytest.raises(atomic_file.FileChanged):
        atomic_file.replace(tmp_path / "n.md", NEW, atomic_file.sha256(OLD))
    assert (tmp_path / "n.md").read_bytes() == THEIRS
    assert [path.name for path in tmp_path.iterdir()] == ["n.md"]


def test_line_is_added_after_a_last_instant_change(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    just_before(monkeypatch, by_rename(THEIRS), lambda _: None, in_place(b"## Log\n- more\n"))
    writer(vault).commit()
    assert (vault.root / "n.md").read_bytes() == b"## Log\n- more\n- ours ^vk-x\n"
    (entry,) = History(vault).entries()
    assert len(entry.writes) == 1


def test_text_that_cannot_be_restored_is_in_the_history(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other program writes in the last instant, and again just before its text is put back."""
    just_before(monkeypatch, by_rename(THEIRS), by_rename(b"## Log\n- again\n"))
    writer(vault).commit()
    assert (vault.root / "n.md").read_bytes() == b"## Log\n- again\n- ours ^vk-x\n"
    assert displaced(vault) == [THEIRS]
    assert list(vault.root.glob(".vaultkit-*")) == []


def test_text_briefly_missing_from_the_note_is_preserved(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other program reads the note while its own last text is out of it, and writes that back."""
    writer(vault).commit()
    (vault.root / "n.md").write_bytes(OLD)

    def raced(old: Path, real: Path, data: bytes) -> bool:
        read = real.read_bytes()
        there = put_back(old, real, data)
        real.write_bytes(read + b"- more\n")
        return there

    put_back = atomic_file._put_back
    just_before(monkeypatch, by_rename(THEIRS))
    monkeypatch.setattr(atomic_file, "_put_back", raced)
    writer(vault).commit()
    assert (vault.root / "n.md").read_bytes() == b"## Log\n\n- ours ^vk-x\n- more\n"
    recover_leftovers(vault, [])
    assert displaced(vault) == [THEIRS]


def test_our_line_can_be_undone_after_another_program_wrote_it_back(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads the note in the moment in which our line is in it, and writes that back with what is its own."""

    def raced(old: Path, real: Path, data: bytes) -> bool:
        read = real.read_bytes()
        there = put_back(old, real, data)
        real.write_bytes(read + b"- more\n")
        return there

    put_back = atomic_file._put_back
    just_before(monkeypatch, by_rename(THEIRS))
    monkeypatch.setattr(atomic_file, "_put_back", raced)
    assert writer(vault).commit() == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == b"## Log\n\n- ours ^vk-x\n- more\n"
    assert [entry.state for entry in History(vault).entries()] == [""]
    assert undo(vault, keep_edits=True).restored == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == b"## Log\n- more\n"


def test_text_whose_note_is_deleted_before_it_is_restored_is_in_the_history(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer(vault).commit()
    (vault.root / "n.md").write_bytes(OLD)
    just_before(monkeypatch, by_rename(THEIRS))
    monkeypatch.setattr(atomic_file, "_keep_copy", lambda *_: (vault.root / "n.md").unlink())
    with pytest.raises(MissingNote):
        writer(vault).commit()
    recover_leftovers(vault, [])
    assert displaced(vault) == [THEIRS]


@pytest.mark.skipif(sys.platform == "win32", reason="an open file is not moved there")
def test_late_writes_of_another_program_into_the_old_file_are_preserved(vault: Vault) -> None:
    with (vault.root / "n.md").open("ab", buffering=0) as held:
        writer(vault).commit()
        held.write(b"- late\n")
    recover_leftovers(vault, [])
    assert displaced(vault) == [OLD + b"- late\n"]
    assert len(list((vault.root / ".vaultkit/history" / ASIDE_FOLDER).iterdir())) == 1
    recover_leftovers(vault, [], max_age_seconds=0.0)
    assert displaced(vault) == [OLD + b"- late\n"]
    assert list((vault.root / ".vaultkit/history" / ASIDE_FOLDER).iterdir()) == []


@pytest.mark.parametrize("step", ["_has_hash", "_keep_copy", "_put_back"])
def test_next_write_after_a_crash_preserves_the_old_file(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    just_before(monkeypatch, by_rename(THEIRS))
    monkeypatch.setattr(atomic_file, step, killed)
    with pytest.raises(KeyboardInterrupt):
        writer(vault).commit()
    assert [path.read_bytes() for path in vault.root.glob(".vaultkit-*.swap")] == [THEIRS]
    monkeypatch.undo()
    writer(vault).commit()
    assert displaced(vault) == [THEIRS]
    assert list(vault.root.glob(".vaultkit-*")) == []
    assert (vault.root / "n.md").read_bytes().count(b"^vk-x") == 1


def test_unreadable_old_file_does_not_lose_the_history_entry(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A virus scanner may hold it for a moment."""

    def held(*_: object) -> bool:
        raise PermissionError(13, "Permission denied")

    before = (vault.root / "n.md").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(atomic_file, "_has_hash", held)
        with pytest.raises(WriteError):
            writer(vault).commit()
    assert (vault.root / "n.md").read_bytes() != before
    assert undo(vault).restored == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == before
    assert list(vault.root.glob(".vaultkit-*")) == []


def lose_its_name(vault: Vault, monkeypatch: pytest.MonkeyPatch, theirs: bytes | None = None) -> None:
    """As error 1177 of Windows: the old file has its backup's name, and a virus scanner holds it there."""

    def refused(fresh: Path, target: Path) -> None:
        if theirs is not None:
            target.write_bytes(theirs)
        target.rename(fresh.with_name(f"{fresh.stem}.side.swap"))
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(atomic_file, "exchange", refused)
        with pytest.raises(WriteError, match="has this note open"):
            writer(vault).commit()
    assert not (vault.root / "n.md").exists()
    assert len(list(vault.root.glob(".vaultkit-*.swap"))) == 1


@pytest.mark.parametrize("theirs", [None, THEIRS], ids=["as it was", "with what came in the last instant"])
def test_note_that_lost_its_name_is_restored(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, theirs: bytes | None
) -> None:
    lose_its_name(vault, monkeypatch, theirs)
    recover_leftovers(vault, [])
    assert (vault.root / "n.md").read_bytes() == (theirs or OLD)
    assert list(vault.root.glob(".vaultkit-*")) == []
    assert displaced(vault) == []


def test_repeated_command_finds_a_note_that_lost_its_name(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_its_name(vault, monkeypatch)
    _, written = plan_and_commit(vault, lambda fresh: (None, writer(fresh)))
    assert written == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == b"## Log\n\n- ours ^vk-x\n"
    assert undo(vault).restored == ("n.md",)
    assert (vault.root / "n.md").read_bytes() == OLD


def test_restored_name_does_not_replace_a_newly_created_note(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_its_name(vault, monkeypatch)
    (vault.root / "n.md").write_bytes(b"new\n")
    recover_leftovers(vault, [])
    assert (vault.root / "n.md").read_bytes() == b"new\n"
    assert [path.read_bytes() for path in (vault.root / ".vaultkit/history" / ASIDE_FOLDER).iterdir()] == [OLD]


def test_note_deleted_after_the_write_is_not_restored(vault: Vault) -> None:
    writer(vault).commit()
    (vault.root / "n.md").unlink()
    (vault.root / ".vaultkit-left.swap").write_bytes(OLD)
    recover_leftovers(vault, [])
    assert not (vault.root / "n.md").exists()


@pytest.mark.parametrize("refusals", [0, 2, 3])
def test_restoring_a_name_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int) -> None:
    """As on Windows, where a virus scanner holds the file."""
    left = [PermissionError(13, "Permission denied")] * refusals

    def held(side: Path, target: Path) -> Path:
        if left:
            raise left.pop()
        return rename(side, target)

    rename = Path.rename
    (tmp_path / "a.side.swap").write_bytes(OLD)
    monkeypatch.setattr(Path, "rename", held)
    monkeypatch.setattr(file_errors, "ON_WINDOWS", True)
    monkeypatch.setattr(file_errors.time, "sleep", lambda _: None)
    if refusals == 3:
        with pytest.raises(PermissionError):
            exchanging._restore_name(tmp_path / "a.side.swap", tmp_path / "n.md")
    exchanging._restore_name(tmp_path / "a.side.swap", tmp_path / "n.md")
    assert (tmp_path / "n.md").read_bytes() == OLD
    exchanging._restore_name(tmp_path / "a.side.swap", tmp_path / "n.md")


def test_interrupted_command_is_recorded_until_it_is_completed(vault: Vault) -> None:
    def killed(note: Note) -> Splice | None:
        if (vault.root / "new.md").exists():
            raise KeyboardInterrupt
        return line(note)

    made = Writer(vault, "log", NOW, "s")
    made.create("new.md", "text")
    made.change("n.md", killed)
    with pytest.raises(KeyboardInterrupt):
        made.commit()
    assert [entry.session for entry in find_interrupted_entries(vault)] == ["s"]
    writer(vault, "other").commit()
    assert [entry.session for entry in find_interrupted_entries(vault)] == ["s"]
    writer(vault).commit()
    assert find_interrupted_entries(vault) == ()


def test_finishing_an_interrupted_command_completes_all_its_entries(vault: Vault) -> None:
    def cut(new: str) -> None:
        def killed(note: Note) -> Splice | None:
            if (vault.root / new).exists():
                raise KeyboardInterrupt
            return line(note)

        made = Writer(vault, "log", NOW, "s")
        made.create(new, "text")
        made.change("n.md", killed)
        with pytest.raises(KeyboardInterrupt):
            made.commit()

    cut("one.md")
    cut("two.md")
    other = Writer(vault, "log", NOW, "other")
    other.create("other.md", "text")
    other.commit()
    assert [entry.state for entry in History(vault).entries()] == ["", "cut off", "cut off"]
    assert writer(vault).commit() == ("n.md",)
    assert [entry.state for entry in History(vault).entries()] == [""] * 4


def test_entry_interrupted_after_its_last_write_is_complete_once_nothing_remains(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(history: History, entry: Entry) -> None:
        if entry.complete:
            raise KeyboardInterrupt
        keep(history, entry)

    keep = History.save
    with monkeypatch.context() as patch:
        patch.setattr(History, "save", killed)
        with pytest.raises(KeyboardInterrupt):
            writer(vault).commit()
    assert len(find_interrupted_entries(vault)) == 1
    assert writer(vault).commit() == ()
    assert find_interrupted_entries(vault) == ()


def test_entry_interrupted_before_marking_its_last_write_is_complete_once_nothing_remains(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(History, "mark_done", killed)
        with pytest.raises(KeyboardInterrupt):
            writer(vault).commit()
    assert writer(vault).commit() == ()
    assert [entry.state for entry in History(vault).entries()] == [""]
