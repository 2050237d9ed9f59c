"""The commands as plain values, for completion, hints, the reference and the man page."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import typer

from vaultkit.cli.command_registry import COMMANDS, find_value_kind, load_command, name_value, write_usage
from vaultkit.text import group

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
    parameters = group((parameter.param_type_name, _make_parameter(path, parameter)) for parameter in visible)
    arguments, options = (tuple(parameters.get(kind, ())) for kind in ("argument", "option"))
    return CommandEntry((command.help or "").strip(), arguments, (*options, HELP_OPTION), nested)


def _make_parameter(path: str, click_parameter: Any) -> Parameter:
    is_flag, is_argument = (
        bool(getattr(click_parameter, "is_flag", False)),
        click_parameter.param_type_name == "argument",
    )
    default = click_parameter.default
    has_default = isinstance(default, str | int | float) and not isinstance(default, bool)
    return Parameter(
        names=(click_parameter.name,) if is_argument else tuple(click_parameter.opts),
        help=(getattr(click_parameter, "help", "") or "").strip(),
        value="" if is_flag else name_value(path, click_parameter),
        usage=write_usage(path, click_parameter),
        off_names=tuple(click_parameter.secondary_opts),
        is_repeated=bool(click_parameter.nargs == -1 or getattr(click_parameter, "multiple", False)),
        is_required=bool(click_parameter.required),
        default=str(default) if has_default else "",
        kind=find_value_kind(path, click_parameter),
        choices=() if is_flag else _parameter_choices(click_parameter),
    )


def _parameter_choices(click_parameter: Any) -> tuple[str, ...]:
    return tuple(map(str, getattr(click_parameter.type, "choices", ()))) or CHOICES.get(click_parameter.name, ())
