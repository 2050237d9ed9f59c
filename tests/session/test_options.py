import pytest

from tests.session.toy import Toy
from vaultkit.errors import UsageError
from vaultkit.session.options import all_options, changed, of_game, settle


def test_common_options_are_merged_with_the_games_own() -> None:
    assert settle(Toy(), {"hands": "Hidden"}) == {"hands": "hidden", "ask": "lone", "undo": "safe"}
    assert [option.key for option in all_options(Toy())] == ["hands", "ask", "undo"]


def test_a_game_sees_its_own_options_only() -> None:
    assert of_game(Toy(), settle(Toy(), {"undo": "free"})) == {"hands": "open", "ask": "lone"}


def test_what_differs_from_the_defaults() -> None:
    assert changed(Toy(), settle(Toy(), {"undo": "free", "hands": "open"})) == {"undo": "free"}


def test_an_unknown_option_names_all_that_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        settle(Toy(), {"undoo": "free"})
    assert "ask, hands, undo" in caught.value.hint
