import pytest

from tests.session.helpers import Begin, play_first, resume, settle
from tests.sessions import undo
from vaultkit.games.messages import Event, Sentence
from vaultkit.games.turn import Move
from vaultkit.session import Session, Step
from vaultkit.session.history import Undo, UndoRefused, plan
from vaultkit.session.journal import read


def play_cheers(session: Session, times: int = 1) -> int:
    """Play the move `cheer` several times, and return the seat of the first one."""
    settle(session)
    assert session.prompt
    seat = session.prompt.seat
    for _ in range(times):
        session.submit(Move("cheer"))
    return seat


def test_g_8_own_last_decision_is_undone(new: Begin) -> None:
    with new() as session:
        seat = play_cheers(session)
        before = session.view(seat)
        undo(session, seat)
        assert session.prompt and session.prompt.seat == seat and session.view(seat) != before
        assert read(session.path).lines[-1].record.to == len(session.steps)


def test_g_8_decisions_of_others_in_between_are_undone_too(new: Begin) -> None:
    with new() as session:
        seat = play_cheers(session, 2)
        undo(session, seat)
        assert session.prompt and session.prompt.seat == seat
        assert not [step for step in session.steps if step.seat is not None]


def test_g_8_undone_moves_stay_undone_after_resume(new: Begin) -> None:
    with new() as session:
        undo(session, play_cheers(session))
        session.submit(Move("wait"))
    with resume(session.path) as again:
        assert again.steps == session.steps and again.steps[-1].move == Move("wait")


def test_g_8_undo_stops_at_a_deal(new: Begin) -> None:
    with new("North") as session:
        play_first(session, 2)
        with pytest.raises(UndoRefused, match="dealt") as caught:
            undo(session, 0)
        assert caught.value.exit_code == 5


def test_g_8_undo_stops_at_unseen_chance() -> None:
    steps = [Step(1, Move("cheer"), (), 0), Step(2, Move("draw", ("1-roots",)), (), None, "deal")]
    with pytest.raises(UndoRefused, match="dealt"):
        plan(steps, 0, "safe")


def test_g_8_undo_stops_at_revealed_information(new: Begin) -> None:
    with new("North", hands="hidden", undo="safe") as session:
        play_first(session, 1)
        assert session.prompt
        shown = session.submit(session.prompt.moves[0])
        assert any(event.reveals for event in shown)
        with pytest.raises(UndoRefused, match="seen"):
            undo(session, 0)


def test_g_8_nothing_to_undo(new: Begin) -> None:
    with new() as session:
        settle(session)
        with pytest.raises(UndoRefused, match="nothing"):
            undo(session, 0)


def test_g_8_undo_off(new: Begin) -> None:
    with new(undo="off") as session:
        seat = play_cheers(session)
        with pytest.raises(UndoRefused, match="without undo"):
            undo(session, seat)


def test_g_8_free_undo_passes_everything_and_is_marked(new: Begin) -> None:
    with new("North", undo="free") as session:
        play_first(session, 2)
        undo(session, 0)
        assert session.prompt and session.prompt.secret is False and session.free_undos == 1
        assert read(session.path).lines[-1].record.free
    with resume(session.path) as again:
        assert again.free_undos == 1


def test_g_8_free_undo_is_not_marked_where_safe_undo_would_be_allowed(new: Begin) -> None:
    with new(undo="free") as session:
        undo(session, play_cheers(session))
        assert session.free_undos == 0


def test_g_8_an_undo_does_not_change_the_deal(new: Begin) -> None:
    with new("North", undo="free") as session:
        play_first(session, 2)
        dealt = session.steps
        undo(session, 0)
        play_first(session, 1)
        assert session.steps == dealt


def test_g_6_automatic_moves_are_not_undone_as_decisions() -> None:
    steps = [Step(1, Move("cheer"), (), 0), Step(2, Move("play", ("1-roots",)), (), 0, auto=True)]
    assert plan(steps, 0, "safe") == Undo(to=0)
    with pytest.raises(UndoRefused):
        plan(steps[1:], 0, "free")


def test_finished_game_cannot_be_undone(new: Begin) -> None:
    with new("North", undo="free") as session:
        play_first(session)
        with pytest.raises(UndoRefused, match="over"):
            undo(session, 0)


def make_event(
    kind: str, seats: tuple[int, ...], cards: tuple[str, ...] = (), seen_by: frozenset[int] | None = None
) -> Event:
    sentence = Sentence("It happens.", seats, cards)
    return Event(kind, sentence, "", (), seats[0] if seats else None, cards, seen_by, reveals=True)


MINE, OTHER = "1-roots", "2-roots"


@pytest.mark.parametrize(
    ("step", "closes"),
    [
        (Step(1, Move("play", (MINE,)), (make_event("play", (0,), (MINE,)),), 0), False),
        (Step(1, Move("play", (MINE, OTHER)), (make_event("play", (0, 1), (MINE, OTHER)),), 0), False),
        (Step(1, Move("bid", (MINE,)), (make_event("bid", (0,)),), 0), False),
        (Step(1, Move("play", (MINE,)), (make_event("look", (1, 0), (OTHER,), frozenset({1})),), 0), False),
        (Step(1, Move("play", (MINE,)), (make_event("reveal", (0,), (MINE, OTHER)),), 0), True),
        (Step(1, Move("play", (MINE,)), (make_event("reveal", (0, 1), (MINE,)),), 0), True),
        (Step(1, Move("pass"), (make_event("reveal", (0, 1)),), 0), True),
        (Step(1, Move("target", ("1",)), (make_event("look", (0, 1), (OTHER,), frozenset({0})),), 0), True),
        (Step(1, Move("play", (MINE,)), (make_event("seen", (), (MINE,)),), 0), True),
    ],
)
def test_g_8_own_card_reveals_nothing_but_cards_played_by_others_do(step: Step, closes: bool) -> None:
    if closes:
        with pytest.raises(UndoRefused, match="seen"):
            plan([step], 0, "safe")
    else:
        assert plan([step], 0, "safe") == Undo(to=0)


def test_g_8_card_played_since_by_another_is_new_information() -> None:
    own = Step(1, Move("play", (MINE,)), (make_event("play", (0,), (MINE,)),), 0)
    reply = Step(2, Move("play", (OTHER,)), (make_event("play", (1,), (OTHER,)),), 1)
    quiet = Step(2, Move("pass"), (), 1)
    assert plan([own, quiet], 0, "safe") == Undo(to=0)
    with pytest.raises(UndoRefused, match="seen"):
        plan([own, reply], 0, "safe")


def test_g_8_player_who_has_peeked_since_cannot_undo_another_decision() -> None:
    theirs = Step(1, Move("bid", (MINE,)), (make_event("bid", (0,)),), 0)
    peek = Step(2, Move("target", ("0",)), (make_event("look", (1, 0), (OTHER,), frozenset({1})),), 1)
    assert plan([theirs, peek], 0, "safe", people=(0,)) == Undo(to=0), "a bot forgets what it saw"
    with pytest.raises(UndoRefused, match="seen"):
        plan([theirs, peek], 0, "safe", people=(0, 1))
    shown_before = Step(1, Move("play", (MINE,)), (make_event("play", (0,), (MINE,)),), 0)
    assert plan([shown_before, Step(2, Move("pass"), (), 1)], 0, "safe", people=(0, 1)) == Undo(to=0)
