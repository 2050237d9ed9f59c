"""Backs of cards are data: `print/backs/<name>.toml`, the vault's own first."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vaultkit import resources
from vaultkit.errors import InvalidError
from vaultkit.look import design
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, length_of
from vaultkit.spelling import did_you_mean

_WIDEST = 63
WIDTH = _WIDEST * MM
"""The width of the card that a back is designed for, in millimetres and micrometres; on others it grows or shrinks."""
_NEAR_CUT = 3.2
"""No line comes nearer to the cut, so that none is within 2.5 mm of it on the smallest card either."""
_COLOURS = (look.PAPER, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.GILT, look.LINE, look.PANEL, look.PANEL_DARK)
_NEEDED, _MORE = ("ground", "pattern"), ("lines", "medallion")
_ROLES = (*_COLOURS, look.HEAD, look.ON_HEAD)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Signs in rows over the back, in turn. Lengths are in micrometres; `inset` 0 lets them run over the cut."""

    signs: tuple[str, ...]
    colour: str
    size: int
    step: int
    inset: int


@dataclass(frozen=True, slots=True)
class BackLine:
    """A line round the card: how far from the cut, how thick and how round, in micrometres."""

    inset: int
    width: int
    corner: int
    colour: str


@dataclass(frozen=True, slots=True)
class Medallion:
    """A disc in the middle with a sign on it that reads the same from both ends of the card."""

    sign: str
    radius: int
    colour: str
    ground: str


@dataclass(frozen=True, slots=True)
class BackDesign:
    """How a back looks. `ground` fills it, over the cut."""

    name: str
    ground: str
    pattern: Pattern
    lines: tuple[BackLine, ...]
    medallion: Medallion | None


def load_back(name: str, vault: Path | None) -> BackDesign:
    """The back `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    table, where = design.named(
        "backs", "back", name, vault, required=["ground", "pattern"], optional=["lines", "medallion"]
    )
    return BackDesign(
        name,
        design.one_of(table, "ground", _ROLES, where),
        _pattern(table["pattern"], f"{where} [pattern]", vault),
        tuple(_line(line, f"{where} [[lines]]") for line in design.tables(table, "lines", where)),
        _medallion(table["medallion"], f"{where} [medallion]", vault) if "medallion" in table else None,
    )


def _pattern(given: object, where: str, vault: Path | None) -> Pattern:
    table = design.check(given, ["signs", "colour", "size", "step"], ["inset"], where)
    signs = design.texts(table, "signs", where)
    if not signs:
        raise InvalidError("'signs' names no sign.", where=where, hint='Like signs = ["crowns", "stars"].')
    _check_signs(signs, where, vault)
    least = {"size": 1, "step": 2, "inset": _NEAR_CUT}
    size, step, inset = (length_of(table, key, where, low, _WIDEST) for key, low in least.items())
    return Pattern(signs, design.one_of(table, "colour", _ROLES, where), size, step, inset)


def _line(given: object, where: str) -> BackLine:
    table = design.check(given, ["inset", "width", "corner", "colour"], [], where)
    least = {"inset": _NEAR_CUT, "width": 0.05, "corner": 0}
    inset, width, corner = (length_of(table, key, where, low, _WIDEST) for key, low in least.items())
    return BackLine(inset, width, corner, design.one_of(table, "colour", _ROLES, where))


def _medallion(given: object, where: str, vault: Path | None) -> Medallion:
    table = design.check(given, ["sign", "radius", "colour", "ground"], [], where)
    radius = length_of(table, "radius", where, 2, _WIDEST)
    sign = design.text(table, "sign", where)
    _check_signs([sign], where, vault)
    colour, ground = (design.one_of(table, key, _ROLES, where) for key in ("colour", "ground"))
    return Medallion(sign, radius, colour, ground)


def _check_signs(signs: Iterable[str], where: str, vault: Path | None) -> None:
    known = [file.stem for _, file in resources.listing("print", "icons/*.svg", vault)]
    for sign in signs:
        if sign.lower() not in known:
            others = f"There are: {', '.join(known)}; or draw print/icons/{sign}.svg."
            hint = did_you_mean(sign, known, most=2) or others
            raise InvalidError(f"There is no sign '{sign}'.", where=where, hint=hint)
