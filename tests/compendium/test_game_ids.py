"""Ids of games made from titles in any script; an id is the name of a file, too (F4)."""

import tomllib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.new_game import NewGame
from vaultkit.compendium.own_games import game_id
from vaultkit.vault.file_names import name_fault


@given(st.text(min_size=1))
def test_f4_an_id_is_a_name_that_every_system_can_hold(title: str) -> None:
    name = game_id(title)
    assert name_fault(f"{name}.toml") is None
    assert name.isascii() and name == name.lower() and name.strip("-") == name


def test_titles_without_latin_letters_have_ids_that_differ_and_stay() -> None:
    titles = ["围棋", "将棋", "Шахматы", "لعبة", "🃏"]
    assert len({*map(game_id, titles)}) == len(titles)
    assert game_id("Café") == game_id(unicodedata.normalize("NFD", "Café")) == "cafe"


@pytest.mark.parametrize(
    ("column", "key"),
    [("得分", "column_1"), ("1st prize", "column_1"), ("Очки: a number", "column_1"), ("Prize", "prize")],
)
@pytest.mark.parametrize("title", ["围棋", "Con", "Go"])
def test_a_game_of_any_script_is_a_definition(title: str, column: str, key: str) -> None:
    game = NewGame(title, "2-4", [column], rounds="局").checked
    table = tomllib.loads(game.text)
    assert (table["title"], table["columns"][0]["id"]) == (title, key)
