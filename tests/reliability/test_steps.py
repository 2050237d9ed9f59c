"""Commands that write several files, killed before each of their system calls and repeated: whole, once, one undo."""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaign.dragon_citadel import samples as rewards
from tests.campaign.samples import CARDS, NOW, finished_game, log, make_vault, numbered_game
from tests.reliability.disk import kills
from tests.reliability.state import CAMPAIGN, leftovers
from vaultkit.campaign import undo as taking_back
from vaultkit.campaign.deck_of_destiny.inventory import Change
from vaultkit.campaign.dragon_citadel.note_scores import find_game
from vaultkit.campaign.dragon_citadel.record_rewards import earlier_rewards, finish_rewards, record_rewards
from vaultkit.errors import NothingFound, WriteError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.splice import append
from vaultkit.vault.writing.write import Writer

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")]
HERO = "1-Party/Ysolde Marr.md"
Work = Callable[[Path], object]
Make = Callable[[Path], object]


def make_log(root: Path) -> None:
    make_vault(root)
    (root / HERO).write_bytes(b"---\ndestiny-inventory: [Berserker, Miser]\n---\nA cleric.\n")


def log_game(root: Path) -> None:
    change = Change(HERO, ("6-swords", "9-coins"), ("9-coins", "raven"))
    log(Vault(root), finished_game(inventory=change, card_names=CARDS))


def roll_rewards(root: Path) -> None:
    vault = Vault(root)
    game = find_game(vault, "")
    finish_rewards(game, vault, rewards.NOW)
    if earlier_rewards(game, vault):
        return
    settings = Settings(campaign=CampaignSettings(loot_heading="Loot"))
    rolled = rewards.roll_rewards(vault, seed=time.time_ns())
    record_rewards(rolled, vault, settings, loot=True, now=rewards.NOW, dry_run=False)


def make_many(root: Path) -> None:
    for number in range(12):
        (root / f"{number:02}.md").parent.mkdir(exist_ok=True)
        (root / f"{number:02}.md").write_bytes(b"text\n")


def fix_many(root: Path) -> None:
    vault = Vault(root)
    writer = Writer(vault, "check --fix", NOW)
    if not (root / "New/a.md").exists():
        writer.create("New/a.md", "a")
    for path in vault.note_paths:
        if "/" not in path:
            writer.change(path, lambda note: None if "ours" in note.text else append(note, "ours"))
    writer.commit()


CASES: dict[str, tuple[Make, Work, str, int]] = {
    "log": (make_log, log_game, "^vk-", 1),
    "rewards": (rewards.make, roll_rewards, "-loot", 2),
    "check --fix": (make_many, fix_many, "ours", 12),
}


def contents(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and ".vaultkit" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Make, Work, str, int]:
    return CASES[request.param]


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in memory: a kill loses nothing that was written, and a disk would take its time."""
    return tmp_path_factory.mktemp("steps")


@pytest.fixture
def vault(case: tuple[Make, Work, str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    case[0](tmp_path / "vault")
    return tmp_path / "vault"


def test_command_killed_before_any_call_and_repeated_is_complete_with_one_undo(
    case: tuple[Make, Work, str, int], vault: Path
) -> None:
    _, work, mark, times = case
    before = contents(vault)
    killed = 0
    for root in kills(work, vault):
        for _ in range(2):
            work(root)
            assert not leftovers(root)
            after = contents(root)
            assert b"".join(after.values()).count(mark.encode()) == times
        assert [entry.state for entry in History(Vault(root)).entries()] == [""]
        taking_back.undo(Vault(root))
        assert contents(root) == before
        with pytest.raises(NothingFound):
            taking_back.undo(Vault(root))
        killed += 1
    assert killed > 10


def test_command_killed_before_any_call_and_undone_leaves_nothing(
    case: tuple[Make, Work, str, int], vault: Path
) -> None:
    _, work, mark, times = case
    before = contents(vault)
    for root in kills(work, vault):
        try:
            taking_back.undo(Vault(root))
        except NothingFound:
            assert contents(root) | before == contents(root)
        else:
            assert contents(root) == before
        work(root)
        assert b"".join(contents(root).values()).count(mark.encode()) == times
        assert not leftovers(root)
        taking_back.undo(Vault(root))
        assert contents(root) == before


def test_undo_takes_back_nothing_older_once_a_command_that_was_killed_has_begun(
    case: tuple[Make, Work, str, int], vault: Path
) -> None:
    _, work, _, _ = case
    work(vault)
    taking_back.undo(Vault(vault))
    (vault / "Older.md").write_bytes(b"text\n")
    writer = Writer(Vault(vault), "draw", NOW)
    writer.change("Older.md", lambda note: append(note, "older"))
    writer.commit()
    folder = vault / ".vaultkit/history"
    before, known, refused = contents(vault), {path.name for path in folder.iterdir()}, 0
    for root in kills(work, vault):
        if {path.name for path in (root / ".vaultkit/history").iterdir()} == known:
            continue
        try:
            taking_back.undo(Vault(root))
        except NothingFound as error:
            refused += "(draw" in error.hint
        assert contents(root) == before
    assert refused


def test_undo_killed_before_any_call_is_finished_by_the_next_undo(
    case: tuple[Make, Work, str, int], vault: Path
) -> None:
    _, work, _, _ = case
    before = contents(vault)
    work(vault)
    for root in kills(lambda root: taking_back.undo(Vault(root)), vault):
        with contextlib.suppress(NothingFound):
            taking_back.undo(Vault(root))
        assert contents(root) == before
        assert not leftovers(root)


@pytest.mark.parametrize("theirs", [b"", b"- theirs\n"], ids=["alone", "another program writes"])
@pytest.mark.parametrize("listed", [True, False])
def test_undo_killed_before_any_call_is_listed_correctly_and_repeated_undoes_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theirs: bytes, listed: bool
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    vault = tmp_path / "vault"
    make_vault(vault)
    log(Vault(vault), numbered_game(0))
    before = contents(vault)
    log(Vault(vault), numbered_game(1))
    after, last = contents(vault), "000002-log"

    for root in kills(lambda root: taking_back.undo(Vault(root)), vault):
        is_whole = after.items() <= contents(root).items()
        with (root / CAMPAIGN).open("ab") as stream:
            stream.write(theirs)
        now = contents(root)
        if listed:
            known = {entry.id: entry for entry in taking_back.list_entries(Vault(root))}
            writes = {write.path: write for write in known[last].writes}
            there = {path: write.inserted.strip().encode() in now.get(path, b"") for path, write in writes.items()}
            assert {path: not write.taken for path, write in writes.items()} == there
            assert known[last].undone is not any(there.values()) and not known["000001-log"].undone
        elif theirs and is_whole:
            with pytest.raises(WriteError, match="changed since"):
                taking_back.undo(Vault(root))
            assert after.items() - contents(root).items() == {(CAMPAIGN, after[CAMPAIGN])}
        else:
            assert taking_back.undo(Vault(root)).meant.id == last
            assert contents(root) == {**before, CAMPAIGN: before[CAMPAIGN] + theirs}
            assert {entry.id: entry.state for entry in History(Vault(root)).entries()}[last] == "undone"
            assert not leftovers(root)
