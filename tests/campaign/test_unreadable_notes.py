"""Unreadable notes: they are never taken for missing, since their contents would be written again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaign.samples import NOW, SESSION, SETTINGS, log, tree
from tests.campaign.stats.samples import make_vault
from vaultkit.campaign import unreadable_notes
from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.stats.stats_note import record_statistics
from vaultkit.errors import InvalidError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault

NOTE = "Games/2026-11-03 Dragon Citadel 1.md"
MERGE = b"<<<<<<< HEAD\nmood: gay\n=======\nmood: sad\n>>>>>>> theirs\n"


def conflict_inside(data: bytes) -> bytes:
    session, _, rest = data.removeprefix(b"---\n").partition(b"\n")
    return b"---\n<<<<<<< HEAD\n" + session + b"\n=======\n" + session + b" # theirs\n>>>>>>> theirs\n" + rest


def conflict_above(data: bytes) -> bytes:
    return b"<<<<<<< HEAD\n" + data + b"=======\nother\n>>>>>>> theirs\n"


def text_above(data: bytes) -> bytes:
    return b"A word before all.\n" + data


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "conflict inside": conflict_inside,
    "conflict above": conflict_above,
    "text above": text_above,
    "not UTF-8": lambda data: data + b"\xff\xfe\xfa",
    "UTF-16": lambda data: data.decode().encode("utf-16-le")[:-1],
    "no end of the properties": lambda data: data.replace(b"\n---\n# ", b"\n# ", 1),
    "too large": lambda data: data + b"x" * 17_000_000,
}


@pytest.mark.short(2)
@pytest.mark.parametrize("kind", [kind for kind in BREAKS if kind != "too large"])
def test_unreadable_note_of_a_game_is_reported_and_not_written_again(vault: Vault, kind: str) -> None:
    log(vault)
    (vault.root / NOTE).write_bytes(BREAKS[kind]((vault.root / NOTE).read_bytes()))
    before, again = tree(vault.root), Vault(vault.root)
    with pytest.raises(InvalidError, match="Nothing was written") as caught:
        log(again)
    assert caught.value.where.startswith(f"{NOTE}:") and "vaultkit check" in caught.value.hint
    assert tree(vault.root) == before


@pytest.mark.short(2)
@pytest.mark.parametrize("broken", [b"outcome: [a, 'b\n", b"\tdate: x\n  y: 1\n", MERGE])
def test_partly_readable_note_is_recognized_by_its_readable_properties(vault: Vault, broken: bytes) -> None:
    log(vault)
    (vault.root / NOTE).write_bytes((vault.root / NOTE).read_bytes().replace(b"date:", broken + b"date:", 1))
    assert log(Vault(vault.root)).note == NOTE and len(list((vault.root / "Games").iterdir())) == 1


@pytest.mark.slow
def test_too_large_note_of_a_game_is_reported(vault: Vault) -> None:
    test_unreadable_note_of_a_game_is_reported_and_not_written_again(vault, "too large")


@pytest.mark.short(2)
@pytest.mark.parametrize("kind", ["conflict inside", "conflict above", "not UTF-8"])
def test_unreadable_note_is_found_where_it_was_moved(vault: Vault, kind: str) -> None:
    log(vault)
    moved = vault.root / "1-Party/The night we won.md"
    moved.write_bytes(BREAKS[kind]((vault.root / NOTE).read_bytes()))
    (vault.root / NOTE).unlink()
    with pytest.raises(InvalidError) as caught:
        log(Vault(vault.root))
    assert caught.value.where.startswith("1-Party/The night we won.md")


def test_fully_unreadable_note_is_recognized_by_the_day_in_its_name(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(vault)
    (vault.root / NOTE).write_bytes(b"\xff\xfe\xfa")
    (vault.root / "1-Party/Other.md").write_bytes(b"\xff\xfe\xfa")
    monkeypatch.setattr(unreadable_notes, "_read_head", lambda *_: None)  # in use by another program
    with pytest.raises(InvalidError, match="may be that of") as caught:
        log(Vault(vault.root))
    assert caught.value.where.startswith(NOTE)
    (vault.root / NOTE).unlink()
    assert log(Vault(vault.root)).note == NOTE, "a note of another name is another note"


def test_a_broken_note_of_another_game_stops_nothing(vault: Vault) -> None:
    broken = vault.root / "Games/2026-11-03 Dragon Citadel 7.md"
    broken.parent.mkdir(exist_ok=True)
    broken.write_bytes(b'---\nvaultkit-session: "20261103-dragon-citadel-zzzz"\nx: [\n---\n\xff')
    assert log(vault).note.endswith("8.md")


def test_a_line_in_an_unreadable_log_is_not_added_elsewhere(vault: Vault) -> None:
    log(vault)
    old = vault.root / "Old Log.md"
    old.write_bytes((vault.root / "Campaign Log.md").read_bytes() + b"\xff")
    (vault.root / "Campaign Log.md").write_bytes(b"# Log\n")
    with pytest.raises(InvalidError, match="has the line of the log") as caught:
        log(Vault(vault.root))
    assert caught.value.where.startswith("Old Log.md")


def test_moved_and_broken_statistics_note_is_not_created_twice(tmp_path: Path) -> None:
    settings = Settings(campaign=CampaignSettings(folder="Games"))
    vault = make_vault(tmp_path)
    note = record_statistics(vault, settings, now=NOW).note
    moved = tmp_path / "Tables.md"
    moved.write_bytes((tmp_path / note).read_bytes().replace(b"---\n", b"<<<<<<< HEAD\n---\n", 1))
    (tmp_path / note).unlink()
    before = tree(tmp_path)
    with pytest.raises(InvalidError) as caught:
        record_statistics(Vault(tmp_path), settings, now=NOW)
    assert caught.value.where.startswith("Tables.md") and tree(tmp_path) == before


def test_rewards_report_the_unreadable_note(vault: Vault) -> None:
    log(vault)
    (vault.root / NOTE).write_bytes(conflict_inside((vault.root / NOTE).read_bytes()))
    for wanted in (SESSION, SESSION[-4:], NOTE):
        with pytest.raises(InvalidError) as caught:
            find_game(Vault(vault.root), wanted, SETTINGS.players)
        assert caught.value.where.startswith(NOTE), wanted
