"""The tasks of Prophet's Gambit from the deal to the end of round 2: openings, Fate privilege, turns, High cards."""

from collections.abc import Callable

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.prophets_gambit import card_effects
from vaultkit.games.prophets_gambit.card_play import (
    DrawCards,
    DrawFate,
    ForcedTurn,
    SetAside,
    play_card,
    replaceable_count,
)
from vaultkit.games.prophets_gambit.rules import (
    HIGH_DECK,
    KEEP,
    OPENING,
    REPLACE,
    RISK,
    ROUNDS,
    SETTING_UP,
    TIES,
    GambitRules,
)
from vaultkit.games.prophets_gambit.state import (
    FaceDown,
    GambitState,
    GambitTask,
    find_leader,
    is_tied,
    leading_reason,
    seats_clockwise,
)
from vaultkit.games.turn import Chance, Move, Prompt, Turn, card_moves

FIRST_HAND_SIZES = {"once": 6, "each-round-deal-7": 7}
"""The number of cards dealt to each player, by the option `opening` (PG-1)."""


class ChooseDealer(GambitTask):
    """PG-38, G-2: the choice of the dealer, by the option `dealer` if that is a seat, else by chance."""

    def begin(self, state: GambitState) -> Turn:
        dealer_option = state.rules.options["dealer"]
        if isinstance(dealer_option, int):
            self._name(state, dealer_option)
            return None
        seats = tuple(str(seat) for seat in range(state.seats))
        return Chance("dealer", Sentence("Who deals?"), ("PG-38", "G-2", "G-7"), options=seats)

    def take(self, state: GambitState, move: Move) -> None:
        self._name(state, int(move.operands[0]))

    def _name(self, state: GambitState, seat: Seat) -> None:
        state.at.dealer = seat
        state.tell("dealer", "{s0} deals.", SETTING_UP, ("PG-38", "G-2"), seats=(seat,))
        state.push_tasks(TurnFocus(), DealFates(), DealHands())


class TurnFocus(GambitTask):
    """PG-39: the turning of the Focus by the player at the dealer's left; there is nothing to decide."""

    def begin(self, state: GambitState) -> Turn:
        return Chance("focus", Sentence("The Focus is turned."), ("PG-39", "G-7"), pile=state.at.common)

    def take(self, state: GambitState, move: Move) -> None:
        at = state.at
        assert at.dealer is not None
        at.common = at.common.remove_cards(move.operands)
        at.focus = move.operands[0]
        left_seat = (at.dealer + 1) % state.seats
        words = "{s0} turns the Focus: the {c0}."
        state.tell("focus", words, SETTING_UP, ("PG-39",), seats=(left_seat,), cards=move.operands, reveals=True)


class DealFates(GambitTask):
    """The dealing of one Fate each, face down, from the dealer's left."""

    def begin(self, state: GambitState) -> Turn:
        assert state.at.dealer is not None
        state.push_tasks(*(DrawFate(seat, ruling="G-1") for seat in state.rules.clockwise(state.at.dealer + 1)))
        return None


class DealHands(GambitTask):
    """The dealing of hands: six cards each, or seven if every round has an opening (PG-1)."""

    def begin(self, state: GambitState) -> Turn:
        assert state.at.dealer is not None
        count = FIRST_HAND_SIZES[str(state.rules.options["opening"])]
        seats = state.rules.clockwise(state.at.dealer + 1)
        state.push_tasks(*(DrawCards(seat, count, "deal", SETTING_UP, "PG-1") for seat in seats))
        return None


class OpeningChoice(FaceDown):
    """The choice of a card to show, by all seats at the same time (PG-1)."""

    def moves(self, state: GambitState, seat: Seat) -> tuple[Move, ...]:
        return card_moves("show", state.at.hands[seat])

    def ask(self, state: GambitState, seat: Seat) -> Prompt:
        text = Sentence("{s0}, which card do you show, in secret until all have chosen?", (seat,))
        return Prompt(seat, text, OPENING, OPENING_RULINGS, self.moves(state, seat), secret=True)

    def finish(self, state: GambitState) -> None:
        choices = [(seat, move.operands[0]) for seat, move in self.chosen]
        for seat, card in choices:
            state.remove_from_hand(seat, card)
            state.at.shown[seat] += (card,)
        parts = [f"{{s{place}}} the {{c{place}}}" for place in range(len(choices))]
        words = f"All show a card: {', '.join(parts)}."
        seats, cards = tuple(seat for seat, _ in choices), tuple(card for _, card in choices)
        state.tell("opening", words, OPENING, OPENING_RULINGS, seats=seats, cards=cards, reveals=True)


OPENING_RULINGS = ("PG-1", "G-3")


class GambitRound(GambitTask):
    """Round `number`: an opening if this round has one (PG-1), the Fate privilege, and the turns."""

    number: int

    def begin(self, state: GambitState) -> Turn:
        state.at.round = self.number
        has_opening = self.number == 1 or state.rules.has_option("opening", "each-round-deal-7")
        opening_tasks = (OpeningChoice(state.playing),) if has_opening else ()
        state.push_tasks(*opening_tasks, BeginRound(), Turns())
        return None


class BeginRound(GambitTask):
    """The start of a round: the seat that shows the highest number begins, and may replace its Fate (PG-10)."""

    def begin(self, state: GambitState) -> Turn:
        seat = find_leader(state)
        state.at.waiting = seats_clockwise(state, seat)
        words = f"Round {{v0}}: {{s0}} {leading_reason(state, seat)} and begins, with the {{c0}}."
        rule, cards, values = TIES if is_tied(state, seat) else ROUNDS, (state.top_card(seat),), (state.at.round,)
        state.tell("round", words, rule, ("PG-4", "PG-6", "PG-10"), seats=(seat,), cards=cards, values=values)
        state.push_tasks(FatePrivilege(seat))
        return None


class FatePrivilege(GambitTask):
    """The choice to keep the Fate, or to discard it face up for a new one (PG-10).

    It cannot be replaced if no card can be drawn (PG-11).
    """

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        words = f"{{s0}} {leading_reason(state, self.seat)} and begins. {{s0}}, do you keep your Fate or replace it?"
        text = Sentence(words, (self.seat,))
        moves = (KEEP, REPLACE) if replaceable_count(state, 1) else (KEEP,)
        return Prompt(self.seat, text, ROUNDS, ("PG-10", "PG-11"), moves)

    def take(self, state: GambitState, move: Move) -> None:
        at, seat = state.at, self.seat
        if move == KEEP:
            state.tell("keep", "{s0} keeps the Fate.", ROUNDS, ("PG-10",), seats=(seat,))
            return
        old_fate = at.fates[seat]
        assert old_fate is not None
        at.fates[seat] = None
        at.discard += (old_fate,)
        words = "{s0} discards the {c0} as Fate and takes a new one."
        state.tell("replace", words, ROUNDS, ("PG-10",), seats=(seat,), cards=(old_fate,), reveals=True, notable=True)
        state.push_tasks(DrawFate(seat, ROUNDS))


class Turns(GambitTask):
    """The turns of a round that are still to come, one after the other."""

    def begin(self, state: GambitState) -> Turn:
        at = state.at
        if at.waiting:
            seat, at.waiting = at.waiting[0], at.waiting[1:]
            state.push_tasks(TakeTurn(seat), self)
        return None


class TakeTurn(GambitTask):
    """The turn of a seat: play a card, or discard one to Risk the High Deck; a marionette cannot choose (PG-28)."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        at, seat = state.at, self.seat
        hand = at.hands[seat]
        if at.forced and at.forced[0] == seat:
            state.push_tasks(ForcedTurn(seat))
            return None
        moves = card_moves("play", hand)
        if len(at.high):
            moves += card_moves("risk", hand)
        text = Sentence("{s0}, do you play a card, or discard one to risk the High Deck?", (seat,))
        return Prompt(seat, text, ROUNDS, ("PG-8", "PG-13", "PG-14"), moves)

    def take(self, state: GambitState, move: Move) -> None:
        seat, card = self.seat, move.operands[0]
        if move.verb == "risk":
            state.discard_card(seat, card)
            words = "{s0} discards the {c0} to risk the High Deck."
            state.tell("risk", words, RISK, ("PG-14",), seats=(seat,), cards=(card,), reveals=True)
            state.push_tasks(TurnHighCard(seat))
        else:
            play_card(state, seat, card)


class TurnHighCard(GambitTask):
    """The turning of the top card of the High Deck by `seat`, and its effect."""

    seat: Seat

    def begin(self, state: GambitState) -> Turn:
        text = Sentence("{s0} turns the top card of the High Deck.", (self.seat,))
        return Chance("high-card", text, ("PG-13", "PG-15", "G-7"), pile=state.at.high, seat=self.seat)

    def take(self, state: GambitState, move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        at.high = at.high.remove_cards((card,))
        at.turned = card
        at.risks = (*at.risks, (seat, card))
        words, rulings = "{s0} turns the {c0}.", ("PG-15",)
        state.tell("high-card", words, HIGH_DECK, rulings, seats=(seat,), cards=(card,), reveals=True, notable=True)
        is_stopped = card in STOPPED_BY_OWN_INNOCENT and seat not in state.reachable_seats(seat)
        _report_meaning(state, seat, card, is_stopped)
        state.push_tasks(SetAside())
        if is_stopped:
            words = "{s0} is the Innocent, whom no High card can touch: nothing happens."
            state.tell("innocent", words, HIGH_DECK, ("PG-24", "G-5"), seats=(seat,))
        elif _touches_nobody(state, seat, card):
            card_effects.report_nobody_touched(state, card)
        else:
            EFFECTS[card](state, seat)


def _touches_nobody(state: GambitState, seat: Seat, card: str) -> bool:
    """Return whether a High card finds too few seats to do anything, which concessions can cause (G-5, G-14)."""
    if card in {"mists", "raven"}:
        return len(state.reachable_seats(seat)) == 1
    return card in {"darklord", "seer", "tempter"} and not card_effects.target_seats(state, seat)


def _report_meaning(state: GambitState, seat: Seat, card: str, is_stopped: bool) -> None:
    """Report what a High card means, unless its effect is stopped, and which seat the Innocent protects (PG-24)."""
    immune_seats = [other for other in state.playing if other not in state.reachable_seats(seat)]
    words = high_card_meaning(state.rules, card)
    if words and not is_stopped:
        state.tell("meaning", words, HIGH_DECK, ("PG-15",), seats=(seat,), cards=(card,))
    for other in immune_seats:
        if card in _CARDS_FOR_ALL or (card in _CARDS_FOR_OTHERS and other != seat):
            state.tell("left-out", "{s0} has the Innocent and is left out.", HIGH_DECK, ("PG-24",), seats=(other,))


_MEANINGS = {
    "beast": "The {c0}: everyone discards a card, clockwise from {s0}, then everyone draws one.",
    "darklord": "The {c0}: {s0} looks through another player's hand and picks a card of it to be discarded; "
    "the other draws a new one.",
    "donjon": "The {c0} ends the game: all discard down to three cards. There is no Execution, the Focus is safe.",
    "ghost": "The {c0}: {s0} takes any card of the discard pile into the hand, then discards one.",
    "horseman": "The {c0}: {s0} draws two cards, then discards two of the whole hand.",
    "marionette": "The {c0}: {s0} names a player whose turn is still to come this round; on that turn they must Play "
    "their highest or their lowest number, as {s0} says now.",
    "raven": "The {c0}: everyone chooses a card in secret, then all are passed to the left at the same time.",
    "tempter": "The {c0}: {s0} gives a card to another player and takes one of theirs, unseen.",
}
_OPTION_MEANINGS = {
    ("donjon", "donjon_execution", "hold"): "The {c0} ends the rounds: all discard down to three cards. "
    "The Execution follows.",
    ("ghost", "ghost", "top"): "The {c0}: {s0} takes the top card of the discard pile into the hand, "
    "then discards one.",
    ("marionette", "marionette", "immediate"): "The {c0}: {s0} names a player whose turn is still to come this round; "
    "they must Play their highest or their lowest number at once, as {s0} says.",
}
_CARDS_FOR_ALL = {"beast", "mists", "raven"}
_CARDS_FOR_OTHERS = {"darklord", "marionette", "seer", "tempter"}
STOPPED_BY_OWN_INNOCENT = frozenset({"artifact", "broken-one", "ghost", "horseman", "tempter"})
"""The High cards that do nothing if the holder of the Innocent turns them (PG-24)."""


def high_card_meaning(rules: GambitRules, card: str) -> str | None:
    """Return the meaning of a High card under the options in force, where `{s0}` is the seat that turned it.

    The result is None for a card whose later events explain it fully.
    """
    for (card_id, option, value), words in _OPTION_MEANINGS.items():
        if card_id == card and rules.has_option(option, value):
            return words
    return _MEANINGS.get(card)


EFFECTS: dict[str, Callable[[GambitState, Seat], None]] = {
    "artifact": card_effects.artifact,
    "beast": card_effects.beast,
    "broken-one": card_effects.broken_one,
    "darklord": card_effects.darklord,
    "donjon": card_effects.donjon,
    "executioner": card_effects.executioner,
    "ghost": card_effects.ghost,
    "horseman": card_effects.horseman,
    "innocent": card_effects.innocent,
    "marionette": card_effects.marionette,
    "mists": card_effects.mists,
    "raven": card_effects.raven,
    "seer": card_effects.seer,
    "tempter": card_effects.tempter,
}
