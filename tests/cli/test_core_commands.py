"""A short test of each core command at the command line: play, log, undo, check, links and print.

Their further tests are slow, because each plays whole games or prints several sheets.
"""

from pathlib import Path

from pypdf import PdfReader

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode


def test_game_is_played_logged_and_undone(vk: Vaultkit, example: Path) -> None:
    before = {path: path.read_bytes() for path in example.rglob("*.md")}
    played = vk("play", "propheta", *("--seat", "bot:easy") * 2, "--seed", "3", "--no-log", "--json", cwd=example)
    assert played.code == ExitCode.OK, played.err
    assert {path: path.read_bytes() for path in example.rglob("*.md")} == before
    logged = vk("log", "--session", played.json["session"], "--json", cwd=example)
    assert logged.code == ExitCode.OK, logged.err
    changed = {path for path in example.rglob("*.md") if path.read_bytes() != before.get(path)}
    (note,) = changed - before.keys()
    assert played.json["session"] in note.read_text(encoding="utf-8") and len(changed) == 2
    assert vk("undo", cwd=example).code == ExitCode.OK
    assert {path: path.read_bytes() for path in example.rglob("*.md")} == before


def test_broken_link_is_found_and_repaired(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "The Old Mill.md").write_text("# The Old Mill\n", encoding="utf-8")
    note = tmp_path / "Note.md"
    note.write_text("[[the old mil]]\n", encoding="utf-8")
    found = vk("check", "--json", cwd=tmp_path)
    assert found.code == ExitCode.PROBLEMS
    assert [(row["note"], row["line"], row["cause"]) for row in found.json["problems"]] == [("Note.md", 1, "misspelt")]
    vk("check", "--fix", "--cause", "misspelt", "--write", cwd=tmp_path)
    assert note.read_text(encoding="utf-8") == "[[The Old Mill|the old mil]]\n"
    assert vk("check", cwd=tmp_path).code == ExitCode.OK
    (link,) = vk("links", "Note", "--json", cwd=tmp_path).json
    assert link["target"] == "The Old Mill.md"


def test_sheet_is_printed(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "Note.md").write_text("# A Rule\n\nRavens count double.\n", encoding="utf-8")
    assert vk("print", "rules", "Note", "--out", "note.pdf", cwd=tmp_path).code == ExitCode.OK
    (page,) = PdfReader(tmp_path / "note.pdf").pages
    assert "Ravens count double." in page.extract_text()
