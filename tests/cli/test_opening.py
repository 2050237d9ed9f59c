"""Opening files and notes: --open on each system, and the link to Obsidian after a log."""

import os
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.cli.output import print_link
from vaultkit.cli.printing import options
from vaultkit.errors import ExitCode
from vaultkit.vault.obsidian import note_address

OPENERS = {"linux": "xdg-open", "freebsd14": "xdg-open", "darwin": "open"}
PRINT = ("print", "scores", "blank", "--open")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole search path."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.mark.short(1)
@pytest.mark.skipif(os.name == "nt", reason="shell scripts are no programs there")
@pytest.mark.parametrize("system", OPENERS)
def test_the_opener_of_the_system_gets_the_pdf(
    vk: Vaultkit, example: Path, programs: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    opener = programs / OPENERS[system]
    opener.write_text(f'#!/bin/sh\necho "$1" > "{programs}/opened"\n')
    opener.chmod(0o755)
    monkeypatch.setattr(sys, "platform", system)
    done = vk(*PRINT, cwd=example)
    assert done.code == ExitCode.OK and "could open" not in done.err
    assert Path((programs / "opened").read_text().strip()) == example / "Sheets/blank-scores.pdf"


def test_windows_opens_with_startfile(vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(os, "startfile", opened.append, raising=False)
    monkeypatch.setattr(options.sys, "platform", "win32")
    options.open_file(example / "a b.pdf")
    assert opened == [example / "a b.pdf"]


@pytest.mark.short(1)
@pytest.mark.skipif(os.name == "nt", reason="shell scripts are no programs there")
@pytest.mark.parametrize("script", ["", "#!/bin/sh\nexit 3\n", "no program"])
def test_missing_opener_names_the_file_and_the_command_succeeds(
    vk: Vaultkit, example: Path, programs: Path, script: str
) -> None:
    if script:
        (programs / "xdg-open").write_text(script)
        (programs / "xdg-open").chmod(0o755)
    done = vk(*PRINT, cwd=example)
    assert done.code == ExitCode.OK
    assert f"Nothing on this computer could open it. The file is: {example / 'Sheets/blank-scores.pdf'}\n" in done.err


@pytest.mark.parametrize(
    ("vault", "path"),
    [
        ("My Vault", "Games/2026-11-03 Prophet's Gambit 1.md"),
        ("Tal & Turm", "Spiele/100% = Glück? #1.md"),
        ("谷", "記録/一.md"),
    ],
)
def test_address_of_a_note_decodes_to_vault_and_path(vault: str, path: str) -> None:
    address = note_address(vault, path)
    assert address.isascii() and " " not in address
    assert parse_qs(urlsplit(address).query) == {"vault": [vault], "file": [path.removesuffix(".md")]}


@pytest.mark.parametrize(
    ("term", "is_terminal", "is_link"),
    [("xterm-256color", True, True), ("xterm", False, False), ("dumb", True, False), ("linux", True, False)],
)
def test_an_address_is_a_link_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, term: str, is_terminal: bool, is_link: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    address = "obsidian://open?vault=v&file=A"
    print_link("In Obsidian: ", address, "Games/A game.md")
    shown = f"\x1b]8;;{address}\x1b\\{address}\x1b]8;;\x1b\\" if is_link else address
    assert capsys.readouterr().err == f"In Obsidian: {shown}\n"


@pytest.mark.parametrize("terminal", ["", "WT_SESSION", "TERM_PROGRAM"])
def test_the_old_console_of_windows_gets_no_link(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: str
) -> None:
    monkeypatch.setattr("vaultkit.cli.output.ON_WINDOWS", True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for name in ("TERM", "WT_SESSION", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    if terminal:
        monkeypatch.setenv(terminal, "1")
    print_link("In Obsidian: ", "obsidian://open", "A.md")
    assert ("\x1b" in capsys.readouterr().err) is bool(terminal)


@pytest.mark.slow
def test_log_shows_on_a_terminal_how_to_open_the_note(example: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    if not hasattr(pexpect, "spawn"):
        pytest.skip("there are no terminals here")
    words = ["-m", "vaultkit", "log", "chess", "--score", "Ysolde: colour=White, result=won"]
    words += ["--score", "Bram: colour=Black, result=lost", "--date", "2026-11-02"]
    environment = {**os.environ, "TERM": "xterm"}
    shown, code = pexpect.run(
        " ".join([sys.executable, *(f"'{word}'" for word in words)]),
        cwd=str(example), env=environment, withexitstatus=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert code == ExitCode.OK, shown
    address = "obsidian://open?vault=vault&file=Games%2F2026-11-02%20Chess%201"
    assert f"\x1b]8;;{address}\x1b\\{address}\x1b]8;;\x1b\\" in shown


@pytest.mark.slow
def test_a_pipe_gets_no_link(vk: Vaultkit, example: Path) -> None:
    done = vk("log", "chess", "--score", "Ysolde: colour=White, result=won",
              "--score", "Bram: colour=Black, result=lost", cwd=example)  # fmt: skip
    assert done.code == ExitCode.OK and "Written: " in done.err and "obsidian://" not in done.err
