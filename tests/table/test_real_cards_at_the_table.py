"""Real cards at the table: the referee's screen, by touch and by typing, whole and light."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.play.refereed import NAMES, begin
from tests.table.driver import Table
from tests.table.test_game_at_the_table import LOGGED, go_on, workspace  # noqa: F401
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.scene.real_cards import holder
from vaultkit.session import Session, Step
from vaultkit.table.consulting import Consulting, plain
from vaultkit.table.ending import ending_of_game
from vaultkit.table.real_game import RealGameOnTable

GAMES: dict[str, tuple[int, dict[str, object]]] = {
    "dragon-citadel": (3, {}),
    "dragon-citadel-rivals": (3, {"mode": "competitive"}),
    "propheta": (3, {}),
    "prophets-gambit": (3, {}),
    "turn-of-fate": (2, {}),
    "deck-of-destiny": (1, {}),
}


@contextmanager
def refereed(space: Workspace, folder: Path, name: str) -> Iterator[tuple[Table, Session, Session]]:
    """A game at a table with real cards, and the same game as it is really played: by bots, unknown to the table."""
    game = name.removesuffix("-rivals")
    seats, options = GAMES[name]
    people = NAMES[:seats]
    with begin(folder, game, [f"bot:greedy={who}" for who in people], real=False, **options) as truth:
        list(truth.advance())
    with begin(folder, game, people, **options) as session:
        notes = GameNotes.of(space, game)
        consulting = Consulting(session, notes.reference(session, plain))
        held = RealGameOnTable(session, consulting, 0, lambda: (LOGGED, ending_of_game(session, LOGGED, Path("/v"))))
        table = Table(held, session.deck.by_id)
        go_on(table)
        yield table.sit(), session, truth


def pad(table: Table) -> Any:
    return table.held.sight(table.door.clients[0]).pad


def answer(table: Table, session: Session, truth: Session, rng: Random) -> None:
    """Say of the turn of now what is true, behind a cover where there is one."""
    client = table.door.clients[0]
    cover = table.held.sight(client).cover
    if cover and not cover.is_open:
        assert table.order("uncover").status == 200
    step = truth.steps[len(session.steps)]
    sight = table.held.sight(client)
    if sight.pad is None:
        place = [offer.move for offer in sight.scene.offers].index(step.move)
        assert table.order("offer", offer=place, sure=True).status == 200
        return
    named = list(step.move.operands) or ["nothing"]
    if "stayed face down" in sight.pad.question:
        seat = next(at for at, name in enumerate(NAMES) if sight.pad.question.startswith(name))
        named = [card for event in truth.steps[-1].events if event.kind == "in-vain" and event.seat == seat for card in event.cards]
    words = [session.name(int(one)) if one.isdecimal() and len(one) == 1 else one for one in named]
    if rng.random() < 0.5:
        words = [", ".join(words)]
    for one in words:
        reply = table.order("name", words=one, sure=True)
        assert reply.status == 200, reply.body


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_refereed_as_it_was_played(workspace: Workspace, tmp_path: Path, name: str) -> None:  # noqa: F811
    with refereed(workspace, tmp_path, name) as (table, session, truth):
        rng, largest = Random(3), 0
        while not session.outcome:
            answer(table, session, truth, rng)
            go_on(table)
            largest = max(largest, len(table.events(1)[0][1]))
        assert session.outcome == truth.outcome
        if not session.header.unseen:
            assert [step.move for step in session.steps] == [step.move for step in truth.steps]
        assert table.held.over
        assert "Games/Game.md" in str(table.scene())
        assert largest <= 15 * 1024


def refusal(table: Table, words: str, **more: object) -> str:
    reply = table.order("name", words=words, **more)
    assert reply.status == 422
    return str(reply.json["why"])


def test_cards_are_named_one_by_one_refused_with_a_reason_and_taken_back(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with refereed(workspace, tmp_path, "dragon-citadel") as (table, session, _):
        assert pad(table).question == "Which 5 cards?"
        assert table.order("name", words="raven").status == 200
        assert (pad(table).named, pad(table).question) == (("Raven",), "4 more?")
        assert "You have named the Raven already" in refusal(table, "the Raven")
        assert "Did you mean 'berserker'?".casefold() in refusal(table, "bersreker", typed=True).casefold()
        assert table.order("name", words="6sw, 7sw", typed=True).status == 200
        gone = {tile.id for _, tiles in pad(table).suits for tile in tiles if tile.is_gone}
        assert gone == {"raven", "6-swords", "7-swords"}
        assert "can be named" in table.order("why", card="1-swords").json["html"]
        assert table.order("undo").status == 200
        assert pad(table).named == ("Raven", "Berserker (6 of Swords)")
        old = table.scene()["question"]
        assert table.order("name", words="7sw 8sw 9sw").status == 200
        again = {"question": old, "do": "name", "words": "2sw"}
        assert table.post(f"{table.at}order", again).status == 409, "an answer counts once"
        assert len(session.steps) == 1
        assert pad(table).named == ()
        assert table.order("undo").status == 200
        assert (session.steps, pad(table).question) == ((), "Which 5 cards?")


def test_cards_that_others_may_not_see_are_named_behind_a_cover(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    with refereed(workspace, tmp_path, "dragon-citadel-rivals") as (table, session, _):
        other = Table.sit(table)
        assert holder(session) == 0
        assert table.order("name", words="raven").status == 422, "nobody has lifted the cover"
        assert "index-" not in str(table.scene())
        assert table.order("uncover").status == 200
        assert table.order("name", words="raven 6sw").status == 200
        first, second = other.door.clients
        sights = [table.held.sight(client) for client in (first, second)]
        assert [bool(sight.pad) for sight in sights] == [False, True]
        assert table.order("name", words="7sw, 8sw, 9sw").status == 200
        assert len(session.steps) == 1
        sight = table.held.sight(second)
        assert sight.pad is None and sight.cover and sight.cover.name == "Bram" and not sight.cover.is_open
        assert "Berserker" not in str(table.scene()), "the next one does not see it"
