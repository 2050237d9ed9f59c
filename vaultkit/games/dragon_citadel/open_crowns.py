"""The use of open Crowns in hero and Crown rounds: each one spent saves a seat from forfeiting (DC-19, DC-22)."""

from vaultkit.games.dragon_citadel.rules import CROWN, HERO, JOKER, OPEN_CROWNS, PASS, CitadelRules
from vaultkit.games.dragon_citadel.state import CitadelState, CitadelTask, CitadelView, JokerTask
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Move, Prompt, Turn, card_moves

SPENDING_RULINGS = {"hero": "DC-19", "crown": "DC-22"}


def spending_rulings(state: CitadelState) -> tuple[str, ...]:
    """Return the rulings on spending open Crowns in this round: DC-25 in co-op, DC-29 in competitive play."""
    round_ruling = SPENDING_RULINGS[state.at.rounds[-1]]
    return (round_ruling, "DC-25", "DC-30") if state.rules.coop else (round_ruling, "DC-29", "DC-30")


def party_may_spend(game: CitadelState | CitadelView) -> tuple[Seat, ...]:
    """Return the seats whose open Crowns the party may use: the active ones, or by option all of them (DC-30)."""
    return tuple(range(game.seats)) if game.rules.has_option("ghost_crowns", "yes") else game.at.active


def can_crowns_save(rules: CitadelRules, round_kind: str) -> bool:
    """Return whether open Crowns may be spent in a round of a kind (DC-10, DC-19, DC-22)."""
    return round_kind != "hero" or rules.has_option("hero_open_crown", "yes")


def spendable_crowns(state: CitadelState, seat: Seat) -> tuple[str, ...]:
    """Return the open Crowns that may be spent for a seat: by the party in co-op, else by the seat itself."""
    if not can_crowns_save(state.rules, state.at.rounds[-1]):
        return ()
    owners = party_may_spend(state) if state.rules.coop else (seat,)
    return tuple(card for owner in owners for card in state.at.crowns[owner])


def open_crown_moves(state: CitadelState, owners: tuple[Seat, ...]) -> tuple[Move, ...]:
    """Return the moves that spend the open Crowns of `owners`."""
    return card_moves("crown", (card for owner in owners for card in state.at.crowns[owner]))


def failed_seats(game: CitadelState | CitadelView) -> tuple[Seat, ...]:
    """Return the active seats that neither played a card nor are covered by a Crown."""
    safe_seats = {seat for seat, _ in (*game.at.played, *game.at.covered)}
    return tuple(seat for seat in game.at.active if seat not in safe_seats)


class OfferCrowns(CitadelTask):
    """The start of the tasks in which open Crowns may save the seats that have not answered, from the dealer's left."""

    def begin(self, state: CitadelState) -> Turn:
        round_kind, active = state.at.rounds[-1], state.at.active
        is_allowed = can_crowns_save(state.rules, round_kind)
        for seat in reversed(failed_seats(state)):
            if state.rules.coop:
                state.push_tasks(PartyCovers(seat, party_may_spend(state) if is_allowed else ()))
            elif is_allowed:
                donors = tuple(other for other in active if other != seat) if round_kind == "crown" else ()
                state.push_tasks(OwnersCover(seat, (seat, *donors)))
        return None


class PartyCovers(JokerTask):
    """Co-op: The party's choice whether to spend an open Crown of one of `owners` for `seat`.

    If the seat holds the joker, it may be played instead.
    """

    seat: Seat
    owners: tuple[Seat, ...]

    def begin(self, state: CitadelState) -> Turn:
        crown_moves = open_crown_moves(state, self.owners)
        joker_moves = (JOKER,) if state.has_joker(self.seat) else ()
        if not crown_moves and not joker_moves:
            return None
        held_words = "did not answer" if state.fitting_cards(self.seat) else "holds no card that answers"
        words = f"{{s0}} {held_words} the {{c0}}. The party may spend an open Crown, or pass."
        if not crown_moves:
            words = f"{{s0}} {held_words} the {{c0}}. The party may have {{s0}} play the joker, or pass."
        text = Sentence(words, (self.seat,), (state.dealt,))
        moves, ends = (*crown_moves, PASS, *joker_moves), state.rules.ends
        return Prompt(state.party, text, OPEN_CROWNS, spending_rulings(state), moves, party=True, ends=ends)

    def answer(self, state: CitadelState, move: Move) -> None:
        if move != PASS:
            save_with_crown(state, move.operands[0], self.seat)


class OwnersCover(CitadelTask):
    """Competitive: The choice of each of `owners`, one after the other, whether to spend an open Crown for `seat`.

    The seat itself is asked first; only in Crown rounds are others asked.
    """

    seat: Seat
    owners: tuple[Seat, ...]

    def begin(self, state: CitadelState) -> Turn:
        if not self.owners:
            return None
        owner = self.owners[0]
        crown_moves = open_crown_moves(state, (owner,))
        if not crown_moves:
            state.push_tasks(OwnersCover(self.seat, self.owners[1:]))
            return None
        words = "{s0}, you have not answered the {c0}. Will you spend an open Crown?"
        if owner != self.seat:
            words = "{s1} has not answered the {c0}. {s0}, will you give an open Crown for {s1}?"
        text = Sentence(words, (owner, self.seat), (state.dealt,))
        return Prompt(owner, text, OPEN_CROWNS, spending_rulings(state), (*crown_moves, PASS))

    def take(self, state: CitadelState, move: Move) -> None:
        if move != PASS:
            save_with_crown(state, move.operands[0], self.seat)
            return
        state.tell("pass", "{s0} spends no Crown.", OPEN_CROWNS, ("DC-19", "DC-22"), seats=self.owners[:1])
        state.push_tasks(OwnersCover(self.seat, self.owners[1:]))

    def remove_seat(self, seat: Seat) -> "OwnersCover | None":
        owners = tuple(owner for owner in self.owners if owner != seat)
        return None if seat == self.seat else OwnersCover(self.seat, owners)


def save_with_crown(state: CitadelState, crown: str, seat: Seat) -> None:
    """Spend an open Crown so that `seat` does not forfeit."""
    owner = state.spend_crown(crown, seat)
    words = "{s0} spends the open {c0} and is saved."
    if owner != seat:
        words = "{s0} gives the open {c0}, and {s1} is saved."
    heading = HERO if state.at.rounds[-1] == "hero" else CROWN
    state.tell("crown", words, heading, spending_rulings(state), seats=(owner, seat), cards=(crown,), notable=True)
