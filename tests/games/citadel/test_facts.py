"""The facts about moves: they come true, and they warn of a pass that may cost a player the game."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.games.citadel.position import DECK, A, B, C, D, Play, arrange_game, arrange_rivals, complete, sample
from tests.wording import Says
from vaultkit.games.dragon_citadel.ending import make_outcome, score_parts
from vaultkit.games.dragon_citadel.facts import current_score, key_facts
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import COUNTED_PARTS, JOKER, PASS
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelView, add_draw, add_pass
from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.session.options import settle

GAME = DragonCitadel()
OPTIONS: list[dict[str, object]] = [
    {"mode": "coop"},
    {"mode": "coop", "crown_duty": "none", "champion": "sum+10*heroes+10*crowns"},
    {"mode": "competitive"},
    {"mode": "competitive", "must_answer": "no", "hero_crowns": "discard", "dealer": "hand-of-5"},
    {"mode": "competitive", "bidding": "ascending", "champion": "sum+10*heroes+10*crowns"},
]


def facts_of(game: Play, move: str) -> list[GameFact]:
    """Return the facts of one offered move in the view of the seat that is asked."""
    view = game.state.view(game.asked)
    (consequences,) = GAME.consequences(view, [Move.parse(move)])
    assert all(one.is_certain for one in consequences)
    return [one.fact for one in consequences]


def sentences_of(facts: list[GameFact]) -> list[str]:
    return [fact.sentence.render("ABCD".__getitem__, str) for fact in facts if fact.sentence]


def kinds(facts: list[GameFact]) -> list[str]:
    return [fact.kind for fact in facts]


def test_a_card_that_beats_the_dealers_number_wins_both() -> None:
    facts = facts_of(arrange_game("6-swords", ("7-swords", "", "")), "play 7-swords")
    assert [(fact.kind, fact.seat, fact.amount) for fact in facts] == [("score", A, 13), ("permanent", A, None)]
    assert facts[1].cards == ("6-swords", "7-swords")


def test_crown_that_wins_a_number_becomes_an_open_crown() -> None:
    facts = facts_of(arrange_game("6-swords", ("ghost", "", "")), "play ghost")
    assert sentences_of(facts) == [Says("A wins the 6-swords", "ghost", "Crown", "open", "save a player")]


def test_key_fact_of_a_hero_round_says_who_wins_the_cards() -> None:
    view = arrange_game("master-stars", ("1-stars 2-stars", "", "")).state.view(A)
    words = next(key_facts(view)).render(str, str)
    assert words == Says("highest card of Stars", "Stars")


def test_screen_tells_the_number_of_crowns_from_columns_of_points() -> None:
    sheet = dict.fromkeys(COUNTED_PARTS, 0)
    scores = [score_parts(sheet, True, settle(GAME, OPTIONS[0]))] * 3
    table = GAME.score_tables(make_outcome("party", scores, settle(GAME, OPTIONS[0]), "seer", ()))[0]
    assert table.columns[5] == "Crowns" and table.spoken_columns[5] == "Crowns (count)"


def test_sealed_bid_shows_its_best_result() -> None:
    game = arrange_rivals("6-swords", ("7-swords 2-swords ghost", "", ""))
    assert sentences_of(facts_of(game, "bid 7-swords")) == [Says("best bid", "wins the 6-swords", "+13")]
    assert sentences_of(facts_of(game, "bid 2-swords")) == [Says("best bid", "round is lost", "nobody forfeits")]
    assert facts_of(game, "bid ghost")[0].amount == 6


@pytest.mark.parametrize(
    ("dealt", "card", "words"),
    [
        ("master-stars", "1-stars", "If everybody answers, the highest card of the suit wins the master-stars."),
        ("master-stars", "raven", "If everybody answers, it then lies open and can later save its owner."),
        ("ghost", "raven", "It is discarded in any case."),
    ],
)
def test_dc_40_secret_answer_shows_its_effect_and_that_the_seat_is_safe(dealt: str, card: str, words: str) -> None:
    facts = facts_of(arrange_rivals(dealt, (card, "", "")), f"play {card}")
    assert sentences_of(facts) == [Says("A", "not forfeit", "this round"), words]


@pytest.mark.parametrize("dealt", ["master-stars", "ghost"])
def test_dc_40_pass_shows_that_it_may_lose_the_game(dealt: str) -> None:
    (risk,) = facts_of(arrange_rivals(dealt, ("", "", "")), "pass")
    assert (risk.kind, risk.seat) == ("risk", A) and "may be out" in sentences_of([risk])[0]


def test_pass_that_certainly_eliminates_the_player_shows_it() -> None:
    game = arrange_rivals("ghost", ("raven", "", "beast"), crowns={B: "mists"})
    game.play("play raven", "pass", "play beast")
    facts = facts_of(game, "pass")
    assert ("out", B) in [(fact.kind, fact.seat) for fact in facts] and "risk" not in kinds(facts)
    assert "out" not in kinds(facts_of(game, "crown mists"))


def test_pass_for_another_shows_who_may_be_eliminated() -> None:
    game = arrange_game("ghost", ("raven", "", ""), crowns={A: "mists"})
    game.play("play raven")
    assert [(fact.kind, fact.seat) for fact in facts_of(game, "pass")] == [("risk", B)]


def elimination_words(game: Play) -> str:
    """Return the key fact on who is out after the round."""
    return next(words for words in words_of_key_facts(game) if "out after this round" in words)


def words_of_key_facts(game: Play) -> list[str]:
    return [fact.render("ABCD".__getitem__, str) for fact in key_facts(game.state.view(game.asked))]


@pytest.mark.parametrize(
    ("crowns", "words"),
    [
        ({A: "mists"}, "One of B and C is out after this round: the party chooses."),
        ({A: "mists", B: "donjon"}, "One of B and C is out after this round, unless open Crowns save both."),
    ],
)
def test_dc_22_open_crowns_for_all_who_cannot_pay_save_them_all(crowns: dict[Seat, str], words: str) -> None:
    game = arrange_game("ghost", ("raven", "", ""), crowns=crowns)
    game.play("play raven")
    assert elimination_words(game) == words
    if B in crowns:
        game.play("pass")
        assert elimination_words(game) == Says("One of B and C is out", "party chooses")


def test_dc_19_own_crowns_alone_save_rivals_from_a_hero() -> None:
    hands = ("1-stars", "", "")
    game = arrange_rivals("master-stars", hands, crowns={B: "mists donjon"}, must_answer="no")
    game.play("play 1-stars", "pass", "pass")
    assert elimination_words(game) == Says("One of B and C is out", "lowest card")


def test_pass_at_auction_risks_nothing_after_a_bid() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "8-swords", ""), bidding="ascending")
    assert "risk" in kinds(facts_of(game, "pass"))
    game.play("bid 7")
    assert "risk" not in kinds(facts_of(game, "pass"))


def test_last_owner_who_withholds_a_crown_makes_all_throw() -> None:
    game = arrange_rivals("6-swords", ("", "", ""), crowns={A: "mists", C: "ghost"})
    game.play("pass", "pass", "pass")
    assert sentences_of(facts_of(game, "pass"))[-1].startswith("If nobody else spends an open Crown, all throw")
    game.play("pass")
    assert sentences_of(facts_of(game, "pass"))[-1] == Says("All throw", "lowest forfeits")


def test_dc_40_pass_after_the_reveal_shows_cards_missing_from_the_hand() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "", "2-stars"), crowns={B: "mists"})
    game.play("play 1-stars", "pass")
    before = game.state.view(A)
    events = game.state.apply(Move.parse("play 2-stars"))
    facts = list(GAME.facts(before, game.state.view(A), events))
    assert Says("B", "no", "answers", "master-stars") in sentences_of(facts)
    assert ("revealed", C, ("2-stars",)) in [(fact.kind, fact.seat, fact.cards) for fact in facts]


def test_forfeit_shows_its_cause_and_the_cards_of_the_hand() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "", "2-stars"))
    game.play("play 1-stars", "pass")
    before, hand = game.state.view(A), game.hand(B)
    events = game.state.apply(Move.parse("play 2-stars"))
    facts = list(GAME.facts(before, game.state.view(A), events))
    (out,) = [fact for fact in facts if fact.kind == "out"]
    assert out.seat == B and sentences_of([out]) == [Says("B could not answer the hero", "forfeits")]
    assert hand in [set(fact.cards) for fact in facts]


def test_offer_reveals_nothing_of_a_hidden_hand() -> None:
    """An offer that would lay a hand open names its seat, and none of its cards."""
    game = arrange_rivals("master-stars", ("1-stars", "", "2-stars", "3-stars"), must_answer="no", crowns={B: "mists"})
    game.play("play 1-stars", "pass", "pass", "play 3-stars")
    for move in ("crown mists", "pass"):
        named = {card for fact in facts_of(game, move) for card in fact.cards}
        assert named.isdisjoint(game.hand(C))


def positions(seed: int) -> Iterator[tuple[CitadelState, CitadelView]]:
    """Yield each decision of a random game with the view of the seat that makes it."""
    rng = Random(seed)
    state = GAME.new(3 + seed % 4, complete(**OPTIONS[seed % len(OPTIONS)]), DECK)
    while state.turn is not None:
        if isinstance(state.turn, Prompt):
            yield state, state.view(state.turn.seat)
        state.apply(sample(state, rng))


def check_offers(seed: int) -> int:
    """Make every offered move, compare its certain facts with the result, and return the number of moves."""
    made = 0
    for state, view in positions(seed):
        prompt = state.turn
        assert isinstance(prompt, Prompt)
        for move, found in zip(prompt.moves, GAME.consequences(view, prompt.moves), strict=True):
            after = state.clone()
            after.apply(move)
            facts = [one.fact for one in found]
            if not prompt.secret:
                check_changes(view, after.view(view.seat), facts)
            check_rest_of_round(state, after, move, facts, Random(made))
            made += 1
    return made


def check_changes(before: CitadelView, after: CitadelView, facts: list[GameFact]) -> None:
    """Check that the facts name all changes of points, all forfeits and the end, and no others."""
    changes = {seat: current_score(after, seat) - current_score(before, seat) for seat in range(after.seats)}
    assert {fact.seat: fact.amount for fact in facts if fact.kind == "score"} == {
        seat: change for seat, change in changes.items() if change
    }
    gone = {forfeit.seat for forfeit in after.at.forfeits[len(before.at.forfeits) :]}
    assert {fact.seat for fact in facts if fact.kind == "out"} == gone
    assert any(fact.kind == "ends" for fact in facts) == (after.at.end is not None)
    opened = {card for seat, own in enumerate(after.at.crowns) for card in set(own) - set(before.at.crowns[seat])}
    told = [fact.sentence for fact in facts if fact.sentence and "then lies open" in fact.sentence.words]
    assert {sentence.cards[-1] for sentence in told} == opened


def check_rest_of_round(
    before: CitadelState, after: CitadelState, move: Move, facts: list[GameFact], rng: Random
) -> None:
    """Play at random to the end of the round; check that safe seats stay in and that forfeiting ones were warned."""
    prompt, rounds = before.turn, len(before.at.rounds)
    assert isinstance(prompt, Prompt)
    while after.turn is not None and len(after.at.rounds) == rounds and isinstance(after.turn, Prompt):
        after.apply(sample(after, rng))
    gone: set[Seat] = {forfeit.seat for forfeit in after.at.forfeits[len(before.at.forfeits) :]}
    safe = {fact.seat for fact in facts if fact.kind == "fulfilled"}
    assert safe.isdisjoint(gone)
    if None in safe:
        assert not gone
    if move == PASS and prompt.seat in gone and not prompt.party:
        warned = {"risk", "out"}.intersection(kinds(facts))
        assert warned, (prompt.text, move)
    gains = [fact.amount for fact in facts if fact.kind == "best-result" and fact.amount is not None]
    if gains and move.operands and move.operands[0] not in after.at.hands[prompt.seat] and after.at.end is None:
        view = after.view(prompt.seat)
        assert current_score(view, prompt.seat) - current_score(before.view(prompt.seat), prompt.seat) == gains[0]


@pytest.mark.parametrize("seed", range(5))
def test_facts_of_every_offered_move_come_true(seed: int) -> None:
    assert check_offers(seed) > 20


@pytest.mark.slow
def test_facts_of_every_offered_move_come_true_in_many_games() -> None:
    assert sum(map(check_offers, range(5, 105))) > 5000


@pytest.mark.parametrize("seed", range(4))
def test_dc_2_gm_is_told_who_cannot_answer_a_card_and_nothing_else_puts_a_player_out(seed: int) -> None:
    options, rng, dangers = complete(mode="coop", dealer="hand-of-5"), Random(seed), set[str]()
    state = GAME.new(3 + seed % 3, options, DECK)
    while state.turn is not None:
        if isinstance(state.turn, Chance) and state.turn.gm:
            for card in state.turn.options:
                facts = [*GAME.gm_facts(state.view(A), card)]
                danger = next((fact.kind for fact in facts if fact.kind in ("risk", "out")), "")
                assert {bool(fact.sentence) for fact in facts} == {True}
                is_saved, is_out = play_round(state, card, rng)
                assert is_out == (danger == "out") or (danger == "risk" and (is_out or is_saved))
                dangers.add(danger)
        state.apply(sample(state, rng))
    assert len(dangers) > 1


def play_round(state: CitadelState, card: str, rng: Random) -> tuple[bool, bool]:
    """Play a round at random, but not the joker; return whether open Crowns were spent, and whether a player is out."""
    before, state = state, state.clone()
    state.apply(draw_move(card))
    rounds = len(state.at.rounds)
    while isinstance(state.turn, Prompt) and len(state.at.rounds) == rounds:
        state.apply(rng.choice([move for move in state.turn.moves if move != JOKER]))
    is_saved = sum(map(len, state.at.crowns)) < sum(map(len, before.at.crowns))
    return is_saved, len(state.at.forfeits) > len(before.at.forfeits)


def test_dc_16_open_answer_to_a_hero_shows_what_becomes_of_the_card() -> None:
    game = arrange_game("master-stars", ("3-stars", "2-stars 4-stars ghost", "5-stars"))
    assert sentences_of(facts_of(game, "play 3-stars")) == ["A stays in.", Says("highest so far")]
    game.play("play 3-stars")
    results = [sentences_of(facts_of(game, f"play {card}"))[1] for card in ("2-stars", "4-stars", "ghost")]
    assert results[:2] == [Says("lower than the 3-stars"), Says("highest so far")]
    assert results[2] == Says("all answer", "open before B", "save a player")


@pytest.mark.parametrize(
    ("crowns", "end"), [({}, "and is out."), ({A: "mists"}, "and is out, unless an open Crown is spent.")]
)
def test_dc_20_dc_24_who_cannot_answer_a_hero_is_known_where_hands_are_open(crowns: dict[Seat, str], end: str) -> None:
    game = arrange_game("master-stars", ("3-stars 4-stars", "", "5-stars"), crowns=crowns)
    assert f"B cannot answer it {end}" in words_of_key_facts(game)
    assert sentences_of(facts_of(game, "play 3-stars"))[1] == "It is discarded."


@pytest.mark.parametrize(
    ("dealt", "is_allowed", "is_saved"),
    [("master-stars", "yes", True), ("master-stars", "no", False), ("ghost", "no", True)],
)
def test_dc_19_dc_22_an_open_crown_is_promised_only_where_it_may_be_spent(
    dealt: str, is_allowed: str, is_saved: bool
) -> None:
    game = arrange_game(dealt, ("raven", "", "donjon"), crowns={A: "mists"}, hero_open_crown=is_allowed)
    (words,) = (words for words in words_of_key_facts(game) if words.startswith("B cannot"))
    assert words.endswith("unless an open Crown is spent.") is is_saved


@pytest.mark.parametrize("ghost_crowns", ["no", "yes"])
def test_dc_30_open_crowns_of_who_is_out_are_promised_by_the_option(ghost_crowns: str) -> None:
    hands = ("raven", "", "donjon", "")
    game = arrange_game("ghost", hands, crowns={D: "mists"}, out=(D,), ghost_crowns=ghost_crowns)
    is_promised = any("unless an open Crown is spent" in words for words in words_of_key_facts(game))
    assert is_promised is (ghost_crowns == "yes")


def test_every_card_named_by_an_event_is_in_the_facts_of_the_step() -> None:
    for seed in range(10):
        rng = Random(seed)
        state = GAME.new(4, complete(**OPTIONS[seed % len(OPTIONS)]), DECK)
        while state.turn is not None:
            before = state.view(A)
            events = tuple(event for event in state.apply(sample(state, rng)) if event.is_visible_to(A))
            named = {card for fact in GAME.facts(before, state.view(A), events) for card in fact.cards}
            assert named.issuperset(card for event in events for card in event.cards)


def answers(game: Play, viewer: Seat) -> list[str | None]:
    """Return what the standing of each seat says in the view of `viewer`."""
    return [one.words and one.words.words for one in GAME.standing(game.state.view(viewer))]


def test_standing_says_who_can_answer_the_dealers_card_as_far_as_the_viewer_knows() -> None:
    hands = ("7-swords 2-coins", "2-stars 3-coins", "ghost 2-glyphs")
    assert answers(arrange_game("6-swords", hands, fill=False), B) == ["can answer", "cannot answer", "can answer"]
    rivals = arrange_rivals("6-swords", hands, fill=False)
    assert answers(rivals, B) == [None, "cannot answer", None]
    assert answers(arrange_game(None, hands, fill=False), B) == [None] * 3


def test_standing_knows_from_a_pass_who_cannot_answer() -> None:
    rivals = arrange_rivals("6-swords", ("7-swords", "2-stars 3-coins", "ghost"), fill=False)
    at = rivals.state.at
    at.lacks = add_pass(at.lacks, B, rivals.state.rules.cards.answers["6-swords"])
    assert answers(rivals, A) == ["can answer", "cannot answer", None]
    at.lacks = add_draw(at.lacks, B, 1)
    assert answers(rivals, A) == ["can answer", None, None]
