"""The standing of a seat as text."""

from collections.abc import Callable

from vaultkit.games.messages import Sentence, Standing
from vaultkit.scene.scene import Scene


def standing_text(standing: Standing, scene: Scene, render: Callable[[Sentence], str]) -> str:
    """Return the text of a standing, such as `12 points, leads`; `render` returns a sentence as text."""
    parts = [] if standing.points is None else [f"{standing.points:g} {'point' if standing.points == 1 else 'points'}"]
    parts += ["leads"] if standing.seat in scene.leaders else []
    own_text = render(standing.words) if standing.words else "out" * standing.out
    return ", ".join([*parts, *filter(None, [own_text])]) or "nothing is known"
