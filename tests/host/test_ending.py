"""The end of a game: the cards that decided it are known to clients then, and not before."""

from pathlib import Path
from random import Random

import pytest

from tests.host.test_orders import EACH, begin, host_of, order
from vaultkit.host.ending import MAX_TURNING_POINT_COUNT
from vaultkit.host.orders import PlayMove, Viewer


@pytest.mark.parametrize("game", EACH)
def test_cards_that_decided_are_shown_at_the_end_and_nothing_of_them_before(tmp_path: Path, game: str) -> None:
    with begin(tmp_path / "game", game) as session:
        seats, rng = set(session.people), Random(game)
        host = host_of(session, seats)
        viewers = {seat: Viewer(str(seat), frozenset({seat})) for seat in seats}
        screen = Viewer("screen", frozenset(), is_operator=True)
        while session.prompt:
            assert all(host.view(viewer).ending is None for viewer in (*viewers.values(), screen))
            order(host, viewers[session.prompt.seat], PlayMove(rng.choice(session.prompt.moves)))
        endings = [host.view(viewer).ending for viewer in (*viewers.values(), screen)]
        public_cards = {
            card for step in session.steps for event in step.events if event.seen_by is None for card in event.cards
        }
        for ending in endings:
            assert ending and ending.outcome
            hands = len(seats) if game == "prophets-gambit" else 0
            assert len(ending.deciding) <= max(hands, MAX_TURNING_POINT_COUNT)
            assert ending.deciding or ending.outcome.kind == "retreat"
            for sentence, cards in ending.deciding:
                assert cards and set(cards) <= public_cards & set(sentence.cards)
                assert "{" not in sentence.render(str, str) and sentence.render(str, str)[0] != " "


@pytest.mark.short(1)
@pytest.mark.parametrize("seats", [3, 5])
def test_pg_37_all_final_hands_are_shown(tmp_path: Path, seats: int) -> None:
    with begin(tmp_path / "game", "prophets-gambit", seats=seats) as session:
        everybody = set(session.people)
        rng, host = Random(seats), host_of(session, everybody)
        while session.prompt:
            seat = session.prompt.seat
            order(host, Viewer(str(seat), frozenset({seat})), PlayMove(rng.choice(session.prompt.moves)))
        ending = host.view(Viewer("screen", frozenset(), is_operator=True)).ending
        assert ending and {sentence.seats[0] for sentence, _ in ending.deciding} == everybody
