"""Splices moved over each other: where an earlier one stands once later ones are made, without any guessing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

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

    @property
    def splice(self) -> Splice:
        return Splice(self.write.offset, self.write.removed, self.write.inserted)


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
    return replace(earlier, offset=start + len(later.inserted) - len(later.removed)) if before else earlier


def back(later: Splice, earlier: Splice) -> Splice | None:
    """The `later` splice as if it had been made before the `earlier` one; None if they overlap."""
    start, end = earlier.offset, earlier.offset + len(earlier.inserted)
    if (before := later.end <= start) == (later.offset >= end):
        return None
    return later if before else replace(later, offset=later.offset - len(earlier.inserted) + len(earlier.removed))


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
        rest = None if place is None or step is but else _without(links, place, step.splice)
        links = [*links, Link(step, step.splice)] if rest is None else rest
    return links


def _without(links: list[Link], place: int, undo: Splice) -> list[Link] | None:
    """The links as they are if the one at `place` was never made, given the splice that takes it back at their end."""
    gone: Splice = links[place].splice
    kept: list[Link] = []
    for link in links[place + 1 :]:
        earlier, later = back(link.splice, gone), onward(gone, link.splice)
        if earlier is None or later is None:
            return None
        kept.append(replace(link, splice=earlier))
        gone = later
    return [*links[:place], *kept] if gone.inverse() == undo else None
