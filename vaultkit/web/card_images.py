"""The pictures of cards on pages: the art of the deck's notes, or a face drawn with the signs of printed cards."""

import base64
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from vaultkit import files, trust
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote
from vaultkit.compendium.decks.deck_note import CardEntry
from vaultkit.errors import VaultkitError
from vaultkit.theme import colour, image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.back_design import BackDesign, load_default_back
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.model import Theme, theme_from_settings
from vaultkit.vault import Vault
from vaultkit.web.card_svg import (
    ART_BOX_PX,
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    corner_labels,
    draw_back,
    draw_face,
    draw_framed_card,
    draw_turn_icon,
)

ImageMaker = Callable[[], tuple[bytes, str] | None]
"""A function that returns a picture's bytes and media type; it is called in its own thread, at the first request."""

_OWN_STYLE = "table/table.css"
"""The path of a vault's own stylesheet, relative to `.vaultkit/`."""
SVG = "image/svg+xml"


_COLOUR_NAMES = ("ground", "edge", "ink", "muted", "head", "glow", "line", "panel", "link", "on-glow", "warn")
_DARK_LUMINANCE_THRESHOLD = 0.2
"""The relative luminance below which a paper colour is dark."""


def card_image_makers(workspace: Workspace, deck: DeckNote) -> Mapping[str, ImageMaker]:
    """Return the makers of all pictures of cards that pages may fetch, by card id."""
    theme = theme_from_settings(workspace.root, workspace.settings.print)
    labels = corner_labels(deck.deck)
    return {
        entry.card.id: partial(make_card_image, workspace.vault, entry, theme, labels[entry.card.id])
        for entry in deck.entries
    }


def page_files(workspace: Workspace, kind: str, tell: Callable[[str], object]) -> Mapping[str, ImageMaker]:
    """Return the files of pages that depend on the vault and the kind of deck: colours, own stylesheet, and backs.

    If the vault's own back cannot be used, `tell` is called with the reason.
    """
    theme = theme_from_settings(workspace.root, workspace.settings.print)
    colours, back = stylesheet(theme).encode(), _choose_back(kind, workspace.root, tell)
    return {
        "own.css": lambda: (_read_own_stylesheet(workspace.root), "text/css"),
        "theme.css": lambda: (colours, "text/css"),
        "back.svg": lambda: (draw_back(back, theme).encode(), SVG),
        "turn.svg": lambda: (draw_turn_icon(theme).encode(), SVG),
    }


def _choose_back(kind: str, vault: Path, tell: Callable[[str], object]) -> BackDesign:
    """Return the back of a kind of deck: the vault's own, or the shipped one if that cannot be used."""
    try:
        return load_default_back(kind, vault)
    except VaultkitError as error:
        tell(f"{error.where}: {error.message} The table shows vaultkit's back instead.")
        return load_default_back(kind, None)


def _read_own_stylesheet(vault: Path) -> bytes:
    """Return the stylesheet of a trusted vault, else b"", since a stylesheet can hide questions."""
    own = vault / files.VAULTKIT_FOLDER / _OWN_STYLE
    if not own.is_file() or not trust.may_use_file(vault, own):
        return b""
    try:
        return files.read(own, files.PICTURE_BYTES)
    except OSError:
        return b""


def make_card_image(vault: Vault, entry: CardEntry, theme: Theme, label: str | None = None) -> tuple[bytes, str]:
    """Return a card's picture and media type: art that shows a whole card, else a drawn face with art or signs."""
    source = vault.file_or_none(entry.image) if entry.image else None
    try:
        shape = image_transcoding.measure_aspect_ratio(source) if source else 0.0
        if source and image_transcoding.is_whole_card(shape):
            cropped = image_transcoding.cropped_share(shape, CARD_WIDTH_PX / CARD_HEIGHT_PX)
            covers = cropped <= image_transcoding.MAX_CROPPED_SHARE
            picture = _encode_base64(_scale_image(source, CARD_WIDTH_PX, CARD_HEIGHT_PX, cover=covers))
            return draw_framed_card(entry.card, theme, picture, label).encode(), SVG
        art = _encode_base64(_scale_image(source, *ART_BOX_PX[2:])) if source else ""
    except image_transcoding.UnusablePicture:
        art = ""
    return draw_face(entry.card, theme, art, label).encode(), SVG


def _scale_image(source: Path, width: int, height: int, *, cover: bool = True) -> bytes:
    picture = image_transcoding.prepare(source, Fit(width, height, cover=cover))
    return files.read(picture.path, files.PICTURE_BYTES)


def _encode_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def stylesheet(theme: Theme) -> str:
    """Return a stylesheet with the colours that `table.css` uses, for light and dark screens."""
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
    """Return the colours for light screens: the colours of panels on sheets."""
    panel, paper = theme.colour_code(look.PANEL), theme.colour_code(look.PAPER)
    roles = (look.PANEL, look.PANEL_DARK, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.PAPER)
    accent = theme.colour_code(look.ACCENT)
    more = theme.colour_code(look.LINK), colour.lighten(paper, accent, 4.5), colour.darken(accent, panel, 6)
    return (*map(theme.colour_code, roles), *more)


def _night_colours(theme: Theme) -> tuple[str, ...]:
    """Return the colours for dark screens: the theme's darkest green, or the theme's own colours if it is dark."""
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
