import unicodedata
from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit import resources
from vaultkit.errors import NothingFound, Problem
from vaultkit.vault import Vault
from vaultkit.vault.checking.check import check


def problems(root: Path, text: str, **more: str) -> list[Problem]:
    """Of a note `N.md` with `text`, beside other notes by name."""
    vault = make_files(root, {"N.md": text, **{f"{name}.md": content for name, content in more.items()}})
    return list(check(vault).problems)


def told(root: Path, text: str, **more: str) -> tuple[str, int, int, str]:
    (problem,) = problems(root, text, **more)
    return problem.code, problem.line, problem.column, problem.hint


def test_the_example_vault_is_sound() -> None:
    report = check(Vault(resources.shipped("vault-example")))
    assert report.problems == ()
    assert report.notes > 50 and report.links > 500


def test_an_empty_vault_is_sound(tmp_path: Path) -> None:
    assert check(make_files(tmp_path, {})).notes == 0


def test_a_missing_file_with_the_nearest_name(tmp_path: Path) -> None:
    found = told(tmp_path, "\ufeffé\n漢 [[Ravne]]", Raven="")
    assert found == ("link-unresolved", 2, 3, "Did you mean 'Raven.md'?")


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("[[wrong/Raven]]", "Did you mean 'Raven.md'?"),
        ("[[The Bird]]", "That is an alias; write [[Raven|The Bird]]."),
        ("[[Quite Another]]", "Correct the name, or make the note."),
        ("![[nothing.png]]", "Correct the name, or bring the file in."),
    ],
)
def test_hints_for_a_missing_file(tmp_path: Path, link: str, hint: str) -> None:
    assert told(tmp_path, link, Raven="---\naliases: The Bird\n---\n")[3] == hint


def test_f4_a_backslash_between_folders_is_explained(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[x](items\\crown.md)", "items/crown.md": ""})
    assert check(vault).problems[0].hint == "Write 'items/crown.md': in links, folders are divided by '/'."


def test_a_missing_heading_with_the_nearest_one(tmp_path: Path) -> None:
    found = told(tmp_path, "x [[Raven#High Dek]]", Raven="# Raven\n## High Deck\n")
    assert found == ("link-heading", 1, 3, "Did you mean 'High Deck'?")


def test_a_missing_block_with_the_nearest_one(tmp_path: Path) -> None:
    assert told(tmp_path, "[[Raven#^bok]]", Raven="Text. ^book\n") == ("link-block", 1, 1, "Did you mean '^book'?")


def test_r7_an_ambiguous_link_is_a_warning(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[[X]]", "a/X.md": "", "b/X.md": ""})
    (problem,) = check(vault).problems
    assert (problem.code, problem.severity) == ("link-ambiguous", "warning")
    assert "'a/X.md' or 'b/X.md'" in problem.message


def test_r7_an_accidental_link_is_a_warning(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"N.md": "[[ary/X]]", "glossary/X.md": ""})
    (problem,) = check(vault).problems
    assert (problem.code, problem.severity, problem.hint) == ("link-partial", "warning", "Write 'glossary/X.md'.")


def test_broken_frontmatter_and_unreadable_notes(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "---\na: b: c\n---\n", "B.md": "Ä\nÖ".encode("latin-1")})
    found = [(p.note, p.line, p.column, p.code) for p in check(vault).problems]
    assert found == [("A.md", 2, 5, "frontmatter"), ("B.md", 1, 1, "unreadable")]


def test_l4_fragments_of_other_files_are_not_looked_up(tmp_path: Path) -> None:
    vault = make_files(
        tmp_path, {"N.md": "![x](a.png#card) ![[a.png#token]] [[b.pdf#page=3]]", "a.png": "", "b.pdf": ""}
    )
    assert check(vault).problems == ()


def test_problems_are_sorted_and_crlf_counts_once(tmp_path: Path) -> None:
    found = problems(tmp_path, '---\r\nwho: "[[Z]]"\r\n---\r\n[[Y]] [[X]]\r\n\r\n[[W]]\r\n')
    assert [(p.line, p.column) for p in found] == [(2, 7), (4, 1), (4, 7), (6, 1)]


@pytest.mark.parametrize(
    ("paths", "notes"),
    [(["a"], 2), (["./a/"], 2), (["a\\b"], 1), (["N"], 1), (["a/X.md", "a"], 2), (["."], 3), (None, 3)],
)
def test_only_what_is_asked_for(tmp_path: Path, paths: list[str] | None, notes: int) -> None:
    vault = make_files(tmp_path, {"N.md": "", "a/X.md": "[[gone]]", "a/b/Y.md": ""})
    assert check(vault, paths).notes == notes


@pytest.mark.parametrize("path", ["Café", "café/", unicodedata.normalize("NFD", "CAFÉ")])
def test_f2_a_folder_is_meant_in_any_case_and_form(tmp_path: Path, path: str) -> None:
    vault = make_files(tmp_path, {unicodedata.normalize("NFD", "Café/Tea.md"): "", "Caf.md": ""})
    assert check(vault, [path]).notes == 1


def test_a_path_without_notes(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="no note or folder 'zzz'"):
        check(make_files(tmp_path, {"N.md": ""}), ["zzz"])


TEMPLATES = {
    "T.md": "---\ntags: [<% tp.file.folder() %>]\n---\n[[{{title}}]] [[<% tp.date.now() %>|next]] [x](<%f%>.md)\n",
    "Draw.excalidraw.md": "Hi ^abc\n",
    "N.md": "![[Draw.excalidraw#^group=abc]] [[#[^1]]] [[N#[^1]]] [[#[^1]|one]]\n\n[^1]: x\n",
    "F.md": '```leaflet\noverlay: [["blue", [32, -89], "500 m"]]\nsize: [[1, 2], [3, 4]]\nimage: [[N]]\n```\n',
}


def test_no_alarm_for_templates_drawings_and_lists_in_lists(tmp_path: Path) -> None:
    report = check(make_files(tmp_path, dict(TEMPLATES)))
    assert report.problems == ()
    assert [link.subpath for link in make_files(tmp_path, {}).read("N.md").links][1:] == ["[^1]"] * 3


def test_f5_excluded_notes_are_checked_only_when_they_are_named(tmp_path: Path) -> None:
    settings = '{"userIgnoreFilters": ["Templates/", "/^x.*y\\\\.md$/", "/(/", 3, ""]}'
    files: dict[str, str | bytes] = dict.fromkeys(["Templates/A.md", "xAy.md", "xAz.md"], "[[Nowhere]]")
    vault = make_files(tmp_path, {**files, "B.md": "[[A]] [[xAy]]", ".obsidian/app.json": settings})
    report = check(vault)
    assert [problem.note for problem in report.problems] == ["xAz.md"]
    assert (report.notes, report.excluded) == (2, 2)
    assert [problem.note for problem in check(vault, ["Templates"]).problems] == ["Templates/A.md"]


@pytest.mark.parametrize(
    ("link", "hint"),
    [
        ("[[Places]]", "That is a folder"),
        ("[[../../Out]]", "out of the vault"),
        ("[[https://example.org]]", "Write an address of the web as [text](https://example.org)"),
        ("[[Quite another thing]]", "or make the note"),
        ("[[Home#Cellars and rooms]]", "give the note such a heading"),
        ("[[Home#^nothing]]", "put '^nothing' at the end"),
    ],
)
def test_every_broken_link_comes_with_a_hint(tmp_path: Path, link: str, hint: str) -> None:
    vault = make_files(tmp_path, {"Places/Inn.md": "", "Home.md": "# Home\n", "N.md": link})
    (problem,) = check(vault, ["N.md"]).problems
    assert hint in problem.hint
