"""Links, files and folders that are not what they seem: nothing outside is read, and nothing is waited for."""

import os
import unicodedata
from pathlib import Path

import pytest

from tests.vault.hostile import codes, problems, unchanged
from tests.vault.making import check, make_files
from vaultkit.vault import Vault


@pytest.mark.parametrize(
    "link", ["[[folder]]", "[[folder/]]", "[x](folder)", "[x](folder/)", "![[folder]]", "[x](./folder)"]
)
def test_links_to_folders_resolve_to_nothing(tmp_path: Path, link: str) -> None:
    code = "link-unresolved" if "/]" in link or "/)" in link else "link-unwritten"
    assert codes(problems(tmp_path, {"N.md": link, "folder/A.md": ""})) == [code]


@pytest.mark.parametrize(
    "link",
    [
        "[[../Secret]]",
        "[[../../Secret.md]]",
        "[x](../Secret.md)",
        "[x](%2E%2E/Secret.md)",
        "[x](/../Secret.md)",
        "![[../outside/Secret]]",
        "[x](..\\Secret.md)",
        "[[a/../../Secret]]",
        "[x](/etc/passwd)",
    ],
)
def test_links_out_of_the_vault_resolve_to_nothing(tmp_path: Path, link: str) -> None:
    (tmp_path / "Secret.md").write_text("# Secret")
    found = problems(tmp_path / "vault", {"N.md": link, "a/N.md": ""})
    assert codes(found) == ["link-unresolved"]
    assert "# Secret" not in str(found)


def test_symbolic_links_are_neither_followed_nor_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path / "vault", {"N.md": "[[Secret]] [[loop]] [[inside]] [[up/N]]"})
    (tmp_path / "Secret.md").write_text("[[Gone]]")
    try:
        for name, target in {
            "Secret.md": tmp_path / "Secret.md",
            "loop.md": vault.root / "loop.md",
            "ping": vault.root / "pong",
            "pong": vault.root / "ping",
            "inside.md": vault.root / "N.md",
            "up": vault.root,
            "out": tmp_path,
            "dead.md": tmp_path / "gone.md",
        }.items():
            (vault.root / name).symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")
    with unchanged(vault.root):
        report = check(Vault(vault.root))
    assert report.notes == 1
    assert set(codes(list(report.problems))) <= {"link-unresolved", "link-unwritten"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_named_like_a_note_does_not_block_reading(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "x", "folder.md/A.md": "x"})
    os.mkfifo(tmp_path / "Pipe.md")
    assert check(vault).notes == 2


def test_a_note_that_vanishes_while_the_vault_is_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Gone.md": "x", "N.md": "[[Gone#Heading]] [[Gone]]"})
    assert vault.note_paths == ("Gone.md", "N.md")
    (tmp_path / "Gone.md").unlink()
    found = [problem for problem in check(vault).problems if problem.note == "Gone.md"]
    assert codes(found) == ["unreadable"] and found[0].hint
    assert [facts.path for facts in vault.note_facts] == ["N.md"]


def test_a_folder_that_vanishes_while_the_vault_is_read(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"a/Gone.md": "x", "N.md": "x"})
    assert len(vault.note_paths) == 2
    (tmp_path / "a" / "Gone.md").unlink()
    (tmp_path / "a").rmdir()
    (tmp_path / "a").write_text("now a file")
    assert codes(list(check(vault).problems)) == ["unreadable"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_note_and_a_folder_without_permission(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Locked.md": "x", "shut/N.md": "x", "N.md": "x"})
    (tmp_path / "Locked.md").chmod(0)
    (tmp_path / "shut").chmod(0)
    try:
        found = list(check(vault).problems)
    finally:
        (tmp_path / "shut").chmod(0o755)
    assert [(problem.note, problem.code) for problem in found] == [("Locked.md", "unreadable"), ("shut", "unreadable")]


def name_allowed_here(root: Path, name: str) -> bool:
    try:
        (root / name).write_bytes(b"# Here\n")
    except OSError:
        return False
    return (root / name).is_file()


@pytest.mark.short(18)
@pytest.mark.parametrize(
    "sign",
    [*"!\"#$%&'()*+,-.:;<=>?@[\\]^_`{|}~", " ", "\n", "\t", "\x1b", "\x7f", "\u00a0", "\u200b", "😀", "%20", "%%"],
)
def test_f4_names_with_every_allowed_character_of_any_system(tmp_path: Path, sign: str) -> None:
    name = f"a{sign}b.md"
    make_files(tmp_path, {"N.md": "x"})
    if not name_allowed_here(tmp_path, name):
        pytest.skip("this system does not hold the name")
    with unchanged(tmp_path):
        vault = Vault(tmp_path)
        assert check(vault).notes == 2
        assert vault.read(name).title == "Here"
        assert sign == "\\" or vault.find(name).path == name


@pytest.mark.parametrize("sign", '#^[]|\\:?*<>"')
def test_f4_names_invalid_on_other_systems_are_reported(tmp_path: Path, sign: str) -> None:
    make_files(tmp_path, {})
    if not name_allowed_here(tmp_path, f"a{sign}b.md"):
        pytest.skip("this system does not hold the name")
    found = problems(tmp_path, {})
    assert set(codes(found)) == {"file-name"}


def test_f2_names_that_differ_in_case_or_accents_are_reported(tmp_path: Path) -> None:
    accents = [unicodedata.normalize(form, "Café.md") for form in ("NFC", "NFD")]
    make_files(tmp_path, dict.fromkeys(["A.md", "a.md", *accents], ""))
    if len(list(tmp_path.glob("*.md"))) < 4:
        pytest.skip("this file system takes them for one")
    assert codes(problems(tmp_path, {})) == ["file-case", "file-case"]


def test_undecodable_file_name_is_reported(tmp_path: Path) -> None:
    make_files(tmp_path, {"N.md": "x"})
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this system does not hold the name")
    (problem,) = check(Vault(tmp_path)).problems
    assert problem.code == "unreadable" and problem.note.isprintable()
