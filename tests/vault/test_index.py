"""The index of a vault: whatever happens to the notes, the answers are those of a vault that was read afresh."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.errors import Problem
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_facts import Inspection
from vaultkit.vault.index import fact_reader, reader_version, worker_pool
from vaultkit.vault.index import index_file as index
from vaultkit.vault.index.index_file import Index, index_of
from vaultkit.vault.note_facts import Facts

NOTES: dict[str, str | bytes] = {
    "Home.md": "---\naliases: [The Hall]\nnumber: 3\n---\n# Home\n[[Bell#Rooms]] [[Bell#^beer]] [[No]] ![[a.png]]\n",
    "a/Bell.md": "# Bell\n## Rooms\nBeer. ^beer\n",
    "b/Broken.md": b"\xff\xfe\x00",
    "Plan.canvas": '{"nodes": [{"id": "1", "type": "file", "file": "a/Bell.md"}], "edges": []}',
    "a.png": b"\x89PNG",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_files(tmp_path / "vault", NOTES).root


@pytest.fixture
def kept(tmp_path: Path) -> Index:
    return Index(tmp_path / "cache" / "index.sqlite")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose facts were made anew, one entry for each time."""
    made: list[str] = []
    real = fact_reader.facts_of

    def counting(path: str, data: bytes, inspect: object = None) -> Facts:
        made.append(path)
        return real(path, data, inspect)  # type: ignore[arg-type]

    monkeypatch.setattr(fact_reader, "facts_of", counting)
    return made


def age(root: Path, seconds: float = 100) -> None:
    """Let every file have been changed long ago, as far as its name can tell; the change itself stays new."""
    for file in root.rglob("*.*"):
        os.utime(file, ns=(0, time.time_ns() - int(seconds * 1e9)))


def as_if_later(monkeypatch: pytest.MonkeyPatch, seconds: float = 100) -> None:
    now = time.time_ns
    monkeypatch.setattr("vaultkit.vault.walk.time.time_ns", lambda: now() + int(seconds * 1e9))


def answers(vault: Vault) -> dict[str, object]:
    return {
        path: (facts.title, facts.properties, facts.problems, facts.unreadable, facts.anchors, facts.links)
        for path, facts in vault.facts.items()
    }


def assert_right(root: Path, kept: Index) -> None:
    assert answers(Vault(root, lambda: kept)) == answers(Vault(root))


def test_unchanged_notes_are_not_read_again(
    root: Path, kept: Index, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_later(monkeypatch)
    first = answers(Vault(root, lambda: kept))
    assert sorted(reads) == ["Home.md", "Plan.canvas", "a/Bell.md", "b/Broken.md"]
    reads.clear()
    assert answers(Vault(root, lambda: kept)) == first
    assert reads == []


def test_vault_without_an_index_creates_none(root: Path, tmp_path: Path) -> None:
    assert answers(Vault(root))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vault"]


@pytest.mark.parametrize("path", ["a/Bell.md", "Plan.canvas"])
def test_a_changed_file_is_read_again(root: Path, kept: Index, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    file = root / path
    file.write_bytes(file.read_bytes().replace(b"Bell", b"Ball"))
    assert_right(root, kept)


def test_renamed_deleted_and_new_notes(root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    (root / "a/Bell.md").rename(root / "a/Belfry.md")
    assert_right(root, kept)
    (root / "Home.md").unlink()
    (root / "New.md").write_text("# New")
    assert_right(root, kept)
    assert set(kept.rows()) == {"New.md", "Plan.canvas", "a/Belfry.md", "b/Broken.md"}


@pytest.mark.parametrize(
    "gone", [["a/Bell.md"], ["Plan.canvas"], ["a/Bell.md", "Home.md", "b/Broken.md", "Plan.canvas"]]
)
def test_rows_of_deleted_notes_are_removed_without_other_changes(
    root: Path, kept: Index, gone: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    before = set(kept.rows())
    for path in gone:
        (root / path).unlink()
    assert_right(root, kept)
    assert set(kept.rows()) == before - set(gone)


def test_two_notes_that_swap_places(root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "One.md").write_text("# One")
    (root / "Two.md").write_text("# Two")
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    for old, new in (("One", "x"), ("Two", "One"), ("x", "Two")):
        (root / f"{old}.md").rename(root / f"{new}.md")
    assert_right(root, kept)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nothing but size and time is to be seen")
def test_restored_note_of_the_same_size_and_time_is_read_again(
    root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    file = root / "a/Bell.md"
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"Rooms", b"Stall"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert_right(root, kept)


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file system that tells sizes and times only, in whole seconds."""
    real = index.Stamp.from_stat.__func__  # type: ignore[attr-defined]

    def of(cls: type[index.Stamp], status: os.stat_result) -> index.Stamp:
        stamp = real(cls, status)
        return index.Stamp(stamp.size, stamp.mtime_ns // 10**9 * 10**9, 0, 0)

    monkeypatch.setattr(index.Stamp, "from_stat", classmethod(of))
    yield


def test_note_changed_within_the_same_second_is_read_again(root: Path, kept: Index, blind: None) -> None:
    file = root / "a/Bell.md"
    for word in (b"Rooms", b"Stall", b"Vault", b"Attic"):
        file.write_bytes(b"# Bell\n## %s\nBeer. ^beer\n" % word)
        assert_right(root, kept)


def test_wrong_clock_does_not_hide_changes(root: Path, kept: Index, blind: None, reads: list[str]) -> None:
    ahead = time.time_ns() + 3600 * 10**9
    file = root / "a/Bell.md"
    os.utime(file, ns=(ahead, ahead))
    answers(Vault(root, lambda: kept))
    reads.clear()
    answers(Vault(root, lambda: kept))
    assert "a/Bell.md" not in reads, "the bytes are compared, but not parsed again"
    file.write_bytes(file.read_bytes().replace(b"Rooms", b"Stall"))
    os.utime(file, ns=(ahead, ahead))
    assert_right(root, kept)


def test_doubtful_note_is_settled_after_some_time(root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(Vault(root, lambda: kept))
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    monkeypatch.setattr("vaultkit.vault.index.fact_reader.read_all", lambda root, wanted, *_: wanted)
    with pytest.raises(AssertionError):
        assert not answers(Vault(root, lambda: kept))  # everything is there, and nothing was to be read


def test_moved_vault_keeps_its_index(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    first = index_of(root)
    assert first is not None
    answers(Vault(root, lambda: first))
    moved = root.rename(tmp_path / "elsewhere")
    second = index_of(moved)
    assert second is not None and second.file != first.file
    assert_right(moved, second)
    shutil.copytree(moved, root)
    (root / "a/Bell.md").write_text("# Another\n")
    assert_right(root, first)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"no database at all, but long enough to be one" * 100),
        lambda file: file.write_bytes(file.read_bytes()[:3000]),
        lambda file: file.write_bytes(file.read_bytes().replace(b"Rooms", b"Rxxms")),
        lambda file: file.write_bytes(file.read_bytes().replace(b"Bell.md", b"B\xffll.md")),
    ],
    ids=["empty", "nonsense", "cut off", "a wrong word", "a path that is not text"],
)
def test_damaged_index_is_rebuilt(root: Path, kept: Index, damage: object, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    with sqlite3.connect(kept.file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    damage(kept.file)  # type: ignore[operator]
    assert_right(root, kept)
    assert set(kept.rows()) == {"Home.md", "Plan.canvas", "a/Bell.md", "b/Broken.md"}


def test_undecodable_facts_are_read_again(root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    kept.save([row._replace(facts=b"\xc1") for row in kept.rows().values()], ())
    assert_right(root, kept)


def test_changed_code_reads_everything_again(
    root: Path, kept: Index, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_later(monkeypatch)
    answers(Vault(root, lambda: kept))
    reads.clear()
    monkeypatch.setattr(reader_version, "stat_checksum", lambda: 1)
    answers(Vault(root, lambda: kept))
    assert reads == [], "files were touched, and say what they said"
    monkeypatch.setattr(reader_version, "stat_checksum", lambda: 2)
    monkeypatch.setattr(reader_version, "content_checksum", lambda: 3)
    answers(Vault(root, lambda: kept))
    assert len(reads) == 4


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package in place of ours."""
    monkeypatch.setattr(reader_version, "PACKAGE", tmp_path)
    yield tmp_path
    monkeypatch.undo()
    fresh_numbers()


@pytest.mark.parametrize("path", ["vault/deep/er/new.py", "compendium/new.py", "errors.py"])
def test_code_version_changes_with_changed_or_new_files(package: Path, path: str) -> None:
    make_files(package, {"errors.py": "", "vault/deep/er/note.py": "x = 1", "cli/app.py": ""})
    before = fresh_numbers()
    assert fresh_numbers() == before
    make_files(package, {"cli/app.py": "what commands do has no part in what is read", "vault/read.me": ""})
    assert fresh_numbers() == before
    make_files(package, {path: "# new"})
    stamp, content = fresh_numbers()
    assert stamp != before[0] and content != before[1]


def test_code_version_ignores_modification_times(package: Path) -> None:
    make_files(package, {"vault/note.py": "x = 1"})
    before = fresh_numbers()
    os.utime(package / "vault" / "note.py", ns=(1, 1))
    stamp, content = fresh_numbers()
    assert stamp != before[0] and content == before[1]


def fresh_numbers() -> tuple[int, int]:
    reader_version.stat_checksum.cache_clear()
    reader_version.content_checksum.cache_clear()
    return reader_version.stat_checksum(), reader_version.content_checksum()


def test_index_without_a_writable_place(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert_right(root, Index(tmp_path / "file" / "index.sqlite"))


def test_index_locked_by_another_process(root: Path, kept: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_LOCK_TIMEOUT_SECONDS", 0.05)
    answers(Vault(root, lambda: kept))
    holder = sqlite3.connect(kept.file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        (root / "New.md").write_text("# New")
        assert_right(root, kept)
    finally:
        holder.close()
    assert_right(root, kept)


COMMAND = """import sys
from pathlib import Path
from vaultkit.errors import Problem
from vaultkit.vault import Note, Vault
from vaultkit.vault.index.index_file import Index
print(len(Vault(Path(sys.argv[1]), lambda: Index(Path(sys.argv[2]))).facts))
"""


@pytest.mark.slow
def test_several_processes_use_one_index_at_once(root: Path, kept: Index) -> None:
    for number in range(40):
        (root / f"{number}.md").write_text(f"# {number}\n[[Home]]\n")
    words = [sys.executable, "-c", COMMAND, str(root), str(kept.file)]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in running:
        assert process.communicate(timeout=60) == ("44\n", "")
    assert_right(root, kept)


def test_several_processes_read_the_same_as_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answers(Vault(root))
    monkeypatch.setattr(fact_reader, "MIN_PARALLEL_FILES", 1)
    monkeypatch.setattr(fact_reader, "_CHUNK_FILES", 2)
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 2)
    seen: list[tuple[int, int]] = []
    assert answers(Vault(root, progress=lambda done, total: seen.append((done, total)))) == expected
    assert seen[-1] == (4, 4)


def test_system_without_fork_reads_with_one_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("no semaphores here")

    monkeypatch.setattr(fact_reader, "MIN_PARALLEL_FILES", 1)
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 2)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refused)
    monkeypatch.setattr("os.fork", refused, raising=False)
    assert len(Vault(root).facts) == 4


def test_huge_number_is_left_out_of_the_facts(root: Path, kept: Index) -> None:
    (root / "Big.md").write_text(f"---\nbig: {10**30}\nsmall: 1\n---\n[[Home]]\n")
    assert Vault(root, lambda: kept).facts["Big.md"].property("small") == 1
    assert len(Vault(root, lambda: kept).facts["Big.md"].links) == 1


def test_a_write_is_seen_at_once(root: Path, kept: Index) -> None:
    vault = Vault(root, lambda: kept)
    assert vault.facts["Home.md"].title == "Home"
    (root / "Home.md").write_text("# House")
    (root / "Attic.md").write_text("# Attic")
    for path in ("Home.md", "Attic.md"):
        vault.forget(path)
    assert (vault.facts["Home.md"].title, vault.facts["Attic.md"].title) == ("House", "Attic")
    (root / "Attic.md").unlink()
    vault.forget("Attic.md")
    assert list(vault.facts) == ["Home.md", "Plan.canvas", "a/Bell.md", "b/Broken.md"]


def found_wrong(note: Note) -> Inspection:
    return Inspection((Problem(note.path, 1, 1, "mine", "It is mine."),) if b"Rooms" in note.data else ())


def test_problems_found_by_other_checks_are_stored_in_the_index(
    root: Path, kept: Index, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if_later(monkeypatch)
    for _ in range(2):
        facts = Vault(root, lambda: kept, inspect=found_wrong).facts
        assert [problem.note for facts in facts.values() for problem in facts.problems] == ["Home.md", "a/Bell.md"]
    assert len(reads) == 4
    again = Vault(root, lambda: kept, inspect=found_wrong)
    assert again.read_facts("a/Bell.md").problems == again.facts["a/Bell.md"].problems
