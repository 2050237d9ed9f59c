"""A short notation for the cards that tests of the rules lay out."""

from collections.abc import Iterable, Iterator, Mapping

from vaultkit.games.position_setup import Stack, ZoneKey


def place_all(
    of_seats: Mapping[str, Iterable[str | None]], of_table: Mapping[str, str | None]
) -> dict[ZoneKey, tuple[Stack, ...]]:
    """Return zones from card ids separated by spaces; a comma ends a stack, and zones given as None are dealt."""
    named: dict[ZoneKey, str | None] = {(zone, None): text for zone, text in of_table.items()}
    named |= {(zone, seat): text for zone, each in of_seats.items() for seat, text in enumerate(each)}
    return {place: tuple(_stacks(text)) for place, text in named.items() if text is not None}


def _stacks(text: str) -> Iterator[Stack]:
    """Yield the stacks of a text: `4wl 8wl, 3sk` is the Sailor with the Mill on him, and a bare Painter."""
    yield from (tuple(stack.split()) for stack in text.split(",") if stack.strip())
