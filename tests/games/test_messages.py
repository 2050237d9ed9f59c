"""Sentences with placeholders for names."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit import games
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
        ("{s0} carries, tries and undoes it.", "You carry, try and undo it."),
        ("{s0} chooses, uses, loses and gazes.", "You choose, use, lose and gaze."),
        ("{s0} gives it to {s1} and takes the {c0}.", "You give it to Bram and take the card."),
        ("{s1} gives it to {s0} and takes the {c0}.", "Bram gives it to you and takes the card."),
        ("{s1} passes it to {s0} as a gift, and laughs.", "Bram passes it to you as a gift, and laughs."),
        ("{s0} has the {c0}, and so is not out.", "You have the card, and so are not out."),
        (
            "{s0} meets the {c0}, who sees it and leaves the city.",
            "You meet the card, who sees it and leaves the city.",
        ),
        (
            "{s0} finds the {c0}, which bears it, and puts it back.",
            "You find the card, which bears it, and put it back.",
        ),
        (
            "All have answered. {s0} wins the {c0}, its suit, and this.",
            "All have answered. You win the card, its suit, and this.",
        ),
        ("The Crown is the one of {s0}'s own temple.", "The Crown is the one of your own temple."),
    ],
)
def test_sentence_calls_a_seat_you_with_its_verbs(words: str, said: str) -> None:
    sentence = Sentence(words, (0, 1), ("card",))
    assert sentence.addressed_to(0).render(["Ysolde", "Bram"].__getitem__, str) == said
    assert sentence.addressed_to(None) == sentence.addressed_to(2) == sentence


def sentence_templates() -> Iterator[str]:
    """Yield each literal of the rules that names a seat; `...` stands for what is filled in before the names."""
    for path in Path(games.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            words = ""
            match node:
                case ast.Constant(value=str(words)):
                    pass
                case ast.JoinedStr(values=parts):
                    words = "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in parts)
            if re.search(r"\{s\d\} [a-z]", words) and "`" not in words:
                yield words


INPUT_FORMS = {"{s0} aries ram", "{s0} moons"}
"""What players type about a game with real cards, whose second word is no verb."""
FURTHER_VERBS = {"begins", "decides", "forfeits", "picks"}
"""Verbs that only follow `and`; every other verb of a sentence follows the name of a seat in some sentence."""


@pytest.mark.slow
def test_sentences_of_all_games_call_a_seat_you_and_change_nothing_but_its_verbs() -> None:
    templates = set(sentence_templates())
    assert len(templates) > 200
    verbs = {verb for words in templates for verb in re.findall(r"\{s\d\} ([a-z]+s)\b", words)} - {"as"} | FURTHER_VERBS
    for words in templates - INPUT_FORMS:
        for seat in set(re.findall(r"\{s(\d)\}", words)):
            said = Sentence(words, tuple(range(9))).addressed_to(int(seat)).words
            assert not re.search(rf"\b[Yy]ou ({'|'.join(verbs)})\b|[.?!] you\b|^you\b", said), said
            named = re.sub(rf"\b[Tt]he (\w+) of \{{s{seat}\}}(?!')|\{{s{seat}\}}'s", r"your \1", words)
            old_words = re.findall(r"[\w{}]+|\S", named.replace(f"{{s{seat}}}", "you"))
            for old, new in zip(old_words, re.findall(r"[\w{}]+|\S", said), strict=True):
                if old.lower() != new.lower():
                    assert old in verbs, f"'{old}' became '{new}': {said}"
                    assert not re.search(r"(..ie|oe|ss?he|che|sse|[^s]s)$", new), said
