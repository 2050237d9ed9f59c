"""Facts about a step of Propheta: who wins a trick, what the trick fulfils, and what a card can still lead to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.propheta.deal import ProphetaView
from vaultkit.games.propheta.events import AIMS, MEANS
from vaultkit.games.propheta.rules import ELEMENTS, ProphetaCards, common_traits, conditions, fulfillable, winner
from vaultkit.games.propheta.state import OVER, PLAY
from vaultkit.games.turn import Move
from vaultkit.text import listing


def step_facts(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield what a step changed, except the points and the players who are out."""
    if len(after.at.tricks) > len(before.at.tricks):
        yield from _won_trick(after)
    elif after.at.phase == PLAY and len(after.at.trick) > len(before.at.trick) and before.at.actor == after.seat:
        yield _open_trick(after)
    yield from _turned_up(before, after)
    if len(after.at.deals) > len(before.at.deals):
        yield from _closed_deal(before, after)


def choice_facts(view: ProphetaView, move: Move) -> Iterator[GameFact]:
    """Yield the points and the aim of a prophecy that a secret choice lays or turns up (VA-11, VA-15)."""
    cards = view.rules.cards
    for card in move.operands:
        points, seat = cards.points[card], view.seat
        if move.verb == "predict":
            aim = Sentence(AIMS[cards.modality[card]], values=(points, MEANS[cards.element[card]]))
            yield GameFact("best-result", seat, cards=(card,), amount=points, sentence=aim)
        else:
            worth = Sentence("It counts {v0} points when all choices are shown.", values=(points,))
            yield GameFact("fulfilled", seat, cards=(card,), amount=points, sentence=worth)


def _won_trick(after: ProphetaView) -> Iterator[GameFact]:
    """Yield who leads after a complete trick, and which elements and prophecies of the viewer the trick fulfils."""
    at, facts, seat = after.at, after.rules.cards, after.seat
    winner_of_trick = at.tricks[-1].winner
    yield GameFact("next", winner_of_trick)
    own = fulfillable(at.predictions[seat], at.shared, seat == winner_of_trick, facts)
    most = max((facts.points[card] for card in own), default=0)
    worth = f"{most} points" if len(own) == 1 else f"up to {most} points"
    met = _list_elements(conditions(at.shared))
    words = f"It fulfils {{v0}}: your {{cards}}, {worth}." if own else "It fulfils {v0}."
    yield GameFact("fulfilled", seat if own else None, cards=own, sentence=Sentence(words, (), own, (met,)))


def _open_trick(after: ProphetaView) -> GameFact:
    """Return what the card that the viewer has just played can still win, lose and fulfil, as others answer it."""
    at, facts, seat = after.at, after.rules.cards, after.seat
    can_win, can_lose = _chances(after)
    common, prophecies = common_traits(at.trick, facts), at.predictions[seat]
    fulfilled_by_win = fulfillable(prophecies, common, True, facts) if can_win else ()
    fulfilled_by_loss = fulfillable(prophecies, common, False, facts) if can_lose else ()
    own = facts.in_order(tuple({*fulfilled_by_win, *fulfilled_by_loss}))
    wins = "may win" if can_win and can_lose else "wins" if can_win else "cannot win"
    met = conditions(common)
    fulfils = "may fulfil {v0}" if met else "fulfils {v0}"
    mine = ": your {cards}" if own else ""
    words = Sentence(f"It {wins}, and {fulfils}{mine}.", (), own, (_list_elements(met),))
    points = max((facts.points[card] for card in own), default=0) + can_win
    return GameFact("best-result", seat, cards=own, amount=points, sentence=words)


def _list_elements(met: Sequence[str]) -> str:
    """Return a list of elements in few words, such as `Fire and Air` or `all but Water`."""
    missing = [element for element in ELEMENTS if element not in met]
    if len(missing) < 2:
        return f"all but {missing[0]}" if missing else "all four"
    return listing(met) or "nothing"


def _chances(after: ProphetaView) -> tuple[bool, bool]:
    """Return whether the viewer's card, the last of the open trick, can win and whether it can lose.

    Every other player is assumed to hold any card that the viewer does not see, so a False is certain.
    """
    at, rules = after.at, after.rules
    visible_cards = after.seen
    unseen = [card for card in rules.cards.ids if card not in visible_cards]
    place, to_come = len(at.trick) - 1, after.seats - len(at.trick)
    wins = {
        winner((*at.trick, *others), rules.cards, rules.literal) == place
        for others in _extreme_answers(unseen, at.trick[0], to_come, rules.cards)
    }
    return True in wins, False in wins


def _extreme_answers(unseen: Sequence[str], lead: str, count: int, facts: ProphetaCards) -> Iterator[tuple[str, ...]]:
    """Yield the sets of `answer_count` unseen cards that are enough to test who can win a trick.

    They consist of the highest and lowest scraps, the highest and lowest other cards, and the 0. No other answers do
    more for or against a card in the trick.
    """
    ladder = facts.ladder[facts.element[lead]]
    zeros = [card for card in unseen if card in facts.zeros]
    scraps, others = (
        sorted(
            (card for card in unseen if (card in facts.scraps) is is_scrap and card not in zeros),
            key=ladder.__getitem__,
        )
        for is_scrap in (True, False)
    )
    kinds = (scraps, scraps[::-1], others, others[::-1], zeros)
    for kind_numbers in combinations_with_replacement(range(len(kinds)), count):
        cards = dict.fromkeys(card for kind, times in Counter(kind_numbers).items() for card in kinds[kind][:times])
        if len(cards) == count:
            yield tuple(cards)


def _turned_up(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield a fact for each prophecy that was turned up; its points are in the score."""
    for seat in range(after.seats):
        for prophecy in after.at.fulfilled[seat][len(before.at.fulfilled[seat]) :]:
            yield GameFact("fulfilled", seat, cards=(prophecy.card,), amount=after.rules.cards.points[prophecy.card])


def _closed_deal(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield the facts of the end of a deal, at which hidden cards are shown (VA-16, VA-19)."""
    at = after.at
    own = tuple(card for card in before.at.predictions[after.seat] if card in at.predictions[after.seat])
    if own:
        words = Sentence("{cards} stays without effect." if len(own) == 1 else "{cards} stay without effect.", (), own)
        yield GameFact("other", after.seat, cards=own, sentence=words)
    if at.aside or any(at.predictions[seat] for seat in _others(after)):
        yield GameFact("revealed", sentence=Sentence("Everybody sees the cards that were hidden in this deal."))
    if after.rules.target:
        yield from _deal_winners(after)
    if at.phase == OVER:
        yield GameFact("ends")


def _others(view: ProphetaView) -> Iterator[Seat]:
    return (seat for seat in range(view.seats) if seat != view.seat)


def _deal_winners(after: ProphetaView) -> Iterator[GameFact]:
    points = [sheet.total for sheet in after.at.deals[-1]]
    best = tuple(seat for seat, own in enumerate(points) if own == max(points))
    words = "{s0} wins the deal." if len(best) == 1 else "The deal ends level between {seats}."
    yield GameFact("other", best[0] if len(best) == 1 else None, sentence=Sentence(words, best))
