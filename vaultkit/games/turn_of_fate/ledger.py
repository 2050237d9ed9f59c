"""The ledger of Turn of Fate: an entry for each turn, with the Fate played and the Citizen introduced."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.games.ledger import EntryQuestion, Ledger, LedgerLine, list_seats, refuse
from vaultkit.games.messages import Event, Seat, Sentence
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.games.turn import Move, draw_move
from vaultkit.games.turn_of_fate.fate_play import carry_out_play, find_citizen
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, PLAYING, RIVAL, SETTING_UP, TEMPLES, YOUR_TURN, Stack
from vaultkit.games.turn_of_fate.scoresheet import BOXES, PILES, TEMPLE_SUITS
from vaultkit.games.turn_of_fate.setup import INITIAL_CITIZEN_COUNT, OPENING_HAND_SIZE, lead_temples
from vaultkit.games.turn_of_fate.state import FateState
from vaultkit.games.turn_of_fate.turns import (
    MAX_IDLE_TURN_COUNT,
    is_introduction_impossible,
    is_nobody_left,
    place_citizen,
    take_from_deck,
)
from vaultkit.text import format_count

PASS_WORD, OVER_WORD, STALLED_WORD = "pass", "over", "stalled"


class FateLedger(Ledger):
    """The ledger of Turn of Fate.

    Entries have neither the player whose turn it is nor the cards drawn; the rules say where played cards lie.
    """

    words: ClassVar[Mapping[str, str]] = {
        PASS_WORD: "no Fate is played", OVER_WORD: "no Fate to play or to draw", STALLED_WORD: "two idle turns",
        **{word: f"the temple of the {suit}" for word, suit in TEMPLE_SUITS.items()},
    }  # fmt: skip
    unnoted = "the Fates drawn"

    def begin(self) -> None:
        self._least_left = len(self.cards.fates) - self.seats * OPENING_HAND_SIZE
        """The fewest Fates that the deck can still hold, since nobody types how many are drawn."""

    @property
    def question(self) -> EntryQuestion:
        at = self.state.at
        if not at.temples:
            return EntryQuestion(Sentence("Who serves which temple? One name will do."), TEMPLES, ("TF-1", "TF-2"))
        if self._is_setting_up:
            words = "Which Citizens are introduced before the first turn?"
            return EntryQuestion(Sentence(words), SETTING_UP, ("TF-6",))
        words = "Turn {v0}, {s0}: the Fate and on whom, then who is introduced."
        return EntryQuestion(Sentence(words, (at.mover,), (), (at.number + 1,)), PLAYING, ("TF-12", "TF-20"))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        if not self.state.at.temples:
            return (("{s0} moons", "{s0} serves the temple of the Moons, the other the rival's"),)
        if self._is_setting_up:
            return (("author, savage, ...", "all Citizens that were turned up, in order, on one line or several"),)
        return (
            ("journey soldier merchant", "plays the Journey on the Soldier; the Merchant is introduced"),
            ("pass merchant", "plays no Fate; the Merchant is introduced"),
            ("ace leaves, crown leaves, soldier", "the wild Crown, for an Ace"),
            ("over", "nobody to introduce, no Fate to play or to draw; stalled: two idle turns"),
        )

    def possible_cards(self, entry: LedgerLine) -> frozenset[str]:
        """Return the cards that may come next in an entry.

        After a Fate these are the Citizens in play and the wild Crowns; else the Fates that do not lie open, and the
        Citizens who have not been introduced.
        """
        at, open_cards = self.state.at, set(self._open_cards)
        if entry and entry[-1] in self.cards.fates:
            return frozenset((*(stack[0] for stack in at.in_play), *self.cards.wild.values()))
        fates = [card for card in self.cards.fates if card not in open_cards]
        return frozenset((*fates, *at.citizens.unknown, *at.citizens.bottom))

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        return self.carry_out(lambda state: self._write(state, entry))

    def tally(self) -> Tally:
        outcome, seats = self.outcome(), []
        for parts, temple in zip(outcome.scores, self.state.at.temples, strict=True):
            boxes = {f"{row}.{box}": parts[f"{name}.{box}"] for row, name in PILES.items() for box in BOXES}
            seats.append(SeatTally({**boxes, "temple": temple.lower(), "score": parts["total"]}))
        return Tally(self.options, tuple(seats), {"outcome": outcome.kind})

    @property
    def _is_setting_up(self) -> bool:
        at = self.state.at
        return at.number == 0 and len(at.in_play) < INITIAL_CITIZEN_COUNT and len(at.citizens) > 0

    @property
    def _open_cards(self) -> tuple[str, ...]:
        """The cards that lie open on the table or out of the game."""
        at = self.state.at
        stacks: tuple[Stack, ...] = (*at.in_play, *at.vowed[0], *at.vowed[1], at.removed)
        return tuple(card for stack in stacks for card in stack)

    def _write(self, state: FateState, entry: LedgerLine) -> None:
        for word in (STALLED_WORD, OVER_WORD):
            if word in entry[:-1] or (word == STALLED_WORD and word in entry[1:]):
                place_words = "on a line of its own" if word == STALLED_WORD else "at the end of a line"
                refuse(f"Type {word} {place_words}.", rulings="TF-22, TF-23")
        if not state.at.temples:
            self._settle_temples(state, entry)
        elif self._is_setting_up:
            self._set_up(state, entry)
        elif entry == (STALLED_WORD,):
            self._end_stalled(state)
        elif entry == (OVER_WORD,):
            self._check_over(state)
            state.finish("no-fate", state.at.mover)
        else:
            self._take_turn(state, self._without_mover(entry))

    def _settle_temples(self, state: FateState, entry: LedgerLine) -> None:
        seats, suits = list_seats(entry), [TEMPLE_SUITS[token] for token in entry if token in TEMPLE_SUITS]
        if not seats or len(seats) != len(suits) or len(seats) + len(suits) < len(entry):
            refuse("Type a name and a temple: Moons, Wyrms, Suns or Leaves.", rulings="TF-1")
        if len(suits) > 1 and (len({*seats}) < len(seats) or RIVAL[suits[0]] != suits[1]):
            refuse("Each player serves one temple, and the two are rivals: Moons and Wyrms, or Suns and Leaves.",
                   rulings="TF-2")  # fmt: skip
        state.at.player_1 = seats[0]
        lead_temples(state, suits[0])
        state.at.mover = next(seat for seat, temple in enumerate(state.at.temples) if temple in FIRST_TO_MOVE)

    def _set_up(self, state: FateState, entry: LedgerLine) -> None:
        if len(state.at.citizens) == len(self.cards.citizens):
            self._check_first_citizen(state, entry[0])
        for token in entry:
            if len(state.at.in_play) >= INITIAL_CITIZEN_COUNT:
                refuse(f"{INITIAL_CITIZEN_COUNT} Citizens are in play: the first turn begins.", rulings="TF-6")
            self._introduce(state, (token,), 1 - state.at.mover)

    def _check_first_citizen(self, state: FateState, card: str) -> None:
        """Raise EntryRefused if the first Citizen would have settled other temples than the ones typed (TF-1)."""
        if card not in self.cards.citizens or not state.rules.has_option("temples", "by-card"):
            return
        suit, sailor = self.cards.top_suit(card), state.rules.options["sailor"]
        if suit is None and sailor == "redraw":
            refuse("The {c0} does not come first: another Citizen is turned up.", cards=(card,), rulings="TF-1")
        suit = suit or (self.cards.first_temple(card) if sailor == "leaves" else None)
        if suit and suit not in state.at.temples:
            words = f"The {{c0}} comes first, so one temple is that of the {suit}. u takes the temples back."
            refuse(words, cards=(card,), rulings="TF-1")

    def _without_mover(self, entry: LedgerLine) -> LedgerLine:
        """Return the entry without the name of the player whose turn it is. Raises EntryRefused for another name."""
        mover = self.state.at.mover
        for seat in list_seats(entry):
            if seat != mover:
                refuse("It is the turn of {s0}.", mover, rulings="TF-3")
        return tuple(token for token in entry if token != f"@{mover}")

    def _take_turn(self, state: FateState, entry: LedgerLine) -> None:
        at, seat, tokens = state.at, state.at.mover, list(entry)
        at.number += 1
        is_over = tokens[-1:] == [OVER_WORD]
        tokens = tokens[: len(tokens) - is_over]
        fates = [token for token in tokens if token in self.cards.fates]
        if PASS_WORD in tokens and (fates or tokens[0] != PASS_WORD or tokens.count(PASS_WORD) > 1):
            refuse("Either a Fate is played, or the line begins with pass.", rulings="TF-11")
        if tokens[:1] == [PASS_WORD]:
            tokens = tokens[1:]
            words = "Turn {v0}: {s0} plays no Fate."
            state.tell("pass", words, YOUR_TURN, ("TF-11",), seats=(seat,), values=(at.number,))
            self.end_part(state.reported)
        elif fates:
            tokens = self._play(state, tokens, fates)
        else:
            refuse("Which Fate was played, and on whom? Where none was, begin with pass.", rulings="TF-11")
        if fates and set(fates) & set(tokens):
            refuse("A turn plays one Fate.", rulings="TF-11")
        at.idle = 0 if fates or tokens else at.idle + 1
        self._least_left -= 1 if fates else 2
        if is_nobody_left(state):
            self._introduce(state, tuple(tokens), seat)
            state.finish("nobody-left")
        elif is_over:
            if tokens:
                refuse("Nobody is introduced after over. If the other player is stuck, type over on the next line.",
                       rulings="TF-22")  # fmt: skip
            self._check_over(state)
            state.finish("no-fate", seat)
        else:
            self._introduce_in_turn(state, tokens, seat)

    def _introduce_in_turn(self, state: FateState, citizens: list[str], seat: Seat) -> None:
        """Put the Citizens of one turn into play, as many as the options allow (TF-20, TF-21)."""
        has_option = state.rules.has_option
        is_optional, has_refill = has_option("introduce", "optional"), has_option("introduce", "refill-to-4")
        is_due = not is_optional and not is_introduction_impossible(state)
        is_allowed = not is_introduction_impossible(state)
        for citizen in citizens:
            if not is_allowed and citizen in self.cards.citizens and len(state.at.citizens):
                words = "The {c0} comes too early: no more Citizens are introduced in this turn."
                refuse(words, cards=(citizen,), rulings="TF-20")
            self._introduce(state, (citizen,), seat)
            is_replaced = citizen in self.cards.specials and state.rules.has_option("special_replace", "yes")
            may_refill = has_refill and not is_introduction_impossible(state)
            is_due = len(state.at.citizens) > 0 and (is_replaced or may_refill)
            is_allowed = is_due
        if is_due:
            refuse("Who was introduced? Type it on the same line, or over if it was the last.", rulings="TF-20, TF-21")
        if is_nobody_left(state):
            state.finish("nobody-left")
        else:
            state.at.mover = 1 - seat

    def _end_stalled(self, state: FateState) -> None:
        if state.at.idle < MAX_IDLE_TURN_COUNT:
            words = "The game ends this way only after two turns in a row of pass with nobody introduced."
            refuse(words, rulings="TF-23")
        state.finish("stalled")

    def _check_over(self, state: FateState) -> None:
        """Raise EntryRefused if a Citizen can still be introduced, or a Fate can certainly be drawn (TF-22)."""
        at = state.at
        if len(at.citizens):
            words = f"{format_count(len(at.citizens), 'Citizen')} may still be introduced, so the game is not over."
            refuse(words, rulings="TF-22")
        unplaced_rival_fates = self.cards.bearing[RIVAL[at.temples[at.mover]]].difference(self._open_cards)
        if self._least_left > len(unplaced_rival_fates):
            refuse("{s0} can still draw a Fate, so the game is not over.", at.mover, rulings="TF-22")

    def _play(self, state: FateState, tokens: list[str], fates: list[str]) -> list[str]:
        """Play the Fate at the beginning of an entry and return the rest of the entry."""
        at, is_wild = state.at, len(tokens) > 2 and tokens[1] in self.cards.fates
        *played, citizen = tokens[: 3 if is_wild else 2]
        in_play = {stack[0] for stack in at.in_play}
        if not played or citizen not in in_play:
            words = "On whom was the {c0} played? Type a Citizen who is in play after it."
            refuse(words, cards=fates[:1], rulings="TF-12")
        rival = RIVAL[at.temples[at.mover]]
        for card in played:
            if card in self._open_cards:
                refuse("The {c0} lies on the table already.", cards=(card,))
            if card in self.cards.bearing[rival]:
                words = f"The {{c0}} bears the suit of the {rival}, so {{s0}} cannot hold it."
                refuse(words, at.mover, cards=(card,), rulings="TF-9, TF-12")
        self._check_match(state, played, citizen)
        self._least_left += is_wild and state.rules.has_option("ace_discard", "bottom")
        carry_out_play(state, at.mover, Move("wild" if is_wild else "play", (*played, citizen)))
        self.end_part(state.reported)
        return tokens[len(played) + 1 :]

    def _check_match(self, state: FateState, played: list[str], citizen: str) -> None:
        top_card = find_citizen(state, citizen)[1][-1]
        if len(played) == 1 and played[0] not in self.cards.matching[top_card]:
            words = "The {c0} shares no suit with the {c1}, on which it would lie."
            refuse(words, cards=(played[0], top_card), rulings="TF-12")
        temple = state.at.temples[state.at.mover]
        if len(played) == 2 and (played[0] not in self.cards.aces or self.cards.wild.get(temple) != played[1]):
            refuse("A wild Crown is that of {s0}'s own temple; type it after an Ace.", state.at.mover, rulings="TF-18")

    def _introduce(self, state: FateState, citizens: tuple[str, ...], seat: Seat) -> None:
        for token in citizens:
            if token not in self.cards.citizens:
                refuse("Only Citizens come here.", rulings="TF-6, TF-20")
            if token not in (*state.at.citizens.unknown, *state.at.citizens.bottom):
                refuse("The {c0} has been introduced already.", cards=(token,))
            place_citizen(state, take_from_deck(state, draw_move(token)), seat)
            self.end_part(state.reported)
