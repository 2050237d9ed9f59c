"""The program under signals, with few open files and bytes, killed, without permission, with caches that go."""

import ctypes
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.counts import count, short, some
from tests.frozen.running import quiet_machine
from tests.reliability.commands import CASES, contents, made, run
from tests.reliability.test_power_cuts import readable, whole
from tests.wording import Says
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and limits")
ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "vaultkit"]
SIGNALLED = """
import signal, sys
for number in (signal.SIGALRM, signal.SIGUSR1, signal.SIGWINCH):
    signal.signal(number, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
from vaultkit.__main__ import main
main()
"""
"""The program, with a signal every half millisecond that interrupts the call of the system which is going on."""
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
PLAY = "play propheta --seed 3 --seat bot:random --seat bot:random --campaign 'Campaign Log' --plain"
KILLS = count(3, 60)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory."""
    with patch.object(tempfile, "tempdir", str(tmp_path_factory.mktemp("processes"))), quiet_machine() as folder:
        yield folder


def process(
    root: Path, line: str, program: list[str] = PROGRAM, before: Callable[[], object] | None = None, **variables: str
) -> tuple[int, str]:
    """Give a command in a process of its own; its exit code, and what it printed."""
    done = subprocess.run(
        [*program, *shlex.split(line)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=before,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


def expected(name: str, folder: Path) -> tuple[Path, dict[str, bytes], dict[str, bytes]]:
    """The vault of a case, and its files before and after the command."""
    case, root = CASES[name], folder / "vault"
    before = made(root, case.earlier)[-1]
    done = Path(shutil.copytree(root, folder / "done"))
    run(done, case.line)
    return root, before, contents(done)


@pytest.mark.parametrize("name", short(CASES))
def test_signals_at_a_high_rate_change_nothing(name: str, tmp_path: Path) -> None:
    root, before, after = expected(name, tmp_path)
    child = subprocess.Popen(
        [sys.executable, "-c", SIGNALLED, *shlex.split(CASES[name].line)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    time.sleep(0.3)  # until it has its handlers: without one, SIGUSR1 ends a process
    chance = random.Random(7)
    while child.poll() is None:
        child.send_signal(chance.choice([signal.SIGUSR1, signal.SIGWINCH]))
        time.sleep(0.0005)
    assert child.stdout is not None
    assert child.returncode == 0, child.stdout.read()
    assert contents(root) == after
    readable(root, name)
    assert before != after or name == "sessions"


@pytest.mark.slow
@pytest.mark.parametrize("name", short(CASES))
def test_few_open_files_are_enough_or_are_reported_in_one_line(name: str, tmp_path: Path) -> None:
    root, before, after = expected(name, tmp_path)
    said = set()
    # Python itself does not start with fewer than five.
    for limit in [*some(range(5, 35), 2), 48]:
        tried = Path(shutil.copytree(root, tmp_path / f"{limit}"))
        code, text = process(
            tried,
            CASES[name].line,
            before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)),  # noqa: B023
        )
        said.add(code)
        assert code in (0, ExitCode.INVALID), f"{limit}: {text}"
        assert contents(tried) == (before if code else after), f"{limit}: {text}"
        assert not code or text == Says("Error", "system", "vaultkit", "too few files"), text
        readable(tried, name)
    assert 0 in said


@pytest.mark.slow
def test_limit_that_may_be_raised_is_raised(tmp_path: Path) -> None:
    root, _, after = expected("config", tmp_path)
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 256))  # noqa: E731
    assert process(root, CASES["config"].line, before=limit)[0] == 0
    assert contents(root) == after


@pytest.mark.slow
@pytest.mark.parametrize("name", short(CASES))
def test_few_bytes_a_file_leave_whole_notes(name: str, tmp_path: Path) -> None:
    """The system writes less than it was asked to, and then no more (EFBIG)."""
    root, before, after = expected(name, tmp_path)

    for size in some([0, 1, 100, 500, 1000, 2000, 4000, 8000], 2):

        def limit(size: int = size) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        tried = Path(shutil.copytree(root, tmp_path / f"{size}"))
        code, text = process(tried, CASES[name].line, before=limit)
        assert code in (0, ExitCode.WRITE), f"{size}: {text}"
        whole(tried, f"{size}", before, after)
        assert code or contents(tried) == after
        readable(tried, name)
        again, text = process(tried, CASES[name].line)
        assert again in CASES[name].again, text


@pytest.mark.slow
def test_output_to_a_slow_pipe_that_takes_a_little_at_a_time_is_whole(tmp_path: Path) -> None:
    root, _, _ = expected("play", tmp_path)
    _, text = process(root, "rules propheta")
    child = subprocess.Popen(
        [*PROGRAM, "rules", "propheta"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert child.stdout is not None
    got = b"".join(iter(lambda: os.read(child.stdout.fileno(), 37), b""))  # type: ignore[union-attr]
    assert child.wait() == 0
    assert got.decode() == text


def killed(root: Path, line: str, seconds: float, output: Path) -> int:
    """Kill a command after so many seconds; the code of how it ended. What it printed is in `output`."""
    with output.open("wb") as stream:
        child = subprocess.Popen(
            [*PROGRAM, *shlex.split(line)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        )
        try:
            return child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            return child.wait()


def moves(text: str) -> list[str]:
    """The tricks that were shown, one a line; the last line may be cut off."""
    return re.findall(r"^ ?Trick \d+: .*(?=\n)", text, re.MULTILINE)


@pytest.mark.slow
def test_killed_game_goes_on_from_what_was_shown(tmp_path: Path) -> None:
    """`play` and then `resume` are killed at random moments; the game ends as it would have ended."""
    root = tmp_path / "vault"
    made(root, ("init --with propheta",))
    done = Path(shutil.copytree(root, tmp_path / "done"))
    started = time.perf_counter()
    code, whole_game = process(done, PLAY)
    usual = time.perf_counter() - started
    assert code == 0
    chance, number, kills = random.Random(7), 0, 0
    for number in range(KILLS):
        tried = Path(shutil.copytree(root, tmp_path / f"{number}"))
        line, shown = PLAY, list[str]()
        for _ in range(4):
            code = killed(tried, line, chance.uniform(0.4, 1.1) * usual, tmp_path / "output")
            shown += moves((tmp_path / "output").read_text(encoding="utf-8", errors="replace"))
            kills += code < 0
            journals = list(tried.glob(".vaultkit/journals/*.journal"))
            line = "resume --plain" if journals else PLAY
            if code >= 0:
                break
        if code:
            code, text = process(tried, line)
            if code == ExitCode.NOTHING:  # over, but not logged
                code, text = process(tried, f"log --session {journals[0].stem} --campaign 'Campaign Log'")
            shown += moves(text)
            assert code == 0, text
        assert contents(tried) == contents(done)
        assert set(shown) <= set(moves(whole_game))
        readable(tried, "play")
    assert kills


@pytest.mark.slow
def test_killed_fix_of_many_notes_is_whole_and_is_undone(tmp_path: Path) -> None:
    root, before, after = expected("check", tmp_path)
    started = time.perf_counter()
    process(Path(shutil.copytree(root, tmp_path / "timed")), CASES["check"].line)
    usual = time.perf_counter() - started
    chance, kills = random.Random(7), 0
    for number in range(KILLS):
        tried = Path(shutil.copytree(root, tmp_path / f"{number}"))
        kills += killed(tried, CASES["check"].line, chance.uniform(0.5, 1.0) * usual, tmp_path / "output") < 0
        whole(tried, f"{number}", before, after)
        code, text = process(tried, "undo")
        assert code in (0, ExitCode.NOTHING), text
        assert contents(tried) == before
        readable(tried, "check")
    assert kills


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", short(["config", "draw", "check", "log", "play", "undo", "games", "templates", "stats"])
)
@pytest.mark.parametrize("place", short([".vaultkit", ".", ".vaultkit/history"]))
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0 and sys.platform != "linux", reason="needs Linux as root")
def test_folder_without_permission_is_reported_to_an_ordinary_user(place: str, name: str, tmp_path: Path) -> None:
    root, before, after = expected(name, tmp_path)
    if not (root / place).is_dir():
        made_by_earlier, _ = process(root, "config set history.days 31")
        assert made_by_earlier == 0
        before, after = contents(root), {}
    (root / place).chmod(0o555)
    try:
        code, text = process(root, CASES[name].line, before=become_ordinary, XDG_CACHE_HOME="/nonexistent")
    finally:
        (root / place).chmod(0o755)
    assert code in (0, ExitCode.WRITE), text
    assert code == 0 or "Error: " in text
    assert after == {} or contents(root) == (before if code else after), text
    readable(root, name)


def become_ordinary() -> None:
    """Give up an administrator's right to pass over permissions; the program then meets those of its user."""
    libc = ctypes.CDLL(None)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("cache", short(["read-only", "deleted meanwhile", "a file", "another for each computer"]))
def test_cache_that_is_lost_or_another_one_changes_no_result(cache: str, tmp_path: Path) -> None:
    root, _, after = expected("config", tmp_path)
    caches = [tmp_path / "cache one", tmp_path / "cache two"]
    if cache == "a file":
        caches[0].write_bytes(b"")
    problems = process(root, "check --json", XDG_CACHE_HOME=str(caches[0]))
    if cache == "deleted meanwhile":
        child = subprocess.Popen(
            [*PROGRAM, *shlex.split(CASES["config"].line)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(caches[0])},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while child.poll() is None:
            shutil.rmtree(caches[0], ignore_errors=True)
        assert child.returncode == 0
    else:
        if cache == "read-only":
            caches[0].chmod(0o555)
        code, text = process(root, CASES["config"].line, XDG_CACHE_HOME=str(caches[cache.startswith("another")]))
        assert code == 0, text
    assert contents(root) == after
    (root / "Faulty/Note 1.md").write_bytes(b"# Note\n\nAll is well.\n")
    for place in caches:
        left = json.loads(process(root, "check --json", XDG_CACHE_HOME=str(place))[1])
        assert len(left["items"] if "items" in left else left["problems"]) < problems[1].count('"code"')
