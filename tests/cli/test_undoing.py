"""`undo`, by whatever a person calls a write."""

import io
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cli import progress
from vaultkit.cli import undo as command
from vaultkit.cli.output import _wrap_diff_line
from vaultkit.errors import ExitCode
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History

BEFORE = "[[1 People/Ivo]]\n"


@pytest.fixture
def root(tmp_path: Path, vk: Vaultkit) -> Path:
    """A vault with three writes of `check --fix`, the last of them undone."""
    folder = tmp_path / "vault"
    make_files(folder, {"People/Ivo.md": "", **{f"{number}.md": BEFORE for number in (1, 2, 3)}})
    for number in (1, 2, 3):
        assert vk("check", f"{number}.md", "--fix", "--write", cwd=folder).code == ExitCode.OK
    assert vk("undo", cwd=folder).code == ExitCode.OK
    return folder


def listed(vk: Vaultkit, root: Path) -> dict[str, bool]:
    return {row["id"]: row["undone"] for row in vk("undo", "--list", "--json", cwd=root).json}


def test_undo_id_needs_no_quotes(vk: Vaultkit, root: Path) -> None:
    stands = {"000004-undo": False, "000002-check-fix": False, "000001-check-fix": False}
    assert listed(vk, root) == {"000003-check-fix": True, **stands}
    lines = [line.split("\t") for line in vk("undo", "--list", cwd=root).out.splitlines()]
    assert [(line[0], line[2]) for line in lines][:2] == [("4", "undo of 3"), ("3", "check --fix")]


@pytest.mark.slow
@pytest.mark.parametrize("word", ["1", "000001", "000001-check-fix", " 01 "])
def test_undo_finds_a_write_by_any_of_its_names(vk: Vaultkit, root: Path, word: str) -> None:
    assert vk("undo", word, cwd=root).code == ExitCode.OK
    assert listed(vk, root)["000001-check-fix"]
    assert (root / "1.md").read_text() == BEFORE != (root / "2.md").read_text()


def test_undone_undo_reports_what_it_restores(vk: Vaultkit, root: Path) -> None:
    assert vk("undo", "4", "--dry-run", cwd=root).err.startswith("Would restore: check --fix, ")
    told = vk("undo", "4", cwd=root).err
    assert told.startswith("Restored: check --fix, ") and "To undo it again: vaultkit undo 5" in told


@pytest.mark.slow
@pytest.mark.parametrize("word", ["2", "000002-check --fix", "000002-check-fix"])
def test_older_id_with_a_space_is_still_accepted(vk: Vaultkit, root: Path, word: str) -> None:
    history = root / ".vaultkit" / "history"
    folder = (history / "000002-check-fix").rename(history / "000002-check --fix")
    entry = folder / "entry.json"
    entry.write_text(entry.read_text().replace("000002-check-fix", "000002-check --fix"))
    assert vk("undo", word, cwd=root).code == ExitCode.OK
    assert listed(vk, root)["000002-check --fix"]
    assert (root / "2.md").read_text() == BEFORE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("3", "3 (check --fix, "),
        ("000003-check-fix", "is undone already."),
        ("99", "There is no history entry 99."),
        ("check", "There is no history entry 'check'."),
        ("²", "There is no history entry '²'."),
    ],
)
def test_undo_that_is_impossible_states_the_reason(vk: Vaultkit, root: Path, word: str, told: str) -> None:
    done = vk("undo", word, cwd=root)
    assert done.code == ExitCode.NOTHING
    assert told in done.err and "vaultkit undo --list" in done.err
    assert list(listed(vk, root).values()) == [False, True, False, False]


def test_folder_without_a_number_is_ignored(vk: Vaultkit, root: Path) -> None:
    history = root / ".vaultkit" / "history"
    (history / "000001-check-fix").rename(history / "copied")
    entry = history / "copied" / "entry.json"
    entry.write_text(entry.read_text().replace("000001-check-fix", "copied"))
    assert vk("undo", "2", cwd=root).code == ExitCode.OK


@pytest.mark.slow
def test_show_prints_what_was_written_even_if_undone(vk: Vaultkit, root: Path) -> None:
    for words in (["--show", "3"], ["3", "--show"]):
        shown = vk("undo", *words, cwd=root)
        assert shown.code == ExitCode.OK
        assert shown.out.startswith("--- a/3.md\n+++ b/3.md\n") and f"-{BEFORE}" in shown.out
        assert "(undone)" in shown.err
    whole = vk("undo", "--show", "3", "--json", cwd=root).json
    assert (whole["id"], whole["state"], whole["writes"][0]["path"]) == ("000003-check-fix", "undone", "3.md")


def test_dry_run_shows_what_would_be_undone_and_writes_nothing(vk: Vaultkit, root: Path) -> None:
    before = listed(vk, root), (root / "1.md").read_bytes()
    done = vk("undo", "1", "--dry-run", cwd=root)
    assert (done.code, "Would undo: check --fix" in done.err) == (ExitCode.OK, True)
    assert f"+{BEFORE}" in done.out
    assert (listed(vk, root), (root / "1.md").read_bytes()) == before


@pytest.mark.slow
def test_undo_can_be_undone_by_the_number_it_reports(vk: Vaultkit, root: Path) -> None:
    after = (root / "1.md").read_text()
    assert "To redo it: vaultkit undo 5" in vk("undo", "1", cwd=root).err
    assert "vaultkit undo 5" in vk("undo", "1", cwd=root).err
    assert vk("undo", "5", cwd=root).code == ExitCode.OK
    assert (root / "1.md").read_text() == after
    assert not listed(vk, root)["000001-check-fix"]


@pytest.mark.slow
def test_list_shows_the_writes_of_one_note(vk: Vaultkit, root: Path) -> None:
    for note in ("2.md", "2", "./2.md"):
        lines = vk("undo", "--list", "--note", note, cwd=root).out.splitlines()
        assert [line.partition("\t")[0] for line in lines] == ["2"]
    (row,) = vk("undo", "--list", "--note", "2", "--json", cwd=root).json
    assert row["bytes"] > len(BEFORE) and row["files"] == ["2.md"]
    assert vk("undo", "--list", "--note", "Ivo", cwd=root).code == ExitCode.NOTHING


@pytest.mark.slow
def test_edits_elsewhere_in_a_note_are_preserved_on_request(vk: Vaultkit, root: Path) -> None:
    with (root / "1.md").open("a", encoding="utf-8") as note:
        note.write("mine\n")
    refused = vk("undo", "1", cwd=root)
    assert refused.code == ExitCode.WRITE and "vaultkit undo 1 --keep-edits" in refused.err
    assert vk("undo", "1", "--keep-edits", cwd=root).code == ExitCode.OK
    assert (root / "1.md").read_text() == f"{BEFORE}mine\n"


@pytest.mark.slow
def test_text_of_another_program_is_rescued_into_a_new_file(vk: Vaultkit, root: Path) -> None:
    history = History(Vault(root))
    entry = next(entry for entry in history.entries() if entry.number == "1")
    history.keep_displaced(entry, 0, b"theirs\n")
    shown = vk("undo", "--show", "1", cwd=root)
    assert "+theirs" in shown.out and "undo 1 --rescue" in shown.err
    assert vk("undo", "1", "--rescue", "Rescued.md", cwd=root).code == ExitCode.OK
    assert (root / "Rescued.md").read_bytes() == b"theirs\n"
    (root / "Rescued.md").write_bytes(b"mine\n")
    assert vk("undo", "1", "--rescue", "Rescued.md", cwd=root).code == ExitCode.WRITE
    assert (root / "Rescued.md").read_bytes() == b"mine\n"
    elsewhere = root.parent / "theirs.md"
    assert vk("undo", "1", "--rescue", str(elsewhere), cwd=root).code == ExitCode.OK
    assert elsewhere.read_bytes() == b"theirs\n"
    assert vk("undo", "2", "--rescue", "x.md", cwd=root).code == ExitCode.NOTHING
    assert vk("undo", "1", "--rescue", "-", cwd=root).out == "theirs\n"
    assert vk("undo", "1", "--rescue", "-", "--json", cwd=root).code == ExitCode.USAGE
    assert not (root / "-").exists()


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--list", "--show"], ["--note", "1"], ["--show", "--rescue", "x.md"]])
def test_incompatible_undo_options_are_refused(vk: Vaultkit, root: Path, words: list[str]) -> None:
    assert vk("undo", *words, cwd=root).code == ExitCode.USAGE


def test_diff_line_is_broken_between_words_without_loss() -> None:
    link = f"[[{'long' * 30}]]"
    line = f"+- The party\tis at {link} still, " + "and on and on " * 20
    pieces = _wrap_diff_line(line, 80)
    assert "".join("".join(pieces).split()) == "".join(line.split())
    assert all(len(piece) < 80 for piece in pieces if link not in piece)
    assert all(piece.startswith("    ") for piece in pieces[1:]) and len(pieces) > 3
    assert _wrap_diff_line("-short  line ", 80) == ["-short  line "]


@pytest.mark.short(1)
@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_refused_undo_names_the_writes_that_can_be_undone(vk: Vaultkit, root: Path, dry: tuple[str, ...]) -> None:
    (root / "2.md").write_text("by hand\n")
    done = vk("undo", *dry, cwd=root)
    assert done.code == ExitCode.WRITE
    assert done.err == Says("vaultkit", "1", "--fix", "3 November 2026 10:00")
    assert "vaultkit undo 1" not in vk("undo", "2", cwd=root).err
    assert vk("undo", "1", cwd=root).code == ExitCode.OK
    assert "can be undone now" not in vk("undo", cwd=root).err


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "back"), [("n\n", False), ("y\n", True), ("--yes", True), ("", True)])
def test_undo_of_many_files_asks_at_a_terminal(
    vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, back: bool
) -> None:
    class Person(io.StringIO):
        def isatty(self) -> bool:
            return bool(typed)

    make_files(tmp_path / "v", {"Note.md": ""})
    vk("init", "--with", "dragon-citadel", cwd=tmp_path / "v")
    monkeypatch.setattr(sys, "stdin", Person(typed))
    done = vk("undo", *[typed] * (typed == "--yes"), cwd=tmp_path / "v")
    assert ("This undoes 57 files: init" in done.err) == typed.endswith("\n")
    assert ("(57 files)" in done.err) == back != ("Nothing was undone." in done.err)
    assert (tmp_path / "v/.vaultkit/config.toml").exists() != back


@pytest.mark.short(1)
@pytest.mark.parametrize("is_ours", [True, False])
def test_plain_undo_after_a_print_asks_and_leaves_other_pdfs_alone(
    vk: Vaultkit, root: Path, monkeypatch: pytest.MonkeyPatch, is_ours: bool
) -> None:
    class Person(io.StringIO):
        def isatty(self) -> bool:
            return True

    if is_ours:
        assert vk("print", "scores", "blank", "--out", "Sheets.pdf", cwd=root).code == ExitCode.OK
    else:
        (root / "Rulebook.pdf").write_bytes(b"%PDF-1.7\n")
        (root / "Gone.pdf").symlink_to(root / "nowhere.pdf")
    monkeypatch.setattr(sys, "stdin", Person("n\n"))
    done = vk("undo", cwd=root)
    assert (done.err == Says("Printing", "not", "Sheets.pdf")) == is_ours
    assert ("Nothing was undone." in done.err) == is_ours
    assert listed(vk, root)["000002-check-fix"] != is_ours


@pytest.mark.skipif(not hasattr(os, "link"), reason="needs hard links")
def test_hard_link_that_preserves_the_old_text_is_reported(vk: Vaultkit, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    os.link(root / "3.md", other)
    told = vk("check", "3.md", "--fix", "--write", cwd=root).err
    assert "Note: 3.md: there is a hard link of this file elsewhere" in told
    assert (root / "3.md").read_text() != BEFORE == other.read_text()
    assert "hard link" not in vk("undo", cwd=root).err


def test_progress_bar_moves_while_many_notes_are_undone(
    vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, int, int]] = []

    class Bar(progress.Bar):
        def __call__(self, done: int, total: int) -> None:
            calls.append((self._description, done, total))

    monkeypatch.setattr(command, "Bar", Bar)
    make_files(tmp_path, {"People/Ivo.md": "", **{f"{number}.md": BEFORE for number in range(12)}})
    assert vk("check", "--fix", "--write", cwd=tmp_path).code == ExitCode.OK
    assert vk("undo", cwd=tmp_path).code == ExitCode.OK
    steps = [done for doing, done, total in calls if doing == "Undoing changes" and total == 12]
    assert sorted(set(steps)) == list(range(1, 13)) and steps[-1] == 12


def test_several_numbers_are_undone_together_the_newest_first(vk: Vaultkit, root: Path) -> None:
    done = vk("undo", "1", "2", "1", cwd=root)
    assert done.code == ExitCode.OK, done.err
    assert done.err.index("2.md") < done.err.index("1.md")
    assert all((root / f"{number}.md").read_text(encoding="utf-8") == BEFORE for number in (1, 2, 3))


@pytest.mark.short(1)
@pytest.mark.parametrize("words", [("1", "3"), ("2", "99")])
def test_several_numbers_are_all_undone_or_none(vk: Vaultkit, root: Path, words: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in root.glob("*.md")}
    done = vk("undo", *words, cwd=root)
    assert done.code == ExitCode.NOTHING and f"{words[1]} " in f"{done.err} ".replace(".", " ")
    assert {path: path.read_bytes() for path in root.glob("*.md")} == before


def test_several_numbers_give_one_document(vk: Vaultkit, root: Path) -> None:
    assert [row["id"] for row in vk("undo", "1", "2", "--show", "--json", cwd=root).json] == [
        "000002-check-fix",
        "000001-check-fix",
    ]
    assert vk("undo", "1", "2", "--json", cwd=root).json["restored"] == ["2.md", "1.md"]
