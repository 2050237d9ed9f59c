"""The vault `tests/vaults/lived-in`: what GMs' vaults have, each construct in two variants."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import count_certain, make_files
from tests.vault.regenerate_broken import LIVED_IN_GOLDEN, STRANGERS, VAULTS, digest
from tests.vault.test_vaults import contents, lines_of
from vaultkit.errors import ExitCode
from vaultkit.session.checks import every_check
from vaultkit.vault import Vault
from vaultkit.vault.checking.runner import Report, run

ROOT = VAULTS / "lived-in"
NEXT_STEP = "first look for false alarms; then run python -m tests.vault.regenerate_broken"
VARIANTS = {
    ("certain", "signs"): ("Signs/Apostrophe.md", "Signs/Dash.md"),
    ("certain", "heading-renamed"): ("Same note/Wikilink.md", "Same note/Markdown.md"),
    ("certain", "table-pipe"): ("Tables/Two cells.md", "Tables/Picture.md"),
    ("likely", "short-name"): ("Short names/One word.md", "Short names/Two words.md", "Copies/Home.md"),
    ("likely", "misspelt"): ("Spelling/Letters.md", "Spelling/Plural.md"),
    ("likely", "ending"): ("Endings/Other.md", "Endings/None.md"),
    ("likely", "tree"): ("en/Places/Ferry.md", "fr/Places/Ferry.md", "Rules Deutsch/Wesen/Wolf.md"),
    ("to-be-written", "unwritten"): ("Wanted/Wikilink.md", "Wanted/Embed and Markdown.md", "Lost/Few.md"),
    ("missing", "missing-folder"): ("Lost/Lore.md", "Lost/Art.md"),
    ("by-hand", "unzip"): ("Unzipped/Cora#U00e7#U00e3o.md", "Unzipped/Caf#U00e9/Bar.md", "Unzipped/Link.md"),
    ("by-hand", "conflict-copy"): (
        "Copies/A.sync-conflict-20260301-120000-ABCDEFG.md",
        "Copies/A (Conflicted copy phone 202603011200).md",
        "Copies/A (Ann's conflicted copy 2026-03-01).md",
        "Copies/A-DESKTOP-4F2A9QX.md",
        "Places/The Heron and Hook 2.md",
    ),
    ("by-hand", "placeholder"): ("Forms/Person.md", "Vorlagen/Ort.md"),
    ("by-hand", "base-name"): ("Bases/People.base", "Bases/Note.md"),
    ("by-hand", "frontmatter-place"): ("Properties/Stars.md", "Properties/Quote.md"),
    ("by-hand", "html-heading"): ("HTML/Block.md", "HTML/Line.md"),
    ("by-hand", "heading-renamed"): ("HTML/Link.md",),
    ("by-hand", "deck-several"): ("Decks/Omens.md", "Decks/Signs.md"),
}


@pytest.fixture(scope="module")
def report() -> Report:
    return run(Vault(ROOT), every_check())


def test_each_problem_is_in_one_group_and_each_construct_is_found_twice(report: Report) -> None:
    found = {(cause.group, cause.code): {*()} for cause in report.causes}
    for problem in report.problems:
        code = problem.code if problem.cause == "other" else problem.cause
        found[report.group_of(problem), code].add(problem.note)
    assert found == {cause: set(notes) for cause, notes in VARIANTS.items()}
    assert sum(cause.problems for cause in report.causes) == len(report.problems)


def test_digest_matches_the_golden_file() -> None:
    assert lines_of(digest(ROOT)) == lines_of(LIVED_IN_GOLDEN.read_text("utf-8")), NEXT_STEP
    assert len(lines_of(digest(ROOT, every=False))) < 60


def test_conflict_copy_is_neither_linked_nor_suggested(report: Report) -> None:
    copies = [Path(note).stem for note in VARIANTS["by-hand", "conflict-copy"]]
    offers = [problem.hint for problem in report.problems if problem.code != "conflict-copy"]
    assert not [hint for hint in offers for name in copies if name in hint]


@pytest.mark.slow
def test_fix_write_repairs_the_certain_group_and_undo_restores_each_byte(vk: Vaultkit, tmp_path: Path) -> None:
    root = make_files(tmp_path / "vault", contents("lived-in")).root
    before = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.*") if path.is_file()}
    vk("check", "--fix", "--write", cwd=root)
    changed = {path for path, data in before.items() if (root / path).read_bytes() != data}
    assert changed == {note for (group, _), notes in VARIANTS.items() for note in notes if group == "certain"}
    assert (root / "Tables/Two cells.md").read_text().endswith("| [[Yann Vaelor\\|the old man]] | [[Lion]] |\n")
    assert (root / "Same note/Wikilink.md").read_text().startswith("[[#The bell]]\n")
    assert vk("check", "--json", cwd=root).json["groups"]["certain"] == 0
    vk("undo", cwd=root)
    assert {path: (root / path).read_bytes() for path in before} == before


@pytest.mark.short(1)
@pytest.mark.parametrize("cause", ["short-name", "misspelt", "ending", "tree"])
def test_guesses_of_one_cause_are_shown_and_written_separately(vk: Vaultkit, tmp_path: Path, cause: str) -> None:
    root = make_files(tmp_path / "vault", contents("lived-in")).root
    before = contents("lived-in")
    shown = vk("check", "--fix", "--cause", cause, cwd=root).out
    assert {path for path in before if (root / path).read_bytes() != before[path]} == set()
    vk("check", "--fix", "--cause", cause, "--write", cwd=root)
    changed = {path for path in before if (root / path).read_bytes() != before[path]}
    assert changed == set(VARIANTS["likely", cause]) and all(f"+++ b/{path}" in shown for path in changed)
    assert len(vk("check", "--json", "--cause", cause, cwd=root).json["problems"]) == 0


@pytest.mark.slow
def test_display_text_is_preserved(vk: Vaultkit, tmp_path: Path) -> None:
    root = make_files(tmp_path / "vault", contents("lived-in")).root
    for cause in ("short-name", "misspelt", "tree"):
        vk("check", "--fix", "--cause", cause, "--write", cwd=root)
    assert (root / "Short names/One word.md").read_text() == "[[Yann Vaelor|Yann]] waits.\n"
    assert (root / "Short names/Two words.md").read_text().endswith("| [[Baron Aldric Voss\\|Baron Aldric]] |\n")
    assert (root / "Spelling/Plural.md").read_text() == "[[Skerrow Isle|Skerrow Isles]]\n"
    assert (root / "Spelling/Letters.md").read_text() == "[[The Heron and Hook]]\n"
    assert (root / "fr/Places/Ferry.md").read_text() == "[[fr/Bestiary/Goblin|Goblin]]\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"lion.md": "", "N.md": "[[Link]]"}, "Write the note, or correct the name."),
        ({"Yann Vaelor.md": "", "Log.md": "## Yann\n", "N.md": "[[Yann]]"}, "Did you mean 'Yann Vaelor'?"),
        ({"N.md": "## A\n## B\n[[#B#A]]"}, "It has that heading in another place; write '#A'."),
        ({"Templates/Session.md": "", "N.md": "[[Sessions]]"}, "Write the note, or correct the name."),
    ],
)
def test_hints_are_similar_in_meaning_or_absent(tmp_path: Path, files: dict[str, str | bytes], expected: str) -> None:
    (problem,) = run(make_files(tmp_path, files), every_check()).problems
    assert problem.hint.startswith(expected)


def test_namesakes_in_other_folders_are_not_guessed_where_a_folder_is_missing(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"spells/light.md": "", "spells/fear.md": ""}
    names = ("light", "fear", "good", "evil", "holy")
    files["N.md"] = "".join(f"[[traits/{name}]]\n" for name in names)
    report = run(make_files(tmp_path, files), every_check())
    assert {report.group_of(problem) for problem in report.problems} == {"missing"}
    assert count_certain(report) == 0


@pytest.mark.slow
def test_piped_digest_of_a_large_vault_names_causes_and_folders(vk: Vaultkit, tmp_path: Path) -> None:
    files = contents("lived-in") | {f"More/{number}.md": "[[Mara’s Inn]] [[Wax]]\n" for number in range(30)}
    done = vk("check", cwd=make_files(tmp_path / "vault", files).root)
    assert done.code == ExitCode.PROBLEMS
    assert "  32 links have another kind of apostrophe, quote or dash than the file's name, in 32 notes" in done.out
    assert "Most wanted: Wax (30), Prior Sable (2)" in done.out and "  Lore: 5 links in 1 note\n" in done.out


@pytest.mark.parametrize(("own", "other"), [("de/Personen", "en/People"), ("Rules Deutsch", "Rules English/People")])
def test_r7_link_into_a_translation_probably_refers_to_its_own_tree(tmp_path: Path, own: str, other: str) -> None:
    files: dict[str, str | bytes] = {f"{own}/Magda Oberlin.md": "", f"{other}/Magda Oberlin.md": ""}
    tree, other_tree = own.partition("/")[0], other.partition("/")[0]
    files |= {f"{tree}/Orte/Pass.md": "[[Magda Oberlin]]\n", f"{other_tree}/Places/Pass.md": "[[Magda Oberlin]]\n"}
    report = run(make_files(tmp_path, files), every_check())
    found = [(report.group_of(problem), problem.cause, problem.note, problem.hint) for problem in report.problems]
    assert len(found) == 1  # of the two links, Obsidian follows the shorter path
    group, cause, note, hint = found[0]
    own_path = own if note.startswith(f"{tree}/") else other
    assert (group, cause) == ("likely", "tree") and f"[[{own_path}/Magda Oberlin|" in hint


def test_r7_folders_that_only_share_some_names_are_not_translations(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"North/Inns/Mill.md": "", "South/Mill.md": "", "North/Roads/Ford.md": "[[Mill]]\n"}
    assert run(make_files(tmp_path, files), every_check()).problems == ()


@pytest.mark.parametrize("name", ["Guard 2", "Battle (conflict of kings)", "Inn-Cellar", "Notes (1)"])
def test_conflict_copy_is_not_recognized_by_its_name_alone(tmp_path: Path, name: str) -> None:
    text = "The {} is described at length here, and every line of it differs from all the others.\n"
    original = name.split(" (", maxsplit=1)[0].removesuffix(" 2").removesuffix("-Cellar")
    other_text = "Nothing here resembles what the first of these two notes says about its own subject.\n"
    files: dict[str, str | bytes] = {f"{name}.md": text.format(name), f"{original}.md": other_text}
    assert run(make_files(tmp_path, files), every_check()).problems == ()


@pytest.mark.short(1)
@pytest.mark.parametrize("name", ["campaign", "rulebook", "templates", "translation"])
def test_unknown_vault_gets_a_digest_and_is_repaired_and_restored(vk: Vaultkit, tmp_path: Path, name: str) -> None:
    vault = STRANGERS / "vaults" / name
    assert lines_of(digest(vault, every=False)) == lines_of((STRANGERS / f"{name}.txt").read_text("utf-8")), NEXT_STEP
    root = tmp_path / name
    shutil.copytree(vault, root)
    before = bytes_below(root)
    done = vk("check", "--fix", "--write", cwd=root)
    assert done.code in (ExitCode.OK, ExitCode.PROBLEMS), done.err
    assert count_certain(run(Vault(root), every_check())) == 0
    if bytes_below(root) != before:
        assert vk("undo", cwd=root).code == ExitCode.OK
    assert bytes_below(root) == before


def bytes_below(root: Path) -> dict[str, bytes]:
    """Return the content of each file of a vault, without what vaultkit keeps for itself."""
    files = (file for file in root.rglob("*") if file.is_file() and ".vaultkit" not in file.parts)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
