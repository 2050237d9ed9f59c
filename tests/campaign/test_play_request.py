"""Requests to play: contradictory options are refused before anything is opened."""

from typing import Any

import pytest

from vaultkit.campaign.play_request import PlayRequest, ScreenRequest
from vaultkit.errors import UsageError


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ({"referee": True}, "--referee is for real cards", "vaultkit play x --real-cards"),
        ({"real_cards": True, "seed": 0}, "A seed has no effect", "--seed"),
        ({"real_cards": True, "story": True}, "--story needs every card", "vaultkit play x --referee"),
        ({"real_cards": True, "new_inventory": True}, "--new-inventory needs", "--referee"),
        ({"real_cards": True, "encounter": ""}, "--encounter needs", "--referee"),
        ({"screen": ScreenRequest(phones=True), "gm": "Maud"}, "no phone", "--table"),
        ({"screen": ScreenRequest(phones=True), "match": 3}, "A match cannot be played on phones", "--table"),
        ({"screen": ScreenRequest(phones=True), "real_cards": True}, "not on phones", "--table"),
        ({"screen": ScreenRequest(address="10.0.0.2", table=True)}, "--address is for --phones", "--phones"),
        ({"screen": ScreenRequest(phones=True, plain=True)}, "--plain is for the terminal", "--plain"),
        ({"screen": ScreenRequest(table=True, script="-")}, "--script is for the terminal", "--script"),
    ],
)
def test_incompatible_play_options_are_refused(options: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        PlayRequest(words=("play", "x"), **options).check()
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"real_cards": True},
        {"real_cards": True, "referee": True, "story": True, "match": 3, "gm": "Maud"},
        {"screen": ScreenRequest(table=True), "match": 3, "seed": 4},
        {"screen": ScreenRequest(phones=True, address="10.0.0.2")},
    ],
)
def test_compatible_play_options_are_accepted(options: dict[str, Any]) -> None:
    request = PlayRequest(**options)
    request.check()
    assert request.records_only_scores == (request.real_cards and not request.referee)
