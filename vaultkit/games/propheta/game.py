"""The game Propheta: new games, labels of moves, zones, score tables, and positions for examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.facts import GameFact
from vaultkit.games.game import Game, ShortMemory
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone
from vaultkit.games.options import Options
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.propheta import INFO, ending
from vaultkit.games.propheta.deal import ProphetaState, ProphetaView, turn_up_moves
from vaultkit.games.propheta.facts import choice_facts, key_facts, step_facts
from vaultkit.games.propheta.rules import (
    HEADING_OPTIONS,
    OPTIONS,
    ProphetaCards,
    make_rules,
    met_elements,
)  # fmt: skip
from vaultkit.games.propheta.state import DEAL, PLAY, REVEAL, ProphetaPosition
from vaultkit.games.turn import HIDDEN, Move, Rng, masked_zone
from vaultkit.text import format_count, join_words

DECK_SIZE = 48
MOVE_LABELS = {
    "predict": "Lay the {c0} face down",
    "play": "Play the {c0}",
    "reveal": "Turn up the {c0}",
    "pass": "Turn up nothing",
    "draw": "{cards}",
}
"""The text of a move, by its verb; `{c0}` stands for its first card."""

SHEET_COLUMNS = {
    "Tricks": "tricks",
    "Mutable, 2 each": "mutable",
    "Fixed, 4 each": "fixed",
    "Cardinal, 6 each": "cardinal",
    "Total": "total",
}
"""The columns of the score sheet, with the score parts that fill them."""


FIRST_TRICK_ROLES = ("leads first", "plays second", "plays third", "plays fourth")
"""The roles of the seats in the first trick, in the order of play."""


class Propheta(Game[ProphetaState, ProphetaView]):
    """The game Propheta (rulings VA-1 to VA-23)."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = HEADING_OPTIONS
    endings = ending.ENDINGS
    sampled_positions = 1
    short_memory = ShortMemory(
        "last-trick", ("led",), ("won", "trick"), "Only the last trick may be looked up (VA-22)."
    )

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> ProphetaState:
        self.check_seats(seats)
        first = options["first"]
        if isinstance(first, int) and first >= seats:
            hint = f"Accepted: random, winner-of-last, or a seat from 0 to {seats - 1} (VA-20)."
            raise UsageError(f"With {seats} players there is no seat {first} to lead first.", hint=hint)
        if len(deck) != DECK_SIZE:
            hint = "Correct the deck note (VA-1)."
            raise UsageError(f"Propheta is played with {DECK_SIZE} cards; '{deck.title}' has {len(deck)}.", hint=hint)
        rules, first_seat = make_rules(seats, options, people, deck), first if isinstance(first, int) else None
        position = ProphetaPosition([()] * seats, [()] * seats, [()] * seats, rules.cards.ids, first_seat)
        return ProphetaState(rules, position)

    def check_match(self, options: Options) -> None:
        if options["target"] != "none":
            reason = f"with target = {options['target']} one game is deal after deal already (VA-19)"
            hint = "Leave out --match, or play it with --set target=none: each game is then one deal."
            raise UsageError(f"There is no match of such games of {self.title}: {reason}.", hint=hint)

    def determinize(self, view: ProphetaView, rng: Rng) -> ProphetaState:
        """Return a state that agrees with the view, in which the cards that the seat does not see are dealt at random.

        If suit must be followed, a player is dealt no card of an element that they have shown not to hold.
        """
        cards, visible_cards, places = view.rules.cards, view.seen, _hidden_card_places(view)
        unseen = [card for card in cards.ids if card not in visible_cards]
        rng.shuffle(unseen)
        if any(place.without for place in places):
            _fill_by_matching(places, unseen, cards, rng)
        else:
            cards_in_order = iter(unseen)
            for place in places:
                place.cards = list(islice(cards_in_order, place.size))
        return _state_from_places(view, iter(places), rng)

    def roles(self, state: ProphetaState) -> Mapping[str, Seat]:
        """Return which seat plays first, second and so on in the first trick.

        Empty before that is settled, and in a match, where the first lead moves on from deal to deal (VA-19).
        """
        first, seats = state.at.first, state.seats
        if first is None or state.rules.target:
            return {}
        return {role: (first + place) % seats for place, role in enumerate(FIRST_TRICK_ROLES[:seats])}

    def outcome(self, state: ProphetaState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        return Sentence(MOVE_LABELS[move.verb], (), move.operands)

    def aim(self, view: ProphetaView) -> Sentence:
        words = "A trick won gives 1 point, a prophecy of yours that a trick fulfils 2, 4 or 6"
        ending_words = "; the first to reach {v0} points wins." if view.rules.target else "; most points win."
        return Sentence(words + ending_words, values=(view.rules.target,))

    def key_facts(self, view: ProphetaView) -> Iterator[Sentence]:
        return key_facts(view)

    def heading(self, view: ProphetaView) -> tuple[Sentence, ...]:
        return (*_progress_sentences(view), Sentence("{v0} players", values=(view.seats,)))

    def table(self, view: ProphetaView) -> tuple[Zone, ...]:
        """Return the zones: trick, viewer's hand, prophecies, cards played before, and a legend of the signs."""
        return (*_trick_and_hand_zones(view), *_prophecy_zones(view), *_pile_and_legend_zones(view))

    def standing(self, view: ProphetaView) -> tuple[Standing, ...]:
        """Return the points of all deals so far, and how many prophecies may still bring points (VA-15)."""
        conceded_seats = view.at.concessions.seats
        return tuple(replace(_standing(view, seat), out=seat in conceded_seats) for seat in range(view.seats))

    def facts(self, before: ProphetaView, after: ProphetaView, events: Sequence[Event]) -> Iterator[GameFact]:  # noqa: ARG002
        yield from self.score_facts(before, after)
        yield from step_facts(before, after)

    def secret_facts(self, view: ProphetaView, move: Move) -> Iterator[GameFact]:
        return choice_facts(view, move)

    def why_not(self, view: ProphetaView, card: str) -> Sentence | None:
        """Return why a card of the viewer cannot be played or turned up, or None if there is nothing to explain.

        Some house rules require following suit (VA-4); a prophecy waits for a trick that fulfils it (VA-11).
        """
        at, cards = view.at, view.rules.cards
        if at.phase == PLAY and at.trick and card in at.hands[view.seat]:
            lead_element = cards.element[at.trick[0]]
            words = "The {c0} is {v0}; {v1} was led, and you hold some."
            return Sentence(words, (), (card,), (cards.element[card], lead_element))
        if at.phase == REVEAL and card in at.predictions[view.seat]:
            return _why_unfulfilled(view, card)
        return None

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return the score sheet, and a table of the points gained in each trick or deal if they are known (VA-15)."""
        rows = ((str(parts[part]) for part in SHEET_COLUMNS.values()) for parts in outcome.whole_scores)
        sheet = Table.of_seats("Score Sheet", SHEET_COLUMNS, rows)
        steps = tuple(key for key in outcome.whole_scores[0] if "." in key)
        if not steps:
            return (sheet,)
        kind = steps[0].partition(".")[0].capitalize()
        gain_rows = ((_points_text(parts, step) for step in steps) for parts in outcome.whole_scores)
        return sheet, Table.of_seats(f"Points {kind} by {kind}", (step.partition(".")[2] for step in steps), gain_rows)


@dataclass(slots=True)
class _HiddenCardPlace:
    """A place where cards lie that the viewer does not see, such as a hand.

    It has room for `size` hidden cards, none of the elements in `without`. `cards` are those put there by chance.
    """

    size: int
    without: frozenset[str] = frozenset()
    cards: list[str] = field(default_factory=list)


def _hidden_card_places(view: ProphetaView) -> list[_HiddenCardPlace]:
    """Return the places where hidden cards may lie, still empty: hands, prophecies, cards set aside, and tricks.

    A place in which every card is visible has the size 0.
    """
    at = view.at
    missing_elements = _missing_elements(view) if view.rules.must_follow else [frozenset()] * view.seats
    pairs = zip(at.hands, missing_elements, strict=True)
    hands = [_HiddenCardPlace(hand.count(HIDDEN), without) for hand, without in pairs]
    others = (*at.predictions, at.aside, *(trick.cards for trick in at.tricks))
    return [*hands, *(_HiddenCardPlace(cards.count(HIDDEN)) for cards in others)]


def _missing_elements(view: ProphetaView) -> list[frozenset[str]]:
    """Return the elements that each seat has shown not to hold, by not following suit (VA-4)."""
    at, cards, missing_elements = view.at, view.rules.cards, [set[str]() for _ in range(view.seats)]
    visible_tricks = [trick for trick in at.tricks if HIDDEN not in trick.cards]
    tricks = [(at.seats_from(trick.leader, len(trick.cards)), trick.cards) for trick in visible_tricks]
    for seats, trick in (*tricks, (at.seats_from(at.leader), at.trick)):
        for seat, card in zip(seats, trick, strict=False):
            if cards.element[card] != cards.element[trick[0]] and card not in cards.numbers:
                missing_elements[seat].add(cards.element[trick[0]])
    return list(map(frozenset, missing_elements))


def _fill_by_matching(places: list[_HiddenCardPlace], unseen: list[str], cards: ProphetaCards, rng: Rng) -> None:
    """Put each unseen card at random into a place that may hold it, moving other cards on to make room."""
    # Larger places tend to come first. `Rng.shuffle` takes strings, so the places are shuffled by their numbers.
    shuffled_numbers = [str(index) for index, place in enumerate(places) for _ in range(place.size)]
    rng.shuffle(shuffled_numbers)
    preferred = [places[int(index)] for index in dict.fromkeys(shuffled_numbers)]
    for card in unseen:
        if not _place_card(card, preferred, cards, set()):
            raise AssertionError(f"there is no place for {card}: the view contradicts itself")
        shift = rng.randrange(max(1, len(preferred)))
        preferred = preferred[shift:] + preferred[:shift]


def _place_card(card: str, places: list[_HiddenCardPlace], cards: ProphetaCards, visited_ids: set[int]) -> bool:
    """Put a card into a place that may hold it, moving other cards on if needed; return whether that was possible.

    This looks for an augmenting path, as in bipartite matching. `visited_ids` holds the `id()` of each full place that
    was already tried.
    """
    free_places = (place for place in places if id(place) not in visited_ids)
    allowed_places = [place for place in free_places if cards.element[card] not in place.without]
    for place in allowed_places:
        if len(place.cards) < place.size:
            place.cards.append(card)
            return True
    for place in allowed_places:
        visited_ids.add(id(place))
        for index, other in enumerate(place.cards):
            if _place_card(other, places, cards, visited_ids):
                place.cards[index] = card
                return True
    return False


def _state_from_places(view: ProphetaView, places: Iterator[_HiddenCardPlace], rng: Rng) -> ProphetaState:
    """Return the state of the view with the cards of `places` for the hidden cards.

    `places` are in the order of `_hidden_card_places`. Choices in a simultaneous reveal that the viewer does not know
    are made at random.
    """

    def fill_hidden(visible_cards: tuple[str, ...], place: _HiddenCardPlace) -> tuple[str, ...]:
        """Return the cards of `visible_cards` that are not hidden, together with the ones put into `place`."""
        if not place.size:
            return visible_cards
        return cards.sort_cards((*(card for card in visible_cards if card != HIDDEN), *place.cards))

    at, rules, cards = view.at.copy(), view.rules, view.rules.cards
    at.hands = [fill_hidden(hand, next(places)) for hand in at.hands]
    at.predictions = [fill_hidden(prophecies, next(places)) for prophecies in at.predictions]
    at.aside = fill_hidden(at.aside, next(places))
    pairs = zip(at.tricks, places, strict=True)
    at.tricks = tuple(trick._replace(cards=tuple(place.cards)) if place.size else trick for trick, place in pairs)
    at.committed = ()
    for seat, move in zip(at.seats_from(at.leader), view.at.committed, strict=False):
        choices = (move,) if move else turn_up_moves(rules, at, seat)
        at.committed = (*at.committed, choices[rng.randrange(len(choices))])
    return ProphetaState(rules, at)


def _progress_sentences(view: ProphetaView) -> Iterator[Sentence]:
    """Yield how far the game has come: the number of the trick while tricks are played, and of the deal in a match."""
    at, target = view.at, view.rules.target
    if at.phase in (PLAY, REVEAL):
        done = len(at.tricks)
        tricks = done + max(len(at.hands[seat]) for seat in at.seats_from(0))
        yield Sentence("trick {v0} of {v1}", values=(done + (at.phase == PLAY), tricks))
    if target:
        yield Sentence("deal {v0}, to {v1} points", values=(len(at.deals) + 1, target))


def _standing(view: ProphetaView, seat: Seat) -> Standing:
    """Return the points of a seat in all deals, and in words its tricks and the prophecies that are still face down."""
    at = view.at
    sheet, earlier_points = at.sheet(seat, view.rules.cards), sum(deal[seat].total for deal in at.deals)
    if at.shown:
        return Standing(seat, earlier_points, Sentence("{v0} in all", values=(format_count(earlier_points, "point"),)))
    earlier_words = f"; {format_count(earlier_points, 'point')} in earlier deals" if at.deals else ""
    face_down_count = len(at.predictions[seat])
    prophecies = "prophecy" if face_down_count == 1 else "prophecies"
    to_come = f", {face_down_count} {prophecies} to come" if face_down_count else ""
    words = f"{format_count(sheet.tricks, 'trick')}{to_come}{earlier_words}"
    return Standing(seat, sheet.total + earlier_points, Sentence("{v0}", values=(words,)))


def _why_unfulfilled(view: ProphetaView, card: str) -> Sentence:
    """Return why the last trick does not let the viewer turn up a prophecy: its element or its modality (VA-11)."""
    at, cards = view.at, view.rules.cards
    fulfilled_traits, element, modality = met_elements(at.shared), cards.element[card], cards.modality[card]
    if element in fulfilled_traits:
        whose = "the winner of a trick" if modality == "Cardinal" else "those who have lost the trick"
        return Sentence("The {c0} is {v0}: only {v1} can turn it up.", (), (card,), (modality, whose))
    words = "The {c0} is {v0}; this trick fulfils {v1}."
    return Sentence(words, (), (card,), (element, join_words(fulfilled_traits) or "nothing"))


def _trick_and_hand_zones(view: ProphetaView) -> Iterator[Zone]:
    """Yield zones for the trick, the last trick, and the viewer's hand."""
    at, cards = view.at, view.rules.cards
    if at.trick:
        title = Sentence("{v0} trick, led by {s0}", (at.leader,), (), (cards.element[at.trick[0]],))
        yield Zone(title, at.trick, kind="trick", players=at.seats_from(at.leader)[: len(at.trick)])
    if at.tricks:
        last = at.tricks[-1]
        title = Sentence("Last trick, won by {s0}", (last.winner,))
        yield Zone(title, last.cards, kind="pile", players=at.seats_from(last.leader, len(last.cards)))
    yield Zone(Sentence("hand"), at.hands[view.seat], owner=view.seat, kind="hand")


def _prophecy_zones(view: ProphetaView) -> Iterator[Zone]:
    """Yield zones for the fulfilled prophecies of each seat, and for its prophecies that lie face down."""
    for seat in (*range(view.seat, view.seats), *range(view.seat)):
        prophecies, fulfilled = view.at.predictions[seat], view.at.fulfilled[seat]
        if fulfilled:
            yield Zone(Sentence("fulfilled"), tuple(prophecy.card for prophecy in fulfilled), owner=seat, by=True)
        if prophecies:
            yield masked_zone("prophecies", prophecies, seat, "laid")


def _pile_and_legend_zones(view: ProphetaView) -> Iterator[Zone]:
    """Yield zones for the cards set aside, the cards of tricks before the last, and the meaning of each sign."""
    at, cards = view.at, view.rules.cards
    if at.aside and at.phase != DEAL:
        yield masked_zone("Set aside", at.aside, kind="pile")
    earlier = tuple(card for trick in at.tricks[:-1] for card in trick.cards if card != HIDDEN)
    if earlier:
        yield Zone(Sentence("Played before"), kind="pile", short=Sentence("{cards}", (), cards.sort_cards(earlier)))
    for sign, meaning in cards.signs.items():
        yield Zone(Sentence(sign), kind="legend", short=Sentence("{v0}", (), (), (meaning,)))


def _points_text(parts: Mapping[str, int], step: str) -> str:
    """Return the points that a seat gained in a trick or deal, as text; a dash for none.

    Prophecies bring even numbers of points, so an odd number above 1 is a trick won and prophecies: `1 + 6`.
    """
    gain = parts[step]
    if step.startswith("trick") and gain > 1 and gain % 2:
        return f"1 + {gain - 1}"
    return str(gain) if gain else "–"


def _make_state(setup: Arrangement) -> ProphetaState:
    """Return the state in which the seat whose turn it is leads a trick.

    All hands are filled to the size of the largest one in the setup; cards that are left over are set aside.
    """
    seats, leader = range(setup.seats), setup.turn or 0
    rules = make_rules(setup.seats, setup.options, setup.people, setup.deck)
    hand_size = max(map(len, setup.cards_by_seat("hand")))
    hands = [rules.cards.sort_cards(setup.given_or_dealt_cards("hand", seat, hand_size)) for seat in seats]
    predictions = [rules.cards.sort_cards(cards) for cards in setup.cards_by_seat("prophecies")]
    aside_cards = setup.deal_rest()
    at = ProphetaPosition(hands, predictions, [()] * setup.seats, aside_cards, leader, PLAY, leader, leader)
    return ProphetaState(rules, at)


ARRANGER = Arranger(("hand", "prophecies"), (), (), _make_state)
