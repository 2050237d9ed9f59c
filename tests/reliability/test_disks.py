"""Real disks that are full, folders that become read-only, and the copies that sync tools make: no result is lost."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.campaign.samples import log, make_vault, numbered_game
from tests.reliability.loop import ended, forked
from tests.reliability.state import CAMPAIGN, history_is_sound, leftovers, lines, notes
from vaultkit.errors import WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing.lock import LOCK_TIMEOUT_SECONDS, vault_lock

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs fork and limits")]
LARGE = 20_000


@pytest.fixture
def root(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    make_vault(tmp_path)
    with (tmp_path / CAMPAIGN).open("ab") as note:
        note.write(b"\n## More\n\n" + b"x" * LARGE + b"\n")
    return tmp_path


def status(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 1, 100, 1000, 2000, 4000, 10_000, LARGE, LARGE + 500])
def test_file_size_limit_of_the_system(root: Path, limit: int) -> None:
    """The system refuses to write more, in the middle of a file (EFBIG), as it does where a disk is full."""
    before = (root / CAMPAIGN).read_bytes()

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        log(Vault(root), numbered_game(1))

    said = status(forked(limited))
    assert said in (0, 5)
    assert said == 5 or limit > LARGE
    assert said == 0 or (root / CAMPAIGN).read_bytes() == before
    made_whole(root)


@pytest.mark.slow
def test_a_disk_that_fills_up(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A disk of 256 KB: each log leaves images of the campaign note in the history until nothing fits (ENOSPC)."""
    small = tmp_path_factory.mktemp("small")
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "vaultkit-test", str(small)], capture_output=True, check=False
    ).returncode:
        pytest.skip("only an administrator may mount a disk")
    try:
        make_vault(small)
        with (small / CAMPAIGN).open("ab") as note:
            note.write(b"\n## More\n\n" + b"x" * LARGE + b"\n")
        said = [
            status(forked(lambda number=number: log(Vault(small), numbered_game(number)))) for number in range(1, 20)
        ]  # type: ignore[misc]
        assert set(said) == {0, 5}
        assert (small / CAMPAIGN).read_bytes().count(b"x" * LARGE) == 1
        whole = [f"{number:04d}" for number, code in enumerate(said, 1) if code == 0]
        assert lines(small) == Counter(whole)
        subprocess.run(["mount", "-o", "remount,size=4m", str(small)], check=True)
        for number in range(1, 20):
            log(Vault(small), numbered_game(number))
        assert lines(small) == notes(small) == Counter(f"{number:04d}" for number in range(1, 20))
        assert leftovers(small) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.slow
def test_a_sync_tool_makes_conflict_copies_meanwhile(root: Path) -> None:
    for number in range(1, 9):
        child = forked(lambda number=number: log(Vault(root), numbered_game(number)))  # type: ignore[misc]
        time.sleep(0.005 * number)
        for path in [root / CAMPAIGN, *(root / "Games").glob("2*[0-9].md")]:
            copy = path.with_name(f"{path.stem} (conflicted copy 2026-11-03){path.suffix}")
            copy.write_bytes(path.read_bytes())
        ended(child)
        log(Vault(root), numbered_game(number))
    assert lines(root) == Counter(f"{number:04d}" for number in range(1, 9))
    names = [path.name for path in (root / "Games").glob("*.md") if "conflicted" not in path.name]
    assert len(names) <= 8
    assert set(notes(root)) == set(lines(root))


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="an administrator may write anywhere")
def test_folder_that_becomes_read_only(root: Path) -> None:
    log(Vault(root), numbered_game(0))
    (root / "Games").chmod(0o555)
    with pytest.raises(WriteError):
        log(Vault(root), numbered_game(1))
    assert lines(root) == Counter(["0000"])
    (root / "Games").chmod(0o755)
    made_whole(root)


def test_campaign_note_becomes_read_only(root: Path) -> None:
    (root / CAMPAIGN).chmod(0o444)
    with pytest.raises(WriteError):
        log(Vault(root), numbered_game(1))
    assert notes(root) == lines(root) == Counter()
    (root / CAMPAIGN).chmod(0o644)
    made_whole(root)


@pytest.mark.slow
def test_lock_of_a_killed_process_is_released(root: Path) -> None:
    """The system frees the lock of a process that is killed; nobody has to remove a file."""

    def hold() -> None:
        with vault_lock(root):
            (root / "held").touch()
            time.sleep(60)

    child = forked(hold)
    while not (root / "held").exists():
        time.sleep(0.01)
    waiting = forked(lambda: log(Vault(root), numbered_game(1)))
    time.sleep(0.3)
    assert lines(root) == Counter()
    assert ended(child)
    started = time.perf_counter()
    assert status(waiting) == 0
    assert time.perf_counter() - started < LOCK_TIMEOUT_SECONDS
    made_whole(root)


def made_whole(root: Path) -> None:
    """Logging again completes what is missing, adds nothing that is there, and leaves no rubbish."""
    log(Vault(root), numbered_game(1))
    log(Vault(root), numbered_game(1))
    assert lines(root)["0001"] == notes(root)["0001"] == 1
    assert leftovers(root) == []
    assert history_is_sound(Vault(root))
    assert sys.platform == "win32" or not list(root.rglob("*.swap"))
