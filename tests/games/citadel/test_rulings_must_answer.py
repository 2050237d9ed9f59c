"""DC-40: rivals who can answer heroes and Crowns must, and what a pass therefore shows of a hand."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from tests.games.citadel.position import (
    CARDS,
    CROWNS,
    DECK,
    A,
    B,
    C,
    Play,
    arrange_game,
    arrange_rivals,
    complete,
    sample,
)
from tests.games.playing import known_cards
from vaultkit.cards.deck import known_deck
from vaultkit.games.dragon_citadel.forfeit import forfeit_reason
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.state import (
    CitadelState,
    Lacks,
    add_draw,
    add_pass,
    choose_cards,
    excluded_cards,
    remove_card,
)
from vaultkit.games.ledger import open_ledger
from vaultkit.games.options import Options
from vaultkit.games.turn import HIDDEN, Prompt
from vaultkit.session.options import settle
from vaultkit.session.real_deck import by_open_hands
from vaultkit.session.scoresheets import score_sheet

GAME = DragonCitadel()
STARS = {card for card in CARDS if card.endswith("-stars")}


def test_dc_40_player_who_can_answer_a_hero_must_and_chooses_the_card() -> None:
    game = arrange_rivals("master-stars", ("1-stars 9-stars raven", "master-coins", "2-stars"))
    assert (game.asked, game.moves) == (A, {"play 1-stars", "play 9-stars", "play raven"})
    game.play("play 9-stars")
    assert (game.asked, game.moves) == (B, {"pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (C, {"play 2-stars"})


def test_dc_40_player_who_can_pay_for_a_crown_must_with_a_hero_or_a_crown() -> None:
    game = arrange_rivals("ghost", ("master-coins", "9-coins", "raven master-stars"))
    assert game.moves == {"play master-coins"}
    game.play("play master-coins")
    assert game.moves == {"pass"}
    game.play("pass")
    assert game.moves == {"play raven", "play master-stars"}


@pytest.mark.parametrize(("dealt", "fits"), [("master-stars", "1-stars"), ("ghost", "master-coins")])
def test_dc_40_joker_may_be_played_instead_and_does_not_make_a_player_able(dealt: str, fits: str) -> None:
    game = arrange_rivals(dealt, (f"{fits} seer", "", ""))
    assert game.moves == {f"play {fits}", "joker"}
    assert arrange_rivals(dealt, ("seer", "", "")).moves == {"pass", "joker"}
    raven = arrange_rivals(dealt, ("seer", "", ""), joker="Raven")
    assert raven.moves == {"play seer"}


@pytest.mark.parametrize("bidding", ["sealed", "ascending"])
def test_dc_40_a_number_obliges_no_rival(bidding: str) -> None:
    game = arrange_rivals("6-swords", ("7-swords ghost", "", ""), bidding=bidding)
    assert "pass" in game.moves


def test_dc_40_crown_duty_none_removes_the_duty_of_rivals_only_in_crown_rounds() -> None:
    assert arrange_rivals("ghost", ("raven", "", ""), crown_duty="none").moves == {"play raven", "pass"}
    assert arrange_rivals("master-stars", ("1-stars", "", ""), crown_duty="none").moves == {"play 1-stars"}


@pytest.mark.parametrize(("dealt", "fits"), [("master-stars", "1-stars"), ("ghost", "master-coins")])
@pytest.mark.parametrize("crown_duty", ["hand", "none"])
def test_dc_40_must_answer_no_removes_both_duties(dealt: str, fits: str, crown_duty: str) -> None:
    game = arrange_rivals(dealt, (fits, "", ""), must_answer="no", crown_duty=crown_duty)
    assert game.moves == {f"play {fits}", "pass"}
    assert "Whoever can answer must" not in game.prompt.text.words
    game.play("pass", "pass", "pass")
    assert not game.state.at.lacks


@pytest.mark.parametrize(("dealt", "fits"), [("master-stars", "1-stars"), ("ghost", "master-coins")])
def test_dc_40_must_answer_applies_only_to_rivals(dealt: str, fits: str) -> None:
    assert arrange_game(dealt, (fits, "", ""), must_answer="no").moves == {f"play {fits}"}


def test_dc_40_open_crowns_stay_voluntary() -> None:
    game = arrange_rivals("ghost", ("raven", "master-coins", ""), crowns={C: "mists"})
    game.play("play raven", "play master-coins", "pass")
    assert (game.asked, game.moves) == (C, {"crown mists", "pass"})
    game.play("pass")
    assert game.out == [C] and game.crowns(C) == {"mists"}


# Nobody learns who holds what before the cards are turned up.


@pytest.mark.parametrize(("dealt", "fits"), [("master-stars", "1-stars"), ("ghost", "raven")])
def test_dc_40_g_3_g_6_all_are_asked_alike_with_any_hand(dealt: str, fits: str) -> None:
    """DC-40, G-3, G-6: whether B can answer changes neither who is asked nor what the others see and are told."""
    told, views, asked = [], [], []
    for able in (True, False):
        game = arrange_rivals(dealt, ("2-stars raven" if dealt == "master-stars" else "mists", "", ""))
        if able:
            state = game.state
            at = state.at.copy()
            lost = at.hands[B][0]
            at.hands[B] = tuple(fits if card == lost else card for card in at.hands[B])
            at.deck = type(at.deck)(tuple(lost if card == fits else card for card in at.deck.unknown), at.deck.bottom)
            game = Play(CitadelState(state.rules, at, state.stack.copy()), game.before)
        first = "play 2-stars" if dealt == "master-stars" else "play mists"
        events = game.play(first)
        assert (game.asked, game.prompt.secret, game.prompt.ask_always) == (B, True, True)
        asked.append((game.prompt.text, game.prompt.rulings, game.prompt.rule))
        assert game.moves == ({f"play {fits}"} if able else {"pass"})
        before = [game.state.view(seat) for seat in (A, C)]
        events += game.play(min(game.moves))
        told.append([event for event in events if event.is_visible_to(A) or event.is_visible_to(C)])
        views.append((before, [game.state.view(seat) for seat in (A, C)]))
    assert told[0] == told[1] and views[0] == views[1] and asked[0] == asked[1]


def test_dc_40_a_pass_shows_that_nothing_fits_until_cards_are_drawn() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "", "2-stars"), crowns={B: "mists"})
    game.play("play 1-stars", "pass")
    assert not game.state.at.lacks, "not before all is turned up"
    game.play("play 2-stars", "crown mists")
    (lack,) = game.state.at.lacks
    assert (lack.seat, lack.drawn) == (B, 0) and lack.cards == STARS | set(CROWNS)
    for seed in range(60):
        guess = GAME.determinize(game.state.view(A), Random(seed))
        assert lack.cards.isdisjoint(guess.at.hands[B])


def test_dc_40_seat_that_draws_one_card_may_hold_at_most_one_that_fits() -> None:
    deck = "8-coins 9-coins 6-swords 3-stars 4-glyphs raven"
    game = arrange_rivals("master-stars", ("1-stars", "9-swords", "2-stars"), crowns={B: "mists"}, deck=deck)
    game.play("play 1-stars", "pass", "play 2-stars", "crown mists")
    game.refill()
    game.luck("6-swords")
    game.play("pass", "bid 9-swords", "pass")
    while game.refill():
        pass
    (lack,) = game.state.at.lacks
    assert lack.drawn == 1
    counts = set()
    for seed in range(60):
        guess = GAME.determinize(game.state.view(A), Random(seed))
        counts.add(len(lack.cards.intersection(guess.at.hands[B])))
    assert counts == {0, 1}


def test_dc_40_forfeited_player_has_no_known_hand() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "", "2-stars"))
    game.play("play 1-stars", "pass", "play 2-stars")
    assert game.out == [B] and not game.state.at.lacks


Hand = frozenset[str]
SIX = frozenset("abcdef")


def hands_allowed(lacks: Lacks, size: int, gone: Hand) -> set[Hand]:
    """Return all hands of `size` cards from a deck of six that agree with the knowledge."""
    hands = map(frozenset, combinations(sorted(SIX - gone), size))
    return {hand for hand in hands if all(len(lack.cards & hand) <= lack.drawn for lack in lacks)}


@pytest.mark.parametrize("seed", range(40))
def test_dc_40_knowledge_of_a_hand_allows_exactly_the_possible_hands(seed: int) -> None:
    """DC-40: the recorded knowledge allows exactly the hands possible after the same passes, plays and draws."""
    rng = Random(seed)
    hand, lacks, gone = frozenset(rng.sample(sorted(SIX), 3)), Lacks(), frozenset[str]()
    possible = set(map(frozenset, combinations(sorted(SIX), 3)))
    for _ in range(3):
        asked = frozenset(rng.sample(sorted(SIX - hand), rng.randint(1, 3 - len(gone))))
        if rng.random() < 0.8:
            lacks, possible = add_pass(lacks, A, asked), {one for one in possible if not one & asked}
        card = rng.choice(sorted(hand))
        lacks, gone = remove_card(lacks, A, card), gone | {card}
        possible = {one - {card} for one in possible if card in one}
        drawn = rng.choice(sorted(SIX - gone - hand))
        lacks, hand = add_draw(lacks, A, 1), hand - {card} | {drawn}
        possible = {one | {new} for one in possible for new in SIX - gone - one}
        assert hand in possible and hands_allowed(lacks, 3, gone) == possible
        if len(gone) == 2:
            break


@pytest.mark.parametrize("seed", range(20))
def test_dc_40_every_hand_that_the_knowledge_allows_is_dealt(seed: int) -> None:
    rng = Random(seed)
    lacks = add_pass((), A, frozenset(rng.sample(sorted(SIX), 2)))
    lacks = add_draw(lacks, A, 1)
    lacks = add_pass(lacks, A, frozenset(rng.sample(sorted(SIX), 1)))
    places = excluded_cards(lacks, A, (), 3)
    dealt = {frozenset(choose_cards(places, rng.sample(sorted(SIX), 6))) for _ in range(300)}
    assert dealt == hands_allowed(lacks, 3, frozenset())


def rival_positions(seed: int, **given: object) -> Iterator[CitadelState]:
    """Yield every position of a random game among rivals."""
    rng = Random(seed)
    options: Options = complete(mode="competitive", **given)
    state = GAME.new(2 + seed % 5 + (int(options["min_players"]) == 3), options, DECK)
    while state.turn is not None:
        yield state
        state.apply(sample(state, rng))


def check_knowledge(seed: int, often: float, **given: object) -> int:
    """Check that what passes show is true and that guessed states agree with it; return the number of checks."""
    looked, rng = 0, Random(seed)
    for state in rival_positions(seed, **given):
        for lack in state.at.lacks:
            assert len(lack.cards.intersection(state.at.hands[lack.seat])) <= lack.drawn
        if state.at.lacks and isinstance(state.turn, Prompt) and rng.random() < often:
            seat = rng.randrange(state.seats)
            view = state.view(seat)
            guess = GAME.determinize(view, rng)
            assert guess.view(seat) == view and sorted(guess.cards()) == sorted(CARDS)
            for lack in state.at.lacks:
                assert len(lack.cards.intersection(guess.at.hands[lack.seat])) <= lack.drawn
                assert HIDDEN not in guess.at.hands[lack.seat]
            assert all(card in guess.at.hands[owner] for owner in range(3) for card in known_cards(view, owner))
            looked += 1
    return looked


VARIANTS = [{}, {"dealer": "hand-of-5"}, {"bidding": "ascending"}, {"crown_duty": "none"}, {"joker": "Raven"}]


@pytest.mark.slow
@pytest.mark.parametrize("given", VARIANTS, ids=str)
def test_dc_40_state_sampled_from_a_view_agrees_with_every_pass(given: dict[str, object]) -> None:
    assert sum(check_knowledge(seed, 1, **given) for seed in range(4)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("given", VARIANTS, ids=str)
def test_dc_40_state_sampled_from_a_view_agrees_with_every_pass_in_many_games(given: dict[str, object]) -> None:
    assert sum(check_knowledge(seed, 0.5, **given) for seed in range(60)) > 50


# With real cards whose hands nobody has told.


def enter_round(entry: str, **given: object) -> CitadelState:
    """Return the state after a round of rivals with real cards, entered in one line; `@1` is the second seat."""
    cards = known_deck("tarokka")
    assert cards is not None
    options = settle(GAME, {"mode": "competitive", **given})
    ledger = open_ledger(score_sheet("dragon-citadel"), 3, options, cards, (tuple(entry.split()),))
    state = ledger.state
    assert isinstance(state, CitadelState)
    return state


@pytest.mark.parametrize(
    ("entry", "cause"),
    [
        ("master-stars @0 1-stars @1 2-stars @2 out", "hero"),
        ("ghost @0 raven @1 master-coins @2 out", "crown"),
    ],
)
def test_dc_40_with_real_cards_a_pass_is_accepted_without_proof(entry: str, cause: str) -> None:
    state = enter_round(entry)
    assert state.at.forfeits == ((1, C, cause, "unknown"),)
    told_words = forfeit_reason(cause, "unknown")
    assert told_words.startswith("did not") and "could" not in told_words


def test_dc_40_where_players_type_their_hands_the_duty_is_checked() -> None:
    """DC-40: in a game with real cards the app knows the hands, and offers no pass to a seat that can answer."""
    assert by_open_hands(complete(mode="competitive")).hidden
    assert "pass" not in arrange_rivals("master-stars", ("1-stars", "", "")).moves
