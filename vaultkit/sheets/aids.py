"""Player aids and card rules of a game, from `print/aids/<game>.toml`; a vault's own file overrides ours."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import field

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.compendium import RuleNote
from vaultkit.errors import InvalidError
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES
from vaultkit.schema import InvalidValue
from vaultkit.session.options import Layer, find_options_in_force
from vaultkit.sheets.cards.print_card import Hand
from vaultkit.theme.design_loader import Design, convert_to_shape, name_of, parse_file

_PLACEHOLDER = re.compile(r"\{([a-z_]+)(:id)?\}")
_CELL_BAR = re.compile(r"(?<!\\)\|")
"""A vertical bar that would end a table cell."""
_Conditions = dict[str, tuple[Any, ...]]
"""The values that meet a condition, by the name of the option: `{ order = ["seed"] }`."""


class _Part(Design, frozen=True, kw_only=True):
    """A part of an aid: text, a table with `head` and `rows`, numbered `steps`, and bullet `points`, all optional."""

    text: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    steps: tuple[str, ...] = ()
    points: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise InvalidValue("needs as many texts in every row as in 'head'.")

    @property
    def markdown(self) -> str:
        """The content of this part as Markdown."""
        table_rows = [self.head, ["---"] * len(self.head), *self.rows] if self.rows else []
        escaped_rows = ([_CELL_BAR.sub(r"\\|", cell) for cell in row] for row in table_rows)
        table = "\n".join(f"| {' | '.join(row)} |" for row in escaped_rows)
        steps = "\n".join(f"{number}. {step}" for number, step in enumerate(self.steps, 1))
        points = "\n".join(f"- {point}" for point in self.points)
        return "\n\n".join(filter(None, (self.text.strip(), table, steps, points)))


class Aid(_Part, frozen=True, kw_only=True):
    """A player aid, such as the course of a turn, the ranks of hands, or the scoring.

    `rulings` are the numbers of the rulings that it explains. It applies only if the options meet all conditions in
    `when` and none in `unless`.
    """

    title: str
    more: tuple[_Part, ...] = ()
    hands: tuple[Hand, ...] = ()
    rulings: tuple[str, ...] = ()
    when: _Conditions = field(default_factory=dict)
    unless: _Conditions = field(default_factory=dict)

    @property
    def whole(self) -> str:
        """The content of the aid, with all its parts, as Markdown."""
        return "\n\n".join(filter(None, (part.markdown for part in (self, *self.more))))


class CardRule(Design, frozen=True, kw_only=True):
    """A rule of a game about some cards: those that meet all given conditions on ids, ranks, suits and traits.

    The ids in `without` are excepted. A card with a `special` rule gets a reference card. `label` is the game's term
    for such cards, such as `hero`. `when` and `unless` are conditions on options, under which the rule applies.
    """

    text: str
    ids: frozenset[str] = field(name="cards", default=frozenset())
    ranks: frozenset[int | str] = frozenset()
    suits: frozenset[str] = frozenset()
    traits: dict[str, str] = field(default_factory=dict)
    without: frozenset[str] = field(name="except", default=frozenset())
    special: bool = True
    label: str = ""
    rulings: tuple[str, ...] = ()
    when: _Conditions = field(default_factory=dict)
    unless: _Conditions = field(default_factory=dict)

    def fits(self, card: Card) -> bool:
        """Return whether the rule is about a card."""
        has_id = not self.ids or card.id in self.ids
        has_rank = not self.ranks or str(card.rank) in map(str, self.ranks)
        has_suit = not self.suits or not self.suits.isdisjoint(card.suits)
        has_traits = all(card.traits.get(key, "") == value for key, value in self.traits.items())
        return has_id and has_rank and has_suit and has_traits and card.id not in self.without


class Aids(Design, frozen=True):
    """The player aids and card rules of one game."""

    cards: tuple[Aid, ...] = ()
    rules: tuple[CardRule, ...] = ()


def load_aids(game: str, vault: Path | None, options: Options | None = None) -> Aids:
    """Return the aids and card rules that apply under options, by default the ones of the game; empty without a design.

    Raises InvalidError for a design with a mistake.
    """
    options = options_of_note(game, None) if options is None else options
    path = resources.find("print", f"aids/{game}.toml", vault)
    if path is None:
        return Aids()
    source_name = name_of(path)
    all_aids = convert_to_shape(fill_placeholders(parse_file(path), options), Aids, source_name)
    cards = tuple(aid for aid in all_aids.cards if _is_in_force(aid, options, source_name))
    return Aids(cards, tuple(rule for rule in all_aids.rules if _is_in_force(rule, options, source_name)))


def options_of_note(game: str, rules: RuleNote | None) -> Options:
    """Return the value of every option of a game, as set by its rule note or by default; empty for an unknown game."""
    if game not in GAMES:
        return {}
    layers = [Layer(rules.note.path, rules.options)] if rules else []
    return {setting.option.key: setting.value for setting in find_options_in_force(GAMES[game].rules(), layers)}


def fill_placeholders(value: Any, options: Options) -> Any:
    """Return a copy of a design with placeholders replaced by the values of options.

    `{joker}` becomes the value, and `{joker:id}` the id of the card that it names. Unknown placeholders stay as they
    are.
    """
    if isinstance(value, str):
        return _PLACEHOLDER.sub(lambda place: _option_value(place, options), value)
    if isinstance(value, list):
        return [fill_placeholders(item, options) for item in value]
    if isinstance(value, Mapping):
        return {key: fill_placeholders(item, options) for key, item in value.items()}
    return value


def _option_value(placeholder: re.Match[str], options: Options) -> str:
    if placeholder[1] not in options:
        return placeholder[0]
    value = str(options[placeholder[1]])
    return value.lower().replace(" ", "-") if placeholder[2] else value


def _is_in_force(item: Aid | CardRule, options: Options, where: str) -> bool:
    """Return whether an aid or a rule applies under the options. Raises InvalidError for an unknown option."""
    if unknown := [option for option in (*item.when, *item.unless) if option not in options]:
        raise InvalidError(f"There is no option '{unknown[0]}'.", where=where, hint=f"Options: {', '.join(options)}.")
    when_results, unless_results = (
        [str(options[option]) in map(str, values) for option, values in conditions.items()]
        for conditions in (item.when, item.unless)
    )
    return all(when_results) and not any(unless_results)
