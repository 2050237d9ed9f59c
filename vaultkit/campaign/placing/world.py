"""The date in the world, copied from the GM's notes as written there."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date

from vaultkit.campaign.keys import SCORE
from vaultkit.campaign.placing.gm_sessions import day_of, newest
from vaultkit.errors import InvalidError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts

FC_DATE, FC_START, FC_CALENDAR = "fc-date", "fc-start", "fc-calendar"
"""The properties of Calendarium and Fantasy Calendar: a date, its other name for a start, and its calendar.

The end and the category of an event are not copied: they are about the GM's session and not about a game in it.
"""
IN_WORLD = "in-world"
"""The property for the date in our notes if the GM's name for it is one of our properties, such as `date`."""
_TAKEN = frozenset({
    "aliases", "bots", "cards", "date", "deck", "game", "mode", "options", "outcome", "players", "question",
    "real-cards", "seed", "spread", "tags", "winners",
})  # fmt: skip
_PARTS = ("year", "month", "day")


@dataclass(frozen=True, slots=True)
class InWorld:
    """The properties of the date in the world, by name, and a remark on it for the GM, "" for none."""

    properties: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""


def in_world(vault: Vault, settings: Settings, target: str, on: date) -> InWorld:
    """Return the date in the world from the note `target`, else from the newest session note; empty if neither has one.

    A session note of an earlier day gets a remark. `target` is a vault path, "" for none, and the note may not exist
    yet.
    """
    name = settings.campaign.in_world.strip()
    if not name:
        return InWorld()
    named, session = vault.facts.get(target), None
    if named is None or not _date_of(named, name):
        with suppress(InvalidError):
            session = newest(vault, settings, on)
    source = session.facts if session else named
    found = _date_of(source, name) if source else {}
    return InWorld(found, _if_older(source, found, on)) if source and found else InWorld()


def _if_older(source: Facts, found: Mapping[str, str], on: date) -> str:
    """Return a remark if the date comes from the note of an earlier day, else "".

    The world's calendar may have moved on since.
    """
    day = day_of(source)
    if day is None or day >= on:
        return ""
    return f"The date in your world is still that of {source.path} ({day}): {next(iter(found.values()))}."


def _date_of(facts: Facts, name: str) -> Mapping[str, str]:
    found, calendar = _flat(facts.property(name)), ""
    if name.lower() == FC_DATE:
        found = found or _flat(facts.property(FC_START))
        calendar = _flat(facts.property(FC_CALENDAR))
    properties = {_free(name): found, FC_CALENDAR: calendar}
    return {one: text for one, text in properties.items() if text} if found else {}


def _free(name: str) -> str:
    taken = name.lower() in _TAKEN or name.lower().startswith(("vaultkit", SCORE))
    return IN_WORLD if taken else name


def _flat(value: object) -> str:
    """Return a date as one text; the plugins read `1492-Mirtul-14` like a map of year, month and day.

    Of a list it is the first item, for dates and for calendars: the plugins pair them in that order.
    """
    if isinstance(value, list):
        return _flat(value[0]) if value else ""
    if isinstance(value, Mapping):
        parts = [_flat(value.get(part)) for part in _PARTS]
        return "-".join(parts) if all(parts) else ""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
