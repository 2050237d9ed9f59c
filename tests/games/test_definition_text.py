"""The text of a definition: stable, the same when read again, and never mistaken for a number."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.test_definition import GOOSE
from vaultkit.compendium.own_games import KEPT_NAME_PATTERN, raw_sheets
from vaultkit.games.definition_reader import definition_id, definition_text, raw_definition

SIEGE: dict[str, Any] = {
    "title": 'Belagerung "Süd"\\', "players": 3, "win": "co-op", "aliases": ["包囲戦", "Осада"],
    "columns": [{"id": "hits", "title": "Hits", "step": 0.25, "least": -3, "most": 1},
                {"id": "role", "title": "Role", "takes": ["ja", "nein"], "worth": [1.5, -2], "default": "ja"}],
    "form": {"purpose": "One\ttwo.", "layouts": ["one"],
             "panels": [{"title": "P", "items": ["a", "b"], "head": ["x"], "rows": [["1"], ["2"]]}]},
}  # fmt: skip
TABLES = [GOOSE, SIEGE, *(dict(raw.tables.table) for raw in raw_sheets(None))]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table["title"]))
def test_definition_reads_back_unchanged(table: dict[str, Any]) -> None:
    raw = raw_definition(table)
    again = raw_definition(tomllib.loads(definition_text(raw)))
    assert again == raw and definition_text(again) == definition_text(raw)
    assert KEPT_NAME_PATTERN.fullmatch(definition_id(raw))


def test_definition_id_depends_only_on_the_content() -> None:
    said = {"win": "highest", "players": [3, 3], "columns": [{"title": "A", "id": "a"}], "title": "T", "score": ""}
    short = {"title": "T", "players": 3, "columns": [{"id": "a", "title": "A"}]}
    assert definition_id(raw_definition(said)) == definition_id(raw_definition(short))
    others = [{**short, "players": 4}, {**short, "win": "lowest"}, {**short, "columns": [{"id": "b", "title": "A"}]}]
    assert len({definition_id(raw_definition(one)) for one in (short, *others)}) == 4


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs")), min_size=1, max_size=20))
def test_any_words_are_preserved(words: str) -> None:
    raw = raw_definition({"title": "T", "players": 2, "columns": [{"id": "a", "title": "A", "how": words}]})
    again = raw_definition(tomllib.loads(definition_text(raw)))
    assert definition_id(again) == definition_id(raw)
    assert again == raw
