"""Obsidian's daily notes: their settings, paths and templates, and the formats of dates that name them.

The formats are those of Moment.js: `YYYY/MM-MMMM/YYYY-MM-DD dddd`. Python libraries for such formats differ from Moment
in weeks (`gggg`, `ww`, `GGGG`, `WW`), unknown tokens, and words in brackets. Names and weeks are those of Moment's
English locale, where weeks begin on Sunday.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.vault.file_names import safe_parts
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.obsidian import CORE_TEMPLATES, enabled_plugins, is_core_plugin_enabled, settings_of, text_setting
from vaultkit.vault.vault import Vault, not_downloaded_error

CORE_SETTINGS_FILE = "daily-notes.json"
PERIODIC_SETTINGS_FILE = "plugins/periodic-notes/data.json"
_SETTINGS_FILES = (
    CORE_SETTINGS_FILE,
    PERIODIC_SETTINGS_FILE,
    CORE_TEMPLATES,
    "core-plugins.json",
    "community-plugins.json",
)
DEFAULT_DATE_FORMAT = "YYYY-MM-DD"
DEFAULT_TIME_FORMAT = "HH:mm"
_PLACEHOLDER = re.compile(
    r"\{\{\s*(?:(title)|(yesterday|tomorrow)|(date|time)\s*(?:([+-]\d{1,4})([dw])\s*)?(?::([^{}]+))?)\s*\}\}",
    re.IGNORECASE,
)
"""Obsidian's template placeholders, and `yesterday` and `tomorrow` of the plugins Calendar and Periodic Notes."""


_TOKEN = re.compile(
    r"""\[[^\[]*\]                                       # [words] as they are
    | \\? (?: [Hh]mm(?:ss)? | Mo | MM?M?M? | Do | DDDo | DD?D?D? | ddd?d? | do? | w[o|w]? | W[o|W]? | Qo?
      | N{1,5} | YYYYYY | YYYYY | YYYY | YY | y{2,4} | yo? | gg(?:ggg?)? | GG(?:GGG?)? | e | E | a | A | hh? | HH?
      | kk? | mm? | ss? | S{1,9} | x | X | zz? | ZZ? | . )""",
    re.VERBOSE | re.DOTALL,
)
"""Tokens, in Moment's order of alternatives; any other character stands for itself."""
_LOCALE_TOKEN = re.compile(r"\[[^\[]*\]|\\?(?:LTS|LT|LL?L?L?|l{1,4})")
_LOCALE_FORMATS: dict[str, str] = {
    "LTS": "h:mm:ss A",
    "LT": "h:mm A",
    "L": "MM/DD/YYYY",
    "LL": "MMMM D, YYYY",
    "LLL": "MMMM D, YYYY h:mm A",
    "LLLL": "dddd, MMMM D, YYYY h:mm A",
}


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """The settings of daily notes: their name's Moment `format`, their `folder` ("" for the root), their `template`.

    `date_format` and `time_format` are the default formats of `{{date}}` and `{{time}}` in a template. `source` is the
    vault path of the settings file, "" if there is none and Obsidian's defaults apply.
    """

    format: str = DEFAULT_DATE_FORMAT
    folder: str = ""
    template: str = ""
    date_format: str = DEFAULT_DATE_FORMAT
    time_format: str = DEFAULT_TIME_FORMAT
    source: str = ""

    def path(self, when: datetime, vault: Vault) -> str:
        """Return the vault path of the daily note for a day, spelled like existing files and folders.

        Raises InvalidError if the path is outside the vault or in a hidden folder, if an operating system forbids the
        name (F4), or if a settings file of Obsidian is only in the cloud, so that the settings are unknown.
        """
        for settings_file in _SETTINGS_FILES:
            if files.is_evicted(vault.root / ".obsidian" / settings_file):
                raise not_downloaded_error(f".obsidian/{settings_file}")
        name = format_date(when, self.format)
        where = f"{self.source or 'daily notes'}: {name}"
        hint = "Change the format or the folder of daily notes in Obsidian's settings."
        parts = safe_parts(name, where, hint)
        if not parts or name.endswith("/"):
            raise InvalidError("The format of daily notes makes an empty name.", where=where, hint=hint)
        path = "/".join((*safe_parts(self.folder, where, hint), *parts)) + ".md"
        existing_path = vault.files.resolve_exact_path(path).path
        return existing_path or vault.file(vault.files.respell_folder(path)).relative_to(vault.root).as_posix()

    def text(self, path: str, when: datetime, vault: Vault) -> tuple[str, tuple[str, ...]]:
        """Return the text for a new daily note at `path`, filled in from the template, and remarks for the user.

        The remarks name a missing template and commands of Templater, which stay as they are. Raises InvalidError if
        the template cannot be read.
        """
        if not self.template:
            return "", ()
        template = self.template_path(vault)
        if template is None:
            return "", (f"The template of daily notes, {self.template}, is not there; the note is made without it.",)
        text = vault.read(template).text
        title = name_of(path)
        note_text = _PLACEHOLDER.sub(lambda match: self._fill_placeholder(match, title, when), text)
        remark = "<%" in note_text and f"The commands of Templater in {path} (<% ... %>) are left as they are."
        return note_text, (remark,) if remark else ()

    def _fill_placeholder(self, match: re.Match[str], title: str, when: datetime) -> str:
        title_keyword, day_keyword, kind, offset, unit, format_string = match.groups()
        if title_keyword:
            return title
        if day_keyword:
            days = 1 if day_keyword.lower() == "tomorrow" else -1
            return format_date(when + timedelta(days=days), self.format)
        if offset:
            when += timedelta(days=int(offset) * (7 if unit.lower() == "w" else 1))
        return format_date(
            when, (format_string or "").strip() or (self.date_format if kind.lower() == "date" else self.time_format)
        )

    def template_path(self, vault: Vault) -> str | None:
        """Return the vault path of the template, or None if that file does not exist."""
        name = self.template.strip().strip("/")
        return next(filter(None, (vault.files.resolve_exact_path(path).path for path in (f"{name}.md", name))), None)


def read_daily_notes_settings(vault: Vault) -> DailyNotes:
    """Return the settings of daily notes in a vault: of Periodic Notes if it replaces the core plugin, else of that."""
    path, settings = CORE_SETTINGS_FILE, settings_of(vault.root, CORE_SETTINGS_FILE)
    if not is_core_plugin_enabled(vault.root, "daily-notes") and "periodic-notes" in enabled_plugins(vault.root):
        periodic_settings = _find_periodic_settings(settings_of(vault.root, PERIODIC_SETTINGS_FILE))
        if periodic_settings.get("enabled"):
            path, settings = PERIODIC_SETTINGS_FILE, periodic_settings
    templates = settings_of(vault.root, CORE_TEMPLATES)
    return DailyNotes(
        format=text_setting(settings, "format") or DEFAULT_DATE_FORMAT,
        folder=text_setting(settings, "folder"),
        template=text_setting(settings, "template") or text_setting(settings, "templatePath"),
        date_format=text_setting(templates, "dateFormat") or DEFAULT_DATE_FORMAT,
        time_format=text_setting(templates, "timeFormat") or DEFAULT_TIME_FORMAT,
        source=f".obsidian/{path}" if settings else "",
    )


def _find_periodic_settings(settings: Mapping[str, object]) -> Mapping[str, object]:
    """Return the settings of daily notes in the settings of Periodic Notes, whose version 1 has sets of them."""
    sets = settings.get("calendarSets")
    calendar_sets = [one_set for one_set in sets if isinstance(one_set, dict)] if isinstance(sets, list) else []
    active_id = settings.get("activeCalendarSet")
    active_set = next((one_set for one_set in calendar_sets if one_set.get("id") == active_id), None)
    daily = (active_set or calendar_sets[0]).get("day") if calendar_sets else settings.get("daily")
    return daily if isinstance(daily, dict) else {}


# Moment derives the short formats: month, day and weekday with one letter less.
_LOCALE_FORMATS |= {
    long.lower(): re.sub(r"\b[MDd](?=[MDd])", "", form) for long, form in _LOCALE_FORMATS.items() if "T" not in long
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_EPOCH = datetime(1970, 1, 1)


def format_date(when: datetime, format_string: str) -> str:
    """Return the date `when` in the Moment format `format_string`; unknown tokens stay, as in Moment."""
    expanded = _LOCALE_TOKEN.sub(lambda match: _LOCALE_FORMATS.get(match[0], match[0]), format_string)
    return "".join(_format_token(token, when) for token in _TOKEN.findall(expanded))


def _format_token(token: str, when: datetime) -> str:
    if token.startswith("[") and len(token) > 1:
        return token[1:-1]
    if get_word := _WORD_BY_TOKEN.get(token):
        return get_word(when)
    if token in _NUMBER_BY_TOKEN:
        get_number, digits = _NUMBER_BY_TOKEN[token]
        return f"{get_number(when):0{digits}d}"
    if token.endswith("o") and token[:-1] in _NUMBER_BY_TOKEN:
        return _ordinal(_NUMBER_BY_TOKEN[token[:-1]][0](when))
    if token.startswith("S"):
        return f"{when.microsecond:06d}000"[: len(token)]
    return token.replace("\\", "")


def _ordinal(number: int) -> str:
    is_teen = number % 100 // 10 == 1
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _weekday(when: date) -> int:
    """Return the day of the week from 0 (Sunday) to 6."""
    return when.isoweekday() % 7


def _week(when: date) -> tuple[int, int]:
    """Return the year and number of the week, which begins on Sunday; week 1 contains January 1st."""
    saturday = when + timedelta(days=6 - _weekday(when))
    return saturday.year, (saturday.timetuple().tm_yday + 6) // 7


def _utc_offset(when: datetime, separator: str) -> str:
    minutes = round((when.utcoffset() or timedelta()).total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{separator}{abs(minutes) % 60:02d}"


def _milliseconds(when: datetime) -> int:
    offset = when.utcoffset() or timedelta()
    return (when.replace(tzinfo=None) - offset - _EPOCH) // timedelta(milliseconds=1)


def _iso_week(when: date) -> tuple[int, int]:
    """Return the year and number of the ISO week, which begins on Monday."""
    return when.isocalendar()[:2]


_NUMBER_TOKENS: Sequence[tuple[Callable[[datetime], int], Mapping[str, int]]] = (
    (lambda when: when.year, {"Y": 4, "YYYY": 4, "YYYYY": 5, "y": 1, "yy": 2, "yyy": 3, "yyyy": 4}),
    (lambda when: when.year % 100, {"YY": 2}),
    (lambda when: (when.month + 2) // 3, {"Q": 1}),
    (lambda when: when.month, {"M": 1, "MM": 2}),
    (lambda when: when.day, {"D": 1, "DD": 2}),
    (lambda when: when.timetuple().tm_yday, {"DDD": 1, "DDDD": 3}),
    (_weekday, {"d": 1, "e": 1}),
    (lambda when: when.isoweekday(), {"E": 1}),
    (lambda when: _week(when)[1], {"w": 1, "ww": 2}),
    (lambda when: _iso_week(when)[1], {"W": 1, "WW": 2}),
    (lambda when: _week(when)[0], {"gggg": 4, "ggggg": 5}),
    (lambda when: _week(when)[0] % 100, {"gg": 2}),
    (lambda when: _iso_week(when)[0], {"GGGG": 4, "GGGGG": 5}),
    (lambda when: _iso_week(when)[0] % 100, {"GG": 2}),
    (lambda when: when.hour, {"H": 1, "HH": 2}),
    (lambda when: when.hour % 12 or 12, {"h": 1, "hh": 2}),
    (lambda when: when.hour or 24, {"k": 1, "kk": 2}),
    (lambda when: when.minute, {"m": 1, "mm": 2}),
    (lambda when: when.second, {"s": 1, "ss": 2}),
    (_milliseconds, {"x": 1}),
    (lambda when: _milliseconds(when) // 1000, {"X": 1}),
)
"""Functions that return a number of a date, with their tokens and each token's minimum number of digits."""
_NUMBER_BY_TOKEN = {token: (number, digits) for number, widths in _NUMBER_TOKENS for token, digits in widths.items()}
_WORD_BY_TOKEN: Mapping[str, Callable[[datetime], str]] = {
    "YYYYYY": lambda when: f"+{when.year:06d}",
    **dict.fromkeys(("N", "NN", "NNN", "NNNNN"), lambda _: "AD"),
    "NNNN": lambda _: "Anno Domini",
    "MMM": lambda when: _MONTHS[when.month - 1][:3],
    "MMMM": lambda when: _MONTHS[when.month - 1],
    "dd": lambda when: _DAYS[_weekday(when)][:2],
    "ddd": lambda when: _DAYS[_weekday(when)][:3],
    "dddd": lambda when: _DAYS[_weekday(when)],
    "a": lambda when: "am" if when.hour < 12 else "pm",
    "A": lambda when: "AM" if when.hour < 12 else "PM",
    "hmm": lambda when: _format_token("h", when) + _format_token("mm", when),
    "hmmss": lambda when: _format_token("hmm", when) + _format_token("ss", when),
    "Hmm": lambda when: _format_token("H", when) + _format_token("mm", when),
    "Hmmss": lambda when: _format_token("Hmm", when) + _format_token("ss", when),
    "Z": lambda when: _utc_offset(when, ":"),
    "ZZ": lambda when: _utc_offset(when, ""),
    "z": lambda _: "",
    "zz": lambda _: "",
}
