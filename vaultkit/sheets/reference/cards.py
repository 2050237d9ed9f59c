"""A game's reference cards: player aids, and the cards of its deck with what the game says of each."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from vaultkit.compendium import CardEntry, DeckNote, RuleNote
from vaultkit.compendium.cardrules import said_of
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.decks import printable
from vaultkit.sheets.reference.design import Aid, Aids, CardRule, Part
from vaultkit.vault import Vault


def aid_cards(aids: Aids) -> list[PrintableCard]:
    """The player aids."""
    return [PrintableCard(aid.title, text_markdown=_text(aid), hands=aid.hands) for aid in aids.cards]


def house_rules(rules: RuleNote | None) -> list[PrintableCard]:
    """A card with the options that the GM's rule note sets, since they overrule the others; none if it sets none."""
    options = rules.options if rules else {}
    if not options:
        return []
    points = "\n".join(f"- `{key}` = **{value}**" for key, value in options.items())
    told = f"The rule note sets these. Where another card says otherwise, they win.\n\n{points}"
    return [PrintableCard("House rules", text_markdown=told)]


def rule_cards(
    deck: DeckNote, vault: Vault, aids: Aids, rules: RuleNote | None, *, everything: bool = False
) -> Iterator[PrintableCard]:
    """The deck's cards with what the game says of them: those with a rule of their own, or all of the deck."""
    for entry in deck.entries:
        own = said_of(rules.note, entry.card.name) if rules else ""
        ours = [rule for rule in aids.rules if rule.fits(entry.card)]
        if everything or own or any(rule.special for rule in ours):
            label = next((rule.label for rule in ours if rule.label), "")
            yield _card(entry, vault, own or _told(ours), label)


def _card(entry: CardEntry, vault: Vault, rule: str, label: str) -> PrintableCard:
    """The rule first; the card's own meaning stands below it, set apart."""
    card = printable(entry, vault)
    kicker = " · ".join(filter(None, (card.subtitle, label))) if label else ""
    meaning = card.text_markdown.strip()
    quoted = "\n".join(f"> {line}".rstrip() for line in meaning.splitlines()) if rule else meaning
    return replace(card, text_markdown=f"{rule}\n\n{quoted}".strip(), kicker=kicker)


def _told(rules: Iterable[CardRule]) -> str:
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


def _text(aid: Aid) -> str:
    cited = citation(aid.rulings)
    return "\n\n".join([*filter(None, map(_part, aid.parts)), *([f"*Rulings {cited}*"] if cited else [])])


def _part(part: Part) -> str:
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(part.steps, 1))
    points = "\n".join(f"- {point}" for point in part.points)
    return "\n\n".join(filter(None, (part.text, _table(part), steps, points)))


def _table(part: Part) -> str:
    if not part.rows:
        return ""
    lines = [part.head, tuple("---" for _ in part.head), *part.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
