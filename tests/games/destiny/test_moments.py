"""The moments of an encounter in a balance report: the hand, and retreats."""

from random import Random

from tests.games.destiny.position import DECK, GAME, complete
from vaultkit.games.turn import Chance, Move


def test_hands_of_the_player_and_retreats_are_counted_without_cards() -> None:
    found: set[tuple[str, str]] = set()
    for seed in range(40):
        rng = Random(seed)
        state = GAME.new(1, complete(), DECK)
        while (turn := state.turn) is not None:
            if isinstance(turn, Chance):
                move = Move("draw", tuple(rng.sample(sorted(turn.pile.unknown), turn.count)))
            else:
                move = rng.choice(turn.moves)
            found |= {moment for event in state.apply(move) if (moment := GAME.balance_key(event))}
    assert ("retreat", "") in found and ("made a pair", "") in found
    assert {card for _, card in found} == {""}
    assert {kind.partition(" ")[0] for kind, _ in found} == {"retreat", "made"}
