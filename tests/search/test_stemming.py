"""Words are compared without their endings."""

import pytest

from vaultkit.search.stemming import STOP_WORDS, SYNONYMS, stem, stems


@pytest.mark.parametrize(
    "words",
    [
        "tie ties tied", "bid bids bidding", "prophecy prophecies", "three 3", "choose chose chosen choosing",
        "throw threw thrown throws", "raven Ravens raven's", "witch witches", "glass glasses", "score scored scoring",
    ],
)  # fmt: skip
def test_the_forms_of_a_word_are_one(words: str) -> None:
    assert len(set(stems(words))) == 1


@pytest.mark.parametrize("words", ["add ad", "glass gla", "is i", "king k", "focus focu", "red r", "DC-1 DC-12"])
def test_other_words_stay_apart(words: str) -> None:
    one, other = (stems(word) for word in words.split())
    assert one != other


def test_phrases_that_are_one_deed_are_one_word() -> None:
    assert stems("they ran off, we run away") != stems("run")
    assert stem("flee") in stems("can I still run away") and stem("skip") in stems("may he hold back")


def test_words_for_one_thing_know_each_other_and_say_something() -> None:
    assert all(word in SYNONYMS[other] for word, others in SYNONYMS.items() for other in others)
    assert "raven" not in STOP_WORDS and stem("the") in STOP_WORDS
