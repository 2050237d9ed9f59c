"""Designs of card backs, read from `print/backs/<name>.toml`; the vault's own files come first."""

from collections.abc import Iterable
from pathlib import Path

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.spelling import did_you_mean
from vaultkit.theme import design_loader
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, Length

_CARD_WIDTH_MM = 63
CARD_WIDTH_UM = _CARD_WIDTH_MM * MM
"""The width of the card that backs are designed for, in millimetres and micrometres; other cards scale the back."""
_MIN_CUT_DISTANCE_MM = 3.2
"""The minimum distance of a line from the cut; scaled down to the smallest card, it is still 2.5 mm."""
_CLASSIC = "classic"
_COLOURS = (look.PAPER, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.GILT, look.LINE, look.PANEL, look.PANEL_DARK)


class _Colour(design_loader.Word, accepted=(*_COLOURS, look.HEAD, look.ON_HEAD)):
    """The role of a colour."""


class _Inset(Length, minimum=_MIN_CUT_DISTANCE_MM, limit=_CARD_WIDTH_MM):
    """A distance from the cut."""


class _Sign(Length, minimum=1, limit=_CARD_WIDTH_MM):
    """The size of a sign."""


class _Step(Length, minimum=2, limit=_CARD_WIDTH_MM):
    """The distance between signs, or the radius of a disc."""


class _Thickness(Length, minimum=0.05, limit=_CARD_WIDTH_MM):
    """The thickness of a line."""


class _Corner(Length, limit=_CARD_WIDTH_MM):
    """The corner radius of a line."""


class Pattern(design_loader.Design, frozen=True):
    """Signs repeated in rows over the back. Lengths are in micrometres; with `inset` 0, signs run over the cut."""

    signs: tuple[str, ...]
    colour: _Colour
    size: _Sign
    step: _Step
    inset: _Inset = _Inset()


class BackLine(design_loader.Design, frozen=True):
    """A line around the card: its distance from the cut, thickness and corner radius, in micrometres."""

    inset: _Inset
    width: _Thickness
    corner: _Corner
    colour: _Colour


class Medallion(design_loader.Design, frozen=True):
    """A disc in the middle, with a sign that looks the same from both ends of the card."""

    sign: str
    radius: _Step
    colour: _Colour
    ground: _Colour


class BackDesign(design_loader.Design, frozen=True):
    """The design of a back. `ground` is the colour of the whole card, including the bleed."""

    ground: _Colour
    pattern: Pattern
    lines: tuple[BackLine, ...] = ()
    medallion: Medallion | None = None


def load_default_back(kind: str, vault: Path | None) -> BackDesign:
    """Load the default back of a kind of deck. Raises InvalidError if it cannot be used."""
    own_design = resources.find("print", f"backs/{kind}.toml", vault)
    return load_back(kind if own_design else _CLASSIC, vault)


def load_back(name: str, vault: Path | None) -> BackDesign:
    """Return the back called `name`. Raises UsageError if it does not exist, InvalidError if it cannot be used."""
    back, where = design_loader.load_design("backs", "back", name, vault, BackDesign)
    if not back.pattern.signs:
        hint = 'For example: signs = ["crowns", "stars"].'
        raise InvalidError("'signs' names no sign.", where=f"{where} [pattern]", hint=hint)
    _check_signs(back.pattern.signs, f"{where} [pattern]", vault)
    if back.medallion:
        _check_signs([back.medallion.sign], f"{where} [medallion]", vault)
    return back


def _check_signs(signs: Iterable[str], where: str, vault: Path | None) -> None:
    sign_names = [file.stem for _, file in resources.list_files("print", "icons/*.svg", vault)]
    for sign in signs:
        if sign.lower() not in sign_names:
            general_hint = f"There are: {', '.join(sign_names)}; or draw print/icons/{sign}.svg."
            hint = did_you_mean(sign, sign_names, limit=2) or general_hint
            raise InvalidError(f"There is no sign '{sign}'.", where=where, hint=hint)
