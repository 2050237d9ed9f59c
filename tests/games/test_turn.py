"""Moves, piles and chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, draw_move

CARDS = st.lists(st.sampled_from([f"card-{number}" for number in range(20)]), unique=True)


@st.composite
def piles(draw: st.DrawFn) -> Pile:
    cards = draw(CARDS)
    cut = draw(st.integers(0, len(cards)))
    return Pile(tuple(cards[:cut]), tuple(cards[cut:]))


@st.composite
def draws(draw: st.DrawFn) -> tuple[Pile, tuple[str, ...]]:
    """Draw a pile, and cards that may come off its top."""
    pile = draw(piles())
    top = draw(st.permutations(pile.unknown))
    return pile, (*top, *pile.bottom)[: draw(st.integers(0, len(pile)))]


def chance(pile: Pile = Pile(()), count: int = 1, options: tuple[str, ...] = ()) -> Chance:  # noqa: B008
    return Chance("deal", Sentence("Deal."), ("G-7",), pile, count, options)


@pytest.mark.slow
@given(draws())
def test_drawn_cards_and_no_others_leave_the_pile(case: tuple[Pile, tuple[str, ...]]) -> None:
    pile, cards = case
    left = pile.remove_cards(cards)
    assert sorted((*cards, *left.unknown, *left.bottom)) == sorted((*pile.unknown, *pile.bottom))
    assert len(left) == len(pile) - len(cards)
    assert pile.bottom[len(pile.bottom) - len(left.bottom) :] == left.bottom


@pytest.mark.slow
@given(draws(), st.integers(0, 20))
def test_a_draw_may_be_made_in_parts(case: tuple[Pile, tuple[str, ...]], cut: int) -> None:
    pile, cards = case
    assert pile.remove_cards(cards[:cut]).remove_cards(cards[cut:]) == pile.remove_cards(cards)


@pytest.mark.slow
@given(draws())
def test_known_bottom_waits_until_the_unknown_cards_are_drawn(case: tuple[Pile, tuple[str, ...]]) -> None:
    pile, _ = case
    if pile.unknown and pile.bottom:
        with pytest.raises(IllegalMove):
            pile.remove_cards(pile.bottom[:1])
    if len(pile.bottom) > 1:
        with pytest.raises(IllegalMove, match="known order"):
            pile.remove_cards((*pile.unknown, pile.bottom[-1]))


@pytest.mark.slow
@given(draws())
def test_card_missing_from_the_pile_is_not_drawn(case: tuple[Pile, tuple[str, ...]]) -> None:
    pile, cards = case
    with pytest.raises(IllegalMove):
        pile.remove_cards(("a-stranger", *cards))
    if len(pile.unknown) > 1:
        with pytest.raises(IllegalMove):
            pile.remove_cards((pile.unknown[0], pile.unknown[0]))


@pytest.mark.slow
@given(piles())
def test_nothing_is_drawn_beyond_the_last_card(pile: Pile) -> None:
    with pytest.raises(IllegalMove):
        pile.remove_cards((*pile.unknown, *pile.bottom, "one-more"))


@pytest.mark.slow
@given(piles(), CARDS)
def test_cards_put_under_a_pile_come_last_and_in_order(pile: Pile, cards: list[str]) -> None:
    under = pile.with_bottom_cards(*cards)
    assert under.unknown == pile.unknown and len(under) == len(pile) + len(cards)
    assert under.remove_cards((*pile.unknown, *pile.bottom)) == Pile((), tuple(cards))


@pytest.mark.slow
@given(draws())
def test_chance_accepts_drawable_cards_and_returns_them(case: tuple[Pile, tuple[str, ...]]) -> None:
    pile, cards = case
    assert chance(pile, len(cards)).check(draw_move(*cards)) == cards


@pytest.mark.slow
@given(draws(), st.integers(1, 5))
def test_chance_needs_exactly_the_requested_number_of_cards(case: tuple[Pile, tuple[str, ...]], more: int) -> None:
    pile, cards = case
    with pytest.raises(IllegalMove, match="to draw"):
        chance(pile, len(cards) + more).check(draw_move(*cards))


def test_chance_accepts_one_of_its_options() -> None:
    lots = chance(options=("1", "2"))
    assert lots.check(draw_move("2")) == ("2",)
    with pytest.raises(IllegalMove, match="none of 1, 2"):
        lots.check(draw_move("3"))


@pytest.mark.parametrize(
    "move", [Move("play", ("a",)), Move("draw"), draw_move("a", "b"), draw_move("c")], ids=lambda m: m.id
)
def test_chance_refuses_everything_else(move: Move) -> None:
    with pytest.raises(IllegalMove):
        chance(Pile(("a", "b"))).check(move)


def test_a_move_reads_back_from_its_id() -> None:
    assert Move("play", ("6-swords",)).id == "play 6-swords"
    assert Move.parse("play 6-swords") == Move("play", ("6-swords",))
    assert Move.parse("pass") == Move("pass")
    assert draw_move("a", "b").id == "draw a b"
