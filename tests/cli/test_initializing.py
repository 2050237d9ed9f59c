"""`init`: its 3 questions at a terminal, and the options that answer them."""

import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import ExitCode
from vaultkit.settings import VAULT_CONFIG_PATH, Settings, load

NOTES = {"Chronicle.md": "# Chronicle\r\n\r\n## Log\r\n", "Party/Wren.md": "", "Party/Zed.md": "", "World/Ivo.md": ""}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_files(tmp_path / "vault", {**NOTES, ".obsidian/app.json": "{}"})
    return tmp_path / "vault"


def settings_of(root: Path) -> Settings:
    return load(root, root / "none.toml")


def answer(root: Path, *typed: str, words: tuple[str, ...] = ()) -> str:
    """Run `init` in a terminal of 80x24, type a line at each question, and return what the terminal showed."""
    pexpect = pytest.importorskip("pexpect")
    if not hasattr(pexpect, "spawn"):
        pytest.skip("there are no terminals here")
    arguments = ["-m", "vaultkit", "init", *words]
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "en_US.UTF-8"}
    program = pexpect.spawn(
        sys.executable, arguments, cwd=str(root), env=environment, dimensions=(24, 80), encoding="utf-8"
    )
    shown = ""
    for line in typed:
        program.expect(r"\]: $", timeout=60)
        shown += program.before + program.after
        program.sendline(line)
    program.expect(pexpect.EOF, timeout=60)
    program.close()
    assert program.exitstatus == ExitCode.OK, shown + program.before
    return shown + program.before


@pytest.mark.slow
def test_enter_accepts_the_defaults_from_the_vault_and_the_country(root: Path) -> None:
    shown = answer(root, "", "", "")
    settings = settings_of(root)
    assert (settings.campaign.note, settings.print.paper) == ("Chronicle", "letter")
    assert settings.players == ("Wren", "Zed")
    assert shown.count("]: ") == 3
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.slow
def test_other_answers_are_accepted_and_wrong_ones_asked_again(root: Path) -> None:
    shown = answer(root, "Cronicle", "daily-note", "parchment", "a4", "Ivo, a guest")
    settings = settings_of(root)
    assert (settings.campaign.note, settings.campaign.log_to) == ("", "daily-note")
    assert (settings.print.paper, settings.players) == ("a4", ("Ivo", "a guest"))
    assert shown == Says("no", "campaign", "Cronicle") and "'Chronicle.md'" in shown


@pytest.mark.slow
def test_options_answer_questions(root: Path) -> None:
    shown = answer(root, "none", words=("--campaign", "chronicle", "--paper", "legal"))
    settings = settings_of(root)
    assert (settings.campaign.note, settings.print.paper, settings.players) == ("chronicle", "legal", ())
    assert shown.count("]: ") == 1


def test_nothing_is_asked_without_a_terminal(vk: Vaultkit, root: Path) -> None:
    done = vk("init", "--player", "Zed", cwd=root)
    assert done.code == ExitCode.OK
    assert settings_of(root).players == ("Zed",)
    assert "Is it 'Chronicle'? Set it with: vaultkit config set campaign.note \"Chronicle\"" in done.err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--campaign", "Cronicle"), ExitCode.NOTHING, "Did you mean"),
        (("--paper", "papyrus"), ExitCode.NOTHING, "a4"),
        (("--extras",), ExitCode.USAGE, "--extras needs a game"),
        (("--with", "propheta", "--folder", "../out"), ExitCode.INVALID, "begin with a dot"),
    ],
)
def test_wrong_answers_write_nothing(
    vk: Vaultkit, root: Path, words: tuple[str, ...], code: ExitCode, told: str
) -> None:
    done = vk("init", *words, cwd=root)
    assert (done.code, told in done.err) == (code, True), done.err
    assert not (root / VAULT_CONFIG_PATH).exists()


def test_existing_settings_are_changed_only_by_config(vk: Vaultkit, root: Path) -> None:
    make_files(root, {VAULT_CONFIG_PATH: "# mine\n"})
    done = vk("init", "--paper", "a4", cwd=root)
    assert done.code == ExitCode.USAGE and "vaultkit config set" in done.err
    assert (root / VAULT_CONFIG_PATH).read_text() == "# mine\n"


@pytest.mark.slow
def test_init_names_the_folder(vk: Vaultkit, root: Path) -> None:
    done = vk("init", "--with", "propheta", cwd=root)
    assert "Made: Card Games/ (1 rule note, 1 deck)\n" in done.err
    assert sorted(file.name for file in (root / "Card Games").iterdir()) == ["astromancy-deck.md", "propheta.md"]
    assert not list(root.rglob("CLI"))
