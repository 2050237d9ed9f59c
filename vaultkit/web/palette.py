"""The colours of the table, by day and by candlelight, made of a theme of print."""

from collections.abc import Iterable

from vaultkit.theme import colour
from vaultkit.theme import model as look
from vaultkit.theme.model import Theme

_COLOUR_NAMES = ("ground", "edge", "ink", "muted", "head", "glow", "line", "panel", "link", "on-glow", "warn")
_DARK_LUMINANCE_THRESHOLD = 0.2
"""A paper that is less light than this is a dark one."""


def stylesheet(theme: Theme) -> str:
    """Every colour of `table.css`, for light screens and for dark ones."""
    card = f"--paper:{theme.colour_code(look.PANEL)};--print:{theme.colour_code(look.INK)};"
    dark = _css_variables(_night_colours(theme)) + card
    is_dark = colour.luminance(theme.colour_code(look.PAPER)) < _DARK_LUMINANCE_THRESHOLD
    night = f":root{{color-scheme:dark;{dark}}}"
    if is_dark:
        return night
    day = _css_variables(_day_colours(theme))
    return f":root{{color-scheme:light;{day}{card}}}@media(prefers-color-scheme:dark){{{night}}}"


def _css_variables(codes: Iterable[str]) -> str:
    return "".join(f"--{name}:{code};" for name, code in zip(_COLOUR_NAMES, codes, strict=True))


def _day_colours(theme: Theme) -> tuple[str, ...]:
    """A cloth of linen: the panels of the sheets."""
    panel, paper = theme.colour_code(look.PANEL), theme.colour_code(look.PAPER)
    roles = (look.PANEL, look.PANEL_DARK, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.PAPER)
    accent = theme.colour_code(look.ACCENT)
    more = theme.colour_code(look.LINK), colour.lighten(paper, accent, 4.5), colour.darken(accent, panel, 6)
    return (*map(theme.colour_code, roles), *more)


def _night_colours(theme: Theme) -> tuple[str, ...]:
    """A cloth of the theme's darkest green; a theme that is dark itself stays as it is."""
    paper, ink = theme.colour_code(look.PAPER), theme.colour_code(look.INK)
    if colour.luminance(paper) > _DARK_LUMINANCE_THRESHOLD:
        paper, ink = (
            colour.darken(theme.colour_code(theme.suit_role("coins")), "#ffffff", 13.5),
            theme.colour_code(look.PANEL),
        )
    edge = colour.darken(paper, "#ffffff", 17)
    gold, line, mark = theme.colour_code(look.GOLD), theme.colour_code(look.LINE), theme.colour_code(look.MARK)
    head = mark if colour.luminance(mark) > colour.luminance(gold) else gold
    return (
        paper, edge, colour.lighten(ink, paper, 11), colour.lighten(line, paper, 7), colour.lighten(head, paper, 8),
        colour.lighten(gold, paper, 4.6), colour.lighten(paper, paper, 1.9), colour.darken(paper, "#ffffff", 15.5),
        colour.lighten(theme.colour_code(look.LINK), paper, 7), edge,
        colour.lighten(theme.colour_code(theme.suit_role("crowns")), paper, 6.5),
    )  # fmt: skip
