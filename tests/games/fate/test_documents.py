"""What the game cites can be read: the page of rulings, and the headings of the rule note that we ship."""

from random import Random

import pytest

from tests.games.conformance import Case, answer, start
from tests.games.fate.position import GAME
from vaultkit import resources
from vaultkit.games.turn import Prompt
from vaultkit.games.turn_of_fate import ending
from vaultkit.games.turn_of_fate.rules import HEADINGS
from vaultkit.session.rulings import rulings

NOTE = "3-Mechanics/CLI/variant-rules/turn-of-fate.md"


def test_the_page_holds_every_ruling_in_order() -> None:
    numbers = list(rulings("turn-of-fate"))
    assert numbers == [f"TF-{number}" for number in range(1, len(numbers) + 1)] and len(numbers) >= 32


def test_every_heading_that_is_cited_stands_in_the_rule_note() -> None:
    text = (resources.shipped("vault-example") / NOTE).read_text(encoding="utf-8")
    headings = {line.lstrip("# ") for line in text.splitlines() if line.startswith("#")}
    assert headings >= HEADINGS


@pytest.mark.parametrize("seed", range(5))
def test_every_ruling_that_is_cited_can_be_read(seed: int) -> None:
    rng, cited = Random(seed), set[str]()
    state = start(Case(GAME, {"temples": rng.choice(("by-card", "chosen")), "introduce": "optional"}), rng)
    while state.turn is not None:
        cited.update(state.turn.rulings)
        assert not isinstance(state.turn, Prompt) or state.turn.rule in HEADINGS
        cited.update(ruling for event in state.apply(answer(state, rng)) for ruling in event.rulings)
    outcome = ending.outcome(state)
    assert outcome is not None
    cited.update(outcome.rulings)
    known = {**rulings("turn-of-fate"), **rulings("general")}
    assert cited <= known.keys()
