"""The lock of a vault, `.vaultkit/lock`, and the `.gitignore` that keeps it out of git."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.counts import short
from vaultkit.campaign.undo import undo
from vaultkit.errors import NothingFound, WriteError
from vaultkit.session import journal_files
from vaultkit.vault import Note, Vault
from vaultkit.vault.vault import UNLOCKABLE_ROOTS
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import GITIGNORE_TEXT, private_folder
from vaultkit.vault.writing.lock import can_lock, vault_lock
from vaultkit.vault.writing.splice import Splice, append
from vaultkit.vault.writing.write import Writer

NOW = datetime(2026, 11, 3)
ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from datetime import datetime
from pathlib import Path
from vaultkit.vault import Vault
from vaultkit.vault.writing.splice import append
from vaultkit.vault.writing.write import Writer

name, root = sys.argv[1], Path(sys.argv[2])
sys.stdin.readline()
for number in range(8):
    vault = Vault(root)
    writer = Writer(vault, "log", datetime(2026, 11, 3), f"{name}-{number}")
    writer.create(f"{name}/{number}.md", "text")
    writer.change("Shared.md", lambda note: append(note, f"- {name} {number}"))
    writer.commit()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "n.md").write_bytes(b"# n\n")
    return folder


def line(note: Note) -> Splice | None:
    return append(note, "- ours")


def write(root: Path) -> None:
    writer = Writer(Vault(root), "log", NOW, "s")
    writer.change("n.md", line)
    writer.commit()


def refusing(code: int) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    return refuse


@pytest.mark.slow
def test_two_accounts_with_separate_caches_write_one_after_the_other(root: Path, tmp_path: Path) -> None:
    """Neither knows of the other but by the vault itself."""
    (root / "Shared.md").write_bytes(b"# Shared\n")
    writers = []
    for name in ("anna", "bert"):
        home = {"HOME": "home", "XDG_CACHE_HOME": "cache", "LOCALAPPDATA": "data", "TMPDIR": "temp"}
        own = {variable: str(tmp_path / name / folder) for variable, folder in home.items()}
        Path(own["TMPDIR"]).mkdir(parents=True)
        writers.append(
            subprocess.Popen(
                [sys.executable, "-c", WRITER, name, str(root)], cwd=ROOT, env=os.environ | own,
                stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
        )  # fmt: skip
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("\n")
        writer.stdin.flush()
    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    assert [writer.returncode for writer in writers] == [0, 0]
    lines = (root / "Shared.md").read_text().splitlines()
    assert sorted(filter(None, lines[1:])) == sorted(
        f"- {name} {number}" for name in ("anna", "bert") for number in range(8)
    )
    assert len(list(History(Vault(root)).entries())) == 16
    for _ in range(16):
        undo(Vault(root), now=NOW)
    assert (root / "Shared.md").read_bytes() == b"# Shared\n"
    assert not (root / "anna").exists() and not (root / "bert").exists()


def test_lock_of_the_system_is_used_and_a_file_left_by_a_crash_is_ignored(root: Path) -> None:
    (root / ".vaultkit").mkdir()
    (root / ".vaultkit/lock").write_bytes(b"12345\nelsewhere\n")
    write(root)
    assert (root / ".vaultkit/lock").read_bytes() == b"12345\nelsewhere\n"
    assert can_lock(root)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="patches the call of POSIX")
@pytest.mark.parametrize("code", short([errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS]))
def test_disk_without_locks_is_reported_and_the_command_continues(
    vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setattr("fcntl.flock", refusing(code))
    done = vk("init", "--vault", str(root))
    assert done.code == 0, done.err
    assert (root / ".vaultkit/config.toml").exists()
    assert done.err.count("cannot lock files") == 1
    told = vk("doctor", "--all", "--vault", str(root))
    assert "!!  lock: This vault's disk cannot lock files" in told.out
    assert not [path.name for path in (root / ".vaultkit").iterdir() if "soft" in path.name]
    monkeypatch.undo()
    assert "cannot lock files" not in vk("doctor", "--all", "--vault", str(root)).out


@pytest.mark.skipif(os.name != "posix", reason="patches the call of POSIX")
@pytest.mark.parametrize("taken", ["vault", "journal"])
def test_lock_file_that_may_not_be_opened_is_named_with_a_way_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, taken: str
) -> None:
    monkeypatch.setattr("filelock.UnixFileLock._acquire", refusing(errno.EACCES))
    file = (
        root / ".vaultkit/lock" if taken == "vault" else journal_files.lock_file(root / ".vaultkit/journals/x.journal")
    )
    with pytest.raises(WriteError, match="This lock cannot be taken: Permission denied") as caught:
        write(root) if taken == "vault" else journal_files.lock(root / ".vaultkit/journals/x.journal")
    assert caught.value.where == str(file) and "delete it" in caught.value.hint


@pytest.mark.skipif(os.name != "posix", reason="patches the call of POSIX")
def test_other_lock_failures_are_errors(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcntl.flock", refusing(errno.EIO))
    with pytest.raises(WriteError, match="This lock cannot be taken"):
        write(root)
    assert (root / "n.md").read_bytes() == b"# n\n" and root not in UNLOCKABLE_ROOTS


def test_symlinked_lock_is_refused(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "file"
    elsewhere.write_bytes(b"theirs")
    (root / ".vaultkit").mkdir()
    (root / ".vaultkit/lock").symlink_to(elsewhere)
    with pytest.raises(WriteError, match="it is a link"):
        write(root)
    assert elsewhere.read_bytes() == b"theirs"


@pytest.mark.short(3)
@pytest.mark.parametrize(
    "words",
    [
        ("check",), ("notes",), ("stats",), ("doctor",), ("sessions",), ("undo", "--list"), ("undo",), ("games",),
        ("undo", "--dry-run"), ("links", "n"), ("deck",), ("log",), ("link", "n"), ("check", "--fix"), ("templates",),
        ("rewards",), ("init", "--dry-run"), ("reading",), ("resume",), ("ask", "what"), ("stats", "--dry-run"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_reading_command_creates_nothing_in_the_vault(vk: Vaultkit, root: Path, words: tuple[str, ...]) -> None:
    before = sorted(root.rglob("*"))
    vk(*words, "--vault", str(root))
    assert sorted(root.rglob("*")) == before


def test_refused_command_creates_nothing_in_the_vault(root: Path) -> None:
    (root / "n.md").chmod(0o444)
    before = sorted(root.rglob("*"))
    with pytest.raises(WriteError):
        write(root)
    with pytest.raises(NothingFound):
        undo(Vault(root))
    assert sorted(root.rglob("*")) == before


def test_init_trusts_a_vault_that_contains_only_a_lock(root: Path) -> None:
    from vaultkit.campaign.init import prepare_vault

    with vault_lock(root):
        pass
    assert prepare_vault(Vault(root), now=NOW).is_first
    assert not prepare_vault(Vault(root), now=NOW).is_first


@pytest.mark.parametrize("left", [b"", b"\0" * 40, b"\n\n", None])
def test_ignore_file_emptied_by_a_power_cut_is_rewritten(root: Path, left: bytes | None) -> None:
    (root / ".vaultkit").mkdir()
    if left is not None:
        (root / ".vaultkit/.gitignore").write_bytes(left)
    write(root)
    assert (root / ".vaultkit/.gitignore").read_text() == GITIGNORE_TEXT


@pytest.mark.parametrize(
    ("theirs", "added"),
    [
        (b"# of mine\ntemplates/drafts\n!journals/\n", b"history/\nlock\n"),
        (b"history/\r\njournals\r\n.gitignore", b"\nlock\n"),
        (b"# history/\n/journals/\nlock\n", b""),
    ],
)
def test_own_lines_in_the_ignore_file_are_preserved(root: Path, theirs: bytes, added: bytes) -> None:
    (root / ".vaultkit").mkdir()
    (root / ".vaultkit/.gitignore").write_bytes(theirs)
    for _ in range(2):
        private_folder(root, "history")
    assert (root / ".vaultkit/.gitignore").read_bytes() == theirs + added


def test_git_ignores_the_lock(root: Path) -> None:
    if subprocess.run(["git", "init", "-q", str(root)], check=False, capture_output=True).returncode:
        pytest.skip("git is not here")
    write(root)
    told = subprocess.run(["git", "-C", str(root), "status", "--porcelain", "-uall"], capture_output=True, check=True)
    assert b".vaultkit" not in told.stdout
