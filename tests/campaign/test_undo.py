import pytest

from tests.campaign.samples import SESSION, log, numbered, tree
from vaultkit.campaign.undo import entries, undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.vault import Vault


def content(vault: Vault) -> dict[str, bytes]:
    files = tree(vault.root).items()
    return {path: data for path, (data, mode, _) in files if mode & 0o100000 and not path.startswith(".vaultkit")}


def test_undo_takes_back_one_game_after_the_other(vault: Vault) -> None:
    states = [content(vault)]
    for number in range(3):
        log(vault, numbered(number))
        states.append(content(vault))
    for number in (2, 1, 0):
        undone = undo(vault)
        assert undone.entry.session == numbered(number).session
        assert set(undone.restored) == {"Campaign Log.md", f"Games/2026-11-03 Dragon Citadel {number + 1}.md"}
        assert content(vault) == states[number]
    with pytest.raises(NothingFound) as caught:
        undo(vault)
    assert caught.value.exit_code == 4
    assert [entry.undone for entry in entries(vault)] == [True, True, True]


def test_it_says_what_was_taken_back(vault: Vault) -> None:
    log(vault)
    assert undo(vault).title == f"log of {SESSION}, 3 November 2026 22:15"


def test_by_number(vault: Vault) -> None:
    log(vault)
    with pytest.raises(NothingFound):
        undo(vault, "7")
    assert undo(vault, "1").entry.id == "000001-log"


def test_a_changed_note_is_refused_and_nothing_touched(vault: Vault) -> None:
    logged = log(vault)
    (vault.root / logged.note).write_text("mine")
    before = content(vault)
    with pytest.raises(WriteError) as caught:
        undo(vault)
    assert (caught.value.exit_code, caught.value.where) == (5, logged.note)
    assert content(vault) == before


def test_what_the_gm_took_back_by_hand_is_passed_over(vault: Vault) -> None:
    log(vault, numbered(1))
    before = content(vault)
    log(vault, numbered(2))
    for path, data in before.items():
        (vault.root / path).write_bytes(data)
    (vault.root / "Games/2026-11-03 Dragon Citadel 2.md").unlink()
    assert undo(vault).entry.session == numbered(1).session


def test_logging_again_after_undo(vault: Vault) -> None:
    first = log(vault)
    undo(vault)
    assert log(vault).written == first.written
