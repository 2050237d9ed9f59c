"""How large the words of a card are: as they are on a card to be held, and in large print."""

from dataclasses import dataclass, replace

from vaultkit.theme.lengths import MM_POINTS
from vaultkit.theme.model import Theme

MIN_TEXT_SIZE_PT = 7.0
"""No word on a card is smaller, in points."""
_LARGE_TEXT_SIZE_PT = 16.0
"""The same in large print."""
LINE_HEIGHT_RATIO = 1.25
"""The usual height of a line, as a share of its size."""
FOOT_LINE_HEIGHT_RATIO = 1.14
"""The same of the lines at the foot."""
TITLE_LINE_HEIGHT_RATIO = 1.12
"""The same of the lines of a title."""
TITLE_MARGIN_PT, SUBTITLE_MARGIN_PT = 4.0, 1.0
"""White above a title and below what stands under it, in points."""
SMALL_SIGN_SIZE_PT = 5.6 * MM_POINTS
"""The side of a suit's sign below a title that stands beside a picture."""

Choices = tuple[tuple[float, float], ...]
"""Sizes of text to try, in points, each with the least share of the card's height that a picture must keep."""


@dataclass(frozen=True)
class Sizes:
    """Sizes in points. `alone` are tried before `texts` where nothing but the words needs the room.

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
    label: float
    fact: float
    max_cards: int
    least: float
    """The smallest text below title bars, where all cards of a deck have one size."""
    scale: float = 1.0

    @property
    def subtitle_line(self) -> float:
        """The height of a line below the title."""
        return self.subtitle + 0.5

    @property
    def fact_line(self) -> float:
        """The height of a line of facts."""
        return self.fact * 1.25

    @property
    def foot(self) -> float:
        """The room for the line at the foot, beyond that for the smallest one."""
        return (self.floor - MIN_TEXT_SIZE_PT) * 1.2


_WHOLE = tuple((size, share / 100) for size, shares in (
    (9.0, (76, 70, 64, 58, 52, 46)), (8.5, (46, 42)), (8.0, (42, 36)), (7.5, (33, 30)), (MIN_TEXT_SIZE_PT, (27, 24)),
) for share in shares)  # fmt: skip
_NORMAL = Sizes(
    MIN_TEXT_SIZE_PT,
    ((9.5, 0.42), (9.0, 0.38), (8.5, 0.34), (8.0, 0.30), (7.5, 0.27), (MIN_TEXT_SIZE_PT, 0.24)),
    ((10.5, 0.0),),
    ((8.5, 0.24), (8.0, 0.24), (7.5, 0.24), (MIN_TEXT_SIZE_PT, 0.24)),
    _WHOLE, title=0.0, subtitle=8.5, label=9.0, fact=10.0, max_cards=12, least=8.0,
)  # fmt: skip
_LARGE_PRINT = Sizes(
    _LARGE_TEXT_SIZE_PT,
    ((_LARGE_TEXT_SIZE_PT, 0.36), (_LARGE_TEXT_SIZE_PT, 0.30), (_LARGE_TEXT_SIZE_PT, 0.24)),
    (),
    ((_LARGE_TEXT_SIZE_PT, 0.24),),
    tuple((_LARGE_TEXT_SIZE_PT, share / 100) for share in (64, 58, 52, 46, 40, 34, 28)),
    title=19.0, subtitle=_LARGE_TEXT_SIZE_PT, label=_LARGE_TEXT_SIZE_PT, fact=_LARGE_TEXT_SIZE_PT,
    max_cards=40, least=_LARGE_TEXT_SIZE_PT, scale=1.3,
)  # fmt: skip


_MAX_NORMAL_WIDTH_PT = 190.0
"""Cards wider than this, in points, have room for larger words, such as tarot and jumbo cards."""
_ROOMY = replace(
    _NORMAL,
    texts=((12.5, 0.46), (11.5, 0.46), (10.5, 0.44), *_NORMAL.texts),
    alone=((13.5, 0.0), (12.5, 0.0), (11.5, 0.0), *_NORMAL.alone),
    continued=((11.0, 0.24), (10.0, 0.24), *_NORMAL.continued),
    least=9.0,
    whole=((12.5, 0.66), (11.5, 0.66), (10.5, 0.66), *_NORMAL.whole),
)


def sizes_of(theme: Theme, width: float = 0.0) -> Sizes:
    """The sizes for cards in that theme, `width` points wide. The width changes what is tried for the text alone."""
    if theme.large:
        return _LARGE_PRINT
    return _ROOMY if width > _MAX_NORMAL_WIDTH_PT else _NORMAL


def default_card_size(theme: Theme) -> str:
    """The size of cards where nobody asks for one: large print has no room on those of every day."""
    return "jumbo" if theme.large else "poker"
