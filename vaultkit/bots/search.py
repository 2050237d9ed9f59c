"""Information-set Monte Carlo tree search, seen by one observer, with states sampled from the view.

After Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search (2012). Each iteration deals out anew what
the seat does not see, goes down one tree that all those deals share, and plays on to the end of the game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vaultkit.bots.base import Bot
from vaultkit.bots.reward import rewards
from vaultkit.bots.tree import Arm, Node
from vaultkit.games.base import Game, State, View
from vaultkit.games.turn import Chance, Move, Prompt, Rng, drawn
from vaultkit.games.words import Seat

ITERATIONS = 100
"""A move takes about a third of a second in most of the games at hand."""

FORESIGHT = 20
"""Decisions after the tree ends that follow the guide: about a whole game of the shorter ones."""

MOST_ITERATIONS = 1_000_000


def never() -> bool:
    """A budget of time that does not run out."""
    return False


class SearchBot:
    """Looks ahead as often as its budget allows: `iterations`, or fewer if `expired()` says that time is up.

    A `guide` says what is tried first, by whichever seat decides. With a budget of iterations alone equal views,
    games and generators give equal moves.
    """

    def __init__(
        self, iterations: int = ITERATIONS, expired: Callable[[], bool] = never, guide: Bot | None = None
    ) -> None:
        self._iterations = iterations
        self._expired = expired
        self._guide = guide

    def choose(self, view: View, game: Game[Any], rng: Rng) -> Move:
        assert view.prompt is not None, "a bot is asked only when it has to decide"
        if len(view.prompt.moves) == 1:
            return view.prompt.moves[0]
        root, search = Node(), Search(game, view.seat, rng, self._guide)
        for done in range(self._iterations):
            if done and self._expired():
                break
            search.iterate(root, game.determinize(view, rng))
        return root.favourite(view.prompt)


@dataclass(frozen=True, slots=True)
class Search:
    """What stays the same during a search: the game, who looks ahead, luck, and who is asked what to try first."""

    game: Game[Any]
    observer: Seat
    rng: Rng
    guide: Bot | None = None

    def iterate(self, root: Node, state: State[Any]) -> None:
        """Down the tree to a move never tried, on to the end, and the result back to each move on the way."""
        path = self.descend(root, state)
        self.play_on(state)
        outcome = state.outcome()
        assert outcome is not None, "a game whose turn is None is over"
        earned = rewards(outcome)
        for seat, arm in path:
            arm.visits += 1
            arm.reward += earned[seat]

    def descend(self, node: Node, state: State[Any]) -> list[tuple[Seat, Arm]]:
        """Play `state` along the tree until a new arm has grown, or to the end. Returns the arms on the way.

        What luck brings is no part of the tree: it is drawn anew each time. What another seat chooses face down
        (G-3) leads to one position, so that nothing further down depends on what the observer cannot know.
        """
        path: list[tuple[Seat, Arm]] = []
        grown = False
        while not grown and (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(luck(turn, self.rng))
                continue
            move = turn.moves[0]
            if len(turn.moves) > 1:
                move, arm = node.select(turn, self.rng, self._advice(turn, state))
                path.append((turn.seat, arm))
                grown = not arm.visits
            state.apply(move)
            node = node.follow((turn.seat, None if turn.secret and turn.seat != self.observer else move))
        return path

    def play_on(self, state: State[Any]) -> None:
        """Play to the end of the game: the next few decisions as the guide says, all others at random."""
        guided = FORESIGHT
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                state.apply(luck(turn, self.rng))
            elif len(turn.moves) > 1 and guided and (advice := self._advice(turn, state)):
                guided -= 1
                state.apply(advice())
            else:
                state.apply(any_of(turn, self.rng))

    def _advice(self, prompt: Prompt, state: State[Any]) -> Callable[[], Move] | None:
        """What to try first, worked out only if somebody asks. The guide sees what the deciding seat would see."""
        guide = self.guide
        if guide is None:
            return None
        return lambda: guide.choose(state.view(prompt.seat), self.game, self.rng)


def any_of(prompt: Prompt, rng: Rng) -> Move:
    """One of the moves, each as likely as the others."""
    moves = prompt.moves
    return moves[0] if len(moves) == 1 else moves[rng.randrange(len(moves))]


def luck(chance: Chance, rng: Rng) -> Move:
    """An answer of luck: an option, or cards from the unknown part of the pile and then its known bottom."""
    if chance.options:
        return drawn(chance.options[rng.randrange(len(chance.options))])
    unknown = chance.pile.unknown
    if chance.count == 1 and unknown:
        return drawn(unknown[rng.randrange(len(unknown))])
    cards = list(unknown)
    taken = [_take(cards, rng) for _ in range(min(chance.count, len(cards)))]
    return drawn(*taken, *chance.pile.bottom[: chance.count - len(taken)])


def _take(cards: list[str], rng: Rng) -> str:
    """A card at random out of `cards`; the last one takes its place, which is faster than closing the gap."""
    at = rng.randrange(len(cards))
    cards[at], cards[-1] = cards[-1], cards[at]
    return cards.pop()
