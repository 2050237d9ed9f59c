"""The causes of forfeits: whether a seat could have answered, counted again from the cards that it held."""

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

from tests.games.citadel.position import DECK, A, B, C, arrange_game, arrange_rivals, complete, sample
from tests.wording import Says
from vaultkit.games.dragon_citadel import ending
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.state import CitadelState, Forfeit
from vaultkit.games.messages import Event, Seat

GAME = DragonCitadel()
OPTIONS: list[dict[str, object]] = [
    {"mode": "coop"},
    {"mode": "coop", "crown_duty": "none"},
    {"mode": "coop", "hero_open_crown": "no", "ghost_crowns": "yes"},
    {"mode": "competitive"},
    {"mode": "competitive", "must_answer": "no"},
    {"mode": "competitive", "must_answer": "no", "hero_open_crown": "no"},
    {"mode": "competitive", "crown_duty": "none", "bidding": "ascending"},
    {"mode": "competitive", "low_tie": "replay-card", "dealer": "hand-of-5"},
]


@dataclass
class Round:
    """The cards in each place when the dealer's card was turned up; cards spent since are removed."""

    dealt: str
    hands: list[tuple[str, ...]]
    crowns: list[tuple[str, ...]]
    in_game: tuple[Seat, ...]


def answers_card(card: str, dealt: str) -> bool:
    """Return whether a card answers the dealer's, by its printed suit and rank."""
    if card == "seer":
        return False
    held, asked = DECK.by_id[card], DECK.by_id[dealt]
    if not held.suits:
        return True
    if not asked.suits:
        return not isinstance(held.rank, int)
    return held.suits == asked.suits


def recount(seat: Seat, at: Round, crowns: list[tuple[str, ...]], options: dict[str, str | int]) -> str:
    """Return the ability of a seat that forfeits; `crowns` are the open Crowns that were not spent."""
    if any(answers_card(card, at.dealt) for card in at.hands[seat]):
        return "able"
    asked = DECK.by_id[at.dealt]
    kind = "crown" if not asked.suits else "number" if isinstance(asked.rank, int) else "hero"
    if kind == "hero" and options["hero_open_crown"] == "no":
        return "unable"
    if options["mode"] == "coop":
        owners = range(len(crowns)) if options["ghost_crowns"] == "yes" else at.in_game
        return "unsaved" if any(crowns[owner] for owner in owners) else "unable"
    if not crowns[seat]:
        return "unable"
    return "unsaved" if kind == "hero" else "able"


def words_of(forfeit: Forfeit) -> str:
    """Return the words that must describe a forfeit's ability in a hero or Crown round."""
    return {"able": "chose not to", "unable": "could not", "unsaved": "had no card in hand to"}[forfeit.ability]


def check_game(seed: int) -> Counter[tuple[str, str]]:
    """Play a random game, compare the cause of each forfeit, and return their counts."""
    rng = Random(seed)
    options = complete(**OPTIONS[seed % len(OPTIONS)])
    state = GAME.new(3 + seed % 4, options, DECK)
    now: Round | None = None
    found: Counter[tuple[str, str]] = Counter()
    told: list[Event] = []
    while state.turn is not None:
        before, crowns = len(state.at.forfeits), list(state.at.crowns)
        move = sample(state, rng)
        events = state.apply(move)
        told += events
        if any(event.kind == "turn-up" for event in events):
            dealt = next(event.cards[0] for event in events if event.kind == "turn-up")
            now = Round(dealt, list(state.at.hands), list(state.at.crowns), state.at.active)
        elif move.verb == "crown":
            crowns = [tuple(card for card in own if card != move.operands[0]) for own in crowns]
        for forfeit in state.at.forfeits[before:]:
            assert now is not None
            assert forfeit.ability == recount(forfeit.seat, now, crowns, options), (seed, forfeit, now)
            event = next(event for event in events if event.kind == "forfeit")
            assert event.seat == forfeit.seat
            if forfeit.cause in {"hero", "crown"}:
                assert words_of(forfeit) in event.sentence.words
                assert ("hero" if forfeit.cause == "hero" else "Crown") in event.sentence.words
            found[forfeit.cause, forfeit.ability] += 1
    check_notes(state)
    return found


def check_notes(state: CitadelState) -> None:
    """Check that the game's note describes each forfeit in the same words as its event."""
    outcome = ending.outcome(state)
    assert outcome is not None
    noted = [sentence for label, sentence in outcome.facts if label == "Forfeit"]
    for sentence, forfeit in zip(noted, state.at.forfeits, strict=True):
        assert (sentence.seats, sentence.values) == ((forfeit.seat,), (forfeit.round,))
        assert forfeit.cause in {"thrown", "shown"} or words_of(forfeit) in sentence.words


def test_cause_of_a_forfeit_matches_a_recount_of_the_cards() -> None:
    found = sum((check_game(seed) for seed in range(40)), Counter())
    assert {ability for cause, ability in found if cause in {"hero", "crown"}} >= {"unable", "able"}


@pytest.mark.slow
def test_cause_of_a_forfeit_matches_a_recount_in_500_games() -> None:
    found = sum((check_game(seed) for seed in range(500)), Counter())
    assert sum(found.values()) > 400
    for cause in ("hero", "crown"):
        assert {ability for one, ability in found if one == cause} == {"unable", "unsaved", "able"}


def test_dc_40_player_with_the_duty_to_answer_who_forfeits_could_not_answer() -> None:
    for dealt, fit in (("master-stars", "1-stars"), ("ghost", "raven")):
        game = arrange_rivals(dealt, (fit, "", ""), out=(C,))
        game.play(f"play {fit}", "pass")
        assert game.state.at.forfeits == ((1, B, "hero" if dealt != "ghost" else "crown", "unable"),)
        assert "B could not" in game.told("forfeit")[0].sentence.render("ABC".__getitem__, str)


def test_dc_40_player_without_the_duty_who_could_answer_chose_not_to() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "2-stars", "3-stars"), must_answer="no")
    game.play("play 1-stars", "pass", "play 3-stars")
    (told,) = game.told("forfeit")
    assert told.sentence.render("ABC".__getitem__, str) == Says("B chose not to answer the hero", "forfeits")


def test_dc_20_player_who_withholds_an_open_crown_in_a_crown_round_chose_not_to_pay() -> None:
    game = arrange_rivals("ghost", ("raven", "", "mists"), crowns={B: "beast"})
    game.play("play raven", "pass", "play mists", "pass")
    (told,) = game.told("forfeit")
    assert told.sentence.render("ABC".__getitem__, str) == Says("B chose not to pay for the Crown", "forfeits")


def test_dc_19_party_that_withholds_its_open_crown_has_not_saved_the_player() -> None:
    game = arrange_game("master-stars", ("1-stars", "", "2-stars"), crowns={A: "beast"})
    game.play("play 1-stars", "play 2-stars", "pass")
    (told,) = game.told("forfeit")
    words = "B had no card in hand to answer the hero, was not saved by an open Crown and forfeits."
    assert told.sentence.render("ABC".__getitem__, str) == words
