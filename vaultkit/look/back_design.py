"""Backs of cards are data: `print/backs/<name>.toml`, the vault's own first."""

from collections.abc import Iterable
from pathlib import Path

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.look import design
from vaultkit.look import theme as look
from vaultkit.look.lengths import MM, Length
from vaultkit.spelling import did_you_mean

_WIDEST = 63
WIDTH = _WIDEST * MM
"""The width of the card that a back is designed for, in millimetres and micrometres; on others it grows or shrinks."""
_NEAR_CUT = 3.2
"""No line comes nearer to the cut, so that none is within 2.5 mm of it on the smallest card either."""
_CLASSIC = "classic"
_COLOURS = (look.PAPER, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.GILT, look.LINE, look.PANEL, look.PANEL_DARK)


class _Colour(design.Word, accepted=(*_COLOURS, look.HEAD, look.ON_HEAD)):
    """The role of a colour."""


class _Inset(Length, least=_NEAR_CUT, most=_WIDEST):
    """A distance from the cut."""


class _Sign(Length, least=1, most=_WIDEST):
    """The size of a sign."""


class _Step(Length, least=2, most=_WIDEST):
    """From sign to sign, or from the middle of a disc to its edge."""


class _Thickness(Length, least=0.05, most=_WIDEST):
    """That of a line."""


class _Corner(Length, most=_WIDEST):
    """How round a line is."""


class Pattern(design.Design, frozen=True):
    """Signs in rows over the back, in turn. Lengths are in micrometres; `inset` 0 lets them run over the cut."""

    signs: tuple[str, ...]
    colour: _Colour
    size: _Sign
    step: _Step
    inset: _Inset = _Inset()


class BackLine(design.Design, frozen=True):
    """A line round the card: how far from the cut, how thick and how round, in micrometres."""

    inset: _Inset
    width: _Thickness
    corner: _Corner
    colour: _Colour


class Medallion(design.Design, frozen=True):
    """A disc in the middle with a sign on it that reads the same from both ends of the card."""

    sign: str
    radius: _Step
    colour: _Colour
    ground: _Colour


class BackDesign(design.Design, frozen=True):
    """How a back looks. `ground` fills it, over the cut."""

    ground: _Colour
    pattern: Pattern
    lines: tuple[BackLine, ...] = ()
    medallion: Medallion | None = None


def back_of(kind: str, vault: Path | None) -> BackDesign:
    """The back of a kind of deck, if no other is asked for. Raises InvalidError for one that cannot be used."""
    own = resources.find("print", f"backs/{kind}.toml", vault)
    return load_back(kind if own else _CLASSIC, vault)


def load_back(name: str, vault: Path | None) -> BackDesign:
    """The back `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    made, where = design.named("backs", "back", name, vault, BackDesign)
    if not made.pattern.signs:
        hint = 'Like signs = ["crowns", "stars"].'
        raise InvalidError("'signs' names no sign.", where=f"{where} [pattern]", hint=hint)
    _check_signs(made.pattern.signs, f"{where} [pattern]", vault)
    if made.medallion:
        _check_signs([made.medallion.sign], f"{where} [medallion]", vault)
    return made


def _check_signs(signs: Iterable[str], where: str, vault: Path | None) -> None:
    known = [file.stem for _, file in resources.listing("print", "icons/*.svg", vault)]
    for sign in signs:
        if sign.lower() not in known:
            others = f"There are: {', '.join(known)}; or draw print/icons/{sign}.svg."
            hint = did_you_mean(sign, known, most=2) or others
            raise InvalidError(f"There is no sign '{sign}'.", where=where, hint=hint)
