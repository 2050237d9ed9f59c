"""Backs of cards are data: `print/backs/<name>.toml`, the vault's own first."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vaultkit import resources
from vaultkit.errors import InvalidError, UsageError
from vaultkit.look import design
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, parse_length
from vaultkit.spelling import did_you_mean

WIDTH = 63 * MM
"""The width of the card that a back is designed for, in micrometres; on others it grows or shrinks."""
NEAR_CUT = 3200
"""No line comes nearer to the cut, so that none is within 2.5 mm of it on the smallest card either."""
_COLOURS = (look.PAPER, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.GILT, look.LINE, look.PANEL, look.PANEL_DARK)
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


def back_names(vault: Path | None) -> list[str]:
    """The backs that there are, the vault's own among them."""
    return [Path(file).stem for file, _ in resources.listing("print", "backs/*.toml", vault)]


def load_back(name: str, vault: Path | None) -> BackDesign:
    """The back `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    found = resources.find("print", f"backs/{name}.toml", vault)
    if found is None:
        raise UsageError(f"There is no back '{name}'.", hint=f"Backs: {', '.join(back_names(vault))}.")
    where = design.told(found)
    table = design.check(design.load(found), ["ground", "pattern"], ["lines", "medallion"], where)
    return BackDesign(
        name,
        _role(table, "ground", where),
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
    size, step = _length(table, "size", where, least=MM), _length(table, "step", where, least=2 * MM)
    inset = _length(table, "inset", where, least=NEAR_CUT) if "inset" in table else 0
    return Pattern(signs, _role(table, "colour", where), size, step, inset)


def _line(given: object, where: str) -> BackLine:
    table = design.check(given, ["inset", "width", "corner", "colour"], [], where)
    inset, width = _length(table, "inset", where, least=NEAR_CUT), _length(table, "width", where, least=50)
    return BackLine(inset, width, _length(table, "corner", where), _role(table, "colour", where))


def _medallion(given: object, where: str, vault: Path | None) -> Medallion:
    table = design.check(given, ["sign", "radius", "colour", "ground"], [], where)
    radius = _length(table, "radius", where, least=2 * MM)
    sign = design.text(table, "sign", where)
    _check_signs([sign], where, vault)
    return Medallion(sign, radius, _role(table, "colour", where), _role(table, "ground", where))


def _check_signs(signs: Iterable[str], where: str, vault: Path | None) -> None:
    known = [file.stem for _, file in resources.listing("print", "icons/*.svg", vault)]
    for sign in signs:
        if sign.lower() not in known:
            others = f"There are: {', '.join(known)}; or draw print/icons/{sign}.svg."
            hint = did_you_mean(sign, known, most=2) or others
            raise InvalidError(f"There is no sign '{sign}'.", where=where, hint=hint)


def _length(table: design.Table, key: str, where: str, least: int = 0) -> int:
    """A length in micrometres, no longer than a card is wide."""
    length = parse_length(table[key], f"{where} {key}")
    if not least <= length <= WIDTH:
        raise InvalidError(f"'{key}' must be from {least / MM:g} to {WIDTH / MM:g} mm.", where=where)
    return length


def _role(table: design.Table, key: str, where: str) -> str:
    role = design.text(table, key, where)
    if role not in _ROLES:
        raise InvalidError(f"'{role}' is no colour.", where=where, hint=f"Accepted: {', '.join(_ROLES)}.")
    return role
