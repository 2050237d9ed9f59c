import pytest

from vaultkit.games.turn import Move
from vaultkit.play.commands import Command, parse
from vaultkit.play.picking import LETTERS, Offer, pick

OFFERS = (
    Offer(Move("play", ("6-swords",)), "Play the Berserker (6 of Swords)", ("Berserker", "Berserker (6 of Swords)")),
    Offer(Move("play", ("raven",)), "Play the Raven", ("Raven",)),
    Offer(Move("play", ("9-glyphs",)), "Play the Bishop (9 of Glyphs)", ("Bishop", "Bishop (9 of Glyphs)")),
    Offer(Move("give", ("raven", "2")), "Give the Raven to South", ("Raven",)),
    Offer(Move("pass"), "Pass"),
)


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("1", [0]),
        ("b", [1]),
        ("E", [4]),
        ("play raven", [1]),
        ("6 of swords", [0]),
        ("6-swords", [0]),
        ("BERS", [0]),
        ("bishop", [2]),
        ("be", [0]),
        ("raven", [1, 3]),
        ("south", [3]),
        ("pa", [4]),
        ("glyphs", [2]),
        ("6", []),
        ("0", []),
        ("z", []),
        ("dragon", []),
        ("play", [0, 1, 2]),
    ],
)
def test_what_an_answer_means(typed: str, places: list[int]) -> None:
    assert pick(typed, OFFERS) == tuple(OFFERS[place] for place in places)


def test_every_move_is_chosen_by_its_own_id_number_and_letter() -> None:
    for index, offer in enumerate(OFFERS):
        for typed in (offer.move.id, str(index + 1), LETTERS[index]):
            assert pick(typed, OFFERS) == (offer,)


def test_no_letter_is_a_command() -> None:
    assert not [letter for letter in LETTERS if parse(letter)]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", Command("list")),
        ("?", Command("why")),
        ("? raven", Command("why", "raven")),
        ("?raven", Command("why", "raven")),
        ("U", Command("undo")),
        ("undo North", Command("undo", "North")),
        ("l all", Command("log", "all")),
        ("quit", Command("leave")),
        ("help", Command("help")),
        ("hide the truth", None),
        ("play raven", None),
    ],
)
def test_commands(typed: str, command: Command | None) -> None:
    assert parse(typed) == command
