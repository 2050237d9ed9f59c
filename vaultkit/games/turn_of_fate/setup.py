"""The setup tasks of Turn of Fate: Player 1, the temples, the first four Citizens, and the first hands."""

from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Chance, Move, Prompt, Turn
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, RIVAL, SETTING_UP, TEMPLES
from vaultkit.games.turn_of_fate.state import FateState, FateTask
from vaultkit.games.turn_of_fate.turns import BeginTurn, DrawFates, citizen_chance, place_citizen, take_from_deck

INITIAL_CITIZEN_COUNT = 4
"""The number of Citizens in play before the first turn (TF-6)."""
OPENING_HAND_SIZE = 3

TEMPLE_MOVES = tuple(Move("temple", (suit,)) for suit in RIVAL)


def first_tasks() -> list[FateTask]:
    """Return the task stack of a new game; the last task comes first."""
    return [OpeningHands(), FillTable(), FirstCitizen(), SettleTemples(), ChooseFirst()]


class ChooseFirst(FateTask):
    """The choice of Player 1, by the option `first` if that is a seat, else by chance (G-2, TF-3)."""

    def begin(self, state: FateState) -> Turn:
        first_option = state.rules.options["first"]
        if isinstance(first_option, int):
            state.at.player_1 = first_option
            return None
        return Chance("first", Sentence("Chance decides who is Player 1."), ("G-2", "TF-3"), options=("0", "1"))

    def take(self, state: FateState, move: Move) -> None:
        state.at.player_1 = int(move.operands[0])
        words = "{s0} is Player 1 and turns up the first Citizen."
        state.tell("first", words, SETTING_UP, ("G-2", "TF-3"), seats=(state.at.player_1,))


class SettleTemples(FateTask):
    """The choice of temples before the first Citizen is turned up (TF-1).

    With the option `temples: by-card` there is no choice here: the first Citizen settles the temples.
    """

    def begin(self, state: FateState) -> Turn:
        if state.rules.has_option("temples", "chosen"):
            return choose_temple(state)
        if state.rules.has_option("temples", "random"):
            text = Sentence("Chance decides which temple {s0} serves.", (state.at.player_1,))
            return Chance("temple", text, ("TF-1",), options=tuple(RIVAL))
        return None

    def take(self, state: FateState, move: Move) -> None:
        lead_temples(state, move.operands[0])


def choose_temple(state: FateState) -> Prompt:
    """Return the prompt with which Player 1 chooses one of the four temples."""
    seat = state.at.player_1
    text = Sentence("{s0}, which temple do you serve?", (seat,))
    return Prompt(seat, text, SETTING_UP, ("TF-1", "TF-2"), TEMPLE_MOVES)


def lead_temples(state: FateState, suit: str, card: str | None = None) -> None:
    """Give Player 1 the temple of `suit` and Player 2 its rival (TF-1, TF-2).

    `card` is the first Citizen if that card has settled the temples, else None.
    """
    player_1 = state.at.player_1
    suits = (suit, RIVAL[suit])
    state.at.temples = suits if player_1 == 0 else suits[::-1]
    words = "{s0} serves the temple of the {v0}, {s1} that of the {v1}."
    words, cards = (f"The {{c0}} comes first: {words}", (card,)) if card else (words, ())
    rulings, seats = ("TF-1", "TF-2"), (player_1, 1 - player_1)
    state.tell("temples", words, TEMPLES, rulings, seats=seats, cards=cards, values=suits, reveals=bool(card))


class FirstCitizen(FateTask):
    """The turning up of the first Citizen by Player 1, which may settle the temples (TF-1, TF-4)."""

    def begin(self, state: FateState) -> Turn:
        return citizen_chance(state, state.at.player_1, ("TF-1", "TF-4"))

    def take(self, state: FateState, move: Move) -> None:
        card = take_from_deck(state, move)
        if not state.at.temples:
            suit, sailor = state.rules.cards.top_suit(card), state.rules.options["sailor"]
            if suit is None and sailor != "leaves":
                _handle_sailor(state, card, str(sailor))
                return
            lead_temples(state, suit or state.rules.cards.first_temple(card), card)
        place_citizen(state, card, state.at.player_1)


def _handle_sailor(state: FateState, card: str, option: str) -> None:
    """Carry out the option `sailor` after the Sailor, whose top suit no temple has, came first (TF-1).

    With `redraw` another card is turned up; else Player 1 chooses a temple.
    """
    player_1 = state.at.player_1
    words = "{s0} turns up the {c0}, whose top suit belongs to no temple"
    if option == "redraw":
        state.at.citizens = state.at.citizens.with_bottom_cards(card)
        result_words = "; the card goes under the Citizen Deck, and another is turned up."
        state.push_tasks(FirstCitizen())
    else:
        result_words = ": {s0} may choose."
        state.at.turned_up = card
        state.push_tasks(ChooseBySailor())
    state.tell("sailor", words + result_words, SETTING_UP, ("TF-1",), seats=(player_1,), cards=(card,), reveals=True)


class ChooseBySailor(FateTask):
    """The choice of a temple by Player 1 after the Sailor came first, who is then introduced (TF-1, TF-7)."""

    def begin(self, state: FateState) -> Turn:
        return choose_temple(state)

    def take(self, state: FateState, move: Move) -> None:
        lead_temples(state, move.operands[0])
        card, state.at.turned_up = state.at.turned_up, ""
        place_citizen(state, card, state.at.player_1)


class FillTable(FateTask):
    """The turning up of Citizens by Player 2 until four are in play (TF-6, TF-7)."""

    def begin(self, state: FateState) -> Turn:
        if len(state.at.in_play) >= INITIAL_CITIZEN_COUNT or not len(state.at.citizens):
            return None
        return citizen_chance(state, 1 - state.at.player_1, ("TF-6", "TF-7"))

    def take(self, state: FateState, move: Move) -> None:
        place_citizen(state, take_from_deck(state, move), 1 - state.at.player_1)
        state.push_tasks(FillTable())


class OpeningHands(FateTask):
    """The drawing of the first hands (TF-3, TF-8).

    The leader of the Wyrms or Leaves draws first and has the first turn.
    """

    def begin(self, state: FateState) -> Turn:
        mover: Seat = next(seat for seat, temple in enumerate(state.at.temples) if temple in FIRST_TO_MOVE)
        state.at.mover = mover
        state.push_tasks(DrawFates(mover, OPENING_HAND_SIZE), DrawFates(1 - mover, OPENING_HAND_SIZE), BeginTurn())
        return None
