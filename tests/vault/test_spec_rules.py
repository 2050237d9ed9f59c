"""Every numbered rule of the specification has a test that is named by it; here are those that fit nowhere else."""

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vault.making import check, make_files, note, repairer
from vaultkit.vault import Resolution
from vaultkit.vault.resolve import Files
from vaultkit.vault.writing.link_style import Linker

RULES = {"f": 5, "l": 6, "r": 10, "s": 6, "y": 5, "o": 11}
"""Files, links, resolution, subpaths, frontmatter, and what Obsidian's index shows, each numbered from 1."""
_NAMES = re.compile(r"^ *def test((?:_(?:[flrsyo]\d+|to))+)_", re.MULTILINE)
TESTS = Path(__file__).parent.parent


def test_every_rule_has_a_test_named_after_it() -> None:
    files = (file for layer in ("vault", "compendium") for file in (TESTS / layer).glob("test_*.py"))
    named = {rule for file in files for match in _NAMES.findall(file.read_text("utf-8")) for rule in match.split("_")}
    assert {f"{letter}{number}" for letter, last in RULES.items() for number in range(1, last + 1)} - named == set()


@pytest.mark.parametrize("hidden", ["Drafts/", "Draft", "/^Drafts\\/.*/", "/[/"])
def test_f5_links_to_excluded_files_resolve(tmp_path: Path, hidden: str) -> None:
    settings = f'{{"userIgnoreFilters": ["{hidden}"]}}'.replace("\\", "\\\\")
    files: dict[str, str | bytes] = {
        ".obsidian/app.json": settings,
        "N.md": "[[Ferry#Toll]] [[Drafts/Ferry]] [f](Drafts/Ferry.md)",
        "Drafts/Ferry.md": "# Ferry\n## Toll\n",
    }
    assert check(make_files(tmp_path, files)).problems == ()


FOLDERS = ("", "a/", "b/", "a/b/", "b/a/", "ab/", "a/b/ab/")
NAMES = ("N.md", "n.2.md", "M.md", "M", "N.png")
PATHS = tuple(folder + name for folder in FOLDERS for name in NAMES)
BEFORE = ("", "/", "./", "../", "../../")


def obsidian(link: str, source: str, paths: frozenset[str]) -> Resolution:
    """R1 to R7 once more, word by word as they are written, for names that differ in more than case."""
    if not link:
        return Resolution("ok", source)
    lower = {path.lower(): path for path in paths}
    folder = posixpath.dirname(source).lower()
    wanted, candidates = candidates_of(link.lower(), lower)
    beside = posixpath.normpath(posixpath.join(folder, wanted)) if wanted.startswith(".") else ""
    only = candidates[0] if "/" not in link and len(candidates) == 1 else ""
    for exact in (only, beside, wanted.removeprefix("/")):
        if exact in candidates:
            return Resolution("ok", lower[exact], from_anywhere=True)
    ending = [path for path in candidates if path.endswith(wanted) and not wanted.startswith("/")]
    below = [path for path in ending if not folder or path.startswith(f"{folder}/")]
    if not ending:
        return Resolution("unresolved")
    best, *others = sorted(below or ending, key=lambda path: (len(path), path))
    ties = tuple(lower[path] for path in others if len(path) == len(best))
    accident = "/" in wanted and not f"/{best}".endswith(f"/{wanted}")
    return Resolution("ambiguous" if ties else "ok", lower[best], ties, accident)


def candidates_of(link: str, paths: Iterable[str]) -> tuple[str, list[str]]:
    """R2, O8: the spelling by which there are files of that name, and these files."""
    for wanted in (link, f"{link}.md"):
        found = [path for path in paths if posixpath.basename(path) == posixpath.basename(wanted)]
        if found:
            return wanted, found
    return link, []


@pytest.mark.slow
@given(
    paths=st.frozensets(st.sampled_from(PATHS), max_size=8),
    source=st.sampled_from([f"{folder}Source.md" for folder in FOLDERS]),
    before=st.sampled_from(BEFORE),
    folder=st.sampled_from(FOLDERS),
    name=st.sampled_from(["", "N", "n", "N.md", "N.2", "n.2.md", "M", "N.png", "nobody"]),
)
def test_r1_to_r7_together(paths: frozenset[str], source: str, before: str, folder: str, name: str) -> None:
    link = f"{before}{folder}{name}" if name else ""
    found = Files(paths).resolve(link, source)
    assert found == obsidian(link, source, paths)
    if found.from_anywhere and not link.startswith("."):
        assert all(Files(paths).resolve(link, f"{other}Source.md") == found for other in FOLDERS)


def test_r8_target_below_the_source_is_preferred_to_shortest_and_first() -> None:
    files = Files(["a/Index.md", "Index of all/Index.md", "world/north/far/Index.md"])
    assert files.resolve("Index", "world/Source.md") == Resolution("ok", "world/north/far/Index.md")
    assert files.resolve("Index", "elsewhere/Source.md") == Resolution("ok", "a/Index.md")


WRITTEN = (
    "[[{}Ivo]]",
    "[[{}Ivo.md]]",
    "[[{}Ivo|shown | so]]",
    "[[{}Ivo|]]",
    "[[{}Ivo#Past]]",
    "[[{}Ivo#Past#At sea|there]]",
    "[[{}Ivo#^block]]",
    "![[{}Ivo#^block]]",
    "![[{}p q.png|100x145]]",
    "![[{}p q.png#card|100]]",
    "[t](<{}p q.png>)",
    "[t]({}Ivo.md)",
    "[*t* `c`]({}Ivo.md#At%20sea 'a title')",
    '[t](<{}Ivo.md#At sea> "a title")',
    "![100x145]({}p%20q.png#center)",
    "[![a]({}p%20q.png)](Ivo.md)",
    "| a |\n|---|\n| [[{}Ivo\\|shown]] |",
    "---\na: \"x [[{}Ivo#Past|shown]] y\" # said\nb: '[t]({}Ivo.md)'\n---\n",
    "`dice: [[{}Table^id]]` `dice: []({}Table.md#^id)|x`",
    '<a class="internal-link" href="{}Ivo.md#Past">I</a>',
    '```statblock\ndesc: "see [[{}Ivo|him]]"\n```',
)
"""Links of every form, with a gap where the folder stands in which the file no longer lies."""


@pytest.mark.short(18)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", WRITTEN)
def test_r10_a_changed_path_keeps_form_text_title_size_and_subpath(tmp_path: Path, text: str, line_end: str) -> None:
    """We have no rename; where a repair writes a new path, nothing but the path changes."""
    written = f"{text} and on\n".replace("\n", line_end)
    files: dict[str, str | bytes] = {
        "Ivo.md": "# Past\n## At sea\nx ^block\n",
        "p q.png": "",
        "Table.md": "x ^id\n",
        "N.md": written.replace("{}", "Old/"),
        "Bram.md": "",
        "All of Old has moved.md": "[[Old/Bram]]\n",
    }
    vault = make_files(tmp_path, files)
    before = vault.read("N.md")
    splice = repairer(vault).plan(before)
    assert splice is not None
    after = note(splice.apply(before.text), "N.md")
    assert after.text == written.replace("{}", "")
    told = [[(link.kind, link.embed, link.text, link.subpath) for link in found.links] for found in (before, after)]
    assert [link[:2] + link[3:] for link in told[0]] == [link[:2] + link[3:] for link in told[1]]
    assert [vault.resolve(link, "N.md").status for link in after.links] == ["ok"] * len(after.links)


def test_r10_a_second_file_of_a_name_is_linked_by_its_whole_path(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"people/Ivo.md": "", "N.md": ""})
    assert Linker(vault).link("people/Ivo.md", "N.md") == "[[Ivo]]"
    linker = Linker(vault, new_files=["games/Ivo.md"])
    assert [linker.link(path, "N.md") for path in ("games/Ivo.md", "people/Ivo.md")] == [
        "[[games/Ivo|Ivo]]",
        "[[people/Ivo|Ivo]]",
    ]
