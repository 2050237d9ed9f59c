"""The ledger of Turn of Fate: a line a turn, with the Fate that was played and the Citizen who was introduced."""

from collections.abc import Mapping
from typing import ClassVar

from vaultkit.games.ledger import Asked, Ledger, LedgerLine, refuse, seats_in
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.games.turn import Move, drawn
from vaultkit.games.turn_of_fate.playing import befall, find_citizen
from vaultkit.games.turn_of_fate.rules import FIRST_TO_MOVE, PLAYING, RIVAL, SETTING_UP, TEMPLES, YOUR_TURN, Stack
from vaultkit.games.turn_of_fate.scoresheet import BOXES, PILES
from vaultkit.games.turn_of_fate.setup import IN_PLAY, lead_temples
from vaultkit.games.turn_of_fate.state import FateState
from vaultkit.games.turn_of_fate.turns import introduce, nobody_comes, nobody_left, take_up
from vaultkit.games.words import Event, Seat, Sentence

PASS, OVER, STALLED = "pass", "over", "stalled"


class FateLedger(Ledger):
    """Turns go from one to the other by themselves; what is drawn nobody types. The piles follow from the rules."""

    words: ClassVar[Mapping[str, str]] = {
        PASS: "no Fate is played", OVER: "no Fate to play or to draw", STALLED: "two idle turns",
        **{suit.lower(): f"the temple of the {suit}" for suit in RIVAL},
    }  # fmt: skip
    unnoted = "the Fates drawn"

    @property
    def over(self) -> bool:
        return self.state.at.end is not None

    @property
    def question(self) -> Asked:
        at = self.state.at
        if not at.temples:
            return Asked(Sentence("Who leads which temple? One name will do."), TEMPLES, ("TF-1", "TF-2"))
        if self._is_setting_up:
            return Asked(Sentence("Which Citizens are introduced before the first turn?"), SETTING_UP, ("TF-6",))
        words = "Turn {v0}, {s0}: the Fate and on whom, then who is introduced."
        return Asked(Sentence(words, (at.mover,), (), (at.number + 1,)), PLAYING, ("TF-12", "TF-20"))

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        if not self.state.at.temples:
            return (("{s0} moons", "{s0} leads the temple of the Moons, the other the rival's"),)
        if self._is_setting_up:
            return (("author, savage, ...", "all Citizens that were turned up, in order, on one line or several"),)
        return (
            ("journey soldier merchant", "plays the Journey on the Soldier; the Merchant is introduced"),
            ("pass merchant", "plays no Fate; the Merchant is introduced"),
            ("ace leaves, crown leaves, soldier", "the wild Crown, for an Ace"),
            ("over", "nobody to introduce, no Fate to play or to draw; stalled: two idle turns"),
        )

    def expected(self, entry: LedgerLine) -> frozenset[str]:
        """Citizens after a Fate that are in play; else Fates that lie nowhere, and Citizens to come."""
        at, lying = self.state.at, set(self._lying)
        if entry and entry[-1] in self.cards.fates:
            return frozenset((*(stack[0] for stack in at.in_play), *self.cards.wild.values()))
        fates = [card for card in self.cards.fates if card not in lying]
        return frozenset((*fates, *at.citizens.unknown, *at.citizens.bottom))

    def write(self, entry: LedgerLine) -> tuple[Event, ...]:
        return self.do(lambda state: self._write(state, entry))

    def tally(self) -> Tally:
        outcome, seats = self.outcome(), []
        for parts, temple in zip(outcome.scores, self.state.at.temples, strict=True):
            boxes = {f"{row}.{box}": parts[f"{name}.{box}"] for row, name in PILES.items() for box in BOXES}
            seats.append(SeatTally({**boxes, "temple": temple.lower(), "score": parts["total"]}))
        return Tally(self.options, tuple(seats), {"outcome": outcome.kind})

    @property
    def _is_setting_up(self) -> bool:
        at = self.state.at
        return at.number == 0 and len(at.in_play) < IN_PLAY and len(at.citizens) > 0

    @property
    def _lying(self) -> tuple[str, ...]:
        """The cards that lie open, whose place is known."""
        at = self.state.at
        stacks: tuple[Stack, ...] = (*at.in_play, *at.vowed[0], *at.vowed[1], at.removed)
        return tuple(card for stack in stacks for card in stack)

    def _write(self, state: FateState, entry: LedgerLine) -> None:
        if not state.at.temples:
            self._lead(state, entry)
        elif self._is_setting_up:
            self._introduce(state, entry, 1 - state.at.mover)
        elif entry == (STALLED,):
            state.finish("stalled")
        elif entry == (OVER,):
            state.finish("no-fate", state.at.mover)
        else:
            self._turn(state, entry)

    def _lead(self, state: FateState, entry: LedgerLine) -> None:
        suits = {suit.lower(): suit for suit in RIVAL}
        seat = next(iter(seats_in(entry)), None)
        suit = next((suits[token] for token in entry if token in suits), "")
        if seat is None or not suit:
            refuse("Type a name and a temple: Moons, Wyrms, Suns or Leaves.", rulings="TF-1")
        state.at.player_1 = seat
        lead_temples(state, suit)
        state.at.mover = next(seat for seat, temple in enumerate(state.at.temples) if temple in FIRST_TO_MOVE)

    def _turn(self, state: FateState, entry: LedgerLine) -> None:
        at, seat, rest = state.at, state.at.mover, list(entry)
        at.number += 1
        ends = rest[-1] == OVER
        rest = rest[: len(rest) - ends]
        fates = [token for token in rest if token in self.cards.fates]
        if rest[:1] == [PASS]:
            rest = rest[1:]
            words = "Turn {v0}: {s0} plays no Fate."
            state.tell("pass", words, YOUR_TURN, ("TF-11",), seats=(seat,), values=(at.number,))
        elif fates:
            rest = self._play(state, rest, fates)
        elif rest:
            refuse("Which Fate was played, and on whom? Where none was, begin with pass.", rulings="TF-11")
        if fates and set(fates) & set(rest):
            refuse("A turn plays one Fate.", rulings="TF-11")
        self._introduce(state, tuple(rest), seat)
        if nobody_left(state):
            state.finish("nobody-left")
        elif ends:
            state.finish("no-fate", seat)
        else:
            self._check_introduced(state, rest)
            at.mover = 1 - seat

    def _play(self, state: FateState, rest: list[str], fates: list[str]) -> list[str]:
        """Carry out the play at the beginning of a line; what is left of it."""
        at, wild = state.at, len(rest) > 2 and rest[1] in self.cards.fates
        *played, citizen = rest[: 3 if wild else 2]
        in_play = {stack[0] for stack in at.in_play}
        if not played or citizen not in in_play:
            refuse(
                "On whom was the {c0} played? Type a Citizen who is in play behind it.",
                cards=fates[:1],
                rulings="TF-12",
            )
        for card in played:
            if card in self._lying:
                refuse("The {c0} lies on the table already.", cards=(card,))
        self._check_match(state, played, citizen)
        befall(state, at.mover, Move("wild" if wild else "play", (*played, citizen)))
        return rest[len(played) + 1 :]

    def _check_match(self, state: FateState, played: list[str], citizen: str) -> None:
        top = find_citizen(state, citizen)[1][-1]
        if len(played) == 1 and played[0] not in self.cards.matching[top]:
            words = "The {c0} shares no suit with the {c1}, on which it would lie."
            refuse(words, cards=(played[0], top), rulings="TF-12")
        temple = state.at.temples[state.at.mover]
        if len(played) == 2 and (played[0] not in self.cards.aces or self.cards.wild.get(temple) != played[1]):
            refuse("A wild Crown is the one of {s0}'s own temple, behind an Ace.", state.at.mover, rulings="TF-18")

    def _introduce(self, state: FateState, citizens: tuple[str, ...], by: Seat) -> None:
        for token in citizens:
            if token not in self.cards.citizens:
                refuse("Only Citizens come here.", rulings="TF-6, TF-20")
            if token not in (*state.at.citizens.unknown, *state.at.citizens.bottom):
                refuse("The {c0} has been introduced already.", cards=(token,))
            introduce(state, take_up(state, drawn(token)), by)

    def _check_introduced(self, state: FateState, introduced: list[str]) -> None:
        how = state.rules.options["introduce"]
        if not nobody_comes(state) and (how == "refill-to-4" or (how == "one" and not introduced)):
            refuse("Who was introduced? Type it on the same line, or over if it was the last.", rulings="TF-20")
        if how == "one" and len(introduced) > 1 and state.rules.says("special_replace", "no"):
            refuse("A turn introduces one Citizen.", rulings="TF-20")
