"""The real program on vaults of bad notes: an exit code and a word for each, never a crash."""

import json
from pathlib import Path

import pytest

from tests.vault.hostile import FRONTMATTER, READ_ALL_THE_SAME, UNREADABLE, run
from tests.vault.making import make_files
from vaultkit.errors import ExitCode


@pytest.mark.slow
def test_program_handles_all_bad_input_at_once(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    files: dict[str, str | bytes] = {f"u/{n}.md": data for n, (data, _, _) in enumerate(UNREADABLE.values())}
    files |= {f"f/{n}.md": text for n, text in enumerate(FRONTMATTER.values())}
    files |= {f"r/{n}.md": text.replace("[[N]]", "") for n, text in enumerate(READ_ALL_THE_SAME.values())}
    make_files(root, files)
    done = run(root, "check", "--json")
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.PROBLEMS, False), done.stderr
    found = json.loads(done.stdout)["problems"]
    assert {p["note"] for p in found if p["code"] == "unreadable"} == {f"u/{n}.md" for n in range(len(UNREADABLE))}
    assert {p["note"] for p in found if p["code"] == "frontmatter"} == {f"f/{n}.md" for n in range(len(FRONTMATTER))}
    assert all(p["hint"] or p["code"].startswith("link-") for p in found)


@pytest.mark.slow
def test_program_reports_no_problem_in_odd_notes(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    make_files(root, {"N.md": "\ufeff# N\r\n[[N]]\r", "Empty.md": ""})
    done = run(root, "check")
    assert (done.returncode, done.stdout) == (ExitCode.OK, ""), done.stderr


@pytest.mark.parametrize(
    "name", ["Bad", *(pytest.param(x, marks=pytest.mark.slow) for x in ("../Bad", "Bad.md/x", "x" * 5000))]
)
def test_program_handles_one_bad_note(tmp_path: Path, name: str) -> None:
    root = tmp_path / "vault"
    make_files(root, {"Bad.md": b"Caf\xe9\n"})
    done = run(root, "links", name)
    assert (done.returncode, "Traceback" in done.stderr) == (
        ExitCode.NOTHING if "There is no" in done.stderr else ExitCode.INVALID,
        False,
    ), done.stderr
    assert name != "Bad" or "Windows-1252" in done.stderr


DEEP = {
    "lists in lists": "a:\n " + "- " * 40_000 + "x",
    "lists in lists, not so many": "a:\n " + "- " * 3_000 + "x",
    "keys that are maps": "? " * 400,
    "maps in maps": "\n".join(" " * n + "a:" for n in range(600)),
}


@pytest.mark.slow
def test_deep_frontmatter_is_refused(tmp_path: Path) -> None:
    """In a process of its own, which is gone past some depth."""
    root = tmp_path / "vault"
    make_files(root, {f"{n}.md": f"---\n{yaml}\n---\n[[Gone]]\n" for n, yaml in enumerate(DEEP.values())})
    done = run(root, "check", "--json")
    assert (done.returncode, "Traceback" in done.stderr) == (ExitCode.PROBLEMS, False), done.stderr[-300:]
    told = [(problem["note"], problem["code"]) for problem in json.loads(done.stdout)["problems"]]
    assert sorted(told) == [(f"{n}.md", code) for n in range(len(DEEP)) for code in ("frontmatter", "link-unwritten")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["[[", "[", ">", "> ", "1. ", "`a", "*a ", "<a ", "|a", "# h\n", "[a](", "![[a|", "<%"]
)
def test_ten_megabytes_of_one_character(tmp_path: Path, piece: str) -> None:
    root = tmp_path / "vault"
    make_files(root, {"N.md": piece * (10_000_000 // len(piece))})
    assert run(root, "check").returncode in {ExitCode.OK, ExitCode.PROBLEMS}
