"""The hero round: every player answers the hero with its suit or a Crown."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.dragon_citadel.answers import answering, who_forfeits
from vaultkit.games.dragon_citadel.headings import HERO
from vaultkit.games.dragon_citadel.open_crowns import Cover
from vaultkit.games.dragon_citadel.step import Step
from vaultkit.games.turn import Turn
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.dragon_citadel.state import CitadelState


def hero_round(state: "CitadelState") -> tuple[Step, ...]:
    """The steps of a hero round (DC-15 to DC-20)."""
    return (answering(state), Cover(), SettleHero())


@dataclass(frozen=True, slots=True)
class SettleHero(Step):
    """Won if every active seat played from hand; no need to beat the hero (DC-15)."""

    def begin(self, state: "CitadelState") -> Turn:
        if len(state.at.played) == len(state.at.active):
            share_spoils(state)
        else:
            state.tell("lost", "The {c0} was not answered by all.", HERO, ("DC-19",), cards=(state.dealt,))
            who_forfeits(state)
        return None


def share_spoils(state: "CitadelState") -> None:
    """DC-16: hero and suited cards to the highest of them, Crowns open before their players."""
    at, facts = state.at, state.rules.cards
    suited = [(seat, card) for seat, card in at.played if not facts.is_crown(card)]
    if suited:
        winner, best = max(suited, key=lambda laid: facts.strength[laid[1]])
        at.won[winner] += (state.dealt, *(card for _, card in suited))
        words = "Everybody has answered. {s0} has the highest card, the {c1}, and wins the {c0}."
        state.tell("won", words, HERO, ("DC-16",), seats=(winner,), cards=(state.dealt, best), notable=True)
        at.dealer_card = None
        at.played = tuple(laid for laid in at.played if facts.is_crown(laid[1]))
    else:
        all_crowns(state)
    open_the_crowns(state)


def all_crowns(state: "CitadelState") -> None:
    """DC-17: no suited card, so nobody earned the hero."""
    at, dealt = state.at, state.dealt
    winner: tuple[Seat, ...] = ()
    words = "Everybody has answered with Crowns, so nobody wins the {c0}."
    if state.rules.says("hero_all_crowns", "first-player"):
        first = at.active[0]
        at.won[first] += (dealt,)
        at.dealer_card = None
        words, winner = "Everybody has answered with Crowns; the {c0} goes to the first player, {s0}.", (first,)
    state.tell("won", words, HERO, ("DC-17",), seats=winner, cards=(dealt,), notable=True)


def open_the_crowns(state: "CitadelState") -> None:
    """DC-16: unless `hero_crowns` discards them."""
    at = state.at
    if not at.played or state.rules.says("hero_crowns", "discard"):
        return
    for seat, crown in at.played:
        at.crowns[seat] += (crown,)
        words = "The {c0} now lies open before {s0}."
        state.tell("opened", words, HERO, ("DC-16",), seats=(seat,), cards=(crown,))
    at.played = ()
