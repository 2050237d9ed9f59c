"""Facts about a step of Dragon Citadel: what it changes, what a secret choice means, and what a pass risks."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vaultkit.games.dragon_citadel import ending, open_hands, rules
from vaultkit.games.dragon_citadel.dealer import DealerAnswers, last_card_facts
from vaultkit.games.dragon_citadel.forfeit import LowestForfeits
from vaultkit.games.dragon_citadel.number_round import SPOKEN_RANKS, Auction, Bids, OfferOwnCrowns, OfferPartyCrown
from vaultkit.games.dragon_citadel.open_crowns import OwnersCover, PartyCovers, failed_seats
from vaultkit.games.dragon_citadel.rules import CROWN_STRENGTH, PASS
from vaultkit.games.dragon_citadel.state import CitadelView
from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Event, Seat, Sentence
from vaultkit.games.turn import Move

ROUND_TASK_WORDS = {
    "number": "One card of {v0} or a Crown must answer the {c0}, and a higher one wins it.",
    "hero": "Everybody must answer the {c0} with a card of {v0} or a Crown. "
    "If all do, the highest card of {v0} wins it and all {v0} put down.",
    "crown": "Everybody must pay for the {c0} with a hero or a Crown.",
}
MAY_FORFEIT_WORDS = "{s0} may be out of the game."
LOWEST_FORFEITS_WORDS = "all throw a card, and the lowest forfeits."


def current_score(view: CitadelView, seat: Seat) -> int:
    """Return the score of a seat so far, computed as for the champion (DC-32)."""
    sheet = rules.count_parts(view.at.won[seat], len(view.at.crowns[seat]), view.rules.cards)
    return rules.champion_score(sheet, view.rules.options)


def aim(citadel_rules: rules.CitadelRules) -> Sentence:
    """Return the aim of the game, together or as rivals (DC-5, DC-31)."""
    if citadel_rules.coop:
        return Sentence("Answer the dealer's cards together: if anybody is still in when the deck is empty, all win.")
    words = "Win cards from the dealer and stay in: when the deck is empty, the highest score of those left wins."
    return Sentence(words)


def key_facts(view: CitadelView) -> Iterator[Sentence]:
    """Yield the task of the round, the seats that may be out after it, and whether the game is about to end."""
    at, cards = view.at, view.rules.cards
    if at.dealer_card is not None:
        yield _round_task(at.dealer_card, cards)
        yield from _elimination_facts(view)
    if view.rules.coop and at.active[1:]:
        yield Sentence("The party chooses for all, bots too, against numbers and in forfeits; else each does alone.")
    if len(at.active) == (1 if view.rules.coop else 2):
        winner_words = "the dealer wins" if view.rules.coop else "the other wins"
        yield Sentence(f"If {'{s0}' if view.rules.coop else 'one of {seats}'} is out, {winner_words}.", at.active)
    yield from last_card_facts(len(at.deck))


def _round_task(card: str, cards: rules.CitadelCards) -> Sentence:
    return Sentence(ROUND_TASK_WORDS[cards.round_of(card)], (), (card,), (cards.suit.get(card, ""),))


def _elimination_facts(view: CitadelView) -> Iterator[Sentence]:
    """Yield who may be out after a hero or Crown round, once all hands or all answers lie open (DC-20, DC-21)."""
    at, task = view.at, view.pending[-1] if view.pending else None
    if isinstance(task, DealerAnswers) and at.dealer_card and view.rules.coop:
        failure = open_hands.failure_fact(view, at.dealer_card)
        yield from (failure.sentence,) if failure and failure.sentence else ()
    unsaved_seats = failed_seats(view)
    if not isinstance(task, OwnersCover | PartyCovers) or not unsaved_seats:
        return
    if not at.played and not at.covered:
        yield Sentence("Nobody has answered: without an open Crown, all throw a card, and the lowest is out.")
    elif len(unsaved_seats) == 1:
        yield Sentence("{s0} is out after this round, unless an open Crown is spent.", unsaved_seats)
    else:
        choice_words = ": the party chooses" if view.rules.coop else ": who shows the lowest card"
        if _can_crowns_save_all(view, unsaved_seats):
            choice_words = f", unless open Crowns save {'all' if unsaved_seats[2:] else 'both'}"
        yield Sentence(f"One of {{seats}} is out after this round{choice_words}.", unsaved_seats)


def _can_crowns_save_all(view: CitadelView, unsaved_seats: tuple[Seat, ...]) -> bool:
    """Return whether open Crowns can still be spent for each of the seats (DC-19, DC-22, DC-30)."""
    crowns = view.at.crowns
    tasks = [task for task in view.pending if isinstance(task, OwnersCover | PartyCovers)]
    if not {task.seat for task in tasks}.issuperset(unsaved_seats):
        return False  # no Crown was spent for one of them
    if not view.rules.coop and view.at.rounds[-1] == "hero":  # in which nobody gives a Crown for another
        return all(crowns[seat] for seat in unsaved_seats)
    owners = {owner for task in tasks for owner in task.owners}
    return sum(len(crowns[owner]) for owner in owners) >= len(unsaved_seats)


def transition_facts(before: CitadelView, after: CitadelView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield what one step changed, as the seat of both views knows it."""
    yield from _public_facts(before, after, events)
    for lack in after.at.lacks:
        if not lack.drawn and lack not in before.at.lacks and before.at.dealer_card is not None:
            words = Sentence("{s0} holds no card that answers the {c0}.", (lack.seat,), (before.at.dealer_card,))
            yield GameFact("revealed", lack.seat, sentence=words)
    for event in events:
        if event.kind == "forfeit":
            yield GameFact("out", event.seat, sentence=event.sentence)
        elif event.kind == "discard" and event.seat is not None:
            yield GameFact("other", event.seat, cards=event.cards, sentence=event.sentence)


def offer_facts(before: CitadelView, after: CitadelView, events: Sequence[Event]) -> Iterator[GameFact]:
    """Yield what a move of the seat changes at once, wherever the hidden cards are."""
    yield from _public_facts(before, after, events)
    yield from (GameFact("out", event.seat) for event in events if event.kind == "forfeit")


def _public_facts(before: CitadelView, after: CitadelView, events: Sequence[Event]) -> Iterator[GameFact]:
    for seat in range(after.seats):
        if score_change := current_score(after, seat) - current_score(before, seat):
            yield GameFact("score", seat, amount=score_change)
    for event in events:
        yield from _event_facts(event, before, after)
    if after.at.end is not None and before.at.end is None:
        result = ending.outcome(after)
        yield GameFact("ends", after.at.end.seat, sentence=result.reason if result else None)


def _event_facts(event: Event, before: CitadelView, after: CitadelView) -> Iterator[GameFact]:
    """Yield what an event changed that everybody has seen."""
    match event.kind:
        case "turn-up":
            yield GameFact("next", cards=event.cards, sentence=_round_task(event.cards[0], after.rules.cards))
        case "won":
            yield from _win_facts(event, before, after)
        case "opened":  # a Crown, played to a hero that was won, lies open from then on (DC-16)
            words = Sentence(f"The {{c0}} {_open_words(after, ' before {s0}')}.", event.sentence.seats, event.cards)
            yield GameFact("moved", event.seat, cards=event.cards, sentence=words)
        case "lost":
            yield _loss_fact(event)
        case "paid":
            yield GameFact("fulfilled", cards=event.cards, sentence=_in_present(event.sentence))
        case "crown":  # it saves a seat, or in a number round everybody (DC-10)
            saved_seat = event.sentence.seats[-1] if len(event.sentence.seats) > 1 else None
            yield GameFact("fulfilled", saved_seat, event.seat, event.cards[:1], sentence=event.sentence)
        case "discard" if event.seat is None:  # the hand of a seat was hidden
            yield GameFact("moved", cards=event.cards)
        case "reveal":
            yield from map(_reveal_fact, event.sentence.seats, event.cards)
        case "bid":
            yield from _announcement_facts(event, before, after)
        case "deal" | "refill" | "seer-buried":
            yield GameFact("moved", event.seat, cards=event.cards, sentence=event.sentence)
        case "dealer-draw" | "again":
            yield GameFact("other", event.seat, cards=event.cards, sentence=event.sentence)
        case "commit" | "pass" | "plays" | "throws" | "shows" | "bids" | "joker":  # the move's label says enough
            yield GameFact("other", event.seat, cards=event.cards)


def _reveal_fact(seat: Seat, card: str) -> GameFact:
    return GameFact("revealed", seat, cards=(card,), sentence=Sentence("{s0} puts down the {c0}.", (seat,), (card,)))


def _win_facts(event: Event, before: CitadelView, after: CitadelView) -> Iterator[GameFact]:
    if event.seat is None:
        yield GameFact("other", cards=event.cards, sentence=event.sentence)
        return
    seat = event.seat
    won_cards = after.at.won[seat][len(before.at.won[seat]) :]
    opens_crown = event.cards[-1] in after.at.crowns[seat]
    words = event.sentence.words.removeprefix("Everybody has answered. ")
    words = words.replace(", which now lies open", f". The Crown {_open_words(after)}")
    short = Sentence("wins; opens a Crown" if opens_crown else "wins")
    yield GameFact("permanent", seat, cards=won_cards, sentence=Sentence(words, (seat,), event.cards), short=short)
    if opens_crown:
        yield GameFact("other", seat, cards=event.cards[-1:])


def _open_words(view: CitadelView, place: str = "") -> str:
    """Return words on an open Crown and on the players that it can save (DC-10, DC-19, DC-22)."""
    return f"then lies open{place} and can later save {'a player' if view.rules.coop else 'its owner'}"


def _loss_fact(event: Event) -> GameFact:
    words = _in_present(event.sentence)
    if event.seat is not None:
        words = Sentence("{s0} loses the round, without penalty.", (event.seat,))
    return GameFact("other", event.seat, cards=event.cards, sentence=words, short=Sentence("lost, no penalty"))


def _in_present(sentence: Sentence) -> Sentence:
    """Return a sentence on the end of a round as one on what will come of a move."""
    return replace(sentence, words=sentence.words.replace("has paid", "pays").replace("was not", "is not"))


def _announcement_facts(event: Event, before: CitadelView, after: CitadelView) -> Iterator[GameFact]:
    """Yield what a bid at auction reveals: which number or hero the bidder holds, or that it holds a Crown (DC-28)."""
    shown_cards = tuple(after.at.shown - before.at.shown)
    if shown_cards or event.sentence.values == (SPOKEN_RANKS[CROWN_STRENGTH],):
        words = f"Everybody then knows that {{s0}} holds {'the {c0}' if shown_cards else 'a Crown'}."
        sentence = Sentence(words, event.sentence.seats, shown_cards)
        yield GameFact("revealed", event.seat, cards=shown_cards, sentence=sentence)


# The facts of a secret choice, which hold whatever the others choose.


def secret_facts(view: CitadelView, move: Move) -> Iterator[GameFact]:
    """Yield what a card put down in secret means, no matter which cards the others put down (DC-28, DC-29)."""
    task = view.pending[-1]
    if move.operands and isinstance(task, Bids):
        yield from _bid_facts(view, move.operands[0])
    elif move.operands and isinstance(task, DealerAnswers):
        yield from _answer_facts(view, move.operands[0])


def _bid_facts(view: CitadelView, card: str) -> Iterator[GameFact]:
    cards, dealt, seat = view.rules.cards, view.at.dealer_card, view.seat
    assert dealt is not None, "bids answer the dealer's card"
    if cards.strength[card] < cards.strength[dealt]:
        words = Sentence("If it is the best bid, the round is lost, and nobody forfeits.")
        yield GameFact("best-result", seat, cards=(card,), sentence=words)
        return
    won_cards = (dealt,) if cards.is_crown(card) else (dealt, card)
    crown_count = len(view.at.crowns[seat]) + cards.is_crown(card)
    sheet = rules.count_parts((*view.at.won[seat], *won_cards), crown_count, cards)
    gain = rules.champion_score(sheet, view.rules.options) - current_score(view, seat)
    crown_words = f" and {_open_words(view)}" if cards.is_crown(card) else ""
    words = Sentence(f"If it is the best bid, it wins the {{c0}}{crown_words}: {gain:+d}.", (), (dealt,))
    yield GameFact("best-result", seat, cards=won_cards, amount=gain, sentence=words)


def _answer_facts(view: CitadelView, card: str) -> Iterator[GameFact]:
    """Yield what an answer to a hero or a Crown means for the seat, which cannot forfeit any more (DC-20)."""
    cards, dealt, seat = view.rules.cards, view.at.dealer_card, view.seat
    assert dealt is not None, "answers are asked for in a round"
    yield GameFact("fulfilled", seat, cards=(card,), sentence=Sentence("{s0} does not forfeit in this round.", (seat,)))
    if cards.is_crown(dealt) or (cards.is_crown(card) and view.rules.has_option("hero_crowns", "discard")):
        yield GameFact("moved", cards=(card,), sentence=Sentence("It is discarded in any case."))
    elif cards.is_crown(card):
        words = Sentence(f"If everybody answers, it {_open_words(view)}.")
        yield GameFact("best-result", seat, cards=(card,), sentence=words)
    else:
        words = Sentence("If everybody answers, the highest card of the suit wins the {c0}.", (), (dealt,))
        yield GameFact("best-result", seat, cards=(dealt, card), sentence=words)


def risk_facts(view: CitadelView, move: Move) -> Iterator[GameFact]:
    """Yield what a move may cost, by the rules alone: a forfeit after a pass or after the lowest card.

    An open answer to a hero or a Crown costs nothing: who gives it stays in (DC-20).
    """
    task = view.pending[-1]
    if isinstance(task, DealerAnswers) and move.operands and view.rules.coop:
        is_last = len(task.waiting) == 1
        yield from open_hands.open_answer_facts(view, task.waiting[0], move.operands[0], is_last=is_last)
    elif move == PASS:
        yield from _pass_risks(view, task)
    elif isinstance(task, LowestForfeits) and move.operands and not view.rules.coop:
        strength, card = view.rules.cards.strength, move.operands[0]
        unseen_cards = [other for other in view.rules.cards.ids if other not in view.seen and strength[other]]
        lower_count = sum(strength[unseen_card] < strength[card] for unseen_card in unseen_cards)
        words = Sentence("{v0} of {v1} unseen cards are lower.", values=(lower_count, len(unseen_cards)))
        yield GameFact("risk", view.seat, cards=move.operands, amount=lower_count, sentence=words, short=words)


def _pass_risks(view: CitadelView, task: object) -> Iterator[GameFact]:
    if isinstance(task, DealerAnswers):
        yield _forfeit_risk(task.waiting[0])
    elif isinstance(task, OwnersCover | PartyCovers):
        yield _forfeit_risk(task.seat)
    elif isinstance(task, Bids) or (isinstance(task, Auction) and task.leader is None):
        words = f"If nobody bids and no open Crown is spent, {LOWEST_FORFEITS_WORDS}"
        yield GameFact("risk", view.seat, sentence=Sentence(words))
    elif isinstance(task, OfferOwnCrowns):
        words = LOWEST_FORFEITS_WORDS.capitalize()
        if any(view.at.crowns[seat] for seat in task.waiting if seat > view.seat):
            words = f"If nobody else spends an open Crown, {LOWEST_FORFEITS_WORDS}"
        yield GameFact("risk", view.seat, sentence=Sentence(words))
    elif isinstance(task, OfferPartyCrown):
        yield GameFact("risk", view.seat, sentence=Sentence(LOWEST_FORFEITS_WORDS.capitalize()))


def _forfeit_risk(seat: Seat) -> GameFact:
    short = Sentence("{s0} may be out", (seat,))
    return GameFact("risk", seat, sentence=Sentence(MAY_FORFEIT_WORDS, (seat,)), short=short)
