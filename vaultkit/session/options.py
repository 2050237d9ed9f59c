"""Options that every game has, and how they are merged with a game's own."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame
from vaultkit.games.options import Option, Options, Value, resolve, resolve_recorded
from vaultkit.settings import Settings

UNDO = Option(
    "undo",
    "G-8",
    ("safe", "off", "free"),
    "How far a decision may be taken back: until something new was seen or dealt, never, or always, marked in the log.",
)
COMMON: tuple[Option, ...] = (UNDO,)


class Optioned(Protocol):
    """A thing with options: the rules of a game, or its score sheet."""

    @property
    def title(self) -> str: ...

    @property
    def options(self) -> tuple[Option, ...]: ...


@dataclass(frozen=True, slots=True)
class Layer:
    """Options that were set in one place: `where` is a settings file, or a rule note's path in the vault."""

    where: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class InForce:
    """An option's value, and the place that set it; "" is for the default."""

    option: Option
    value: Value
    where: str = ""


def layers(settings: Settings, game: str) -> Iterator[Layer]:
    """The options that settings set for a game: one layer for each file that has a part in them."""
    given = settings.games.get(game, {})
    files = {key: settings.origins.get(f"games.{game}.{key}", "") for key in given}
    for file in dict.fromkeys(files.values()):
        yield Layer(file, {key: value for key, value in given.items() if files[key] == file})


def all_options(game: Optioned) -> tuple[Option, ...]:
    """All options that `--set` and the settings accept for a game: its own, then the common ones."""
    return (*game.options, *COMMON)


def settle(game: Optioned, given: Mapping[str, object]) -> dict[str, Value]:
    """Every option's value, common ones included. Raises UsageError for an unknown key or value."""
    return resolve(all_options(game), given, game.title)


def settle_recorded(game: Optioned, recorded: Mapping[str, object]) -> dict[str, Value]:
    """Return every option's value as a recorded game is played: an option that it does not name did not exist yet.

    Raises UsageError for an unknown key or value.
    """
    return resolve_recorded(all_options(game), recorded, game.title)


def of_game(game: AnyGame, options: Options) -> dict[str, Value]:
    """The part of settled options that the game itself knows."""
    return {option.key: options[option.key] for option in game.options}


def changes(game: Optioned, options: Options) -> dict[str, Value]:
    """The settled options that differ from their defaults (G-11, G-12)."""
    return {option.key: options[option.key] for option in _differing(game, options)}


def faults(game: AnyGame, given: Mapping[str, object]) -> Iterator[tuple[str, UsageError]]:
    """The keys that the game does not know or whose value it does not accept, each with what `settle` would raise."""
    for key, value in given.items():
        try:
            settle(game, {key: value})
        except UsageError as error:
            yield key, error


def in_force(game: AnyGame, layers: Iterable[Layer]) -> tuple[InForce, ...]:
    """Every option's value and where it comes from; later layers win (G-11). What has faults counts for nothing."""
    found = {option.key: InForce(option, option.default) for option in all_options(game)}
    for layer in layers:
        wrong = {key for key, _ in faults(game, layer.options)}
        for key in layer.options.keys() - wrong:
            option = found[key].option
            found[key] = InForce(option, option.parse(layer.options[key]), layer.where)
    return tuple(found.values())


def house_rules(game: AnyGame, options: Options, settled: Collection[str] = ()) -> tuple[str, ...]:
    """Each option that differs from its default, in a sentence with its ruling and what it is about.

    Options with `settled` keys are left out: the campaign sets them, as an encounter does, and not the house.
    """
    return tuple(_sentence(option, options[option.key]) for option in _differing(game, options, settled))


def overruling(
    game: AnyGame, options: Options, settled: Collection[str], heading: str, rulings: Collection[str]
) -> dict[str, str]:
    """The `house_rules` that change what a rule note says under this heading, or that settle one of these rulings.

    Each stands with the ruling that its option settles.
    """
    return {
        _sentence(option, options[option.key]): option.ruling
        for option in _differing(game, options, settled)
        if option.ruling in rulings or option.key in game.option_headings.get(heading, ())
    }


def _differing(game: Optioned, options: Options, settled: Collection[str] = ()) -> Iterator[Option]:
    other = (option for option in all_options(game) if options[option.key] != option.default)
    return (option for option in other if option.key not in settled)


def _sentence(option: Option, value: Value) -> str:
    return f"{option.key} = {value} instead of {option.default} ({option.ruling}): {option.summary}"
