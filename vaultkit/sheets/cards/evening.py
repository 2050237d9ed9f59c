"""Titles of a deck on one level, where their cards' words are nearly as long as each other."""

from collections.abc import Sequence
from dataclasses import replace

from vaultkit.sheets.cards.face import Face

_NEAR = 26.0
"""Points by which the heights of pictures may differ to be made one: two lines of words."""


def evened(faces: Sequence[Face]) -> list[Face]:
    """The faces in their order; pictures almost as high as the highest are all as high as the lowest of these."""
    heights = [face.art[3] for face in faces if face.art is not None and _can_give(face)]
    nearly = [height for height in heights if height > max(heights) - _NEAR]
    return [_lowered(face, min(nearly)) if _can_give(face) else face for face in faces]


def _can_give(face: Face) -> bool:
    """Whether its picture stands over words that tell how high it is."""
    return face.frame.layout == "above" and face.art is not None and not face.whole and bool(face.placed or face.facts)


def _lowered(face: Face, most: float) -> Face:
    """The face with its picture no higher than that, what is below moved up, words in the middle."""
    if face.art is None or face.art[3] <= most:
        return face
    x, y, width, height = face.art
    gained = height - most
    placed = tuple(replace(item, top=item.top + gained / 2) for item in face.placed)
    art = (x, y + gained, width, most)
    return replace(face, art=art, title_top=face.title_top + gained, placed=placed, facts_y=face.facts_y + gained / 2)
