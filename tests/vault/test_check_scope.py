"""A check of requested paths reads and reports what belongs to them, and nothing else."""

import unicodedata
from pathlib import Path

import pytest

from tests.vault.making import check, make_files
from vaultkit.errors import NothingFound, Problem
from vaultkit.vault import Vault
from vaultkit.vault.checking.checks import unsafe_file_names
from vaultkit.vault.checking.selection import CheckScope


@pytest.mark.parametrize(
    ("paths", "notes"),
    [(["a"], 2), (["./a/"], 2), (["a\\b"], 1), (["N"], 1), (["a/X.md", "a"], 2), (["."], 3), (None, 3)],
)
def test_only_requested_paths_are_processed(tmp_path: Path, paths: list[str] | None, notes: int) -> None:
    vault = make_files(tmp_path, {"N.md": "", "a/X.md": "[[gone]]", "a/b/Y.md": ""})
    assert check(vault, paths).notes == notes


@pytest.mark.parametrize("path", ["Café", "café/", unicodedata.normalize("NFD", "CAFÉ")])
def test_f2_requested_folder_matches_in_any_case_and_form(tmp_path: Path, path: str) -> None:
    vault = make_files(tmp_path, {unicodedata.normalize("NFD", "Café/Tea.md"): "", "Caf.md": ""})
    assert check(vault, [path]).notes == 1


def test_requested_path_without_notes(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no note or folder 'zzz'"):
        check(make_files(tmp_path, {"N.md": ""}), ["zzz"])


NAMES = ["A #1.md", "Who/B.md", "Sub #/C #2.md", "Sub #/D.md", "Sub #/pic ^.md", "Twin/X.md", "Twin/x.md"]


@pytest.mark.parametrize(
    ("paths", "told_of"),
    [
        (None, ["A #1.md", "Sub #/C #2.md", "Sub #/C #2.md", "Sub #/pic ^.md", "Twin/x.md"]),
        (["."], ["A #1.md", "Sub #/C #2.md", "Sub #/C #2.md", "Sub #/pic ^.md", "Twin/x.md"]),
        (["A #1.md"], ["A #1.md"]),
        (["Who"], []),
        (["sub #"], ["Sub #/C #2.md", "Sub #/C #2.md", "Sub #/pic ^.md"]),
        (["Sub #/D.md"], ["Sub #/D.md"]),
        (["Twin/X.md"], ["Twin/X.md"]),
    ],
)
def test_f4_name_problems_of_requested_paths_are_reported(
    tmp_path: Path, paths: list[str] | None, told_of: list[str]
) -> None:
    chosen = CheckScope(Vault(tmp_path), paths)
    chosen.__dict__ |= {
        "notes": frozenset(paths or ()),
        "_chosen_paths": ["" if path == "." else path for path in paths or ()],
    }
    assert sorted(problem.note for problem in unsafe_file_names.find_name_problems(NAMES, chosen.includes)) == told_of


@pytest.mark.parametrize("path", ["World/2-Monsters", "monsters", "Monsters/", "2-monsters", "world\\2-Monsters"])
def test_a_folder_given_by_name_is_checked_with_its_canvases_and_files(tmp_path: Path, path: str) -> None:
    canvas = '{"nodes": [{"id": "1", "type": "text", "text": "[[gone]]", "x": 0, "y": 0, "width": 9, "height": 9}]}'
    files = {"World/2-Monsters/M.md": "", "World/2-Monsters/Map.canvas": canvas, "N.md": "[[missing]]"}
    vault = make_files(tmp_path, {**files, "World/2-Monsters/p #.png": "", "World/2-Monsters-old/O.md": "[[lost]]"})
    report = check(vault, [path])
    assert report.notes == 1
    assert [problem.note for problem in report.problems if "gone" in problem.message] == ["World/2-Monsters/Map.canvas"]
    scope = CheckScope(vault, [path])
    assert all(map(scope.includes, ("World/2-Monsters/p #.png", "World/2-Monsters/", "World/2-Monsters/new/")))
    assert not any(map(scope.includes, ("World/2-Monsters-old/O.md", "World/p.png", "N.md")))


def test_a_folder_of_canvases_alone_is_found_by_name(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "", "World/Maps/Map.canvas": "{}"})
    assert CheckScope(vault, ["maps"]).notes == {"World/Maps/Map.canvas"}


def test_unlistable_folder_is_reported_when_requested(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "", "a/M.md": ""})
    locked = Problem("a/locked", 0, 0, "unreadable", "This folder cannot be read: no right.")
    vault.__dict__["listing"] = vault.listing._replace(problems=(locked,))
    for paths in (["a"], ["a/locked"], ["A/Locked/"], None):
        assert check(vault, paths).problems == (locked,)
    assert check(vault, ["N"]).problems == ()


@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("Attachments", "'Attachments' contains no notes.", "the names of all files"),
        ("pic.png", "'pic.png' is not a note.", "Name a note"),
        ("Plces", "There is no note or folder 'Plces'.", "Did you mean 'Places'?"),
        ("places/In.md", "There is no note or folder 'places/In.md'.", "Did you mean 'Places/Inn.md'?"),
        ("Inns", "There is no note or folder 'Inns'.", "Did you mean 'Places/Inn.md'?"),
        ("zzz", "There is no note or folder 'zzz'.", "Give its path in the vault."),
    ],
)
def test_missing_path_is_reported(tmp_path: Path, path: str, message: str, hint: str) -> None:
    vault = make_files(tmp_path, {"Places/Inn.md": "", "Attachments/pic.png": ""})
    with pytest.raises(NothingFound) as refused:
        check(vault, [path])
    assert refused.value.message == message and hint in refused.value.hint
