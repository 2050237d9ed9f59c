"""Commands of several files, cut off between two of them: given again they are whole, and one undo is enough."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from tests.campaign.samples import CARDS, SESSION, finished_game, log, make_vault
from vaultkit.campaign.deck_of_destiny.inventory import Change
from vaultkit.campaign.init import InitRequest, prepare_vault
from vaultkit.campaign.undo import undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing import atomic_file
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.interrupted_commands import finish_interrupted, move_splice
from vaultkit.vault.writing.splice import Splice, append, insert_under
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3)
HERO = "1-Party/Ysolde Marr.md"


@pytest.fixture
def vault(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Vault:
    for name in ("CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path_factory.mktemp(name)))
    return make_vault(tmp_path)


@contextmanager
def cut_off(after: int) -> Iterator[None]:
    """Cut a command off before it makes or changes one more file than so many."""
    left = [after]

    def counted(function: object) -> object:
        def step(*arguments: object, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return function(*arguments, **more)  # type: ignore[operator]

        return step

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        for name in ("create", "replace"):
            patch.setattr(atomic_file, name, counted(getattr(atomic_file, name)))
        yield


def contents(vault: Vault) -> dict[str, bytes]:
    files = (path for path in vault.root.rglob("*") if path.is_file() and ".vaultkit" not in path.parts)
    return {path.relative_to(vault.root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.short(1)
@pytest.mark.parametrize("after", [1, 2])
def test_interrupted_log_with_an_inventory_and_a_line_is_finished_in_one_entry(vault: Vault, after: int) -> None:
    (vault.root / HERO).write_bytes(b"---\ndestiny-inventory: [Berserker, Miser]\n---\nA cleric.\n")
    before = contents(vault)
    change = Change(HERO, ("6-swords", "9-coins"), ("9-coins", "raven"))
    result = finished_game(inventory=change, card_names=CARDS)
    with vault_with_lock(vault), cut_off(after):
        log(Vault(vault.root), result)
    again = log(Vault(vault.root), result)
    assert set(again.written) == {"Campaign Log.md", *([HERO] if after == 1 else [])}
    assert b"Raven" in (vault.root / HERO).read_bytes() and b"Berserker" not in (vault.root / HERO).read_bytes()
    assert log(Vault(vault.root), result).written == ()
    assert [entry.session for entry in History(vault).entries()] == [SESSION]
    undo(Vault(vault.root))
    assert contents(vault) == before


@contextmanager
def vault_with_lock(vault: Vault) -> Iterator[None]:
    """The lock and `.gitignore` are there already, so that they are not counted."""
    from vaultkit.vault.writing.lock import vault_lock

    with vault_lock(vault.root):
        yield


@pytest.mark.slow
def test_vault_is_trusted_once_an_interrupted_init_is_repeated(vault: Vault) -> None:
    from vaultkit import trust

    with vault_with_lock(vault), cut_off(2):
        prepare_vault(Vault(vault.root), InitRequest(game="propheta"), now=NOW)
    done = prepare_vault(Vault(vault.root), InitRequest(game="propheta"), now=NOW)
    assert done.is_first and trust.is_trusted(vault.root)
    assert len([*History(vault).entries()]) == 1
    undo(Vault(vault.root))
    assert not (vault.root / ".vaultkit/config.toml").exists()


@pytest.mark.slow
def test_interrupted_init_does_not_trust_existing_vault_content(vault: Vault) -> None:
    with vault_with_lock(vault), cut_off(2):
        prepare_vault(Vault(vault.root), InitRequest(game="propheta"), now=NOW)
    (vault.root / ".vaultkit/templates").mkdir()
    (vault.root / ".vaultkit/templates/log-line.md.j2").write_text("{{ block }}")
    assert not prepare_vault(Vault(vault.root), InitRequest(game="propheta"), now=NOW).is_first


def begin(vault: Vault, session: str = "s") -> None:
    made = Writer(Vault(vault.root), "reading", NOW, session)
    made.create("Readings/One.md", "text")
    made.change("Campaign Log.md", lambda note: insert_under(note, "Log", "- ours ^vk-x"))
    made.change(HERO, lambda note: append(note, "- hers"))
    made.commit()


def test_later_writes_of_others_stay_and_existing_text_is_not_written_twice(vault: Vault) -> None:
    before = contents(vault)
    with vault_with_lock(vault), cut_off(1):
        begin(vault)
    (vault.root / HERO).write_bytes(before[HERO] + b"- hers\n")
    log_note = vault.root / "Campaign Log.md"
    log_note.write_bytes(before["Campaign Log.md"].replace(b"# Log of the", b"# The Log of the") + b"- [ ] Two\n")
    edited = contents(vault)
    assert finish_interrupted(Vault(vault.root), "reading", now=NOW) == ("Campaign Log.md",)
    assert log_note.read_text().count("- ours ^vk-x") == 1 and "Tea.\n- ours ^vk-x\n" in log_note.read_text()
    assert finish_interrupted(Vault(vault.root), "reading", now=NOW) == ()
    undo(Vault(vault.root))
    assert contents(vault) == {path: data for path, data in edited.items() if path != "Readings/One.md"}


def test_notes_that_nobody_changed_get_the_rest_although_the_plan_is_lost(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    with vault_with_lock(vault), cut_off(1):
        begin(vault)
    monkeypatch.setattr(History, "planned_image", lambda *_: None)
    assert {*finish_interrupted(Vault(vault.root), "reading", now=NOW)} == {"Campaign Log.md", HERO}


def test_note_missing_since_is_named_with_the_next_step(vault: Vault) -> None:
    with vault_with_lock(vault), cut_off(1):
        begin(vault)
    (vault.root / HERO).unlink()
    with pytest.raises(WriteError) as refused:
        finish_interrupted(Vault(vault.root), "reading", now=NOW)
    assert refused.value.where == HERO and "vaultkit undo 1" in refused.value.hint
    undo(Vault(vault.root))
    with pytest.raises(NothingFound):
        undo(Vault(vault.root))


def test_text_removed_by_hand_is_not_written_again(vault: Vault) -> None:
    with vault_with_lock(vault), cut_off(1):
        begin(vault)
    (vault.root / "Readings/One.md").unlink()
    before = contents(vault)
    assert finish_interrupted(Vault(vault.root), "reading", now=NOW) == ()
    assert contents(vault) == before


@pytest.mark.parametrize("session", ["s", "t"])
def test_command_of_another_session_is_a_separate_entry(vault: Vault, session: str) -> None:
    with vault_with_lock(vault), cut_off(1):
        begin(vault)
    made = Writer(Vault(vault.root), "reading", NOW, session)
    made.change(HERO, lambda note: append(note, "- hers"))
    made.commit()
    assert len([*History(vault).entries()]) == (1 if session == "s" else 2)


@pytest.mark.parametrize(
    ("before", "splice", "now", "expected"),
    [
        ("a\nb\n", Splice(4, "", "x\n"), "a\nb\n", "a\nb\nx\n"),
        ("a\nb\n", Splice(4, "", "x\n"), "0\na\nb\nc\n", "0\na\nb\nx\nc\n"),
        ("a\r\nb", Splice(4, "", "\r\nx"), "a\r\nb\r\nc", "a\r\nb\r\nx\r\nc"),
        ("a\nb", Splice(3, "", "\nx"), "a\nbb", None),
        ("a\nb", Splice(3, "", "\nx"), "a\nc\n", None),
        ("x\n\nx\n\ny\n", Splice(3, "", "- z\n"), "0\nx\n\nx\n\ny\n", "0\nx\n\n- z\nx\n\ny\n"),
        ("日\n語\n", Splice(2, "語", "字"), "新\n日\n語\n", "新\n日\n字\n"),
        ("x\ny\nx\ny\n", Splice(4, "", "z\n"), "x\ny\nx\ny\nx\ny\n", None),
        ("", Splice(0, "", "x"), "theirs", None),
    ],
)  # fmt: skip
def test_place_of_a_planned_text_is_found_by_its_surrounding_lines(
    before: str, splice: Splice, now: str, expected: str | None
) -> None:
    moved = move_splice(splice, before, now)
    assert (moved and moved.apply(now)) == expected
