"""The ledger of the Deck of Destiny: the cards that were laid, and how the encounter ended."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.games.deck_of_destiny.ending import ENDINGS
from vaultkit.games.deck_of_destiny.rules import HOW_IT_ENDS, PHASE_1, PHASE_2, reward_size
from vaultkit.games.deck_of_destiny.scoresheet import CATEGORY_BY_NAME, MAX_LAID_CARDS, UNKNOWN_HAND
from vaultkit.games.deck_of_destiny.state import PLAYER_SEAT_INDEX
from vaultkit.games.ledger import EntryQuestion, Ledger, LedgerLine, group_by_seat, refuse
from vaultkit.games.messages import Event, Outcome, Sentence, Standing, Zone
from vaultkit.games.question import Answer
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.text import format_count

_RESULTS = {"won": "win", "lost": "loss", "tie": "tie", "retreat": "retreat"}


class DestinyLedger(Ledger):
    """The ledger of one encounter: the cards laid, and the result with the category of the hand.

    Nobody types the board, so the hand is not computed.
    """

    words: ClassVar[Mapping[str, str]] = {
        **{word: ENDINGS[kind].lower() for word, kind in _RESULTS.items()},
        **{name.lower(): "a hand" for name in CATEGORY_BY_NAME},
    }  # fmt: skip
    unnoted = "the board, the opponent's cards and the inventory"

    def begin(self) -> None:
        self._laid: tuple[str, ...] = ()
        self._earned: tuple[str, ...] = ()
        self._result = self._hand = ""

    @property
    def over(self) -> bool:
        return bool(self._result)

    @property
    def question(self) -> EntryQuestion:
        words = "Which cards does {s0} lay, or how did it end?"
        return EntryQuestion(Sentence(words, (PLAYER_SEAT_INDEX,)), PHASE_1, ("DD-3", "DD-6", "DD-12"))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        first, second, *_ = self._example_names
        return (
            (first, "this card is laid"),
            (f"{first}, {second}", "several cards, of one phase or of all"),
            ("won flush", "the encounter is won with a flush; cards earned may follow"),
            ("lost pair", "it is lost; also: tie pair, retreat"),
        )

    def possible_cards(self, entry: LedgerLine) -> frozenset[str]:
        return frozenset(self.cards.ids).difference(self._laid, entry)

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        entry = tuple(token for _, token in group_by_seat(entry))  # the only player need not be named
        cards = tuple(token for token in entry if token in self.cards.ids)
        results = [_RESULTS[token] for token in entry if token in _RESULTS]
        if not entry or len(results) > 1:
            refuse("Type the cards that are laid, or one way in which it ended.", rulings="DD-3")
        if results:
            return self._end_encounter(results[0], entry, cards)
        for index, card in enumerate(cards):
            if card in (*self._laid, *cards[:index]):
                refuse("The {c0} was laid already.", cards=(card,), rulings="DD-3")
        if len(cards) < len(entry):
            refuse("A hand belongs to how it ended: won, lost or tie.", rulings="DD-9")
        if len(self._laid) + len(cards) > MAX_LAID_CARDS:
            refuse(f"An encounter takes {MAX_LAID_CARDS} cards at most.", rulings="DD-6")
        return tuple(map(self._lay_card, cards))

    def outcome(self) -> Outcome:
        return self.sheet.outcome(self.tally())

    def tally(self) -> Tally:
        owned_before = int(self.options["inventory"])
        drawn_count = int(not owned_before and self.options["empty"] == "draw-one")
        strength = self.state.rules.strength
        earned_count = len(self._earned) or (reward_size(self.options, strength) if self._result == "win" else 0)
        answer_by_box: dict[str, Answer] = {
            "name": "",
            "asks": "",
            "laid": len(self._laid),
            "hand": self._hand or UNKNOWN_HAND,
            "result": self._result,
            "gained": earned_count + drawn_count,
        }
        seat = SeatTally({f"encounter.1.{box}": value for box, value in answer_by_box.items()})
        return Tally(self.options, (seat,), {"encounter": 1, "inventory": owned_before})

    def zones(self) -> tuple[Zone, ...]:
        return (Zone(Sentence("laid"), self._laid, owner=PLAYER_SEAT_INDEX, by=True),)

    def standings(self) -> tuple[Standing, ...]:
        return ()

    @property
    def _example_names(self) -> tuple[str, ...]:
        """The names of two cards of the deck, as people type them, for examples."""
        return tuple(self.deck[card].name.lower() for card in self.cards.ids[-2:])

    def _lay_card(self, card: str) -> Event:
        is_first, self._laid = not self._laid, (*self._laid, card)
        kind, rule = ("lay", PHASE_1) if is_first else ("add", PHASE_2)
        sentence = Sentence(f"{{s0}} {kind}s the {{c0}}.", (PLAYER_SEAT_INDEX,), (card,))
        return Event(kind, sentence, rule, ("DD-3",), PLAYER_SEAT_INDEX, (card,), notable=is_first)

    def _check_ending(self, entry: LedgerLine, cards: tuple[str, ...]) -> None:
        """Raise EntryRefused for an ending that the cards laid, the encounter or the reward do not allow."""
        for doubt in self.sheet.find_rule_doubts(self.tally()):
            refuse(doubt.sentence.words, *doubt.sentence.seats, rulings=", ".join(doubt.rulings))
        if repeated_cards := [card for index, card in enumerate(cards) if card in cards[:index]]:
            refuse("The {c0} is named twice.", cards=repeated_cards[:1], rulings="DD-2")
        reward_count = reward_size(self.options, self.state.rules.strength)
        if cards and len(cards) != reward_count:
            refuse(f"This win earns {format_count(reward_count, 'card')}, and you named {len(cards)}.", rulings="DD-2")
        allowed_tokens = {*_RESULTS, *map(str.lower, CATEGORY_BY_NAME), *cards}
        if not allowed_tokens.issuperset(entry):
            refuse("Type how it ended, the hand, and the cards earned.", rulings="DD-3")

    def _end_encounter(self, result: str, entry: LedgerLine, cards: tuple[str, ...]) -> tuple[Event, ...]:
        hand_names = [name for name in CATEGORY_BY_NAME if name.lower() in entry]
        if result in {"win", "loss", "tie"} and len(hand_names) != 1:
            refuse("With which hand? Type it too, such as: won flush.", rulings="DD-9, DD-16")
        if hand_names and result == "retreat":
            refuse("A player who retreats makes no hand.", rulings="DD-12")
        if cards and result != "win":
            refuse("Only a win earns cards.", rulings="DD-2")
        self._result, self._hand, self._earned = result, "".join(hand_names[:1]), cards
        self._check_ending(entry, cards)
        result_words = f"{ENDINGS[result]}."
        hand_words = " {s0} makes {v0}." if self._hand else ""
        earned_words = f" {{s0}} earns {format_count(len(cards), 'card')}." if cards else ""
        kind = "retreat" if result == "retreat" else "hand"
        values = (self.cards.hand_name(CATEGORY_BY_NAME[self._hand]),) if self._hand else ()
        sentence = Sentence(f"{result_words}{hand_words}{earned_words}", (PLAYER_SEAT_INDEX,), (), values)
        detail = str(next(iter(values), ""))
        return (Event(kind, sentence, HOW_IT_ENDS, ("DD-3",), PLAYER_SEAT_INDEX, notable=True, detail=detail),)
