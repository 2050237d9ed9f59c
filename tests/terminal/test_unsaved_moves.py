"""A move that cannot be saved: nothing is played, and a person at the terminal tries again; a script ends."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.session.helpers import begin
from tests.terminal.helpers import Notes, person, play_script, screen, screen_text
from tests.terminal.playing import play
from vaultkit.errors import WriteError
from vaultkit.session import Session


def fail_at(session: Session, *numbers: int) -> None:
    """Let the calls with these numbers, counted from 1, fail to write into the journal."""
    append: Callable[..., None] = session._journal.append
    calls = iter(range(1, 999))

    def write(*values: object, **named: object) -> None:
        if next(calls) in numbers:
            raise WriteError("The disk is full.")
        append(*values, **named)

    session._journal.append = write  # type: ignore[method-assign]


def test_person_makes_an_unsaved_move_again(tmp_path: Path) -> None:
    console = screen()
    with begin(tmp_path, "Ysolde", ask="always") as session:
        list(session.advance())
        steps = len(session.steps)
        fail_at(session, 1)
        play(session, console, person(console, "a", "a"), Notes())
        assert len(session.steps) > steps
    shown = screen_text(console)
    assert shown.count("Not saved, so nothing was played: The disk is full.") == 1
    assert "The game is saved. Continue with: vaultkit resume" in shown


def test_unsaved_step_of_luck_is_tried_again_on_enter(tmp_path: Path) -> None:
    console = screen()
    with begin(tmp_path, "Ysolde", ask="always") as session:
        fail_at(session, 1, 2)
        play(session, console, person(console, "", ""), Notes())
        assert session.steps
    assert screen_text(console).count("Press Enter to try again.") == 2


def test_unsaved_step_ends_the_game_with_an_error_once_nobody_tries_again(tmp_path: Path) -> None:
    console = screen()
    with begin(tmp_path, "Ysolde", ask="always") as session:
        fail_at(session, 1)
        with pytest.raises(WriteError, match="The disk is full"):
            play(session, console, person(console), Notes())
        assert not session.steps


def test_script_ends_at_an_unsaved_move(tmp_path: Path) -> None:
    with begin(tmp_path, "Ysolde", ask="always") as session:
        list(session.advance())
        steps = len(session.steps)
        fail_at(session, 1)
        with pytest.raises(WriteError, match="The disk is full"):
            play_script(session, "a")
        assert len(session.steps) == steps
