"""The game of Dragon Citadel: how it begins, what moves and zones are called, and the score tables."""

from collections.abc import Iterator, Mapping

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.base import SEATS, Game
from vaultkit.games.dragon_citadel import INFO, ending, scoring
from vaultkit.games.dragon_citadel.dealer import first_tasks
from vaultkit.games.dragon_citadel.number import RANK_OF, RANK_SPOKEN, crown_bidder
from vaultkit.games.dragon_citadel.rules import OF_OPTIONS, OPTIONS, make_rules
from vaultkit.games.dragon_citadel.state import CitadelPosition, CitadelState, CitadelView
from vaultkit.games.options import Options
from vaultkit.games.turn import HIDDEN, Move, Pile, Rng
from vaultkit.games.words import Outcome, Seat, Sentence, Standing, Table, Zone
from vaultkit.wording import counted

LABELS = {
    "play": "Play the {c0}",
    "bid": "Bid the {c0}",
    "throw": "Throw the {c0}",
    "show": "Show the {c0}",
    "crown": "Spend the open {c0}",
    "pass": "Pass",
    "joker": "Play the joker: the game ends at once",
    "draw": "{cards}",
}


class DragonCitadel(Game[CitadelState, CitadelView]):
    """Rulings DC-1 to DC-39."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = OF_OPTIONS
    endings = ending.ENDINGS
    shared_endings = frozenset({"party", "dealer"})

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> CitadelState:
        fewest, most = self.seats_under(options)
        if not fewest <= seats <= most:
            hint = "Two may play with --set min_players=2." if seats == 2 else SEATS
            raise UsageError(f"Dragon Citadel is for {fewest} to {most} players, not {seats} (DC-3).", hint=hint)
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
        """Hidden hands, the dealer's hand and the deck are dealt at random."""
        at, seen = view.at.copy(), view.seen
        unseen = sorted(card for card in view.rules.cards.ids if card not in seen)
        rng.shuffle(unseen)
        promised = _promised_crowns(view, unseen)
        at.dealer_hand = _dealer_hand(view, unseen)
        for seat, hand in enumerate(view.at.hands):
            held = (*(card for card in hand if card != HIDDEN), *promised.get(seat, ()))
            missing = len(hand) - len(held)
            at.hands[seat] = (*held, *unseen[:missing])
            del unseen[:missing]
        at.deck = Pile(tuple(sorted(unseen)), at.deck.bottom)
        return CitadelState.from_view(view, at, rng)

    def outcome(self, state: CitadelState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        if move.verb == "bid" and move.operands[0] in RANK_OF:
            return Sentence("Bid {v0}", values=(RANK_SPOKEN[RANK_OF[move.operands[0]]],))
        if move.verb == "forfeit":
            return Sentence("{s0} forfeits", (int(move.operands[0]),))
        return Sentence(LABELS[move.verb], (), move.operands)

    def heading(self, view: CitadelView) -> tuple[Sentence, ...]:
        rounds = (Sentence("round {v0}", values=(len(view.at.rounds),)),) if view.at.rounds else ()
        return (*rounds, Sentence("together" if view.rules.coop else "rivals"))

    def table(self, view: CitadelView) -> tuple[Zone, ...]:
        """The dealer's card, hands, what lies open and what was won, and the piles."""
        return (*_middle(view), *_hands(view), *_in_front(view), *_piles(view))

    def standing(self, view: CitadelView) -> tuple[Standing, ...]:
        """The worth of what each seat has won, as the individual champion is found (DC-32)."""
        return tuple(_standing(view, seat) for seat in range(view.seats))

    def why_not(self, view: CitadelView, card: str) -> Sentence | None:
        """It does not answer the dealer's card (DC-7, DC-18, DC-22), or is too low by `must_win`."""
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
        """The party's score sheet, and the reward rolls that it earns (DC-33 to DC-36)."""
        columns = (*map(str.capitalize, scoring.SUITS), "Crowns")
        sheet = Table.of_seats("Score Sheet", (*columns, "Total"), map(_row, outcome.whole_scores))
        return sheet, Table.of_seats("Reward Rolls", columns, map(_rolls, outcome.whole_scores))


def _dealer_hand(view: CitadelView, unseen: list[str]) -> tuple[str, ...]:
    """Taken from `unseen`; never with the joker, which the dealer does not keep (DC-2)."""
    fit = [card for card in unseen if card != view.rules.cards.joker]
    hand = tuple(fit[: len(view.at.dealer_hand)])
    for card in hand:
        unseen.remove(card)
    return hand


def _promised_crowns(view: CitadelView, unseen: list[str]) -> dict[Seat, tuple[str, ...]]:
    """A Crown from `unseen` for a seat that has bid one at auction and shown none (DC-28)."""
    cards = view.rules.cards
    for task in view.pending:
        seat = crown_bidder(task)
        if seat is not None and not any(cards.is_crown(card) for card in view.at.hands[seat] if card != HIDDEN):
            crown = next(card for card in unseen if cards.is_crown(card))
            unseen.remove(crown)
            return {seat: (crown,)}
    return {}


def _standing(view: CitadelView, seat: Seat) -> Standing:
    at = view.at
    parts = scoring.sheet(at.won[seat], len(at.crowns[seat]), view.rules.cards)
    return Standing(seat, scoring.champion(parts, view.rules.options), out=seat not in at.active)


def _middle(view: CitadelView) -> Iterator[Zone]:
    at = view.at
    if at.dealer_card is not None:
        yield Zone(Sentence("Dealer's card"), (at.dealer_card,), kind="trick")
    for words, laid in (("Played by {seats}", at.played), ("Spent for {seats}", at.covered)):
        if laid:
            seats = tuple(dict.fromkeys(seat for seat, _ in laid))
            yield Zone(Sentence(words, seats), tuple(card for _, card in laid), kind="trick")


def _hands(view: CitadelView) -> Iterator[Zone]:
    """One's own first; in co-op it is one of the party's."""
    at = view.at
    for seat in sorted(at.active, key=lambda seat: seat != view.seat):
        known = _in_order(view, at.hands[seat])
        yield Zone(Sentence("hand"), known, len(at.hands[seat]) - len(known), seat, "hand")


def _in_order(view: CitadelView, hand: tuple[str, ...]) -> tuple[str, ...]:
    """The known cards of a hand as people hold it: by suit, then from low to high, Crowns last."""
    cards = view.rules.cards
    place = {suit: number for number, suit in enumerate(dict.fromkeys(cards.suit.values()))}
    known, last = (card for card in hand if card != HIDDEN), len(place)
    return tuple(
        sorted(known, key=lambda card: (place.get(cards.suit.get(card, ""), last), cards.strength[card], card))
    )


def _in_front(view: CitadelView) -> Iterator[Zone]:
    for seat, crowns in enumerate(view.at.crowns):
        if crowns:
            yield Zone(Sentence("Crowns"), crowns, owner=seat)
    for seat, won in enumerate(view.at.won):
        if won:
            short = Sentence("{v0}", values=(_sums(view, won),))
            yield Zone(Sentence("won"), owner=seat, kind="won", short=short, by=True)


def _sums(view: CitadelView, won: tuple[str, ...]) -> str:
    """Won cards as the score sheet counts them: `Swords 13, Stars 9 + 1 hero (4 cards)`."""
    parts = scoring.sheet(won, 0, view.rules.cards)
    sums = (
        f"{suit.capitalize()} {_cell(parts, suit)}"
        for suit in scoring.SUITS
        if parts[f"{suit}.total"] or parts[f"{suit}.heroes"]
    )
    return f"{', '.join(sums)} ({counted(len(won), 'card')})"


def _piles(view: CitadelView) -> Iterator[Zone]:
    at = view.at
    if view.rules.dealer_has_hand:
        yield Zone(Sentence("Dealer's hand"), hidden=len(at.dealer_hand), kind="pile")
    yield Zone(Sentence("Deck"), hidden=len(at.deck), kind="pile")
    yield Zone(Sentence("Discard ({v0})", values=(len(at.discard),)), at.discard[-1:], kind="pile")


def _row(parts: Mapping[str, int]) -> tuple[str, ...]:
    cells = (_cell(parts, suit) for suit in scoring.SUITS)
    return (*cells, str(parts["crowns.count"]), str(parts["total"]))


def _cell(parts: Mapping[str, int], suit: str) -> str:
    """A suit's total and heroes: `13`, `9 + 1 hero`."""
    total, heroes = parts[f"{suit}.total"], parts[f"{suit}.heroes"]
    if not heroes:
        return str(total)
    return f"{total} + 1 hero" if heroes == 1 else f"{total} + {heroes} heroes"


def _rolls(parts: Mapping[str, int]) -> Iterator[str]:
    earned = (scoring.RewardRolls(parts[f"{row}.rolls"], parts[f"{row}.row"]) for row in (*scoring.SUITS, "crowns"))
    return map(str, earned)
