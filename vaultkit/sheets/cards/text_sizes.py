"""Text sizes of cards, for normal and large print."""

from dataclasses import dataclass, replace

from vaultkit.theme.model import Theme

MIN_TEXT_SIZE_PT = 7.0
"""The minimum text size on a card, in points."""
_LARGE_TEXT_SIZE_PT = 16.0
"""The minimum text size on a card in large print, in points."""
LINE_HEIGHT_RATIO = 1.25
"""The usual height of a line, as a share of its size."""
FOOT_LINE_HEIGHT_RATIO = 1.14
"""The height of a line at the foot, as a share of its size."""
TITLE_LINE_HEIGHT_RATIO = 1.12
"""The height of a line of a title, as a share of its size."""
TITLE_MARGIN_PT, SUBTITLE_MARGIN_PT = 4.0, 1.0
"""White above a title and below what stands under it, in points."""

Choices = tuple[tuple[float, float], ...]
"""Sizes of text to try, in points, each with the least share of the card's height that a picture must keep."""


@dataclass(frozen=True)
class Sizes:
    """Text sizes in points. `alone` are tried before `texts` on cards where only words need room.

    `continued` are for words that need a second card anyway: the largest size for which one is enough. `whole` are
    for pictures of whole cards: the first that suits all cards of a deck. `scale` is for signs in corners.
    """

    floor: float
    texts: Choices
    alone: Choices
    continued: Choices
    whole: Choices
    title: float
    subtitle: float
    max_cards: int
    readable: float
    """The minimum text size below title bars, where all cards of a deck have the same size."""
    scale: float = 1.0

    @property
    def subtitle_line(self) -> float:
        """The height of a line of the subtitle, in points."""
        return self.subtitle + 0.5

    @property
    def foot(self) -> float:
        """The height of the line at the foot, beyond that of the smallest one."""
        return (self.floor - MIN_TEXT_SIZE_PT) * 1.2


_WHOLE = tuple((size, share / 100) for size, shares in (
    (9.0, (76, 70, 64, 58, 52, 46)), (8.5, (46, 42)), (8.0, (42, 36)), (7.5, (33, 30)), (MIN_TEXT_SIZE_PT, (27, 24)),
) for share in shares)  # fmt: skip
_NORMAL = Sizes(
    MIN_TEXT_SIZE_PT,
    ((9.5, 0.42), (9.0, 0.38), (8.5, 0.34), (8.0, 0.30), (7.5, 0.27), (MIN_TEXT_SIZE_PT, 0.24)),
    ((10.5, 0.0),),
    ((8.5, 0.24), (8.0, 0.24), (7.5, 0.24), (MIN_TEXT_SIZE_PT, 0.24)),
    _WHOLE, title=0.0, subtitle=8.5, max_cards=40, readable=8.5,
)  # fmt: skip
_LARGE_PRINT = Sizes(
    _LARGE_TEXT_SIZE_PT,
    ((_LARGE_TEXT_SIZE_PT, 0.36), (_LARGE_TEXT_SIZE_PT, 0.30), (_LARGE_TEXT_SIZE_PT, 0.24)),
    (),
    ((_LARGE_TEXT_SIZE_PT, 0.24),),
    tuple((_LARGE_TEXT_SIZE_PT, share / 100) for share in (64, 58, 52, 46, 40, 34, 28)),
    title=19.0, subtitle=_LARGE_TEXT_SIZE_PT,
    max_cards=40, readable=_LARGE_TEXT_SIZE_PT, scale=1.3,
)  # fmt: skip


_MAX_NORMAL_WIDTH_PT = 190.0
"""Cards wider than this, in points, have room for larger words, such as tarot and jumbo cards."""
_ROOMY = replace(
    _NORMAL,
    texts=((12.5, 0.46), (11.5, 0.46), (10.5, 0.44), *_NORMAL.texts),
    alone=((13.5, 0.0), (12.5, 0.0), (11.5, 0.0), *_NORMAL.alone),
    continued=((11.0, 0.24), (10.0, 0.24), *_NORMAL.continued),
    readable=9.5,
    whole=((12.5, 0.66), (11.5, 0.66), (10.5, 0.66), *_NORMAL.whole),
)


def sizes_of(theme: Theme, width: float = 0.0) -> Sizes:
    """Return the text sizes for cards in a theme; `width`, in points, changes only the sizes tried for the text."""
    if theme.large:
        return _LARGE_PRINT
    return _ROOMY if width > _MAX_NORMAL_WIDTH_PT else _NORMAL


def default_card_size(theme: Theme) -> str:
    """Return the default card size, which is larger for large print."""
    return "jumbo" if theme.large else "poker"
