"""Lengths as people write them, in whole micrometres and in points."""

import re
from typing import ClassVar, Self

from vaultkit.errors import InvalidError
from vaultkit.schema import InvalidValue

MM = 1000
INCH = 25_400
_UM_PER_UNIT = {"mm": MM, "cm": 10 * MM, "in": INCH, "pt": INCH / 72}
_LENGTH = re.compile(r"\s*(\d{1,6}(?:\.\d{1,9})?)\s*(mm|cm|in|pt)\s*", re.ASCII)


def parse_length(text: str, where: str = "") -> int:
    """Parse a length such as `"63mm"` or `"2.5in"`; return micrometres. Raises InvalidError."""
    match = _LENGTH.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidError(f"'{text}' is not a length.", where=where, hint='Write it like "63mm", "2.5in" or "12pt".')
    return round(float(match[1]) * _UM_PER_UNIT[match[2]])


class _Bounded:
    """A base class of lengths in designs, which are accepted from `least` to `most`, both in `unit`."""

    least: ClassVar[float]
    most: ClassVar[float]
    unit: ClassVar[str]

    def __init_subclass__(cls, minimum: float = 0, limit: float = 1500, unit: str = "mm") -> None:
        cls.least, cls.most, cls.unit = minimum, limit, unit

    @classmethod
    def parse_micrometres(cls, text: str) -> int:
        """Parse a length, and return it in micrometres.

        Raises InvalidValue for a text that is not a length or is out of bounds.
        """
        try:
            length = parse_length(text)
        except InvalidError as error:
            raise InvalidValue(f"is not a length: '{text}'.", error.hint) from error
        if not round(cls.least * _UM_PER_UNIT[cls.unit]) <= length <= round(cls.most * _UM_PER_UNIT[cls.unit]):
            raise InvalidValue(f"must be from {cls.least:g} to {cls.most:g} {cls.unit}.")
        return length


class Length(_Bounded, int):
    """A length in a design, in micrometres."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a text such as `"63mm"`. Raises InvalidValue."""
        return cls(cls.parse_micrometres(text))


class Points(_Bounded, float):
    """A length in a design, in points."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a text such as `"63mm"`. Raises InvalidValue."""
        return cls(round(points(cls.parse_micrometres(text)), 2))


def parse_signed_length(text: str, where: str = "") -> int:
    """Parse a length with or without a sign, such as `"-0.5mm"` or `"0"`; return micrometres. Raises InvalidError."""
    signed = text.strip()
    unsigned = signed.removeprefix("-").removeprefix("+")
    length = 0 if re.fullmatch(r"0+(\.0+)?", unsigned) else parse_length(unsigned, where)
    return -length if signed.startswith("-") else length


def points(micrometres: float) -> float:
    """Convert micrometres to PDF points."""
    return micrometres * 72 / INCH


MM_POINTS = points(MM)
"""A millimetre in points."""
