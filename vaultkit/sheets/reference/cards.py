"""A game's reference cards: player aids, and the cards of its deck with what the game says of each."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from vaultkit.compendium import CardEntry, DeckNote, RuleNote
from vaultkit.compendium.cardrules import said_of
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.decks import printable
from vaultkit.sheets.reference.design import Aid, Aids, CardRule, Part
from vaultkit.vault import Vault

Told = Callable[[Collection[str] | None], tuple[str, ...]]
"""Tells the house rules that settle some rulings, or all of them."""


def aid_cards(aids: Aids, told: Told) -> list[PrintableCard]:
    """The player aids; the house rules that change what an aid says stand on it."""
    return [PrintableCard(aid.title, text_markdown=_text(aid, told), hands=aid.hands) for aid in aids.cards]


def house_rules(told: Told) -> list[PrintableCard]:
    """A card with all options that are not as usual, since they overrule the others; none if there are none."""
    points = "\n".join(f"- {line}" for line in told(None))
    text = f"Where another card says otherwise, these win.\n\n{points}"
    return [PrintableCard("House rules", text_markdown=text)] if points else []


def rule_cards(
    deck: DeckNote, vault: Vault, aids: Aids, rules: RuleNote | None, told: Told, *, everything: bool = False
) -> Iterator[PrintableCard]:
    """The deck's cards with what the game says of them: those with a rule of their own, or all of the deck."""
    for entry in deck.entries:
        own = said_of(rules.note, entry.card.name) if rules else ""
        ours = [rule for rule in aids.rules if rule.fits(entry.card)]
        if everything or own or any(rule.special for rule in ours):
            label = next((rule.label for rule in ours if rule.label), "")
            changed = told([number for rule in ours for number in rule.rulings])
            yield _card(entry, vault, _with(changed, own or _said(ours)), label)


def _card(entry: CardEntry, vault: Vault, rule: str, label: str) -> PrintableCard:
    """The rule first; the card's own meaning stands below it, set apart."""
    card = printable(entry, vault)
    kicker = " · ".join(filter(None, (card.subtitle, label))) if label else ""
    meaning = card.text_markdown.strip()
    quoted = "\n".join(f"> {line}".rstrip() for line in meaning.splitlines()) if rule else meaning
    return replace(card, text_markdown=f"{rule}\n\n{quoted}".strip(), kicker=kicker)


def _said(rules: Iterable[CardRule]) -> str:
    """What our rulings say of a card, and which they are."""
    rules = list(rules)
    texts = [rule.text for rule in rules if rule.text]
    cited = citation([number for rule in rules for number in rule.rulings])
    return "\n\n".join([*texts, *([f"*{cited}*"] if cited else [])])


def citation(rulings: Iterable[str]) -> str:
    """Rulings in short, each page's name once: `PG-2, 6, 14`."""
    numbers = sorted({(page, int(number)) for page, _, number in (one.partition("-") for one in rulings)})
    pages = groupby(numbers, key=lambda number: number[0])
    return "; ".join(f"{page}-{', '.join(str(number) for _, number in group)}" for page, group in pages)


def _with(changed: Iterable[str], text: str) -> str:
    return "\n\n".join([text, *(f"**House rule:** {line}" for line in changed)]).strip()


def _text(aid: Aid, told: Told) -> str:
    cited = citation(aid.rulings)
    text = _with(told(aid.rulings), "\n\n".join(filter(None, map(_part, aid.parts))))
    return "\n\n".join(filter(None, [text, f"*Rulings {cited}*" if cited else ""]))


def _part(part: Part) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(part.steps, 1))
    points = "\n".join(f"- {point}" for point in part.points)
    return "\n\n".join(filter(None, (part.text, _table(part), steps, points)))


def _table(part: Part) -> str:
    if not part.rows:
        return ""
    lines = [part.head, tuple("---" for _ in part.head), *part.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
