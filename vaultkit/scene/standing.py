"""The standing of a seat in words."""

from collections.abc import Callable

from vaultkit.games.words import Sentence, Standing
from vaultkit.scene.scene import Scene


def spoken_standing(one: Standing, scene: Scene, words: Callable[[Sentence], str]) -> str:
    """Return a standing such as `12 points, leads`, with the game's own words; `words` renders a sentence as text."""
    parts = [] if one.points is None else [f"{one.points:g} {'point' if one.points == 1 else 'points'}"]
    parts += ["leads"] if one.seat in scene.leaders else []
    beside = words(one.words) if one.words else "out" * one.out
    return ", ".join([*parts, *filter(None, [beside])]) or "nothing is known"
