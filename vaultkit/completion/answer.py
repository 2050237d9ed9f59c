"""The words that fit where the cursor is: the answer to `vaultkit --complete SHELL ...`, which the shells' scripts ask.

Each line is a word, and after a tab what it is. A line that begins with a tab says what the shell must add by itself:
`files` or `folders`.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from vaultkit import files
from vaultkit.completion.names import Names
from vaultkit.whereabouts import root_around

TYPE_CHECKING = False
"""For mypy; `typing` itself takes too long to load."""
if TYPE_CHECKING:
    from typing import Any

    Row = Mapping[str, Any]
    Table = Mapping[str, Mapping[str, Any]]

TABLE = os.path.join(os.path.dirname(__file__), "commands.json")
"""All commands with their options, made with the docs."""
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
    """The words that may stand after `words` and what they are; `current` is what of it was typed.

    The name of what the shell knows by itself comes with an empty word.
    """
    table = json.loads(files.read(TABLE, links=True))
    command, option, place, free, used = "", None, 0, False, list[str]()
    for word in words:
        inner = f"{command} {word}".strip()
        if option:
            option = None
        elif word == "--":
            free = True
        elif word.startswith("-") and not free:
            used.append(word.partition("=")[0])
            found = _option(table, command, used[-1])
            option = found if found and found["value"] and "=" not in word else None
        elif inner in table and not place:
            command = inner
        else:
            place += 1
    names = Names(_vault(words))
    if option:
        yield from _values(option, names)
    elif current.startswith("-") and not free:
        yield from _options(table, command, used, current, names)
    else:
        yield from _places(table, command, place, names)


def _option(table: "Table", command: str, name: str) -> "Row | None":
    """The option of that name of a command; before there is one, of any."""
    entries = [table[command], *(() if command else table.values())]
    return next((one for entry in entries for one in entry["options"] if name in (*one["names"], *one["off"])), None)


def _options(
    table: "Table", command: str, used: Sequence[str], current: str, names: Names
) -> Iterator[tuple[str, str]]:
    name, equals, _ = current.partition("=")
    if equals:
        found = _option(table, command, name)
        for value, told in _values(found, names) if found else ():
            yield f"{name}={value}" if value else "", told
        return
    for one in table[command]["options"]:
        spellings = [*one["names"], *one["off"]]
        if one["many"] or not {*spellings} & {*used}:
            yield from ((name, one["help"]) for name in spellings if name.startswith("--"))


def _places(table: "Table", command: str, place: int, names: Names) -> Iterator[tuple[str, str]]:
    """The commands below one, or what its next argument may be."""
    start = f"{command} " if command else ""
    below = [name for name in table if name.startswith(start) and name != command and " " not in name[len(start) :]]
    if not place:
        yield from ((name[len(start) :], table[name]["help"].partition("\n")[0]) for name in below)
    arguments = table[command]["arguments"]
    if place < len(arguments):
        yield from _values(arguments[place], names)
    elif arguments and arguments[-1]["many"]:
        yield from _values(arguments[-1], names)


def _values(one: "Row", names: Names) -> Iterable[tuple[str, str]]:
    """The words that an argument, or the value of an option, may be."""
    kind, choices = one["kind"], [(choice, "") for choice in one["choices"]]
    if kind in FILES:
        return [*choices, ("", kind)]
    return [*choices, *((name, "") for name in (names.of(kind) if kind else ()))]


def _vault(words: Sequence[str]) -> str | None:
    """The vault that the line means, as the command will find it."""
    pairs = zip(words, (*words, "")[1:], strict=True)
    given = [after if word == "--vault" else word[8:] for word, after in pairs if word.partition("=")[0] == "--vault"]
    named = given[-1] if given else os.environ.get("VAULTKIT_VAULT", "")
    return os.path.realpath(os.path.expanduser(named)) if named else root_around(os.path.realpath("."))
