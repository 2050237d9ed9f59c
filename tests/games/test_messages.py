"""Sentences with placeholders for names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.games.messages import Event, Sentence

NAMES = ("Ysolde", "Bram", "Sefa")


def speak(sentence: Sentence) -> str:
    return sentence.render(NAMES.__getitem__, lambda card: f"the {card.title()}")


def test_each_placeholder_gets_its_name() -> None:
    sentence = Sentence("{s1} gives {c0} to {s0} for {v0} coins.", (0, 1), ("raven",), (3,))
    assert speak(sentence) == "Bram gives the Raven to Ysolde for 3 coins."


def test_all_seats_and_cards_have_placeholders_too() -> None:
    assert speak(Sentence("{seats} show {cards}.", (0, 1, 2), ("raven", "beast"))) == (
        "Ysolde, Bram and Sefa show the Raven and the Beast."
    )


@given(st.text(min_size=1))
def test_braces_in_names_are_not_placeholders(name: str) -> None:
    """Braces in a player's or a card's name are not placeholders."""
    sentence = Sentence("{s0} plays {c0}.", (0,), ("raven",))
    assert sentence.render(lambda seat: name, lambda card: name) == f"{name} plays {name}."


def test_sentence_without_a_needed_name_cannot_be_rendered() -> None:
    with pytest.raises(KeyError):
        speak(Sentence("{s0} plays {c0}.", (0,)))


def test_an_event_is_visible_to_those_who_may_see_it() -> None:
    public = Event("won", Sentence("Won."), "Rule", ("DC-8",))
    private = Event("deal", Sentence("Dealt."), "Rule", ("DC-4",), seen_by=frozenset({1}))
    assert [public.is_visible_to(seat) for seat in range(3)] == [True, True, True]
    assert [private.is_visible_to(seat) for seat in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("{s0} draws a Fate.", "You draw a Fate."),
        ("{s0} has the highest card, the {c0}, and wins it.", "You have the highest card, the card, and win it."),
        ("{s0} ties for the first place, comes last and begins.", "You tie for the first place, come last and begin."),
        ("{s0} passes, and {s1} draws and discards.", "You pass, and Bram draws and discards."),
        ("{s1} gives the {c0}, and {s0} is saved.", "Bram gives the card, and you are saved."),
        ("The hand of {s0} is discarded: {c0}.", "Your hand is discarded: card."),
        ("{s0}'s hand is open.", "Your hand is open."),
        ("The {c0} leaves {s0} for the Agora.", "The card leaves you for the Agora."),
        ("{s0} can win it. {s1} loses and forfeits.", "You can win it. Bram loses and forfeits."),
        ("{s1} wins.", "Bram wins."),
    ],
)
def test_sentence_calls_a_seat_you_with_its_verbs(words: str, said: str) -> None:
    sentence = Sentence(words, (0, 1), ("card",))
    assert sentence.addressed_to(0).render(["Ysolde", "Bram"].__getitem__, str) == said
    assert sentence.addressed_to(None) == sentence.addressed_to(2) == sentence
