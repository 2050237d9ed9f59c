import os
from datetime import datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Done, Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.campaign.undo import undo
from vaultkit.cli.check import print_repairs
from vaultkit.errors import MissingNote, WriteError
from vaultkit.session.checks import every_check
from vaultkit.vault import Vault
from vaultkit.vault.checking.batch_repair import fix

NOW = datetime(2026, 11, 3, 20, 15)
FILES: dict[str, str | bytes] = {
    "People/Ivo.md": "---\naliases: The Twin\n---\n",
    "N.md": "---\ntags: a, b\n---\r\n[[The Twin]] [[1 People/Ivo]]\n",
    "a/Sound.md": "[[Ivo]] [[Nowhere]]\n",
    "cli/items.md": "---\ncssclasses: json5e-item\n---\n[x](People\\Ivo.md)\n",
    "Board.canvas": '{"nodes": [{"id": "1", "type": "file", "file": "1 People/Ivo.md"}]}',
    "Latin.md": "Caf\xe9 [[1 People/Ivo]]".encode("latin-1"),
}
REPAIRED = b"---\ntags: [a, b]\n---\r\n[[Ivo|The Twin]] [[Ivo]]\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    make_files(folder, FILES)
    return folder


@pytest.fixture
def run(root: Path, capsys: pytest.CaptureFixture[str]) -> "Runner":
    return Runner(root, capsys)


class Runner:
    """`run("N.md", write=True)` repairs as the command does."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys = root, capsys

    def __call__(self, *paths: str, write: bool = False, generated: bool = False, as_json: bool = False) -> Done:
        fixed = fix(Vault(self.root), every_check(), paths or None, write=write, generated=generated, now=NOW)
        print_repairs(fixed, write=write, as_json=as_json)
        captured = self.capsys.readouterr()
        return Done(0, captured.out, captured.err)


def contents(root: Path) -> dict[str, bytes]:
    return {path: (root / path).read_bytes() for path in FILES}


def test_a_dry_run_shows_a_diff_and_writes_nothing(run: Runner, root: Path) -> None:
    before = contents(root)
    done = run()
    assert "-[[The Twin]] [[1 People/Ivo]]\n+[[Ivo|The Twin]] [[Ivo]]" in done.out.replace("\r", "")
    assert "-tags: a, b\n+tags: [a, b]" in done.out
    assert done.err == Says("3 repairs", "1 note")
    assert done.err == Says("Nothing", "written", "add --write")
    assert contents(root) == before


def test_write_repairs_once_and_can_be_undone(run: Runner, root: Path) -> None:
    before = contents(root)
    assert "Made 3 repairs in 1 note." in run(write=True).err
    assert contents(root) == before | {"N.md": REPAIRED}
    again = run(write=True)
    assert again.out == "" and again.err == Says("Nothing", "fixed")
    undo(Vault(root))
    assert contents(root) == before


def test_generated_notes_are_left_alone_unless_named(run: Runner, root: Path) -> None:
    before = contents(root)
    told = run(write=True)
    assert "cli/items.md: left alone" in told.err and "--generated" in told.err
    assert contents(root)["cli/items.md"] == before["cli/items.md"]
    told = run(write=True, generated=True)
    assert told.err == Says("cli/items.md", "generated", "overwrites")
    assert contents(root)["cli/items.md"].endswith(b"[x](People/Ivo.md)\n")


def test_fix_results_as_json(run: Runner) -> None:
    shown = run(as_json=True).json
    assert [(row["note"], row["line"], row["column"], row["code"]) for row in shown["repairs"]] == [
        ("N.md", 2, 7, "property-tags"),
        ("N.md", 4, 1, "link-unresolved"),
        ("N.md", 4, 14, "link-unresolved"),
    ]
    assert shown["skipped"] == ["cli/items.md"]
    assert shown["diff"].startswith("--- a/N.md") and shown["written"] == []
    assert run(as_json=True, write=True).json["written"] == ["N.md"]


def test_the_example_vault_needs_no_repair(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_repairs(
        fix(Vault(example), every_check(), None, write=False, generated=True, now=NOW), write=False, as_json=False
    )
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", Says("Nothing", "fixed"))


def test_only_requested_paths_are_processed(run: Runner, root: Path) -> None:
    before = contents(root)
    assert "Nothing can be fixed" in run("a", write=True).err
    assert contents(root) == before
    with pytest.raises(MissingNote):
        run("zzz")


def test_unwritable_note_stops_all_repairs(run: Runner, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(root)
    monkeypatch.setattr("vaultkit.vault.writing.atomic_file.is_read_only", lambda target: target.name == "N.md")
    with pytest.raises(WriteError, match="read-only"):
        run(write=True, generated=True)
    assert contents(root) == before


def test_remaining_problems_are_reported(vk: Vaultkit, root: Path) -> None:
    done = vk("check", "--fix", "--vault", str(root))
    assert done.err == Says("1 certain", "1 to be written", "2 by hand")
    assert vk("check", "--fix", "a", "--vault", str(root)).err.endswith("Left: 1 to be written.\n")
    before = {row["message"] for row in vk("check", "--json", "--vault", str(root)).json["problems"]}
    vk("check", "--fix", "--write", "--vault", str(root))
    after = {row["message"] for row in vk("check", "--json", "--vault", str(root)).json["problems"]}
    assert len(after) == 4 and after < before


def test_likely_repairs_are_suggested_without_the_command_just_run(vk: Vaultkit, tmp_path: Path) -> None:
    make_files(tmp_path / "vault", {"Log.md": "[[Inn#The Old Bel]] [[In]]\n", "Inn.md": "# The Old Bell\n"})
    advice = "look at the diff: vaultkit check --fix --cause heading-renamed"
    told = vk("check", "--fix", cwd=tmp_path / "vault").err
    assert told == Says("1 likely", "1 to be written") and advice in told
    assert advice not in vk("check", "--fix", "--cause", "heading-renamed", cwd=tmp_path / "vault").err


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_read_only_note_does_not_stop_other_repairs(tmp_path: Path, vk: Vaultkit) -> None:
    make_files(tmp_path, {"a/N.md": "", "Locked.md": "[x](a\\N.md)\n", "Open.md": "[x](a\\N.md)\n"})
    (tmp_path / "Locked.md").chmod(0o444)
    done = vk("check", "--fix", "--write", cwd=tmp_path)
    assert (tmp_path / "Open.md").read_text() == "[x](a/N.md)\n"
    assert (tmp_path / "Locked.md").read_text() == "[x](a\\N.md)\n"
    assert "Made 1 repair in 1 note." in done.err
    assert done.err == Says("Locked.md", "alone", "read-only")
