"""The GM's own notes of sessions: which they are, and which is the newest on a day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from vaultkit.errors import InvalidError, WriteError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.vault.tags import is_within
from vaultkit.vault.writing.names import checked
from vaultkit.vault.writing.write import refuse_generated

TAGS = ("session", "sessions")
NUMBER = "session"
"""The property of a session's number."""
_ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_SESSION = re.compile(r"\bsession\W{0,3}(\d{1,4})\b|^(\d{1,4})\b(?!-\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GmSession:
    """A note of the GM's: its `day`, None if it has no date, and its number, -1 if it has none."""

    facts: Facts
    day: date | None
    number: float

    @property
    def rank(self) -> tuple[date, float, str]:
        """The newest is the greatest; those without a date come before all others."""
        return self.day or date.min, self.number, self.facts.path


def newest(vault: Vault, settings: Settings, on: date) -> GmSession:
    """The newest of the GM's session notes on that day: what is prepared for a later day is none.

    Dates are the property `date`, else a date in the file's name. Only where no note has one that is not later,
    numbers count: the property `session`, else one in the file's name. Raises InvalidError where there is none.
    """
    found = list(gm_sessions(vault, settings))
    past = [one for one in found if one.day is not None and one.day <= on]
    numbered = [one for one in found if one.day is None and one.number >= 0]
    if past or numbered:
        return max(past or numbered, key=lambda one: one.rank)
    raise _none(found, vault, settings, on)


def newest_if_any(vault: Vault, settings: Settings, on: date) -> GmSession | None:
    """The `newest`, None where there is none."""
    try:
        return newest(vault, settings, on)
    except InvalidError:
        return None


def gm_sessions(vault: Vault, settings: Settings) -> Iterator[GmSession]:
    """All notes of sessions that the GM wrote, in the order of paths; never those of games and readings."""
    folder = _folder(settings)
    for facts in vault.note_facts:
        if (facts.path.startswith(f"{folder}/") if folder else _is_marked(facts)) and _is_own(facts):
            yield GmSession(facts, _date(facts), _number(facts))


def looked_for(settings: Settings) -> str:
    """Which notes are taken for the GM's, for people."""
    if folder := _folder(settings):
        return f"the notes in {folder} (campaign.sessions)"
    return "notes with the tag 'session' or the property 'session' (or set campaign.sessions to their folder)"


def _folder(settings: Settings) -> str:
    name = settings.campaign.sessions
    return "/".join(checked(name, name, "Set campaign.sessions to the folder of your session notes."))


def _is_marked(facts: Facts) -> bool:
    if facts.property(NUMBER) is not None:
        return True
    likely = (tag for tag in facts.tags if tag[:7].lower() == TAGS[0])  # of a large vault's many tags, hardly any
    return any(is_within(tag, wanted) for tag in likely for wanted in TAGS)


def _is_own(facts: Facts) -> bool:
    """Whether a person wrote it: neither vaultkit nor a converter did."""
    if any(name.lower().startswith("vaultkit-") for name in facts.properties):
        return False
    try:
        refuse_generated(facts)
    except WriteError:
        return False
    return True


def _date(facts: Facts) -> date | None:
    told = (_real(str(facts.property("date") or "")), _real(facts.name))
    return next(filter(None, told), None)


def _real(text: str) -> date | None:
    """The first date in a text, `2026-11-03` or a link to a daily note of that name."""
    found = _ISO.search(text)
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None


def _number(facts: Facts) -> float:
    value = facts.property(NUMBER)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    found = _SESSION.search(facts.name)
    return int(found[1] or found[2]) if found else -1


def _none(found: list[GmSession], vault: Vault, settings: Settings, on: date) -> InvalidError:
    way_on = "Or give --campaign NOTE."
    later = sorted((one for one in found if one.day), key=lambda one: one.rank)
    if later:
        return InvalidError(
            f"None of your session notes is dated {on.isoformat()} or before.",
            where=later[0].facts.path,
            hint=f"That one is of {later[0].day}: change its property 'date'. {way_on}",
        )
    if found:
        return InvalidError(
            "It cannot be told which of your session notes is the newest.",
            where=found[0].facts.path,
            hint=f"Give it the property 'date', or 'session' with its number. {way_on}",
        )
    hint = f"Looked for: {looked_for(settings)}. {way_on}"
    return InvalidError("There is no session note of yours in this vault.", where=str(vault.root), hint=hint)
