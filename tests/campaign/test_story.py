import pytest

from vaultkit.campaign.story import EVENTS, tell_story
from vaultkit.games.words import Event, Outcome, Sentence

NAMES = ("Ysolde", "Bram", "Priya")
RAW_ROUNDS = Sentence("{v0} number, {v1} hero", values=(7, 2))


def happened(kind: str, words: str, *seats: int, notable: bool = False, values: tuple[int, ...] = ()) -> Event:
    return Event(kind, Sentence(words, seats, (), values), "", (), seats[0] if seats else None, notable=notable)


def turned(number: int) -> Event:
    return happened("turn-up", "Round {v0}: the dealer turns a card.", values=(number,))


def outcome(*facts: tuple[str, Sentence], reason: str = "The deck is empty.") -> Outcome:
    return Outcome("party", (0,), Sentence(reason), (), ({}, {}, {}), (1, 2, 3), facts)


def spoken(events: list[Event], end: Outcome) -> list[str]:
    return [sentence.speak(NAMES.__getitem__, str) for sentence in tell_story(events, end)]


def test_a_game_of_nine_rounds_is_told_from_beginning_to_end() -> None:
    won = [happened("won", "{s0} wins.", seat) for seat in (0, 0, 1, 0, 1, 1, 1, 1, 2)]
    events = [event for number, win in enumerate(won, 1) for event in (turned(number), win)]
    events.insert(4, happened("forfeit", "{s0} could not pay and forfeits.", 2, notable=True))
    events.insert(5, happened("crown", "Everybody nods.", notable=True))
    events.insert(-1, happened("joker", "{s0} plays the joker.", 1, notable=True))
    assert spoken(events, outcome(("Rounds", RAW_ROUNDS))) == [
        "The game went 9 rounds: 7 number, 2 hero.",
        "In round 2 Priya could not pay and forfeits.",
        "Everybody nods.",
        "Halfway, after round 4, Ysolde had won most often, 3 times.",
        "In round 9 Bram plays the joker.",
        "By the end Bram had won 5 rounds, Ysolde 3 and Priya 1.",
        "The deck is empty.",
    ]


def test_only_the_first_of_a_round_names_it_and_small_words_stay_small() -> None:
    events = [turned(1), turned(2), *(happened("a", words, notable=True) for words in ("The cat.", "A dog."))]
    assert spoken(events, outcome())[:3] == ["The game went 2 rounds.", "In round 2 the cat.", "A dog."]


def test_leaders_share_and_one_win_is_one_round() -> None:
    wins = (0, 1, 0, 1, 2)
    events = [event for number, seat in enumerate(wins, 1) for event in (turned(number), happened("won", "x", seat))]
    events += [turned(number) for number in (6, 7, 8)]
    assert spoken(events, outcome(reason="Done"))[1:] == [
        "Halfway, after round 4, Ysolde and Bram had won most often, twice each.",
        "By the end Ysolde had won 2 rounds, Bram 2 and Priya 1.",
        "Done.",
    ]


def test_who_won_equally_often_is_named_together() -> None:
    events = [turned(1), happened("won", "x", 0), turned(2), happened("won", "x", 2)]
    assert spoken(events, outcome())[1] == "By the end Ysolde and Priya had won 1 round each."


def test_a_long_game_keeps_what_is_rare() -> None:
    events = [event for number in range(1, 31) for event in (turned(number), happened("won", "Again.", notable=True))]
    events.insert(40, happened("joker", "The joker.", notable=True))
    told = spoken(events, outcome())
    assert len(told) == EVENTS + 2
    assert "In round 20 the joker." in told or "The joker." in told


@pytest.mark.parametrize("words", ["Of {v0}.", "Round {v0}: x", "Round: {v0}"])
def test_a_game_without_chapters_is_told_without_them(words: str) -> None:
    value = () if words.endswith("x") else (3,)
    events = [Event("x", Sentence(words, (), (), value), "", ()), happened("y", "It rains.", notable=True)]
    assert spoken(events, outcome()) == ["It rains.", "The deck is empty."]


def test_nothing_to_tell_is_no_story() -> None:
    assert tell_story([], outcome()) == ()
    assert tell_story([happened("x", "Quiet.")], outcome()) == ()
