"""What the README and the package promise, held to what the program does."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from vaultkit import resources
from vaultkit.cli.command_registry import load_command

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OFFLINE = """
import sys
from vaultkit.__main__ import main
def refuse(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        print("NETWORK", event, given, file=sys.stderr)
sys.addaudithook(refuse)
sys.argv = ["vaultkit", *sys.argv[1:]]
main()
"""


def options_of(name: str) -> set[str]:
    return {option for parameter in load_command(name).params for option in parameter.opts}


def test_each_command_with_a_promised_dry_run_has_one() -> None:
    promise = re.search(
        r"(?s)- You can preview each change(.*?)until you add `--write`;(.*?)write, and with `--d", README
    )
    assert promise
    shows, writes = (re.findall(r"`([a-z]+)[` ]", part) for part in promise.groups())
    assert {"check", "links"} <= {*shows} and {"play", "log", "init"} <= {*writes}
    assert [name for name in shows if "--write" not in options_of(name)] == []
    assert [name for name in writes if "--dry-run" not in options_of(name)] == []


def test_package_names_the_tested_systems() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    never = re.search(r"\*\*Never tried by us: (.*?)\*\*", page, re.DOTALL)
    tried = re.search(r"developed and tested on (\w+) .*?, Python (3\.\d+)", page)
    assert never and tried
    systems = [one.split(" :: ")[-1] for one in project["classifiers"] if one.startswith("Operating System")]
    pythons = [one for one in project["classifiers"] if re.search(r"Python :: 3\.\d+$", one)]
    assert systems == [tried[1]] and not any(system in never[1] for system in systems)
    also = re.search(r"also run there with Python (.*?) on", page, re.DOTALL)
    assert also and [one.split(" :: ")[-1] for one in pythons] == [tried[2], *re.findall(r"3\.\d+", also[1])]


def test_first_evening_has_as_many_steps_as_the_readme_states() -> None:
    steps = re.findall(r"(?m)^\*\*(\d+)\. ", (ROOT / "docs" / "first-evening.md").read_text(encoding="utf-8"))
    assert steps == [str(number) for number in range(1, 6)]
    assert "in five steps" in " ".join(README.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("doctor",),
        ("check", "--fix"),
        ("ask", "raven"),
        ("play", "propheta", *("--seat", "bot:easy") * 3),
        ("reading", "omen"),
        ("print", "packet", "dragon-citadel", "--out", "packet.pdf"),
        ("stats", "--write"),
        ("templates",),
        ("undo", "--list"),
    ],
    ids=" ".join,
)
def test_no_command_connects_to_the_network(tmp_path: Path, words: tuple[str, ...]) -> None:
    vault = shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, *words], cwd=vault, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode in (0, 1, 4), done.stderr
    assert "NETWORK" not in done.stderr
