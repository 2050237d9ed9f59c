"""The standing of a seat in words."""

from collections.abc import Callable

from vaultkit.games.messages import Sentence, Standing
from vaultkit.scene.scene import Scene


def standing_text(standing: Standing, scene: Scene, words: Callable[[Sentence], str]) -> str:
    """Return a standing such as `12 points, leads`, with the game's own words; `words` renders a sentence as text."""
    parts = [] if standing.points is None else [f"{standing.points:g} {'point' if standing.points == 1 else 'points'}"]
    parts += ["leads"] if standing.seat in scene.leaders else []
    beside = words(standing.words) if standing.words else "out" * standing.out
    return ", ".join([*parts, *filter(None, [beside])]) or "nothing is known"
