"""Moves and results at the table that cannot be saved: all see it, and it is tried again."""

from pathlib import Path
from random import Random

import pytest

from tests.web.test_game_at_the_table import (  # noqa: F401
    BOT,
    BRAM,
    LOGGED,
    YSOLDE,
    go_on,
    open_game,
    play_out,
    workspace,
)  # fmt: skip
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import WriteError
from vaultkit.session.seats import SeatSpec


def test_move_that_cannot_be_saved_is_reported_to_all_and_the_question_remains(
    workspace: Workspace,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise WriteError("The journal could not be written: the disk is full.")

    with open_game(workspace, tmp_path, "dragon-citadel", YSOLDE, BOT, SeatSpec("Corvina", "greedy")) as (
        table,
        session,
    ):
        question, steps = table.scene()["question"], len(session.steps)
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal.Journal.append", fail)
            refused = table.order("offer", offer=0)
        assert (refused.status, len(session.steps)) == (422, steps)
        assert "disk is full" in refused.json["why"]
        scene = table.scene()
        assert "disk is full" in str(scene)
        assert scene["question"] == question
        assert table.order("offer", offer=0).status == 200
        assert "disk is full" not in str(table.scene())


def test_bots_whose_moves_cannot_be_saved_wait_and_retry(
    workspace: Workspace,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise WriteError("The journal could not be written: the drive is gone.")

    with open_game(workspace, tmp_path, "dragon-citadel", YSOLDE, BOT, SeatSpec("Corvina", "greedy")) as (
        table,
        session,
    ):
        while session.prompt and session.prompt.seat == 0:
            assert table.order("offer", offer=0, sure=True).status == 200
        steps = len(session.steps)
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal.Journal.append", fail)
            wait = table.page.go_on(watched=True)
        assert wait
        assert (1 < wait <= 3, len(session.steps)) == (True, steps)
        table.held._next_step_time = 0.0  # type: ignore[attr-defined]
        go_on(table)
        assert len(session.steps) > steps


@pytest.mark.slow
def test_end_that_cannot_be_logged_is_shown_and_logged_later(workspace: Workspace, tmp_path: Path) -> None:  # noqa: F811
    errors, logs = [WriteError("The note is locked."), WriteError("Still locked.")], list[int]()

    def log() -> LogResult:
        if errors:
            raise errors.pop(0)
        logs.append(1)
        return LOGGED

    with open_game(workspace, tmp_path, "deck-of-destiny", YSOLDE, log=log) as (table, session):
        play_out(table, session, Random(1))
        assert not table.held.over
        assert "The note is locked" in str(table.scene())
        assert "Not written: the notes." in str(table.scene())
        again = {"question": table.scene()["question"], "do": "write-again"}
        assert table.post(f"{table.at}order", again).status == 200
        assert "Still locked" in str(table.scene())
        assert table.post(f"{table.at}order", again).status == 200, "sent twice, it counts once"
        assert "Still locked" in str(table.scene())
        assert table.order("write-again").status == 200
        assert table.held.over
        assert "Games/Game.md" in str(table.scene())
        assert not table.held.closed
        go_on(table)
        assert table.order("write-again").status == 200
        assert logs == [1]
