"""Several cards chosen in one entry, and what has changed since the last decision."""

from pathlib import Path

import pytest

from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import NAMES, begin
from tests.terminal.test_board import draw_decision
from tests.wording import Says
from vaultkit.terminal.board import Snapshot
from vaultkit.terminal.real_card_commands import SeatMemory


def type_lines(folder: Path, game: str, seats: tuple[str, ...], *typed: str) -> tuple[list[str], str]:
    """Return the moves that the person made, and what the screen showed."""
    console = screen()
    with begin(folder, game, seats, real=False, seed=5) as session:
        play(session, console, person(console, *typed), Notes())
        moves = [step.move.id for step in session.steps if step.seat == 0 and not step.auto]
    return moves, screen_text(console)


PROPHETA = ("propheta", (NAMES[0], "bot:greedy"))


@pytest.mark.slow
def test_cards_that_are_chosen_at_once_are_one_entry(tmp_path: Path) -> None:
    moves, seen = type_lines(tmp_path, *PROPHETA, "c a, e d", "y")
    assert len(moves) == 4 and len({move.split()[0] for move in moves}) == 1
    assert seen.count("which card do you lay face down") == 1 and "together:" in seen and seen.count("Sure?") == 1
    hand = [move.split()[1] for move in type_lines(tmp_path / "single", *PROPHETA, "c", "a", "e", "d")[0]]
    assert [move.split()[1] for move in moves] == hand, "letters mean the same cards, also after the first is laid"


def test_the_same_letters_in_another_order_confirm_an_entry(tmp_path: Path) -> None:
    moves, _ = type_lines(tmp_path, *PROPHETA, "c a, e d", "D e A, c")
    assert len(moves) == 4
    moves, seen = type_lines(tmp_path / "other", *PROPHETA, "c a, e d", "c a e")
    assert moves == [] and "Nothing was played." in seen


def test_entry_of_too_many_cards_or_without_consent_plays_nothing(tmp_path: Path) -> None:
    moves, seen = type_lines(tmp_path, *PROPHETA, "a b c d e", "a b", "n")
    assert moves == [] and seen == Says("4 of these cards", "not 5") and "Nothing was played." in seen


@pytest.mark.slow
def test_cards_added_at_once_show_what_they_make_together(tmp_path: Path) -> None:
    moves, seen = type_lines(tmp_path, "deck-of-destiny", (NAMES[0],), "a", "a", "c d", "y")
    assert [move.split()[0] for move in moves[-2:]] == ["add", "add"]
    together = seen[seen.index("together:") : seen.index("Sure?")]
    assert together.count("So far ") == 1, "what both make, and not what each of them makes"


def test_changes_since_the_last_decision_are_marked(tmp_path: Path) -> None:
    memory = SeatMemory()
    with begin(tmp_path, "turn-of-fate", NAMES[:2], real=False, seed=3) as session:
        list(session.advance())
        assert session.prompt
        first = draw_decision(session, 100, memory=memory)
        seat = session.prompt.seat
        assert not any("*" in line for line in first), "everything is new before the first decision"
        while True:
            session.submit(session.prompt.moves[0])
            list(session.advance())
            assert session.prompt
            if session.prompt.seat == seat:
                break
        again = draw_decision(session, 100, memory=memory)
    assert "* new" in again[0] and any(" *" in line for line in again[1:])


def test_nothing_is_new_for_a_snapshot_of_the_same_scene(tmp_path: Path) -> None:
    memory = SeatMemory()
    with begin(tmp_path, "propheta", NAMES[:3], real=False) as session:
        list(session.advance())
        draw_decision(session, 80, memory=memory)
        assert isinstance(memory.snapshot, Snapshot)
        assert not any("*" in line for line in draw_decision(session, 80, memory=memory))
