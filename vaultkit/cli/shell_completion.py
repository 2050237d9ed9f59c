"""The output of `vaultkit --complete SHELL ...`, which the completion scripts of shells call.

Each line of it is a word that can be completed, followed by a tab and its description if it has one. A line that
begins with a tab says what names the shell must add by itself: `files` or `folders`.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from vaultkit.cli.app import app
from vaultkit.cli.command_table import SETTING_CHOICES, CommandEntry, Parameter, get_entry
from vaultkit.completion import Names
from vaultkit.user_folders import find_vault_root

SHELL_NAME_KINDS = ("files", "folders")


def print_answer(arguments: Sequence[str]) -> None:
    """Print the answer to a completion script, or nothing if the question is invalid.

    A shell has no place to show an error.
    """
    shell, *question = arguments or [""]
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")  # type: ignore[union-attr]
    try:
        sys.stdout.write("".join([f"{line}\n" for line in answer_lines(shell, question)]))
    except (OSError, ValueError, LookupError):
        return


def answer_lines(shell: str, question: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the answer for a shell.

    `question` is what its script passes: the words of the command line, or for bash the line and its word breaks.
    """
    if shell == "bash":
        line, breaks = question
        yield from _bash_lines(line, breaks)
        return
    if shell == "powershell":
        question = os.environ.get("VAULTKIT_COMPLETE", "").split("\n")
    for value, description in find_candidates(question[:-1], question[-1] if question else ""):
        yield f"{value}\t{description}" if description or not value else value


def _bash_lines(line: str, breaks: str) -> Iterator[str]:
    """Yield the answer for bash: candidates for the last word of the line, quoted, without the part that bash keeps."""
    words, kept_length, quote = split_bash_line(line, breaks)
    prefix = words[-1].casefold()
    for value, description in find_candidates(words[1:-1], words[-1]):
        if not value:
            yield f"\t{description}"
        elif value.casefold().startswith(prefix):
            yield _escape_word(value[kept_length:], quote)


def split_bash_line(line: str, breaks: str) -> tuple[list[str], int, str]:
    """Return the words of a line of bash, the length of the part that bash keeps, and the open quote.

    The words are unquoted, as the program would receive them. The last word may be incomplete; bash completes only the
    piece of it after the last word break or quote, and keeps what is before. The open quote is "" if there is none.
    """
    words, kept_length, quote, is_escaped = [""], 0, "", False
    for sign in line:
        if is_escaped:
            words[-1] += sign if not quote or sign in '"$`\\' else f"\\{sign}"
            is_escaped = False
        elif sign == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote, words[-1] = ("", words[-1]) if sign == quote else (quote, words[-1] + sign)
        elif sign in "\"'":
            quote, kept_length = sign, len(words[-1])
        elif sign.isspace():
            words, kept_length = [*words, ""] if words[-1] else words, 0
        else:
            words[-1] += sign
            kept_length = len(words[-1]) if sign in breaks else kept_length
    return words, kept_length, quote


def _escape_word(value: str, quote: str) -> str:
    """Return a word as it must be typed after an open quote, or after none."""
    if quote == "'":
        return value.replace("'", "'\\''")
    special = '"$`\\' if quote else {*value} - {sign for sign in value if sign.isalnum() or sign in "-_./:=@%+,"}
    return "".join(f"\\{sign}" if sign in special else sign for sign in value)


def find_candidates(words: Sequence[str], current: str) -> Iterator[tuple[str, str]]:
    """Yield each word that can follow `words`, with its description.

    `current` is the incomplete word at the cursor. An empty word has the description `files` or `folders` if the shell
    must add such names by itself.
    """
    path, entry, used_options, pending_option = "", get_entry("", app), list[str](), None
    arguments, after_double_dash = list[str](), False
    for word in words:
        if pending_option:
            pending_option = None
        elif word == "--":
            after_double_dash = True
        elif word.startswith("-") and not after_double_dash:
            used_options.append(word.partition("=")[0])
            option = entry.find_option(used_options[-1])
            pending_option = option if option and option.value and "=" not in word else None
        elif word in entry.nested and not arguments:
            path = f"{path} {word}".strip()
            entry = get_entry(path, app)
        else:
            arguments.append(word)
    names = Names(_find_vault_path(words))
    if pending_option:
        yield from _value_candidates(pending_option, names)
    elif current.startswith("-") and not after_double_dash:
        yield from _option_candidates(entry, used_options, current, names)
    else:
        yield from _argument_candidates(entry, arguments, names)


def _option_candidates(entry: CommandEntry, used: list[str], current: str, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the options of a command that can still be used, or the values of an option that is followed by `=`."""
    name, equals, _ = current.partition("=")
    if equals:
        current_option = entry.find_option(name)
        for value, description in _value_candidates(current_option, names) if current_option else ():
            yield f"{name}={value}" if value else "", description
        return
    for option in entry.options:
        if option.is_repeated or not {*option.all_names} & {*used}:
            yield from ((name, option.help) for name in option.all_names if name.startswith("--"))


def _argument_candidates(entry: CommandEntry, typed: Sequence[str], names: Names) -> Iterator[tuple[str, str]]:
    """Yield the values of the argument that follows those which are `typed`, before the first also the subcommands."""
    if not typed:
        yield from entry.nested.items()
    arguments = entry.arguments
    if typed and arguments and arguments[0].kind == "setting":
        yield from ((value, "") for value in _setting_values(typed[0], names))
    elif arguments and (len(typed) < len(arguments) or arguments[-1].is_repeated):
        yield from _value_candidates(arguments[min(len(typed), len(arguments) - 1)], names)


def _setting_values(key: str, names: Names) -> Sequence[str]:
    """Return the values that a setting may have, () if it may be any text."""
    from vaultkit.settings import Settings, values_by_key

    if isinstance(values_by_key(Settings()).get(key), bool):
        return ("true", "false")
    kind = {"players": "player", "campaign.note": "note", "stats.note": "note"}.get(key, "")
    return names.find_names(kind) if kind else SETTING_CHOICES.get(key, ())


def _value_candidates(parameter: Parameter, names: Names) -> Iterable[tuple[str, str]]:
    """Return the possible values of an argument or an option, each with its description, "" if it has none."""
    value_kind, choices = parameter.kind, [(choice, "") for choice in parameter.choices]
    if value_kind in SHELL_NAME_KINDS:
        return [*choices, ("", value_kind)]
    if value_kind == "game":
        from vaultkit.games.registry import GAMES

        choices = [(game, "") for game in GAMES]
    if value_kind == "setting":
        from vaultkit.settings import Settings, values_by_key

        choices = [(key, "") for key in values_by_key(Settings())]
    return [*choices, *((name, "") for name in (names.find_names(value_kind) if value_kind else ()))]


def _find_vault_path(words: Sequence[str]) -> str | None:
    """Return the path of the vault that the command line refers to, or None if there is none."""
    vault_path = os.environ.get("VAULTKIT_VAULT", "")
    for word, next_word in zip(words, (*words, "")[1:], strict=True):
        if word.partition("=")[0] == "--vault":
            vault_path = word.partition("=")[2] or next_word * (word == "--vault")
    return str(Path(vault_path).expanduser().resolve()) if vault_path else find_vault_root(os.path.realpath("."))
