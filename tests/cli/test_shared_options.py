"""--vault, --json and -q before or after the command, and `vaultkit help`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.cli.command_registry import COMMANDS, load_command
from vaultkit.errors import ExitCode


@pytest.mark.short(20)
@pytest.mark.parametrize("word", [*COMMANDS, "print rules", "templates check", "games new"])
def test_every_vault_command_accepts_the_shared_options(word: str) -> None:
    name, *nested = word.split()
    command = load_command(name)
    command = command.commands[nested[0]] if nested else command
    options = {name for parameter in command.params for name in parameter.opts}
    assert {"-q", "--quiet"} <= options
    assert {"--vault", "--json"} <= options or name in ("help", "demo", "completion")


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "words",
    [
        ("decks",),
        ("templates", "check"),
        pytest.param(("print", "scores", "chess", "--out", "x.pdf"), marks=pytest.mark.slow),
    ],
)
def test_shared_options_may_precede_or_follow_the_command(
    vk: Vaultkit, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    shared = ("--json", "-q", "--vault", str(example))
    ways = [(*shared, *words), (*words, *shared), (words[0], *shared, *words[1:]), (*shared[:2], *words, *shared[2:])]
    done = [vk(*way) for way in ways]
    assert done == [done[0]] * len(ways)
    assert done[0].code == ExitCode.OK and done[0].json and done[0].err == ""


@pytest.mark.slow
def test_shared_option_after_the_command_is_preferred(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    done = vk("--vault", str(tmp_path / "nowhere"), "decks", "--vault", str(example), cwd=tmp_path)
    assert done.code == ExitCode.OK
    assert vk("--vault", str(tmp_path / "nowhere"), "decks", cwd=tmp_path).code == ExitCode.NOTHING
    assert "vaultkit demo has no option '--vault'" in vk("--vault", str(example), "demo", cwd=tmp_path).err


@pytest.mark.slow
def test_quiet_suppresses_remarks_but_no_error(vk: Vaultkit, example: Path) -> None:
    (example / "Loose.md").write_text("[[Nowhere]]\n", encoding="utf-8")
    loud, quiet = vk("check", cwd=example), vk("-q", "check", cwd=example)
    assert (quiet.code, quiet.out) == (loud.code, loud.out) and loud.err and not quiet.err
    assert vk("check", "Nowhere", "-q", cwd=example) == vk("check", "Nowhere", cwd=example)
    assert vk("check", cwd=example).err == loud.err


@pytest.mark.short(2)
@pytest.mark.parametrize("words", [(), ("check",), ("print", "rules"), ("help",)])
def test_help_shows_the_help(vk: Vaultkit, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = vk("help", *words, cwd=tmp_path)
    assert done == vk(*words, "--help", cwd=tmp_path)
    assert done.code == ExitCode.OK and "Usage: vaultkit" in done.out


@pytest.mark.slow
def test_help_for_an_unknown_command(vk: Vaultkit, tmp_path: Path) -> None:
    done = vk("help", "chekc", cwd=tmp_path)
    assert done.code == ExitCode.USAGE and "Did you mean 'check'?" in done.err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("--plain stats", "vaultkit stats --plain"),
        ("print --paper letter scores x", "vaultkit print scores GAME --paper letter"),
        ("print scores dragon citadel", 'in quotes: vaultkit print scores "dragon citadel"'),
        ("print scores propheta --players Mira Tobin", '--players "Mira, Tobin"'),
        ("print scores --players Mira dragon citadel", 'in quotes: vaultkit print scores "dragon citadel"'),
        ("stats Wilma", "--player"),
        ("help scores", "Did you mean 'print scores'?"),
    ],
)
def test_misplaced_word_is_reported_with_its_right_place(vk: Vaultkit, tmp_path: Path, line: str, hint: str) -> None:
    done = vk(*line.split(), cwd=tmp_path)
    assert done.code == ExitCode.USAGE and hint in done.err
