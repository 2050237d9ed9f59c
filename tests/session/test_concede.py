"""Concessions in sessions of real games (G-14): journal, resume, replay, undo, people and bots."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.games.conformance import deck_of
from tests.sessions import create_session, undo
from tests.wording import Says
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.concession import CONCEDE, CONCEDED
from vaultkit.games.messages import Seat
from vaultkit.games.registry import rules
from vaultkit.session import Session, parse_seats
from vaultkit.session.headers import new_header
from vaultkit.session.history import UndoRefused, replay
from vaultkit.session.journal import read
from vaultkit.session.journal_records import SCHEMA, Agreement, ConcedeRecord
from vaultkit.session.match import create_match, read_match

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
Play = Callable[..., Session]


def resume(session: Session) -> Session:
    return Session.resume(session.path, session.game, session.deck, clock=lambda: NOON)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Begin a game and play up to its first decision; options are keywords."""

    def begin(game: str, *seats: str, **options: object) -> Session:
        rule = rules(game)
        session = create_session(
            tmp_path, rule, deck_of(rule, options), parse_seats(seats), id=f"20261103-{game}-k3f9", seed=5,
            clock=lambda: NOON, options=options,
        )  # fmt: skip
        settle(session)
        return session

    return begin


def settle(session: Session) -> None:
    for _ in session.advance():
        pass


def play_to(session: Session, seat: Seat, secret: bool = False) -> None:
    """Play first moves until the seat has an open, or a secret, decision."""
    while (prompt := session.prompt) and (prompt.seat != seat or prompt.secret is not secret):
        session.submit(prompt.moves[0])
        settle(session)
    assert session.prompt


def test_g_14_a_concession_has_a_line_of_its_own_and_is_replayed(play: Play) -> None:
    with play("prophets-gambit", "Ysolde", "Bram", "Nettle") as session:
        play_to(session, 1)
        events = session.concede(1)
        assert session.words(events[0].sentence) == "Bram concedes."
        line = next(line for line in session.path.read_text().splitlines() if CONCEDE in line)
        assert json.loads(line) == {"kind": "concede", "n": len(session.steps), "seat": 1}
    with resume(session) as again:
        assert again.steps == session.steps
        assert [again.view(seat) for seat in range(3)] == [session.view(seat) for seat in range(3)]
        while again.prompt:
            assert again.prompt.seat != 1
            again.submit(again.prompt.moves[0])
            settle(again)
        assert again.outcome and again.outcome.ranks[1] == 3
        assert ("Conceded", (1,)) in [(topic, fact.seats) for topic, fact in again.outcome.facts]
    contents, steps = replay(session.path, session.game, session.deck)
    assert steps == again.steps and contents.end
    assert contents.end.outcome == again.outcome


def test_g_14_with_two_seats_the_other_wins(play: Play) -> None:
    with play("turn-of-fate", "Ysolde", "bot:easy=Aldous") as session:
        play_to(session, 0)
        before = session.game.standing(session.view(0))
        session.concede(0)
        assert session.outcome and session.outcome.kind == CONCEDED and session.outcome.winners == (1,)
        assert session.words(session.outcome.reason) == Says("Ysolde", "conceded", "Aldous wins")
        assert [parts["total"] for parts in session.outcome.whole_scores] == [standing.measure for standing in before]
    assert read(session.path).end


def test_g_14_bots_do_not_play_on_when_the_last_person_concedes(play: Play) -> None:
    with play("propheta", "Ysolde", "bot:easy", "bot:easy") as session:
        play_to(session, 0)
        session.concede(0)
        assert session.outcome and session.outcome.kind == CONCEDED and not session.needs_person
        assert session.outcome.ranks[0] == 3 and 0 not in session.outcome.winners


def test_g_14_a_party_gives_up_together_and_has_lost(play: Play) -> None:
    with play("dragon-citadel", "Ysolde", "Bram", "Nettle", mode="coop") as session:
        assert session.prompt
        session.concede(session.prompt.seat)
        assert session.outcome and session.outcome.winners == () and session.outcome.kind == CONCEDED
        assert session.words(session.outcome.reason) == Says("party", "conceded", "game is lost")


def test_g_14_a_rival_forfeits_in_the_citadel_and_keeps_the_score(play: Play) -> None:
    with play("dragon-citadel", "Ysolde", "Bram", "Nettle", mode="competitive") as session:
        assert session.prompt
        seat, score = session.prompt.seat, session.game.standing(session.view(0))
        session.concede(seat)
        settle(session)
        standings = session.game.standing(session.view(0))
        assert [standing.out for standing in standings] == [other == seat for other in range(3)]
        assert standings[seat].points == score[seat].points and not session.outcome


@pytest.mark.parametrize(("answers", "kind"), [(0, "retreat"), (1, "retreat"), (2, "retreat"), (5, "loss")])
def test_g_14_an_encounter_is_a_retreat_where_the_rules_know_one_else_lost(play: Play, answers: int, kind: str) -> None:
    with play("deck-of-destiny", "Ysolde") as session:
        for _ in range(answers):
            assert session.prompt
            moves = {move.verb: move for move in session.prompt.moves}
            added = any(step.move.verb == "add" for step in session.steps)
            session.submit(moves.get("proceed") or moves.get("play") or (moves["done"] if added else moves["add"]))
            settle(session)
        session.concede(0)
        assert session.outcome and session.outcome.kind == kind and not session.outcome.winners
        assert "has conceded" in session.words(session.outcome.reason)


def test_g_14_in_a_secret_choice_only_the_own_choice_is_void(play: Play) -> None:
    with play("prophets-gambit", "Ysolde", "Bram", "Nettle") as session:
        chosen = {}
        for _ in range(2):
            assert session.prompt and session.prompt.secret
            chosen[session.prompt.seat] = session.prompt.moves[0].operands
            session.submit(session.prompt.moves[0])
        first, second = chosen
        assert session.prompt and session.prompt.secret
        (event,) = session.concede(first)
        assert event.seen_by is None and not event.cards
        session.submit(session.prompt.moves[0])
        shown = next(event for step in session.steps for event in step.events if event.kind == "opening")
        assert first not in shown.sentence.seats and chosen[second][0] in shown.cards


def test_g_14_outside_the_own_turn_it_says_whose_turn_it_is(play: Play) -> None:
    with play("dragon-citadel", "Ysolde", "Bram", "Nettle", mode="coop") as session:
        assert session.prompt
        before, other = session.path.read_bytes(), (session.prompt.seat + 1) % 3
        with pytest.raises(UsageError, match=f"It is the turn of {session.name(session.prompt.seat)}, not of"):
            session.concede(other)
        assert session.path.read_bytes() == before


def test_g_14_bots_and_lent_seats_never_concede(play: Play) -> None:
    with play("prophets-gambit", "Ysolde", "Bram", "bot:easy=Aldous") as session:
        with pytest.raises(UsageError, match="never concedes"):
            session.concede(2)
        session.lend(1, "easy")
        with pytest.raises(UsageError, match="never concedes"):
            session.concede(1)


def test_g_8_a_concession_is_undone_only_as_far_as_nothing_new_was_seen(play: Play) -> None:
    with play("prophets-gambit", "Ysolde", "Bram", "Nettle") as session:
        play_to(session, 1)
        before, steps = [session.view(seat) for seat in range(3)], session.steps
        session.concede(1)
        undo(session, 1)
        assert [session.view(seat) for seat in range(3)] == before and session.steps == steps
        session.concede(1)
        play_to(session, 0)
        with pytest.raises(UndoRefused):
            undo(session, 1)
    with resume(session) as again:
        assert again.steps == session.steps


def test_g_8_a_concession_that_shows_a_hand_or_ends_the_game_is_not_undone(play: Play) -> None:
    with play("dragon-citadel", "Ysolde", "Bram", "Nettle", mode="competitive") as session:
        assert session.prompt
        seat = session.prompt.seat
        session.concede(seat)
        with pytest.raises(UndoRefused, match="seen since"):
            undo(session, seat)
        session.concede(session.prompt.seat)
        with pytest.raises(UndoRefused, match="over"):
            undo(session, seat)


def test_a_journal_of_schema_2_goes_on_in_the_present_schema(play: Play) -> None:
    with play("turn-of-fate", "Ysolde", "Bram") as session:
        pass
    header, *lines = session.path.read_text().splitlines()
    old = [json.dumps(json.loads(header) | {"schema": 2}, separators=(",", ":")), *lines]
    session.path.write_text("\n".join(old) + "\n", newline="")
    with resume(session) as again:
        assert again.prompt
        again.concede(again.prompt.seat)
    assert json.loads(session.path.read_text().splitlines()[0])["schema"] == SCHEMA == 3
    assert isinstance(read(session.path).steps[-1].record, ConcedeRecord)


@pytest.mark.parametrize("seat", [0, 1, 7, -1])
def test_a_journal_with_a_concession_out_of_turn_is_refused(play: Play, seat: Seat) -> None:
    with play("turn-of-fate", "Ysolde", "Bram") as session:
        assert session.prompt
        if seat == session.prompt.seat:
            return
    number = len(session.steps) + 1
    session.path.write_text(session.path.read_text() + f'{{"kind":"concede","n":{number},"seat":{seat}}}\n')
    with pytest.raises(InvalidError, match="does not fit the game"):
        resume(session)


def test_g_14_in_a_match_only_the_game_that_is_played_is_conceded(tmp_path: Path) -> None:
    rule = rules("turn-of-fate")
    deck = deck_of(rule)
    agreement = Agreement(match_games=3)
    header = new_header(rule, deck, parse_seats(["Ysolde", "Bram"]), NOON, id="20261103-match-k3f9", seed=5,
                        agreement=agreement)  # fmt: skip
    create_match(tmp_path, header)
    path = tmp_path / "20261103-match-k3f9.journal"
    for number, loser in enumerate(("Ysolde", "Bram", "Bram"), 1):
        match = read_match(path)
        assert len(match.games) == number - 1 and not match.outcome
        with Session.begin(tmp_path, rule, deck, match.next_header(rule, NOON), clock=lambda: NOON) as session:
            settle(session)
            while session.prompt and session.name(session.prompt.seat) != loser:
                session.submit(session.prompt.moves[0])
                settle(session)
            assert session.prompt
            session.concede(session.prompt.seat)
    match = read_match(path)
    assert match.outcome and [seat.won for seat in match.places] == [2, 1] and match.outcome.winners == (0,)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["fair", "hard"])
def test_g_14_bots_play_on_beside_a_neighbour_who_conceded_before_showing_a_card(play: Play, strategy: str) -> None:
    with play("prophets-gambit", "Anna", f"bot:{strategy}", "Ben") as session:
        session.concede(0)
        settle(session)
        while session.prompt:
            session.submit(session.prompt.moves[0])
            settle(session)
        assert session.outcome and session.outcome.ranks[0] == 3
