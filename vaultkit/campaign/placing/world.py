"""The date in the world: copied from the GM's notes, as the GM wrote it."""

from collections.abc import Mapping
from datetime import date

from vaultkit.campaign.placing.sessions import newest_if_any
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts

FC_DATE, FC_CALENDAR = "fc-date", "fc-calendar"
"""The properties of Calendarium and Fantasy Calendar: a date in a calendar, and which calendar it is."""
_PARTS = ("year", "month", "day")


def in_world(vault: Vault, settings: Settings, target: str, on: date) -> Mapping[str, str]:
    """The properties of the date in the world, by name: of the note `target`, else of the newest session note.

    Nothing where neither has one. `target` is a vault path, "" for none, and may be of a note that is yet to be made.
    """
    name = settings.campaign.in_world.strip()
    if not name:
        return {}
    if target in vault.facts and (found := _told(vault.facts[target], name)):
        return found
    session = newest_if_any(vault, settings, on)
    return _told(session.facts, name) if session else {}


def _told(facts: Facts, name: str) -> Mapping[str, str]:
    names = (name, FC_CALENDAR) if name.lower() == FC_DATE else (name,)
    told = {one: _flat(facts.property(one)) for one in names}
    return {one: text for one, text in told.items() if text} if told[name] else {}


def _flat(value: object) -> str:
    """A date as one text; those plugins read `1492-Mirtul-14` as they do a map of year, month and day."""
    if isinstance(value, Mapping):
        parts = [_flat(value.get(part)) for part in _PARTS]
        return "-".join(parts) if all(parts) else ""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
