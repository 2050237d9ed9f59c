"""Options in a rule note that the game refuses, or that stand where nothing reads them."""

from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.compendium import Compendium
from vaultkit.compendium.check import check
from vaultkit.compendium.rulecards import GameNames, Refusal
from vaultkit.errors import Problem, UsageError


def refusal(key: str, value: object) -> UsageError | None:
    """A game that has the one option `strength`, from 1 to 7."""
    if key != "strength":
        return UsageError(f"There is no option '{key}'.", hint="Its options: strength.")
    return None if str(value) in "1234567" else UsageError(f"'{value}' is not a value of '{key}'.")


def told(folder: Path, frontmatter: str, asked: Refusal | None = refusal, note: str = "Tolls.md") -> list[Problem]:
    vault = make_files(folder, {note: f"---\n{frontmatter}\n---\n# {note[:-3]}\n\nstrengh"})
    games = (GameNames("tolls", ("Tolls",), "french52", asked),)
    return [problem for problem in check(Compendium(vault), None, games) if problem.code.startswith("rule-option")]


@pytest.mark.parametrize(
    ("frontmatter", "line", "column", "message"),
    [
        ('é: 1\nvaultkit-options: ["strengh=1"]', 3, 21, "There is no option 'strengh'."),
        ("vaultkit-options:\n  - strength=8", 3, 5, "'8' is not a value of 'strength'."),
        ("vaultkit-options: [weak]", 2, 20, "'weak' is no option."),
        ("vaultkit:\n  options:\n    strength: 9", 4, 5, "'9' is not a value of 'strength'."),
    ],
)
def test_g_11_an_option_that_the_game_refuses_is_an_error_where_it_stands(
    tmp_path: Path, frontmatter: str, line: int, column: int, message: str
) -> None:
    (problem,) = told(tmp_path, frontmatter)
    assert (problem.note, problem.code, problem.severity) == ("Tolls.md", "rule-option", "error")
    assert (problem.line, problem.column, problem.message) == (line, column, message)


def test_g_11_every_faulty_option_is_told(tmp_path: Path) -> None:
    assert len(told(tmp_path, 'vaultkit-options: ["strength=8", "strength=2", "a=1", "b"]')) == 3


def test_g_11_a_plain_property_with_the_name_of_an_option_is_a_remark(tmp_path: Path) -> None:
    (problem,) = told(tmp_path, "tags: []\nstrength: 6")
    assert (problem.line, problem.code, problem.severity) == (3, "rule-option-place", "warning")
    assert problem.message == "The property 'strength' is the name of an option, but sets nothing here."
    assert 'vaultkit-options: ["strength=6"]' in problem.hint


@pytest.mark.parametrize(
    "frontmatter",
    [
        'vaultkit-options: ["strength=6"]',
        "strength: strong",
        "strength: [1, 2]",
        "strength:",
        "weak: 1",
        "strength: 1:2",
    ],
)
def test_what_sets_an_option_or_can_be_none_is_no_problem(tmp_path: Path, frontmatter: str) -> None:
    assert told(tmp_path, frontmatter) == []


def test_other_notes_and_games_that_cannot_be_asked_are_left_alone(tmp_path: Path) -> None:
    assert told(tmp_path / "a", "strength: 6", note="Another.md") == []
    assert told(tmp_path / "b", "strength: 6", None) == []
