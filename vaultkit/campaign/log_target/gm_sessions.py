"""The GM's own notes of sessions: which they are, the newest on a day, and the date in the world of the game."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePosixPath

from vaultkit.campaign.dates import WrittenDate, find_date, locale_order
from vaultkit.campaign.players import bare_name
from vaultkit.campaign.property_names import READING, SCORE_PREFIX, SESSION
from vaultkit.errors import InvalidError
from vaultkit.settings import Settings
from vaultkit.spelling import did_you_mean
from vaultkit.text import parse_whole_number
from vaultkit.vault import Vault
from vaultkit.vault.file_names import safe_parts
from vaultkit.vault.note import is_generated
from vaultkit.vault.note_facts import Facts, texts
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import key
from vaultkit.vault.tags import is_within

TAGS = ("session", "sessions")
NUMBER_PROPERTY = "session"
"""The property with a session's number."""
EARLIEST_SESSION_DATE = date(1970, 1, 1)
"""The earliest date of a session; earlier dates belong to the world of the game."""
_IN_FOLDERS = re.compile(r"(?:.*/)?(\d{4}/\d{2}/\d{2})")
"""The path of a note whose folders are its year and month."""
_PLACEHOLDER = re.compile(r"\{\{|<%")
"""The mark in the date of a note that is a template."""
_TAGGED = re.compile(r"sessions?/(\d{1,4})", re.IGNORECASE)
_NUMBERED = r"\b(?:session|sitzung|s[eé]ance|sesi[oó]n|sessione|sess[aã]o|sesja)\W{0,3}(\d{1,4})\b"
_SESSION = re.compile(rf"{_NUMBERED}|^(\d{{1,4}})\b(?!-\d)", re.IGNORECASE)
_WORD_AND_NUMBER = re.compile(
    r"\W*(?!(?:the|an?|de[rsn]?|die|das|een|het|l[aeo]s?|les|el|il|gli|os?|as?|un|una|une) )"
    r"[^\W\d_]+\W{0,3}(?:n(?:o|r|um)?[.°º]?\W{0,2})?(\d{1,4})(?!\d)|.*[^\W\d_]\W{0,3}(\d{1,4})$"
)
"""A word of any language with a number at the beginning of a name, or a number at its end."""
_YEAR = r"(?:19[7-9]|20\d)\d"
_LIKELY_DATE = re.compile(
    rf"(?<!\d)(?:\d{{1,2}}[\s._-]+[^\W_]+[\s._,-]+{_YEAR}|{_YEAR}[\s._-]+[^\W_]+[\s._-]+\d{{1,2}})(?!\d)"
)
"""A date in a name that may be in a language that `find_date` does not know: `28 лістапада 2026`."""


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
class GmSession:
    """A session note of the GM's: its `day`, None if it has no date, and its number, -1 if it has none.

    `days` are all days that its date may mean; if there are 2, `day` is the earlier one. `unread` is the text of a date
    that cannot be read, "" for none.
    """

    facts: Facts
    day: date | None
    number: float
    days: tuple[date, ...] = ()
    unread: str = ""

    @property
    def rank(self) -> tuple[date, float, str]:
        """The sort key, greatest for the newest note; notes without a date come before all others."""
        return self.day or date.min, self.number, self.facts.path

    def may_follow(self, other: "GmSession", on: date) -> bool:
        """Return whether this note has an unclear date and may be newer than `other`, on the day `on`.

        If both have numbers, the numbers decide.
        """
        if self.facts.path == other.facts.path or not (self.unread or len(self.days) > 1):
            return False
        if min(self.number, other.number) >= 0:
            return self.number > other.number
        past_ranks = [(day, self.number, self.facts.path) for day in self.days if day <= on]
        return bool(self.unread) or (bool(past_ranks) and max(past_ranks) > other.rank)


def find_newest_session(vault: Vault, settings: Settings, on: date) -> GmSession:
    """Return the newest of the GM's session notes on a day; notes with a later date do not count.

    Dates are the property `date`, else a date in the file's name. Only if no note has a date up to that day, numbers
    count: the property `session`, else a number in the file's name, else in a tag such as `session/12`. Raises
    InvalidError if there is no session note, and if another note, whose date is not clear, may be newer.
    """
    sessions = list(gm_sessions(vault, settings))
    past_sessions = [session for session in sessions if session.day is not None and session.day <= on]
    numbered_sessions = [session for session in sessions if session.day is None and session.number >= 0]
    newest_session = max(past_sessions or numbered_sessions, key=lambda session: session.rank, default=None)
    if newest_session is None:
        raise _no_session_error(sessions, vault, settings, on)
    if rivals := [session for session in sessions if session.may_follow(newest_session, on)]:
        raise _ambiguity_error(rivals[0], newest_session)
    if (
        len(newest_session.days) > 1
        and max(newest_session.days) > on
        and (past_rivals := [session for session in past_sessions if session != newest_session])
    ):
        raise _ambiguity_error(newest_session, max(past_rivals, key=lambda session: session.rank))
    return newest_session


def gm_sessions(vault: Vault, settings: Settings) -> Iterator[GmSession]:
    """Yield all session notes that the GM wrote, in the order of paths.

    Notes of games and readings, and templates, are left out. The folder may be written in any case, as the file systems
    of Windows and macOS allow.
    """
    folder = _sessions_folder(settings)
    folder_prefix = key(f"{folder}/")
    template_prefixes = tuple(key(f"{template_folder}/") for template_folder in template_folders(vault.root))
    dated_notes: list[tuple[Facts, WrittenDate | None]] = []
    for facts in vault.note_facts:
        if not (key(facts.path).startswith(folder_prefix) if folder else _is_marked_as_session(facts)):
            continue
        is_ours = is_generated(facts) or any(name.lower().startswith("vaultkit-") for name in facts.properties)
        if not (is_ours or key(facts.path).startswith(template_prefixes) or _is_template(facts)):
            dated_notes.append((facts, _date_of(facts)))
    orders = {written_date.order for _, written_date in dated_notes if written_date} - {""}
    yield from (_create_session(facts, written_date, orders) for facts, written_date in dated_notes)


def date_order(vault: Vault, settings: Settings) -> str:
    """Return which part of `03/11/2026` comes first: "day" or "month", "" if nothing tells.

    The dates of the GM's session notes decide, else the user's locale.
    """
    written_dates = (_date_of(session.facts) for session in gm_sessions(vault, settings))
    orders = {written_date.order for written_date in written_dates if written_date} - {""}
    return orders.pop() if len(orders) == 1 else locale_order()


def _create_session(facts: Facts, written_date: WrittenDate | None, orders: set[str]) -> GmSession:
    """Return the session of a note; `orders` ("day" or "month" first) settle an ambiguous date if all agree.

    Without any, the user's locale does.
    """
    days = written_date.days if written_date else ()
    if len(days) > 1 and (order := next(iter(orders)) if len(orders) == 1 else locale_order() * (not orders)):
        days = days[:1] if order == "day" else days[1:]
    value = " ".join(texts(facts.property("date")))
    date_text = value.strip() if re.search(r"\d", value) else _find_unreadable_date(facts)
    unreadable_date = "" if days else date_text
    return GmSession(facts, min(days, default=None), _find_number(facts), days, unreadable_date)


def _find_unreadable_date(facts: Facts) -> str:
    """Return text in a note's name that looks like a date but cannot be read as one, "" for none."""
    likely = _LIKELY_DATE.search(re.sub(_NUMBERED, " ", facts.name, flags=re.IGNORECASE))
    return likely[0] if likely and not find_date(facts.name) else ""


def unreadable_session_remarks(vault: Vault, settings: Settings, session: GmSession, on: date) -> Iterator[str]:
    """Yield remarks on unreadable notes that may be newer than `session`, the newest session note.

    They are notes in the folder of session notes, or in the newest session note's folder if none is set. Their names
    begin like its name, up to the first digit, and their numbers are not lower.
    """
    newest, folder = session.facts, _sessions_folder(settings)
    name_start = re.split(r"\d", newest.name)[0]
    folder_prefix = key(f"{folder}/" if folder else newest.path.removesuffix(f"{newest.name}.md"))
    for path, facts in vault.facts.items():
        is_unreadable = facts.unreadable or facts.is_broken
        if not is_unreadable or facts.property("date") is not None or path == newest.path:
            continue
        is_similar = key(path).startswith(folder_prefix) and facts.name.startswith(name_start)
        may_be_newer = _numbers_in_name(facts) >= _numbers_in_name(newest) and (_find_day(facts.name) or on) <= on
        if is_similar and may_be_newer:
            yield f"{path} cannot be read, and so was passed over for {newest.path}. See: vaultkit check"


def _numbers_in_name(facts: Facts) -> list[int]:
    """Return all numbers in a note's name: `2026-11-03 Session 7` is [2026, 11, 3, 7]."""
    return [int(digits) for digits in re.findall(r"\d{1,9}", facts.name)]


def search_terms(settings: Settings) -> str:
    """Return a description, for messages, of the notes that count as session notes."""
    if folder := _sessions_folder(settings):
        return f"the notes in {folder} (campaign.sessions)"
    return "notes with the tag 'session' or the property 'session' (or set campaign.sessions to their folder)"


def _sessions_folder(settings: Settings) -> str:
    """Return the vault path of the folder of session notes that the settings name, "" for none."""
    name = settings.campaign.sessions
    return "/".join(safe_parts(name, f"campaign.sessions: {name}", "Set it to the folder of your session notes."))


def _is_marked_as_session(facts: Facts) -> bool:
    """Return whether a property or a tag marks the note as a session.

    `session: "[[Session 5]]"` is about a session, so its note is no session itself.
    """
    number = facts.property(NUMBER_PROPERTY)
    if number is not None and "[[" not in str(number):
        return True
    return any(is_within(tag, session_tag) for tag in facts.tags for session_tag in TAGS)


def _is_template(facts: Facts) -> bool:
    """Return whether the note's date is a placeholder, as in a template.

    It is `{{date}}`, which YAML reads as a map, or a command of Templater.
    """
    value = facts.property("date")
    return isinstance(value, Mapping) or bool(_PLACEHOLDER.search(str(value)))


def day_of(facts: Facts) -> date | None:
    """Return the day of a note from its date property, name or folders; None if there is none or it is ambiguous."""
    written_date = _date_of(facts)
    return written_date.days[0] if written_date and len(written_date.days) == 1 else None


def _date_of(facts: Facts) -> WrittenDate | None:
    """Return a note's date from its property, name or folders; None without one since EARLIEST_SESSION_DATE."""
    folders = _IN_FOLDERS.fullmatch(facts.path.removesuffix(".md"))
    candidates = (*texts(facts.property("date")), facts.name, folders[1] if folders else "")
    dates = filter(None, map(find_date, candidates))
    return next((written_date for written_date in dates if written_date.days[0] >= EARLIEST_SESSION_DATE), None)


def _find_day(text: str) -> date | None:
    """Return the first date in a text; None if there is none, or if it may be either of 2 days."""
    written_date = find_date(text)
    return written_date.days[0] if written_date and len(written_date.days) == 1 else None


def _find_number(facts: Facts) -> float:
    """Return the number of a session from the note's property, name or tag; -1 if it has none."""
    value = facts.property(NUMBER_PROPERTY)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and (number := parse_whole_number(value.strip())) is not None:
        return number
    name_date = find_date(facts.name)
    date_text = name_date.written if name_date else _find_unreadable_date(facts).casefold()
    name = facts.name.casefold().replace(date_text, " ") if date_text else facts.name
    if match := _SESSION.search(name) or _WORD_AND_NUMBER.match(name.strip().casefold()):
        return int(match[1] or match[2])
    tag_match = next(filter(None, map(_TAGGED.fullmatch, facts.tags)), None)
    return int(tag_match[1]) if tag_match else -1


def _ambiguity_error(rival: GmSession, newest_session: GmSession) -> InvalidError:
    """Return the error for a session note that may be newer than the newest one."""
    possible_days = " or ".join(map(str, rival.days))
    problem = f"may be of {possible_days}" if possible_days else f"has the date '{rival.unread}', which cannot be read"
    first, second = (session.facts.path.removesuffix(".md") for session in (rival, newest_session))
    message = f"The newest of your session notes is not clear: this one {problem}."
    hint = f'Write its date as 2026-11-03, or name the note: --campaign "{first}" or --campaign "{second}"'
    return InvalidError(message, where=rival.facts.path, hint=hint)


def _no_session_error(sessions: list[GmSession], vault: Vault, settings: Settings, on: date) -> InvalidError:
    """Return the error that says why none of the GM's notes is the newest session note on a day."""
    campaign_hint = "Or give --campaign NOTE."
    later_sessions = sorted((session for session in sessions if session.day), key=lambda session: session.rank)
    if later_sessions:
        return InvalidError(
            f"None of your session notes is dated {on.isoformat()} or before.",
            where=later_sessions[0].facts.path,
            hint=f"That one is of {later_sessions[0].day}: is its property 'date' right, and --date if you gave it? "
            f"{campaign_hint}",
        )
    if broken_session := next((session for session in sessions if session.facts.is_broken), None):
        path = broken_session.facts.path
        hint = f"Correct them; to see what is wrong: vaultkit check. {campaign_hint}"
        return InvalidError("The properties of this session note cannot be read.", where=path, hint=hint)
    if sessions:
        return InvalidError(
            "It is not clear which of your session notes is the newest.",
            where=sessions[0].facts.path,
            hint=f"Give it the property 'date', or 'session' with its number. {campaign_hint}",
        )
    folder = _sessions_folder(settings)
    folders = {str(parent) for path in vault.files.paths for parent in PurePosixPath(path).parents} - {"."}
    if folder and key(folder) not in map(key, folders):
        folder_hint = did_you_mean(folder, sorted(folders)) or "Set it to the folder of your session notes."
        hint = f"{folder_hint} {campaign_hint}"
        return InvalidError(f"There is no folder '{folder}' in this vault.", where="campaign.sessions", hint=hint)
    hint = f"Looked for: {search_terms(settings)}. {campaign_hint}"
    return InvalidError("This vault has no session note.", where=str(vault.root), hint=hint)


@dataclass(frozen=True, slots=True)
class WorldDate:
    """The properties of the date in the world, by name, and a remark on it for the GM, "" for none."""

    properties: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""


def find_world_date(vault: Vault, settings: Settings, target: str, on: date) -> WorldDate:
    """Return the date in the world from the note `target`, else from the newest session note; empty if neither has one.

    A session note of an earlier day gets a remark, unless a note of vaultkit's has that date in the world already.
    `target` is a vault path, "" for none, and the note may not exist yet.
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
    if not source or not properties:
        return WorldDate()
    was_remarked = any(_has_properties(facts, properties) for facts in vault.note_facts)
    return WorldDate(properties, "" if was_remarked else _older_date_remark(source, properties, on))


def _has_properties(facts: Facts, properties: Mapping[str, str]) -> bool:
    """Return whether the note is one of vaultkit's, of a game or a reading, with such properties."""
    is_logged = facts.property(SESSION) is not None or facts.property(READING) is not None
    return is_logged and all(_format_date(facts.property(name)) == value for name, value in properties.items())


def _older_date_remark(source: Facts, properties: Mapping[str, str], on: date) -> str:
    """Return a remark if the note `source` is of a day before `on`, since the date in the world may be later now.

    Return "" if it is not, or has no day.
    """
    day = day_of(source)
    if day is None or day >= on:
        return ""
    return (
        f"The date in your world is still that of {source.path} ({day}): {next(iter(properties.values()))}. "
        "If it is later there now, give it in the note of your next session."
    )


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
    counts; the plugins pair dates and calendars in their order. A link becomes its text.
    """
    if isinstance(value, list):
        return _format_date(value[0]) if value else ""
    if isinstance(value, Mapping):
        parts = [_format_date(value.get(part)) for part in _PARTS]
        return "-".join(parts) if all(parts) else ""
    text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    return bare_name(text)
