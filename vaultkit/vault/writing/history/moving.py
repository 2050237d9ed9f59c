"""Splices moved over each other: where an earlier one stands once later ones are made, without any guessing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import msgspec

from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.splice import Splice

Origin = tuple[tuple[str, int], bool]
"""The key of the write that a step is about, and whether that stands after the step: not if the step is its undo."""


@dataclass(frozen=True)
class Step:
    """One write of one entry, as it was made or, while an undo is planned, as it will be."""

    entry: Entry
    index: int
    write: Write

    @property
    def key(self) -> tuple[str, int]:
        return self.entry.id, self.index

    @property
    def takes_back(self) -> tuple[str, int] | None:
        """The key of the step that this one takes back."""
        return None if self.write.of is None or not self.entry.undoes else (self.entry.undoes, self.write.of)


@dataclass(frozen=True)
class Link:
    """A step of a chain, with its splice where the steps before it in the chain leave it."""

    step: Step
    splice: Splice


def onward(earlier: Splice, later: Splice) -> Splice | None:
    """The `earlier` splice as if it had been made after the `later` one; None if they overlap.

    What lies side by side does not overlap. Only where one leaves nothing and the other puts something into that very
    point does nobody know which comes first.
    """
    start, end = earlier.offset, earlier.offset + len(earlier.inserted)
    if (before := later.end <= start) == (later.offset >= end):
        return None
    return msgspec.structs.replace(earlier, offset=start + later.growth) if before else earlier


def back(later: Splice, earlier: Splice) -> Splice | None:
    """The `later` splice as if it had been made before the `earlier` one; None if they overlap."""
    start, end = earlier.offset, earlier.offset + len(earlier.inserted)
    if (before := later.end <= start) == (later.offset >= end):
        return None
    return later if before else msgspec.structs.replace(later, offset=later.offset - earlier.growth)


def standing(chain: Sequence[Step], origin: Callable[[Step], Origin], but: Step | None = None) -> list[Link]:
    """The chain without the steps that later ones of it take back, and without those: each made as if they never were.

    So are an undo and what undoes that in turn. A pair that cannot be parted from the rest stays, and so does `but`.
    """
    links: list[Link] = []
    for step in chain:
        first, stands = origin(step)
        opposite = (first, not stands)
        pairs = (at for at, link in enumerate(links) if origin(link.step) == opposite and link.step is not but)
        place = next(pairs, None)
        rest = None if place is None or step is but else _without(links, place, step.write.splice)
        links = [*links, Link(step, step.write.splice)] if rest is None else rest
    return links


def _without(links: list[Link], place: int, undo: Splice) -> list[Link] | None:
    """The links as they are if the one at `place` was never made, given the splice that takes it back at their end."""
    gone: Splice = links[place].splice
    kept: list[Link] = []
    for link in links[place + 1 :]:
        earlier, later = back(link.splice, gone), onward(gone, link.splice)
        if earlier is None or later is None:
            return None
        kept.append(Link(link.step, earlier))
        gone = later
    return [*links[:place], *kept] if gone.inverse() == undo else None


class Timeline:
    """Every write that the history knows, file by file in the order of time."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """`entries` come oldest first."""
        self._steps: dict[str, list[Step]] = {}
        self._origins: dict[tuple[str, int], Origin] = {}
        for entry in entries:
            for index, write in enumerate(entry.writes):
                self.add(Step(entry, index, write))

    def add(self, step: Step) -> None:
        """One write more, the newest of its file."""
        self._steps.setdefault(step.write.path, []).append(step)
        undone = step.takes_back
        first, stands = self._origins.get(undone, (undone, True)) if undone else (step.key, False)
        self._origins[step.key] = first, not stands

    def origin(self, step: Step) -> Origin:
        """Which write `step` is about: itself, or what it takes back, or has back if that is an undo itself."""
        return self._origins[step.key]

    def after(self, step: Step, current: str | None) -> list[list[Step]]:
        """The later writes that lead from what `step` left to the hash `current`: as many, and as few as can be.

        The way through all of them tells best who wrote what; a shorter one leaves out what ended where it began. None
        if there is no way. A hash of None is a file that is not there.
        """
        later = self._later(step)
        ways = [_way(step.write.after, later, current, most=most) for most in (True, False)]
        return [way for way in ways if way is not None]

    def without(self, step: Step, current: str | None) -> bool:
        """Whether the file can be what it is without `step`: somebody took it back, or it never came about."""
        starts = {step.write.before, *(write.before for write in step.entry.writes if write.path == step.write.path)}
        later = [other for other in self._later(step) if other.entry.id != step.entry.id]
        return any(_way(start, later, current, most=False) is not None for start in starts)

    def modified(self, path: str, content: str) -> int | None:
        """When the file was last changed, in ns, before vaultkit first changed it from what has the hash `content`."""
        times = (s.write.mtime_ns for s in reversed(self._steps.get(path, ())) if s.write.before == content)
        return next((time for time in times if time is not None), None)

    def undone_before(self, step: Step, chain: Iterable[Step]) -> list[Step]:
        """The writes that led to what `step` found, from the first on that one of the `chain` after it takes back.

        With them it is known which came first where one took something out of the very place that `step` did.
        """
        about = {self.origin(later)[0] for later in chain}
        current, earlier, wanted = step.write.before, list[Step](), 0
        for other in reversed(self._earlier(step)):
            if other.write.after == current:
                current = other.write.before
                earlier.append(other)
                wanted = len(earlier) if self.origin(other)[0] in about else wanted
        return earlier[:wanted][::-1]

    def count_made_folders(self, path: str) -> int:
        """Return how many folders around a file had to be made for files at some time, from the innermost on."""
        writes = (step.write for steps in self._steps.values() for step in steps)
        made = {folder for write in writes for folder in list(PurePosixPath(write.path).parents)[: write.folders_made]}
        parents = PurePosixPath(path).parents
        return next((count for count, folder in enumerate(parents) if folder not in made), len(parents))

    def _earlier(self, step: Step) -> list[Step]:
        steps = self._steps.get(step.write.path, [])
        return steps[: next((place for place, other in enumerate(steps) if other.key == step.key), 0)]

    def _later(self, step: Step) -> list[Step]:
        steps = self._steps.get(step.write.path, [])
        at = next((place for place, other in enumerate(steps) if other.key == step.key), len(steps))
        return steps[at + 1 :]


def _way(start: str | None, steps: Iterable[Step], current: str | None, *, most: bool) -> list[Step] | None:
    """The steps, in the order of time, that lead from one content to another; the `most` or the fewest of them."""
    reached: dict[str | None, list[Step]] = {start: []}
    for step in steps:
        way = reached.get(step.write.before)
        known = reached.get(step.write.after)
        if way is not None and (known is None or (len(way) + 1 > len(known)) is most):
            reached[step.write.after] = [*way, step]
    return reached.get(current)
