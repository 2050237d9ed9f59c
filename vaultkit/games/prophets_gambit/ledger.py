"""The ledger of Prophet's Gambit: the dealer, the verdict on the Focus, and the revealed hands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.ledger import EntryQuestion, Ledger, LedgerLine, group_by_seat, refuse
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Zone
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBERS, Reveal, judge
from vaultkit.games.prophets_gambit.rules import EXECUTION, HAND_SIZE, HIGH_DECK, REVEAL, SETTING_UP, TIES
from vaultkit.games.prophets_gambit.state import GambitState
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.text import format_count, group

DEALER, FOCUS, SAVED, KILLED, ENDED = "dealer", "focus", "saved", "killed", "ended"
VERDICTS = {SAVED: "save", KILLED: "kill"}


class GambitLedger(Ledger):
    """The ledger of Prophet's Gambit.

    Besides the revealed hands, the outcome depends only on the dealer, from whom ties are settled, and on the verdict
    on the Focus.
    """

    words: ClassVar[Mapping[str, str]] = {
        DEALER: "deals", SAVED: "saves the Focus", KILLED: "kills the Focus", FOCUS: "the Focus, which nobody judged",
        ENDED: "ended it with the Donjon",
    }  # fmt: skip
    unnoted = "what was shown, risked and drawn before the Reveal"

    def begin(self) -> None:
        at, dealer = self.state.at, self.options["dealer"]
        at.dealer = dealer if isinstance(dealer, int) else None
        self._focus_known = False

    @property
    def question(self) -> EntryQuestion:
        at = self.state.at
        if at.dealer is None:
            words = "Who deals? Ties are settled from there. Then nothing decides before the end."
            return EntryQuestion(Sentence(words), TIES, ("PG-6",))
        if not self._focus_known:
            words = "Once the rounds are over: who saved or killed which Focus?"
            return EntryQuestion(Sentence(words), EXECUTION, ("PG-23", "PG-35"))
        unrevealed_seats = tuple(seat for seat in range(self.seats) if not at.hands[seat])
        words = f"The Reveal, {format_count(HAND_SIZE + 1, 'card')} each, the Fate last: {{seats}}."
        return EntryQuestion(Sentence(words, unrevealed_seats), REVEAL, ("PG-7", "PG-36"))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        if self.state.at.dealer is None:
            return (("{s0} dealer", "{s0} deals"),)
        if not self._focus_known:
            return (
                ("{s0} saved 7sw", "{s0} saved the Focus, the 7 of Swords; or killed it"),
                ("{s0} ended focus 7sw", "{s0} ended it with the Donjon, and nobody judged the Focus"),
            )
        return (("{s0} 7sw 8sw 9sw 1st", "{s0} reveals these; the Fate is the 1 of Stars"),)

    def possible_cards(self, entry: LedgerLine) -> frozenset[str]:  # noqa: ARG002
        at = self.state.at
        placed_cards = {at.focus, *at.discard, *(card for hand in at.hands for card in hand), *at.fates}
        return frozenset(self.cards.common).difference(placed_cards)

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        return self.carry_out(lambda state: self._write(state, entry))

    def outcome(self) -> Outcome:
        """Return the outcome, without the round in which the Donjon ended the game, which no entry has."""
        full_outcome = super().outcome()
        facts = tuple(
            (label, Sentence("{s0} ended the game", fact.seats)) if label == "Donjon" else (label, fact)
            for label, fact in full_outcome.facts
        )
        return replace(full_outcome, facts=facts)

    def tally(self) -> Tally:
        names = {number: category for category, number in CATEGORY_NUMBERS.items()}
        judged, outcome, seats = self.state.at.judged, self.outcome(), []
        focus = "killed" if judged is not None and judged.verdict == VERDICTS[KILLED] else "saved"
        for parts, rank in zip(outcome.scores, outcome.ranks, strict=True):
            hand = TAROKKA_NAMES[names[int(parts["category"])]]
            answers: dict[str, Answer] = {"game.1.hand": hand, "game.1.place": rank, "game.1.focus": focus}
            seats.append(SeatTally({**answers, "wins": int(rank == 1)}))
        return Tally(self.options, tuple(seats), {"games": 1, "outcome": outcome.kind})

    def zones(self) -> tuple[Zone, ...]:
        at = self.state.at
        focus = [Zone(Sentence("Focus"), (at.focus,))] if at.focus else []
        hands = ((seat, (*at.hands[seat], at.fates[seat])) for seat in range(self.seats) if at.hands[seat])
        return (*focus, *(Zone(Sentence("hand"), cards, owner=seat) for seat, cards in hands))

    def standings(self) -> tuple[Standing, ...]:
        return ()

    def _write(self, state: GambitState, entry: LedgerLine) -> None:
        parts = group_by_seat(entry)
        if any(seat is None for seat, _ in parts) or not parts:
            refuse("Who? Type the name before it.")
        seat_tokens = [(seat, token) for seat, token in parts if seat is not None]
        common_cards = set(self.cards.common)
        cards = [(seat, token) for seat, token in seat_tokens if token in common_cards]
        words = [(seat, token) for seat, token in seat_tokens if token in self.words]
        if len(cards) + len(words) < len(seat_tokens):
            refuse("Hands and Focus are of the Common Deck.", rulings="PG-7")
        self._check_unplaced([card for _, card in cards])
        self._check_words([word for _, word in words])
        for seat, word in words:
            self._apply_word(state, seat, word)
        verdict_words = [word for _, word in words if word in {*VERDICTS, FOCUS}]
        if verdict_words:
            self._judge_focus(state, words, cards)
        elif cards:
            self._reveal_hands(state, cards)

    def _check_words(self, words: list[str]) -> None:
        """Raise EntryRefused for words that repeat each other or cannot be true together."""
        at = self.state.at
        if words.count(DEALER) + (at.dealer is not None) > 1:
            refuse("One player deals. To change who it is, take the entry back with u.", rulings="PG-38")
        if words.count(ENDED) + (at.donjon is not None) > 1 or (ENDED in words and self._focus_known):
            refuse("The Donjon ends the game once, before the Focus is judged.", rulings="PG-20, PG-21")
        verdict_words = [word for word in words if word in {*VERDICTS, FOCUS}]
        if len(verdict_words) > 1 or (verdict_words and self._focus_known):
            refuse("The Focus is saved, killed or not judged, and only once.", rulings="PG-35")
        judging_words = VERDICTS.keys() & set(verdict_words)
        if judging_words and (ENDED in words or at.donjon is not None) and self.options["donjon_execution"] == "skip":
            refuse("Nobody judges the Focus when the Donjon ends the game: type focus.", rulings="PG-20, PG-21")

    def _check_unplaced(self, cards: list[str]) -> None:
        possible_cards = self.possible_cards(())
        for index, card in enumerate(cards):
            if card in cards[:index]:
                refuse("The {c0} is named twice.", cards=(card,))
            if card not in possible_cards:
                refuse("The {c0} was the Focus, or lies in another hand.", cards=(card,))

    def _apply_word(self, state: GambitState, seat: Seat, word: str) -> None:
        if word == DEALER:
            state.at.dealer = seat
            state.tell("dealer", "{s0} deals.", SETTING_UP, ("PG-38",), seats=(seat,))
        if word == ENDED:
            state.at.donjon = seat
            state.tell("ended", "{s0} ends the game with the Donjon.", HIGH_DECK, ("PG-20",), seats=(seat,))

    def _judge_focus(self, state: GambitState, words: list[tuple[Seat, str]], cards: list[tuple[Seat, str]]) -> None:
        if len(cards) != 1:
            refuse("Type one card: the Focus.", rulings="PG-35")
        state.at.focus = cards[0][1]
        for seat, word in words:
            if word in VERDICTS:
                judge(state, seat, VERDICTS[word])
        needs_verdict = state.at.donjon is None or self.options["donjon_execution"] == "hold"
        if state.at.judged is None and needs_verdict:
            refuse("The Focus is judged, unless the Donjon ends the game.", rulings="PG-20, PG-35")
        self._focus_known = True

    def _reveal_hands(self, state: GambitState, cards: list[tuple[Seat, str]]) -> None:
        at = state.at
        if at.dealer is None or not self._focus_known:
            refuse("First: who deals, and what became of the Focus?", rulings="PG-6, PG-35")
        for seat, hand_and_fate in group(cards).items():
            if at.hands[seat]:
                refuse("The hand of {s0} is known already.", seat)
            if len(hand_and_fate) != HAND_SIZE + 1:
                words = f"{{s0}} has {format_count(HAND_SIZE + 1, 'card')}, and these are {len(hand_and_fate)}."
                refuse(words, seat, rulings="PG-7")
            *hand, at.fates[seat] = hand_and_fate
            state.add_to_hand(seat, *hand)
            state.tell("hand", "{s0} has {cards}.", REVEAL, ("PG-7",), seats=(seat,), cards=tuple(hand_and_fate))
        if all(at.hands):
            Reveal().begin(state)
