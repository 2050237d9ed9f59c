"""The words that fit where the cursor is: the answer to `vaultkit --complete SHELL ...`, which the shells' scripts ask.

Each line is a word, and after a tab what it is. A line that begins with a tab says what the shell must add by itself:
`files` or `folders`.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from vaultkit.cli.app import app
from vaultkit.cli.command_table import Entry, Parameter, find_entry
from vaultkit.completion.names import Names
from vaultkit.whereabouts import root_around

FILES = ("files", "folders")


def respond(arguments: Sequence[str]) -> None:
    """Print the answer; nothing if the question makes no sense, since a shell has no place for an error."""
    shell, *question = arguments or [""]
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]
    try:
        sys.stdout.write("".join([f"{line}\n" for line in answer(shell, question)]))
    except (OSError, ValueError, LookupError):
        return


def answer(shell: str, question: Sequence[str]) -> Iterator[str]:
    """The lines for one shell; `question` is what its script hands over."""
    if shell == "bash":
        line, breaks = question
        yield from _for_bash(line, breaks)
        return
    if shell == "powershell":
        question = os.environ.get("VAULTKIT_COMPLETE", "").split("\n")
    for value, told in candidates(question[:-1], question[-1] if question else ""):
        yield f"{value}\t{told}" if told or not value else value


def _for_bash(line: str, breaks: str) -> Iterator[str]:
    """The words that begin as the last one of the line does, as bash wants them: quoted, without what it keeps."""
    words, kept, quote = split(line, breaks)
    wanted = words[-1].casefold()
    for value, told in candidates(words[1:-1], words[-1]):
        if not value:
            yield f"\t{told}"
        elif value.casefold().startswith(wanted):
            yield _quoted(value[kept:], quote)


def split(line: str, breaks: str) -> tuple[list[str], int, str]:
    """The words of a line of bash as the program gets them; of the last one, which may be cut off, also two things.

    These are how much of it stands before the piece that bash completes, and the quote that is still open.
    """
    words, kept, quote, escaped = [""], 0, "", False
    for sign in line:
        if escaped:
            words[-1] += sign if not quote or sign in '"$`\\' else f"\\{sign}"
            escaped = False
        elif sign == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote, words[-1] = ("", words[-1]) if sign == quote else (quote, words[-1] + sign)
        elif sign in "\"'":
            quote, kept = sign, len(words[-1])
        elif sign.isspace():
            words, kept = [*words, ""] if words[-1] else words, 0
        else:
            words[-1] += sign
            kept = len(words[-1]) if sign in breaks else kept
    return words, kept, quote


def _quoted(value: str, quote: str) -> str:
    """A word as it is typed after that quote, or after none."""
    if quote == "'":
        return value.replace("'", "'\\''")
    special = '"$`\\' if quote else {*value} - {sign for sign in value if sign.isalnum() or sign in "-_./:=@%+,"}
    return "".join(f"\\{sign}" if sign in special else sign for sign in value)


def candidates(words: Sequence[str], current: str) -> Iterator[tuple[str, str]]:
    """Yield the words that may stand after `words`, and what they are; `current` is what of it was typed.

    The name of what the shell knows by itself comes with an empty word.
    """
    path, entry, option, place, is_free, used = "", _entry(""), None, 0, False, list[str]()
    for word in words:
        if option:
            option = None
        elif word == "--":
            is_free = True
        elif word.startswith("-") and not is_free:
            used.append(word.partition("=")[0])
            named = _find_option(entry, used[-1])
            option = named if named and named.value and "=" not in word else None
        elif word in entry.nested and not place:
            path = f"{path} {word}".strip()
            entry = _entry(path)
        else:
            place += 1
    names = Names(_vault(words))
    if option:
        yield from _values(option, names)
    elif current.startswith("-") and not is_free:
        yield from _options(entry, used, current, names)
    else:
        yield from _places(entry, place, names)


def _entry(path: str) -> Entry:
    entry = find_entry(path, app)
    assert entry is not None, "the path is that of a command"
    return entry


def _find_option(entry: Entry, name: str) -> Parameter | None:
    """Return the option of that name, which may be one that all commands share."""
    return next((option for option in entry.options if name in (*option.names, *option.off_names)), None)


def _options(entry: Entry, used: Sequence[str], current: str, names: Names) -> Iterator[tuple[str, str]]:
    name, equals, _ = current.partition("=")
    if equals:
        found = _find_option(entry, name)
        for value, told in _values(found, names) if found else ():
            yield f"{name}={value}" if value else "", told
        return
    for option in entry.options:
        spellings = [*option.names, *option.off_names]
        if option.is_repeated or not {*spellings} & {*used}:
            yield from ((name, option.help) for name in spellings if name.startswith("--"))


def _places(entry: Entry, place: int, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the commands below one, or what its next argument may be."""
    if not place:
        yield from entry.nested.items()
    arguments = entry.arguments
    if place < len(arguments):
        yield from _values(arguments[place], names)
    elif arguments and arguments[-1].is_repeated:
        yield from _values(arguments[-1], names)


def _values(parameter: Parameter, names: Names) -> Iterable[tuple[str, str]]:
    """Return the words that an argument, or the value of an option, may be."""
    kind, choices = parameter.kind, [(choice, "") for choice in parameter.choices]
    if kind in FILES:
        return [*choices, ("", kind)]
    if kind == "game":
        from vaultkit.games.registry import GAMES

        choices = [(game, "") for game in GAMES]
    return [*choices, *((name, "") for name in (names.of(kind) if kind else ()))]


def _vault(words: Sequence[str]) -> str | None:
    """The vault that the line means, as the command will find it."""
    pairs = zip(words, (*words, "")[1:], strict=True)
    given = [after if word == "--vault" else word[8:] for word, after in pairs if word.partition("=")[0] == "--vault"]
    named = given[-1] if given else os.environ.get("VAULTKIT_VAULT", "")
    return str(Path(named).expanduser().resolve()) if named else root_around(os.path.realpath("."))
