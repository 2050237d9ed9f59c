"""The page on security names all attacks, and that on limits all limits, each of which says what is too much."""

import re
from pathlib import Path

import pytest

from scripts.limits import cells, declared_limits, page_with_table
from vaultkit.budget import Limit
from vaultkit.errors import BudgetExceeded
from vaultkit.text import group

DOCS = Path(__file__).parents[2] / "docs"


def test_security_page_names_all_attacks() -> None:
    others = {"__init__", "attack", "test_attacks", "test_limits"}
    files = {path.stem for path in Path(__file__).parent.glob("*.py")} - others
    page = (DOCS / "security.md").read_text(encoding="utf-8")
    assert files and all(f"`tests/attacks/{name}.py`" in page for name in files)


def test_page_of_limits_lists_all() -> None:
    assert page_with_table() == (DOCS / "limits.md").read_text(encoding="utf-8")


def test_page_of_limits_does_not_give_two_amounts_of_one_thing() -> None:
    for limits in group((kind, amount) for kind, amount in map(cells, declared_limits())).values():
        units = [re.sub(r"^[0-9,]+ ", "", amount) for amount in dict.fromkeys(limits)]
        assert len(units) == len({*units}), limits


@pytest.mark.parametrize("limit", declared_limits(), ids=lambda limit: limit.message)
def test_each_limit_names_the_file_what_is_too_much_and_what_to_do(limit: Limit) -> None:
    limit.check(limit.maximum)
    with pytest.raises(BudgetExceeded) as caught:
        limit.check(limit.maximum + 1, "Bad.md:3")
    problem = limit.problem("Bad.md", "too-many", 3)
    assert caught.value.where == "Bad.md:3" and (problem.note, problem.line) == ("Bad.md", 3)
    assert caught.value.message == problem.message == f"{limit.subject} more than {limit.amount}."
    assert re.search(r"[0-9] \w", problem.message) and problem.hint.rstrip(". {}") and caught.value.hint == problem.hint
