"""Dates in the format strings of Moment.js, by which Obsidian names daily notes: `YYYY/MM-MMMM/YYYY-MM-DD dddd`.

No Python library reads these as Moment does: they differ in weeks (`gggg`, `ww`, `GGGG`, `WW`), in what they do not
know, and in words in brackets. Names are English, and weeks are those of Moment's English: they begin on a Sunday.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta

_TOKEN = re.compile(
    r"""\[[^\[]*\]                                       # [words] as they are
    | \\? (?: [Hh]mm(?:ss)? | Mo | MM?M?M? | Do | DDDo | DD?D?D? | ddd?d? | do? | w[o|w]? | W[o|W]? | Qo?
      | N{1,5} | YYYYYY | YYYYY | YYYY | YY | y{2,4} | yo? | gg(?:ggg?)? | GG(?:GGG?)? | e | E | a | A | hh? | HH?
      | kk? | mm? | ss? | S{1,9} | x | X | zz? | ZZ? | . )""",
    re.VERBOSE | re.DOTALL,
)
"""In Moment's own order: whatever else there is stands for itself, one character at a time."""
_LONG = re.compile(r"\[[^\[]*\]|\\?(?:LTS|LT|LL?L?L?|l{1,4})")
_LONGER: Mapping[str, str] = {
    "LTS": "h:mm:ss A",
    "LT": "h:mm A",
    "L": "MM/DD/YYYY",
    "LL": "MMMM D, YYYY",
    "LLL": "MMMM D, YYYY h:mm A",
    "LLLL": "dddd, MMMM D, YYYY h:mm A",
    "l": "M/D/YYYY",
    "ll": "MMM D, YYYY",
    "lll": "MMM D, YYYY h:mm A",
    "llll": "ddd, MMM D, YYYY h:mm A",
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_EPOCH = datetime(1970, 1, 1)


def written(when: datetime, form: str) -> str:
    """`when` in Moment's format `form`; what is no token of Moment's is kept as it is, as Moment does."""
    longer = _LONG.sub(lambda match: _LONGER.get(match[0], match[0]), form)
    return "".join(_one(token, when) for token in _TOKEN.findall(longer))


def _one(token: str, when: datetime) -> str:
    if token.startswith("[") and len(token) > 1:
        return token[1:-1]
    tell = _TOKENS.get(token)
    return tell(when) if tell else token.replace("\\", "")


def _ordinal(number: int) -> str:
    teen = number % 100 // 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _weekday(when: date) -> int:
    """From 0, a Sunday, to 6."""
    return when.isoweekday() % 7


def _week(when: date) -> tuple[int, int]:
    """Year and number of a week that begins on a Sunday; the first is the one with the 1st of January in it."""
    saturday = when + timedelta(days=6 - _weekday(when))
    return saturday.year, (saturday.timetuple().tm_yday + 6) // 7


def _day_of_year(when: date) -> int:
    return when.timetuple().tm_yday


def _hour12(when: datetime) -> int:
    return when.hour % 12 or 12


def _offset(when: datetime, colon: str) -> str:
    minutes = round((when.utcoffset() or timedelta()).total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{colon}{abs(minutes) % 60:02d}"


def _milliseconds(when: datetime) -> int:
    offset = when.utcoffset() or timedelta()
    return (when.replace(tzinfo=None) - offset - _EPOCH) // timedelta(milliseconds=1)


def _year_of(width: int) -> Callable[[datetime], str]:
    return lambda when: f"{when.year:0{width}d}"


def _fraction_of(digits: int) -> Callable[[datetime], str]:
    return lambda when: f"{when.microsecond:06d}000"[:digits]


_TOKENS: Mapping[str, Callable[[datetime], str]] = {
    "YYYY": lambda when: f"{when.year:04d}",
    "YY": lambda when: f"{when.year % 100:02d}",
    "Y": lambda when: f"{when.year:04d}",
    "YYYYY": lambda when: f"{when.year:05d}",
    "YYYYYY": lambda when: f"+{when.year:06d}",
    "y": lambda when: str(when.year),
    **{"y" * width: _year_of(width) for width in (2, 3, 4)},
    "yo": lambda when: _ordinal(when.year),
    **dict.fromkeys(("N", "NN", "NNN", "NNNNN"), lambda _: "AD"),
    "NNNN": lambda _: "Anno Domini",
    "Q": lambda when: str((when.month + 2) // 3),
    "Qo": lambda when: _ordinal((when.month + 2) // 3),
    "M": lambda when: str(when.month),
    "Mo": lambda when: _ordinal(when.month),
    "MM": lambda when: f"{when.month:02d}",
    "MMM": lambda when: _MONTHS[when.month - 1][:3],
    "MMMM": lambda when: _MONTHS[when.month - 1],
    "D": lambda when: str(when.day),
    "Do": lambda when: _ordinal(when.day),
    "DD": lambda when: f"{when.day:02d}",
    "DDD": lambda when: str(_day_of_year(when)),
    "DDDo": lambda when: _ordinal(_day_of_year(when)),
    "DDDD": lambda when: f"{_day_of_year(when):03d}",
    "d": lambda when: str(_weekday(when)),
    "do": lambda when: _ordinal(_weekday(when)),
    "dd": lambda when: _DAYS[_weekday(when)][:2],
    "ddd": lambda when: _DAYS[_weekday(when)][:3],
    "dddd": lambda when: _DAYS[_weekday(when)],
    "e": lambda when: str(_weekday(when)),
    "E": lambda when: str(when.isoweekday()),
    "w": lambda when: str(_week(when)[1]),
    "wo": lambda when: _ordinal(_week(when)[1]),
    "ww": lambda when: f"{_week(when)[1]:02d}",
    "W": lambda when: str(when.isocalendar().week),
    "Wo": lambda when: _ordinal(when.isocalendar().week),
    "WW": lambda when: f"{when.isocalendar().week:02d}",
    "gg": lambda when: f"{_week(when)[0] % 100:02d}",
    "gggg": lambda when: f"{_week(when)[0]:04d}",
    "ggggg": lambda when: f"{_week(when)[0]:05d}",
    "GG": lambda when: f"{when.isocalendar().year % 100:02d}",
    "GGGG": lambda when: f"{when.isocalendar().year:04d}",
    "GGGGG": lambda when: f"{when.isocalendar().year:05d}",
    "a": lambda when: "am" if when.hour < 12 else "pm",
    "A": lambda when: "AM" if when.hour < 12 else "PM",
    "H": lambda when: str(when.hour),
    "HH": lambda when: f"{when.hour:02d}",
    "h": lambda when: str(_hour12(when)),
    "hh": lambda when: f"{_hour12(when):02d}",
    "k": lambda when: str(when.hour or 24),
    "kk": lambda when: f"{when.hour or 24:02d}",
    "hmm": lambda when: f"{_hour12(when)}{when.minute:02d}",
    "hmmss": lambda when: f"{_hour12(when)}{when.minute:02d}{when.second:02d}",
    "Hmm": lambda when: f"{when.hour}{when.minute:02d}",
    "Hmmss": lambda when: f"{when.hour}{when.minute:02d}{when.second:02d}",
    "m": lambda when: str(when.minute),
    "mm": lambda when: f"{when.minute:02d}",
    "s": lambda when: str(when.second),
    "ss": lambda when: f"{when.second:02d}",
    **{"S" * digits: _fraction_of(digits) for digits in range(1, 10)},
    "x": lambda when: str(_milliseconds(when)),
    "X": lambda when: str(_milliseconds(when) // 1000),
    "Z": lambda when: _offset(when, ":"),
    "ZZ": lambda when: _offset(when, ""),
    "z": lambda _: "",
    "zz": lambda _: "",
}
