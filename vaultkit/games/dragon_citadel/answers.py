"""Hero and Crown rounds: every seat answers from hand, is covered, or fails."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.dragon_citadel.commit import Commit, Laid, Question
from vaultkit.games.dragon_citadel.forfeit import NameForfeit, Shows, Throws, forfeit
from vaultkit.games.dragon_citadel.headings import CROWN, HERO
from vaultkit.games.dragon_citadel.open_crowns import failing
from vaultkit.games.dragon_citadel.rules import PASS
from vaultkit.games.dragon_citadel.state import with_joker
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat, Sentence

if TYPE_CHECKING:
    from vaultkit.games.dragon_citadel.state import CitadelState

HEADING = {"hero": HERO, "crown": CROWN}
RULINGS = {"hero": ("DC-18", "DC-25"), "crown": ("DC-22", "DC-23", "DC-25")}
ALONE = {"hero": ("DC-29", "DC-25"), "crown": ("DC-22", "DC-29", "DC-25")}
"""The same in competitive play, where nobody has a duty."""


@dataclass(frozen=True, slots=True)
class Answers(Commit):
    """One hand card from each able seat: a duty in co-op (DC-18, DC-23), sealed and free in competitive play."""

    verb = "plays"

    def moves(self, state: "CitadelState", seat: Seat) -> tuple[Move, ...]:
        play = state.rules.cards.play
        moves = tuple([play[card] for card in state.fitting(seat)])
        return with_joker(state, seat, (*moves, PASS) if may_pass(state) else moves)

    def question(self, state: "CitadelState", seat: Seat) -> Question:
        kind = state.at.rounds[-1]
        words = "{s0}, which card do you put down for the {c0}?"
        if not state.rules.coop:
            words = "{s0}, what do you put down, in secret, for the {c0}?"
        rulings = RULINGS if state.rules.coop else ALONE
        return Sentence(words, (seat,), (state.dealt,)), HEADING[kind], rulings[kind]

    def conclude(self, state: "CitadelState", cards: Laid) -> None:
        """The cards lie on the table; what follows looks at them there."""


def may_pass(state: "CitadelState") -> bool:
    """DC-28: no duties in competitive play; DC-23: `crown_duty` lifts the party's in Crown rounds."""
    free_crowns = state.at.rounds[-1] == "crown" and state.rules.says("crown_duty", "none")
    return not state.rules.coop or free_crowns


def answering(state: "CitadelState") -> Answers:
    """All active seats in competitive play, where who is able is secret; the able ones in co-op."""
    active = state.at.active
    return Answers(tuple(seat for seat in active if state.fitting(seat)) if state.rules.coop else active)


def who_forfeits(state: "CitadelState") -> None:
    """DC-20, DC-21: nobody if all answered; a throw if none did; otherwise one of those who failed."""
    failed = failing(state)
    if not failed:
        return
    if not state.at.played and not state.at.covered:
        state.then(Throws(state.at.active))
    elif len(failed) == 1:
        forfeit(state, failed[0], state.at.rounds[-1])
    elif state.rules.coop:
        state.then(NameForfeit(failed, state.at.rounds[-1]))
    else:
        state.then(Shows(failed))
