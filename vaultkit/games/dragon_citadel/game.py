"""The game Dragon Citadel: new games, labels of moves, zones, score tables, and positions for examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.dragon_citadel import INFO, ending, facts, open_hands, rules
from vaultkit.games.dragon_citadel.dealer import NextRound, first_tasks
from vaultkit.games.dragon_citadel.number_round import RANK_BY_WORD, SPOKEN_RANKS, crown_bidder
from vaultkit.games.dragon_citadel.rules import HEADING_OPTIONS, OPTIONS, make_rules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState, CitadelView, choose_cards, excluded_cards
from vaultkit.games.facts import GameFact
from vaultkit.games.game import SEATS_HINT, Game
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone, discard_zone
from vaultkit.games.options import Options
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import HIDDEN, Move, Pile, Rng, draw_move
from vaultkit.text import group

MOVE_LABELS = {
    "play": "Play the {c0}",
    "bid": "Bid the {c0}",
    "throw": "Throw the {c0}",
    "show": "Show the {c0}",
    "crown": "Spend the open {c0}",
    "pass": "Pass",
    "joker": "Play the joker: the game ends at once",
    "draw": "{cards}",
}


HAND_SIZE = 5


class DragonCitadel(Game[CitadelState, CitadelView]):
    """The game Dragon Citadel (rulings DC-1 to DC-40)."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = HEADING_OPTIONS
    endings = ending.ENDINGS
    shared_endings = frozenset({"party", "dealer"})
    sampled_positions = 1  # only the results of secret choices depend on hidden cards (G-3)

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> CitadelState:
        min_players, max_players = self.seats_under(options)
        if not min_players <= seats <= max_players:
            hint = "Two may play with --set min_players=2." if seats == 2 else SEATS_HINT
            raise UsageError(
                f"Dragon Citadel is for {min_players} to {max_players} players, not {seats} (DC-3).", hint=hint
            )
        rules = make_rules(seats, options, people, deck)
        position = CitadelPosition(Pile(rules.cards.ids), [()] * seats, [()] * seats, [()] * seats, tuple(range(seats)))
        return CitadelState(rules, position, first_tasks(seats, rules.dealer_has_hand))

    def seats_under(self, options: Options) -> tuple[int, int]:
        return int(options["min_players"]), self.seats[1]

    def check_gm(self, options: Options) -> None:
        if options["dealer"] != "hand-of-5":
            reason = "the dealer turns the top card, and a GM has nothing to choose (DC-2)"
            hint = "Give the dealer five cards to choose from: --set dealer=hand-of-5"
            raise UsageError(f"In this game of {self.title} {reason}.", hint=hint)

    def check_match(self, options: Options) -> None:
        if options["mode"] == "coop":
            reason = "the party wins or loses as one, so nobody can win more games than another"
            hint = "Play against each other: --set mode=competitive"
            raise UsageError(f"There is no match of co-op {self.title}: {reason}.", hint=hint)

    def determinize(self, view: CitadelView, rng: Rng) -> CitadelState:
        """Return a state in which hidden hands, the dealer's hand and the deck are dealt at random.

        Nobody gets a card that their passes have shown them not to hold (DC-40).
        """
        at, visible_cards = view.at.copy(), view.seen
        unseen_cards = sorted(card for card in view.rules.cards.ids if card not in visible_cards)
        rng.shuffle(unseen_cards)
        constraints = tuple(_constrained_cards(view))
        chosen_cards = choose_cards([excluded for _, excluded in constraints], unseen_cards)
        assigned_cards = group(zip((owner for owner, _ in constraints), chosen_cards, strict=True))
        unseen_cards = [card for card in unseen_cards if card not in chosen_cards]
        at.dealer_hand = tuple(assigned_cards.get(None, ()))
        for seat, hand in enumerate(view.at.hands):
            known_hand = (*(card for card in hand if card != HIDDEN), *assigned_cards.get(seat, ()))
            missing_count = len(hand) - len(known_hand)
            at.hands[seat] = (*known_hand, *unseen_cards[:missing_count])
            del unseen_cards[:missing_count]
        at.deck = Pile(tuple(sorted(unseen_cards)), at.deck.bottom)
        return CitadelState.from_view(view, at, rng)

    def outcome(self, state: CitadelState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        if move.verb == "bid" and move.operands[0] in RANK_BY_WORD:
            return Sentence("Bid {v0}", values=(SPOKEN_RANKS[RANK_BY_WORD[move.operands[0]]],))
        if move.verb == "forfeit":
            return Sentence("{s0} forfeits", (int(move.operands[0]),))
        return Sentence(MOVE_LABELS[move.verb], (), move.operands)

    def aim(self, view: CitadelView) -> Sentence:
        return facts.aim(view.rules)

    def key_facts(self, view: CitadelView) -> Iterator[Sentence]:
        return facts.key_facts(view)

    def heading(self, view: CitadelView) -> tuple[Sentence, ...]:
        rounds = (Sentence("round {v0}", values=(len(view.at.rounds),)),) if view.at.rounds else ()
        return (*rounds, Sentence("together" if view.rules.coop else "rivals"))

    def table(self, view: CitadelView) -> tuple[Zone, ...]:
        """Return the dealer's card, the hands, open Crowns, won cards, and the piles."""
        return (*_trick_zones(view), *_hand_zones(view), *_seat_zones(view), *_pile_zones(view))

    def standing(self, view: CitadelView) -> tuple[Standing, ...]:
        """Return the standings: the score of each seat so far, computed as for the champion (DC-32)."""
        return tuple(_seat_standing(view, seat) for seat in range(view.seats))

    def facts(self, before: CitadelView, after: CitadelView, events: Sequence[Event]) -> Iterator[GameFact]:
        """Yield the facts of a step that follow from the open cards and from its events."""
        yield from facts.transition_facts(before, after, events)

    def secret_facts(self, view: CitadelView, move: Move) -> Iterator[GameFact]:
        """Yield what a bid or an answer means, and what a pass or a low card risks."""
        yield from facts.secret_facts(view, move)
        yield from facts.risk_facts(view, move)

    def offer_facts(
        self, before: CitadelView, after: CitadelView, events: Sequence[Event], move: Move
    ) -> Iterator[GameFact]:
        """Yield what a move changes at once, and what it risks by the rules."""
        changes = tuple(facts.offer_facts(before, after, events))
        forfeiting_seats = {fact.seat for fact in changes if fact.kind == "out"}
        yield from changes
        yield from (risk for risk in facts.risk_facts(before, move) if risk.seat not in forfeiting_seats)

    def gm_facts(self, view: CitadelView, card: str) -> Iterator[GameFact]:
        return open_hands.dealer_card_facts(view, card)

    def why_not(self, view: CitadelView, card: str) -> Sentence | None:
        """Return why a card cannot be played now: it does not answer the dealer's card, or not high enough.

        The rulings are DC-7, DC-18 and DC-22, and the option is `must_win`.
        """
        dealt, cards = view.at.dealer_card, view.rules.cards
        if dealt is None or card == cards.joker:
            return None
        if card in cards.answers[dealt]:
            words = "The {c0} does not beat the {c1}, and you must win if you can."
            return Sentence(words, (), (card, dealt)) if view.rules.must_win else None
        if cards.is_crown(dealt):
            return Sentence("The {c0} is a number; a Crown is paid for with a hero or a Crown.", (), (card,))
        return Sentence("The {c0} is of {v0}; the {c1} asks for {v1} or a Crown.", (), (card, dealt),
                        (cards.suit[card], cards.suit[dealt]))  # fmt: skip

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return the score sheet, and the reward rolls that it earns (DC-33 to DC-36)."""
        columns = (*map(str.capitalize, rules.SUITS), "Crowns")
        sheet = Table.of_seats("Score Sheet", (*columns, "Total"), map(_sheet_row, outcome.whole_scores))
        sheet = replace(sheet, spoken_columns=("Player", *columns[:-1], "Crowns (count)", "Total"))
        return sheet, Table.of_seats("Reward Rolls", columns, map(_reward_cells, outcome.whole_scores))


def _constrained_cards(view: CitadelView) -> Iterator[tuple[Seat | None, frozenset[str]]]:
    """Yield the owner of each hidden card of which something is known, and the cards that it cannot be.

    The owner is None for the dealer's cards.

    The dealer does not keep the joker (DC-2); a seat that leads an auction with a Crown holds one (DC-28).
    """
    at, cards = view.at, view.rules.cards
    bidders = {seat for task in view.pending if (seat := crown_bidder(task)) is not None}
    for seat in sorted({*bidders, *(lack.seat for lack in at.lacks)} - {view.seat}):
        known_cards = [card for card in at.hands[seat] if card != HIDDEN]
        excluded = excluded_cards(at.lacks, seat, known_cards, at.hands[seat].count(HIDDEN))
        if seat in bidders and not any(map(cards.is_crown, known_cards)):
            excluded[-1] |= frozenset(card for card in cards.ids if not cards.is_crown(card))
        yield from ((seat, cannot_be) for cannot_be in excluded)
    for _ in at.dealer_hand:
        yield None, frozenset({cards.joker})


def _seat_standing(view: CitadelView, seat: Seat) -> Standing:
    """Return the score of a seat, and whether it can answer the dealer's card, as far as the viewer knows."""
    can_answer = _can_answer(view, seat)
    words = None if can_answer is None else Sentence("can answer" if can_answer else "cannot answer")
    return Standing(seat, facts.current_score(view, seat), words, out=seat not in view.at.active)


def _can_answer(view: CitadelView, seat: Seat) -> bool | None:
    """Return whether a seat holds an answer to the dealer's card; None if that is unknown or does not matter now."""
    at = view.at
    if at.dealer_card is None or seat not in at.active or seat in dict((*at.played, *at.covered)):
        return None
    answers, hand = view.rules.cards.answers[at.dealer_card], at.hands[seat]
    known_cards = [card for card in hand if card != HIDDEN]
    if not answers.isdisjoint(known_cards) or seat in map(crown_bidder, view.pending):
        return True
    excluded = excluded_cards(at.lacks, seat, known_cards, hand.count(HIDDEN))
    return False if all(answers.issubset(cards) for cards in excluded) else None


def _trick_zones(view: CitadelView) -> Iterator[Zone]:
    at = view.at
    if at.dealer_card is not None:
        yield Zone(Sentence("Dealer's card"), (at.dealer_card,), kind="trick")
    for words, pairs in (("Played by {seats}", at.played), ("Spent for {seats}", at.covered)):
        if pairs:
            seats = tuple(dict.fromkeys(seat for seat, _ in pairs))
            players, cards = zip(*pairs, strict=True)
            yield Zone(Sentence(words, seats), cards, kind="trick", players=players)


def _hand_zones(view: CitadelView) -> Iterator[Zone]:
    """Yield the hands, the viewer's own first."""
    at = view.at
    for seat in sorted(at.active, key=lambda seat: seat != view.seat):
        known_cards = _sort_hand(view, at.hands[seat])
        yield Zone(Sentence("hand"), known_cards, len(at.hands[seat]) - len(known_cards), seat, "hand")


def _sort_hand(view: CitadelView, hand: tuple[str, ...]) -> tuple[str, ...]:
    """Return the known cards of a hand as people hold it: by suit, then from low to high, Crowns last."""
    cards = view.rules.cards
    suit_order = {suit: index for index, suit in enumerate(dict.fromkeys(cards.suit.values()))}
    known_cards, last = (card for card in hand if card != HIDDEN), len(suit_order)
    places = {card: suit_order.get(cards.suit.get(card, ""), last) for card in known_cards}
    return tuple(sorted(places, key=lambda card: (places[card], cards.strength[card], card)))


def _seat_zones(view: CitadelView) -> Iterator[Zone]:
    for seat, crowns in enumerate(view.at.crowns):
        if crowns:
            yield Zone(Sentence("Crowns"), crowns, owner=seat)
    for seat, won_cards in enumerate(view.at.won):
        if won_cards:
            short = Sentence("{v0}", values=(_won_cards_text(view, won_cards),))
            yield Zone(Sentence("won"), owner=seat, kind="won", short=short, by=True)


def _won_cards_text(view: CitadelView, won: tuple[str, ...]) -> str:
    """Return won cards as the score sheet counts them: `Swords 13, Stars 9 + 1 hero`."""
    parts = rules.count_parts(won, 0, view.rules.cards)
    suits = (suit for suit in rules.SUITS if parts[f"{suit}.total"] or parts[f"{suit}.heroes"])
    suit_texts = (f"{suit.capitalize()} {_suit_cell(parts, suit)}" for suit in suits)
    return ", ".join(suit_texts)


def _pile_zones(view: CitadelView) -> Iterator[Zone]:
    at = view.at
    if view.rules.dealer_has_hand:
        yield Zone(Sentence("Dealer's hand"), hidden=len(at.dealer_hand), kind="pile")
    yield Zone(Sentence("Deck"), hidden=len(at.deck), kind="pile")
    yield discard_zone(at.discard)


def _sheet_row(parts: Mapping[str, int]) -> tuple[str, ...]:
    cells = (_suit_cell(parts, suit) for suit in rules.SUITS)
    return (*cells, str(parts["crowns.count"]), str(parts["total"]))


def _suit_cell(parts: Mapping[str, int], suit: str) -> str:
    """Return a suit's total and heroes as text: `13`, `9 + 1 hero`."""
    total, heroes = parts[f"{suit}.total"], parts[f"{suit}.heroes"]
    if not heroes:
        return str(total)
    return f"{total} + 1 hero" if heroes == 1 else f"{total} + {heroes} heroes"


def _reward_cells(parts: Mapping[str, int]) -> Iterator[str]:
    reward_rolls = (rules.RewardRolls(parts[f"{row}.rolls"], parts[f"{row}.row"]) for row in (*rules.SUITS, "crowns"))
    return map(str, reward_rolls)


def make_round(
    arrangement: Arrangement, forfeited_seats: tuple[int, ...] = (), bottom_cards: tuple[str, ...] = ()
) -> CitadelState:
    """Return the state in which the dealer has just turned the given card of a round, or turns one next.

    The seats in `forfeited_seats` are out. Cards that are given nowhere are in the deck or, if the deck is given, in
    the discard pile. `bottom_cards` are the known cards under the deck.
    """
    seats = range(arrangement.seats)
    sizes = [0 if seat in forfeited_seats else HAND_SIZE for seat in seats]
    hands = [arrangement.given_or_dealt_cards("hand", seat, sizes[seat]) for seat in seats]
    dealer_hand = arrangement.cards("dealer hand")
    dealer_cards = arrangement.cards("dealer")
    undealt_cards = arrangement.deal_rest()
    deck, discard = (arrangement.cards("deck"), undealt_cards) if arrangement.names("deck") else (undealt_cards, ())
    position = CitadelPosition(
        deck=Pile((*(() if dealer_hand else dealer_cards), *deck), bottom_cards),
        hands=hands,
        crowns=arrangement.cards_by_seat("crowns"),
        won=arrangement.cards_by_seat("won"),
        active=tuple(seat for seat in seats if seat not in forfeited_seats),
        discard=discard,
        dealer_hand=dealer_hand,
    )
    citadel_rules = make_rules(arrangement.seats, arrangement.options, arrangement.people, arrangement.deck)
    state = CitadelState(citadel_rules, position, [NextRound()])
    if dealer_cards:
        state.apply(draw_move(*dealer_cards))
    return state


ARRANGER = Arranger(("hand", "crowns", "won"), ("dealer", "dealer hand", "deck"), (), make_round)
