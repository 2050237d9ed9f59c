"""The commands as plain values, for completion, hints, the reference and the man page."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import typer

from vaultkit.cli.command_registry import COMMANDS, is_number, load_command
from vaultkit.text import group

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
CHOICES = {
    "campaign": ("newest-session", "daily-note", "none"),
    "given_paper": ("a4", "letter", "legal", "a3", "tabloid"),
    "given_theme": ("classic", "forest", "parchment", "dark"),
    "seat": ("bot:easy", "bot:fair", "bot:hard", "bot:random", "bot:greedy", "bot:search"),
}
SETTING_CHOICES = {
    "print.paper": CHOICES["given_paper"],
    "print.theme": CHOICES["given_theme"],
    "campaign.log-to": ("note", "newest-session", "daily-note"),
    "play.speed": ("slow", "fast", "off"),
}
"""The values of settings that are one of several."""
VALUE_NAMES = {"files": "FILE", "folders": "FOLDER"}


class Parameter(NamedTuple):
    """An argument or an option.

    `value` is the placeholder for its value, "" for an option without one, and `usage` the argument in a usage line.
    `off_names` are the names that switch an option off.
    """

    names: tuple[str, ...]
    help: str
    value: str = ""
    usage: str = ""
    off_names: tuple[str, ...] = ()
    is_repeated: bool = False
    is_required: bool = False
    default: str = ""
    kind: str = ""
    choices: tuple[str, ...] = ()

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names that switch an option on or off."""
        return self.names + self.off_names


HELP_OPTION = Parameter(("-h", "--help"), "Show this message and exit.")


class CommandEntry(NamedTuple):
    """A command.

    `nested` maps the names of its subcommands to their first help lines.
    """

    help: str
    arguments: tuple[Parameter, ...] = ()
    options: tuple[Parameter, ...] = ()
    nested: Mapping[str, str] = MappingProxyType({})

    def find_option(self, name: str) -> Parameter | None:
        """Return the option with the given name, or None if there is none."""
        return next((option for option in self.options if name in option.all_names), None)


def find_entry(path: str, app: typer.Typer) -> CommandEntry | None:
    """Return the entry of the command with a path such as `print scores`, or None if there is none.

    The path "" is the program itself, `app`.
    """
    command_name, *subcommand_names = path.split(" ")
    if not command_name:
        return _make_entry("", typer.main.get_command(app), {name: summary for name, (*_, summary) in COMMANDS.items()})
    command = load_command(command_name) if command_name in COMMANDS else None
    for name in subcommand_names:
        command = getattr(command, "commands", {}).get(name)
    if command is None:
        return None
    subcommands = getattr(command, "commands", {})
    nested = {name: (subcommand.help or "").partition("\n")[0] for name, subcommand in subcommands.items()}
    return _make_entry(path, command, nested)


def get_entry(path: str, app: typer.Typer) -> CommandEntry:
    """Return the entry of the command with a path that is known to exist; "" is the program itself, `app`."""
    entry = find_entry(path, app)
    assert entry is not None, "the path is that of a command"
    return entry


def all_entries(app: typer.Typer, path: str = "") -> dict[str, CommandEntry]:
    """Return the entries of a command and of everything below it by their paths, its own first."""
    entries = {path: get_entry(path, app)}
    for name in entries[path].nested:
        entries |= all_entries(app, f"{path} {name}".strip())
    return entries


def _make_entry(path: str, command: Any, nested: dict[str, str]) -> CommandEntry:
    visible = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    parameters = group((parameter.param_type_name, make_parameter(path, parameter)) for parameter in visible)
    arguments, options = (tuple(parameters.get(kind, ())) for kind in ("argument", "option"))
    return CommandEntry((command.help or "").strip(), arguments, (*options, HELP_OPTION), nested)


def make_parameter(path: str, click_parameter: Any) -> Parameter:
    """Return an argument or an option of the command with a path, given the parameter of Typer's parser."""
    name, is_flag = click_parameter.name, bool(getattr(click_parameter, "is_flag", False))
    value_kind = next((value_kind for value_kind, names in VALUE_KINDS.items() if name in names.split()), "")
    value_kind = "" if is_flag or f"{path} {name}" in NOT_COMPLETED else value_kind
    default = click_parameter.default
    has_default = isinstance(default, str | int | float) and not isinstance(default, bool)
    is_argument = click_parameter.param_type_name == "argument"
    metavar = click_parameter.metavar or ""
    argument_name = re.sub(r"[\[\].]|(?<=\w) .*", "", metavar) if is_argument else ""
    number_name = metavar if is_number(click_parameter.type) else argument_name
    own_name = (value_kind or click_parameter.opts[0].lstrip("-")).upper()
    value = number_name or VALUE_NAMES.get(value_kind) or own_name
    usage = re.sub(r"^\[(.*)\]$", r"\1", metavar) or f"{value}{'...' * (click_parameter.nargs == -1)}"
    return Parameter(
        names=(name,) if is_argument else tuple(click_parameter.opts),
        help=(getattr(click_parameter, "help", "") or "").strip(),
        value="" if is_flag else value,
        usage=usage if click_parameter.required else f"[{usage}]",
        off_names=tuple(click_parameter.secondary_opts),
        is_repeated=bool(click_parameter.nargs == -1 or getattr(click_parameter, "multiple", False)),
        is_required=bool(click_parameter.required),
        default=str(default) if has_default else "",
        kind=value_kind,
        choices=() if is_flag else _parameter_choices(click_parameter),
    )


def _parameter_choices(click_parameter: Any) -> tuple[str, ...]:
    return tuple(map(str, getattr(click_parameter.type, "choices", ()))) or CHOICES.get(click_parameter.name, ())
