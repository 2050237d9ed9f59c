from dataclasses import replace

import pytest

from tests.campaign.samples import NOW, SETTINGS, log, numbered_game, tree
from vaultkit.campaign.undo import list_entries, preview, undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.settings import CampaignSettings
from vaultkit.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.splice import append
from vaultkit.vault.writing.write import Writer


def content(vault: Vault) -> dict[str, bytes]:
    files = tree(vault.root).items()
    return {path: data for path, (data, mode, _) in files if mode & 0o100000 and not path.startswith(".vaultkit")}


@pytest.mark.slow
def test_undo_reverts_one_game_after_the_other(vault: Vault) -> None:
    states = [content(vault)]
    for number in range(3):
        log(vault, numbered_game(number))
        states.append(content(vault))
    for number in (2, 1, 0):
        undone = undo(vault)
        assert undone.meant.session == numbered_game(number).session
        assert set(undone.restored) == {"Campaign Log.md", f"Games/2026-11-03 Dragon Citadel {number + 1}.md"}
        assert content(vault) == states[number]
    with pytest.raises(NothingFound) as caught:
        undo(vault)
    assert caught.value.exit_code == 4
    assert [entry.undone for entry in list_entries(vault)] == [False] * 3 + [True] * 3


def test_undo_reports_what_was_undone(vault: Vault) -> None:
    log(vault)
    assert undo(vault).title == "log of Dragon Citadel, 3 November"
    with pytest.raises(NothingFound, match=r"^1 \(log of Dragon Citadel, 3 November\) is undone already"):
        undo(vault, "1")


def test_undo_of_an_undo_restores_the_text(vault: Vault) -> None:
    log(vault)
    told = [undo(vault, number) for number in ("1", "2", "3")]
    assert [(one.title, one.back, one.again) for one in told] == [
        ("log of Dragon Citadel, 3 November", back, again) for back, again in ((False, "2"), (True, "3"), (False, "4"))
    ]


def test_undo_by_entry_number(vault: Vault) -> None:
    log(vault)
    with pytest.raises(NothingFound):
        undo(vault, "7")
    assert undo(vault, "1").meant.id == "000001-log"


def test_undo_of_a_changed_note_is_refused_and_nothing_is_written(vault: Vault) -> None:
    logged = log(vault)
    (vault.root / logged.note).write_text("mine")
    before = content(vault)
    with pytest.raises(WriteError) as caught:
        undo(vault)
    assert (caught.value.exit_code, caught.value.where) == (5, logged.note)
    assert content(vault) == before


@pytest.mark.short(1)
@pytest.mark.parametrize("note", ["", "Campaign Log"])
def test_deleted_note_does_not_lose_an_older_game(vault: Vault, note: str) -> None:
    settings = replace(SETTINGS, campaign=CampaignSettings(note=note))
    log(vault, numbered_game(1), settings=settings)
    logged = log(vault, numbered_game(2), settings=settings)
    made = (vault.root / logged.note).read_bytes()
    (vault.root / logged.note).unlink()
    before = content(vault)
    for _ in range(2):
        with pytest.raises(WriteError, match="has been moved or deleted since") as caught:
            undo(vault.reopen())
        assert caught.value.where == logged.note
        assert content(vault) == before
    assert [entry.undone for entry in list_entries(vault)] == [False, False]
    (vault.root / logged.note).write_bytes(made)
    assert undo(vault.reopen()).meant.session == numbered_game(2).session


def test_renamed_note_is_followed_if_otherwise_unchanged(vault: Vault) -> None:
    before = content(vault)
    logged = log(vault)
    moved = vault.root / "2-World" / "Evening.md"
    (vault.root / logged.note).rename(moved)
    renamed = content(vault)
    undone = undo(vault.reopen())
    assert set(undone.restored) == {"Campaign Log.md", "2-World/Evening.md"}
    assert content(vault) == before
    undo(vault.reopen(), undone.again)
    assert content(vault) == renamed
    undo(vault.reopen(), "1")
    assert content(vault) == before


@pytest.mark.parametrize("keep_edits", [False, True])
def test_renamed_note_that_was_changed_or_copied_is_not_undone(vault: Vault, keep_edits: bool) -> None:
    logged = log(vault)
    note = vault.root / logged.note
    made = note.read_bytes()
    note.unlink()
    for texts in ([made, made], [made + b"mine", b""]):
        for name, text in zip(("One.md", "Two.md"), texts, strict=True):
            (vault.root / name).write_bytes(text)
        if not keep_edits:
            with pytest.raises(WriteError, match="moved or deleted"):
                undo(vault.reopen())
        else:
            taking = preview(vault.reopen(), keep_edits=True)[1]
            assert "One.md" not in taking and "Two.md" not in taking and "Campaign Log.md" in taking


def test_text_removed_by_hand_does_not_make_undo_choose_an_older_entry(vault: Vault) -> None:
    path = vault.root / "Campaign Log.md"
    before = path.read_bytes()
    for number in range(2):
        writer = Writer(vault, "log", NOW, str(number))
        writer.change("Campaign Log.md", lambda note: append(note, "- line"))
        writer.commit()
        before = before if number else path.read_bytes()
    path.write_bytes(before)
    undone = undo(vault)
    assert (undone.meant.session, undone.restored) == ("1", ())
    assert path.read_bytes() == before
    assert undo(vault).meant.session == "0"


@pytest.mark.slow
def test_last_write_that_wrote_nothing_is_named_and_no_older_one_undone(vault: Vault) -> None:
    log(vault, numbered_game(1))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(atomic_file, "create", interrupt)
        patch.setattr(atomic_file, "replace", interrupt)
        log(vault, numbered_game(2))
    assert len(list_entries(vault)) == 2
    for attempt in (undo, preview, undo):
        with pytest.raises(NothingFound, match="ended before it wrote anything") as caught:
            attempt(vault)
        assert "vaultkit undo 1 (log of" in caught.value.hint
    assert undo(vault, "1").meant.session == numbered_game(1).session


def test_folder_of_replaced_files_is_no_write(vault: Vault) -> None:
    (vault.root / ".vaultkit/history/aside").mkdir(parents=True)
    with pytest.raises(NothingFound, match="nothing to undo"):
        undo(vault)


@pytest.mark.slow
def test_unmarked_interrupted_undo_is_listed_as_done_and_no_older_entry_is_undone(vault: Vault) -> None:
    for number in range(2):
        log(vault, numbered_game(number))
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(History, "_mark_undone", interrupt)
        undo(vault)
    undone = undo(Vault(vault.root))
    assert (undone.meant.id, undone.restored) == ("000002-log", ())
    assert [entry.state for entry in list_entries(vault)] == ["", "undone", ""]
    assert undo(Vault(vault.root), undone.again).meant.id == "000002-log"
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(History, "_mark_undone", interrupt)
        undo(vault, "1")
    assert [entry.state for entry in list_entries(vault)] == ["", "", "undone", "", "undone"]
    with pytest.raises(NothingFound, match="is undone already"):
        undo(Vault(vault.root), "1")


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_logging_again_after_undo(vault: Vault) -> None:
    first = log(vault)
    undo(vault)
    assert log(vault).written == first.written


@pytest.mark.slow
def test_game_in_the_middle_is_undone_and_restored(vault: Vault) -> None:
    before = content(vault)
    logged = [log(vault, numbered_game(number)) for number in range(3)]
    all_three = content(vault)
    undone = undo(vault, "2")
    assert set(undone.restored) == set(logged[1].written)
    assert set(all_three) - set(content(vault)) == {logged[1].note}
    assert undo(vault, undone.again).meant.id == "000002-log"
    assert content(vault) == all_three
    for number in (1, 3, 2):
        undo(vault, str(number))
    assert content(vault) == before


def test_undo_without_an_id_does_not_undo_an_undo(vault: Vault) -> None:
    log(vault, numbered_game(0))
    log(vault, numbered_game(1))
    assert [undo(vault).meant.number, undo(vault).meant.number] == ["2", "1"]


@pytest.mark.slow
def test_preview_reports_the_same_and_writes_nothing(vault: Vault) -> None:
    logged = log(vault)
    before = content(vault)
    entry, diff = preview(vault)
    assert (entry.number, f"--- a/{logged.note}\n+++ /dev/null\n" in diff) == ("1", True)
    assert content(vault) == before
    (vault.root / logged.note).write_text("mine")
    with pytest.raises(WriteError):
        preview(vault)
