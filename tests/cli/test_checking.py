"""What `check` says to a person: into a pipe, on a terminal, and when it is stopped."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cli import output
from vaultkit.errors import ExitCode
from vaultkit.vault.vault import Vault

FILES: dict[str, str | bytes] = {
    "3 Places/Inn.md": "[[../4 People/Ivo]]\n",
    "4 People/Ivo.md": "[[Nowhere]] [[1 Places/Inn]]\n",
    "Attachments/map.png": b"",
    "Session 1.md": "[[Session 5]]\n[[red]bold[/red]]\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_files(tmp_path / "vault", FILES)
    return tmp_path / "vault"


@pytest.fixture
def on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")


def test_piped_check_prints_one_line_per_problem(vk: Vaultkit, root: Path) -> None:
    done = vk("check", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert done.out.splitlines() == [
        "Certain: 1 problem. Fix: vaultkit check --fix --write",
        "4 People/Ivo.md:1:13: error: '1 Places/Inn' points to a file that is not in this vault. "
        "It is in '3 Places/Inn.md'. [link-unresolved, moved]",
        "To be written: 3 notes that 3 links name. Most wanted: Nowhere (1), Session 5 (1), red]bold[/red (1)",
    ]
    assert done.err.splitlines() == [
        Says("3 notes", "5 links", "1 error", "no warnings", "3 remarks"),
        Says("Without --write", "vaultkit undo"),
    ]
    assert len(vk("check", "--all", cwd=root).out.splitlines()) == 6


def test_command_that_shows_a_likely_repair_is_suggested_even_for_few_problems(vk: Vaultkit, tmp_path: Path) -> None:
    make_files(tmp_path / "vault", {"Log.md": "[[Inn#The Old Bel]]\n", "Inn.md": "# The Old Bell\n"})
    told = "Likely: 1 problem. Look at the diff: vaultkit check --fix --cause heading-renamed"
    assert vk("check", cwd=tmp_path / "vault").out.splitlines()[0] == told


@pytest.mark.slow
def test_clean_vault_has_no_problems(vk: Vaultkit, example: Path) -> None:
    assert vk("check", cwd=example).err.rstrip().endswith("links: no problems.")


@pytest.mark.parametrize(
    ("here", "words", "notes"),
    [
        ("3 Places", ["../4 People"], 1),
        ("3 Places", ["."], 1),
        ("3 Places", ["Inn.md"], 1),
        ("3 Places", ["4 People/Ivo.md"], 1),
        ("3 Places", [".."], 3),
        (".", ["."], 3),
        (".", ["./3 Places", "Session 1"], 2),
        ("..", ["vault/3 Places/Inn.md", "--vault", "vault"], 1),
    ],
)
def test_paths_are_read_relative_to_the_current_folder(
    vk: Vaultkit, root: Path, here: str, words: list[str], notes: int
) -> None:
    assert vk("check", "--json", *words, cwd=root / here).json["notes"] == notes


def test_f5_vault_folder_as_a_path_checks_the_whole_vault(vk: Vaultkit, root: Path) -> None:
    (root / ".obsidian" / "app.json").write_text('{"userIgnoreFilters": ["4 People/"]}', encoding="utf-8")
    assert vk("check", ".", cwd=root).err == vk("check", cwd=root).err
    assert "Left out: 1 note" in vk("check", "..", cwd=root / "4 People").err
    assert "Left out" not in vk("check", ".", cwd=root / "4 People").err


def test_absolute_paths_and_those_outside_the_vault(vk: Vaultkit, root: Path) -> None:
    assert vk("check", "--json", str(root / "3 Places"), cwd=root).json["notes"] == 1
    assert vk("links", "../4 People/Ivo.md", "--json", cwd=root / "3 Places").json[1]["text"] == "1 Places/Inn"
    for outside in ("../..", str(root.parent)):
        done = vk("check", outside, cwd=root / "3 Places")
        assert done.code == ExitCode.INVALID and "is outside of the vault" in done.err
    for nowhere in ("x" * 300, "../" + "x" * 300):
        assert vk("check", nowhere, cwd=root / "3 Places").code == ExitCode.NOTHING
    done = vk("check", "Attachments", cwd=root)
    assert done.code == ExitCode.NOTHING and "'Attachments' contains no notes." in done.err


def test_terminal_shows_problems_below_their_note(
    vk: Vaultkit, root: Path, on_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line.rstrip() for line in vk("check", "--all", cwd=root).out.split("\n")]
    assert lines[:5] == [
        "Certain: 1 problem. Fix: vaultkit check --fix --write",
        "4 People/Ivo.md",
        "  1:13    error    '1 Places/Inn' points to a file that is not in this vault. [link-unresolved,",
        "                   moved]",
        Says("in", "3 Places/Inn.md"),
    ]
    assert any(line == Says("red]bold[/red", "not", "written") for line in lines)
    monkeypatch.setenv("TERM", "dumb")
    assert vk("check", cwd=root).out.split("\n")[1].startswith("4 People/Ivo.md:1:13: error:")


def test_colours_are_only_for_terminals_that_accept_them(
    vk: Vaultkit, root: Path, on_a_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in vk("check", cwd=root).out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31merror" in vk("check", cwd=root).out
    shown = vk("check", "--fix", cwd=root).out
    assert "\x1b[31m-[[Nowhere]] [[1 Places/Inn]]" in shown and "\x1b[32m+[[Nowhere]] [[Inn]]" in shown


def test_a_diff_has_a_blank_line_between_notes_on_a_terminal_only(
    on_a_terminal: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = "--- a/{0}\n+++ b/{0}\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n x\n"
    output.print_diff(one.format("A.md") + one.format("B.md"))
    assert capsys.readouterr().out == one.format("A.md") + "\n" + one.format("B.md")
    monkeypatch.setenv("TERM", "dumb")
    output.print_diff(one.format("A.md") + one.format("B.md"))
    assert capsys.readouterr().out == one.format("A.md") + one.format("B.md")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check",), "Stopped; nothing was written.\n"),
        (("check", "--fix"), "Stopped; nothing was written.\n"),
        (("check", "--fix", "--write"), "Stopped. What was written before that shows: vaultkit undo --list\n"),
    ],
)
def test_ctrl_c_reports_what_was_written(
    vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Vault, "facts", property(stopped))
    done = vk(*words, cwd=root)
    assert (done.code, done.out, done.err) == (ExitCode.INTERRUPTED, "", said)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal on Windows")
def test_ctrl_c_on_a_terminal_leaves_the_prompt_on_a_line_of_its_own(tmp_path: Path) -> None:
    import pexpect

    make_files(tmp_path, {f"N{number}.md": "[[N1]] [[gone]]\n" * 300 for number in range(3000)})
    told = pexpect.spawn(
        sys.executable,
        ["-m", "vaultkit", "check", "--no-cache", "--vault", str(tmp_path)],
        env={**os.environ, "TERM": "xterm"},
        encoding="utf-8",
        timeout=60,
    )
    time.sleep(1.5)
    told.kill(signal.SIGINT)
    told.expect(pexpect.EOF)
    told.close()
    assert re.search(r"\r\n(?:\r|\x1b\[[0-9;?]*[A-Za-z])*Stopped; nothing was written\.\r\n$", told.before)
    assert told.before.count("\x1b[?25l") <= told.before.count("\x1b[?25h"), "the cursor is there again"
    assert told.exitstatus == ExitCode.INTERRUPTED
