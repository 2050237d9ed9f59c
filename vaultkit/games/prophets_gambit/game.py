"""The game Prophet's Gambit: new games, labels of moves, zones, score tables, and positions for examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.concession import CONCEDED, list_conceded_seats
from vaultkit.games.facts import GameFact
from vaultkit.games.game import SEATS_HINT, Game
from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone, discard_zone
from vaultkit.games.options import Options
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.prophets_gambit import INFO, ending
from vaultkit.games.prophets_gambit.ending import (
    CATEGORY_NUMBERS,
    Execution,
    Reveal,
    best_final_value,
    hand_text,
    rank_name,
)
from vaultkit.games.prophets_gambit.facts import choice_facts, key_facts, step_facts
from vaultkit.games.prophets_gambit.rounds import BeginRound, ChooseDealer, GambitRound, Turns
from vaultkit.games.prophets_gambit.rules import ABOVE_NINE, HEADING_OPTIONS, OPTIONS, GambitRules, make_rules
from vaultkit.games.prophets_gambit.state import (
    NO_CARDS,
    GambitPosition,
    GambitState,
    GambitTask,
    GambitView,
    find_leader,
)
from vaultkit.games.turn import HIDDEN, Move, Pile, Rng, masked_zone

MOVE_LABELS = {
    "show": "Show the {c0}",
    "keep": "Keep the Fate",
    "replace": "Discard the Fate and take a new one",
    "play": "Play the {c0}",
    "risk": "Risk the {c0}: discard it and turn a High card",
    "draw-one": "Draw a card, then discard one",
    "decline": "Do not draw",
    "discard": "Discard {cards}",
    "demand": "Have the {c0} discarded",
    "take": "Take the {c0}",
    "pass": "Pass the {c0} to the left",
    "offer": "Trade the {c0} away",
    "kill": "Kill the Focus",
    "save": "Save the Focus",
    "draw": "{cards}",
}
CATEGORY_BY_NUMBER = {number: TAROKKA_NAMES[category] for category, number in CATEGORY_NUMBERS.items()}


OPENING, FIRST, SECOND, EXECUTION, REVEAL = "opening", "round 1", "round 2", "execution", "reveal"
HAND_SIZES = {OPENING: 6, FIRST: 5, SECOND: 4, EXECUTION: 3, REVEAL: 3}
"""The number of cards in a hand, by the moment of the game."""


class ProphetsGambit(Game[GambitState, GambitView]):
    """The game Prophet's Gambit (rulings PG-1 to PG-41)."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = HEADING_OPTIONS
    endings = ending.ENDINGS
    deciding_facts = ("Hand",)

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> GambitState:
        hint = f"{SEATS_HINT} For six, 43 Common cards would be needed, and there are 40."
        self.check_seats(seats, hint)
        _check_options(seats, options)
        rules = make_rules(seats, options, people, deck)
        position = GambitPosition(
            common=Pile(rules.cards.common),
            high=Pile(rules.cards.high),
            hands=[()] * seats,
            fates=[None] * seats,
            shown=[()] * seats,
            kept=[()] * seats,
            known=[NO_CARDS] * seats,
        )
        return GambitState(rules, position, [Reveal(), Execution(), GambitRound(2), GambitRound(1), ChooseDealer()])

    def determinize(self, view: GambitView, rng: Rng) -> GambitState:
        """Return a state in which hidden hands, Fates and both decks are dealt at random."""
        at, cards, visible_cards = view.at.copy(), view.rules.cards, view.seen
        unseen_cards = [card for card in cards.common if card not in visible_cards]
        rng.shuffle(unseen_cards)
        for seat, hand in enumerate(at.hands):
            visible_in_hand = [card for card in hand if card != HIDDEN]
            missing_count = len(hand) - len(visible_in_hand)
            full_hand = (*visible_in_hand, *unseen_cards[:missing_count])
            at.hands[seat] = tuple(sorted(full_hand, key=cards.place.__getitem__))
            del unseen_cards[:missing_count]
        at.fates = [unseen_cards.pop() if fate == HIDDEN else fate for fate in at.fates]
        at.common = Pile(tuple(sorted(unseen_cards)))
        at.high = Pile(tuple(card for card in cards.high if card not in visible_cards))
        return GambitState.from_view(view, at, rng)

    def roles(self, state: GambitState) -> Mapping[str, Seat]:
        """Return the seats by their place at the table, counted from the dealer (PG-6)."""
        assert state.at.dealer is not None
        *other_seats, dealer = state.rules.clockwise(state.at.dealer + 1)
        seats_by_role = {f"{distance} to the left of the dealer": seat for distance, seat in enumerate(other_seats, 1)}
        return {**seats_by_role, "the dealer": dealer}

    def outcome(self, state: GambitState) -> Outcome | None:
        return ending.outcome(state)

    def balance_key(self, event: Event) -> tuple[str, str] | None:
        """Return the kind and card of a Risk that turned a High card, or None for any other event."""
        return ("high-card", event.cards[0]) if event.kind == "high-card" and event.notable else None

    def label(self, move: Move) -> Sentence:
        if move.verb == "target":
            return Sentence("{s0}", (int(move.operands[0]),))
        if move.verb == "order":
            seat, order_word = move.operands
            return Sentence("{s0} must play the {v0} numbered card", (int(seat),), (), (order_word,))
        if move.verb == "discard" and len(move.operands) == 1:
            return Sentence("Discard the {c0}", (), move.operands)
        return Sentence(MOVE_LABELS[move.verb], (), move.operands)

    def heading(self, view: GambitView) -> tuple[Sentence, ...]:
        round_number, dealer = view.at.round, view.at.dealer
        rounds = (Sentence("round {v0} of 2", values=(round_number,)),) if round_number else ()
        dealers = () if dealer is None else (Sentence("dealer {s0}", (dealer,)),)
        return (*rounds, *dealers, Sentence("{v0} players", values=(view.seats,)))

    def aim(self, view: GambitView) -> Sentence:  # noqa: ARG002
        words = "At the end each player reveals a hand: three cards of the hand, the Fate and the Focus; the best wins."
        return Sentence(words)

    def key_facts(self, view: GambitView) -> Iterator[Sentence]:
        return key_facts(view)

    def table(self, view: GambitView) -> tuple[Zone, ...]:
        """Return the zones: the Focus, the Fates, the cards shown, the hands, and the piles."""
        return (*_center_zones(view), *_seat_zones(view), *_hand_zones(view), *_pile_zones(view))

    def standing(self, view: GambitView) -> tuple[Standing, ...]:
        """Return the standings: for the viewer the best hand that can still be revealed, for others nothing (PG-37)."""
        return tuple(_seat_standing(view, seat) for seat in range(view.seats))

    def facts(self, before: GambitView, after: GambitView, events: Sequence[Event]) -> Iterator[GameFact]:
        return step_facts(before, after, events)

    def secret_facts(self, view: GambitView, move: Move) -> Iterator[GameFact]:
        return choice_facts(view, move)

    def why_not(self, view: GambitView, card: str) -> Sentence | None:
        """Return why a marionette cannot play a card: it must play the one that it was ordered to (PG-28)."""
        forced = view.at.forced
        if view.prompt is None or forced is None or forced[0] != view.seat or "PG-28" not in view.prompt.rulings:
            return None
        words = "The {c0} makes you play your {v0} numbered card, and the {c1} is another."
        return Sentence(words, (), ("marionette", card), (forced[1],))

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return the table of the final hands, with their ranks if known; for a match, the places in every game."""
        if outcome.kind == "match":
            return (_match_table(outcome),)
        rows = [_final_hand_row(parts, rank) for parts, rank in zip(outcome.whole_scores, outcome.ranks, strict=True)]
        for seat in list_conceded_seats(outcome):
            rows[seat] = ("gave up", *rows[seat][1:])
        title = "Best Hands So Far" if outcome.kind == CONCEDED else "Final Hands"
        if any("cards" in parts for parts in outcome.whole_scores):
            return (Table.of_seats(title, ("Hand", "Ranks", "Place"), rows),)
        return (Table.of_seats(title, ("Hand", "Place"), ((hand, place) for hand, _, place in rows)),)


def _check_options(seats: int, options: Options) -> None:
    """Raise UsageError if there are too few cards for the players, or the option `dealer` names an empty seat."""
    if seats == ProphetsGambit.seats[1] and options["opening"] == "each-round-deal-7":
        hint = "Play with three or four, or with --set opening=once."
        raise UsageError("Seven cards each do not go round at five players (PG-1).", hint=hint)
    dealer = options["dealer"]
    if isinstance(dealer, int) and dealer >= seats:
        hint = f"The seats are 0 to {seats - 1}; or dealer=random."
        raise UsageError(f"There is no seat {dealer} to deal (PG-38).", hint=hint)


def _seat_standing(view: GambitView, seat: Seat) -> Standing:
    """Return the standing of a seat, as far as the viewer knows it.

    Its weight is the strength of the hand's category, plus a fraction for its first rank; 0 for other seats.
    """
    value, is_out = best_final_value(view) if seat == view.seat else None, seat in view.at.concessions.seats
    if value is None:
        return Standing(seat, weight=0.0, out=is_out)
    weight = value.strength + value.ranks[0] / (ABOVE_NINE + 1)
    return Standing(seat, None, Sentence("at best {v0}", values=(hand_text(value),)), weight, is_out)


def _center_zones(view: GambitView) -> Iterator[Zone]:
    at = view.at
    if at.turned is not None:
        yield Zone(Sentence("High card"), (at.turned,), kind="trick")
    if at.focus is not None:
        yield Zone(Sentence("Focus"), (at.focus,), kind="trick")
    for seat in _seats_own_first(view):
        fate = at.fates[seat]
        if fate is not None:
            yield masked_zone("Fate", (fate,), seat, "laid")


def _seat_zones(view: GambitView) -> Iterator[Zone]:
    at = view.at
    for seat, pile in enumerate(at.shown):
        if pile:
            yield Zone(Sentence("shown"), pile[-1:], owner=seat, by=True)
        if at.kept[seat]:
            yield Zone(Sentence("kept"), at.kept[seat], owner=seat, by=True)


def _hand_zones(view: GambitView) -> Iterator[Zone]:
    """Yield the hands, and of others how many cards are known of each."""
    for seat in _seats_own_first(view):
        zone = masked_zone("hand", view.at.hands[seat], seat, "hand")
        summary = Sentence("{v0} of {v1} known", values=(len(zone.cards), len(view.at.hands[seat])))
        yield replace(zone, short=summary) if zone.cards and zone.hidden else zone


def _pile_zones(view: GambitView) -> Iterator[Zone]:
    at = view.at
    yield Zone(Sentence("Common Deck"), hidden=len(at.common), kind="pile")
    yield discard_zone(at.discard)
    yield Zone(Sentence("High Deck"), hidden=len(at.high), kind="pile")
    if at.high_discard:
        yield Zone(Sentence("High cards set aside"), at.high_discard, kind="pile")


def _seats_own_first(view: GambitView) -> tuple[Seat, ...]:
    return (view.seat, *(seat for seat in range(view.seats) if seat != view.seat))


def _final_hand_row(parts: Mapping[str, int], rank: int) -> tuple[str, str, str]:
    """Return the category, ranks and place of a seat as texts, with a dash for an unknown category or ranks."""
    ranks = " ".join(rank_name(parts[f"rank.{place}"]) for place in range(1, parts.get("cards", 0) + 1))
    return CATEGORY_BY_NUMBER.get(parts.get("category", 0), "–"), ranks or "–", str(rank)


def _match_table(outcome: Outcome) -> Table:
    games = tuple(key.removesuffix(".place") for key in outcome.whole_scores[0] if key.endswith(".place"))
    rows = ((*(_match_cell(parts, game) for game in games), str(parts["score"])) for parts in outcome.whole_scores)
    return Table.of_seats("Games Won", (*(game.replace(".", " ").capitalize() for game in games), "Won"), rows)


def _match_cell(parts: Mapping[str, int], game: str) -> str:
    """Return as text the place in one game of a match, and the hand's category if it is known: `1, Pair`."""
    hand = CATEGORY_BY_NUMBER.get(parts.get(f"{game}.category", 0))
    return f"{parts[f'{game}.place']}{f', {hand}' if hand else ''}"


def make_position(setup: Arrangement, rules: GambitRules) -> GambitPosition:
    """Return a position at the setup's moment; in a round every seat still has its turn.

    Common cards that are given nowhere are in the Common Deck or, if that is given, in the discard pile.
    """
    cards, all_seats = rules.cards, range(rules.seats)
    common, dealer, moment = frozenset(cards.common), rules.options["dealer"], setup.at or FIRST
    hands = [setup.given_or_dealt_cards("hand", seat, HAND_SIZES[moment], common) for seat in all_seats]
    shown_cards = [setup.given_or_dealt_cards("shown", seat, moment != OPENING, common) for seat in all_seats]
    fates: list[str | None] = [setup.given_or_dealt_cards("fate", seat, 1, common)[0] for seat in all_seats]
    kept_cards = setup.cards_by_seat("kept")
    focus = setup.given_or_dealt_cards("focus", None, 1, common)[0]
    undealt_cards = setup.deal_rest(common)
    deck, discard = (setup.cards("common"), undealt_cards) if setup.names("common") else (undealt_cards, ())
    return GambitPosition(
        common=Pile(deck),
        high=Pile(tuple(card for card in cards.high if not any(card in kept_by_seat for kept_by_seat in kept_cards))),
        hands=[tuple(sorted(hand, key=cards.place.__getitem__)) for hand in hands],
        fates=fates,
        shown=shown_cards,
        kept=kept_cards,
        known=[frozenset() for _ in all_seats],
        dealer=dealer if isinstance(dealer, int) else 0,
        round=1 if moment in (OPENING, FIRST) else 2,
        focus=focus,
        discard=(*discard, *setup.cards("discard")),
        waiting=() if moment in (EXECUTION, REVEAL) else tuple(all_seats),
    )


def _make_state(setup: Arrangement) -> GambitState:
    """Return the state at the setup's moment.

    A round begins with the Fate privilege, or if the setup has a turn, with that seat and those after it.
    """
    rules = make_rules(setup.seats, setup.options, setup.people, setup.deck)
    at, moment = make_position(setup, rules), setup.at or FIRST
    ending_tasks: list[GambitTask] = [Reveal(), Execution()]
    if moment in (EXECUTION, REVEAL):
        return GambitState(rules, at, ending_tasks[: 2 - (moment == REVEAL)])
    later_tasks = [*ending_tasks, *([GambitRound(2)] if at.round == 1 else [])]
    if setup.turn is None:
        first_tasks = [GambitRound(1)] if moment == OPENING else [Turns(), BeginRound()]
        return GambitState(rules, at, [*later_tasks, *first_tasks])
    seats_in_order = rules.clockwise(find_leader(GambitState(rules, at, [])))
    at.waiting = seats_in_order[seats_in_order.index(setup.turn) :]
    return GambitState(rules, at, [*later_tasks, Turns()])


ARRANGER = Arranger(("hand", "shown", "fate", "kept"), ("focus", "common", "discard"), tuple(HAND_SIZES), _make_state)
