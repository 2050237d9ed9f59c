from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.compendium.making import deck_of
from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.compendium.spreads import SpreadPosition, check_size, draw_for_positions, fits
from vaultkit.errors import InvalidError, UsageError
from vaultkit.vault import Note

COMMON, HIGH = SpreadPosition("c", part=(("deck", "common"),)), SpreadPosition("h", part=(("deck", "high"),))


def known(kind: str) -> DeckNote:
    deck = known_deck(kind)
    assert deck is not None
    entries = tuple(CardEntry(card, f"Deck.md#{card.name}", 1) for card in deck)
    return DeckNote(Note("Deck.md", b""), deck, entries, ())


TAROKKA = known("tarokka")


@pytest.mark.parametrize(
    ("line", "position"),
    [
        ("Past", SpreadPosition("Past")),
        ("Past: what led here", SpreadPosition("Past", "what led here")),
        ("Past (deck: high)", SpreadPosition("Past", "", (("deck", "high"),))),
        (
            "Past (Deck:high, suit: Swords):  a  b",
            SpreadPosition("Past", "a b", (("deck", "high"), ("suit", "Swords"))),
        ),
        ("The Self (inner): who you are", SpreadPosition("The Self (inner)", "who you are")),
        ("At 3:00: the bell", SpreadPosition("At 3:00", "the bell")),
        ("What now?", SpreadPosition("What now?")),
        ("(deck: high)", SpreadPosition("")),
        ("", SpreadPosition("")),
    ],
)
def test_line_is_read_as_a_spread_position(line: str, position: SpreadPosition) -> None:
    assert SpreadPosition.parse(line) == position


def test_part_of_the_deck_is_read_from_words() -> None:
    assert SpreadPosition.parse("x (deck: high, suit: Swords)").wanted == "deck: high, suit: Swords"
    assert SpreadPosition("x").wanted == ""


@given(st.text(max_size=60))
def test_any_line_is_a_spread_position(line: str) -> None:
    found = SpreadPosition.parse(line)
    assert found.name in " ".join(line.split())
    assert found.name or not line.strip() or "(" in line


@pytest.mark.parametrize(
    ("kind", "part", "count"),
    [
        ("tarokka", "deck: high", 14),
        ("tarokka", "deck: common, suit: swords", 10),
        ("tarokka", "rank: Master", 4),
        ("tarokka", "rank: 3", 4),
        ("decktet", "types: Event", 10),
        ("decktet", "suit: moons", 10),
        ("astromancy", "season: spring, kind: animal", 2),
        ("tarokka", "colour: red", 0),
    ],
)
def test_parts_of_the_known_decks(kind: str, part: str, count: int) -> None:
    position = SpreadPosition.parse(f"x ({part})")
    assert sum(fits(entry.card, position) for entry in known(kind).entries) == count


@pytest.mark.slow
@given(st.integers(), st.lists(st.sampled_from([COMMON, HIGH, SpreadPosition("any")]), max_size=14))
def test_each_position_gets_a_different_card_of_its_part(seed: int, positions: list[SpreadPosition]) -> None:
    laid = draw_for_positions(positions, TAROKKA, Random(str(seed)))
    assert len({entry.card.id for entry in laid}) == len(positions)
    assert all(fits(entry.card, position) for position, entry in zip(positions, laid, strict=True))


def test_the_order_of_the_notes_changes_nothing() -> None:
    turned = DeckNote(TAROKKA.note, TAROKKA.deck, TAROKKA.entries[::-1], ())
    assert draw_for_positions([COMMON, HIGH], TAROKKA, Random("7")) == draw_for_positions(
        [COMMON, HIGH], turned, Random("7")
    )


def test_every_card_has_the_same_chance() -> None:
    deck = deck_of("Deck.md", *((name, f"Deck.md#{name}", 1) for name in "ABC"))
    rng = Random("fair")
    seen = Counter(
        "".join(e.card.name for e in draw_for_positions([SpreadPosition("")] * 3, deck, rng)) for _ in range(3000)
    )
    assert len(seen) == 6
    assert max(seen.values()) < 600 > 3000 - 5 * min(seen.values()) - 600


def test_cards_of_a_small_part_are_reserved_for_its_positions() -> None:
    deck = deck_of("Deck.md", ("A", "Deck.md#A", 1), ("B", "Deck.md#B", 1))
    traits = {"a": {"omen": "good"}, "b": {}}
    entries = tuple(CardEntry(Card(e.card.id, e.card.name, traits=traits[e.card.id]), e.link, 1) for e in deck.entries)
    deck = DeckNote(deck.note, Deck("own", "Own", tuple(e.card for e in entries)), entries, ())
    for seed in range(20):
        laid = draw_for_positions(
            [SpreadPosition("any"), SpreadPosition("good", part=(("omen", "good"),))], deck, Random(str(seed))
        )
        assert [entry.card.name for entry in laid] == ["B", "A"]


def test_more_positions_than_cards_are_refused() -> None:
    assert len(draw_for_positions([SpreadPosition("")] * 54, TAROKKA, Random("1"))) == 54
    with pytest.raises(UsageError, match="54 cards, not 55"):
        draw_for_positions([SpreadPosition("")] * 55, TAROKKA, Random("1"))
    with pytest.raises(UsageError, match="1 card, not 2"):
        check_size(deck_of("Deck.md", ("A", "Deck.md#A", 1)), 2)


@pytest.mark.parametrize(
    ("positions", "message", "hint"),
    [
        ([HIGH] * 15, "only 14 cards for 'h'", "common, high"),
        ([SpreadPosition("x", part=(("deck", "hihg"),))], "no card for 'x'", "common, high"),
        ([SpreadPosition("x", part=(("omen", "good"),))], "no card for 'x'", "about omen"),
    ],
)
def test_part_with_too_few_cards_is_refused(positions: list[SpreadPosition], message: str, hint: str) -> None:
    with pytest.raises(InvalidError, match=message) as caught:
        draw_for_positions(positions, TAROKKA, Random("1"))
    assert hint in caught.value.hint
