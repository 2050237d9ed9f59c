"""Games between bots that are played to their end without a journal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from vaultkit.bots.registry import Bot, make_bot
from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame, State
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.options import Value
from vaultkit.games.turn import Chance, draw_move
from vaultkit.session import seeded_choices
from vaultkit.session.options import select_game_options

BotMaker = Callable[[str], Bot]
NO_KNOWN_ANSWERS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True)
class Lineup:
    """A game with its deck and complete options, and a strategy for each seat.

    `bots` is the function that makes a bot of a strategy. It must be at module level, so that a lineup can be sent to
    other processes.
    """

    game: AnyGame
    deck: Deck
    strategies: tuple[str, ...]
    options: Mapping[str, Value]
    bots: BotMaker = make_bot

    def make_start_state(self) -> State[Any]:
        """Return the initial state of the game. Raises UsageError if it cannot be played with this number of seats."""
        state: State[Any] = self.game.new(len(self.strategies), select_game_options(self.game, self.options), self.deck)
        return state

    def make_bots(self) -> tuple[Bot, ...]:
        """Return a bot for each seat. Raises UsageError for an unknown strategy."""
        return tuple(self.bots(strategy) for strategy in self.strategies)


class Moment(NamedTuple):
    """An action of a seat that reports on the balance of a game count.

    `kind` is the kind of action. `card` is the id of its card, "" if it is not about a single card.
    """

    kind: str
    card: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Playout:
    """The results of a finished game between bots.

    `decisions` is the number of decisions with a choice. `moments` contains no duplicates. `roles` maps the roles in
    the game to seats. `together` says that all players win or lose together.
    """

    outcome: Outcome
    decisions: int
    moments: tuple[Moment, ...]
    roles: Mapping[str, Seat] = field(default_factory=dict)
    together: bool = False

    def share(self, seat: Seat) -> float:
        """Return the share of a seat in the win, from 0 to 1.

        A win shared by rivals is divided among them; a win of all players together counts in full for each winner.
        """
        winners = self.outcome.winners
        return float(seat in winners) if self.together else (seat in winners) / max(1, len(winners))


def play_out(
    lineup: Lineup, bots: tuple[Bot, ...], seed: int, known_answers: Mapping[str, tuple[str, ...]] = NO_KNOWN_ANSWERS
) -> Playout:
    """Play a game between bots to its end.

    The moves are the same as in a session with the same seats and seed. `known_answers` maps the names of chance turns
    to answers that are not left to luck.
    """
    state, step, decisions = lineup.make_start_state(), 0, 0
    moments: dict[Moment, None] = {}
    while (turn := state.turn) is not None:
        step += 1
        if isinstance(turn, Chance):
            answer = known_answers.get(turn.name)
            move = draw_move(*answer) if answer else seeded_choices.deal(turn, seed, step)
        elif len(turn.moves) == 1 and not turn.ask_always:
            move = turn.moves[0]
        else:
            decisions += 1
            seat, name = turn.seat, lineup.strategies[turn.seat]
            move = seeded_choices.choose(bots[seat], state.view(seat), lineup.game, name, seed=seed, step=step)
        for event in state.apply(move):
            if event.seat is not None and (key := lineup.game.balance_key(event)):
                moments[Moment(*key, event.seat)] = None
    outcome = lineup.game.outcome(state)
    assert outcome is not None, "a game whose turn is None is over"
    together = outcome.kind in lineup.game.shared_endings or lineup.options.get("mode") == "coop"
    return Playout(outcome, decisions, tuple(moments), lineup.game.roles(state), together)
