"""The ledger of Dragon Citadel: an entry for each round, with the dealer's card and who took it, or who forfeited."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

from vaultkit.games.dragon_citadel.dealer import begin_round, end_by_deck, share_won_cards
from vaultkit.games.dragon_citadel.forfeit import forfeit
from vaultkit.games.dragon_citadel.number_round import answer_dealer, buy_off
from vaultkit.games.dragon_citadel.open_crowns import party_may_spend, save_with_crown
from vaultkit.games.dragon_citadel.rules import COUNTED_PARTS, CROWN, HAND_SIZE, HERO, NUMBER
from vaultkit.games.dragon_citadel.state import CitadelState
from vaultkit.games.ledger import (
    EntryQuestion,
    Ledger,
    LedgerLine,
    group_by_seat,
    list_seats,
    refuse,
    seats_without_value,
)
from vaultkit.games.messages import Event, Score, Seat, Sentence
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.text import group

OUT, LOST, OVER = "out", "lost", "over"
FORFEIT_CAUSES = {"number": "thrown", "hero": "hero", "crown": "crown"}
"""The cause that a ledger records for a forfeit, by the kind of round."""


@dataclass
class _Round:
    """A round as it was typed.

    `laid` has hand cards with the seats that put them down, `spent` open Crowns with the seats that they saved, and
    `out` the seats that forfeit. `lost` says that nobody took the dealer's card.
    """

    dealt: str
    laid: list[tuple[Seat, str]] = field(default_factory=list)
    spent: list[tuple[str, Seat]] = field(default_factory=list)
    out: list[Seat] = field(default_factory=list)
    lost: bool = False

    @property
    def named_seats(self) -> set[Seat]:
        """The seats that the entry says anything about."""
        return {*(seat for seat, _ in self.laid), *(seat for _, seat in self.spent), *self.out}


class CitadelLedger(Ledger):
    """The ledger of Dragon Citadel, one round at a time.

    An entry names the card that took a number, all cards that answered a hero, and no hand cards paid for a Crown.
    """

    words: ClassVar[Mapping[str, str]] = {OUT: "forfeits", LOST: "nobody took it", OVER: "the deck is empty"}
    unnoted = "the cards paid, thrown and drawn"

    def begin(self) -> None:
        hands = self.seats + self.state.rules.dealer_has_hand
        self._most_left = len(self.state.at.deck) - HAND_SIZE * hands
        """The most cards that the deck can still hold; it may hold fewer, as rounds without result may be left out."""

    @property
    def question(self) -> EntryQuestion:
        words = "Round {v0}: the dealer's card, then who took it with what, or who is out."
        sentence = Sentence(words, values=(len(self.state.at.rounds) + 1,))
        return EntryQuestion(sentence, NUMBER, ("DC-8", "DC-16", "DC-22"))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        return (
            ("6sw {s0} 7sw", "{s0} takes the 6 of Swords with the 7. For a hero: each player with a card"),
            ("6sw lost", "nobody takes it. 6sw mists: by the open Mists nobody is out"),
            ("6sw {s1} out", "{s1} forfeits"),
            ("ghost mists", "all have paid for the Crown, one by the open Mists; what hands paid, leave out"),
            ("over", "the deck is empty. {s0} seer: the Seer ends it"),
        )

    def possible_cards(self, entry: LedgerLine) -> Collection[str]:
        """Return the cards that may come next.

        The dealer's card may be any card whose place is unknown; after it come cards that answer it, and the open
        Crowns.
        """
        unplaced_cards = set(self.cards.ids).difference(self._places_by_card())
        dealt = next(iter(entry), "")
        if dealt not in self.cards.answers:
            return unplaced_cards
        crowns = {card for crowns in self.state.at.crowns for card in crowns}
        return {*(unplaced_cards & self.cards.answers[dealt]), *crowns, self.cards.joker}

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        if entry == (OVER,):
            return self.carry_out(end_by_deck)
        dealt = entry[0] if entry[0] in self.cards.answers else ""
        self._check_unplaced(dealt)
        pairs = group_by_seat(entry[bool(dealt) :])
        for seat in (seat for seat, token in pairs if token == self.cards.joker):
            if len(pairs) > 1:
                refuse("The {c0} ends the game at once: type nothing else of this round.", cards=(self.cards.joker,))
            return self._play_joker(dealt, seat)
        if not dealt:
            refuse("A line begins with the dealer's card.")
        if self._most_left <= 0:
            refuse("The deck is empty. Type over.", rulings="DC-5")
        for seat in seats_without_value(entry):
            refuse("What did {s0} do? Type a card after the name, or out.", seat)
        for seat in _seats_before_lost(entry):
            refuse("Is {s0} out? Then type out after the name. Type lost alone if nobody took the card.", seat)
        begin_events, active_count = self.carry_out(lambda state: begin_round(state, dealt)), len(self.state.at.active)
        played_round = self._fill_round(_Round(dealt), entry, pairs)
        self._check_seats(played_round)
        settle_by_kind = {"number": self._settle_number, "hero": self._settle_hero, "crown": self._settle_crown}
        settle_round = settle_by_kind[self.cards.round_of(dealt)]
        events = begin_events + self.carry_out(lambda state: settle_round(state, played_round))
        self._most_left -= 1 + self._min_drawn(played_round, active_count)
        return events

    def tally(self) -> Tally:
        summands_by_seat: list[dict[str, tuple[Score, ...]]] = []
        for won in self.state.at.won:
            pairs = ((f"{self.cards.suit[card].lower()}.total", self.cards.strength[card]) for card in won
                     if not self.cards.is_hero(card))  # fmt: skip
            summands_by_seat.append({key: tuple(strengths) for key, strengths in group(pairs).items()})
        outcome = self.outcome()
        seats = (
            SeatTally(
                {**{key: parts[key] for key in COUNTED_PARTS}, "forfeited": "no" if parts["survived"] else "yes"},
                summands,
            )
            for parts, summands in zip(outcome.scores, summands_by_seat, strict=True)
        )
        return Tally(self.options, tuple(seats), {"outcome": outcome.kind})

    def _play_joker(self, dealt: str, seat: Seat | None) -> tuple[Event, ...]:
        if seat is None:
            words = "Who played the {c0}? Type the name before it; one that the dealer turns is not noted."
            refuse(words, cards=(self.cards.joker,), rulings="DC-25, DC-26")
        self._check_active(seat)
        begin_events = self.carry_out(lambda state: begin_round(state, dealt)) if dealt else ()
        self.state.at.hands[seat] = (self.cards.joker,)
        return begin_events + self.carry_out(lambda state: state.play_joker())

    def _fill_round(self, played_round: _Round, entry: LedgerLine, pairs: list[tuple[Seat | None, str]]) -> _Round:
        for named_seat in list_seats(entry):
            self._check_active(named_seat)
        for seat, token in pairs:
            self._add_token(played_round, seat, token)
        if len(played_round.out) > 1:
            refuse("At most one forfeits in a round.", rulings="DC-20")
        counts = Counter(seat for seat, _ in played_round.laid)
        repeated_seats = [seat for seat, count in counts.items() if count > 1]
        if repeated_seats:
            refuse("{s0} has put down two cards, and one is allowed.", *repeated_seats[:1], rulings="DC-7, DC-18")
        return played_round

    def _add_token(self, played_round: _Round, seat: Seat | None, token: str) -> None:
        """Add a word or card of an entry to the round; `seat` is the last seat named before it, None for none."""
        crown_owners = self._crown_owners()
        if token == LOST:
            played_round.lost = True
        elif token in crown_owners:
            played_round.spent.append((token, crown_owners[token] if seat is None else seat))
            self._check_crown(played_round, token, crown_owners[token])
        elif seat is None:
            refuse("Who? Type the name before it.")
        elif token == OUT:
            played_round.out.append(seat)
        elif token in self.cards.strength:
            self._check_answer(played_round, token)
            played_round.laid.append((seat, token))
        else:
            refuse("That is for the end of the game: type it alone.")

    def _check_seats(self, played_round: _Round) -> None:
        """Raise EntryRefused if the entry says contradictory things about a seat, or a Crown saves the wrong one.

        The rulings are DC-19 to DC-22.
        """
        card_by_seat, owners = dict(played_round.laid), self._crown_owners()
        for seat in played_round.out:
            if seat in card_by_seat:
                saved_cards = (card_by_seat[seat],)
                refuse("{s0} has put down the {c0}, and so is not out.", seat, cards=saved_cards, rulings="DC-20")
            for crown, saved in played_round.spent:
                if saved == seat:
                    refuse("The {c0} has saved {s0}, so {s0} is not out.", seat, cards=(crown,), rulings="DC-20")
        kind = self.cards.round_of(played_round.dealt)
        for index, (crown, seat) in enumerate(played_round.spent):
            owner = owners[crown]
            if seat != owner and (kind == "number" or (kind == "hero" and not self.state.rules.coop)):
                words = "The {c0} lies open before {s0}, and can save nobody else."
                refuse(words, owner, cards=(crown,), rulings="DC-19")
            is_saved_twice = seat in (saved_seat for _, saved_seat in played_round.spent[:index])
            if kind != "number" and (is_saved_twice or seat in card_by_seat or seat not in self.state.at.active):
                refuse("Whom did the {c0} save? Type that name before it.", cards=(crown,), rulings="DC-19, DC-22")

    def _check_enough_answers(self, played_round: _Round) -> None:
        """Raise EntryRefused if fewer fitting cards are left than seats that must have answered without being named."""
        unnamed_seats = sorted(set(self.state.at.active) - played_round.named_seats)
        placed_cards = self._places_by_card().keys() | {played_round.dealt, *(card for _, card in played_round.laid)}
        if not played_round.out and len(unnamed_seats) > len(self.cards.answers[played_round.dealt] - placed_cards):
            words = "Too few cards that answer the {c0} are left for {seats}. Who is out?"
            refuse(words, *unnamed_seats, cards=(played_round.dealt,), rulings="DC-18, DC-22")

    def _min_drawn(self, played_round: _Round, active_count: int) -> int:
        """Return the fewest cards drawn after a round with `active_count` seats (DC-4, DC-11)."""
        if self.cards.round_of(played_round.dealt) == "number":
            return active_count - 1 if played_round.out else int(not played_round.spent)
        has_all_paid = self.cards.is_crown(played_round.dealt) and not played_round.out
        return active_count - len(played_round.spent) if has_all_paid else len(played_round.laid)

    def _crown_owners(self) -> dict[str, Seat]:
        return {card: seat for seat, crowns in enumerate(self.state.at.crowns) for card in crowns}

    def _check_active(self, seat: Seat) -> None:
        if seat not in self.state.at.active:
            refuse("{s0} has forfeited already.", seat, rulings="DC-30")

    def _check_unplaced(self, card: str) -> None:
        """Raise EntryRefused for a card that is known to lie elsewhere."""
        if place := self._places_by_card().get(card):
            refuse(place.words, *place.seats, cards=(card,))

    def _check_crown(self, played_round: _Round, card: str, owner: Seat) -> None:
        if [spent for spent, _ in played_round.spent].count(card) > 1:
            refuse("The {c0} is named twice.", cards=(card,))
        coop = self.state.rules.coop
        if owner not in (party_may_spend(self.state) if coop else self.state.at.active):
            refuse("The {c0} belongs to {s0}, who has forfeited.", owner, cards=(card,), rulings="DC-30")
        if self.cards.round_of(played_round.dealt) == "hero" and self.state.rules.has_option("hero_open_crown", "no"):
            refuse("No open Crown saves anybody from a hero.", rulings="DC-19")

    def _check_answer(self, played_round: _Round, card: str) -> None:
        if card in (played_round.dealt, *(laid_card for _, laid_card in played_round.laid)):
            refuse("The {c0} is named twice.", cards=(card,))
        self._check_unplaced(card)
        if card not in self.cards.answers[played_round.dealt]:
            demand = f"it asks for {self.cards.suit.get(played_round.dealt)} or a Crown"
            if self.cards.round_of(played_round.dealt) == "crown":
                demand = "a Crown is paid for with a hero or a Crown"
            cards = (card, played_round.dealt)
            refuse(f"The {{c0}} does not answer the {{c1}}: {demand}.", cards=cards, rulings="DC-7, DC-22")

    def _places_by_card(self) -> dict[str, Sentence]:
        """Return a sentence on its place for each card that is known to be neither in the deck nor in a hand."""
        at = self.state.at
        places = {card: Sentence("The {c0} has been discarded already.") for card in at.discard}
        for words, piles in (
            ("{s0} has won the {c0} already.", at.won),
            ("The {c0} lies open before {s0}.", at.crowns),
        ):
            places |= {card: Sentence(words, (seat,)) for seat, cards in enumerate(piles) for card in cards}
        return places

    def _settle_number(self, state: CitadelState, played_round: _Round) -> None:
        if len(played_round.laid) + len(played_round.spent) + len(played_round.out) > 1:
            refuse("One card answers a number, or one open Crown, or one player is out.", rulings="DC-7, DC-10, DC-11")
        if played_round.laid and played_round.lost:
            refuse("Either somebody took it, or it is lost.", rulings="DC-8, DC-9")
        for seat, card in played_round.laid:
            answer_dealer(state, seat, card)
        for crown, _ in played_round.spent:
            buy_off(state, crown)
        if played_round.lost and not (played_round.out or played_round.spent):
            self._check_lower_left(played_round.dealt)
        if (played_round.lost and not played_round.spent) or played_round.out:
            state.tell("lost", "Nobody takes the {c0}.", NUMBER, ("DC-9", "DC-11"), cards=(played_round.dealt,))
        if not (played_round.laid or played_round.spent or played_round.out or played_round.lost):
            refuse("Who took it? Where nobody did, type lost, or who is out.", rulings="DC-8, DC-9, DC-11")
        self._close_round(state, played_round)

    def _check_lower_left(self, dealt: str) -> None:
        """Raise EntryRefused if no card lower than the dealer's can have been played (DC-9, DC-11)."""
        strength, placed_cards = self.cards.strength, self._places_by_card().keys()
        answers = self.cards.answers[dealt] - {dealt}
        if all(strength[card] > strength[dealt] or card in placed_cards for card in answers):
            refuse("No card is left that is lower than the {c0}. Who is out?", cards=(dealt,), rulings="DC-9, DC-11")

    def _settle_hero(self, state: CitadelState, played_round: _Round) -> None:
        missing_seats = set(state.at.active).difference(seat for seat, _ in played_round.laid)
        if missing_seats and not (played_round.spent or played_round.out):
            words = "What did {seats} put down? Type each card, or who is out."
            if played_round.lost:
                words = "Who is out? If an open Crown saved {seats}, type it after the name."
            refuse(words, *sorted(missing_seats), rulings="DC-15, DC-19, DC-20")
        if not missing_seats and played_round.lost:
            refuse("Everybody has answered the {c0}, so it is not lost.", cards=(played_round.dealt,), rulings="DC-15")
        self._check_enough_answers(played_round)
        if not missing_seats:
            state.at.played = tuple(played_round.laid)
            share_won_cards(state)
        else:
            state.tell("lost", "The {c0} was not answered by all.", HERO, ("DC-19",), cards=(played_round.dealt,))
            self._lay_and_cover(state, played_round)
        self._close_round(state, played_round)

    def _settle_crown(self, state: CitadelState, played_round: _Round) -> None:
        unnamed_seats = sorted(set(state.at.active) - played_round.named_seats)
        if played_round.lost and not played_round.out:
            words = "Everybody has paid for the {c0}, so nothing is lost."
            if unnamed_seats:
                words = "Who is out? Where not everybody has paid for the {c0}, one player forfeits."
            refuse(words, cards=(played_round.dealt,), rulings="DC-20, DC-22")
        self._check_enough_answers(played_round)
        words = "Not everybody has paid for the {c0}." if played_round.out else "Everybody has paid for the {c0}."
        kind = "lost" if played_round.out else "paid"
        state.tell(kind, words, CROWN, ("DC-22", "DC-24"), cards=(played_round.dealt,))
        self._lay_and_cover(state, played_round)
        self._close_round(state, played_round)

    def _lay_and_cover(self, state: CitadelState, played_round: _Round) -> None:
        for seat, card in played_round.laid:
            state.lay(seat, card)
        for crown, seat in played_round.spent:
            save_with_crown(state, crown, seat)

    def _close_round(self, state: CitadelState, played_round: _Round) -> None:
        for seat in played_round.out:
            forfeit(state, seat, FORFEIT_CAUSES[self.cards.round_of(played_round.dealt)], "unknown")
        state.clear_table()


def _seats_before_lost(entry: LedgerLine) -> list[Seat]:
    """Return the seats whose name is followed only by `lost`."""
    return [int(name[1:]) for name, word in pairwise(entry) if word == LOST and name.startswith("@")]
