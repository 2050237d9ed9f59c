"""What the options of a game change on its reference cards: house rules stand on the cards that they are about."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from vaultkit.compendium import RuleNote
from vaultkit.games.options import Option, Options
from vaultkit.games.registry import GAMES
from vaultkit.session.options import Layer, all_options, in_force

_PLACE = re.compile(r"\{([a-z_]+)(:id)?\}")


def of_note(game: str, rules: RuleNote | None) -> Options:
    """The value of every option of the game, as its rule note sets them; nothing for a game that we do not know."""
    if game not in GAMES:
        return {}
    layers = [Layer(rules.note.path, rules.options)] if rules else []
    return {found.option.key: found.value for found in in_force(GAMES[game].rules(), layers)}


def house_rules(game: str, options: Options, rulings: Collection[str] | None = None) -> tuple[str, ...]:
    """What is not by default, one Markdown line for each option; of those that settle `rulings`, if these are given."""
    changed = _changed(game, options)
    return tuple(_told(option, options) for option in changed if rulings is None or option.ruling in rulings)


def _changed(game: str, options: Options) -> Iterator[Option]:
    known = all_options(GAMES[game].rules()) if game in GAMES else ()
    return (option for option in known if options.get(option.key, option.default) != option.default)


def _told(option: Option, options: Options) -> str:
    return f"{option.summary} `{option.key}` = **{options[option.key]}** ({option.ruling})"


def filled(value: Any, options: Options) -> Any:
    """A design with the values of options in its texts: `{joker}`, or `{joker:id}` for the id of the card of that name.

    What is in braces and no option stays as it is.
    """
    if isinstance(value, str):
        return _PLACE.sub(lambda place: _value(place, options), value)
    if isinstance(value, list):
        return [filled(item, options) for item in value]
    if isinstance(value, Mapping):
        return {key: filled(item, options) for key, item in value.items()}
    return value


def _value(place: re.Match[str], options: Options) -> str:
    if place[1] not in options:
        return place[0]
    value = str(options[place[1]])
    return value.lower().replace(" ", "-") if place[2] else value
