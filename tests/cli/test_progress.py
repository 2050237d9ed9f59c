"""The line that says which file is worked on, and Ctrl+C, with real processes on a real terminal."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.vault.making import make_files
from tests.web.processes import Browser
from vaultkit import resources
from vaultkit.errors import ExitCode

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal on Windows"),
]
LONG_NOTE = "# Long\n\n" + "word and **more**\n\n" * 3_000
LONG_COMMANDS = [
    ("check", "--no-cache"),
    ("print", "rules", "Long", "N1", "N2", "N3", "--out", "out.pdf"),
    ("ask", "word", "--no-cache"),
    ("stats", "--no-cache"),
    ("links", "Long", "--no-cache"),
    ("simulate", "propheta", "--games", "500"),
]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vault")
    notes = {f"N{number}.md": LONG_NOTE for number in range(4)}
    lists = {f"List {number}.md": "[[N1]] word\n" * 200 for number in range(2_500)}
    make_files(folder, {"Long.md": LONG_NOTE, **notes, **lists, ".obsidian/app.json": "{}"})
    shutil.copytree(resources.shipped_folder("vault-example") / "3-Mechanics", folder / "3-Mechanics")
    return folder


def spawn(root: Path, *words: str, term: str = "xterm", **environment: str) -> Any:
    import pexpect

    arguments = ["-m", "vaultkit", *words, "--vault", str(root)]
    return pexpect.spawn(
        sys.executable,
        arguments,
        cwd=str(root),
        env={**os.environ, "TERM": term, **environment},
        encoding="utf-8",
        timeout=120,
        dimensions=(24, 60),
    )


def read_to_end(process: Any) -> str:
    import pexpect

    process.expect(pexpect.EOF)
    process.close()
    return str(process.before)


def test_file_is_named_after_two_seconds_and_the_line_is_erased_at_the_end(root: Path) -> None:
    started = time.monotonic()
    process = spawn(root, "print", "rules", "Long", "N1", "N2", "N3", "--out", "out.pdf")
    process.expect(r"Working on (Long|N\d)\.md")
    assert time.monotonic() - started > 2
    shown = read_to_end(process)
    assert re.search(r"\r {10,}\rPrinted: ", shown), "blanks are written over the line"
    assert process.exitstatus == ExitCode.OK


@pytest.mark.parametrize("options", [("--quiet",), ()])
def test_line_is_not_drawn_if_messages_are_off_or_stderr_is_a_file(
    root: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    words = ("print", "rules", "Long", "N1", "N2", "N3", "--out", str(tmp_path / "out.pdf"), *options)
    if options:
        assert "Working on" not in read_to_end(spawn(root, *words))
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", *words], cwd=root, capture_output=True, text=True, check=True
    )
    assert "Working on" not in done.stdout + done.stderr


def test_line_is_not_drawn_on_a_dumb_terminal(root: Path) -> None:
    assert "Working on" not in read_to_end(spawn(root, "print", "rules", "Long", "N1", "--out", "out.pdf", term="dumb"))


@pytest.mark.parametrize(
    "words",
    [
        ("play", "propheta", "--seat", "Ann", "--seat", "Ben", "--table"),
        ("play", "propheta", "--seat", "Ann", "--seat", "Ben", "--phones", "--address", "127.0.0.1"),
        ("learn", "propheta", "--table"),
        ("reading", "past-present-future", "--deck", "astromancy", "--table"),
    ],
    ids=("game", "phones", "lesson", "reading"),
)
def test_line_is_not_drawn_while_a_table_is_open(root: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    import pexpect

    folders = {name: str(tmp_path) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")}
    process = spawn(root, *words, BROWSER="/bin/false", **folders)
    process.expect(r"http://127\.0\.0\.1:(\d+)/#([\w-]+)")
    browser = Browser(int(process.match[1])).sit(process.match[2])
    for path in (browser.at, "/web/Cinzel-Bold-basic.ttf", "/web/table.js"):
        browser.get(path)
    assert process.expect(["Working on", pexpect.TIMEOUT], timeout=4) == 1, process.before
    process.sendline("end")
    read_to_end(process)


@pytest.mark.parametrize("delay", [0.3, 0.8, 1.6])
@pytest.mark.parametrize("words", LONG_COMMANDS, ids=lambda words: words[0])
def test_ctrl_c_ends_each_command_within_a_second(
    root: Path, words: tuple[str, ...], delay: float, tmp_path: Path
) -> None:
    (root / "out.pdf").unlink(missing_ok=True)
    before = {path.name for path in root.iterdir()}
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultkit", *words, "--vault", str(root)],
        cwd=root,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    time.sleep(delay)
    stopped = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output = process.communicate(timeout=60)[0].decode()
    seconds = time.monotonic() - stopped
    if process.returncode in {ExitCode.OK, ExitCode.PROBLEMS, ExitCode.NOTHING}:  # it was ready before
        return
    assert process.returncode == ExitCode.INTERRUPTED, output
    assert "Traceback" not in output and seconds < 2
    assert {path.name for path in root.iterdir()} == before
