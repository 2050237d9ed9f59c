"""The vaults of `tests/vaults`, as `vaultkit check` sees them: sound ones, and one with a mistake of every kind."""

import ast
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

import vaultkit
from tests.vault.making import check, make_files, repairer
from tests.vault.regenerate_broken import GOLDEN, VAULTS, told
from vaultkit.session.checks import every_check
from vaultkit.vault import Vault
from vaultkit.vault.checking.report import CAUSES

SOUND = {"obsidian": (30, 335), "converter": (25, 76), "plugins": (13, 81)}
"""The sound vaults, and how many notes and links each has."""
_CODES = re.compile(
    r"(?:link|property|card|deck|table|file|folder|rule|inventory)-[a-z]+(?:-place)?"
    r"|frontmatter(?:-place)?|unreadable|nul|mojibake|canvas|spread|settings"
)


def contents(name: str) -> dict[str, str | bytes]:
    root = VAULTS / name
    files = (file for file in root.rglob("*") if file.is_file())
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def lines_of(text: str) -> list[str]:
    """Golden lines; compared as lists, so that a difference is shown line by line."""
    return text.splitlines()


@pytest.mark.short(1)
@pytest.mark.parametrize("name", SOUND)
def test_test_vaults_give_no_false_alarm(name: str) -> None:
    notes, links = SOUND[name]
    vault = Vault(VAULTS / name)
    assert lines_of(told(VAULTS / name)) == []
    report = check(vault, ["."])  # so that excluded notes are looked at, too
    assert report.problems == ()
    assert (report.notes, report.links) == (notes, links)


def _crlf(path: str, data: bytes) -> tuple[str, bytes]:
    return path, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") if path[-3:].lower() == ".md" else data


def _without_final_newline(path: str, data: bytes) -> tuple[str, bytes]:
    return path, data.rstrip(b"\n") if path[-3:].lower() == ".md" else data


def _byte_order_mark(path: str, data: bytes) -> tuple[str, bytes]:
    return path, b"\xef\xbb\xbf" + data if path[-3:].lower() == ".md" else data


def _decomposed_names(path: str, data: bytes) -> tuple[str, bytes]:
    return unicodedata.normalize("NFD", path), data


def _decomposed_text(path: str, data: bytes) -> tuple[str, bytes]:
    return path, unicodedata.normalize("NFD", data.decode()).encode() if path[-3:].lower() == ".md" else data


def _capitals(path: str, data: bytes) -> tuple[str, bytes]:
    return path if path.startswith(".") else path.upper(), data


@pytest.mark.slow
@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize(
    "change",
    [_crlf, _without_final_newline, _byte_order_mark, _decomposed_names, _decomposed_text, _capitals],
)
def test_f2_y1_no_false_alarm_in_any_stored_form(
    tmp_path: Path, name: str, change: Callable[[str, bytes], tuple[str, bytes]]
) -> None:
    """As Windows, macOS and sync tools leave vaults."""
    files = dict(change(path, data) for path, data in contents(name).items() if isinstance(data, bytes))
    make_files(tmp_path, dict(files))
    assert lines_of(told(tmp_path)) == []


def test_l5_the_note_without_links_has_none() -> None:
    note = Vault(VAULTS / "obsidian").read("Forms/No links.md")
    assert (note.links, note.blocks, len(note.headings)) == ((), frozenset(), 1)


def test_exactly_the_planted_mistakes_are_found() -> None:
    found, expected = lines_of(told(VAULTS / "broken")), lines_of(GOLDEN.read_text("utf-8"))
    assert found == expected, "run python -m tests.vault.regenerate_broken and read the diff"


@pytest.mark.slow
@pytest.mark.parametrize("change", [_crlf, _byte_order_mark, _decomposed_names])
def test_f2_y1_mistakes_are_reported_at_the_same_place_in_any_stored_form(
    tmp_path: Path, change: Callable[[str, bytes], tuple[str, bytes]]
) -> None:
    files = ((path, data) for path, data in contents("broken").items() if isinstance(data, bytes))
    unreadable = {line.partition(":")[0] for line in lines_of(GOLDEN.read_text("utf-8")) if "[unreadable]" in line}
    make_files(tmp_path, dict((path, data) if path in unreadable else change(path, data) for path, data in files))
    assert lines_of(told(tmp_path)) == lines_of(GOLDEN.read_text("utf-8"))


@pytest.mark.slow
def test_every_problem_code_in_the_package_belongs_to_a_check() -> None:
    known: set[str] = set()
    for layer in ("vault", "compendium", "session"):
        for file in (Path(vaultkit.__file__).parent / layer).rglob("*.py"):
            constants = (
                node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Constant)
            )
            known.update(
                node.value for node in constants if isinstance(node.value, str) and _CODES.fullmatch(node.value)
            )
    assert len(known) > 40
    assert known <= {check.code for check in every_check()} | set(CAUSES)


def test_every_faulty_note_declares_its_fault() -> None:
    """All but the notes to which the faulty ones lead, and a second one with a broken link in a comment."""
    named = {line.partition(".md")[0] + ".md" for line in lines_of(GOLDEN.read_text("utf-8")) if ".md" in line}
    faulty = {path for path in contents("broken") if path.endswith(".md") and not path.startswith("Places/")}
    silent = {"Tables/Weather.md", "Decks/Poker for guests.md", "Inventories/Corin.md", "Links/Comment.md"}
    assert faulty - named == silent


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="such files cannot be made there")
def test_f2_f4_names_that_a_repository_cannot_contain(tmp_path: Path) -> None:
    names = (
        "Who goes?.md",
        "CON.md",
        "tale .md",
        "Ends. /x.md",
        "a/Mill.md",
        "a/mill.md",
        "Caf\u00e9.md",
        "Cafe\u0301.md",
    )
    make_files(tmp_path, dict.fromkeys(names, ""))
    found = [line.rsplit(" ", 1) for line in lines_of(told(tmp_path))]
    assert [(line.partition(":")[0], code) for line, code in found] == [
        ("a/mill.md", "[file-case]"),
        ("Caf\u00e9.md", "[file-case]"),
        ("CON.md", "[file-name]"),
        ("Ends. /x.md", "[file-name]"),
        ("Who goes?.md", "[file-name]"),
    ]


def repair_all(root: Path) -> list[str]:
    """Mends what needs no guess in every note of a vault, and returns the paths of the notes that it changed."""
    vault = Vault(root)
    mender = repairer(vault)
    changed = {}
    for facts in vault.note_facts:
        note = vault.read(facts.path)
        splice = mender.plan(note)
        if splice is not None:
            changed[facts.path] = note.encoded.to_bytes(splice.apply(note.text))
    for path, data in changed.items():
        (root / path).write_bytes(data)
    return sorted(changed)


@pytest.mark.parametrize("name", SOUND)
def test_clean_vaults_have_nothing_to_repair(tmp_path: Path, name: str) -> None:
    make_files(tmp_path, contents(name))
    assert repair_all(tmp_path) == []


@pytest.mark.slow
def test_certain_repairs_are_made_and_no_longer_reported(tmp_path: Path) -> None:
    make_files(tmp_path, contents("broken"))
    changed = repair_all(tmp_path)
    assert changed == [
        "Links/Alias.md",
        "Links/Backslash wikilink.md",
        "Links/Backslash.md",
        "Links/Leading slash.md",
        "Links/Pipe in a table.md",
        "Links/Prefix.md",
        "Links/Space.md",
        "Properties/Blank line first.md",
        "Properties/Link in a list.md",
        "Properties/Link.md",
        "Properties/Tag that is a comment.md",
        "Properties/Tags that are comments.md",
        "Properties/Tags.md",
    ]
    before = lines_of(GOLDEN.read_text("utf-8"))
    assert lines_of(told(tmp_path)) == [line for line in before if line.partition(":")[0] not in changed]
    assert repair_all(tmp_path) == []
