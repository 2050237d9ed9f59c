"""The tasks of a turn in Turn of Fate: play, draw, introduce; and the three ways in which the game ends."""

from vaultkit.games.messages import SINGLE_SEAT_SETS, Seat, Sentence
from vaultkit.games.turn import Chance, Move, Prompt, Turn
from vaultkit.games.turn_of_fate.fate_play import AGORA, PLAY_LABELS, carry_out_play, fate_moves, find_citizen, has_play
from vaultkit.games.turn_of_fate.rules import DRAWING, INTRODUCE, INTRODUCING, PASS, PLAYING, YOUR_TURN
from vaultkit.games.turn_of_fate.state import FateState, FateTask

PLAY_QUESTIONS = tuple(Sentence("{s0}, which Fate do you play, and on whom?", (seat,)) for seat in (0, 1))


class BeginTurn(FateTask):
    """The beginning of a turn, or the end of the game if the player is stuck (TF-22)."""

    def begin(self, state: FateState) -> Turn:
        at = state.at
        if is_stuck(state, at.mover):
            state.finish("no-fate", at.mover)
        else:
            at.number += 1
            at.active = False
            state.push_tasks(PlayFate())
        return None


class PlayFate(FateTask):
    """Step 1: The play of a Fate, or of none (TF-11).

    The question is always asked, since a pass without it would tell the rival that no Fate matches.
    """

    def begin(self, state: FateState) -> Turn:
        seat = state.at.mover
        moves = (*fate_moves(state, seat), PASS)
        may_play_wild = state.at.temples[seat] in state.rules.cards.wild
        rulings = ("TF-11", "TF-12", "TF-18") if may_play_wild else ("TF-11", "TF-12")
        question, ends = PLAY_QUESTIONS[seat], ending_moves(state, seat, moves)
        return Prompt(seat, question, PLAYING, rulings, moves, ask_always=True, ends=ends)

    def take(self, state: FateState, move: Move) -> None:
        at, seat = state.at, state.at.mover
        if move == PASS:
            words = "Turn {v0}: {s0} plays no Fate."
            state.tell("pass", words, YOUR_TURN, ("TF-11",), seats=(seat,), values=(at.number,))
            state.push_tasks(DrawFates(seat, 2), CheckStuckAfterDraw())
            return
        at.active = True
        carry_out_play(state, seat, move)
        if is_nobody_left(state):
            state.finish("nobody-left")
        else:
            state.push_tasks(DrawFates(seat, 1), CheckStuckAfterDraw())


class CheckStuckAfterDraw(FateTask):
    """The end of the game if the player is stuck after drawing (TF-22), else the next step."""

    def begin(self, state: FateState) -> Turn:
        if is_stuck(state, state.at.mover):
            state.finish("no-fate", state.at.mover)
        else:
            state.push_tasks(IntroduceCitizens())
        return None


class IntroduceCitizens(FateTask):
    """Step 4: The introduction of one Citizen, of as many as make four, or by choice, by the option (TF-20)."""

    def begin(self, state: FateState) -> Turn:
        if is_introduction_impossible(state):
            state.push_tasks(EndTurn())
            return None
        if state.rules.has_option("introduce", "optional"):
            seat, is_second_idle = state.at.mover, state.at.idle and not state.at.active
            text = Sentence("{s0}, do you introduce a new Citizen?", (seat,))
            ends = HOLD_ENDS if is_second_idle else ()
            return Prompt(seat, text, YOUR_TURN, ("TF-20",), (INTRODUCE, PASS), ends=ends)
        state.push_tasks(TurnUpCitizen())
        return None

    def take(self, state: FateState, move: Move) -> None:
        if move == INTRODUCE:
            state.push_tasks(TurnUpCitizen())
            return
        state.tell("hold", "{s0} introduces nobody.", YOUR_TURN, ("TF-20",), seats=(state.at.mover,))
        state.push_tasks(EndTurn())


class TurnUpCitizen(FateTask):
    """The introduction of one Citizen; by option, another one follows the Bard or the Huntress (TF-21)."""

    def begin(self, state: FateState) -> Turn:
        return citizen_chance(state, state.at.mover, ("TF-20", "TF-21"))

    def take(self, state: FateState, move: Move) -> None:
        at, rules, card = state.at, state.rules, take_from_deck(state, move)
        at.active = True
        place_citizen(state, card, at.mover)
        is_replaced = card in rules.cards.specials and rules.has_option("special_replace", "yes")
        if is_replaced and len(at.citizens):
            state.push_tasks(TurnUpCitizen())
        else:
            state.push_tasks(IntroduceCitizens() if rules.has_option("introduce", "refill-to-4") else EndTurn())


class EndTurn(FateTask):
    """The end of a turn, and of the game if nobody is left (TF-24) or too many turns were idle (TF-23)."""

    def begin(self, state: FateState) -> Turn:
        at = state.at
        at.idle = 0 if at.active else at.idle + 1
        if is_nobody_left(state):
            state.finish("nobody-left")
        elif at.idle == MAX_IDLE_TURN_COUNT:
            state.finish("stalled")
        else:
            at.mover = 1 - at.mover
            state.push_tasks(BeginTurn())
        return None


DRAW_TEXTS = tuple(Sentence("{s0} draws a Fate.", (seat,)) for seat in (0, 1))
DRAW_RULINGS = ("TF-8", "TF-9", "TF-10")


class DrawFates(FateTask):
    """The drawing of `count` more Fates by `seat`.

    In the search for the next Fate, `cycled` cards have been put under the deck so far; it had `deck` cards before.
    """

    seat: Seat
    count: int
    cycled: int = 0
    deck: int = 0

    def begin(self, state: FateState) -> Turn:
        if self.count == 0:
            return None
        if self.cycled and self.cycled == self.deck:
            words = "{s0} goes through the whole Deck of Fates, {v0} cards, and can take none."
            state.tell("no-draw", words, DRAWING, ("TF-10", "TF-19"), seats=(self.seat,), values=(self.deck,))
            return None
        if not self.cycled and is_draw_useless(state, self.seat):
            _report_useless_draw(state, self.seat)
            return None
        return Chance("fate", DRAW_TEXTS[self.seat], DRAW_RULINGS, state.at.fates, seat=self.seat, open=False)

    def take(self, state: FateState, move: Move) -> None:
        at, seat, card = state.at, self.seat, move.operands[0]
        deck_size = self.deck if self.cycled else len(at.fates)
        at.fates = at.fates.remove_cards((card,))
        at.known[seat] |= {card}
        if card in state.rules.cards.bearing[state.rival_suit(seat)]:
            at.fates = at.fates.with_bottom_cards(card)
            _report_cycled_card(state, seat, card)
            state.push_tasks(DrawFates(seat, self.count, self.cycled + 1, deck_size))
        else:
            at.hands[seat] = (*at.hands[seat], card)
            at.active = True
            _report_drawn_card(state, seat, card, self.cycled)
            state.push_tasks(DrawFates(seat, self.count - 1))


def is_draw_useless(state: FateState, seat: Seat) -> bool:
    """Return whether the seat knows every card of the deck and may take none, so that a draw would change nothing.

    Both players know when this is so, because the seat has seen each card that the rival has not put under the deck.
    """
    pile, rival_suit_fates = state.at.fates, state.rules.cards.bearing[state.rival_suit(seat)]
    return not pile.unknown and (rival_suit_fates & state.at.known[seat]).issuperset(pile.bottom)


def _report_useless_draw(state: FateState, seat: Seat) -> None:
    size = len(state.at.fates)
    words = "{s0} can take no Fate: all {v0} that are left bear the rival's suit."
    if size == 1:
        words = "{s0} can take no Fate: the only one left bears the rival's suit."
    if not size:
        words = "The Deck of Fates is empty, and {s0} draws nothing."
    state.tell("no-draw", words, DRAWING, ("TF-10", "TF-19"), seats=(seat,), values=(size,))


def _report_cycled_card(state: FateState, seat: Seat, card: str) -> None:
    """Report, to the seat alone, the card that it puts under the deck; the rival gets only the number later (TF-9)."""
    words = "{s0} finds the {c0}, which bears the rival's suit, and puts it under the deck."
    seen_by = SINGLE_SEAT_SETS[seat]
    state.tell("cycle", words, DRAWING, ("TF-9",), seats=(seat,), cards=(card,), seen_by=seen_by, reveals=True)


def _report_drawn_card(state: FateState, seat: Seat, card: str, cycled: int) -> None:
    cards = "1 card" if cycled == 1 else "{v0} cards"
    cycled_words = f" after putting {cards} under the deck" if cycled else ""
    words = (f"{{s0}} draws the {{c0}}{cycled_words}.", f"{{s0}} draws a Fate{cycled_words}.")
    values = (cycled,) if cycled else ()
    state.tell_in_two_versions("draw", words, DRAWING, DRAW_RULINGS, seats=(seat,), cards=(card,), values=values)


def citizen_chance(state: FateState, seat: Seat, rulings: tuple[str, ...]) -> Chance:
    """Return the turn of luck that turns up the top card of the Citizen Deck for all to see."""
    return Chance("citizen", Sentence("{s0} turns up a Citizen.", (seat,)), rulings, state.at.citizens)


def take_from_deck(state: FateState, move: Move) -> str:
    """Remove the Citizen that `move` turns up from the Citizen Deck, and return their card."""
    card = move.operands[0]
    state.at.citizens = state.at.citizens.remove_cards((card,))
    return card


def place_citizen(state: FateState, citizen: str, introducing_seat: Seat) -> None:
    """Put a Citizen that the seat `introducing_seat` has turned up where the rules send it (TF-4, TF-5, TF-7)."""
    if citizen in state.rules.cards.specials:
        _introduce_special(state, citizen, introducing_seat)
        return
    at, suits = state.at, state.rules.cards.suits[citizen]
    owner = next((seat for seat, temple in enumerate(at.temples) if temple in suits), None)
    words, seats = "{s0} introduces the {c0}, who goes to the Agora.", (introducing_seat, introducing_seat)
    if owner is None:
        at.agora = (*at.agora, (citizen,))
    else:
        at.congregations[owner] = (*at.congregations[owner], (citizen,))
        words, seats = "{s0} introduces the {c0}, who joins the Congregation of {s1}.", (introducing_seat, owner)
    state.tell("introduce", words, INTRODUCING, ("TF-7",), seats=seats, cards=(citizen,), reveals=True)


def _introduce_special(state: FateState, citizen: str, introducing_seat: Seat) -> None:
    """Place the Bard or the Huntress: in their own temple if a player serves it, else out of the game (TF-4, TF-5)."""
    at, temple = state.at, state.rules.cards.specials[citizen]
    takes_vows = temple in at.temples
    owner = at.temples.index(temple) if takes_vows else introducing_seat
    if takes_vows:
        at.vowed[owner] = (*at.vowed[owner], (citizen,))
        words = "The {c0} takes vows in the temple of {s0} as soon as {s1} introduces them."
    else:
        at.removed = (*at.removed, citizen)
        words = "{s0} introduces the {c0}, who has no time for either temple and leaves the city."
    rulings, seats = ("TF-4", "TF-5"), (owner, introducing_seat)
    state.tell("own-mind", words, INTRODUCING, rulings, seats=seats, cards=(citizen,), reveals=True, notable=takes_vows)


MAX_IDLE_TURN_COUNT = 2
"""The number of idle turns in a row that end the game (TF-23)."""
REFILL_CITIZEN_COUNT = 4
"""The number of Citizens in play that `introduce: refill-to-4` fills up to (TF-20)."""

PASS_ENDS = ((PASS, Sentence("Hold back: it is the second idle turn, and the game ends at once")),)
HOLD_ENDS = ((PASS, Sentence("Introduce nobody: it is the second idle turn, and the game ends at once")),)


def is_stuck(state: FateState, seat: Seat) -> bool:
    """Return whether the seat can do nothing more, which ends the game (TF-22).

    That is so if there is nobody to introduce, no Fate to play, and none in the deck that the seat may take.
    """
    at = state.at
    if len(at.citizens) or has_play(state, seat):
        return False
    rival_suit_fates = state.rules.cards.bearing[state.rival_suit(seat)]
    return rival_suit_fates.issuperset(at.fates.unknown) and rival_suit_fates.issuperset(at.fates.bottom)


def is_nobody_left(state: FateState) -> bool:
    """Return whether no Citizen is in play and none is left to introduce (TF-24)."""
    return not len(state.at.citizens) and not state.at.in_play


def is_introduction_impossible(state: FateState) -> bool:
    """Return whether no Citizen can be introduced in this turn, unless one leaves the table first (TF-20)."""
    is_table_full = state.rules.has_option("introduce", "refill-to-4") and len(state.at.in_play) >= REFILL_CITIZEN_COUNT
    return is_table_full or not len(state.at.citizens)


def ending_moves(state: FateState, seat: Seat, moves: tuple[Move, ...]) -> tuple[tuple[Move, Sentence], ...]:
    """Return the moves of which the seat knows that they end the game at once, each with a sentence that says so."""
    at = state.at
    vow_endings: tuple[tuple[Move, Sentence], ...] = ()
    if not len(at.citizens) and len(state.at.in_play) == 1:
        vows = (move for move in moves if move != PASS and _is_vow(state, seat, move))
        vow_endings = tuple((move, _last_vow_sentence(move)) for move in vows)
    is_stalling = at.idle and is_introduction_impossible(state) and is_draw_useless(state, seat)
    return (*vow_endings, *PASS_ENDS) if is_stalling else vow_endings


def _last_vow_sentence(move: Move) -> Sentence:
    return Sentence(f"{PLAY_LABELS[move.verb]}: nobody is left, and the game ends at once", (), move.operands)


def _is_vow(state: FateState, seat: Seat, move: Move) -> bool:
    """Return whether a move plays a Fate on a Citizen and takes this Citizen into the Temple (TF-15)."""
    place, stack = find_citizen(state, move.operands[-1])
    fate = move.operands[-2]
    return place in (AGORA, seat) and state.rules.cards.is_moment(fate, stack[-1], place == seat)
