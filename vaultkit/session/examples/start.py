"""The start of an example in a rule note: its seats, its house rules, and the cards that it places."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.game import AnyGame, State
from vaultkit.games.game_info import load
from vaultkit.games.messages import Seat
from vaultkit.games.options import Value
from vaultkit.games.position_setup import Arrangement, Arranger, Stack, ZoneKey
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import IllegalMove
from vaultkit.session import seeded_choices
from vaultkit.session.card_names import find_cards, suggest_card
from vaultkit.session.examples.parser import Content, Example
from vaultkit.session.options import faults, select_game_options, settle
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.spelling import did_you_mean
from vaultkit.text import name_key

NEXT_ZONE = "next"
"""The name of the zone for the cards that are drawn next, in their order."""
ON_SEPARATOR = " on "
"""The separator between a card and the card on which it lies."""


class ExampleStart(NamedTuple):
    """The start of an example; `next_cards` are the ids of the cards that are drawn next."""

    game: AnyGame
    seats: tuple[SeatSpec, ...]
    options: Mapping[str, Value]
    state: State[Any]
    next_cards: tuple[str, ...]


def begin(example: Example, deck: Deck, options: Mapping[str, object]) -> ExampleStart:
    """Return the start of an example.

    `options` are house rules; the options of the example override them. Raises InvalidError with note and line for
    seats, options or cards with which the game cannot begin.
    """
    info, content = GAMES[example.game], example.content
    game, seats = info.rules(), _read_seats(example)
    settled_options = _settle_options(example, game, options)
    reader = _ExampleReader(example, deck, tuple(seat.name for seat in seats))
    next_cards = tuple(card for stack in reader.stacks(NEXT_ZONE, content.cards.get(NEXT_ZONE, [])) for card in stack)
    if {*content.cards} - {NEXT_ZONE}:
        state = _arrange_state(reader, game, load(info.arranger), settled_options, next_cards)
    else:
        try:
            state = game.new(len(seats), select_game_options(game, settled_options), deck)
        except UsageError as error:
            raise example.error(error.message, error.hint, "seats") from error
    return ExampleStart(game, seats, settled_options, state, next_cards)


def _read_seats(example: Example) -> tuple[SeatSpec, ...]:
    try:
        seats = parse_seats(example.content.seats)
        GAMES[example.game].rules().check_seats(len(seats), hint="Name that many seats under seats.")
    except UsageError as error:
        raise example.error(error.message, error.hint, "seats") from error
    return seats


def _settle_options(example: Example, game: AnyGame, options: Mapping[str, object]) -> Mapping[str, Value]:
    for key, error in faults(game, example.content.options):
        raise example.error(error.message, error.hint, key) from error
    return settle(game, {**options, **example.content.options})


class _ExampleReader:
    """A reader of the cards and zones in an example; `names` are the names of the seats."""

    def __init__(self, example: Example, deck: Deck, names: tuple[str, ...]) -> None:
        self.example = example
        self.deck = deck
        self.names = names

    def zones(self, arranger: Arranger) -> Iterator[tuple[ZoneKey, tuple[Stack, ...]]]:
        """Yield the stacks of each zone in the example, except the zone `next`, after the zone and its seat.

        The seat is None for a zone of the table. Raises InvalidError for a zone that the game does not have.
        """
        for zone, cards in self.example.content.cards.items():
            if zone == NEXT_ZONE:
                continue
            zone_names = arranger.of_seats if isinstance(cards, dict) else arranger.of_table
            if zone not in zone_names:
                raise self._unknown_zone_error(zone, arranger)
            for name, card_names in cards.items() if isinstance(cards, dict) else (("", cards),):
                yield (zone, self._find_seat(name) if name else None), self.stacks(zone, card_names)

    def stacks(self, zone: str, names: object) -> tuple[Stack, ...]:
        """Return the stacks of a zone as ids of cards, from the bottom card to the top card.

        `names` is the value of the zone in the example: `A on B` is a stack with B at the bottom. Raises InvalidError
        for anything but a list of names, each of exactly one card.
        """
        if not isinstance(names, list):
            raise self.example.error(f"'{zone}' is a list of cards.", "", zone)
        return tuple(tuple(self._find_card(name) for name in reversed(text.split(ON_SEPARATOR))) for text in names)

    def _find_card(self, name: str) -> str:
        cards = find_cards(name, self.deck, self.deck.by_id)
        if len(cards) == 1:
            return cards[0].id
        if cards:
            raise self.example.error(f"'{name}' could be: {'; '.join(card.title for card in cards)}.", "", name)
        hint = suggest_card(name, self.deck)
        raise self.example.error(f"'{name}' is not a card of the {self.deck.kind} deck.", hint, name)

    def _find_seat(self, name: str) -> Seat:
        seats = [seat for seat, seat_name in enumerate(self.names) if name_key(seat_name) == name_key(name)]
        if not seats:
            hint = did_you_mean(name, self.names, suffix=f"The seats: {', '.join(self.names)}.")
            raise self.example.error(f"'{name}' has no seat here.", hint, name)
        return seats[0]

    def _unknown_zone_error(self, zone: str, arranger: Arranger) -> InvalidError:
        if zone in Content.__struct_fields__:
            return self.example.misplaced_key_error(zone, "[cards]")
        seat_zone_names = [f"{name}.{self.names[0]}" for name in arranger.of_seats]
        zone_names = (*seat_zone_names, *arranger.of_table, NEXT_ZONE)
        problem = "is a zone of each seat" if zone in arranger.of_seats else "is not a zone of the table"
        return self.example.error(f"'{zone}' {problem}.", f"Zones: {', '.join(zone_names)}.", zone)


def _arrange_state(
    reader: _ExampleReader, game: AnyGame, arranger: Arranger, options: Mapping[str, Value], next_cards: tuple[str, ...]
) -> State[Any]:
    """Return the state with the cards of the example in their zones, and all other cards shuffled by its seed.

    Raises InvalidError if the game does not allow these cards in these zones.
    """
    example, deck, content = reader.example, reader.deck, reader.example.content
    zones = dict(reader.zones(arranger))
    zone_cards = [card for stacks in zones.values() for stack in stacks for card in stack]
    if duplicate := next((card for card in zone_cards if zone_cards.count(card) > 1), ""):
        raise example.error(f"The {deck[duplicate].title} is in two places.", "", deck[duplicate].name)
    moment = _check_moment(example, arranger)
    placed_cards = {*zone_cards, *next_cards}
    shuffled_cards = seeded_choices.shuffle([card.id for card in deck if card.id not in placed_cards], content.seed, 0)
    turn_seat = reader._find_seat(content.turn) if content.turn else None
    cards, game_options = [*shuffled_cards, *next_cards], select_game_options(game, options)
    arrangement = Arrangement(game_options, deck, len(reader.names), zones, cards, turn_seat, moment)
    try:
        state = arranger.make(arrangement)
    except (IllegalMove, UsageError) as error:
        raise example.error(f"These cards are impossible: {error}") from error
    if sorted(state.cards()) != sorted(deck.by_id):
        hint = "A zone may hold a kind of card that does not belong there."
        raise example.error("These cards are impossible: one is missing, or in two places.", hint, "[cards]")
    return state


def _check_moment(example: Example, arranger: Arranger) -> str:
    """Return the name of the moment of the game at which the example begins, "" for none.

    Raises InvalidError for a moment that the game does not have.
    """
    moment = example.content.at
    if moment and moment not in arranger.moments:
        hint = did_you_mean(moment, arranger.moments, suffix=f"Accepted: {', '.join(arranger.moments) or 'no value'}.")
        raise example.error(f"'{moment}' is not a moment of this game.", hint, "at")
    return moment
