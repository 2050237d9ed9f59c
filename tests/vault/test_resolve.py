import unicodedata
from collections.abc import Iterable

import pytest

from vaultkit.vault import Resolution
from vaultkit.vault.resolve import Files


def lead(link: str, source: str, paths: Iterable[str]) -> Resolution:
    return Files(paths).resolve(link, source)


def test_f2_case_and_unicode_composition_are_ignored() -> None:
    decomposed = unicodedata.normalize("NFD", "Café.md")
    assert lead("CAFÉ", "a.md", [decomposed]).path == decomposed
    assert lead(unicodedata.normalize("NFD", "café"), "a.md", ["Café.md"]).path == "Café.md"
    assert lead("note.md", "a.md", ["Note.MD"]).path == "Note.MD"


@pytest.mark.parametrize("link", ["a", "A", "a.md", "x/a", "X/A.md"])
@pytest.mark.parametrize("source", ["n.md", "x/n.md", "X/n.md"])
def test_f2_the_first_of_paths_that_differ_in_case_is_the_target(link: str, source: str) -> None:
    paths = ["x/a.md", "X/a.md", "X/A.md", "x/A.md"]
    for listed in (paths, paths[::-1]):
        assert lead(link, source, listed).path == "X/A.md"
        assert Files(listed).resolve_exact_path("x/a.md").path == "X/A.md"
        assert Files(listed).respell_folder("x/New.md") == "X/New.md"
        assert Files(listed).respell_folder("x/y/New.md") == "X/y/New.md"


def test_f4_backslash_does_not_separate_folders() -> None:
    assert lead("items\\crown", "a.md", ["items/crown.md"]).status == "unresolved"


def test_r1_empty_path_is_the_note_itself() -> None:
    assert lead("", "x/Self.md", []) == Resolution("ok", "x/Self.md")


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("Figure 1", None),
        ("Figure 1.png", "Figure 1.png"),
        ("v1.2", "v1.2.md"),
        ("Both.png", "Both.png"),
        ("Old Name", None),
        ("Plain.md", "Plain.md"),
    ],
)
def test_r2_only_md_is_ever_added(link: str, path: str | None) -> None:
    assert lead(link, "a.md", ["Figure 1.png", "v1.2.md", "Both.png", "Both.png.md", "Plain.md"]).path == path


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("v1.2", "deep/down/v1.2"),
        ("down/v1.2", "deep/down/v1.2"),
        ("v1.2.md", "v1.2.md"),
        ("Note.md", "x/Note.md"),
        ("x/Note.md", "x/Note.md"),
        ("map.png", "deep/map.png"),
        ("/map.png", None),
    ],
)
def test_r2_exact_name_is_preferred_to_added_md_anywhere(link: str, path: str | None) -> None:
    paths = ["v1.2.md", "deep/down/v1.2", "a/Note.md.md", "Note.md.md", "x/Note.md", "deep/map.png", "map.png.md"]
    assert lead(link, "a/Source.md", paths).path == path


def test_r3_unique_name_is_found_anywhere() -> None:
    assert lead("Note", "x/Source.md", ["deep/down/Note.md"]).path == "deep/down/Note.md"


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("./Note", "a/b/Note.md"),
        ("../Note", "a/Note.md"),
        ("../../Note", "Note.md"),
        ("../../../Note", None),
        ("./Gone", None),
        ("../c/./Other.md", "a/c/Other.md"),
    ],
)
def test_r4_relative_paths(link: str, path: str | None) -> None:
    files = ["a/b/Note.md", "a/Note.md", "Note.md", "a/c/Other.md"]
    assert lead(link, "a/b/Source.md", files).path == path


def test_r5_exact_vault_path_is_preferred_to_a_namesake_beside_the_source() -> None:
    assert lead("Note", "a/Source.md", ["Note.md", "a/Note.md"]).path == "Note.md"
    assert lead("/b/Note.md", "a/Source.md", ["a/b/Note.md", "b/Note.md"]).path == "b/Note.md"


def test_r6_a_leading_slash_searches_no_further() -> None:
    assert lead("/Note", "a/Source.md", ["a/Note.md", "b/Note.md"]).status == "unresolved"


def test_r7_a_path_that_ends_with_the_link() -> None:
    assert lead("b/Note", "Source.md", ["a/b/Note.md", "c/Note.md"]).path == "a/b/Note.md"


def test_r7_match_on_half_a_folder_name_is_accidental() -> None:
    files = Files(["old/glossary/index.md"])
    assert files.resolve("ary/index", "a.md") == Resolution("ok", "old/glossary/index.md", is_partial=True)
    for whole in ("glossary/index", "old/glossary/index", "/old/glossary/index", "index"):
        found = files.resolve(whole, "a.md")
        assert (found.status, found.path, found.is_partial) == ("ok", "old/glossary/index.md", False)


def test_r7_target_below_the_source_is_preferred_to_a_shorter_path() -> None:
    files = ["z/Note.md", "home/deep/down/Note.md", "home/deep/Note.md"]
    assert lead("Note", "home/Source.md", files).path == "home/deep/Note.md"


def test_r7_ancestor_folders_are_not_preferred() -> None:
    assert lead("Note", "long/way/down/Source.md", ["long/way/Note.md", "z/Note.md"]).path == "z/Note.md"


def test_r7_equally_short_paths_are_ambiguous() -> None:
    assert lead("Note", "Source.md", ["b/Note.md", "a/Note.md", "ccc/Note.md"]) == Resolution(
        "ambiguous", "a/Note.md", ("b/Note.md",)
    )
    assert lead("Note", "b/Source.md", ["b/Note.md", "a/Note.md"]) == Resolution("ok", "b/Note.md")


def test_files_are_listed_by_name() -> None:
    files = Files(["a/Note.md", "b/note.md", "c/Note.png"])
    assert files.find_namesakes("wrong/NOTE") == ("a/Note.md", "b/note.md")
    assert "A/NOTE.MD" in files
    assert "Note.md" not in files
