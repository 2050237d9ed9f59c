"""Undo out of order on disk, undone itself, cut off at every step, and amid another program's edits."""

import contextlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.test_history_order import CHANGE, Memory
from vaultkit.errors import WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import Entry, History, diff_entry, entry_files, reversal
from vaultkit.vault.writing.history.splice_rebasing import find_inserted
from vaultkit.vault.writing.splice import Splice, append, insert_under
from vaultkit.vault.writing.write import Writer

LOG = b"\xef\xbb\xbf## Log\r\n- old\r\n\r\n## More\r\n"


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setattr(os, "fsync", lambda _: None)
    (tmp_path / "Log.md").write_bytes(LOG)
    return Vault(tmp_path)


def log(vault: Vault, name: str) -> Entry:
    writer = Writer(vault, "log", datetime(2026, 11, 3), name)
    writer.create(f"Games/{name}.md", f"# {name}\n")
    writer.change("Log.md", lambda note: insert_under(note, "Log", f"- {name}"))
    writer.commit()
    return newest(vault)


def newest(vault: Vault) -> Entry:
    return next(History(vault).entries())


def read(vault: Vault) -> dict[str, bytes]:
    return {
        path.relative_to(vault.root).as_posix(): path.read_bytes()
        for path in sorted(vault.root.rglob("*.md"))
        if ".vaultkit" not in path.parts
    }


def named(vault: Vault, number: int) -> Entry:
    return next(entry for entry in History(vault).entries() if entry.number == str(number))


def expected(*names: str) -> dict[str, bytes]:
    lines = b"".join(f"- {name}\r\n".encode() for name in names)
    games = {f"Games/{name}.md": f"# {name}\n".encode() for name in names}
    return {**games, "Log.md": LOG.replace(b"- old\r\n", b"- old\r\n" + lines)}


def test_middle_one_of_three_is_undone_and_the_others_stay_undoable(vault: Vault) -> None:
    first, second, third = (log(vault, name) for name in ("one", "two", "three"))
    assert set(History(vault).undo(second)) == {"Games/two.md", "Log.md"}
    assert read(vault) == expected("one", "three")
    History(vault).undo(first)
    assert read(vault) == expected("three")
    log(vault, "four")
    History(vault).undo(third)
    assert read(vault) == expected("four")
    assert [entry.state for entry in History(vault).entries()] == ["", "", "", "", "undone", "undone", "undone"]


def test_undone_entry_is_restored_by_undoing_the_undo_repeatedly(vault: Vault) -> None:
    log(vault, "one")
    log(vault, "two")
    History(vault).undo(named(vault, 1))
    log(vault, "three")
    History(vault).undo(named(vault, 3))
    assert read(vault) == expected("one", "two", "three")
    assert [entry.undone for entry in History(vault).entries()] == [False, False, True, False, False]
    History(vault).undo(named(vault, 5))
    assert read(vault) == expected("two", "three")
    assert (named(vault, 1).undone, named(vault, 3).undone, named(vault, 5).undone) == (True, False, True)
    History(vault).undo(named(vault, 3))
    History(vault).undo(named(vault, 1))
    for number in (2, 4):
        History(vault).undo(named(vault, number))
    assert read(vault) == {"Log.md": LOG}


def test_later_write_in_the_same_words_blocks_undo_until_it_is_undone(vault: Vault) -> None:
    log(vault, "one")
    writer = Writer(vault, "check --fix", datetime(2026, 11, 4, 20, 15))
    writer.change("Log.md", lambda note: Splice(note.text.index("one"), "one", "[[one]]"))
    writer.commit()
    before = read(vault)
    with pytest.raises(WriteError, match=r"2, check --fix, 4 November 2026 20:15") as caught:
        History(vault).undo(named(vault, 1))
    assert (caught.value.where, caught.value.hint) == ("Log.md", "Undo that one first: vaultkit undo 2")
    assert read(vault) == before
    History(vault).undo(named(vault, 2))
    History(vault).undo(named(vault, 1))
    assert read(vault) == {"Log.md": LOG}


def test_created_file_with_later_writes_stays_until_they_are_undone(vault: Vault) -> None:
    log(vault, "one")
    writer = Writer(vault, "rewards", datetime(2026, 11, 4))
    writer.change("Games/one.md", lambda note: append(note, "loot"))
    writer.commit()
    with pytest.raises(WriteError, match="2, rewards"):
        History(vault).undo(named(vault, 1))
    History(vault).undo(named(vault, 2))
    History(vault).undo(named(vault, 1))
    assert read(vault) == {"Log.md": LOG}


def test_undo_restores_time_and_folders(vault: Vault) -> None:
    os.utime(vault.root / "Log.md", ns=(10**18, 10**18))
    log(vault, "one")
    log(vault, "two")
    History(vault).undo(named(vault, 1))
    assert (vault.root / "Log.md").stat().st_mtime_ns != 10**18
    History(vault).undo(named(vault, 2))
    assert (vault.root / "Log.md").stat().st_mtime_ns == 10**18
    assert not (vault.root / "Games").exists()


class Killed(BaseException):
    pass


def cut_off(monkeypatch: pytest.MonkeyPatch, after: int, *, late: bool) -> Callable[[], int]:
    """Kill before, or right after, the step `after` of an undo. Returns how many steps there were."""
    count = [0]

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def step(*arguments: object, **more: object) -> object:
            count[0] += 1
            if count[0] == after and not late:
                raise Killed
            result = function(*arguments, **more)
            if count[0] == after:
                raise Killed
            return result

        return step

    for owner, name in ((entry_files, "save"), (reversal, "apply_reversal")):
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))
    return lambda: count[0]


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("going_on", ["undo", "write"])
def test_undo_killed_at_any_step_is_finished_by_the_next_undo(
    vault: Vault, tmp_path_factory: pytest.TempPathFactory, late: bool, going_on: str
) -> None:
    for name in ("one", "two"):
        log(vault, name)
    after = 0
    while True:
        after += 1
        copy = Vault(tmp_path_factory.mktemp("copy") / "vault")
        shutil.copytree(vault.root, copy.root)
        with pytest.MonkeyPatch.context() as patch:
            count = cut_off(patch, after, late=late)
            with contextlib.suppress(Killed):
                History(copy).undo(named(copy, 1))
            if count() < after:
                break
        added = ["three"] if going_on == "write" else []
        for name in added:
            log(copy, name)
        History(copy).repair_newest()
        if not named(copy, 1).undone:
            History(copy).undo(named(copy, 1))
        assert read(copy) == expected("two", *added)
        for entry in [entry for entry in History(copy).entries() if not entry.undone and not entry.undoes]:
            History(copy).undo(entry)
        assert read(copy) == {"Log.md": LOG}
    assert after > 8


def test_edit_elsewhere_is_preserved_on_request_and_offered_first(vault: Vault) -> None:
    log(vault, "one")
    path = vault.root / "Log.md"
    path.write_bytes(path.read_bytes().replace(b"- old", b"- old, amended").replace(b"More", b"Much more"))
    edited = read(vault)
    with pytest.raises(WriteError) as caught:
        History(vault).undo(named(vault, 1))
    assert caught.value.hint.endswith("vaultkit undo 1 --keep-edits")
    assert read(vault) == edited
    History(vault).undo(named(vault, 1), keep_edits=True)
    assert read(vault) == {"Log.md": LOG.replace(b"- old", b"- old, amended").replace(b"More", b"Much more")}
    History(vault).undo(named(vault, 2))
    assert read(vault) == edited


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"- one", b"- one, by a hair", "changed or moved"),
        (b"- one", b"- One", "changed or moved"),
        (b"- one", b"- one\r\n- one", "more than once"),
        (b"- one\r\n\r\n", b"\r\n\r\n", "changed or moved"),
    ],
)
def test_an_edit_of_our_own_words_is_refused_with_the_line(vault: Vault, old: bytes, new: bytes, told: str) -> None:
    log(vault, "one")
    path = vault.root / "Log.md"
    path.write_bytes(path.read_bytes().replace(old, new))
    edited = read(vault)
    for keep in (False, True):
        with pytest.raises(WriteError) as caught:
            History(vault).undo(named(vault, 1), keep_edits=keep)
        assert "--keep-edits" not in caught.value.hint
    assert told in caught.value.message
    assert caught.value.where == ("Log.md:3" if b"ne" in new else "Log.md")
    assert read(vault) == edited


def test_keep_edits_does_not_delete_a_created_file_with_edits(vault: Vault) -> None:
    log(vault, "one")
    (vault.root / "Games/one.md").write_bytes(b"# one\nmine\n")
    with pytest.raises(WriteError, match="made this file"):
        History(vault).undo(named(vault, 1), keep_edits=True)
    assert (vault.root / "Games/one.md").read_bytes() == b"# one\nmine\n"


@pytest.mark.parametrize("line", ["\n- one", "\n- one\n- more", "\n- one\n"])
def test_line_endings_changed_by_a_sync_tool_are_never_split(vault: Vault, line: str) -> None:
    path = vault.root / "Log.md"
    path.write_bytes(LOG.replace(b"\r\n", b"\n"))
    writer = Writer(vault, "log", datetime(2026, 11, 3))
    writer.change("Log.md", lambda note: Splice(note.text.index("\n\n## More"), "", line))
    writer.commit()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    edited = read(vault)
    for keep in (False, True):
        with pytest.raises(WriteError) as caught:
            History(vault).undo(newest(vault), keep_edits=keep)
        assert "--keep-edits" not in caught.value.hint
    assert caught.value.where in ("Log.md:3", "Log.md:4")
    assert read(vault) == edited


def test_deleted_created_note_does_not_block_undo_of_the_rest(vault: Vault) -> None:
    log(vault, "one")
    (vault.root / "Games/one.md").unlink()
    with pytest.raises(WriteError) as caught:
        History(vault).undo(newest(vault))
    assert caught.value.hint.endswith("vaultkit undo 1 --keep-edits")
    assert History(vault).undo(newest(vault), keep_edits=True) == ["Log.md"]
    assert read(vault) == {"Log.md": LOG}
    assert named(vault, 1).undone


@pytest.mark.parametrize("ours", [b"", b"- one\r\n"])
def test_undo_ignores_a_write_prevented_by_a_crash_in_a_note_changed_since(vault: Vault, ours: bytes) -> None:
    entry = log(vault, "one")
    History(vault).save(replace(entry, complete=False, writes=(entry.writes[0], replace(entry.writes[1], done=False))))
    (vault.root / "Log.md").write_bytes(LOG.replace(b"old", b"very old") + ours)
    if ours:  # it may be there after all
        with pytest.raises(WriteError):
            History(vault).undo(named(vault, 1))
        return
    assert History(vault).undo(named(vault, 1)) == ["Games/one.md"]
    assert named(vault, 1).undone


EDIT = st.tuples(st.integers(0, 60), st.integers(0, 12), st.text("abc-\n", max_size=5))


@pytest.mark.slow
@given(st.integers(0, 3), st.lists(EDIT, min_size=1, max_size=4))
def test_edits_always_survive(place: int, edits: list[tuple[int, int, str]]) -> None:
    lines = ["## Log", "- old", "- older", "", "Ende"]
    ours = "\n- 2026-11-03: ours ^k3f9"
    known = "\n".join(lines[: place + 1]) + ours + "\n" + "\n".join(lines[place + 1 :])
    splice = Splice(known.index(ours), "", ours)
    current = known
    for offset, removed, inserted in edits:
        current = current[:offset] + inserted + current[offset + removed :]
    found = find_inserted(splice, known, current)
    if found.offset is None:
        assert current.count(ours) == 0 or f"{ours}\n" not in f"{current}\n" or current.count(ours) > 1
        return
    left = current[: found.offset] + current[found.offset + len(ours) :]
    assert left[: found.offset] + ours + left[found.offset :] == current
    assert sorted(left.split("\n")) == sorted(line for line in current.split("\n") if line != ours[1:])


@pytest.mark.slow
@given(st.lists(st.lists(CHANGE, min_size=1, max_size=2), min_size=1, max_size=5))
def test_redo_is_the_reverse_of_undo(entries: list[list[tuple[str, int, int, str]]]) -> None:
    memory = Memory()
    for changes in entries:
        memory.write(changes)
    states = [dict(memory.files)]
    undos = []
    for entry in memory.standing[::-1]:
        undos.append(memory.undo(entry).id)
        states.append(dict(memory.files))
    for undo in undos[::-1]:
        assert memory.files == states.pop()
        memory.undo(memory.entries[undo])
    assert memory.files == states.pop()


def test_the_diff_of_a_write_and_of_an_undo(vault: Vault) -> None:
    log(vault, "one")
    History(vault).undo(named(vault, 1))
    made, logged = diff_entry(History(vault), named(vault, 1))
    assert made.diff == "--- /dev/null\n+++ b/Games/one.md\n@@ -0,0 +1 @@\n+# one\n"
    assert "+- one\r\n" in logged.diff and logged.diff.startswith("--- a/Log.md\n+++ b/Log.md\n")
    unlogged, removed = diff_entry(History(vault), named(vault, 2))
    assert "-- one\r\n" in unlogged.diff
    assert removed.diff == "--- a/Games/one.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# one\n"


def test_diff_reports_a_missing_before_image(vault: Vault) -> None:
    entry = log(vault, "one")
    (vault.root / ".vaultkit/history" / entry.id / "1.before").unlink()
    _, logged = diff_entry(History(vault), entry)
    assert "has lost what Log.md was before" in logged.missing
    assert "+- one\n" in logged.diff


def test_last_instant_text_of_another_program_is_preserved_and_shown(vault: Vault) -> None:
    entry = History(vault).keep_displaced(log(vault, "one"), 1, LOG + b"theirs\r\n")
    assert History(vault).load_displaced(named(vault, 1), 1) == LOG + b"theirs\r\n"
    assert "+theirs\r\n" in diff_entry(History(vault), entry)[1].displaced
    assert History(vault).load_image(entry, 1) == LOG
    large = LOG + b"x" * 17_000_000
    History(vault).keep_displaced(entry, 1, large)
    assert History(vault).load_displaced(named(vault, 1), 1) == large


def test_immediate_overwrite_of_an_undo_wins_and_nothing_is_lost(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    log(vault, "one")
    path = vault.root / "Log.md"

    def overtaken(*_: object, **__: object) -> bool:
        (vault.root / ".vaultkit-x.swap").write_bytes(b"theirs, displaced")
        path.write_bytes(b"theirs, the latest")
        return True

    monkeypatch.setattr(atomic_file, "replace", overtaken)
    with pytest.raises(WriteError, match="Another program changed this note just now"):
        History(vault).undo(named(vault, 1))
    assert path.read_bytes() == b"theirs, the latest"
    assert not named(vault, 1).undone and not named(vault, 1).writes[1].taken
    assert History(vault).load_displaced(named(vault, 2), 0) == b"theirs, displaced"


def test_an_entry_of_a_later_version_is_read(vault: Vault) -> None:
    entry = log(vault, "one")
    file = vault.root / ".vaultkit/history" / entry.id / "entry.json"
    data = json.loads(file.read_bytes())
    data["mood"] = data["writes"][0]["mood"] = "good"
    file.write_text(json.dumps(data))
    assert newest(vault) == entry


def test_entry_numbers_continue_beyond_six_digits(vault: Vault) -> None:
    log(vault, "one")
    history = vault.root / ".vaultkit/history"
    folder = (history / "000001-log").rename(history / "999999-log")
    (folder / "entry.json").write_text((folder / "entry.json").read_text().replace("000001-log", "999999-log"))
    assert log(vault, "two").id == "1000000-log"
    assert [entry.number for entry in History(vault).entries()] == ["1000000", "999999"]
    History(vault).undo(named(vault, 999999))
    assert read(vault) == expected("two")


def test_note_restored_by_hand_counts_as_undone(vault: Vault) -> None:
    log(vault, "one")
    (vault.root / "Log.md").write_bytes(LOG)
    assert History(vault).undo(named(vault, 1)) == ["Games/one.md"]
    assert named(vault, 1).undone


def test_note_restored_by_hand_and_then_removed_counts_as_undone(vault: Vault) -> None:
    log(vault, "one")
    (vault.root / "Log.md").write_bytes(LOG)
    removal = Writer(vault, "log delete", datetime(2026, 11, 3))
    removal.remove("Log.md")
    removal.commit()
    assert History(vault).undo(named(vault, 1)) == ["Games/one.md"]
    assert named(vault, 1).undone
