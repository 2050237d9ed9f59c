"""The search bot: it keeps to views, rules and its budget, and looking ahead pays."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bots.auction import DECK, Auction, AuctionState, AuctionView
from tests.bots.peeking import make_peeking_game
from tests.counts import count
from tests.games.conformance import deck_of
from vaultkit.bots.greedy_choice import GreedyBot
from vaultkit.bots.registry import Bot, RandomBot, make_bot
from vaultkit.bots.search import Luck, RngStream, Search, SearchBot
from vaultkit.bots.search_tree import SearchNode, rewards
from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.turn import Chance, Move, Pile, Prompt, Rng
from vaultkit.session.options import settle
from vaultkit.session.playout import Lineup, play_out

GAME = Auction()
LADDER: tuple[Bot, ...] = (RandomBot(), SearchBot(10), SearchBot(100))


@dataclass
class Watched:
    """A bot that records its choices and how many of them were not offered."""

    bot: Bot
    chosen: list[Move]
    illegal: int = 0

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        assert view.prompt is not None
        move = self.bot.choose(view, game, rng)
        self.chosen.append(move)
        self.illegal += move not in view.prompt.moves
        return move


def search(iterations: int) -> Watched:
    return Watched(SearchBot(iterations), [])


def begin(seats: int, seed: int, bids: int = 0) -> tuple[AuctionState, Random]:
    """Return an auction in its first round after the given number of bids, and its random generator."""
    rng = Random(seed)
    state = GAME.new(seats, {}, DECK)
    while isinstance(state.turn, Chance) or (state.turn is not None and len(state.bids) < bids):
        turn = state.turn
        state.apply(
            Luck(RngStream(rng)).answer(turn)
            if isinstance(turn, Chance)
            else turn.moves[rng.randrange(len(turn.moves))]
        )
    return state, rng


def wins(game: AnyGame, mine: Bot, other: Bot, deals: int, seats: int = 2) -> float:
    """Return the share of games that `mine` wins, from each seat in turn on the same deals."""
    won = 0.0
    for seat in range(seats):
        lineup = Lineup(game, DECK, ("",) * seats, settle(game, {}))
        bots = tuple(mine if at == seat else other for at in range(seats))
        for seed in range(deals):
            winners = play_out(lineup, bots, seed).outcome.winners
            won += (seat in winners) / len(winners)
    return won / (deals * seats)


@pytest.mark.slow
@settings(max_examples=count(10, 500))
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(1, 12))
def test_every_move_is_listed_and_the_same_seed_gives_the_same_game(seats: int, seed: int, iterations: int) -> None:
    lineup = Lineup(GAME, DECK, ("search",) * seats, settle(GAME, {}))
    bots = tuple(search(iterations) for _ in range(seats))
    again = tuple(search(iterations) for _ in range(seats))
    assert play_out(lineup, bots, seed) == play_out(lineup, again, seed)
    assert [bot.chosen for bot in bots] == [bot.chosen for bot in again]
    assert not any(bot.illegal for bot in bots)


@pytest.mark.slow
@settings(max_examples=count(25, 500))
@given(st.integers(2, 6), st.integers(0, 10**6), st.data())
def test_g3_hidden_hands_and_bids_of_others_change_nothing(seats: int, seed: int, data: st.DataObject) -> None:
    state, rng = begin(seats, seed, data.draw(st.integers(0, seats - 1)))
    assert isinstance(state.turn, Prompt)
    view = state.view(state.turn.seat)
    other = GAME.determinize(view, rng)
    assert other.view(view.seat) == view
    moves = {SearchBot(20).choose(one.view(view.seat), GAME, Random(seed)) for one in (state, other)}
    assert len(moves) == 1


@pytest.mark.slow
def test_search_beats_random_play_clearly() -> None:
    assert wins(GAME, search(15), RandomBot(), 30) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_deeper_search_is_better(seats: int) -> None:
    at_random, a_little, further = (wins(GAME, bot, RandomBot(), 80, seats) for bot in LADDER)
    assert at_random + 0.05 < a_little < further, (at_random, a_little, further)


@pytest.mark.slow
def test_knowing_hidden_cards_is_an_advantage() -> None:
    """A search that is handed the true position wins more often than one that samples."""
    cheating, honest = (share(game) for game in (make_peeking_game(rules("prophets-gambit")), rules("prophets-gambit")))
    assert cheating > honest, (cheating, honest)


def share(game: AnyGame, deals: int = 12) -> float:
    """Return the share of games that a search wins against two greedy bots, in each seat of the same deals."""
    lineup, won = Lineup(game, deck_of(game), ("",) * 3, settle(game, {})), 0.0
    for seat, seed in product(range(3), range(deals)):
        bots = tuple(make_bot("search:60" if at == seat else "greedy") for at in range(3))
        winners = play_out(lineup, bots, seed).outcome.winners
        won += (seat in winners) / len(winners)
    return won / (3 * deals)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> list[Outcome]:
    """Return a list that collects the result of every game that a search plays to its end."""
    seen: list[Outcome] = []

    def record_rewards(outcome: Outcome, game: AnyGame) -> tuple[float, ...]:
        seen.append(outcome)
        return rewards(outcome, game)

    monkeypatch.setattr("vaultkit.bots.search.rewards", record_rewards)
    return seen


@pytest.mark.parametrize(("iterations", "done"), [(1, 0), (2, 2), (17, 16), (100, 100)])
def test_iteration_budget_is_respected_and_no_deal_is_half_tried(
    iterations: int, done: int, results: list[Outcome]
) -> None:
    state, rng = begin(2, 3)
    SearchBot(iterations).choose(state.view(0), GAME, rng)
    assert len(results) == done


def test_moves_are_compared_on_the_same_deals() -> None:
    """The n-th reward of each remaining move comes from the same deal, whatever the budget."""
    state, rng = begin(2, 3)
    for budget in range(5, 60, 9):
        searching = Dealing(GAME, state.view(0), rng)
        best = searching.find_best_move(budget)
        deals = searching.deals
        assert deals[best] == list(range(len(deals[best])))
        assert all(tried == deals[best][: len(tried)] for tried in deals.values())


class Dealing(Search):
    """A search that records on which deals each move was tried."""

    def __init__(self, game: AnyGame, view: View, rng: Rng) -> None:
        super().__init__(game, view, rng)
        self.deals: dict[Move, list[int]] = {}
        self.numbers: dict[int, RngStream] = {}

    def iterate(self, move: Move, state: State[Any], luck: Luck) -> None:
        if not self.numbers or self.numbers[len(self.numbers) - 1] is not luck.numbers:
            self.numbers[len(self.numbers)] = luck.numbers
        self.deals.setdefault(move, []).append(len(self.numbers) - 1)
        super().iterate(move, state, luck)


def test_chance_gives_every_move_of_a_deal_the_same_result() -> None:
    """Two moves of one deal meet the same luck, even if a card that came back is drawn again."""
    whole = Chance("draw", Sentence("Draw."), ("T-1",), Pile(("a", "b", "c", "d", "e", "f")), 1)
    drawn = set()
    for seed in range(20):
        lots = RngStream(Random(seed))
        first, second = ([luck.answer(whole), luck.answer(whole)] for luck in (Luck(lots), Luck(lots)))
        assert first == second
        drawn.add(first[0] == first[1])
    assert drawn == {False, True}


def test_move_without_a_choice_takes_no_time() -> None:
    state, rng = begin(2, 3)
    state.hands[0] = state.hands[0][:1]
    imagined = Counting()
    SearchBot(17).choose(state.view(0), imagined, rng)
    assert imagined.times == 0


def test_advice_of_the_guide_is_preferred_to_untried_moves() -> None:
    state, rng = begin(2, 3)
    guide = Highest()
    assert SearchBot(1, guide=guide).choose(state.view(0), GAME, rng) == guide.choose(state.view(0), GAME, rng)


class Highest(GreedyBot):
    """A bot that bids the highest card."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        assert view.prompt is not None
        return max(view.prompt.moves, key=lambda move: move.operands)


class Counting(Auction):
    times = 0

    def determinize(self, view: AuctionView, rng: Rng) -> AuctionState:
        self.times += 1
        return super().determinize(view, rng)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [info.id for info in GAMES.values() if info.guide])
def test_search_bot_can_play_every_game(game_id: str) -> None:
    game = rules(game_id)
    options = settle(game, {})
    seats = max(game.seats[0], min(3, game.seats[1]))
    played = play_out(Lineup(game, deck_of(game), ("search:2",) * seats, options), (make_bot("search:2"),) * seats, 1)
    assert played.decisions


@pytest.mark.parametrize("name", ["search:0", "search:", "search:-3", "search:1e3", "search:9999999999", "search:٣"])
def test_invalid_number_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_bot(name)
    assert "search:300" in caught.value.hint


def test_only_search_accepts_a_number() -> None:
    with pytest.raises(UsageError):
        make_bot("greedy:3")


def test_promising_move_is_tried_again_and_a_rarely_possible_one_is_not_neglected() -> None:
    node, prompt = SearchNode(), make_prompt("good", "bad")
    for _ in range(200):
        move, arm = node.select(prompt, Random(0))
        arm.visits, arm.reward = arm.visits + 1, arm.reward + (move.verb == "good")
    late = make_prompt("good", "bad", "late")
    assert node.arms[0, Move("good")].visits > node.arms[0, Move("bad")].visits
    assert node.select(late, Random(0))[0].verb == "late", "what was never tried comes first"
    assert node.arms[0, Move("late")].available == 1 < node.arms[0, Move("bad")].available


def make_prompt(*verbs: str) -> Prompt:
    return Prompt(0, Sentence("What?"), "Rule", ("T-1",), tuple(map(Move, verbs)))


def make_outcome(*scores: int, named: str = "score", winners: tuple[int, ...] | None = None) -> Outcome:
    best = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    parts = tuple({named: score, "x": 1} for score in scores)
    return Outcome("end", best if winners is None else winners, Sentence("Over."), ("T-1",), parts, ranks)


@pytest.mark.parametrize("named", ["score", "strength"])
def test_clear_win_is_better_than_a_close_one_and_any_win_better_than_a_defeat(named: str) -> None:
    assert all(0 <= reward <= 1 for reward in rewards(make_outcome(9, 1, 0, named=named), GAME))
    won, lost = rewards(make_outcome(9, 1, named=named), GAME)
    assert won > 0.7 and lost < 0.3
    far, close = rewards(make_outcome(9, 1), GAME), rewards(make_outcome(9, 8), GAME)
    assert far[0] > close[0] > close[1] > far[1]


def test_dd_3_character_counts_remaining_cards_and_values_them_most_when_few() -> None:
    game = rules("deck-of-destiny")

    def reward(cards: int, won: bool) -> float:
        owned = ("Inventory", Sentence("{cards}", cards=tuple(map(str, range(cards)))))
        kind, winners = ("win", (0,)) if won else ("loss", ())
        return rewards(Outcome(kind, winners, Sentence("Over."), (), ({},), (1,), (owned,)), game)[0]

    assert reward(4, True) > reward(4, False) > reward(3, False) > reward(0, False) == 0
    assert reward(1, False) - reward(0, False) > reward(9, False) - reward(8, False)
    assert reward(2, True) > reward(3, False), "a win is worth a card or two by itself"


def test_leading_gains_nothing_in_a_common_win() -> None:
    assert rewards(make_outcome(9, 1, winners=(0, 1)), GAME) == (1.0, 1.0)
    assert rewards(make_outcome(9, 1, winners=()), GAME) == (0.0, 0.0)


def piles() -> Iterator[Chance]:
    text = Sentence("Draw.")
    yield Chance("draw", text, ("T-1",), Pile(("a", "b", "c"), ("d", "e")), 4)
    yield Chance("draw", text, ("T-1",), Pile((), ("d", "e")))
    yield Chance("draw", text, ("T-1",), Pile(("a", "b", "c")), 1)
    yield Chance("pick", text, ("T-1",), options=("x", "y"))


@pytest.mark.parametrize(("chance", "answers"), [*zip(piles(), (6, 1, 3, 2), strict=True)])
def test_every_possible_answer_of_chance_occurs(chance: Chance, answers: int) -> None:
    """Every possible answer comes up, and no other: the known bottom of a pile is drawn in order."""
    assert len({chance.check(Luck(RngStream(Random(seed))).answer(chance)) for seed in range(60)}) == answers
