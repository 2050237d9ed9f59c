"""Every numbered ruling and scenario of all games is in the name of at least one short test."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.collecting import names_of_tests
from tests.games.playing import scenarios
from vaultkit.games.registry import GAMES
from vaultkit.session.rulings import rulings

PAGES = {"G": "general", **{info.prefix: info.id for info in GAMES.values() if info.prefix}}
SCENARIOS = {"PG": 14, "DD": 12, "VA": 12, "TF": 15, "DC": 14}
"""The number of worked scenarios of each game, 67 in all, which no change may break."""

WITHOUT_BEHAVIOUR = {"DC-38": "nobody can come late or leave early, so there is nothing to call"}
TESTS = Path(__file__).parent.parent
NUMBER = re.compile(rf"(?<![a-z])({'|'.join(PAGES).lower()})_(s?\d+)(?![0-9a-z])")

HEADING = re.compile(r"^## ([A-Z]{1,2}-S?\d+)", re.MULTILINE)
"""The heading of an example in a note, which is a test as well."""


@cache
def count_numbers(*, short: bool = False) -> Counter[str]:
    """Return how many tests have each number, such as `DC-12` and `VA-S3`, in their names or example headings.

    With `short`, count only what `make test` runs.
    """
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    names = (name for text in texts for name in names_of_tests(text, quick=short))
    told = (heading for path in TESTS.rglob("scenarios.md") for heading in HEADING.findall(path.read_text("utf-8")))
    return Counter((*(f"{game}-{number}".upper() for name in names for game, number in NUMBER.findall(name)), *told))


def numbers(game: str) -> set[str]:
    """Return the numbers of a game's rulings and scenarios."""
    return {*rulings(PAGES[game]), *(f"{game}-S{number}" for number in range(1, SCENARIOS.get(game, 0) + 1))}


@pytest.mark.parametrize("game", PAGES)
def test_every_ruling_and_scenario_is_in_the_name_of_a_short_test(game: str) -> None:
    missing = {number for number in numbers(game) if not count_numbers(short=True)[number]}
    assert missing == {number for number in WITHOUT_BEHAVIOUR if number.split("-")[0] == game}


@pytest.mark.parametrize("game", PAGES)
def test_no_test_names_an_unknown_ruling(game: str) -> None:
    borne = {number for number in count_numbers() if number.split("-")[0] == game}
    assert borne <= numbers(game)


UNUSED_NUMBERS = {("G", 13)}
"""The numbers that no ruling has."""


@pytest.mark.parametrize("game", PAGES)
def test_rulings_of_a_page_are_numbered_without_gaps_and_each_has_a_ruling_text(game: str) -> None:
    page = rulings(PAGES[game])
    numbers = range(1, len(page) + 1 + (game == "G"))
    assert list(page) == [f"{game}-{number}" for number in numbers if (game, number) not in UNUSED_NUMBERS]
    for ruling in page.values():
        assert ruling.title and "**Ruling:**" in ruling.text, ruling.id


@pytest.mark.parametrize("path", sorted(TESTS.glob("games/*/scenarios.md")), ids=lambda path: path.parent.name)
def test_scenario_without_a_block_is_described_by_the_rule_note(path: Path) -> None:
    said = [example.content.say for example in scenarios(str(path))]
    for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        words = re.search(r'^The rule note: "(.+)"$', part, re.MULTILINE)
        assert "```play" in part or (words and sum(words[1] in one for one in said) == 1), part


def test_number_of_scenarios_is_67() -> None:
    assert sum(SCENARIOS.values()) == 67
