"""What the benchmark's vault holds: each note's path, headings and block ids, before a line of it is written."""

import random
from dataclasses import dataclass
from pathlib import PurePosixPath

from vault_words import PLAIN, names

ROOT = "3 Mechanics/CLI"
CAMPAIGN = "1 Campaign"

SHARES = {
    "items": 0.328,
    "bestiary": 0.22,
    "spells": 0.17,
    "rules": 0.07,
    "feats": 0.07,
    "tables": 0.04,
    "decks": 0.002,
    "campaign": 0.10,
}
"""Of all notes; the index notes come on top, one for each folder."""

ARC = 40
"""Campaign notes in one folder."""

_FIXED = {
    "bestiary": ("Lair", "Habits", "Statistics"),
    "spells": ("At Higher Ranks", "Known By"),
    "decks": ("Cards",),
    "tables": ("Results", "Use"),
    "campaign": ("Summary", "People Met", "What Is Open"),
}
_DRAWN = {"rules": (8, 30), "decks": (30, 54)}
_BLOCKS = {"tables": (1, 3), "campaign": (1, 1)}


@dataclass(frozen=True, slots=True)
class Outline:
    """A note to be: `headings` below its title, `blocks` without `^`."""

    kind: str
    path: str
    title: str
    headings: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a wikilink says."""
        return PurePosixPath(self.path).stem


def outlines(count: int, chance: random.Random) -> list[Outline]:
    """`count` notes, the index notes of their folders not among them."""
    counts = {kind: max(1, int(count * share)) for kind, share in SHARES.items()}
    counts["items"] += count - sum(counts.values())
    return [
        _outline(kind, number, title, chance)
        for kind, wanted in counts.items()
        for number, title in enumerate(names(kind, wanted, chance))
    ]


def _outline(kind: str, number: int, title: str, chance: random.Random) -> Outline:
    headings = _FIXED.get(kind, ())
    if kind in _DRAWN:
        headings += _headings(chance.randint(*_DRAWN[kind]), chance)
    blocks = _blocks(chance.randint(*_BLOCKS[kind]), chance) if kind in _BLOCKS else ()
    return Outline(kind, _path(kind, number, title), title, headings, blocks)


def _path(kind: str, number: int, title: str) -> str:
    if kind == "campaign":
        return f"{CAMPAIGN}/Arc {number // ARC + 1:03}/{title}.md"
    return f"{ROOT}/{kind}/{slug(title)}-vkb.md"


def slug(title: str) -> str:
    """As the converter names files: `hollow-blade-of-bavan`."""
    return title.lower().replace(" ", "-")


def _headings(count: int, chance: random.Random) -> tuple[str, ...]:
    """All different by Obsidian's comparison; some with a sign that it sees through, as `Iron: Gate (Old)`."""
    found: dict[str, None] = {}
    while len(found) < count:
        first, second, third = chance.sample(PLAIN, 3)
        found[f"{first} {second} {third}".title()] = None
    return tuple(_with_sign(heading) if number % 9 == 4 else heading for number, heading in enumerate(found))


def _with_sign(heading: str) -> str:
    first, second, third = heading.split()
    return f"{first}: {second} ({third})"


def _blocks(count: int, chance: random.Random) -> tuple[str, ...]:
    return tuple(f"{word}-{number}" for number, word in enumerate(chance.sample(PLAIN, count)))
