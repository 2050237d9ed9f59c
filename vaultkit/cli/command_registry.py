"""The commands by name, with their help lines.

The module of a command is imported only when the command runs; `--help` uses the lines in `COMMANDS`.
"""

import inspect
import re
import shutil
from collections.abc import Callable
from copy import copy
from functools import partial
from importlib import import_module
from typing import Any

import typer

from vaultkit.cli.context import new_app

START, READ, PLAY, PRINT = "Start here", "Read your vault", "Play and log", "Print"

COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("demo", START, "Play, log and print one evening in a copy of the example vault."),
    "help": ("help", START, "Show the help of a command."),
    "init": ("init", START, "Prepare your vault; --with GAME adds a game's rules and deck."),
    "doctor": ("doctor", START, "Show which vault, settings, decks and rule notes are in use."),
    "config": ("config", START, "List, show and change the settings of this vault."),
    "trust": ("trust", START, "Trust this vault's templates, designs and outside paths."),
    "completion": ("completion", START, "Print the shell completion script."),
    "games": (
        "games",
        READ,
        "List the games and whether they are ready; `new` adds one of your own.",
    ),
    "rules": ("rules", READ, "Read a game's rule note, or one numbered ruling."),
    "ask": ("ask", READ, "Find what your notes say about a name or a question."),
    "deck": ("deck", READ, "List the decks or show a deck's cards; `new` makes a deck from a folder."),
    "roll": ("roll", READ, "Roll dice such as 2d6, or on a table of the vault."),
    "notes": ("notes", READ, "List the notes of this vault, or only notes with a tag."),
    "links": ("links", READ, "Show where the links of a note lead; --add links card names."),
    "check": ("check", READ, "Find broken links and other problems; --fix makes the certain repairs."),
    "learn": ("learn", PLAY, "Learn a game by playing the examples in its rule note."),
    "play": ("play", PLAY, "Play a game with people and bots, on one screen or on phones, and log the result."),
    "resume": ("play", PLAY, "Continue a game."),
    "sessions": ("sessions", PLAY, "List the saved games."),
    "replay": ("replay", PLAY, "Show a game again, move by move."),
    "draw": ("reading", PLAY, "Draw cards from a shuffled deck; --log logs them."),
    "reading": ("reading", PLAY, "Lay a spread of cards and log it."),
    "log": (
        "log",
        PLAY,
        "Log a game played on paper or with real cards; --edit corrects a logged game.",
    ),
    "rewards": ("rewards", PLAY, "Roll the rewards of a game of Dragon Citadel."),
    "stats": ("stats", PLAY, "Show who plays what and who wins."),
    "simulate": ("simulate", PLAY, "Let bots play many games and report how balanced a game is."),
    "undo": ("undo", PLAY, "Undo what vaultkit wrote: the last change, or any other by number."),
    "templates": ("templates", PLAY, "List the templates of notes; `eject` copies one for editing."),
    "print": ("printing", PRINT, "Print rules, booklets, score sheets and cards as PDF; --theme chooses the look."),
}
"""The commands by name: the module with the function or `app`, the panel in the help, and the first help line."""


MIN_BOX_COLUMNS = 60
"""The minimum number of columns of a terminal for help in boxes."""


VALUE_WORDS = {"str": "TEXT", "path": "PATH"}
"""The words in the help for the values of options, by type."""


VALUE_KINDS = {
    "note": "note character encounter campaign notes paths log",
    "deck": "deck name",
    "game": "game with_game",
    "session": "session discard",
    "player": "seat player among",
    "files": "files script out",
    "folders": "vault vault_option folder",
    "setting": "key",
}
"""The kinds of values that can be completed, with the names of the parameters that accept them."""
NOT_COMPLETED = {"log note", "undo note", "templates eject name"}
"""The commands and parameters whose name is in `VALUE_KINDS` but that accept something else."""
VALUE_NAMES = {"files": "FILE", "folders": "FOLDER"}


def find_value_kind(path: str, click_parameter: Any) -> str:
    """Return the kind of the values of a parameter of Typer's parser, of the command with a path; "" if none."""
    name, is_flag = click_parameter.name, getattr(click_parameter, "is_flag", False)
    kind = next((kind for kind, names in VALUE_KINDS.items() if name in names.split()), "")
    return "" if is_flag or f"{path} {name}" in NOT_COMPLETED else kind


def name_value(path: str, click_parameter: Any) -> str:
    """Return the placeholder for the value of a parameter of Typer's parser, such as `NOTE`."""
    metavar, kind = click_parameter.metavar or "", find_value_kind(path, click_parameter)
    argument_name = re.sub(r"[\[\].]|(?<=\w) .*", "", metavar) if click_parameter.param_type_name == "argument" else ""
    own_name = metavar if is_number(click_parameter.type) else argument_name
    return own_name or VALUE_NAMES.get(kind) or (kind or click_parameter.opts[0].lstrip("-")).upper()


def write_usage(path: str, click_parameter: Any) -> str:
    """Return how an argument of a command is typed: `NOTE...`, or `[NOTE]` if it may be left out."""
    dots = "..." * (click_parameter.nargs == -1)
    usage = re.sub(r"^\[(.*)\]$", r"\1", click_parameter.metavar or "") or f"{name_value(path, click_parameter)}{dots}"
    return usage if click_parameter.required else f"[{usage}]"


def name_of(info: Any) -> str:
    """Return the name of a command that is registered with Typer."""
    return str(info.name or info.callback.__name__.replace("_", "-"))


def load_command(name: str, nested_name: str = "") -> Any:
    """Return the command with the given name, importing its module.

    If `nested_name` is one of its commands, the others are left out of a copy, since Typer takes long to make them.
    """
    module = import_module(f"vaultkit.cli.{COMMANDS[name][0]}")
    app = copy(getattr(module, "app", None)) or new_app(getattr(module, name))
    nested = [info for info in app.registered_commands if nested_name and name_of(info) == nested_name]
    app.registered_commands = nested or app.registered_commands
    command = typer.main.get_command(app)
    command.name = name
    prepare_help(command)
    return command


def prepare_help(command: Any) -> None:
    """Join the lines of each paragraph of the help text of a command and its subcommands, and page long help.

    The source wraps them at its own line length, not at the width of the terminal.
    """
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    command.help = "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)
    command.get_help = partial(print_help, command, command.get_help)
    for parameter in command.params:
        if is_number(parameter.type):
            parameter.metavar = parameter.metavar or "NUMBER"
            parameter.type._describe_range = partial(describe_range, parameter.type)
        elif parameter.param_type_name == "option":
            parameter.metavar = parameter.metavar or VALUE_WORDS.get(parameter.type.name)
    for nested in getattr(command, "commands", {}).values():
        prepare_help(nested)
        nested.short_help = nested.help.partition("\n")[0]  # else it is cut off on a narrow terminal


def is_number(click_type: Any) -> bool:
    """Return whether the values of a type of Typer's parser are numbers."""
    return bool(re.match("int|float", getattr(click_type, "name", "")))


def describe_range(click_type: Any) -> str:
    """Return the limits of a number in words: `1 to 64`, `1 or more`, or "" if there is none."""
    low, high = getattr(click_type, "min", None), getattr(click_type, "max", None)
    if low is not None and high is not None:
        return f"{low} to {high:,}"
    return f"{low} or more" if low is not None else f"{high:,} or less" if high is not None else ""


def print_help(command: Any, get_help: Callable[[Any], str], context: Any) -> str:
    """Print the help of a command, in a pager if it is long; return "", which Typer prints after it.

    On a narrow terminal the help has no boxes. Arguments have the same names as in hints, and no types.
    """
    from vaultkit.cli.pager import paged_output

    for parameter in command.params:
        if parameter.param_type_name == "argument":
            usage = write_usage(context.command_path.partition(" ")[2], parameter)
            parameter.metavar, parameter.make_metavar = usage, partial(_get_text, usage)
            parameter.type = copy(parameter.type)
            parameter.type.get_metavar = partial(_get_text, "")
    columns = shutil.get_terminal_size().columns
    if columns < MIN_BOX_COLUMNS:
        command.rich_markup_mode, context.terminal_width = None, columns
    with paged_output():
        typer.echo(get_help(context), nl=False)
    return ""


def _get_text(text: str, *_: Any, **__: Any) -> str:
    return text
