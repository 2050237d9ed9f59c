"""Lookups during play with `?`: the rule for the current turn, the text of a card, or a passage of the rule note."""

import re
from collections.abc import Iterator
from dataclasses import replace

from vaultkit.cards import Card, Deck
from vaultkit.games.turn import Chance, Prompt
from vaultkit.scene.rule_reference import Reference
from vaultkit.search.passages import Passage
from vaultkit.session.card_names import find_cards, is_exact_name
from vaultkit.text import strip_article

_RULING_PATTERN = re.compile(r"[A-Za-z]{1,3}-\d+")


def turn_passages(turn: Prompt | Chance, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """Yield the text of each card in the question of a turn, the rule that it cites, and the rules for its moves.

    If the text of a card contains what the rules say about it, only the cards are yielded. Cards in moves are not
    included. The rules come last, so that they stay visible on the screen.
    """
    card_ids = [card_id for card_id in dict.fromkeys(turn.text.cards) if card_id in deck.by_id]
    texts = [text for card_id in card_ids if (text := reference.card(card_id))]
    yield from texts
    if any(text.complete for text in texts):
        return
    rule = reference.rule(turn.rule if isinstance(turn, Prompt) else "", turn.rulings)
    if rule:
        yield rule
    for verb in dict.fromkeys(move.verb for move in turn.moves) if isinstance(turn, Prompt) else ():
        section = reference.section(verb)
        if section and _is_titled(section, verb) and not (rule and _is_titled(rule, verb)):
            yield section


def text_passages(text: str, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """Yield the passages that a typed text names: a ruling such as `G-8`, cards, or a section of the rules."""
    if _RULING_PATTERN.fullmatch(text):
        rule = reference.rule("", (text.upper(),))
        if rule:
            yield rule
        return
    cards = [card for card in deck if is_exact_name(text, card)]
    section = None if cards else reference.section(text)
    if not cards and not (section and _is_titled(section, text)):
        cards = search_cards(text, deck)
    for card in cards:
        yield card_passage(card, reference)
    if section and not cards:
        yield section


def card_passage(card: Card, reference: Reference) -> Passage:
    """Return the text of a card, or its rank, suits and traits if it has no text."""
    passage = reference.card(card.id)
    if passage and passage.text.strip():
        return passage
    return replace(
        passage or Passage(card.title, ""), text=_format_facts(card) or "This card has no text in the deck's note."
    )


def search_cards(name: str, deck: Deck) -> list[Card]:
    """Return the cards that a typed text means: by id or name, by a part of the title, or else as `find_cards` does."""
    text = " ".join(name.casefold().split())
    dashed_text = text.replace(" of ", " ").replace(" ", "-")
    if not text:
        return []
    for is_match in (
        lambda card: text in {card.id.casefold(), card.name.casefold()} or dashed_text == card.id.casefold(),
        lambda card: card.title.casefold().startswith(text),
        lambda card: text in card.title.casefold(),
    ):
        cards = [card for card in deck if is_match(card)]
        if cards:
            return cards
    return list(find_cards(name, deck, deck.by_id))


def _format_facts(card: Card) -> str:
    """Return a line each for the rank, the suits and the traits of a card."""
    rank = () if card.rank is None else (("rank", str(card.rank)),)
    suits = ("suit" if len(card.suits) == 1 else "suits", " and ".join(card.suits))
    facts = (*rank, suits, *((key, value) for key, value in card.traits.items() if key != str(card.rank)))
    return "\n".join(f"{key.capitalize()}: {value}" for key, value in facts if value)


def _is_titled(passage: Passage, words: str) -> bool:
    """Return whether `words` are the title of a passage, apart from a leading article."""
    return strip_article(passage.title) == strip_article(words)
