"""The schema of stories: for each case, the facts that its phrases may claim and the places (fields) they may have.

It applies to our phrases and to a vault's own. `story_schema.toml` is part of the program; no vault can change it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vaultkit import files
from vaultkit.campaign.story_facts import GAME_FACTS, MOMENT_FACTS

EVERY_GAME_TABLE = "all"
RETIRED = {"cause": "A story does not say what would have happened otherwise: delete the table."}
"""Tables that older versions accepted in a file of phrases, each with what to do about it."""
PLACES_OF_FACT = {
    "gain": ("who", "gain", "points", "score"),
    "gain-each": ("who", "gain", "points", "score"),
    "new-leader": ("who", "lead", "score"),
    "leads-by-more": ("lead", "score"),
    "level": ("who", "score"),
    "behind": ("lead", "score"),
    "other": ("other",),
    "loss": ("other", "loss"),
    "taken-before": ("earlier",),
    "is everybody": ("with",),
    "is leaves": ("other",),
    "somebody": ("who",),
    "margin": ("second", "margin"),
    "close": ("margin",),
    "clear": ("margin",),
    "in-final-hand": ("hand",),
    "ended win": ("lost",),
    "ended loss": ("lost",),
}
"""The places that a phrase may have because its case requires a fact, by the fact."""
RUN_CASES = ("run", "all")
PLACES_OF_RUNS = ("who", "cards", "count", "chapters")
"""The places of cases in which several events are told together."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a story: the `facts` that must hold, and the `places` that its phrases may have."""

    facts: tuple[str, ...]
    places: frozenset[str]


Schema = Mapping[tuple[str, str], Case]


@lru_cache(maxsize=8)
def load_schema(game: str) -> Schema:
    """Return the cases of a game's stories by kind and name; `scores` stands for games known only by their scores."""
    tables = files.parse_toml(files.read_text(Path(__file__).with_name("story_schema.toml"), allow_links=True))
    kinds = tables[EVERY_GAME_TABLE] | tables[game]
    return {(kind, name): _create_case(name, facts, cases.get("places", ""))
            for kind, cases in kinds.items() for name, facts in cases.items() if name != "places"}  # fmt: skip


def _create_case(name: str, facts: list[str], places: str) -> Case:
    fact_names = {*GAME_FACTS, *MOMENT_FACTS}
    assert all(fact.split()[0] in fact_names for fact in facts), f"unknown fact among {facts}"
    fact_places = (place for fact in facts for place in PLACES_OF_FACT.get(fact, ()))
    run_places = PLACES_OF_RUNS if name in RUN_CASES else ()
    return Case(tuple(facts), frozenset((*places.split(), *fact_places, *run_places)))
