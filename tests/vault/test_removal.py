"""Files that an undo removes: what another program writes into them in the last instant is not lost."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from vaultkit import files
from vaultkit.campaign.undo import rescue, undo
from vaultkit.errors import WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.crash_recovery import recover_leftovers
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3)
OURS, THEIRS, LATER = "# Ours\n", "# Ours\n\nTheir sentence.\n", "Written anew.\n"
NOTE = "Games/2026/Ours.md"


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    vault = Vault(tmp_path)
    made = Writer(vault, "log", NOW, "s")
    made.create(NOTE, OURS)
    made.create("Games/Second.md", "2")
    made.commit()
    return vault


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], object], *, after: bool = False) -> None:
    """Let another program act between our look at the note and its removal, or just after it lost its name."""
    real = atomic_file._rename_away

    def raced(file: Path, target: Path) -> Path:
        if file.name != "Ours.md":
            return real(file, target)
        if not after:
            act(file)
        old = real(file, target)
        if after:
            act(file)
        return old

    monkeypatch.setattr(atomic_file, "_rename_away", raced)


def by_rename(file: Path) -> None:
    file.with_name("part").write_text(THEIRS)
    file.with_name("part").replace(file)


def leftovers(vault: Vault) -> list[str]:
    return [path.name for path in vault.root.rglob(".vaultkit-*")]


@pytest.mark.parametrize("act", [lambda file: file.write_text(THEIRS), by_rename], ids=["in place", "by rename"])
def test_text_written_just_before_a_removal_is_preserved(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], object]
) -> None:
    between(monkeypatch, act)
    with pytest.raises(WriteError, match="changed this note just now") as refused:
        undo(vault, now=NOW)
    assert refused.value.where == NOTE and "Second.md" in refused.value.message
    assert (vault.root / NOTE).read_text() == THEIRS and not leftovers(vault)


def test_text_written_later_by_an_open_editor_is_stored_in_the_history(vault: Vault) -> None:
    with (vault.root / NOTE).open("r+") as editor:
        assert undo(vault, now=NOW).restored
        editor.write(THEIRS)
    assert not (vault.root / "Games").exists()
    recover_leftovers(vault, (), max_age_seconds=0)
    entry = next(History(vault).entries())
    rescue(vault, entry.id, vault.root / "rescued.md", note=NOTE, now=NOW)
    assert (vault.root / "rescued.md").read_text() == THEIRS


def test_reappeared_note_is_left_alone_and_the_other_text_is_preserved(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_twice(file: Path) -> None:
        next(file.parent.glob(".vaultkit-*")).write_text(THEIRS)
        file.write_text(LATER)

    between(monkeypatch, write_twice, after=True)
    with pytest.raises(WriteError, match="changed this note just now"):
        undo(vault, now=NOW)
    assert (vault.root / NOTE).read_text() == LATER and not leftovers(vault)
    entry = next(History(vault).entries())
    rescue(vault, entry.id, vault.root / "rescued.md", note=NOTE, now=NOW)
    assert (vault.root / "rescued.md").read_text() == THEIRS


@pytest.mark.parametrize("text", [OURS, THEIRS])
def test_a_crash_in_the_middle_of_a_removal_loses_nothing(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """The note has lost its name when the power goes; the next undo gives it back, and goes on or refuses."""
    between(monkeypatch, lambda file: file.write_text(text))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(files, "sync_folder", lambda folder: cut(folder, vault.root / "Games/2026"))
        undo(vault, now=NOW)
    assert leftovers(vault) and not (vault.root / NOTE).exists()
    monkeypatch.undo()
    if text == OURS:
        undo(vault, now=NOW)
        assert not (vault.root / "Games").exists()
    else:
        with pytest.raises(WriteError, match="changed since"):
            undo(vault, now=NOW)
        assert (vault.root / NOTE).read_text() == THEIRS
    assert not leftovers(vault)


def cut(folder: str | Path, at: Path) -> None:
    if Path(folder) == at:
        raise KeyboardInterrupt


def test_undo_removes_emptied_folders_but_not_those_with_foreign_files(vault: Vault) -> None:
    (vault.root / "Games" / "theirs.txt").write_text("x")
    undo(vault, now=NOW)
    assert [path.name for path in (vault.root / "Games").iterdir()] == ["theirs.txt"]


def test_foreign_file_in_a_history_entry_outlives_the_entry(vault: Vault) -> None:
    from vaultkit.vault.writing.history import entry_files

    place = vault.root / ".vaultkit/history/000001-log"
    (place / "notes of mine.txt").write_text("x")
    entry_files.remove(place)
    assert [path.name for path in place.iterdir()] == ["notes of mine.txt"]
    (place / "notes of mine.txt").unlink()
    entry_files.remove(place)
    assert not place.exists()
