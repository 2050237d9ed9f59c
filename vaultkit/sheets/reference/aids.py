"""Player aids are data: `print/aids/<game>.toml`, the vault's own first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.compendium import RuleNote
from vaultkit.errors import InvalidError
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES
from vaultkit.look import design
from vaultkit.session.options import Layer, in_force
from vaultkit.sheets.cards.card import Hand

_CARD = ("text", "steps", "head", "rows", "hands", "points", "more", "when", "unless", "rulings")
_MORE = ("text", "steps", "head", "rows", "points")
_RULE = ("cards", "ranks", "suits", "traits", "except", "special", "label", "when", "unless", "rulings")
_PLACE = re.compile(r"\{([a-z_]+)(:id)?\}")
_HAND = re.compile(r"(?:[A-Za-z0-9]{1,2} )+[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Aid:
    """A card for the players: a turn, ranks of hands, the score. `text` is Markdown, `rulings` are those behind it."""

    title: str
    text: str
    hands: tuple[Hand, ...] = ()
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardRule:
    """A game's words on some cards: those that fit all that is given here.

    `special` ones get a card of their own; `label` is what the game calls such cards, such as `hero`.
    """

    text: str
    ids: frozenset[str] = frozenset()
    ranks: frozenset[str] = frozenset()
    suits: frozenset[str] = frozenset()
    traits: tuple[tuple[str, str], ...] = ()
    without: frozenset[str] = frozenset()
    special: bool = True
    label: str = ""
    rulings: tuple[str, ...] = ()

    def fits(self, card: Card) -> bool:
        """Whether the rule is about this card."""
        named = not self.ids or card.id in self.ids
        ranked = not self.ranks or str(card.rank) in self.ranks
        suited = not self.suits or not self.suits.isdisjoint(card.suits)
        traits = all(card.traits.get(key, "") == value for key, value in self.traits)
        return named and ranked and suited and traits and card.id not in self.without


@dataclass(frozen=True, slots=True)
class Aids:
    """Everything that lies beside the players of one game, besides the cards themselves."""

    cards: tuple[Aid, ...]
    rules: tuple[CardRule, ...]


def load_aids(game: str, vault: Path | None, options: Options | None = None) -> Aids:
    """The aids of a game under these options, else its defaults; none for a game that has no design.

    Raises InvalidError for a design with a mistake.
    """
    options = options_of_note(game, None) if options is None else options
    path = resources.find("print", f"aids/{game}.toml", vault)
    if path is None:
        return Aids((), ())
    where = design.name_of(path)
    table = design.check(design.load(path), [], ["cards", "rules"], where)
    cards, rules = (fill_in(design.tables(table, key, where), options) for key in ("cards", "rules"))
    return Aids(
        tuple(_aid(card, where) for card in cards if _in_force(card, options, where)),
        tuple(_rule(rule, where) for rule in rules if _in_force(rule, options, where)),
    )


def options_of_note(game: str, rules: RuleNote | None) -> Options:
    """The value of every option of the game, as its rule note sets them; nothing for a game that we do not know."""
    if game not in GAMES:
        return {}
    layers = [Layer(rules.note.path, rules.options)] if rules else []
    return {found.option.key: found.value for found in in_force(GAMES[game].rules(), layers)}


def fill_in(value: Any, options: Options) -> Any:
    """A design with the values of options in its texts: `{joker}`, or `{joker:id}` for the id of the card of that name.

    What is in braces and no option stays as it is.
    """
    if isinstance(value, str):
        return _PLACE.sub(lambda place: _value(place, options), value)
    if isinstance(value, list):
        return [fill_in(item, options) for item in value]
    if isinstance(value, Mapping):
        return {key: fill_in(item, options) for key, item in value.items()}
    return value


def _value(place: re.Match[str], options: Options) -> str:
    if place[1] not in options:
        return place[0]
    value = str(options[place[1]])
    return value.lower().replace(" ", "-") if place[2] else value


def _in_force(table: object, options: Options, where: str) -> bool:
    """Whether a card or a rule is for these options: `when = { order = ["seed"] }`, or `unless`."""
    given = table if isinstance(table, Mapping) else {}
    wanted, unwanted = (_conditions(given, key, options, where) for key in ("when", "unless"))
    return all(wanted) and not any(unwanted)


def _conditions(table: design.Table, key: str, options: Options, where: str) -> list[bool]:
    """Which of the conditions under `key` hold."""
    asked = table.get(key, {})
    if not isinstance(asked, Mapping) or not all(isinstance(values, list) for values in asked.values()):
        raise InvalidError(
            f"'{key}' must be a table of lists.", where=where, hint=f'Write {key} = {{ order = ["x"] }}.'
        )
    unknown = [option for option in asked if option not in options]
    if unknown:
        raise InvalidError(f"There is no option '{unknown[0]}'.", where=where, hint=f"Options: {', '.join(options)}.")
    return [str(options[option]) in map(str, values) for option, values in asked.items()]


def _aid(table: object, file: str) -> Aid:
    where = f"{file} [[cards]]"
    found = design.check(table, ["title"], _CARD, where)
    title = design.text(found, "title", where)
    where = f"{file} '{title}'"
    more = (design.check(part, [], _MORE, f"{where} more") for part in design.tables(found, "more", where))
    text = "\n\n".join(filter(None, (_part(part, where) for part in (found, *more))))
    hands = tuple(_hand(hand, f"{where} hands") for hand in design.tables(found, "hands", where))
    return Aid(title, text, hands, design.texts(found, "rulings", where))


def _part(table: design.Table, where: str) -> str:
    """The Markdown of a stretch of an aid: some words, a table, numbered steps, points; any of them may be missing."""
    head = design.texts(table, "head", where)
    rows = table.get("rows", [])
    fitting = isinstance(rows, list) and all(isinstance(row, list) and len(row) == len(head) for row in rows)
    if not fitting or not all(isinstance(cell, str) for row in rows for cell in row):
        raise InvalidError("Every row needs as many texts in quotes as 'head'.", where=where)
    lines = [head, ["---"] * len(head), *rows] if rows else []
    grid = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(design.texts(table, "steps", where), 1))
    points = "\n".join(f"- {point}" for point in design.texts(table, "points", where))
    return "\n\n".join(filter(None, (design.text(table, "text", where).strip(), grid, steps, points)))


def _hand(table: object, where: str) -> Hand:
    found = design.check(table, ["name", "words"], ["cards"], where)
    return Hand(design.text(found, "name", where), design.text(found, "words", where), _example(found, where))


def _example(table: design.Table, where: str) -> tuple[tuple[str, str], ...]:
    """The cards of `5 6 7 8 9 swords` or `8 swords, 8 stars, 3 coins`: ranks, then the icon of their suit."""
    text = design.text(table, "cards", where)
    cards: list[tuple[str, str]] = []
    for group in text.split(",") if text else []:
        if not _HAND.fullmatch(group.strip()):
            raise InvalidError(f"'{group.strip()}' are no cards.", where=where, hint='Write "5 6 7 swords, M coins".')
        *ranks, suit = group.split()
        cards += [(rank, suit) for rank in ranks]
    return tuple(cards)


def _rule(table: object, file: str) -> CardRule:
    where = f"{file} [[rules]]"
    found = design.check(table, ["text"], _RULE, where)
    traits = found.get("traits", {})
    if not isinstance(traits, Mapping) or not all(isinstance(value, str) for value in traits.values()):
        raise InvalidError("'traits' must be a table of texts in quotes.", where=where)
    return CardRule(
        text=design.text(found, "text", where).strip(),
        ids=frozenset(design.texts(found, "cards", where)),
        ranks=_ranks(found.get("ranks", []), where),
        suits=frozenset(design.texts(found, "suits", where)),
        traits=tuple(traits.items()),
        without=frozenset(design.texts(found, "except", where)),
        special=design.switch(found, "special", where, default=True),
        label=design.text(found, "label", where),
        rulings=design.texts(found, "rulings", where),
    )


def _ranks(ranks: object, where: str) -> frozenset[str]:
    if not isinstance(ranks, list) or not all(isinstance(rank, int | str) for rank in ranks):
        raise InvalidError("'ranks' must be a list of numbers and texts in quotes.", where=where)
    return frozenset(map(str, ranks))
