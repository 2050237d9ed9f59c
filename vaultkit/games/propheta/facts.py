"""Facts about a step of Propheta: who wins a trick, what the trick fulfils, and what a card can still lead to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

from vaultkit.games.facts import GameFact
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.propheta.deal import ProphetaView, fulfillable_now
from vaultkit.games.propheta.events import ELEMENT_CONDITIONS, MODALITY_AIMS
from vaultkit.games.propheta.rules import (
    ELEMENTS,
    MODALITIES,
    SEASONS,
    TRAITS,
    ProphetaCards,
    common_traits,
    fulfillable_prophecies,
    met_elements,
    winner_index,
)
from vaultkit.games.propheta.state import OVER, PLAY, REVEAL
from vaultkit.games.turn import HIDDEN, Move
from vaultkit.text import capitalize_first, join_words

LADDER_WORDS = "from high to low: 0 (lowest among scraps), 7 to 1, animal, ribbon, scrap."
"""The ladder of the cards that can win a trick, as the end of a sentence (VA-7, VA-8)."""
NOT_OWN_WORDS = ", none of yours"
"""The words behind elements that a trick fulfils if the viewer has no prophecy for it."""
MAX_BEATING_SHARE = 1 / 8
"""The share of the unseen cards that may beat a strong lead."""
MAX_LISTED_PROPHECY_COUNT = 2
"""The most prophecies that few words about a move list one by one."""


def step_facts(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield what a step changed, except the points and the players who are out."""
    if len(after.at.tricks) > len(before.at.tricks):
        yield from _won_trick_facts(after)
    elif after.at.phase == PLAY and len(after.at.trick) > len(before.at.trick) and before.at.actor == after.seat:
        yield _open_trick_fact(after)
    yield from _turned_up_facts(before, after)
    if before.at.phase == REVEAL and before.at.actor == after.seat and before.at.fulfilled == after.at.fulfilled:
        yield from _waiting_facts(before)
    if len(after.at.deals) > len(before.at.deals):
        yield from _deal_end_facts(before, after)


def choice_facts(view: ProphetaView, move: Move) -> Iterator[GameFact]:
    """Yield the points and the aim of a prophecy that a secret choice lays or turns up (VA-11, VA-15)."""
    cards = view.rules.cards
    if not move.operands:
        yield from _waiting_facts(view)
    for card in move.operands:
        points, seat = cards.points[card], view.seat
        if move.verb == "predict":
            values = (points, ELEMENT_CONDITIONS[cards.element[card]])
            aim_sentence = Sentence(MODALITY_AIMS[cards.modality[card]], values=values)
            yield GameFact("best-result", seat, cards=(card,), amount=points, sentence=aim_sentence)
        else:
            points_sentence = Sentence("It counts {v0} points when all choices are shown.", values=(points,))
            yield GameFact("fulfilled", seat, cards=(card,), amount=points, sentence=points_sentence)


def _waiting_facts(view: ProphetaView) -> Iterator[GameFact]:
    """Yield what becomes of the viewer's prophecies if none of them is turned up now."""
    at, seat = view.at, view.seat
    if not (prophecies := at.predictions[seat]):
        return
    if not at.hands[seat]:
        yield _unfulfilled_fact(seat, prophecies)
        return
    subject = "Your prophecy stays" if len(prophecies) == 1 else "Your prophecies stay"
    words = Sentence(f"{subject} face down for a later trick.")
    if not fulfillable_now(view.rules, at, seat):
        words = Sentence("This trick fulfils none of yours. " + words.words)
    yield GameFact("next", seat, sentence=words)


def _unfulfilled_fact(seat: Seat, prophecies: tuple[str, ...]) -> GameFact:
    """Return that prophecies are not fulfilled in this deal, whose last trick is played (VA-16)."""
    verb = "stays" if len(prophecies) == 1 else "stay"
    words = Sentence(f"{{cards}} {verb} without effect: this was the last trick.", (), prophecies)
    return GameFact("other", seat, cards=prophecies, sentence=words)


def _won_trick_facts(after: ProphetaView) -> Iterator[GameFact]:
    """Yield who leads after a complete trick, and which elements and prophecies of the viewer the trick fulfils."""
    at, card_facts, seat = after.at, after.rules.cards, after.seat
    winner_of_trick = at.tricks[-1].winner
    yield GameFact("next", winner_of_trick)
    own_prophecies = fulfillable_prophecies(at.predictions[seat], at.shared, seat == winner_of_trick, card_facts)
    max_points = max((card_facts.points[card] for card in own_prophecies), default=0)
    points_words = f"{max_points} points{' more' if seat == winner_of_trick else ''} for"
    if own_prophecies[1:]:
        points_words = f"up to {points_words} one of"
    result_words = "win the trick" if seat == winner_of_trick else "lose the trick"
    elements = met_elements(at.shared)
    words, short_words = f"You {result_words}, which fulfils {{v0}}{NOT_OWN_WORDS * bool(elements)}.", "fulfils {v0}"
    values: tuple[str, ...] = (_list_elements(elements),)
    if own_prophecies:
        short_words, values = f"{points_words} your {{cards}}", ()
        words = f"{capitalize_first(short_words)}; you {result_words}."
    if own_prophecies[1:]:
        short_words = f"{points_words} your prophecies"
    sentence, short = (Sentence(text, (), own_prophecies, values) for text in (words, short_words))
    yield GameFact("fulfilled", seat if own_prophecies else None, cards=own_prophecies, sentence=sentence, short=short)


def _open_trick_fact(after: ProphetaView) -> GameFact:
    """Return what the card that the viewer has just played can still win, lose and fulfil, as others answer it."""
    at, card_facts, seat = after.at, after.rules.cards, after.seat
    can_win, can_lose = _winning_chances(after, at.trick)
    by_result = _fulfillable_by_result(after, at.trick)
    own_prophecies = card_facts.sort_cards(tuple({*by_result[True], *by_result[False]}))
    win_words = "may win" if can_win and can_lose else "wins" if can_win else "cannot win"
    elements = met_elements(common_traits(at.trick, card_facts))
    words, values = ("may fulfil {v0}", (_list_elements(elements),)) if elements else ("fulfils nothing", ())
    if own_prophecies:
        words, values = "may fulfil your {cards}", ()
    short = Sentence(words, (), own_prophecies, values)
    words += NOT_OWN_WORDS if elements and not own_prophecies else ""
    if len(own_prophecies) > MAX_LISTED_PROPHECY_COUNT:
        short = Sentence("may fulfil {v0} of your prophecies", values=(len(own_prophecies),))
    points = max((card_facts.points[card] for card in own_prophecies), default=0) + can_win
    sentence = Sentence(f"It {words}, and {win_words}.", (), own_prophecies, values)
    return GameFact("best-result", seat, cards=own_prophecies, amount=points, sentence=sentence, short=short)


def key_facts(view: ProphetaView) -> Iterator[Sentence]:
    """Yield what the open trick can fulfil for the viewer, which card wins, and what the signs and elements mean."""
    at, cards = view.at, view.rules.cards
    if at.trick:
        yield from _own_trick_facts(view)
    if at.phase == PLAY:
        lead_text = f" ({cards.element[at.trick[0]]})" if at.trick else ""
        strong_leads = _list_strong_leads(view) if not at.trick and view.prompt is not None else ()
        yield Sentence(f"Only the element led{lead_text} and numbers win, {LADDER_WORDS}")
        if strong_leads:  # apart from the ladder, which everybody is told, whatever is in a hand
            yield Sentence("Few unseen cards beat your {cards}.", (), strong_leads)
    if at.trick:
        common = common_traits(at.trick, cards)
        traits = ", ".join(trait for place, trait in enumerate(TRAITS) if common >> place & 1) or "nothing"
        elements = join_words(met_elements(common))
        words = f"which fulfils {'prophecies of {v1}' if elements else 'no prophecy'}."
        yield Sentence(f"So far the cards of this trick share {{v0}}, {words}", values=(traits, elements))
    visible_cards = cards.sort_cards((*at.trick, *at.hands[view.seat]))
    legends = (_legend(values, visible_cards, cards) for values in (ELEMENTS, MODALITIES, SEASONS))
    if legend := ". ".join(filter(None, legends)):
        place = "In your hand and the trick" if at.trick else "Your signs"
        yield Sentence("{v0}.", (view.seat,), (), (f"{place}: {legend}",))
    yield Sentence("A trick of one element fulfils Fire, of one modality Earth, of one season Air, of scraps Water.")


def _own_trick_facts(view: ProphetaView) -> Iterator[Sentence]:
    """Yield which prophecies of the viewer the open trick can fulfil, if the viewer wins it and if not."""
    at, cards, prophecies = view.at, view.rules.cards, view.at.predictions[view.seat]
    if not prophecies or HIDDEN in prophecies:
        return
    tricks = [at.trick]
    if is_asked := view.prompt is not None:
        tricks = [(*at.trick, card) for move in view.moves for card in move.operands]
    results = [_fulfillable_by_result(view, trick, is_own=is_asked) for trick in tricks]
    parts, own_prophecies = list[str](), tuple[str, ...]()
    for has_won, words in ((True, "if {s0} wins it"), (False, "if {s0} loses it")):
        if fulfilled := cards.sort_cards(tuple({card for result in results for card in result[has_won]})):
            fields = (f"{{c{len(own_prophecies) + index}}}" for index in range(len(fulfilled)))
            parts.append(f"{join_words(fields, 'or')} {words}")
            own_prophecies += fulfilled
    start = "This trick can fulfil" if is_asked else "So far this trick fulfils"
    yield Sentence(f"{start} {'; '.join(parts) or 'nothing for {s0}'}.", (view.seat,), own_prophecies)


def _fulfillable_by_result(
    view: ProphetaView, trick: Sequence[str], *, is_own: bool = True
) -> Mapping[bool, tuple[str, ...]]:
    """Return the prophecies of the viewer that a trick fulfils, by whether the viewer has won it.

    If the last card `is_own`, the viewer's, they are those that it can still win or lose.
    """
    cards, prophecies = view.rules.cards, view.at.predictions[view.seat]
    common = common_traits(trick, cards)
    possible_results = _winning_chances(view, trick) if is_own else (True, True)
    return {
        has_won: fulfillable_prophecies(prophecies, common, has_won, cards) if is_possible else ()
        for has_won, is_possible in zip((True, False), possible_results, strict=True)
    }


def _legend(trait_values: Sequence[str], cards: Sequence[str], card_facts: ProphetaCards) -> str:
    """Return the signs of cards by the values of a trait: `Fire: Aries, Leo; Earth: Taurus`."""
    signs = ((value, _signs_of_trait(cards, TRAITS.index(value), card_facts)) for value in trait_values)
    return "; ".join(f"{value}: {', '.join(names)}" for value, names in signs if names)


def _signs_of_trait(cards: Sequence[str], place: int, card_facts: ProphetaCards) -> list[str]:
    """Return the signs of the cards with a trait; `place` is its index in `TRAITS`."""
    return list(dict.fromkeys(card_facts.sign[card] for card in cards if card_facts.traits[card] >> place & 1))


def _list_elements(elements: Sequence[str]) -> str:
    """Return a list of elements in few words, such as `Fire and Air`, `all but Water` or `nothing`."""
    missing_elements = [element for element in ELEMENTS if element not in elements]
    if len(missing_elements) < 2:
        return f"all but {missing_elements[0]}" if missing_elements else "all four"
    return join_words(elements) or "nothing"


def _winning_chances(view: ProphetaView, trick: Sequence[str]) -> tuple[bool, bool]:
    """Return whether the viewer's card, the last of an open trick, can win and whether it can lose.

    Every other player is assumed to hold any card that the viewer does not see, so a False is certain.
    """
    rules, own_index, answer_count = view.rules, len(trick) - 1, len(view.at.seats_from(0)) - len(trick)
    unseen_cards = [card for card in rules.cards.ids if card not in view.seen]
    answers = _extreme_answers(unseen_cards, trick[0], answer_count, rules.cards)
    win_results = {winner_index((*trick, *cards), rules.cards, rules.literal) == own_index for cards in answers}
    return True in win_results, False in win_results


def _list_strong_leads(view: ProphetaView) -> tuple[str, ...]:
    """Return the cards that the viewer may lead and few of the unseen cards beat."""
    rules, leads = view.rules, [card for move in view.moves for card in move.operands]
    unseen_cards = [card for card in rules.cards.ids if card not in view.seen]
    results = (
        (card, [winner_index((card, other), rules.cards, rules.literal) for other in unseen_cards]) for card in leads
    )
    return tuple(card for card, winners in results if sum(winners) <= MAX_BEATING_SHARE * len(unseen_cards))


def _extreme_answers(
    unseen_cards: Sequence[str], lead: str, answer_count: int, card_facts: ProphetaCards
) -> Iterator[tuple[str, ...]]:
    """Yield the sets of `answer_count` unseen cards that are enough to test who can win a trick.

    They consist of the highest and lowest scraps, the highest and lowest other cards, and the 0. No other answers do
    more for or against a card in the trick.
    """
    ladder = card_facts.ladder[card_facts.element[lead]]
    zeros = [card for card in unseen_cards if card in card_facts.zeros]
    others = sorted((card for card in unseen_cards if card not in zeros), key=ladder.__getitem__)
    scraps = [card for card in others if card in card_facts.scraps]
    other_cards = [card for card in others if card not in card_facts.scraps]
    card_groups = (scraps, scraps[::-1], other_cards, other_cards[::-1], zeros)
    for group_numbers in combinations_with_replacement(range(len(card_groups)), answer_count):
        counts = Counter(group_numbers).items()
        cards = dict.fromkeys(card for number, count in counts for card in card_groups[number][:count])
        if len(cards) == answer_count:
            yield tuple(cards)


def _turned_up_facts(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield a fact for each prophecy that was turned up; its points are in the score."""
    for seat in range(after.seats):
        for prophecy in after.at.fulfilled[seat][len(before.at.fulfilled[seat]) :]:
            yield GameFact("fulfilled", seat, cards=(prophecy.card,), amount=after.rules.cards.points[prophecy.card])


def _deal_end_facts(before: ProphetaView, after: ProphetaView) -> Iterator[GameFact]:
    """Yield the facts of the end of a deal, at which hidden cards are shown (VA-16, VA-19)."""
    at = after.at
    own_prophecies = tuple(card for card in before.at.predictions[after.seat] if card in at.predictions[after.seat])
    if own_prophecies and before.at.fulfilled != at.fulfilled:
        yield _unfulfilled_fact(after.seat, own_prophecies)
    if at.aside or any(cards for seat, cards in enumerate(at.predictions) if seat != after.seat):
        yield GameFact("revealed", sentence=Sentence("Everybody sees the cards that were hidden in this deal."))
    if after.rules.target:
        yield from _deal_winner_facts(after)
    if at.phase == OVER:
        yield GameFact("ends")


def _deal_winner_facts(after: ProphetaView) -> Iterator[GameFact]:
    points = {seat: after.at.deals[-1][seat].total for seat in after.at.seats_from(0)}
    best_seats = tuple(seat for seat, seat_points in points.items() if seat_points == max(points.values()))
    words = "{s0} wins the deal." if len(best_seats) == 1 else "The deal ends level between {seats}."
    yield GameFact("other", best_seats[0] if len(best_seats) == 1 else None, sentence=Sentence(words, best_seats))
