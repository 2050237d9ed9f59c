"""Comparison of names, the wording of lists, counts and numbers in messages, and texts of TOML."""

import re
import shlex
import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar
from unicodedata import category, combining, normalize

JOINERS = "\u200c\u200d"
"""The zero width non-joiner and joiner: invisible, but needed in Persian and Indian names and in emoji."""
_WITHOUT_JOINERS = str.maketrans("", "", JOINERS)
_VIRAMA_COMBINING_CLASS = 9
"""The Unicode combining class of signs after which a joiner changes how a consonant is written."""
MAX_GAME_ID_BYTES = 200
"""The most bytes of an id, since files are named by it."""
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look empty."""
_DIGITS = re.compile(r"([0-9]+)")
_STROKE_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode decomposition does not separate into a base letter and an accent."""


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """Return the key by which names are compared.

    Case, number of blanks, joiners and accent composition do not count.
    """
    return " ".join(normalize("NFC", name).casefold().translate(_WITHOUT_JOINERS).split())


def clean_name(text: str) -> str:
    """Return a name in composed letters with single blanks, without the joiners that join nothing."""
    return " ".join(filter(None, map(_clean_word, normalize("NFC", text).split())))


def is_name(text: str) -> bool:
    """Return whether `text` can be a name: it has a visible letter or sign, and no control or direction character."""
    is_plain = all(category(char)[0] != "C" or char in JOINERS for char in text)
    return is_plain and any(category(char)[0] in "LNPS" and char not in _BLANK_LETTERS for char in text)


def _clean_word(word: str) -> str:
    without_doubled_joiners = re.sub(f"([{JOINERS}])[{JOINERS}]+", r"\1", word).lstrip(JOINERS)
    without_final_joiner = without_doubled_joiners.rstrip(JOINERS)
    return (
        without_doubled_joiners
        if without_final_joiner and combining(without_final_joiner[-1]) == _VIRAMA_COMBINING_CLASS
        else without_final_joiner
    )


@lru_cache(maxsize=10_000)
def lookalike_key(text: str) -> str:
    """Return the key by which answers that look alike are compared.

    Case, width, invisible signs and accent composition do not count.
    """
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    return " ".join("".join(sign for sign in folded if category(sign) != "Cf").split())


def strip_article(name: str) -> str:
    """Return a name or heading in lower case, with single blanks, without `the` at its beginning."""
    return " ".join(name.casefold().split()).removeprefix("the ")


def plural_forms(word: str) -> tuple[str, ...]:
    """Return the English plurals of a word."""
    for ending, plural in ((r"(?<=m)an", "en"), (r"(?<=\w)fe?", "ves")):
        irregular, changed = re.subn(rf"{ending}\Z", plural, word, flags=re.IGNORECASE)
        if changed:
            return (irregular, f"{word}s")
    if re.search(r"[^aeiou\W]y\Z", word, re.IGNORECASE):
        return (f"{word[:-1]}ies",)
    if re.search(r"(?:s|x|z|ch|sh)\Z", word, re.IGNORECASE):
        return (f"{word}es",)
    return (f"{word}s", f"{word}es") if word.lower().endswith("o") else (f"{word}s",)


def number_forms(words: str) -> tuple[str, ...]:
    """Return words as they are, and with the last one in the English singular and plural."""
    *others, last = words.split() or [""]
    if not last:
        return ()
    ends = (("s", ""), ("es", ""), ("ies", "y"), ("men", "man"), ("ves", "f"), ("ves", "fe"))
    stems = [last.removesuffix(end) + singular_end for end, singular_end in ends if last.endswith(end)]
    singulars = [stem for stem in stems if last in plural_forms(stem)]
    return tuple(" ".join((*others, form)) for form in (last, *singulars, *plural_forms(last)))


def plain_letters(text: str) -> str:
    """Return the text in lower case, without accents and strokes."""
    letters = text.casefold()
    if letters.isascii():
        return letters
    return "".join(sign for sign in normalize("NFKD", letters) if not combining(sign)).translate(_STROKE_LETTERS)


def slug(name: str, separator: str) -> str:
    """Return a name in lower-case English letters and digits, with `separator` for everything between them."""
    return re.sub(r"[^a-z0-9]+", separator, plain_letters(name)).strip(separator)


def fold_game_id(text: str) -> str:
    """Return the text of an id in its normal form: composed and in lower case."""
    return normalize("NFC", normalize("NFC", text).casefold())


def is_game_id(text: str) -> bool:
    """Return whether `text` is an id of a game in its normal form, such as `chess-960`."""
    return bool(text) and text == to_game_id(text) and len(text.encode()) <= MAX_GAME_ID_BYTES


def to_game_id(words: str) -> str:
    """Return words as an id: composed, in lower case, with hyphens for all but letters, their marks, and digits.

    Return "" for words without letters and digits.
    """
    signs = "".join(
        sign if category(sign) == "Nd" or category(sign)[0] in "LM" else "-" for sign in fold_game_id(words)
    )
    pieces = (piece for piece in re.split("-+", signs) if any(category(sign)[0] in "LN" for sign in piece))
    return "-".join(pieces)


def name_sort_key(name: str) -> tuple[object, ...]:
    """Return the key by which names and paths are sorted: numbers by their value; case and accents only break ties."""
    letters = plain_letters(name).replace("/", "\0")  # so that a folder comes before names that begin with its name
    pieces: list[object] = _DIGITS.split(letters)
    pieces[1::2] = [(len(digits), digits) for digits in (str(piece).lstrip("0") for piece in pieces[1::2])]
    return (*pieces, (), name)


_MAX_NUMBER_LENGTH = 18
"""The maximum number of digits of a number that is parsed: nobody needs more, and Python refuses thousands."""


def parse_whole_number(text: str) -> int | None:
    """Return the whole number that `text` is, or None if it has anything but digits, or more than 18 of them."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_NUMBER_LENGTH else None


NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
"""The English words for the numbers from 0 to 12."""


def number_word(number: int) -> str:
    """Return a number as text writes it: in words up to twelve, `18` above."""
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def parse_count(text: str) -> int | None:
    """Return the number that `3`, `three`, `x3` or `3x` means, or None."""
    word = text.casefold()
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word)
    return parse_whole_number(word.removeprefix("x") if word.startswith("x") else word.removesuffix("x"))


_YES_NO_WORDS = {True: "y yes j ja oui sí si sim tak", False: "n no nein non não nao nie"}
"""The words for yes and no in English, German, French, Spanish, Italian, Portuguese and Polish."""
_YES_NO = {word: is_yes for is_yes, words in _YES_NO_WORDS.items() for word in words.split()}


def parse_yes_no(text: str) -> bool | None:
    """Return whether an answer is yes or no in one of several languages, None if it is neither."""
    return _YES_NO.get(text.strip().casefold())


def quote_word(word: str) -> str:
    """Return a word as it is typed in any shell: in double quotes if it has spaces or signs with a meaning there.

    A word with a sign that has a meaning within quotes, too, is written for the shells of this system.
    """
    if sys.platform != "win32" and re.search(r'["$`\\!]', word):
        return shlex.quote(word)
    if '"' in word:
        from subprocess import list2cmdline  # takes long to import, and few words need it

        return list2cmdline([word])
    return f'"{word}"' if re.search(r"[\s#&;()<>|*?']", word) else word


def format_command(words: Iterable[str], options: Mapping[str, object] | None = None) -> str:
    """Return a command of vaultkit as it is typed in any shell: its `words`, then `options` by their names.

    An option that is True is a flag. One that is None, False or "" is left out, and a list is given value by value.
    """
    parts = list(words)
    for name, value in (options or {}).items():
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if item is not None and item is not False and item != "":
                parts += [name] if item is True else [name, str(item)]
    return " ".join(["vaultkit", *map(quote_word, parts)])


def join_words(words: Iterable[str], conjunction: str = "and") -> str:
    """Return words as a list in a sentence: `A, B and C`."""
    *first_words, last_word = tuple(words) or ("",)
    return f"{', '.join(first_words)} {conjunction} {last_word}" if first_words else last_word


def list_first(words: Sequence[str], limit: int) -> str:
    """Return the first `limit` words, separated by commas, and how many more there are: `A, B and 2 more`."""
    rest = f" and {len(words) - limit:,} more" if len(words) > limit else ""
    return f"{', '.join(words[:limit])}{rest}"


def shorten_names(names: Sequence[str]) -> str:
    """Return a short text for several names: the first name, then the second one or the number of other names."""
    first, *others = names
    if not others:
        return first
    return f"{first} and {others[0] if len(others) == 1 else f'{len(others)} more'}"


def capitalize_first(words: str) -> str:
    """Return the words with the first letter in upper case and the others unchanged."""
    return words[:1].upper() + words[1:]


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: `no notes`, `1 note`, `2 notes`."""
    return f"{number or 'no'} {noun if number == 1 else f'{noun}s'}"


def format_range(least: int, most: int, noun: str) -> str:
    """Return a range of numbers with its noun: `1 player`, `2 to 4 players`."""
    return f"{least} to {most} {noun}s" if least < most else format_count(most, noun)


Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


def group(pairs: Iterable[tuple[Key, Thing]]) -> dict[Key, list[Thing]]:
    """Group the things of each key in a list; keys and things keep their order."""
    groups: dict[Key, list[Thing]] = {}
    for key, thing in pairs:
        groups.setdefault(key, []).append(thing)
    return groups


_BARE_TOML_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(key: str) -> str:
    """Return a key as it is written in TOML."""
    return key if _BARE_TOML_KEY.fullmatch(key) else toml_value(key)


def toml_line(key: str, value: object) -> str:
    """Return the line of TOML that gives a key its value."""
    return f"{toml_key(key)} = {toml_value(value)}"


def toml_value(value: object) -> str:
    """Return a value on one line of TOML: texts as in JSON, but with U+007F escaped, and `?` for lone surrogates."""
    import json

    if isinstance(value, Mapping):
        return f"{{{', '.join(toml_line(key, item) for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if not isinstance(value, str):
        return str(value).lower()
    valid_text = value.encode(errors="replace").decode()
    return json.dumps(valid_text, ensure_ascii=False).replace("\x7f", "\\u007f")
