"""The date in the world of the game, copied from the GM's notes as written there."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date

from vaultkit.campaign.log_target.gm_sessions import day_of, find_newest_session
from vaultkit.campaign.property_names import SCORE_PREFIX
from vaultkit.errors import InvalidError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import Facts

FC_DATE, FC_START, FC_CALENDAR = "fc-date", "fc-start", "fc-calendar"
"""The properties of Calendarium and Fantasy Calendar: a date, its other name for a start, and its calendar.

The end and the category of an event are not copied: they are about the GM's session and not about a game in it.
"""
IN_WORLD = "in-world"
"""The property for the date in our notes if the GM's name for it is one of our properties, such as `date`."""
_RESERVED_PROPERTIES = frozenset({
    "aliases", "bots", "cards", "date", "deck", "game", "mode", "options", "outcome", "players", "question",
    "real-cards", "seed", "spread", "tags", "winners",
})  # fmt: skip
_PARTS = ("year", "month", "day")


@dataclass(frozen=True, slots=True)
class WorldDate:
    """The properties of the date in the world, by name, and a remark on it for the GM, "" for none."""

    properties: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""


def find_world_date(vault: Vault, settings: Settings, target: str, on: date) -> WorldDate:
    """Return the date in the world from the note `target`, else from the newest session note; empty if neither has one.

    A session note of an earlier day gets a remark. `target` is a vault path, "" for none, and the note may not exist
    yet.
    """
    name = settings.campaign.in_world.strip()
    if not name:
        return WorldDate()
    target_facts, session = vault.facts.get(target), None
    if target_facts is None or not _find_date_properties(target_facts, name):
        with suppress(InvalidError):
            session = find_newest_session(vault, settings, on)
    source = session.facts if session else target_facts
    properties = _find_date_properties(source, name) if source else {}
    return WorldDate(properties, _older_date_remark(source, properties, on)) if source and properties else WorldDate()


def _older_date_remark(source: Facts, properties: Mapping[str, str], on: date) -> str:
    """Return a remark if the note `source` is of a day before `on`, since the date in the world may be later now.

    Return "" if it is not, or has no day.
    """
    day = day_of(source)
    if day is None or day >= on:
        return ""
    return f"The date in your world is still that of {source.path} ({day}): {next(iter(properties.values()))}."


def _find_date_properties(facts: Facts, name: str) -> Mapping[str, str]:
    date_text, calendar = _format_date(facts.property(name)), ""
    if name.lower() == FC_DATE:
        date_text = date_text or _format_date(facts.property(FC_START))
        calendar = _format_date(facts.property(FC_CALENDAR))
    properties = {_property_name(name): date_text, FC_CALENDAR: calendar}
    return {key: text for key, text in properties.items() if text} if date_text else {}


def _property_name(name: str) -> str:
    is_reserved = name.lower() in _RESERVED_PROPERTIES or name.lower().startswith(("vaultkit", SCORE_PREFIX))
    return IN_WORLD if is_reserved else name


def _format_date(value: object) -> str:
    """Return the date in a property as one text, "" for none.

    A map of year, month and day becomes `1492-Mirtul-14`, which the plugins read alike. Only the first item of a list
    counts; the plugins pair dates and calendars in their order.
    """
    if isinstance(value, list):
        return _format_date(value[0]) if value else ""
    if isinstance(value, Mapping):
        parts = [_format_date(value.get(part)) for part in _PARTS]
        return "-".join(parts) if all(parts) else ""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
