"""Answers to `?`: the rule of this moment with the cards in it, or what a card says."""

import re
from collections.abc import Iterator

from vaultkit.cards import Card, Deck
from vaultkit.games.turn import Prompt
from vaultkit.play.reference import Passage, Reference

_RULING = re.compile(r"[A-Za-z]{1,3}-\d+")


def of_prompt(prompt: Prompt, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """The text of every card that a prompt's question names, then the rule that it cites.

    The rule comes last, where it stays on the screen; the cards of the moves are asked for by name.
    """
    for card_id in dict.fromkeys(prompt.text.cards):
        text = reference.card(card_id) if card_id in deck.by_id else None
        if text:
            yield text
    rule = reference.rule(prompt.rule, prompt.rulings)
    if rule:
        yield rule


def of_text(wanted: str, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """What a person asks for by name: a ruling such as `G-8`, or the cards that go by it."""
    if _RULING.fullmatch(wanted):
        rule = reference.rule("", (wanted.upper(),))
        if rule:
            yield rule
        return
    for card in cards_named(wanted, deck):
        yield reference.card(card.id) or Passage(card.title, "This card has no text in the deck's note.")


def cards_named(wanted: str, deck: Deck) -> list[Card]:
    """Cards by id or name, else by how their name or title begins, else by a word in it."""
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
    return []
