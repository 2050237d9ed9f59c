"""Another program that keeps rewriting the campaign note, as an editor or a sync tool does, and says what it wrote."""

import contextlib
import fcntl
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

LINE = "- other {number:06d} ends"
AMBUSH = 0.4
"""How often it waits until somebody is about to replace the note, so as to write at the worst of moments."""
PAUSE = 0.1
"""Seconds for which it rests, at most. If that were less than a log takes, no log would ever come to its end; so where
a log takes longer than half of it, as on a busy machine, it is twice that, and doubled while a log is refused."""
WAYS = ("in place", "in place, slowly", "by rename")


class Other:
    """A process that adds a line of its own each time, with any line ending, until it is stopped.

    It reads the note and writes all of it, in place or by rename, as `ways` says. `told` is where it says, by a byte
    for each, how many lines it has written; whoever holds `turn` keeps it from beginning another.
    """

    def __init__(
        self, note: Path, folder: Path, seed: int, ways: tuple[str, ...] = WAYS, *, first: int = 0, usual: float = 0.0
    ) -> None:
        self.note, self.told, self._turn, self._calm = note, folder / "told", folder / "turn", folder / "calm"
        self._first, self._pause = first, max(PAUSE, 2 * usual)
        for file in (self.told, self._turn, self._calm):
            file.touch()
        self.child = os.fork()
        if self.child == 0:
            try:
                self._run(random.Random(seed), ways)
            finally:
                os._exit(1)

    @property
    def lines(self) -> list[str]:
        """Those that it has written so far; look under `turn`."""
        return [LINE.format(number=self._first + number) for number in range(self.told.stat().st_size)]

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        with self._turn.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield

    def calm(self, times: int) -> None:
        """From its next rest on it rests longer, doubled so many times: a log may take longer than it did before."""
        self._calm.write_bytes(b"." * times)

    def stop(self) -> None:
        with self.turn():
            os.kill(self.child, 9)
            os.waitpid(self.child, 0)

    def _run(self, chance: random.Random, ways: tuple[str, ...]) -> None:
        number = self._first
        while True:
            if chance.random() < AMBUSH:
                self._lie_in_wait(chance.choice([".tmp", ".swap", ".swap"]))
            for _ in range(chance.choice([1, 1, 1, 3])):
                with self.turn():
                    self._write(number, chance, ways)
                    number += 1
                    with self.told.open("ab") as told:
                        told.write(b".")
            time.sleep(chance.uniform(0.001, self._pause * 2 ** self._calm.stat().st_size))

    def _lie_in_wait(self, suffix: str) -> None:
        """Until somebody is about to replace the note, as can be seen by the file that is to take its place."""
        until = time.perf_counter() + 0.1
        while time.perf_counter() < until:
            if any(name.endswith(suffix) for name in os.listdir(self.note.parent)):  # noqa: PTH208
                return

    def _write(self, number: int, chance: random.Random, ways: tuple[str, ...]) -> None:
        data = self.note.read_bytes()
        end = chance.choice([b"\n", b"\r\n"]) if number % 7 == 0 else b"\r\n" if b"\r\n" in data else b"\n"
        lines = data.replace(b"\r\n", b"\n").split(b"\n")
        lines.insert(chance.randint(min(6, len(lines)), len(lines)), LINE.format(number=number).encode())
        self._put(end.join(lines), chance.choice(ways), chance)

    def _put(self, data: bytes, way: str, chance: random.Random) -> None:
        if way == "by rename":
            fresh = self.note.with_name("~other.part")
            fresh.write_bytes(data)
            fresh.replace(self.note)
            return
        with self.note.open("wb", buffering=0) as stream:
            half = chance.randrange(len(data)) if way.endswith("slowly") else len(data)
            stream.write(data[:half])
            if half < len(data):
                time.sleep(chance.uniform(0, 0.004))
            stream.write(data[half:])
