import pytest

from tests.session.toy import Toy
from vaultkit import resources
from vaultkit.compendium import Compendium
from vaultkit.errors import UsageError
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.options import (
    Layer,
    all_options,
    changes,
    faults,
    find_options_in_force,
    find_overruling_rules,
    house_rules,
    select_game_options,
    settle,
)
from vaultkit.vault import Vault


def test_common_options_are_merged_with_the_games_own() -> None:
    assert settle(Toy(), {"hands": "Hidden"}) == {"hands": "hidden", "ask": "lone", "undo": "safe"}
    assert [option.key for option in all_options(Toy())] == ["hands", "ask", "undo"]


def test_a_game_sees_its_own_options_only() -> None:
    assert select_game_options(Toy(), settle(Toy(), {"undo": "free"})) == {"hands": "open", "ask": "lone"}


def test_options_that_differ_from_the_defaults_are_listed() -> None:
    assert changes(Toy(), settle(Toy(), {"undo": "free", "hands": "open"})) == {"undo": "free"}


def test_unknown_option_lists_all_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        settle(Toy(), {"undoo": "free"})
    assert "ask, hands, undo" in caught.value.hint


LAYERS = (Layer("config.toml", {"hands": "hidden", "ask": "nonsense"}), Layer("Rules.md", {"undo": "free", "x": 1}))


def test_g_11_options_in_force_and_where_they_were_set() -> None:
    found = {rule.option.key: (rule.value, rule.where) for rule in find_options_in_force(Toy(), LAYERS)}
    assert found == {"hands": ("hidden", "config.toml"), "ask": ("lone", ""), "undo": ("free", "Rules.md")}


def test_g_11_later_layer_is_preferred() -> None:
    found = find_options_in_force(Toy(), (*LAYERS, Layer("Rules.md", {"hands": "open"})))
    assert {rule.option.key: rule.where for rule in found}["hands"] == "Rules.md"


def test_g_11_every_fault_is_reported_with_its_key() -> None:
    told = [(key, error.message) for layer in LAYERS for key, error in faults(Toy(), layer.options)]
    assert [key for key, _ in told] == ["ask", "x"] and "no option 'x'" in told[1][1]


def test_g_12_house_rules_are_listed_with_their_rulings() -> None:
    (told,) = house_rules(Toy(), settle(Toy(), {"undo": "free"}))
    assert told.startswith("undo = free instead of safe (G-8): How far") and told.endswith(".")
    assert house_rules(Toy(), settle(Toy(), {})) == ()


def test_dd_14_demands_of_an_encounter_are_not_house_rules() -> None:
    game = rules("deck-of-destiny")
    options = settle(game, {"strength": 5, "tie": "won"})
    assert [said.split()[0] for said in house_rules(game, options, ("strength",))] == ["tie"]
    assert not find_overruling_rules(game, options, ("strength",), "Encounters", ("DD-14",))
    assert len(find_overruling_rules(game, options, (), "Encounters", ("DD-14",))) == 1


def test_g_10_house_rule_replaces_only_its_own_heading_and_ruling() -> None:
    game = rules("propheta")
    options = settle(game, {"zero_tiebreak": "literal", "memory": "last-trick"})
    assert [said.split()[0] for said in find_overruling_rules(game, options, (), "Who Wins a Trick", ())] == [
        "zero_tiebreak"
    ]
    assert [said.split()[0] for said in find_overruling_rules(game, options, (), "Setting Up", ("VA-22",))] == [
        "memory"
    ]
    assert not find_overruling_rules(game, options, (), "Setting Up", ("VA-12",))
    assert not find_overruling_rules(game, settle(game, {}), (), "Who Wins a Trick", ("VA-9", "VA-22"))


@pytest.mark.short(3)
@pytest.mark.parametrize("name", GAMES)
def test_g_10_headings_of_options_are_those_of_the_shipped_rule_note(name: str) -> None:
    info = GAMES[name]
    vault = Vault(resources.shipped_folder("vault-example"))
    note = Compendium(vault).rule_note(name, (info.title, *info.aliases))
    game = rules(name)
    assert note is not None or not game.option_headings
    explained = [key for keys in game.option_headings.values() for key in keys]
    assert len(explained) == len(set(explained)) and set(explained) <= {option.key for option in game.options}
    for heading in game.option_headings:
        assert note and note.note.section(heading), heading
