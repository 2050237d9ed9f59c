"""The completion of lines in a shell: commands from the table, names from the index, whatever is in them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.vault.making import make_files
from vaultkit import user_folders
from vaultkit.cli.completion import Shell
from vaultkit.cli.shell_completion import answer_lines, find_candidates, split_bash_line
from vaultkit.completion import Names
from vaultkit.vault import Vault
from vaultkit.vault.index.index_file import index_of

BREAKS = " \t\n\"'><=;|&(:"
GAME = "---\nvaultkit-session: 20261103-propheta-k3f9\nplayers: ['[[Zoë Müller]]', 'Ann', 'Bo (greedy)']\n---\n"
NOTES: dict[str, str | bytes] = {
    'Say "hi" there.md': "",
    "It's Odd.md": "",
    "Zoë Müller.md": "",
    "Cost $5 & (more).md": "",
    "a/Twin.md": "",
    "b/Twin.md": "",
    "Birds.md": "---\nvaultkit-deck: birds\nprice: -3.5\nmany: [1, 300, 70000, null, true]\n---\n",
    "Game.md": GAME,
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault that was read once, so that there is an index."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("VAULTKIT_VAULT", raising=False)
    root = make_files(tmp_path / "vault", NOTES).root
    (root / ".vaultkit" / "journals").mkdir(parents=True)
    (root / ".vaultkit" / "journals" / "20261104-propheta-abcd.jsonl").touch()
    assert Vault(root, lambda: index_of(root)).facts
    monkeypatch.chdir(root)
    return root


def words_after(*words: str) -> list[str]:
    return [value for value, _ in find_candidates(words, "")]


def test_commands_options_and_names_complete(vault: Path) -> None:
    assert {"play", "print", "completion"} <= {*words_after()}
    assert "cards" in words_after("print") and "propheta" in words_after("play")
    assert words_after("links")[:1] == ["Birds"] and {"a/Twin", "b/Twin", 'Say "hi" there'} <= {*words_after("links")}
    assert words_after("deck") == ["new", "birds"]
    assert words_after("resume") == ["20261103-propheta-k3f9", "20261104-propheta-abcd"]
    assert {"Ann", "Zoë Müller", "bot:greedy"} <= {*words_after("play", "propheta", "--seat")}
    assert "Bo (greedy)" not in words_after("stats", "--player")
    assert list(find_candidates(["log"], "--seat=A"))[-2:] == [("--seat=Ann", ""), ("--seat=Zoë Müller", "")]
    assert list(find_candidates(["log", "--from"], "")) == [("", "files")]
    assert "--seat" in [name for name, _ in find_candidates(["play", "--seed", "1", "--seat", "Ann"], "--")]
    assert "--seed" not in [name for name, _ in find_candidates(["play", "--seed", "1"], "--")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_players_of_settings_in_any_encoding_complete(vault: Path, encoding: str) -> None:
    (vault / ".vaultkit/config.toml").write_bytes("players = ['Ilse']\r\n".encode(encoding))
    assert "Ilse" in words_after("stats", "--player")


@pytest.mark.parametrize("text", [f"players = {'[' * 5_000}", "players = [", "players = 3"])
def test_unreadable_settings_complete_nothing(vault: Path, text: str) -> None:
    (vault / ".vaultkit/config.toml").write_text(text)
    assert "Ann" in words_after("stats", "--player")


@pytest.mark.short(1)
@pytest.mark.parametrize("question", [[], ["bash"], ["bash", "vaultkit "], ["bash", "vaultkit ", " ", "x"]])
def test_invalid_completion_request_gives_no_error(
    vault: Path, question: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    subprocess.run([sys.executable, "-m", "vaultkit", "--complete", *question], cwd=vault, check=True)
    said = capfd.readouterr()
    assert said.err == "" and (said.out == "" or not question)


def test_completion_uses_the_named_vault_and_needs_its_index(vault: Path, tmp_path: Path) -> None:
    other = make_files(tmp_path / "other", {"Alone.md": ""}).root
    assert words_after("links", "--vault", str(other)) == []
    assert Vault(other, lambda: index_of(other)).facts
    assert words_after("links", "--vault", str(other)) == words_after("links", f"--vault={other}") == ["Alone"]
    assert Names(None).find_names("note") == []
    kept = Path(user_folders.names_file(str(other)) or "")
    for damaged in (b"no names", b"\xff\t1\nnote\tAlone", kept.read_bytes().replace(b"other", b"third")):
        kept.write_bytes(damaged)
        assert words_after("links", "--vault", str(other)) == []
        assert Vault(other, lambda: index_of(other)).facts
        assert words_after("links", "--vault", str(other)) == ["Alone"]


def test_new_deleted_and_changed_notes_complete_after_the_next_run(vault: Path) -> None:
    (vault / "New.md").touch()
    (vault / "It's Odd.md").unlink()
    (vault / "Birds.md").write_text("---\nvaultkit-deck: fish\n---\n", encoding="utf-8")
    assert "New" not in words_after("links")
    assert Vault(vault, lambda: index_of(vault)).facts
    assert "New" in words_after("links") and "It's Odd" not in words_after("links")
    assert words_after("deck") == ["new", "fish"]
    Path(user_folders.names_file(str(vault)) or "").unlink()
    assert words_after("deck") == ["new"] and Vault(vault, lambda: index_of(vault)).facts
    assert words_after("deck") == ["new", "fish"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("vaultkit links say", ['Say\\ \\"hi\\"\\ there']),
        ('vaultkit links "Say', ['Say \\"hi\\" there']),
        ("vaultkit links 'It", ["It'\\''s Odd"]),
        ("vaultkit links It\\'s\\ O", ["It\\'s\\ Odd"]),
        ("vaultkit play propheta --seat=bot:gr", ["greedy"]),
        ("vaultkit log --seat=Zo", ["Zoë\\ Müller"]),
        ('vaultkit log --seat="Zo', ["Zoë Müller"]),
        ("vaultkit links Cost", ["Cost\\ \\$5\\ \\&\\ \\(more\\)"]),
        ("vaultkit nothing ", []),
    ],
)
def test_bash_completion_gets_words_as_typed(vault: Path, line: str, expected: list[str]) -> None:
    assert list(answer_lines("bash", [line, BREAKS])) == expected


def test_line_is_split_like_in_bash() -> None:
    assert split_bash_line("a  'b c' d\\ e", BREAKS) == (["a", "b c", "d e"], 0, "")
    assert split_bash_line('a "b\\"\\c', BREAKS) == (["a", 'b"\\c'], 0, '"')


@pytest.mark.skipif(sys.platform != "linux", reason="the quick way is for Linux")
@pytest.mark.parametrize("base", ["", "/somewhere", "  "])
def test_index_is_stored_where_platformdirs_says(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from platformdirs import user_cache_dir

    monkeypatch.setenv("XDG_CACHE_HOME", base)
    assert user_folders.cache_folder() == user_cache_dir("vaultkit")


KEYS = {"bash": "\x01", "zsh": "\x01", "fish": "\x01"}
START = {
    "bash": ["--norc", "--noprofile", "-i"],
    "zsh": ["-f", "-i"],
    "fish": ["--no-config", "-i"],
}
SHOW = {
    "bash": "show() { printf '<%s>' \"$@\"; echo; }",
    "zsh": "show() { printf '<%s>' \"$@\"; echo; }",
    "fish": "function show; printf '<%s>' $argv; echo; end",
}
LOAD = {
    "bash": 'eval "$(vaultkit completion bash)"',
    "zsh": 'eval "$(vaultkit completion zsh)"',
    "fish": "vaultkit completion fish | source",
}
TYPED = [
    ("links Say", '<links><Say "hi" there>'),
    ("links 'Cost", "<links><Cost $5 & (more)>"),
    ('links "Zo', "<links><Zoë Müller>"),
    ("links It", "<links><It's Odd>"),
    ("links Zoë", "<links><Zoë Müller>"),
    ("play propheta --seat=Zo", "<play><propheta><--seat=Zoë Müller>"),
    ("play propheta --seat bot:gr", "<play><propheta><--seat><bot:greedy>"),
    ("compl", "<completion>"),
    ("deck bi", "<deck><birds>"),
    ("log --from afi", "<log><--from><afile.toml>"),
]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_tab_completes_in_a_real_shell(shell: str, vault: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    pexpect: Any = pytest.importorskip("pexpect")
    (vault / "afile.toml").touch()
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TERM": "dumb"}
    environment |= {"HOME": str(vault.parent), "LC_ALL": "C.UTF-8", "COLUMNS": "200"}
    child = pexpect.spawn(
        shell, START[shell], env=environment, encoding="utf-8", timeout=20, dimensions=(40, 200), cwd=str(vault)
    )
    try:
        child.sendline("PS1='' PROMPT='' RPROMPT=''" if shell != "fish" else "function fish_prompt; end")
        for line in (LOAD[shell], SHOW[shell], "show rea'dy'"):
            child.sendline(line)
        child.expect_exact("<ready>")
        for typed, expected in TYPED:
            child.send(f"vaultkit {typed}\t")
            child.expect(r"\S")
            settle(child)
            child.send("\x01show \r")
            child.expect(r"<vaultkit>(.*?)\r?\n")
            assert child.match[1].strip() == expected, typed
    finally:
        child.close(force=True)


def settle(child: Any) -> None:
    """Wait until the shell has nothing more to say."""
    import pexpect

    while True:
        try:
            child.read_nonblocking(1000, timeout=1.5)
        except pexpect.TIMEOUT:
            return


@pytest.mark.slow
@pytest.mark.parametrize("shell", get_args(Shell))
def test_shell_accepts_the_completion_script(shell: str) -> None:
    program = {"powershell": "pwsh"}.get(shell, shell)
    if shutil.which(program) is None:
        pytest.skip(f"there is no {program} here")
    script = subprocess.run(
        [sys.executable, "-m", "vaultkit", "completion", shell], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    assert script.startswith("# Completion of vaultkit for ")
    check = ["-NoProfile", "-Command", "[void][scriptblock]::Create([Console]::In.ReadToEnd())"]
    arguments = check if shell == "powershell" else ["-n"]
    subprocess.run([program, *arguments], input=script, encoding="utf-8", check=True)
