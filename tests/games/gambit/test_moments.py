"""The moments of Prophet's Gambit in a balance report: the risked cards of the High Deck."""

from vaultkit.games.messages import Event, Sentence
from vaultkit.games.prophets_gambit.game import ProphetsGambit


def moment(kind: str, *cards: str, notable: bool = True) -> tuple[str, str] | None:
    return ProphetsGambit().balance_key(Event(kind, Sentence(""), "", (), 0, cards, notable=notable))


def test_pg_15_a_card_of_the_high_deck_is_a_moment() -> None:
    assert moment("high-card", "raven") == ("high-card", "raven")


def test_executed_or_replaced_focus_is_not_a_moment() -> None:
    assert moment("execution", "1-glyphs") is None and moment("replace", "1-glyphs") is None
