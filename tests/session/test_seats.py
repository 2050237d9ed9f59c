import pytest

from vaultkit.errors import UsageError
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.text import name_key


def test_people_are_seated_by_name_and_bots_by_strategy() -> None:
    seats = parse_seats(["North", "bot:greedy", " Ysolde  the Grey ", "BOT:random"], {"greedy", "random"})
    assert seats == (
        SeatSpec("North"),
        SeatSpec("Bot 1 (greedy)", "greedy"),
        SeatSpec("Ysolde the Grey"),
        SeatSpec("Bot 2 (random)", "random"),
    )
    assert [seat.is_person for seat in seats] == [True, False, True, False]


def test_unknown_strategy_gets_a_suggestion() -> None:
    with pytest.raises(UsageError) as caught:
        parse_seats(["bot:gredy"], {"greedy", "random"})
    assert caught.value.hint == "Did you mean 'greedy'?"


JOINED = ("علی\u200cرضا", "رام\u200cچندر", "राम\u200dचंद्र", "ශ්\u200dරී", "രാജന്\u200d", "👩\u200d🚀 Ada", "Yso\u200clde")


@pytest.mark.parametrize("name", JOINED)
def test_name_keeps_necessary_joiners_and_matches_without_them(name: str) -> None:
    assert parse_seats([f" {name} ", f"bot:greedy={name} 2"]) == (SeatSpec(name), SeatSpec(f"{name} 2", "greedy"))
    bare = name.replace("\u200c", "").replace("\u200d", "")
    with pytest.raises(UsageError, match="Two seats"):
        parse_seats([name, bare])
    assert name_key(name) == name_key(bare)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ysolde\u200c", "Ysolde"),
        ("\u200dBram", "Bram"),
        ("Zoë \u200d Tolliver", "Zoë Tolliver"),
        ("را\u200c\u200cم", "را\u200cم"),
    ],
)
def test_unnecessary_joiner_is_removed(typed: str, name: str) -> None:
    assert parse_seats([typed]) == (SeatSpec(name),)


@pytest.mark.parametrize("names", [["North", "north"], ["Bot 1 (greedy)", "bot:greedy"], ["é", "e\u0301"]])
def test_names_are_distinct(names: list[str]) -> None:
    with pytest.raises(UsageError):
        parse_seats(names)


@pytest.mark.parametrize("name", [
    "", "   ", "a\x1b[31m", "\u202eevil", "x" * 61, "bot:", "\u200d", "\u200c \u200d", "\u2800", "\u3164\u200d",
    "\u0301\u200c", "a\u2066b", "a\u202c", "a\u200bb", "\ufeffa", "a\x00", "a\ud800", "b\u200dot:", "\u200dbot:",
])  # fmt: skip
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_seats([name])
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("name", ["You", "I", "me", "we", "m\u200ce"])
def test_reserved_seat_name_is_refused_with_a_hint(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_seats([name])
    assert name in caught.value.message and "names" in caught.value.hint
    assert parse_seats([f"{name} Tolliver"])


@pytest.mark.parametrize("name", ["bot", "Greedy", "Bram=greedy", "Bram = bot"])
def test_misspelt_bot_seat_is_not_read_as_a_person(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_seats(["Ysolde", name], {"greedy", "random"})
    assert name in caught.value.message and "bot:greedy=Aldous" in caught.value.hint


def test_bots_have_unique_names() -> None:
    seats = parse_seats(
        ["Corvina", "bot:greedy", "bot:random=Old Tom", "bot:search", "bot:random"], None, ("Aldous", "corvina", "Wren")
    )
    assert [seat.name for seat in seats] == ["Corvina", "Aldous", "Old Tom", "Wren", "Bot 3 (random)"]
    assert [seat.strategy for seat in seats] == [None, "greedy", "random", "search:100", "random"]


def test_a_bot_cannot_have_the_name_of_a_player() -> None:
    with pytest.raises(UsageError, match="Two seats are called 'North'"):
        parse_seats(["North", "bot:greedy=North"])
