"""Options in a rule note that the game refuses, or that stand where they have no effect."""

from pathlib import Path

import pytest

from tests.compendium.making import problems
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import Problem


def option_problems(folder: Path, frontmatter: str, note: str = "Deck of Destiny.md") -> list[Problem]:
    vault = make_files(folder, {note: f"---\n{frontmatter}\n---\n# {note[:-3]}\n\nstrengh"})
    return [problem for problem in problems(vault) if problem.code.startswith("rule-option")]


@pytest.mark.parametrize(
    ("frontmatter", "line", "column", "message"),
    [
        ('é: 1\nvaultkit-options: ["strengh=1"]', 3, 21, "Deck of Destiny has no option 'strengh'."),
        ("vaultkit-options:\n  - strength=8", 3, 5, "'8' is not a value of 'strength'."),
        ("vaultkit-options: [weak]", 2, 20, "'weak' is not an option."),
        ("vaultkit:\n  options:\n    strength: 9", 4, 5, "'9' is not a value of 'strength'."),
    ],
)
def test_g_11_option_refused_by_the_game_is_an_error_with_its_place(
    tmp_path: Path, frontmatter: str, line: int, column: int, message: str
) -> None:
    (problem,) = option_problems(tmp_path, frontmatter)
    assert (problem.note, problem.code, problem.severity) == ("Deck of Destiny.md", "rule-option", "error")
    assert (problem.line, problem.column, problem.message) == (line, column, message)


def test_g_11_every_faulty_option_is_reported(tmp_path: Path) -> None:
    assert len(option_problems(tmp_path, 'vaultkit-options: ["strength=8", "strength=2", "a=1", "b"]')) == 3


def test_g_11_plain_property_named_like_an_option_is_a_remark(tmp_path: Path) -> None:
    (problem,) = option_problems(tmp_path, "tags: []\nstrength: 6")
    assert (problem.line, problem.code, problem.severity) == (3, "rule-option-place", "warning")
    assert problem.message == Says("property", "strength", "option", "sets nothing")
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
def test_valid_options_and_unrelated_properties_are_accepted(tmp_path: Path, frontmatter: str) -> None:
    assert option_problems(tmp_path, frontmatter) == []


def test_other_notes_are_left_alone(tmp_path: Path) -> None:
    assert option_problems(tmp_path, "strength: 6", note="Another.md") == []
