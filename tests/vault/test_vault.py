import os
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.vault.making import make_files
from tests.vault.regenerate_broken import VAULTS
from tests.wording import Says
from vaultkit.errors import InvalidError, NothingFound, Problem
from vaultkit.vault import Vault, walk
from vaultkit.vault.root_folder import find_root
from vaultkit.vault.structure import Structure

NOTES: dict[str, str | bytes] = {
    "Home.md": "[[Bell]] ![[raven.webp#card]] [[Bell#Rooms]] [[Bell#Cellar]] [[Bell#^Beer]] [[Bell#^wine]] [[Nowhere]]",
    "a/Bell.md": "---\naliases: [The Inn]\n---\n# Drowned Bell\nBeer. ^beer\n## Rooms\n",
    "img/raven.webp": b"RIFF",
}


def statuses(vault: Vault, path: str) -> list[str]:
    return [vault.resolve(link, path).status for link in vault.read(path).links]


def link_file(link: Path, target: Path) -> None:
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")


def test_root_is_the_named_folder_or_the_enclosing_vault(tmp_path: Path) -> None:
    make_files(tmp_path, NOTES)
    assert find_root(tmp_path / "a", {}, tmp_path) == tmp_path / "a"
    assert find_root(None, {"VAULTKIT_VAULT": str(tmp_path)}, Path("/")) == tmp_path
    assert find_root(None, {"VAULTKIT_VAULT": ""}, tmp_path / "a") == tmp_path


def test_missing_vault_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no folder with this name"):
        find_root(tmp_path / "gone", {}, tmp_path)
    with pytest.raises(InvalidError, match="no Obsidian vault here") as caught:
        find_root(None, {}, tmp_path)
    assert "--vault" in caught.value.hint


def test_an_empty_vault(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {})
    assert (vault.note_paths, list(vault.note_facts), vault.app_settings) == ((), [], {})
    with pytest.raises(NothingFound):
        vault.find("Home")


def test_f1_files_starting_with_a_dot_are_ignored(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {".trash/A.md": "", "a/.hidden/B.md": "", ".c.md": "", "a/D.md": "", "E.MD": ""})
    assert vault.files.paths == ("E.MD", "a/D.md")
    assert vault.note_paths == ("E.MD", "a/D.md")


def test_f2_a_decomposed_name_is_found_and_read(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "Café.md")
    vault = make_files(tmp_path, {name: "# Coffee"})
    assert vault.find("café").title == "Coffee"


def test_f3_symbolic_links_are_not_followed(tmp_path: Path) -> None:
    vault = make_files(tmp_path / "vault", {"Note.md": "", "a/Other.md": ""})
    make_files(tmp_path / "outside", {"Secret.md": "secret"})
    link_file(vault.root / "Secret.md", tmp_path / "outside" / "Secret.md")
    link_file(vault.root / "Copy.md", vault.root / "Note.md")
    link_file(vault.root / "a" / "up", vault.root)
    link_file(vault.root / "loop.md", vault.root / "loop.md")
    assert vault.files.paths == ("Note.md", "a/Other.md")
    with pytest.raises(InvalidError, match="leads out of the vault"):
        vault.read("Secret.md")
    with pytest.raises(InvalidError, match="cannot be"):
        vault.read("loop.md")


@pytest.mark.parametrize("path", ["../x.md", "/etc/hostname", "a/../../x.md"])
def test_paths_cannot_leave_the_vault(tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidError, match="leads out of the vault"):
        make_files(tmp_path / "vault", {}).read(path)


@pytest.mark.parametrize("path", ["a", "a\0b.md", "Home.md/x.md"])
def test_path_that_is_not_a_file_is_a_clear_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidError, match="cannot be"):
        make_files(tmp_path, NOTES).read(path)


def test_missing_note_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no such note"):
        make_files(tmp_path, NOTES).read("Gone.md")


def unreadable(vault: Vault) -> list[Problem]:
    return [facts.unreadable for facts in vault.facts.values() if facts.unreadable]


def test_unreadable_notes_are_problems_but_stop_nothing(tmp_path: Path) -> None:
    vault = make_files(
        tmp_path, {"Bad.md": "ok\nÄ".encode() + b"\xff", "Good.md": "x", "Wide.md": "x".encode("utf-16")}
    )
    problems = unreadable(vault)
    assert [facts.path for facts in vault.note_facts] == ["Good.md"]
    assert [(p.note, p.line, p.column, p.code) for p in problems] == [
        ("Bad.md", 2, 2, "unreadable"),
        ("Wide.md", 0, 0, "unreadable"),
    ]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_locked_note_is_a_problem(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Locked.md": "x"})
    vault.file("Locked.md").chmod(0)
    assert list(vault.note_facts) == []
    assert "cannot be read" in unreadable(vault)[0].message


@pytest.mark.parametrize(
    "name", ["Bell", "bell", "a/Bell", "a\\Bell.md", "[[Bell|inn]]", "Bell#Rooms", "The Inn", "drowned bell", "/a/Bell"]
)
def test_a_note_is_found_by_path_name_alias_and_title(tmp_path: Path, name: str) -> None:
    assert make_files(tmp_path, NOTES).find(name).path == "a/Bell.md"


@pytest.mark.parametrize("name", ["", " ", "[[]]", "raven.webp"])
def test_texts_that_name_no_note(tmp_path: Path, name: str) -> None:
    assert make_files(tmp_path, NOTES).lookup(name) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Chronik #2.md", "Chronik #2.md"),
        ("chronik #2", "Chronik #2.md"),
        ("a\\Chronik #3", "a/Chronik #3.md"),
        ("Chronik #4", "Other.md"),
        ("Chronik #5", "Chronik.md"),
        ("[[Chronik #2]]", "Chronik.md"),
        ("Chronik|2", "Chronik.md"),
        ("Either|Or", "Other.md"),
    ],
)
def test_name_is_tried_whole_before_it_is_split_as_a_link(tmp_path: Path, name: str, path: str) -> None:
    other = "---\naliases: ['Chronik #4', Either|Or]\n---\n"
    notes: dict[str, str | bytes] = {"Chronik.md": "", "Chronik #2.md": "", "a/Chronik #3.md": "", "Other.md": other}
    assert make_files(tmp_path, notes).find(name).path == path


def test_a_title_or_alias_of_several_notes_is_refused(tmp_path: Path) -> None:
    alias = "---\naliases: [The Log]\n---\n"
    vault = make_files(tmp_path, {"A.md": alias, "B.md": "# the log\n", "C.md": "", "D.md": "# C\n"})
    for name in ("The Log", "[[the log#x]]"):
        with pytest.raises(InvalidError, match="Several notes are called") as caught:
            vault.find(name)
        assert "'A.md' or 'B.md'" in caught.value.hint
    assert vault.find("C").path == "C.md"


def test_r7_name_of_several_notes_is_refused_but_not_a_path(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"a/Ford.md": "", "b/Ford.md": "", "b/c/Mill.md": "", "Mill.md": "", "a/x.png": b""})
    for name in ("Ford", "[[ford|x]]", "Ford.md"):
        with pytest.raises(InvalidError, match="Several notes are called") as caught:
            vault.find(name)
        assert caught.value.hint == "Give the path of the one that you mean: 'a/Ford.md' or 'b/Ford.md'"
    assert [vault.find(name).path for name in ("b/Ford", "a/Ford.md", "Mill")] == ["b/Ford.md", "a/Ford.md", "Mill.md"]
    assert [vault.find_file(name) for name in ("x.png", "a\\x.png", "b/Ford")] == ["a/x.png", "a/x.png", "b/Ford.md"]
    with pytest.raises(NothingFound, match="no note 'y"):
        vault.find_file("y.png")


@pytest.mark.parametrize(("tag", "listed"), [(0xA0000003, False), (0xA000001A, True), (0, True)])
def test_f3_junction_is_recognized_by_its_tag(monkeypatch: pytest.MonkeyPatch, tag: int, listed: bool) -> None:
    entry = SimpleNamespace(path="a", is_dir=lambda follow_symlinks: True)
    monkeypatch.setattr(walk.os, "name", "nt")
    monkeypatch.setattr(walk.os, "lstat", lambda path: SimpleNamespace(st_mode=0, st_reparse_tag=tag))
    assert walk._is_junction(entry) is not listed


def test_a_typo_gets_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no note 'Bel'") as caught:
        make_files(tmp_path, NOTES).find("Bel")
    assert caught.value.hint == Says("mean", "a/Bell.md")


def test_links_with_headings_and_blocks(tmp_path: Path) -> None:
    found = statuses(make_files(tmp_path, NOTES), "Home.md")
    assert found == ["ok", "ok", "ok", "no-heading", "ok", "no-block", "unresolved"]


def test_l4_fragments_of_pictures_are_not_headings(tmp_path: Path) -> None:
    text = "![x](/img/raven.webp#card) [[raven.webp#center]] ![[A.pdf#page=2]] <https://x.y#z>"
    vault = make_files(tmp_path, {**NOTES, "P.md": text, "A.pdf": b"%PDF"})
    assert statuses(vault, "P.md") == ["ok", "ok", "ok", "external"]


def test_l5_a_heading_of_the_note_itself(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "# Here\n[[#here]] [x](#Here) [[#gone]] [[#^b]]\n\ntext ^b\n"})
    assert statuses(vault, "N.md") == ["ok", "ok", "no-heading", "ok"]


def test_link_to_an_unreadable_note_resolves_to_it(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[[Bad#Heading]]", "Bad.md": b"\xff"})
    assert statuses(vault, "N.md") == ["ok"]


def test_a_forgotten_note_is_read_again(tmp_path: Path) -> None:
    vault = make_files(tmp_path, NOTES)
    assert vault.read("Home.md") is vault.read("Home.md")
    vault.file("Home.md").write_text("# New")
    vault.file("Fresh.md").write_text("")
    vault.forget("Home.md")
    assert vault.read("Home.md").title == "New"
    assert "Fresh.md" in vault.files


@pytest.mark.parametrize("content", ["{", "[1]", b"\xff"])
def test_broken_app_json_counts_as_missing(tmp_path: Path, content: str | bytes) -> None:
    assert make_files(tmp_path, {".obsidian/app.json": content}).app_settings == {}


@pytest.mark.parametrize("name", ["broken", "converter", "obsidian", "plugins"])
def test_facts_contain_the_structure_of_a_note(name: str) -> None:
    vault = Vault(VAULTS / name)
    for facts in vault.note_facts:
        assert Structure(facts.anchors, facts.links) == vault.read(facts.path).structure
