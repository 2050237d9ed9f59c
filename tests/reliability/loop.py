"""The kill loop: results are logged by processes that are killed, while another program rewrites the campaign note."""

import os
import random
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tests.campaign.samples import log, make_vault, numbered_game
from tests.reliability.other import WAYS, Other
from tests.reliability.state import (
    CAMPAIGN,
    Recovery,
    history_is_sound,
    leftovers,
    lines,
    notes,
    stage,
    theirs,
    unknown,
)
from vaultkit.campaign.undo import undo
from vaultkit.errors import VaultkitError, WriteError
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History

ROUNDS = 20
"""Rounds in one vault; then a new one, so that no note grows without end."""


@dataclass
class Tally:
    """What came of the kills. Lines of the other program are counted at the end of each vault."""

    kills: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    results: int = 0
    brought_back: int = 0
    theirs: int = 0
    in_note: int = 0
    displaced: int = 0
    images: int = 0
    lost: int = 0
    refused: int = 0
    seconds: float = 0.0


def run(kills: int, folder: Path, seed: int = 7, ways: tuple[str, ...] = WAYS) -> Tally:
    """At least so many kills at random moments, in vaults below `folder`. Raises AssertionError at the first fault."""
    tally, chance, started = Tally(), random.Random(seed), time.perf_counter()
    for number in count():
        if tally.kills >= kills:
            break
        place = folder / f"{number}"
        (place / "vault").mkdir(parents=True)
        make_vault(place / "vault")
        Loop(place, chance, tally, ways).run(kills)
    tally.seconds = time.perf_counter() - started
    return tally


class Loop:
    """The rounds in one vault. `place` holds the vault and what the other program says of itself."""

    def __init__(self, place: Path, chance: random.Random, tally: Tally, ways: tuple[str, ...]) -> None:
        self.root, self.chance, self.tally = place / "vault", chance, tally
        self.usual = self._measured()
        self.other = Other(self.root / CAMPAIGN, place, chance.randrange(2**32), ways, usual=self.usual)
        self.recovery = Recovery(self.root)
        self.logged = ["0000", "0001"]

    def run(self, kills: int) -> None:
        """Rounds until there are `kills`, or the vault has had its share."""
        try:
            for _ in range(ROUNDS):
                if self.tally.kills >= kills:
                    break
                self._round()
                self.tally.rounds += 1
        finally:
            self.other.stop()
        self._count()

    def _round(self) -> None:
        first = len(self.logged)
        numbers = [f"{number:04d}" for number in range(first, first + self.chance.choice([1, 1, 2]))]
        self.logged += numbers
        # Two at once: of different results, or both of the same.
        self._kill([self._log(number) for number in numbers] * self.chance.choice([1, 2]), numbers)
        if self.chance.random() < 0.5:
            again = self.chance.choice(numbers)
            self._kill([self._log(again)] * 2, [again])
        for number in numbers:
            self._surely(number)
        if self.chance.random() < 0.25:
            self._kill_undo()
        self._check()

    def _kill(self, works: list[Callable[[], object]], numbers: list[str]) -> None:
        """Let all work at once, and kill each at a moment of its own."""
        moments = sorted((self.chance.uniform(0, self.usual * 1.2 * len(works)), work) for work in works)
        started = time.perf_counter()
        children = [(moment, forked(work)) for moment, work in moments]
        killed = 0
        for moment, child in children:
            time.sleep(max(0.0, started + moment - time.perf_counter()))
            killed += ended(child)
        self.tally.kills += killed
        with self.other.turn():
            stages = [stage(self.root, number) for number in numbers]
        # Two that log the same share what has come of it.
        self.tally.stages.update((stages * len(works))[:killed])

    def _kill_undo(self) -> None:
        """Log a game, take that back by a process that is killed, then by one that is not, and log it again."""
        number = f"{len(self.logged):04d}"
        self.logged.append(number)
        with self.other.turn():
            self._surely(number)
            logged = next(History(Vault(self.root)).entries()).id
            child = forked(lambda: undo(Vault(self.root)))
            time.sleep(self.chance.uniform(0, self.usual * 0.7))
            if ended(child):
                self.tally.kills += 1
                self.tally.stages["in an undo"] += 1
            if notes(self.root)[number] or lines(self.root)[number]:
                undo(Vault(self.root))
            assert not notes(self.root)[number] + lines(self.root)[number], f"{number} was not taken back."
        self._surely(number)
        undone = {entry.id: entry.undone for entry in History(Vault(self.root)).entries()}
        assert undone[logged], f"The history does not say that {logged} was taken back."

    def _log(self, number: str) -> Callable[[], object]:
        return lambda: log(Vault(self.root), numbered_game(int(number)))

    def _surely(self, number: str) -> None:
        for refused in range(10):
            try:
                self._log(number)()
            except WriteError as error:
                self.tally.refused += 1
                last = error
                self.other.calm(min(refused + 1, 6))
            else:
                self.other.calm(0)
                return
        raise AssertionError(f"{number} could not be logged in ten attempts: {last.message}, {last.where}")

    def _check(self) -> None:
        """Every promise, while the other program rests."""
        with self.other.turn():
            for number in self.logged:
                # It reads the note and writes all of it: a line of ours that came between is lost by its doing.
                if number not in lines(self.root):
                    self._surely(number)
                    self.tally.brought_back += 1
            expected = Counter(self.logged)
            assert lines(self.root) == expected, ("lines", lines(self.root) - expected, expected - lines(self.root))
            assert notes(self.root) == expected, ("notes", notes(self.root) - expected, expected - notes(self.root))
            self.recovery.look()
            assert history_is_sound(Vault(self.root))
            assert not (strange := unknown(self.root)), f"The history knows nothing of {strange}."
            assert not (left := leftovers(self.root)), left
            missing = self._missing()
            assert not missing, f"Lines of the other program are lost: {missing}, {found(self.root.parent, missing)}"

    def _missing(self) -> list[str]:
        kept = theirs(self.root / CAMPAIGN) | self.recovery.displaced | self.recovery.images
        return [line for line in self.other.lines if line not in kept]

    def _count(self) -> None:
        there, written = theirs(self.root / CAMPAIGN), set(self.other.lines)
        self.tally.results += len(self.logged)
        self.tally.theirs += len(written)
        self.tally.in_note += len(written & there)
        self.tally.displaced += len(written & self.recovery.displaced - there)
        self.tally.images += len(written & self.recovery.images - self.recovery.displaced - there)
        self.tally.lost += len(self._missing())

    def _measured(self) -> float:
        """Seconds that a log takes here, in a process of its own."""
        log(Vault(self.root), numbered_game(0))
        started = time.perf_counter()
        os.waitpid(forked(self._log("0001")), 0)
        return time.perf_counter() - started


def forked(work: Callable[[], object]) -> int:
    """A process that does `work` and ends: with 0, with 5 if something in the vault kept it from it, 1 for a bug."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except VaultkitError:
        code = 5
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(child: int) -> bool:
    """Kill a process; whether that is what ended it."""
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) in (0, 5), "A process failed; what it said is above."
    return os.WIFSIGNALED(status)


def found(folder: Path, texts: list[str]) -> list[str]:
    """The files in which any of the texts stands after all, to look for the fault."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in files if any(text.encode() in path.read_bytes() for text in texts)]
