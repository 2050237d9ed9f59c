"""Information-set Monte Carlo tree search from the view of one seat, on positions sampled from that view.

After Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search (2012), with two changes for a budget of
few iterations. Each sampled deal is played once with every remaining move, so that moves are compared on the same
cards; and the worse half of the moves is dropped again and again, as in Karnin, Koren and Somekh, Almost Optimal
Exploration in Multi-Armed Bandits (2013).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from operator import itemgetter
from statistics import fmean, stdev
from typing import Any

from vaultkit.bots.greedy_choice import GreedyBot, HandDealer, PlayOn
from vaultkit.bots.search_tree import Arm, SearchNode, is_lost, rewards
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Seat
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance, Move, Prompt, Rng, draw_move

_RANDOM_STEPS = 1 << 30


DEFAULT_ITERATIONS = 100
"""The default number of iterations. A move then takes about a third of a second in most games."""

MAX_GUIDED_MOVES = 60
"""The maximum number of decisions, after the tree is left, that follow the guide; later decisions are random.

It is enough for a whole deal of any game.
"""

MIN_CONFIDENCE = 2.0
"""The number of standard errors by which the mean reward of a move must exceed another to count as better."""

MIN_COMPARED_SAMPLES = 5
"""The number of deals that two moves must both have been tried on before one can count as better."""

MAX_DANGER_SHARE = 0.2
"""The share of deals from which on a move that ends the seat's own game is replaced by a safer one.

The safer move must also end it on a share of deals that is smaller by this number.
"""

FIRST_DANGER_DEALS, DANGER_DEALS = 6, 20
"""The numbers of deals on which a move is tested for ending the seat's own game: at first, and if it does on one."""

MIN_PROOF_DEALS, PROOF_CONFIDENCE = 20, 3.0
"""The minimum deals and standard errors for keeping a better move that is likely to end the seat's own game."""

MAX_ITERATIONS = 1_000_000


class RngStream(dict[tuple[str, int], int]):
    """The random numbers of one deal, created on first use: one for each card and each time that it can be drawn."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def __missing__(self, key: tuple[str, int]) -> int:
        self[key] = number = self._rng.randrange(_RANDOM_STEPS)
        return number


class Luck(dict[str, int]):
    """The chance events of one game on a deal, in which the cards with the lowest numbers are drawn.

    Games that share a stream of random numbers draw the same cards.
    """

    def __init__(self, numbers: RngStream) -> None:
        self.numbers = numbers
        self._draw_counts = Counter[str]()

    def __missing__(self, card: str) -> int:
        self[card] = number = self.numbers[card, self._draw_counts[card]]
        return number

    def answer(self, chance: Chance) -> Move:
        """Return the answer to a chance turn: an option, or cards of its pile.

        Cards are drawn from the unknown part of the pile, and then from its known bottom.
        """
        if chance.options:
            return draw_move(*self._draw(chance.options, 1))
        cards = self._draw(chance.pile.unknown, chance.count)
        return draw_move(*cards, *chance.pile.bottom[: chance.count - len(cards)])

    def _draw(self, pool: Iterable[str], count: int) -> list[str]:
        numbered_cards = sorted([(self[card], card) for card in pool])[:count]
        cards = [*map(itemgetter(1), numbered_cards)]
        for card in cards:
            self._draw_counts[card] += 1
            del self[card]
        return cards


class SearchBot:
    """A bot that plays `iterations` sampled games to their end.

    If `iterations` is None, the number is that of the game (`GameInfo.tries`). The `guide` advises every seat which
    move to try first in the tree, and how to play on after it.
    """

    def __init__(self, iterations: int | None, guide: GreedyBot | None = None) -> None:
        self._iterations = iterations
        self._guide = guide

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        if len(view.moves) == 1:
            return view.moves[0]
        iterations = self._iterations or iterations_of(game)
        return Search(game, view, rng, self._guide).find_best_move(iterations)


def iterations_of(game: AnyGame) -> int:
    """Return the number of iterations of a hard bot for a decision in this game."""
    info = GAMES.get(game.id)
    return info.tries if info else DEFAULT_ITERATIONS


@dataclass(slots=True)
class Search:
    """The search for the best move of one decision.

    `view` is what the deciding seat sees, `earned` contains the rewards of each move so far, and `done` is the number
    of iterations so far. `shortcut` and `likely` are functions of the guide, or None: the first one plays many moves at
    once, the second one deals the hidden cards anew by what the seat has seen.
    """

    game: AnyGame
    view: View
    rng: Rng
    guide: GreedyBot | None = None
    root: SearchNode = field(default_factory=SearchNode)
    earned: dict[Move, list[float]] = field(default_factory=dict)
    done: int = 0
    shortcut: PlayOn | None = field(init=False, default=None)
    likely: HandDealer | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.guide:
            self.shortcut, self.likely = self.guide.shortcut(self.game), self.guide.find_dealer(self.game)

    def find_best_move(self, iterations: int) -> Move:
        """Return the best move, by dropping the worse half of the moves again and again until one is left.

        The move that the guide advises is never dropped, and only a clearly better move replaces it. The search ends
        early if all other moves are clearly worse.
        """
        moves = list(self.view.moves)
        advised = self.guide.choose(self.view, self.game, self.rng) if self.guide else None
        moves.sort(key=lambda move: move != advised)
        del moves[iterations:]
        round_count = (len(moves) - 1).bit_length()
        for round_number in range(1, round_count + 1):
            self._compare(moves, max(len(moves) - self.done, iterations * round_number // round_count))
            moves.sort(key=self._mean_reward, reverse=True)
            del moves[(len(moves) + 1) // 2 :]
            if advised is not None:
                moves = [*(move for move in moves if move != advised and not self._is_better(advised, move)), advised]
            if len(moves) == 1:
                break
        return self._avoid_own_end(moves[0] if advised is None or self._is_better(moves[0], advised) else advised)

    def _avoid_own_end(self, candidate: Move) -> Move:
        """Return the candidate, or a safer move if the candidate is likely to end the seat's own game.

        The candidate is kept nevertheless if it does not end the game on all deals and is clearly better on many deals.
        """
        if not self.done:
            return candidate
        deals = [self._sample_deal() for _ in range(FIRST_DANGER_DEALS)]
        if not self._estimate_danger(candidate, deals):
            return candidate
        deals += [self._sample_deal() for _ in range(DANGER_DEALS - FIRST_DANGER_DEALS)]
        danger = self._estimate_danger(candidate, deals)
        if danger < MAX_DANGER_SHARE:
            return candidate
        limit = 1 - 1 / DANGER_DEALS if danger == 1 else min(danger / 2, danger - MAX_DANGER_SHARE)
        dangers = {move: self._estimate_danger(move, deals, limit) for move in self.view.moves if move != candidate}
        safer = [move for move, move_danger in dangers.items() if move_danger <= limit]
        if not safer:
            return candidate
        best = max(safer, key=lambda move: (self._mean_reward(move), -dangers[move]))
        is_proven = danger < 1 and self._is_better(candidate, best, MIN_PROOF_DEALS, PROOF_CONFIDENCE)
        return candidate if is_proven else best

    def _estimate_danger(self, move: Move, deals: Sequence[tuple[State[Any], RngStream]], limit: float = 1.0) -> float:
        """Return the share of deals on which a move ends the seat's own game, if all seats then follow the guide.

        A share above `limit` is returned as 1.
        """
        end_count = 0
        for deal, rng_stream in deals:
            end_count += self._ends_own_game(move, deal.clone(), Luck(rng_stream))
            if end_count > limit * len(deals):
                return 1.0
        return end_count / len(deals)

    def _ends_own_game(self, move: Move, state: State[Any], luck: Luck) -> bool:
        """Return whether the seat loses before its second decision, or before its first decision after a chance turn.

        One more decision is included because a seat that passes may be asked at once which card it shows, and only
        then be out of the game.
        """
        state.apply(move)
        decision_count, is_drawn = 0, False
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                is_drawn = True
                state.apply(luck.answer(turn))
                continue
            decision_count += turn.seat == self.view.seat
            if turn.seat == self.view.seat and (is_drawn or decision_count > 1):
                return False
            state.apply(self._guided_move(turn, state))
        outcome = self.game.outcome(state)
        assert outcome is not None, "a game whose turn is None is over"
        return is_lost(outcome, self.game, self.view.seat)

    def _guided_move(self, turn: Prompt, state: State[Any]) -> Move:
        """Return the move that the guide advises, or a random move if there is no guide."""
        adviser = self._make_adviser(turn, state) if len(turn.moves) > 1 else None
        return adviser() if adviser else random_move(turn, self.rng)

    def _mean_reward(self, move: Move) -> float:
        """Return the mean reward of a move, or -1 if it was never tried."""
        earned = self.earned.get(move)
        return fmean(earned) if earned else -1.0

    def _is_better(
        self, move: Move, other_move: Move, min_deals: int = MIN_COMPARED_SAMPLES, confidence: float = MIN_CONFIDENCE
    ) -> bool:
        """Return whether a move was rewarded more than another on the same deals, by more than chance explains."""
        pairs = zip(self.earned.get(move, ()), self.earned.get(other_move, ()), strict=False)
        gains = [reward - other_reward for reward, other_reward in pairs]
        return len(gains) >= min_deals and fmean(gains) > confidence * stdev(gains) / sqrt(len(gains))

    def _compare(self, moves: list[Move], max_iterations: int) -> None:
        """Play sampled deals, each with every move, until `max_iterations` are done."""
        while self.done + len(moves) <= max_iterations:
            deal, rng_stream = self._sample_deal()
            for move in moves:
                self.iterate(move, deal.clone(), Luck(rng_stream))

    def _sample_deal(self) -> tuple[State[Any], RngStream]:
        """Return a random position that agrees with the view, and the random numbers for its chance turns."""
        deal, rng_stream = self.game.determinize(self.view, self.rng), RngStream(self.rng)
        if self.likely:
            self.likely(self.view, deal, self.rng)
        return deal, rng_stream

    def iterate(self, move: Move, state: State[Any], luck: Luck) -> None:
        """Play `move`, follow the tree down to a new move, play on to the end of the game, and record the rewards."""
        seat = self.view.seat
        state.apply(move)
        path = self.descend(self.root.follow((seat, move)), state, luck)
        state = self.play_on(state, luck)
        outcome = self.game.outcome(state)
        assert outcome is not None, "a game whose turn is None is over"
        seat_rewards = rewards(outcome, self.game)
        self.earned.setdefault(move, []).append(seat_rewards[seat])
        self.done += 1
        for arm_seat, arm in path:
            arm.visits += 1
            arm.reward += seat_rewards[arm_seat]

    def descend(self, node: SearchNode, state: State[Any], luck: Luck) -> list[tuple[Seat, Arm]]:
        """Play along the tree until a new arm is added or the game ends, and return the seats and arms on the way.

        Chance turns are not in the tree: they are answered anew for each deal. All moves that another seat makes face
        down (G-3) share one node, so that nothing below it depends on what the observer cannot know.
        """
        path: list[tuple[Seat, Arm]] = []
        has_grown = False
        while not has_grown and (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(luck.answer(turn))
                continue
            move = turn.moves[0]
            if len(turn.moves) > 1:
                move, arm = node.select(turn, self.rng, self._make_adviser(turn, state))
                path.append((turn.seat, arm))
                has_grown = not arm.visits
            state.apply(move)
            node = node.follow((turn.seat, None if turn.secret and turn.seat != self.view.seat else move))
        return path

    def play_on(self, state: State[Any], luck: Luck) -> State[Any]:
        """Play to the end of the game and return the final state.

        The next `MAX_GUIDED_MOVES` decisions follow the guide, all others are random.
        """
        guided_moves_left = MAX_GUIDED_MOVES
        while (turn := state.turn) is not None:
            if self.shortcut and guided_moves_left and (later_state := self.shortcut(state)):
                guided_moves_left, state = 0, later_state
            elif isinstance(turn, Chance):
                state.apply(luck.answer(turn))
            elif len(turn.moves) > 1 and guided_moves_left and (adviser := self._make_adviser(turn, state)):
                guided_moves_left -= 1
                state.apply(adviser())
            else:
                state.apply(random_move(turn, self.rng))
        return state

    def _make_adviser(self, prompt: Prompt, state: State[Any]) -> Callable[[], Move] | None:
        """Return a function that returns the guide's move for the current decision, or None without a guide.

        The guide sees what the deciding seat sees.
        """
        guide = self.guide
        if guide is None:
            return None
        return lambda: guide.choose(state.view(prompt.seat), self.game, self.rng)


def random_move(prompt: Prompt, rng: Rng) -> Move:
    """Return one of the moves of a decision, each with equal probability."""
    moves = prompt.moves
    return moves[0] if len(moves) == 1 else moves[rng.randrange(len(moves))]
