"""The end of a game of Prophet's Gambit: the Execution, the Reveal, the values of final hands, and the outcome."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from vaultkit.games.concession import concession_outcome
from vaultkit.games.hands import TAROKKA_NAMES, HandRanking, HandValue
from vaultkit.games.messages import Fact, Outcome, Seat, Sentence
from vaultkit.games.prophets_gambit.rules import (
    ABOVE_NINE,
    BELOW_ONE,
    EXECUTION,
    HAND_SIZE,
    KILL,
    REVEAL,
    SAVE,
    cards_by_order,
)
from vaultkit.games.prophets_gambit.state import (
    GambitState,
    GambitTask,
    GambitView,
    Verdict,
    find_leader,
    leading_reason,
    tie_order,
    tie_reason,
)
from vaultkit.games.turn import Move, Prompt, Turn
from vaultkit.text import join_words

CATEGORY_NUMBERS = {category: len(TAROKKA_NAMES) - place for place, category in enumerate(TAROKKA_NAMES)}
"""The numbers of the categories of hands in score parts: Family 9, Circle 8 ... High card 1, for any order of hands."""

ENDINGS = {"reveal": "The hands are revealed", "donjon": "The Donjon ends it", "match": "A match is decided"}
"""The kinds of outcome, each with a short description."""

MAX_HAND_CARDS = 5


class Execution(GambitTask):
    """The decision to kill or save the Focus (PG-23, PG-35).

    The Executioner decides, else the seat that shows the highest number.
    """

    def begin(self, state: GambitState) -> Turn:
        focus = state.at.focus
        assert focus is not None
        seat, rulings = _find_decider(state)
        reason = "has the Executioner" if rulings[0] == "PG-23" else leading_reason(state, seat)
        words = f"{{s0}} {reason} and decides. {{s0}}, do you kill the Focus, the {{c0}}, or save it?"
        return Prompt(seat, Sentence(words, (seat,), (focus,)), EXECUTION, rulings, (KILL, SAVE))

    def take(self, state: GambitState, move: Move) -> None:
        seat, rulings = _find_decider(state)
        judge(state, seat, move.verb, rulings)


def judge(state: GambitState, seat: Seat, verdict: str, rulings: tuple[str, ...] = ("PG-23", "PG-35")) -> None:
    """Carry out the seat's verdict on the Focus, `kill` or `save`."""
    at = state.at
    assert at.focus is not None
    at.judged = Verdict(seat, verdict, at.focus)
    words = "{s0} {v0}s the Focus, the {c0}" + (": all hands are one card short." if verdict == KILL.verb else ".")
    cards, values = (at.focus,), (verdict,)
    state.tell("execution", words, EXECUTION, rulings, seats=(seat,), cards=cards, values=values, notable=True,
               detail=verdict)  # fmt: skip
    if verdict == KILL.verb:
        at.discard, at.focus = (*at.discard, at.focus), None


def _find_decider(state: GambitState) -> tuple[Seat, tuple[str, ...]]:
    holder = state.holder("executioner")
    return (find_leader(state), ("PG-35", "PG-4", "PG-6")) if holder is None else (holder, ("PG-23",))


class Reveal(GambitTask):
    """The end of the game, at which all turn up their hand and their Fate."""

    def begin(self, state: GambitState) -> Turn:
        at = state.at
        for seat in state.playing:
            fate, hand = at.fates[seat], at.hands[seat]
            assert fate is not None
            words = "{s0} reveals {cards}. With the Focus: {v0}." if at.focus else "{s0} reveals {cards}: {v0}."
            name = hand_text(_seat_hand_value(state, seat))
            cards, values = (*hand, fate), (name,)
            state.tell("reveal", words, REVEAL, ("PG-7", "PG-36", "PG-37"), seats=(seat,), cards=cards, values=values,
                       reveals=True, detail=name)  # fmt: skip
        revealed_cards = [card for seat in state.playing for card in (*at.hands[seat], at.fates[seat]) if card]
        for seat in range(state.seats):
            state.learn(seat, *revealed_cards)
        at.over = True
        return None


def _seat_hand_value(state: GambitState, seat: Seat) -> HandValue:
    """Return the value of the hand that a seat has revealed, or the best that it could reveal now."""
    value = best_final_value(state.view(seat))
    assert value is not None, "cards are dealt before a seat decides"
    return value


def rank_name(rank: int) -> str:
    """Return a rank as text, such as `9` or `Master`."""
    return "Master" if rank in {ABOVE_NINE, BELOW_ONE} else str(rank)


def hand_text(value: HandValue) -> str:
    """Return the category and the ranks of a hand as text, such as `Pair, 9-9-Master-8-7`."""
    return f"{TAROKKA_NAMES[value.category]}, {ranks_text(value)}"


def ranks_text(value: HandValue) -> str:
    """Return the ranks of a hand as text, in the order in which they count: `9-9-Master-8-7`."""
    return "-".join(map(rank_name, value.ranks))


def outcome(state: GambitState) -> Outcome | None:
    """Return the result of a finished game, or None while the game goes on."""
    concessions = state.at.concessions
    if not state.at.over and not concessions.is_end:
        return None
    values = {seat: _seat_hand_value(state, seat) for seat in state.playing}
    # Equal hands go by the count from the dealer (PG-6, PG-7).
    ranked_seats = sorted(tie_order(state), key=lambda seat: _comparison_key(state, values[seat]), reverse=True)
    last_rank = len(ranked_seats) + 1
    ranks = tuple(1 + ranked_seats.index(seat) if seat in values else last_rank for seat in range(state.seats))
    scores = tuple(_score_parts(values.get(seat)) for seat in range(state.seats))
    if concessions.is_end:
        lead_words = "has the best hand so far"
        return concession_outcome(concessions, state.playing, scores, ranks, _facts(state), lead_words=lead_words)
    winner = ranked_seats[0]
    words, rulings, seats = _outcome_reason(state, values, winner)
    return Outcome(
        kind="donjon" if state.at.donjon is not None else "reveal",
        winners=(winner,),
        reason=Sentence(words, seats, (), (TAROKKA_NAMES[values[winner].category],)),
        rulings=rulings,
        scores=scores,
        ranks=ranks,
        facts=(*(_hand_fact(state, seat, values[seat]) for seat in ranked_seats), *_facts(state), *concessions.facts),
    )


def _comparison_key(state: GambitState, value: HandValue) -> tuple[int, tuple[int, ...]]:
    return value.strength, () if state.rules.has_option("tie_compare", "category-only") else value.ranks


def _outcome_reason(
    state: GambitState, values: Mapping[Seat, HandValue], winner: Seat
) -> tuple[str, tuple[str, ...], tuple[Seat, ...]]:
    """Return the reason why the winner has won: the words, the rulings, and the seats that the words refer to."""
    best_value = values[winner]
    best_key = _comparison_key(state, best_value)
    keys = {seat: _comparison_key(state, value) for seat, value in values.items()}
    level_seats = [seat for seat, key in keys.items() if seat != winner and key == best_key]
    if level_seats:
        words = "{s0} wins with a hand equal to that of " + ("another" if len(level_seats) == 1 else "others")
        return f"{words} ({{v0}}): {{s0}} {tie_reason(state)}.", ("PG-6", "PG-7"), (winner,)
    is_only_category = all(value.category != best_value.category for seat, value in values.items() if seat != winner)
    if is_only_category:
        return "{s0} has the best hand: {v0}.", ("PG-37",), (winner,)
    return "{s0} has the best hand: the highest {v0}.", ("PG-7",), (winner,)


def _score_parts(value: HandValue | None) -> dict[str, int]:
    """Return the hand as score parts: its category, its strength in the order in force, and its ranks.

    The part `cards` is the number of ranks; the fifth rank of a hand of four is 0. All parts are 0 for no hand.
    """
    if value is None:
        return dict.fromkeys(("category", "strength", "cards", *map("rank.{}".format, range(1, MAX_HAND_CARDS + 1))), 0)
    ranks = (*value.ranks, *[0] * (MAX_HAND_CARDS - len(value.ranks)))
    rank_parts = {f"rank.{index}": rank for index, rank in enumerate(ranks, 1)}
    number, rank_count = CATEGORY_NUMBERS[value.category], len(value.ranks)
    return {"category": number, "strength": value.strength, "cards": rank_count, **rank_parts}


def _hand_fact(state: GambitState, seat: Seat, value: HandValue) -> Fact:
    fate = state.at.fates[seat]
    assert fate is not None
    hand, focus = state.at.hands[seat], state.at.focus
    cards = (*hand, fate, *([focus] if focus else []))
    parts = [*(f"{{c{place}}}" for place in range(len(hand))), f"the Fate {{c{len(hand)}}}"]
    parts += [f"the Focus {{c{len(hand) + 1}}}"] if focus else []
    words = f"{{s0}}: {{v0}} with {join_words(parts)}"
    return "Hand", Sentence(words, (seat,), cards, (TAROKKA_NAMES[value.category],))


def _facts(state: GambitState) -> tuple[Fact, ...]:
    """Return the facts of the game: the dealer, the Focus, the Risks, the Donjon and the reshuffles (G-12)."""
    at = state.at
    dealers = (at.dealer,) if at.dealer is not None else ()
    facts = [("Dealer", Sentence("{s0}", dealers)), ("Focus", _focus_sentence(state))]
    facts.extend(("Risk", Sentence("{s0} turned the {c0}", (seat,), (card,))) for seat, card in at.risks)
    if at.donjon is not None:
        facts.append(("Donjon", Sentence("{s0} ended the game in round {v0}", (at.donjon,), (), (at.round,))))
    if at.reshuffles:
        facts.append(("Reshuffles", Sentence("{v0}", values=(at.reshuffles,))))
    return tuple(facts)


def _focus_sentence(state: GambitState) -> Sentence:
    at = state.at
    if at.judged is None:
        assert at.focus is not None
        return Sentence("{c0}, in every hand, as there was no Execution", (), (at.focus,))
    verdict_word = "killed" if at.judged.verdict == KILL.verb else "saved"
    return Sentence(f"{{c0}}, {verdict_word} by {{s0}}", (at.judged.seat,), (at.judged.focus,))


def final_value(hand: Sequence[str], fate: str | None, focus: str | None, ranking: HandRanking) -> HandValue:
    """Return the value of the revealed hand; pass None for a Fate that is not dealt or a Focus that was killed."""
    return ranking.value([*hand, *(card for card in (fate, focus) if card is not None)])


def remaining_hands(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Return all hands of three that can be left of a hand; the whole hand if it has fewer cards."""
    return combinations(hand, min(HAND_SIZE, len(hand)))


def best_final_value(view: GambitView, hand: Sequence[str] | None = None) -> HandValue | None:
    """Return the value of the best hand that the viewer can still reveal without another card.

    `hand` stands in for the viewer's hand unless it is None. A marionette loses the card that it must play (PG-28). The
    result is None before any card is dealt.
    """
    at, cards = view.at, view.rules.cards
    hand_cards = tuple(at.hands[view.seat] if hand is None else hand)
    fate, focus = at.fates[view.seat], at.focus
    if not hand_cards and fate is None:
        return None
    forced = at.forced if at.forced and at.forced[0] == view.seat else None
    forced_cards = cards_by_order(hand_cards, forced[1], cards) if forced else ()
    hands = [tuple(card for card in hand_cards if card != forced_card) for forced_card in forced_cards]
    threes = (three for cards_left in hands or [hand_cards] for three in remaining_hands(cards_left))
    return max(final_value(three, fate, focus, cards.ranking) for three in threes)
