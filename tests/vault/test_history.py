import json
import os
import stat
from datetime import datetime
from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.budget import Limit
from vaultkit.errors import BudgetExceeded, InvalidError, WriteError
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import Entry, History, entry_files, private_folder
from vaultkit.vault.writing.splice import Splice, append
from vaultkit.vault.writing.write import Writer
from vaultkit.vault.writing.write_steps import PlanSplice

NOTES = (
    b"## Log\n- a\n",
    b"\xef\xbb\xbf## Log\r\n- a\r\n",
    b"no final line end",
    b"---\n# kept\nb: 'x'\na:   [1,2]\n---\nx\n\n\n",
    b"",
)


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    (tmp_path / "n.md").write_bytes(NOTES[0])
    return Vault(tmp_path)


def adding(text: str) -> PlanSplice:
    def plan(note: Note) -> Splice:
        return append(note, text)

    return plan


def write(vault: Vault, *texts: str, new: str = "") -> Entry:
    made = Writer(vault, "log", datetime(2026, 11, 3))
    for text in texts:
        made.change("n.md", adding(text))
    if new:
        made.create(new, "made\n")
    made.commit()
    return next(History(vault).entries())


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def held_open(*_: object, **__: object) -> None:
    raise WriteError("Another program has this note open.")


@pytest.mark.parametrize("data", NOTES)
def test_undo_restores_bytes_mode_and_time(vault: Vault, data: bytes) -> None:
    note = vault.root / "n.md"
    note.write_bytes(data)
    note.chmod(0o640)
    os.utime(note, ns=(10**18 + 7, 10**18 + 7))
    entry = write(vault, "line")
    assert note.read_bytes() != data
    assert History(vault).undo(entry) == ["n.md"]
    assert note.read_bytes() == data
    assert note.stat().st_mtime_ns == 10**18 + 7
    assert os.name != "posix" or stat.S_IMODE(note.stat().st_mode) == 0o640


def test_undo_of_several_writes_to_one_note(vault: Vault) -> None:
    entry = write(vault, "one", "two", "three")
    assert History(vault).undo(entry) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_undo_of_a_changed_note_is_refused_and_changes_nothing(vault: Vault) -> None:
    entry = write(vault, "line", new="Games/deep/new.md")
    with (vault.root / "n.md").open("ab") as note:
        note.write(b"mine\n")
    with pytest.raises(WriteError) as caught:
        History(vault).undo(entry)
    assert caught.value.where == "n.md"
    assert (vault.root / "Games/deep/new.md").exists()
    assert not next(History(vault).entries()).undone


def test_undo_deletes_an_unchanged_created_note_with_its_folders(vault: Vault) -> None:
    entry = write(vault, new="Games/deep/new.md")
    assert History(vault).undo(entry) == ["Games/deep/new.md"]
    assert not (vault.root / "Games").exists()
    assert [(found.id, found.undone) for found in History(vault).entries()] == [
        ("000002-undo", False),
        ("000001-log", True),
    ]


def test_undo_leaves_a_changed_created_note_and_used_folders(vault: Vault) -> None:
    entry = write(vault, new="Games/deep/new.md")
    (vault.root / "Games/mine.md").touch()
    (vault.root / "Games/deep/new.md").write_text("mine")
    with pytest.raises(WriteError):
        History(vault).undo(entry)
    (vault.root / "Games/deep/new.md").write_bytes(b"made\n")
    History(vault).undo(entry)
    assert [path.name for path in (vault.root / "Games").iterdir()] == ["mine.md"]


def test_interrupted_undo_is_finished_by_the_next_undo(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "replace", killed)
        History(vault).undo(entry)
    assert not (vault.root / "new.md").exists()
    _, entry = History(vault).entries()
    assert History(vault).undo(entry) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_writes_undone_by_an_interrupted_undo_do_not_block_it(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "replace", killed)
        History(vault).undo(entry)
    assert write(vault, new="new.md").id == "000003-log"
    second, undo, first = History(vault).entries()
    assert (first.state, undo.state) == ("partly undone", "")
    assert History(vault).undo(second) == ["new.md"]
    assert History(vault).undo(first) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_write_prevented_by_a_crash_does_not_block_undo(vault: Vault) -> None:
    first = write(vault, "one")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "replace", killed)
        write(vault, "lost")
    second = write(vault, "two")
    history = History(vault)
    assert [entry.id for entry in history.entries()] == [second.id, first.id]
    for entry in list(history.entries()):
        assert history.undo(entry) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_creation_prevented_by_a_crash_counts_as_not_made(vault: Vault) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "create", killed)
        write(vault, "line", new="new.md")
    (entry,) = History(vault).entries()
    assert [made.done for made in entry.writes] == [True, False]
    assert History(vault).undo(entry) == ["n.md"]


def test_creation_just_before_a_crash_is_known_as_done_after_the_next_write(vault: Vault) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(History, "mark_done", killed)
        write(vault, new="new.md")
    write(vault, "line")
    entry = list(History(vault).entries())[1]
    (vault.root / "new.md").rename(vault.root / "moved.txt")
    with pytest.raises(WriteError, match="moved or deleted"):
        History(vault).undo(entry)


def test_undo_of_a_missing_created_note_is_refused_and_changes_nothing(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    written = (vault.root / "n.md").read_bytes()
    (vault.root / "new.md").rename(vault.root / "moved.txt")
    with pytest.raises(WriteError, match="moved or deleted") as caught:
        History(vault).undo(entry)
    assert caught.value.where == "new.md"
    assert (vault.root / "n.md").read_bytes() == written
    (vault.root / "moved.txt").rename(vault.root / "new.md")
    assert set(History(vault).undo(entry)) == {"n.md", "new.md"}


def test_undo_of_a_read_only_note_is_refused_and_changes_nothing(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    (vault.root / "n.md").chmod(0o444)
    with pytest.raises(WriteError, match="read-only") as caught:
        History(vault).undo(entry)
    assert caught.value.where == "n.md"
    assert (vault.root / "new.md").exists()
    (vault.root / "n.md").chmod(0o644)
    assert set(History(vault).undo(entry)) == {"n.md", "new.md"}


def test_undo_in_a_read_only_folder_is_refused_and_changes_nothing(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault.root / "deep").mkdir()
    made = Writer(vault, "log", datetime(2026, 11, 3))
    made.create("deep/first.md", "x")
    made.create("second.md", "x")
    made.commit()
    (entry,) = History(vault).entries()
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "deep" and access(path, mode))
    with pytest.raises(WriteError, match="folder"):
        History(vault).undo(entry)
    assert (vault.root / "second.md").exists()


def test_undo_that_fails_midway_reports_what_it_undid_and_can_continue(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(WriteError, match=r"has this.*undone.*: new\.md") as caught,
    ):
        patch.setattr(atomic_file, "replace", held_open)
        History(vault).undo(entry)
    assert caught.value.where == "n.md"
    _, entry = History(vault).entries()
    assert entry.state == "partly undone"
    assert History(vault).undo(entry) == ["n.md"]
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_undo_that_fails_at_once_leaves_the_entry_unchanged(vault: Vault) -> None:
    entry = write(vault, "line")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(WriteError, match="Nothing was undone"):
        patch.setattr(atomic_file, "replace", held_open)
        History(vault).undo(entry)
    assert list(History(vault).entries()) == [entry]


def test_entry_without_newer_fields_is_read_with_its_writes_done(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    file = vault.root / ".vaultkit/history" / entry.id / "entry.json"
    old = json.loads(file.read_bytes())
    del old["undoing"]
    for made in old["writes"]:
        del made["done"]
    file.write_text(json.dumps(old))
    assert list(History(vault).entries()) == [entry]
    assert set(History(vault).undo(entry)) == {"n.md", "new.md"}


def test_lost_before_image_is_not_needed_with_a_complete_splice(vault: Vault) -> None:
    entry = write(vault, "line", new="new.md")
    (vault.root / ".vaultkit/history" / entry.id / "0.before").write_bytes(b"damaged")
    assert set(History(vault).undo(entry)) == {"n.md", "new.md"}
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_lost_file_cannot_be_restored(vault: Vault) -> None:
    made = Writer(vault, "init", datetime(2026, 11, 3))
    made.create("a.webp", b"\x00\xff")
    made.change("n.md", adding("line"))
    made.commit()
    History(vault).undo(next(History(vault).entries()))
    undone = next(History(vault).entries())
    (vault.root / ".vaultkit/history" / undone.id / "1.before").write_bytes(b"damaged")
    with pytest.raises(InvalidError, match="lost"):
        History(vault).undo(undone)
    assert (vault.root / "n.md").read_bytes() == NOTES[0]


def test_unreadable_entry_does_not_hide_others(vault: Vault) -> None:
    entry = write(vault, "one")
    damaged = vault.root / ".vaultkit/history/000002-log"
    damaged.mkdir()
    (damaged / "entry.json").write_text('{"schema": 1')
    (vault.root / ".vaultkit/history/.DS_Store").touch()
    assert [found.id for found in History(vault).entries()] == [entry.id]
    assert write(vault, "two").id == "000003-log"


def test_undo_of_a_file_that_is_not_text(vault: Vault) -> None:
    made = Writer(vault, "init", datetime(2026, 11, 3))
    made.create("img/a.webp", b"\x00\xff")
    made.commit()
    assert (vault.root / "img/a.webp").read_bytes() == b"\x00\xff"
    History(vault).undo(next(History(vault).entries()))
    assert not (vault.root / "img").exists()


@pytest.mark.parametrize(
    ("command", "session", "when", "title"),
    [
        ("log", "20261103-toy-k3f9", "2026-11-03T20:15:00", "log of 20261103-toy-k3f9, 3 November 2026 20:15"),
        ("init", "", "2026-11-03T09:05:00+01:00", "init, 3 November 2026 09:05"),
        ("init", "", "yesterday", "init, yesterday"),
    ],
)
def test_entry_has_a_readable_title(command: str, session: str, when: str, title: str) -> None:
    assert Entry("000001-x", command, session, when).title == title


def test_symlinked_entry_is_not_read_swept_or_written(vault: Vault, tmp_path: Path) -> None:
    write(vault, "- b")
    away = tmp_path / ".away"
    away.mkdir()
    (away / "precious.tmp").write_text("precious")
    (vault.root / ".vaultkit/history/000099-log").symlink_to(away)
    entry = write(vault, "- c")
    assert (entry.number, [file.name for file in away.iterdir()]) == ("100", ["precious.tmp"])
    assert History(vault).undo(entry) == ["n.md"]


@pytest.mark.skipif(os.name != "posix", reason="needs modes")
def test_private_note_has_no_copy_readable_by_others(vault: Vault) -> None:
    (vault.root / "n.md").chmod(0o600)
    (vault.root / ".vaultkit/history").mkdir(parents=True)
    (vault.root / ".vaultkit/history").chmod(0o755)  # as an earlier version made it
    write(vault, "- b")
    own = [path for path in (vault.root / ".vaultkit").rglob("*") if path.parent.name != ".vaultkit"]
    folders = [vault.root / ".vaultkit/history", *(path for path in own if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in own if path.is_file()} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def test_more_changes_than_an_entry_may_have_are_refused_before_the_first(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry_files, "_MAX_WRITES", Limit("This entry has", 1, "changes", "Change fewer notes."))
    with pytest.raises(BudgetExceeded, match="more than 1 change"):
        write(vault, "a", "b")
    assert (vault.root / "n.md").read_bytes() == NOTES[0] and not [*History(vault).entries()]
    assert History(vault).load_begun() is None


def test_undo_of_a_note_that_became_too_large_is_refused(vault: Vault) -> None:
    entry = write(vault, "- b")
    with (vault.root / "n.md").open("ab") as note:
        note.truncate(70_000_000)
    with pytest.raises(WriteError, match="This file cannot be read: it has more than 64 MB") as caught:
        History(vault).undo(entry)
    assert caught.value.where == "n.md"


def test_history_is_not_written_outside_the_vault(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    vault = make_files(tmp_path / "vault", {"N.md": ""})
    try:
        (vault.root / ".vaultkit").symlink_to(tmp_path / "elsewhere")
    except OSError:
        pytest.skip("no symbolic links here")
    with pytest.raises(WriteError, match="leads out of the vault"):
        private_folder(vault.root, "history")
    assert list((tmp_path / "elsewhere").iterdir()) == []
