"""Ids of games made from titles in any script; an id is the name of a file, too (F4)."""

import re
import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.new_game import NewGame
from vaultkit.compendium.own_games import game_id
from vaultkit.errors import UsageError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.text import fold_game_id, is_game_id
from vaultkit.vault import Vault
from vaultkit.vault.file_names import name_fault


@given(st.text(min_size=1))
def test_f4_id_is_a_valid_file_name_on_every_system(title: str) -> None:
    name = game_id(title)
    assert name_fault(f"{name}.toml") is None and is_game_id(name)
    assert name == fold_game_id(name) == fold_game_id(unicodedata.normalize("NFD", name)) == game_id(name)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("围棋", "围棋"), ("Шахматы: 960", "шахматы-960"), ("لعبة", "لعبة"), ("हिन्दी खेल", "हिन्दी-खेल"),
        ("Straße", "strasse"), ("Café", "café"),
        (unicodedata.normalize("NFD", "Café"), "café"), ("CON", "con-game"), ("_a_", "a"),
    ],
)  # fmt: skip
def test_an_id_is_the_title_s_letters_and_digits_in_lower_case(title: str, name: str) -> None:
    assert game_id(title) == name
    assert re.fullmatch("game-[0-9a-f]{6}", game_id("🃏")) and len(game_id("将" * 200).encode()) <= 120


@pytest.mark.parametrize(
    "name", ["", "a b", "A", "-a", "a--b", "a_b", unicodedata.normalize("NFD", "é"), "🃏", "将" * 100]
)
def test_invalid_ids_are_refused(name: str) -> None:
    assert not is_game_id(name)
    if name:
        with pytest.raises(UsageError, match="is not an id of a game"):
            NewGame("Race", "2", ["Points"], chosen_id=name)


def test_games_logged_under_a_latin_id_count_for_their_game(tmp_path: Path) -> None:
    file = tmp_path / ".vaultkit" / "games" / "käse.toml"
    file.parent.mkdir(parents=True)
    file.write_text(NewGame("Käse", "2", ["Points"]).text, encoding="utf-8")
    sheets = ScoreSheets(Vault(tmp_path))
    assert sheets.current_id("kase") == sheets.current_id("käse") == "käse" and sheets.current_id("other") == "other"


@pytest.mark.parametrize(
    ("column", "key"),
    [("得分", "column_1"), ("1st prize", "column_1"), ("Очки: a number", "column_1"), ("Prize", "prize")],
)
@pytest.mark.parametrize("title", ["围棋", "Con", "Go"])
def test_game_title_in_any_script_gives_a_definition(title: str, column: str, key: str) -> None:
    game = NewGame(title, "2-4", [column], rounds="局").checked
    table = tomllib.loads(game.text)
    assert (table["title"], table["columns"][0]["id"]) == (title, key)
