"""Mistakes in definitions of score sheets are refused with their place."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.test_definition import GOOSE, change_definition, column, side_by_side, single
from vaultkit.games.definition_reader import read_definition
from vaultkit.schema import SchemaError


@pytest.mark.short(37)
@pytest.mark.parametrize(
    ("table", "path", "words"),
    [
        (change_definition(colour="red"), ("colour",), "Unknown key 'colour'"),
        (change_definition(before=[]), ("before",), "'before' is only for the games that can be played here"),
        (
            change_definition(impossible=[{"when": "geese", "words": "", "under": {"opening": "once"}}]),
            ("impossible", 0, "under"),
            "'under' is only for the games that can be played here",
        ),
        (column(colour="red"), ("columns", 1, "colour"), "Unknown key 'colour'"),
        (change_definition(form={"panels": [{"tite": "x"}]}), ("form", "panels", 0, "tite"), "Unknown key"),
        ({"title": "Empty"}, (), "'columns' is missing"),
        (column(most="nine"), ("columns", 1, "most"), "'most' must be a whole number"),
        (column(most=10**9), ("columns", 1, "most"), "'most' must be a whole number from -999999 to 999999"),
        (column(takes=5), ("columns", 1, "takes"), "'takes' must be"),
        (change_definition(win="loudest"), ("win",), "'win' cannot be 'loudest'"),
        (change_definition(players=[3, 2]), ("players",), "begin with the fewest"),
        (change_definition(players=0), ("players", 0), "from 1 to 12"),
        (change_definition(columns=[]), ("columns",), "must be a list of at least 1"),
        (change_definition(columns=[GOOSE["columns"][0]] * 41), ("columns",), "must be a list of at most 40"),
        (change_definition(title=" "), ("title",), "cannot be ' '"),
        (change_definition(rounds={"most": 1000}), ("rounds", "most"), "from 1 to 60"),
        (change_definition(title="Goose " * 20), ("title",), "cannot be 'Goose Goose Goose Goose Goose Goose Goos…'"),
        (change_definition(rounds={"name": "_stall"}), ("rounds", "name"), "'name' cannot be '_stall'"),
        (change_definition(rounds={"name": "s" * 25}), ("rounds", "name"), "cannot be"),
        (change_definition(rounds={"name": "Session"}), ("rounds", "name"), "cannot have the name of a field"),
        (change_definition(form={"layouts": []}), ("form", "layouts"), "must be a list of at least 1"),
        (column(takes=["+", "-"]), ("columns", 1, "takes"), "a word with '-', which separates scores or means none"),
        (change_definition(rounds={"name": "Geese"}), ("columns", 0, "id"), "cannot be called 'geese'"),
        (column(id="More Geese"), ("columns", 1, "id"), "cannot be called"),
        (column(id="sum"), ("columns", 1, "id"), "cannot be called"),
        (column(id="geese"), ("columns", 1, "id"), "Two columns"),
        (column(takes=["one"]), ("columns", 1, "takes"), "two choices"),
        (column(takes=["one", "two"], default="too"), ("columns", 1, "default"), "does not take 'too'"),
        (column(takes=["one", "two/three"]), ("columns", 1, "takes"), "a word with '/'"),
        (change_definition(players="2-4"), ("players",), "must say how many play"),
        (column(takes=["one", "two"], worth=[1]), ("columns", 1, "worth"), "a worth for each"),
        (column(step=0), ("columns", 1, "step"), "a step of 0.01 or more"),
        (column(step=float("nan")), ("columns", 1, "step"), "a step of 0.01 or more"),
        (column(takes=["one", "two"], worth=[1, float("inf")]), ("columns", 1, "worth"), "a worth for each"),
        (column(least=5, most=2), ("columns", 1, "most"), "below its"),
        (column(formula="geese +"), ("columns", 1, "formula"), "ends too soon"),
        (column(formula="geese / 0"), ("columns", 1, "formula"), "divides by zero"),
        (column(formula="swans"), ("columns", 1, "formula"), "no column 'swans'"),
        (column(formula="geese + more"), ("columns", 1, "formula"), "leads back to itself"),
        (column(formula="'x'"), ("columns", 1, "formula"), "cannot be read"),
        (column(formula="1" + "+1" * 250), ("columns", 1, "formula"), "500 is the maximum"),
        (change_definition(score="swans"), ("score",), "no column 'swans'"),
        (change_definition(win="chosen", score="geese"), ("win",), "yes or no"),
        (
            change_definition(impossible=[{"when": "swans", "words": ""}]),
            ("impossible", 0, "when"),
            "no column 'swans'",
        ),
        (
            change_definition(impossible=[{"when": "1", "words": "{swans}"}]),
            ("impossible", 0, "words"),
            "no column 'swans'",
        ),
        (
            change_definition(impossible=[{"when": "1", "words": "{geese"}]),
            ("impossible", 0, "words"),
            "single bracket",
        ),
        (
            change_definition(impossible=[{"when": "1", "words": "{player}", "together": True}]),
            ("impossible", 0, "words"),
            "is no",
        ),
        (
            change_definition(impossible=[{"when": "sum(honest)", "words": ""}]),
            ("impossible", 0, "when"),
            "not a column of the rounds",
        ),
        (change_definition(form={"last": ["geese", "zzz"]}), ("form", "last", 1), "'zzz' is not a column with a box"),
        (
            change_definition(form={"last": ["honest"]}),
            ("form", "last", 0),
            "'honest' is not a column with a box in each",
        ),
        (
            change_definition(form={"sections": [{"columns": ["geese"]}, {"columns": ["zzz"]}]}),
            ("form", "sections", 1, "columns", 0),
            "The players have no column 'zzz'",
        ),
        (
            change_definition(form={"sections": [{"columns": ["geese", "geese"]}]}),
            ("form", "sections", 0, "columns", 1),
            "named twice",
        ),
        (
            change_definition(form={"sections": [{"columns": ["prize"]}], "last": ["geese"]}),
            ("form", "last", 0),
            "'geese' is not a column with a box in each round",
        ),
        (side_by_side(once="yes or no"), ("columns", 2, "takes"), "the choices of 'bonus', which is written down once"),
        (side_by_side(once=["red", "blue"]), ("columns", 2, "takes"), "no place for the choices of 'bonus'"),
        (side_by_side(notes=[{"id": "why", "title": "Why"}]), ("form", "notes"), "no place for notes"),
        (side_by_side(games=2), ("form", "games"), "several games"),
        (side_by_side(layouts=["party", "four"]), ("form", "layouts"), "no place for the layout 'four'"),
        (side_by_side(sections=[{"title": "A", "columns": ["geese"]}]), ("form", "sections", 0, "title"), "titles of"),
        (side_by_side(sections=[{"columns": ["bonus"]}]), ("form", "across"), "need a column with a box in each round"),
        (side_by_side(last=["geese", "extra"]), ("form", "across"), "need a column with a box in each round"),
        (side_by_side(40), ("rounds", "most"), "room for 22 boxes of a player, and these are 80"),
        (side_by_side(12), ("rounds", "most"), "room for 22 boxes of a player, and these are 24"),
    ],
)
def test_mistakes_of_a_definition_with_their_places(
    table: Mapping[str, Any], path: tuple[str | int, ...], words: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        read_definition("goose-fair", table)
    assert caught.value.path == path and words in caught.value.message


def test_circular_formulas_are_refused() -> None:
    columns = [{"id": name, "title": name, "formula": other} for name, other in ("ab", "bc", "ca")]
    with pytest.raises(SchemaError, match="leads back"):
        read_definition("circle", {"title": "Circle", "players": 2, "columns": columns})


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


KEYS = st.sampled_from(["title", "players", "columns", "rounds", "win", "score", "impossible", "form", "aliases", "x"])


@pytest.mark.slow
@given(st.dictionaries(KEYS, PLAIN), st.sampled_from([GOOSE, {}]))
def test_any_table_is_a_definition_or_an_error(changes: Mapping[str, Any], base: Mapping[str, Any]) -> None:
    try:
        read_definition("goose-fair", {**base, **changes})
    except SchemaError as error:
        assert error.message.endswith((".", "…")), error.message


@pytest.mark.parametrize(
    ("fields", "key", "words"),
    [
        ({"takes": ["Red", "red"]}, "takes", "'Red' and 'red', which are read as one word"),
        ({"takes": ["yes", "no", "Yes"]}, "takes", "'yes' and 'Yes', which are read as one word"),
        ({"takes": ["Straße", "STRASSE"]}, "takes", "read as one word"),
        ({"takes": ["Caf\u00e9", "Cafe\u0301"]}, "takes", "read as one word"),
        ({"takes": ["A", "\uff21"]}, "takes", "read as one word"),
        ({"takes": ["red  fox", "Red fox"]}, "takes", "read as one word"),
        ({"takes": ["", "red"]}, "takes", "takes an empty word"),
        ({"takes": ["red\x07", "blue"]}, "takes", "U+0007"),
        ({"default": -1}, "default", "is less than 0"),
        ({"default": 12, "most": 9}, "default", "is more than 9"),
        ({"default": 2, "least": 1, "step": 2}, "default", "is not a number in steps of 2 from 1"),
        ({"default": 0.5}, "default", "is not a whole number from 0"),
        ({"default": "many"}, "default", "is not a number"),
        ({"default": float("nan")}, "default", "is not a number"),
        ({"takes": ["red", "blue"], "default": 1}, "default", "does not take '1'"),
        ({"takes": "yes or no", "default": "maybe"}, "default", "does not take 'maybe'"),
        ({"least": 0.125}, "least", "two decimals at most"),
        ({"most": float("nan")}, "most", "must be a whole number from -999999 to 999999, or one"),
        ({"takes": ["a", "b"], "worth": [1, 1e308]}, "worth", "a worth for each"),
        ({"how": "One\x1bfor each."}, "how", "U+001B"),
        ({"title": "Pi\u202eps"}, "title", "U+202E"),
    ],
)
def test_definition_that_no_answer_could_match_is_refused_with_its_place(
    fields: Mapping[str, Any], key: str, words: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        read_definition("t", single(**fields))
    assert caught.value.path[:3] == ("columns", 0, key) and words in caught.value.message


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        (
            {"columns": [{"id": "a", "title": "Pips"}, {"id": "b", "title": "PIPS?"}]},
            ("columns", 1, "title"),
            "the same title",
        ),
        ({"form": {"panels": [{"title": "T", "text": "a\nb\x00"}]}}, ("form", "panels", 0, "text"), "U+0000"),
        ({"rounds": {"plural": "!!"}}, ("rounds", "plural"), "needs letters"),
        ({"rounds": {"plural": "date"}}, ("rounds", "plural"), "the name of a field"),
        ({"aliases": ["Fi\x9fne"]}, ("aliases", 0), "U+009F"),
    ],
)
def test_ambiguous_or_unprintable_texts_are_refused(
    changes: Mapping[str, Any], path: tuple[str | int, ...], words: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        read_definition("t", {**single(), **changes})
    assert caught.value.path == path and words in caught.value.message
