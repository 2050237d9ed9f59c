"""Answers to `?`: the rule of this moment with the cards in it, what a card says, or a heading of the rules."""

import re
from collections.abc import Iterator
from dataclasses import replace

from vaultkit.cards import Card, Deck
from vaultkit.games.turn import Chance, Prompt
from vaultkit.scene.reference import Reference
from vaultkit.session.card_names import cards_meant, goes_by
from vaultkit.session.passages import Passage
from vaultkit.sorting import without_article

_RULING = re.compile(r"[A-Za-z]{1,3}-\d+")


def of_turn(turn: Prompt | Chance, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """The text of every card that a question names, then the rule that it cites and those of its moves.

    The rules come last, where they stay on the screen; the cards of the moves are asked for by name. Where the rules
    speak of the card in question, nothing more is shown.
    """
    named = [card_id for card_id in dict.fromkeys(turn.text.cards) if card_id in deck.by_id]
    texts = [text for card_id in named if (text := reference.card(card_id))]
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


def of_text(wanted: str, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """The passages that a person asks for by name: a ruling such as `G-8`, cards, or a heading of the rule note."""
    if _RULING.fullmatch(wanted):
        rule = reference.rule("", (wanted.upper(),))
        if rule:
            yield rule
        return
    named = [card for card in deck if goes_by(wanted, card)]
    section = None if named else reference.section(wanted)
    if not named and not (section and _is_titled(section, wanted)):
        named = cards_named(wanted, deck)
    for card in named:
        yield of_card(card, reference)
    if section and not named:
        yield section


def of_card(card: Card, reference: Reference) -> Passage:
    """A card's text, and where it has none what the deck says of the card."""
    found = reference.card(card.id)
    if found and found.text.strip():
        return found
    return replace(found or Passage(card.title, ""), text=_facts(card) or "This card has no text in the deck's note.")


def cards_named(wanted: str, deck: Deck) -> list[Card]:
    """Cards by id or name, else by how their name or title begins, else by a word in it, else by a short code."""
    text = " ".join(wanted.casefold().split())
    dashed = text.replace(" of ", " ").replace(" ", "-")
    if not text:
        return []
    for fits in (
        lambda card: text in {card.id.casefold(), card.name.casefold()} or dashed == card.id.casefold(),
        lambda card: card.title.casefold().startswith(text),
        lambda card: text in card.title.casefold(),
    ):
        found = [card for card in deck if fits(card)]
        if found:
            return found
    return list(cards_meant(wanted, deck, deck.by_id))


def _facts(card: Card) -> str:
    """A line for each thing that a deck's table says of a card."""
    rank = () if card.rank is None else (("rank", str(card.rank)),)
    suits = ("suit" if len(card.suits) == 1 else "suits", " and ".join(card.suits))
    facts = (*rank, suits, *((key, value) for key, value in card.traits.items() if key != str(card.rank)))
    return "\n".join(f"{key.capitalize()}: {value}" for key, value in facts if value)


def _is_titled(passage: Passage, words: str) -> bool:
    """Whether a passage stands under just these words; an article does not count."""
    return without_article(passage.title) == without_article(words)
