"""The delay between moves of bots, also after the last person has stopped playing."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.session import helpers
from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import begin
from tests.wording import Says
from vaultkit.errors import UsageError
from vaultkit.scene.bot_speed import seconds_of
from vaultkit.session import Step
from vaultkit.terminal.answer_sources import TerminalSource


class Clock:
    """A fake clock that advances only while somebody waits or thinks."""

    def __init__(self, *typed: str) -> None:
        self.now = 100.0
        self.waits: list[float] = []
        self._typed = iter(typed)

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> str:
        self.waits.append(seconds)
        self.now += seconds
        return next(self._typed, "")


def test_time_in_which_bots_think_is_time_to_read(tmp_path: Path) -> None:
    clock, console = Clock(), screen()
    with helpers.begin(tmp_path, "bot:first", "bot:first", "bot:first") as session:
        advance = session.advance

        def think() -> Iterator[Step]:
            clock.now += 0.25
            return advance()

        session.advance = think  # type: ignore[method-assign]
        play(session, console, TerminalSource(console), Notes(), delay_seconds=2, clock=clock, wait=clock.wait)
    assert set(clock.waits) == {1.75}


def test_bots_wait_for_each_other_but_not_for_people(tmp_path: Path) -> None:
    clock, console = Clock(), screen()
    with helpers.begin(tmp_path, "Ysolde", "bot:first", "bot:first", "bot:first", ask="always") as session:
        play(session, console, person(console, "a"), Notes(), delay_seconds=1, clock=clock, wait=clock.wait)
        bots = [step for step in session.steps if step.seat and not step.auto]
    assert len(bots) == 3 and "Which card" in screen_text(console)
    assert clock.waits == [1] * 2, "the person who is asked then reads in their own time"


def test_q_in_a_pause_leaves_and_saves_the_played_moves(tmp_path: Path) -> None:
    clock, console = Clock("", "q"), screen()
    with helpers.begin(tmp_path, "bot:first", "bot:first", "bot:first") as session:
        assert (
            play(session, console, TerminalSource(console), Notes(), delay_seconds=1, clock=clock, wait=clock.wait)
            is None
        )
        assert len(clock.waits) == 2 and len(session.steps) > 2
    assert "The game is saved. Continue with: vaultkit resume" in screen_text(console)


def test_unknown_speed_is_refused() -> None:
    assert seconds_of("slow") > seconds_of("fast") > seconds_of("off") == 0
    with pytest.raises(UsageError, match="'fats' is not a speed") as error:
        seconds_of("fats")
    assert "Did you mean 'fast'?" in error.value.hint


@pytest.mark.parametrize("dry_run", [False, True])
def test_interrupted_dry_run_states_that_it_continues_as_one(tmp_path: Path, dry_run: bool) -> None:
    console = screen(200)
    with helpers.begin(tmp_path, "Ysolde") as session:
        play(session, console, person(console, "q"), Notes(), dry_run=dry_run)
    resume = "Continue with: vaultkit resume 20261103-toy-k3f9"
    dry = f"No note is written; the game itself is kept. {resume} --dry-run\n"
    assert screen_text(console).endswith(dry if dry_run else f"The game is saved. {resume}\n")


@pytest.mark.slow
def test_rounds_without_people_are_one_line_each(tmp_path: Path) -> None:
    class Anybody(TerminalSource):
        def answer(self, *_: object) -> str:
            assert session.prompt
            return rng.choice(session.prompt.moves).id

        def confirm(self, *_: object) -> bool:
            return True

    console, rng, clock = screen(200), Random(2), Clock()
    seats = ("Ysolde", *["bot:greedy"] * 3)
    with begin(tmp_path, "dragon-citadel", seats, real=False, seed=2, mode="competitive") as session:
        play(session, console, Anybody(console), Notes(), delay_seconds=1, clock=clock, wait=clock.wait)
    before, _, after = screen_text(console).partition("From here on each round is shown in one line")
    rounds = re.findall(r"^ Round (\d+) ", after.partition("The end")[0], re.MULTILINE)
    assert before == Says("Ysolde", "showed the lowest card", "forfeits")
    assert list(map(int, rounds)) == list(range(int(rounds[0]), int(rounds[0]) + len(rounds))) and len(rounds) > 5
    assert " Round 4   Bot 1 (greedy) +2, now 18.\n" in after
