"""Correction of the words of a command line: other names of commands, curly quotes, long dashes and capitals."""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress

from vaultkit.cli.command_registry import COMMANDS, load_command
from vaultkit.cli.guesses import find_guess

PHRASES_BY_COMMAND = {
    "deck": "decks; deck list; deck ls; deck all; deck show",
    "deck new": "deck create; deck make; deck add",
    "links --add": "link",
    "games": "games list; games ls; games all",
    "games new": "games add; games create; games make; games define",
    "sessions": "sessions list; sessions ls; sessions all",
    "sessions --discard": "sessions discard; sessions delete; sessions remove; sessions forget",
    "templates": "templates list; templates ls; templates all",
    "templates eject": "templates copy; templates edit; templates change; templates new",
    "config list": "config show; config print; config ls; config all; config view; settings",
    "config set": "config edit; config change; config update",
    "print scores": "print score; print scoresheet; print scoresheets; print score-sheet; print scorecard; "
    "print score sheet; print score sheets; print a score sheet; print sheet; print sheets; print score sheet for; "
    "print a score sheet for; print score sheets for; print scores for; print a sheet for",
    "print rules": "print rule; print rulebook; print note; print notes; print page; print pdf; print handout",
    "print rules --booklet": "print booklet; print a booklet; print booklet of; print a booklet of; print zine",
    "print cards": "print card; print deck; print decks; deck print",
    "print session": "print game; print recap",
    "print calibrate": "print calibration",
    "draw": "deck draw; draw from",
    "log": "log game; log a game; log a game of; log the game; log game of; log the game of; log a",
    "play": "games play",
    "rules": "games rules; games show",
    "undo": "undo last; undo latest; undo the last; undo last write; undo the last write; undo the last one",
    "undo --list": "undo list; undo history",
    "resume": "resume last; resume latest; play resume",
    "help": "?; /?; /h; /help; -help; h; man",
    "--version": "version; -version; -v",
}
"""Other phrases for commands, former names included, which work but are not listed in help."""
_COMMANDS_BY_PHRASE = {phrase: name for name, phrases in PHRASES_BY_COMMAND.items() for phrase in phrases.split("; ")}
_MAX_PHRASE_LENGTH = max(len(phrase.split()) for phrase in _COMMANDS_BY_PHRASE)
_QUOTATION_ENDS = {"“": "”“", "„": "“”", "‘": "’", "‚": "‘’", "«": "»", "[[": "]]", "[": "]"}
"""The signs that end a quotation, by the sign that begins it; those of a wikilink are kept."""
_QUOTE_START = re.compile(rf"(?P<option>--[a-z-]+=)?(?P<start>{'|'.join(map(re.escape, _QUOTATION_ENDS))})")
_BOOKLET_SIZE = re.compile(r"(?:half|quarter)(?:-\w+)?|[a-z]\d{1,2}|letter|legal|tabloid", re.IGNORECASE)
_LONG_DASH = re.compile(r"[‒–—―−]-?(?P<name>[a-z][a-z-]*)(?=$|=)")


def read_typed_words(words: Sequence[str]) -> list[str]:
    """Return the corrected words of a command line.

    Words in curly quotes, which shells ignore, become one word; a long dash becomes hyphens; a command in capitals or
    with another name gets its own name.
    """
    meant_words = [_LONG_DASH.sub(_option_with_hyphens, word) for word in _join_quotations(words)]
    start = _count_leading_options(meant_words)
    options, phrase = meant_words[:start], meant_words[start:]
    if phrase[:1] == ["$"]:
        phrase = phrase[1:]
    if phrase[:1] in (["vaultkit"], ["vk"]):
        phrase = phrase[1:]
    if phrase:
        phrase = [*_split_command(phrase[0]), *phrase[1:]]
        phrase[0] = _other_number(phrase)
    return [*options, *_complete_booklet(_replace_names(phrase))]


def _complete_booklet(words: list[str]) -> list[str]:
    """Return the words with the value `half` behind a `--booklet` of `print rules` that has no value."""
    if words[:2] != ["print", "rules"] or "--booklet" not in words:
        return words
    place = words.index("--booklet") + 1
    next_word, has_note = "".join(words[place : place + 1]), any(word[:1] != "-" for word in words[2 : place - 1])
    is_value = next_word[:1] not in ("", "-") and (has_note or _BOOKLET_SIZE.fullmatch(next_word))
    return words if is_value else [*words[: place - 1], "--booklet=half", *words[place:]]


def _split_command(word: str) -> list[str]:
    """Return the words of a command that was typed as one, such as `print-rules`; any other word alone."""
    if " " in word.strip() and word.split(maxsplit=1)[0].casefold() in {*COMMANDS, "vaultkit", "vk"}:
        with suppress(ValueError):
            return read_typed_words(shlex.split(word))
    first, hyphen, rest = word.casefold().partition("-")
    if hyphen and rest and first in COMMANDS and not find_guess("", word):
        return [first, *rest.split("-")]
    return [word.casefold() if word.casefold() in COMMANDS else word]


def _other_number(words: Sequence[str]) -> str:
    """Return the first word, or the command that is its plural or singular if a subcommand follows: `game new`."""
    word = words[0].casefold()
    for name in (f"{word}s", word.removesuffix("s")) if word not in COMMANDS and len(words) > 1 else ():
        phrase = f"{name} {words[1]}".casefold()
        if name in COMMANDS and (
            phrase in _COMMANDS_BY_PHRASE or words[1] in getattr(load_command(name), "commands", ())
        ):
            return name
    return words[0]


def _replace_names(words: list[str]) -> list[str]:
    """Return the words with the longest known phrase at their beginning replaced by the command that it stands for."""
    for length in range(min(_MAX_PHRASE_LENGTH, len(words)), 0, -1):
        if name := _COMMANDS_BY_PHRASE.get(" ".join(words[:length]).casefold()):
            return [*name.split(), *words[length:]]
    return words


def _count_leading_options(words: Sequence[str]) -> int:
    """Return how many words before the name of the command are options of the program, or the value of `--vault`."""
    count = 0
    while count < len(words) and words[count].startswith("-") and words[count].casefold() not in _COMMANDS_BY_PHRASE:
        count += 2 if words[count] == "--vault" else 1
    return count


def _option_with_hyphens(match: re.Match[str]) -> str:
    name = match["name"]
    return f"-{name}" if len(name) == 1 else f"--{name}"


def _join_quotations(words: Sequence[str]) -> Iterator[str]:
    """Yield the words; several between curly quotes or brackets are one word."""
    remaining_words = list(words)
    while remaining_words:
        match, count = _QUOTE_START.match(remaining_words[0]), 1
        if match:
            start = match["start"]
            closing_signs = ("]]",) if start == "[[" else tuple(_QUOTATION_ENDS[start])
            lengths = range(1, len(remaining_words) + 1)
            count = next(
                (n for n in lengths if _is_closed(remaining_words[n - 1], closing_signs, match.end() * (n == 1))), 0
            )
        text = " ".join(remaining_words[: count or 1])
        if match and count:
            is_link = match["start"] == "[["
            yield text if is_link else f"{match['option'] or ''}{text[match.end() : -1]}"
        else:
            yield text
        remaining_words = remaining_words[count or 1 :]


def _is_closed(word: str, closing_signs: tuple[str, ...], start: int) -> bool:
    return len(word) > start and word.endswith(closing_signs)
