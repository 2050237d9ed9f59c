"""The end of a game: the cards that decided it are known to clients then, and not before."""

from pathlib import Path
from random import Random

import pytest

from tests.host.test_orders import EACH, begin, host_of, order
from vaultkit.host.ending import MAX_DECIDING_SENTENCE_COUNT
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
            assert ending and ending.outcome and len(ending.deciding) <= MAX_DECIDING_SENTENCE_COUNT
            assert ending.deciding or ending.outcome.kind == "retreat"
            for sentence, cards in ending.deciding:
                assert cards and set(cards) <= public_cards & set(sentence.cards)
                assert "{" not in sentence.render(str, str) and sentence.render(str, str)[0] != " "
