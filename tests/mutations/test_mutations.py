"""Every mistake of the lists beside this file is made in a copy of the program, and its tests must notice it."""

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.counts import some
from tests.games.test_numbers import PAGES
from vaultkit.session.rulings import rulings

ROOT = Path(__file__).parents[2]
LISTS = sorted(Path(__file__).parent.glob("*.toml"))
SAMPLE = 8


@dataclass(frozen=True)
class Mutation:
    """A mistake as somebody might make it: `text` of `file` becomes `replacement`, which breaks `rule`."""

    rule: str
    mistake: str
    file: str
    text: str
    replacement: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rule} {self.mistake}"

    @property
    def source(self) -> str:
        """The file as it is."""
        return (ROOT / self.file).read_text(encoding="utf-8")

    @property
    def changed(self) -> str:
        """The file with the mistake in it."""
        return self.source.replace(self.text, self.replacement)

    @property
    def doubt(self) -> str:
        """Why the mistake cannot be made, "" if it can."""
        if not (ROOT / self.file).is_file():
            return f"{self}: there is no {self.file}"
        times = self.source.count(self.text)
        return "" if times == 1 else f"{self}: {self.file} holds this text {times} times, not once:\n{self.text}"


def read(path: Path) -> list[Mutation]:
    """The mistakes of a list; one that names no tests of its own is for those of the whole list."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Mutation(**{**each, "tests": tuple(each.get("tests", listed["tests"]))}) for each in listed["mutation"]]


NOT_IN_CODE = {
    "DC-38": "nothing is called: nobody can come late or leave early",
    "DD-19": "a spelling; nothing is ruled by it",
    "DD-20": "chances that follow from the rules, counted by tests",
    "VA-23": "frequencies that follow from the rules, counted by tests",
}
"""The rulings that no mistake in the program can break, each with the reason."""

MUTATIONS = [mutation for path in LISTS for mutation in read(path)]
SAMPLED = some(MUTATIONS, SAMPLE)
SUITES = sorted({mutation.tests for mutation in MUTATIONS})
SAMPLED_SUITES = sorted({mutation.tests for mutation in SAMPLED})


def copy_program(folder: Path) -> Path:
    """A checkout in which only the program itself is a copy, which therefore comes first on the path of its tests."""
    root = folder / "checkout"
    root.mkdir()
    for entry in ROOT.iterdir():
        if entry.name != "vaultkit" and not entry.name.startswith("."):
            (root / entry.name).symlink_to(entry)
    shutil.copytree(ROOT / "vaultkit", root / "vaultkit")
    return root


def run_tests(root: Path, tests: tuple[str, ...], marks: str = "not slow") -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "VAULTKIT_"))}
    options = ("-x", "-m", marks, "-p", "no:cacheprovider", f"--basetemp={root.parent / 'made'}")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=root,
        env={**own, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_every_mutation_changes_one_place() -> None:
    doubts = [mutation.doubt for mutation in MUTATIONS if mutation.doubt]
    assert not doubts, "\n".join(doubts)
    assert all(mutation.text != mutation.replacement for mutation in MUTATIONS)


@pytest.mark.slow
def test_every_mutation_leaves_valid_python() -> None:
    for mutation in MUTATIONS:
        compile(mutation.changed, f"{mutation.file}: {mutation}", "exec", dont_inherit=True)


def test_every_mutation_names_existing_tests() -> None:
    assert [path for tests in SUITES for path in tests if not (ROOT / path).exists()] == []


def test_every_ruling_has_a_mutation_or_a_reason() -> None:
    written = {number for page in PAGES.values() for number in rulings(page)}
    broken = {mutation.rule for mutation in MUTATIONS if mutation.rule.partition("-")[0] in PAGES}
    assert broken | NOT_IN_CODE.keys() == written and not broken & NOT_IN_CODE.keys()


def test_no_mutation_is_listed_twice() -> None:
    assert len(set(map(str, MUTATIONS))) == len(MUTATIONS)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", SAMPLED, ids=str)
def test_tests_detect_a_mutation(mutation: Mutation, tmp_path: Path) -> None:
    assert not mutation.doubt
    root = copy_program(tmp_path)
    (root / mutation.file).write_text(mutation.changed, encoding="utf-8")
    done = run_tests(root, mutation.tests)
    if done.returncode != pytest.ExitCode.TESTS_FAILED:
        done = run_tests(root, mutation.tests, "slow")
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, f"{mutation.mistake}: survives\n{done.stdout[-2000:]}"


@pytest.mark.slow
@pytest.mark.parametrize("tests", SAMPLED_SUITES, ids=" ".join)
def test_the_same_tests_pass_without_a_mutation(tests: tuple[str, ...], tmp_path: Path) -> None:
    done = run_tests(copy_program(tmp_path), tests)
    assert done.returncode == pytest.ExitCode.OK, done.stdout[-2000:]
