"""The values of options: of those that every game has, and of those of one game."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.options import Option, Options, Value, resolve, resolve_recorded
from vaultkit.settings import Settings

UNDO = Option(
    "undo",
    "G-8",
    ("safe", "off", "free"),
    "How far a decision may be taken back: until something new was seen or dealt, never, or always, marked in the log.",
)
COMMON_OPTIONS: tuple[Option, ...] = (UNDO,)


class HasOptions(Protocol):
    """An object with a title and options: the rules of a game, or a score sheet."""

    @property
    def title(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


@dataclass(frozen=True, slots=True)
class Layer:
    """Options that were set in one place: `where` is a settings file, or the path of a rule note in the vault."""

    where: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class OptionInForce:
    """The value of an option that is in force; `where` is the file that set it, or "" for the default."""

    option: Option
    value: Value
    where: str = ""


def layers(settings: Settings, game: str) -> Iterator[Layer]:
    """Yield a layer for each settings file, with the options that it sets for a game."""
    values = settings.games.get(game, {})
    file_of_key = {key: settings.origins.get(f"games.{game}.{key}", "") for key in values}
    for file in dict.fromkeys(file_of_key.values()):
        yield Layer(file, {key: value for key, value in values.items() if file_of_key[key] == file})


def all_options(game: HasOptions) -> tuple[Option, ...]:
    """Return the options that `--set` and the settings accept for a game: its own, then the ones of every game."""
    return (*game.options, *COMMON_OPTIONS)


def settle(game: HasOptions, values: Mapping[str, object]) -> dict[str, Value]:
    """Return the value of every option of a game, with the default for each option that `values` does not contain.

    Raises UsageError for an unknown key or an invalid value.
    """
    return resolve(all_options(game), values, game.title)


def settle_recorded(game: HasOptions, recorded: Mapping[str, object]) -> dict[str, Value]:
    """Return the value of every option with which a recorded game is played.

    An option that the record does not contain did not exist yet. Raises UsageError for an unknown key or an invalid
    value.
    """
    return resolve_recorded(all_options(game), recorded, game.title)


def select_game_options(game: AnyGame, options: Options) -> dict[str, Value]:
    """Return the values of the options that the game itself defines, without the ones that every game has."""
    return {option.key: options[option.key] for option in game.options}


def changes(game: HasOptions, options: Options) -> dict[str, Value]:
    """Return the values that differ from the defaults, by the keys of their options (G-11, G-12)."""
    return {option.key: options[option.key] for option in _find_changed_options(game, options)}


def faults(game: AnyGame, values: Mapping[str, object]) -> Iterator[tuple[str, UsageError]]:
    """Yield each key that the game does not know, or whose value it does not accept, and the error."""
    for key, value in values.items():
        try:
            settle(game, {key: value})
        except UsageError as error:
            yield key, error


def find_options_in_force(game: AnyGame, layers: Iterable[Layer]) -> tuple[OptionInForce, ...]:
    """Return the value of every option and the file that set it; later layers override earlier ones (G-11).

    Invalid keys and values are ignored.
    """
    options_in_force = {option.key: OptionInForce(option, option.default) for option in all_options(game)}
    for layer in layers:
        invalid_keys = {key for key, _ in faults(game, layer.options)}
        for key in layer.options.keys() - invalid_keys:
            option = options_in_force[key].option
            options_in_force[key] = OptionInForce(option, option.parse(layer.options[key]), layer.where)
    return tuple(options_in_force.values())


def house_rules(game: AnyGame, options: Options, settled_keys: Collection[str] = ()) -> tuple[str, ...]:
    """Return a sentence with value, ruling and summary for each option that differs from its default.

    Options with keys in `settled_keys` are left out, because notes of the campaign, such as an encounter, set them.
    """
    changed_options = _find_changed_options(game, options, settled_keys)
    return tuple(_describe_option(option, options[option.key]) for option in changed_options)


def find_overruling_rules(
    game: AnyGame, options: Options, settled_keys: Collection[str], heading: str, rulings: Collection[str]
) -> dict[str, str]:
    """Return the sentences of the house rules that change a passage, each mapped to the number of its ruling.

    A house rule changes a passage if its option belongs to the `heading` of the passage, or if its ruling is one of
    `rulings`. Options with keys in `settled_keys` are left out.
    """
    return {
        _describe_option(option, options[option.key]): option.ruling
        for option in _find_changed_options(game, options, settled_keys)
        if option.ruling in rulings or option.key in game.option_headings.get(heading, ())
    }


def _find_changed_options(game: HasOptions, options: Options, settled_keys: Collection[str] = ()) -> Iterator[Option]:
    changed_options = (option for option in all_options(game) if options[option.key] != option.default)
    return (option for option in changed_options if option.key not in settled_keys)


def _describe_option(option: Option, value: Value) -> str:
    return f"{option.key} = {value} instead of {option.default} ({option.ruling}): {option.summary}"
