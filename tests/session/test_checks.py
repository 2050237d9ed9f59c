"""The list of all checks: each is documented, planted in the broken vault and reported, cold and warm."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from tests.vault.making import make_files
from tests.vault.regenerate_broken import GOLDEN, VAULTS
from vaultkit.campaign.correction.game_check import every_check
from vaultkit.errors import Problem
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import MAX_PROBLEMS, Check, Checks, inspect
from vaultkit.vault.checking.checks import CHECKS
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.report import CAUSES, CODE_SENTENCES
from vaultkit.vault.checking.runner import run
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.index.index_file import Index
from vaultkit.vault.writing.splice import Splice

PROGRAM = Path(__file__).parents[2] / "vaultkit"
PAGE = PROGRAM.parent / "docs" / "codes.md"
NOT_PLANTED = {"deck-size", "file-case", "folder-link", "game-score", "player-renamed", "too-many"}
"""Checks without an example in the broken vault: files that differ in case, links, logged games, and large notes."""
WITHOUT_HINT = {"card-missing", "link-placeholder", "rule-example"}
"""Checks of which a problem has no hint: the message says all."""


def has_dragons(note: Note) -> bool:
    return "dragon" in note.text


def dragons(note: Note) -> Iterator[Problem]:
    yield DRAGON.problem_at(note, note.text.index("dragon"), "Here be a dragon.", "Write 'wyrm'.")


def dragon_files(chosen: CheckScope) -> Iterator[Problem]:
    for note in chosen.suspect_notes(LAIR.code):
        if "Lair.md" in chosen.vault.files:
            yield LAIR.file_problem(note.path, "The dragon has a lair.")


def slay(note: Note, names: RepairContext) -> Iterator[Repair]:
    splice = Splice(note.text.index("dragon"), "dragon", "wyrm")
    yield Repair.at_splice(DRAGON.code, note, splice, "'dragon' is a wyrm.")


def pack(scope: CheckScope) -> Iterator[Problem]:
    """Yield one problem more than are reported for each of two kinds in a note, in turn."""
    for line in range(MAX_PROBLEMS.maximum + 1):
        for code in ("wolf", "wolves"):
            yield Problem("A.md", line + 1, 1, code, "Here be wolves.", "Run.")


DRAGON = Check("dragon", "warning", in_note=dragons, quick=has_dragons, repair=slay)
LAIR = Check("dragon-lair", in_vault=dragon_files, quick=has_dragons)


def codes(checks: Iterable[Check]) -> set[str]:
    return {check.code for check in checks}


def open_vault(root: Path, index: Index | None, checks: Checks) -> Vault:
    return Vault(root, (lambda: index) if index else None, inspect=partial(inspect, checks=checks))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the paths of the notes that are read for an index."""
    paths: list[str] = []
    real = inspect

    def record_inspection(note: Note, checks: Checks) -> object:
        paths.append(note.path)
        return real(note, checks)

    monkeypatch.setitem(globals(), "inspect", record_inspection)
    return paths


def test_new_check_runs_with_a_cold_and_a_warm_index(
    tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vaultkit.vault.walk.DOUBT_NS", -(10**15))
    root = make_files(tmp_path / "v", {"A.md": "A dragon.", "B.md": "Nothing.", "Lair.md": ""}).root
    checks = (*every_check(), DRAGON, LAIR)
    index = Index(tmp_path / "index.sqlite")
    expected = [("A.md", 0, 0, "dragon-lair", "error"), ("A.md", 1, 3, "dragon", "error")]  # it can be repaired
    for read in (["A.md", "B.md", "Lair.md"], []):
        reads.clear()
        found = run(open_vault(root, index, checks), checks).problems
        assert [(one.note, one.line, one.column, one.code, one.severity) for one in found] == expected
        assert sorted(reads) == read
    (root / "Lair.md").unlink()
    assert codes_of(run(open_vault(root, index, checks), checks).problems) == ["dragon"], "not kept: it is of the vault"


def codes_of(problems: Iterable[Problem]) -> list[str]:
    return [problem.code for problem in problems]


def test_new_check_repairs_its_problem_as_its_hint_states(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "A dragon."})
    checks = (*every_check(), DRAGON)
    (problem,) = run(Vault(vault.root), checks).problems
    assert problem.hint == "Write 'wyrm'."
    splice = Repairer(vault, checks).plan(vault.read("A.md"))
    assert splice and splice.apply("A dragon.") == "A wyrm."


def test_index_built_without_checks_is_read_again_for_checks(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"A.md": "A dragon.\0"})
    assert codes_of(run(Vault(vault.root), (DRAGON,)).problems) == ["dragon"]


def test_too_many_problems_of_one_kind_in_a_note_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is the same for `in_note`, for `in_vault` and for what is found while properties are read."""
    most = 20
    monkeypatch.setattr(MAX_PROBLEMS, "maximum", most)
    text = "---\n" + "a:\n" * (most + 2) + "---\n" + "[t](a b.md) [^1] " * (most + 1)
    vault = make_files(tmp_path, {"A.md": text, "a b.md": ""})
    checks = (*CHECKS, Check("wolf", in_vault=pack), Check("wolves", in_vault=pack))
    found = Counter(codes_of(run(Vault(vault.root), checks).problems))
    assert found == dict.fromkeys(("link-space", "frontmatter", "footnote", "wolf", "wolves"), most) | {"too-many": 1}


def test_every_code_has_only_letters_and_hyphens() -> None:
    wrong = sorted(code for code in codes(every_check()) if not re.fullmatch("[a-z]+(-[a-z]+)*", code))
    assert not wrong, f"A code has only letters from a to z, and hyphens between them: rename {wrong}"


def documented_severities() -> dict[str, str]:
    """Return the severity of each code in the tables of the page: `error` unless its row has another."""
    severities = dict[str, str]()
    for row in re.findall(r"(?m)^\| (<a .*?) \|", PAGE.read_text(encoding="utf-8")):
        severity = re.search(r"\((warning|remark)\)", row)
        for code in re.findall(r'<a id="([^"]+)"></a>`\1`', row):
            assert code not in severities, f"docs/codes.md has two rows for {code}: delete one"
            severities[code] = severity[1] if severity else "error"
    return severities


def undocumented_checks(checks: Checks) -> tuple[set[str], set[str]]:
    """Return the checks without an entry on the page, and the anchors of the page without a check."""
    documented = documented_severities().keys()
    return codes(checks) - documented, documented - codes(checks)


def test_every_check_has_an_explanation_and_every_explanation_a_check() -> None:
    undocumented, unknown = undocumented_checks(every_check())
    assert not undocumented, f'add a row with <a id="CODE"></a>`CODE` to docs/codes.md for {sorted(undocumented)}'
    assert not unknown, f"delete the rows of {sorted(unknown)} in docs/codes.md, or add these checks to a list"
    assert undocumented_checks((*every_check(), DRAGON)) == ({"dragon"}, set())
    assert undocumented_checks(every_check()[1:]) == (set(), {every_check()[0].code})


def test_every_explanation_has_the_severity_of_its_check() -> None:
    documented = documented_severities()
    severities = {check.code: check.severity for check in every_check() if check.code in documented}
    wrong = {code: severity for code, severity in severities.items() if documented[code] != severity}
    assert not wrong, f"write (warning), (remark) or nothing (error) into these rows of docs/codes.md: {wrong}"


def test_every_check_has_a_sentence_for_many_problems() -> None:
    lacking = [check.code for check in every_check() if check.cause not in CAUSES and check.code not in CODE_SENTENCES]
    assert not lacking, f"add {lacking} to CODE_SENTENCES in vaultkit/vault/checking/report.py"
    assert CODE_SENTENCES.keys() <= codes(every_check()), "delete the sentences of other codes there"


def test_every_problem_in_the_broken_vault_has_a_hint() -> None:
    problems = run(Vault(VAULTS / "broken"), every_check()).problems
    lacking = {problem.code for problem in problems if not problem.hint and problem.cause != "comment"}
    assert lacking == WITHOUT_HINT, "give each problem of these checks a hint, or edit WITHOUT_HINT in this file"


def missing_examples(checks: Checks) -> set[str]:
    planted = set(re.findall(r"\[([a-z-]+)(?:, [a-z-]+)?\]$", GOLDEN.read_text("utf-8"), re.MULTILINE))
    assert planted <= codes(checks), "run python -m tests.vault.regenerate_broken"
    return codes(checks) - planted


def test_every_check_has_its_mistake_in_the_broken_vault() -> None:
    missing = missing_examples(every_check())
    new = sorted(missing - NOT_PLANTED)
    assert not new, f"plant {new} in tests/vaults/broken, then run python -m tests.vault.regenerate_broken"
    assert missing == NOT_PLANTED, f"take {sorted(NOT_PLANTED - missing)} out of NOT_PLANTED in this file"
    assert missing_examples((*every_check(), DRAGON)) == {"dragon"} | NOT_PLANTED


def defined_checks() -> Iterator[Check]:
    """Yield every check defined in a module of `vaultkit`, registered or not."""
    for file in PROGRAM.rglob("*.py"):
        if "checking.check import" in (text := file.read_text(encoding="utf-8")) and "Check(" in text:
            module = import_module(".".join(file.relative_to(PROGRAM.parent).with_suffix("").parts))
            for value in vars(module).values():
                yield from (one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, Check))


def test_every_existing_check_is_in_the_list() -> None:
    defined = {check.code for check in defined_checks()}
    assert defined == codes(every_check()), (
        f"add {sorted(defined - codes(every_check()))} to CHECKS, in checks/__init__.py or vaultkit/session/checks.py"
    )


def test_no_two_checks_have_one_code() -> None:
    twice = [code for code, count in Counter(check.code for check in every_check()).items() if count > 1]
    assert not twice, f"rename one of two checks: {twice}"


def test_the_severity_of_a_check_is_that_of_most_of_its_problems() -> None:
    """A check's severity is that of its problems in the golden file; repairable problems are errors."""
    told = re.findall(
        r": (error|warning|remark): .* \[([a-z-]+)(?:, (?!comment)[a-z-]+)?\]$", GOLDEN.read_text("utf-8"), re.MULTILINE
    )
    usual = {check.code: check.severity for check in every_check() if not check.repair}
    other = {code for severity, code in told if usual.get(code, severity) != severity}
    assert other <= {"card-facts", "card-twice", "card-line"}, "give each Check the severity in broken.txt"
