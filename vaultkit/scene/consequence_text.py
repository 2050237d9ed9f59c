"""Texts for the consequences of moves, common to the terminal and the browser."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from vaultkit.games.facts import Consequence, FactKind, GameFact
from vaultkit.games.messages import Score, Seat, Sentence, lower_first
from vaultkit.scene.hint import Hint
from vaultkit.scene.scene import Offer, Scene
from vaultkit.session import Session
from vaultkit.text import capitalize_first, group

MAX_LISTED_SCORES = 3
"""The maximum number of possible point changes that are listed one by one; more of them are given as a range."""

DEFAULT_WORDS = {
    "out": "{s0} is out of the game.",
    "permanent": "{cards} will count for {s0} for good.",
    "revealed": "Everybody will see {cards}.",
    "moved": "{s0} gets {cards}.",
    "ends": "The game ends.",
}
"""The words for kinds of facts to which a game gives no sentence; facts of other kinds then have none."""

KINDS_IN_ENDING_LABEL = ("ends", "out")
"""The kinds of facts that the label of a move already mentions if it ends the game."""

TAGS: Mapping[FactKind, Sentence] = {
    "permanent": Sentence("for good"),
    "out": Sentence("you are out"),
    "ends": Sentence("ends the game"),
    "risk": Sentence("at risk"),
}
"""Short words for kinds of facts about the viewer, for lists with little room."""


def gains(offer: Offer, viewer: Seat | None) -> list[tuple[Seat, str]]:
    """Return each seat whose points certainly change, and the change, such as `+2`; the viewer comes first."""
    effects = offer.consequences
    scores = (effect.fact for effect in effects if effect.is_certain and effect.fact.kind == "score")
    facts_by_seat = group((fact.seat, fact) for fact in scores)
    totals = {seat: sum(fact.amount or 0 for fact in facts) for seat, facts in facts_by_seat.items()}
    changes = [(seat, f"{total:+g}") for seat, total in totals.items() if seat is not None and total]
    return sorted(changes, key=lambda gain: gain[0] != viewer)


def result_words(offer: Offer, viewer: Seat | None, session: Session) -> str:
    """Return the changes of points, and then the other consequences, as sentences on one line."""
    changes = [f"{session.name(seat)} {change}." for seat, change in gains(offer, viewer)]
    return " ".join([*changes, *map(session.words, sentences(offer))])


def sentences(offer: Offer) -> list[Sentence]:
    """Return distinct sentences for the consequences of a move except certain points, in the order of importance.

    An end of the game comes first, then what is certain. The seat `offer.you` is called "you". A seat whose points are
    given by `gains` is not named again at the beginning of the first sentence.
    """
    omitted_kinds = KINDS_IN_ENDING_LABEL if offer.ends else ()
    effects = [effect for effect in offer.consequences if effect.fact.kind not in omitted_kinds]
    certain_facts = [effect.fact for effect in effects if effect.is_certain and effect.fact.kind != "score"]
    possible_facts = [effect.fact for effect in effects if not effect.is_certain]
    possible_ends = [fact for fact in possible_facts if fact.kind == "ends"]
    others = [fact for fact in possible_facts if fact.kind != "ends"]
    all_sentences = (
        *map(as_possible, _fact_sentences(possible_ends)),
        *_fact_sentences(certain_facts),
        *_possible_scores(others),
        *map(as_possible, _fact_sentences(others)),
    )
    first_sentences = (_without_gainer(sentence, offer) for sentence in all_sentences[:1])
    named_once = (*first_sentences, *all_sentences[1:])
    return list(dict.fromkeys(sentence.addressed_to(offer.you) for sentence in named_once))


def _fact_sentences(facts: Iterable[GameFact]) -> Iterator[Sentence]:
    return filter(None, map(fact_sentence, facts))


def _without_gainer(sentence: Sentence, offer: Offer) -> Sentence:
    """Return `Bram wins it.` as `Wins it.` if only Bram's points change, since his name then stands before them."""
    is_subject = sentence.words.startswith("{s0} ") and sentence.seats[0] != offer.seat
    if not is_subject or [seat for seat, _ in gains(offer, None)] != [sentence.seats[0]]:
        return sentence
    return replace(sentence, words=capitalize_first(sentence.words.removeprefix("{s0} ")))


def fact_sentence(fact: GameFact) -> Sentence | None:
    """Return the game's own sentence for a fact, or else the default one of its kind.

    Returns None for points without an own sentence, for kinds without default words, and if a seat or card is missing.
    """
    if fact.sentence is not None or fact.kind == "score":
        return fact.sentence
    words = DEFAULT_WORDS.get(fact.kind)
    if words is None or ("{s0}" in words and fact.seat is None) or ("{cards}" in words and not fact.cards):
        return None
    return Sentence(words, () if fact.seat is None else (fact.seat,), fact.cards)


def as_possible(sentence: Sentence) -> Sentence:
    """Return a sentence as a possibility: `Bram is out.` becomes `Perhaps Bram is out.`"""
    return replace(sentence, words=f"Perhaps {lower_first(sentence.words)}")


def _possible_scores(facts: Iterable[GameFact]) -> Iterator[Sentence]:
    """Yield a sentence about each seat that may gain or lose points."""
    scores = group((fact.seat, fact.amount) for fact in facts if fact.kind == "score" and fact.amount)
    for seat, amounts in scores.items():
        if seat is not None:
            gain_amounts = sorted({amount for amount in amounts if amount is not None and amount > 0})
            loss_amounts = sorted({-amount for amount in amounts if amount is not None and amount < 0})
            amounts_by_verb = {"gain": gain_amounts, "lose": loss_amounts}
            parts = [f"{verb} {_list_amounts(amounts)}" for verb, amounts in amounts_by_verb.items() if amounts]
            yield Sentence("{s0} may {v0}.", (seat,), (), (" or ".join(parts),))


def _list_amounts(amounts: Sequence[Score]) -> str:
    if len(amounts) > MAX_LISTED_SCORES:
        return f"{amounts[0]:g} to {amounts[-1]:g}"
    return " or ".join(f"{number:g}" for number in amounts)


def short_sentences(offer: Offer, viewer: Seat | None, *, detailed: bool = False) -> list[Sentence]:
    """Return the consequences of a move besides points in few words, such as `for good`, without a full stop.

    They are the game's own for a fact, else those of facts about the viewer. Only if `detailed`, they include what is
    not certain, whether something is at risk, and the points of permanent cards.
    """
    facts_by_tag: dict[Sentence, list[GameFact]] = {}
    for effect in offer.consequences:
        fact = effect.fact
        tag = fact.short or (TAGS.get(fact.kind) if fact.seat in {viewer, None} else None)
        if tag and (detailed or (effect.is_certain and tag != TAGS["risk"])):
            short = tag.addressed_to(offer.you)
            facts_by_tag.setdefault(short if effect.is_certain else _as_possible_tag(short), []).append(fact)
    points_by_tag = {tag: sum(fact.amount or 0 for fact in facts) for tag, facts in facts_by_tag.items()}
    is_counted = detailed and points_by_tag.get(TAGS["permanent"])
    return [
        replace(tag, words=f"{tag.words} (worth {points:g})") if is_counted and tag == TAGS["permanent"] else tag
        for tag, points in points_by_tag.items()
    ]


def _as_possible_tag(tag: Sentence) -> Sentence:
    return replace(tag, words=f"perhaps {lower_first(tag.words)}")


def warnings(offer: Offer, scene: Scene) -> list[Sentence]:
    """Return the sentences to confirm before a move that ends the game or may put the viewer out of it.

    The list is empty for other moves. A move with a sentence about its ending is always confirmed, other moves only if
    some offered move has no such consequence. A party decides for all its members, so a member who goes out needs no
    confirmation.
    """
    if offer.ends:
        return [offer.ends]
    drastic = _drastic_consequences(offer, scene.you)
    if drastic and not all(_drastic_consequences(other, scene.you) for other in scene.offers):
        return [offer.label, *sentences(replace(offer, consequences=drastic))]
    return []


def _drastic_consequences(offer: Offer, viewer: Seat | None) -> tuple[Consequence, ...]:
    """Return the consequences that certainly end the game, or may put the viewer out of it."""
    return tuple(
        effect
        for effect in offer.consequences
        if (effect.fact.kind == "ends" and effect.is_certain)
        or (effect.fact.kind == "out" and effect.fact.seat == viewer)
    )


def reason_words(hint: Hint, seat: Seat, render: Callable[[Sentence], str]) -> str:
    """Return the reasons for the move of a hint to `seat` as one line; `render` returns a sentence as text."""
    return " ".join(render(sentence.addressed_to(seat)) for sentence in hint.reasons)


def with_pronoun(sentence: Sentence, card: str, prefix: str = "") -> Sentence:
    """Return a sentence with `card` replaced by "it", if it occurs as "the CARD" after `prefix`, or as "the open CARD".

    A sentence with "up the CARD" is returned unchanged.
    """
    words = sentence.words
    for card_index, name in enumerate(sentence.cards):
        if name == card and f"up the {{c{card_index}}}" not in words:
            words = words.replace(f"{prefix}the {{c{card_index}}}", f"{prefix}it")
            words = words.replace(f"the open {{c{card_index}}}", "it")
    return replace(sentence, words=words)
