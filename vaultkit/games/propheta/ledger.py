"""The ledger of Propheta: an entry for each trick, with its winner and the prophecies turned up."""

from dataclasses import replace

from vaultkit.games.ledger import (
    EntryQuestion,
    Ledger,
    LedgerLine,
    group_by_seat,
    parse_seat,
    refuse,
    seats_without_value,
)
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Zone
from vaultkit.games.propheta import events
from vaultkit.games.propheta.deal import close_deal
from vaultkit.games.propheta.rules import PROPHECIES, WINNING, Sheet
from vaultkit.games.propheta.state import DEAL, PLAY, Fulfilled, Trick
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.games.turn import HIDDEN


class ProphetaLedger(Ledger):
    """The ledger of Propheta.

    Entries do not have the cards played, so the players check themselves whether a trick fulfils a prophecy.
    """

    unnoted = "the cards played, and the prophecies that stayed face down"
    knows_positions = False

    def begin(self) -> None:
        self._begin_deal()

    @property
    def question(self) -> EntryQuestion:
        at, rules = self.state.at, self.state.rules
        deal_words = " of deal {v2}" if rules.target else ""
        values = (len(at.tricks) + 1, self._trick_count, len(at.deals) + 1)
        words = f"Trick {{v0}} of {{v1}}{deal_words}: who won it, and what was turned up?"
        return EntryQuestion(Sentence(words, values=values), PROPHECIES, ("VA-12",))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        return (
            ("{s0}", "{s0} won the trick, and nobody turned anything up"),
            ("{s0}, {s1} gemini ribbon", "{s0} won it, and {s1} turned up the Ribbon of Gemini"),
            ("{s0} aries ram", "{s0} won it, and turned up the Ram of Aries"),
        )

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        at = self.state.at
        winner = parse_seat(entry[0])
        if winner is None:
            refuse("A line begins with the name of who won the trick.", rulings="VA-6")
        for silent_seat in seats_without_value(entry[1:]):
            refuse("What did {s0} turn up? Type the prophecy after the name.", silent_seat, rulings="VA-12")
        at.tricks = (*at.tricks, Trick(at.leader, (), winner))
        at.leader = at.actor = winner
        words = "{s0} wins trick {v0}." if self.state.rules.target else "Trick {v0}: {s0} wins it."
        sentence = Sentence(words, (winner,), (), (len(at.tricks),))
        reported = [Event("taken", sentence, WINNING, ("VA-6",), winner)]
        if self.state.rules.target and not self.parts:
            self.end_part([events.new_deal_event(1)])
        self.end_part(reported)
        for seat, card in group_by_seat(entry):
            assert seat is not None, "the line begins with a seat"
            reported += self._turn_up(seat, card, winner)
            if not self.state.rules.simultaneous:
                self.end_part(reported)
        if len(at.tricks) == self._trick_count:
            reported += self._close_deal()
            self.end_part(reported)
        if not at.tricks and at.phase == PLAY:
            reported.append(events.new_deal_event(len(at.deals) + 1))
        return tuple(reported)

    def outcome(self) -> Outcome:
        """Return the outcome, without facts on seats that turned up nothing, since no entry has their prophecies."""
        full_outcome = super().outcome()
        facts = tuple(fact for fact in full_outcome.facts if fact[1].cards)
        return replace(full_outcome, facts=facts)

    def tally(self) -> Tally:
        at, seats = self.state.at, []
        for seat, parts in enumerate(self.outcome().scores):
            answers = {"score": int(parts["total"])}
            for deal_number, deal in enumerate(at.deals, 1):
                answers |= {f"deal.{deal_number}.{part}": getattr(deal[seat], part) for part in Sheet._fields}
                answers[f"deal.{deal_number}.points"] = deal[seat].total
            seats.append(SeatTally(answers))
        return Tally(self.options, tuple(seats), {"deals": len(at.deals)})

    def zones(self) -> tuple[Zone, ...]:
        at = self.state.at
        return tuple(
            Zone(Sentence("prophecies"), tuple(prophecy.card for prophecy in fulfilled), len(face_down), seat)
            for seat, (fulfilled, face_down) in enumerate(zip(at.fulfilled, at.predictions, strict=True))
        )

    @property
    def _trick_count(self) -> int:
        rules = self.state.rules
        return int(rules.hand_size - rules.predictions)

    def _begin_deal(self) -> None:
        """Reset the position to the start of a deal: hidden prophecies, and no other card."""
        at, rules = self.state.at, self.state.rules
        at.clear_deal(())
        at.predictions, at.phase, at.first = [(HIDDEN,) * rules.predictions] * rules.seats, PLAY, at.first or 0

    def _turn_up(self, seat: Seat, card: str, winner: Seat) -> list[Event]:
        at = self.state.at
        turned_up_cards = [prophecy.card for prophecy in at.fulfilled[seat]]
        if any(card == prophecy.card for prophecies in at.fulfilled for prophecy in prophecies):
            refuse("The {c0} was turned up already.", cards=(card,))
        if any(prophecy.trick == len(at.tricks) for prophecy in at.fulfilled[seat]):
            refuse("{s0} turns up one prophecy after a trick.", seat, rulings="VA-12")
        if len(turned_up_cards) == self.state.rules.predictions:
            refuse("{s0} has turned up all prophecies already.", seat, rulings="VA-3")
        masks = self.cards.as_winner if seat == winner else self.cards.as_loser
        if not masks[card]:
            who_can = "only the winner of a trick" if seat != winner else "only who has lost the trick"
            words = f"The {{c0}} is {self.cards.modality[card]}: {who_can} can turn it up."
            refuse(words, cards=(card,), rulings="VA-13")
        at.predictions[seat] = at.predictions[seat][1:]
        at.fulfilled[seat] += (Fulfilled(card, len(at.tricks)),)
        return list(events.fulfil_events(seat, card, self.cards.points[card]))

    def _close_deal(self) -> tuple[Event, ...]:
        at = self.state.at
        at.predictions = [()] * self.seats
        reported = close_deal(self.state.rules, at)
        if at.phase == DEAL:
            self._begin_deal()
        return reported
