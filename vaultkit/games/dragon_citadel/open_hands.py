"""Facts that open hands tell about a co-op round: who cannot answer, and what becomes of the cards put down."""

from collections.abc import Iterator

from vaultkit.games.dragon_citadel.open_crowns import can_crowns_save, failed_seats, party_may_spend
from vaultkit.games.dragon_citadel.state import CitadelView
from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Seat, Sentence
from vaultkit.text import join_words


def unable_seats(view: CitadelView, card: str) -> tuple[Seat, ...]:
    """Return the seats that have not answered a card of the dealer's, and hold none that does (DC-7, DC-18)."""
    answers = view.rules.cards.answers[card]
    return tuple(seat for seat in failed_seats(view) if answers.isdisjoint(view.at.hands[seat]))


def dealer_card_facts(view: CitadelView, card: str) -> Iterator[GameFact]:
    """Yield who can answer a card that the dealer may play, and whether it puts a player out (DC-2)."""
    if not view.rules.coop:
        return
    if failure := failure_fact(view, card):
        yield failure
        return
    at, cards, unable = view.at, view.rules.cards, unable_seats(view, card)
    verb = "pay for" if cards.is_crown(card) else "answer"
    sentence = Sentence(f"Everybody can {verb} it.")
    if unable:
        sentence = Sentence(f"Only {{seats}} can {verb} it.", tuple(seat for seat in at.active if seat not in unable))
    yield GameFact("next", sentence=sentence)
    answers = cards.answers[card].intersection(held for seat in at.active for held in at.hands[seat])
    if cards.round_of(card) == "number" and all(cards.strength[answer] < cards.strength[card] for answer in answers):
        yield GameFact("next", sentence=Sentence("No answer beats it."))


def failure_fact(view: CitadelView, card: str) -> GameFact | None:
    """Return who cannot answer a card of the dealer's, so that a player is out or must be saved (DC-11, DC-20).

    It is None if enough seats can answer. The sentence calls the card "it".
    """
    at, kind, unable = view.at, view.rules.cards.round_of(card), unable_seats(view, card)
    is_all = len(unable) == len(at.active)
    if not unable or (kind == "number" and not is_all):
        return None
    verb = "pay for" if kind == "crown" else "answer"
    words, seats = f"{{seats}} cannot {verb} it: one of them is out", unable
    if is_all:
        words, seats = f"Nobody can {verb} it: one player is out", ()
    elif len(unable) == 1:
        words = f"{{s0}} cannot {verb} it and is out"
    escapes, cards = list[str](), tuple[str, ...]()
    saving_crown_count = 1 if kind == "number" else len(unable)
    crown_count = sum(len(at.crowns[owner]) for owner in party_may_spend(view))
    if crown_count >= saving_crown_count and can_crowns_save(view.rules, kind):
        escapes.append("an open Crown is spent" if saving_crown_count == 1 else "open Crowns save them all")
    if any(view.rules.cards.joker in at.hands[seat] for seat in at.active):
        escapes, cards = [*escapes, "the {c0} ends the game"], (view.rules.cards.joker,)
    words += f", unless {join_words(escapes, 'or')}." if escapes else "."
    short = Sentence("may put one out" if escapes else "puts one out")
    return GameFact("risk" if escapes else "out", sentence=Sentence(words, seats, cards), short=short)


def open_answer_facts(view: CitadelView, seat: Seat, card: str, *, is_last: bool) -> Iterator[GameFact]:
    """Yield what becomes of an answer to a hero or a Crown that the party sees (DC-16, DC-19, DC-24)."""
    yield GameFact("other", seat, sentence=Sentence("{s0} stays in.", (seat,)))
    dealt, cards = view.at.dealer_card, view.rules.cards
    assert dealt is not None, "answers are asked for in a round"
    is_lost = bool(unable_seats(view, dealt))
    if is_last and not is_lost:
        return  # the round is settled at once
    if is_lost or cards.is_crown(dealt) or (cards.is_crown(card) and view.rules.has_option("hero_crowns", "discard")):
        sentence = Sentence("It is discarded.")
    elif cards.is_crown(card):
        sentence = Sentence("If all answer, it will lie open before {s0} and can later save a player.", (seat,))
    else:
        played_cards = [played for _, played in view.at.played if cards.suit.get(played)]
        best_card = max((card, *played_cards), key=cards.strength.__getitem__)
        words = "It is the highest so far." if best_card == card else "It is lower than the {c0}."
        sentence = Sentence(words, (), () if best_card == card else (best_card,))
    yield GameFact("other", seat, cards=(card,), sentence=sentence)
