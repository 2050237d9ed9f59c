"""Each file of the program belongs to a feature, by whose code lines changes are compared."""

from pathlib import Path

import pytest

from scripts.shape import feature_of, feature_problems, lines_by_feature, load_features, main, python_files
from tests.wording import Says

MAP = {"other": ["look/*"], "games": ["games/*", "cards.py"], "score sheets": ["games/*/scoresheet.py"]}


@pytest.mark.parametrize(
    ("path", "feature"),
    [
        ("games/base.py", "games"),
        ("games/chess/scoresheet.py", "score sheets"),
        ("look/deep/theme.py", "other"),
        ("cards.py", "games"),
        ("play/cards.py", None),
    ],
)
def test_longest_pattern_is_used(path: str, feature: str | None) -> None:
    assert feature_of(path, MAP) == feature


def test_files_in_no_feature_and_patterns_without_a_file_are_reported() -> None:
    assert list(feature_problems(["games/base.py", "play/board.py", "cards.py", "look/a.py"], MAP)) == [
        Says("vaultkit/play/board.py", "no", "feature", "scripts/features.toml"),
        Says("games/*/scoresheet.py", "sheets", "scripts/features.toml", "no"),
    ]


def test_every_file_of_the_program_is_in_a_feature(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(feature_problems(python_files(), load_features())) == []
    assert main(["--check"]) == 0 and "Each file" in capsys.readouterr().out


def test_code_lines_are_counted_by_feature(tmp_path: Path) -> None:
    for name, text in {
        "games/a.py": '"""A game."""\n\nX = 1  # one\n',
        "cards.py": "Y = 2\nZ = 3\n",
        "b.py": "N = 1\n",
    }.items():
        path = tmp_path / "vaultkit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert lines_by_feature(tmp_path, MAP) == {"other": 0, "games": 3, "score sheets": 0, "none": 1}
