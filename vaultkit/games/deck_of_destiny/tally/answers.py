"""Reads a line of the score sheet about an encounter that was played with real cards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny.rules import KINDS, OPTIONS, category_of, hand_name, names_in
from vaultkit.games.hands import Category
from vaultkit.games.options import Options
from vaultkit.games.tally import Answer, Tally

UNKNOWN = "unknown"
"""The answer for a hand that nobody wrote down."""
HANDS = {category.value.capitalize(): category for category in Category}
"""Hands as the sheet calls them, strongest first."""
_STRENGTH = re.compile(r"(?:strength\s*)?([1-7])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One encounter. `asks` are the words on the sheet; `strength` is 0 and `category` set if it is passive.

    `hand` is None where nobody wrote it down; `before` is how many cards were owned.
    """

    name: str
    asks: str
    strength: int
    category: Category | None
    laid: int
    hand: Category | None
    result: str
    gained: int
    before: int


def row(common: Mapping[str, Answer]) -> str:
    """The line of the sheet that is meant: `encounter.1`."""
    return f"encounter.{common.get('encounter', 1)}"


def line(tally: Tally) -> Line:
    """The encounter. What it asks for comes from the sheet, or else from the options."""
    seat, at = tally.seats[0], row(tally.common)
    asks = str(seat.answers.get(f"{at}.asks", "")).strip()
    strength, category = _asked(asks, tally.options)
    before = tally.common.get("inventory", tally.options["inventory"])
    return Line(
        name=str(seat.answers.get(f"{at}.name", "")).strip(),
        asks=asks,
        strength=strength,
        category=category,
        laid=seat.number(f"{at}.laid"),
        hand=HANDS.get(str(seat.answers.get(f"{at}.hand", UNKNOWN))),
        result=str(seat.answers.get(f"{at}.result", "")),
        gained=seat.number(f"{at}.gained"),
        before=before if isinstance(before, int) else 0,
    )


def owned_after(boxes: Mapping[str, str], lines: int, options: Options) -> int | None:
    """The cards owned after the first `lines` encounters of a sheet, by what is in its boxes.

    None where nothing is in them, or something that is no number.
    """
    owned = options["inventory"]
    said = {key: text.strip() or "0" for key, text in boxes.items()}
    filled = [f"encounter.{number}" for number in range(1, lines + 1) if f"encounter.{number}.result" in said]
    for at in filled:
        laid, gained = (said.get(f"{at}.{box}", "0") for box in ("laid", "gained"))
        if not (_is_count(laid) and _is_count(gained) and isinstance(owned, int)):
            return None
        kept = options.get(f"keep_on_{said[f'{at}.result'].casefold()}") == "yes"
        owned += int(gained) - int(laid) * (not kept)
    return owned if filled and isinstance(owned, int) else None


def _is_count(text: str) -> bool:
    return text.isdecimal() and len(text) < 4


def _asked(asks: str, options: Options) -> tuple[int, Category | None]:
    """The strength of a combative encounter, or the hand that a passive one asks for."""
    if found := _STRENGTH.fullmatch(asks):
        return int(found[1]), None
    try:
        category = category_of(str(next(option for option in OPTIONS if option.key == "requires").parse(asks)))
    except UsageError:
        category = category_of(str(options["requires"]))
    return (0, category) if category else (int(options["strength"]), None)


def deck_kind(options: Options) -> str:
    """The kind of deck, or the name of one of the GM's own (DD-1)."""
    deck = str(options["deck"])
    return KINDS.get(deck, deck)


def spoken(category: Category, options: Options) -> str:
    """A hand in a sentence, as the deck of these options calls it."""
    return hand_name(category, names_in(deck_kind(options)))
