"""Printable cards from deck notes, for all of a deck or some of its cards."""

import re
from collections.abc import Sequence
from dataclasses import replace

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.cards.deck import find_shortest_prefix
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.compendium.decks import card_line
from vaultkit.errors import InvalidError, NothingFound, UsageError
from vaultkit.sheets.cards.card_sheet import MAX_LISTED_NAMES, CardSet
from vaultkit.sheets.cards.print_card import CardBody, PrintableCard, is_whole, load_frame
from vaultkit.sheets.secrecy import NO_SECRETS, Counts, Secrets, add_counts
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.text.stat_block import expand_admonitions
from vaultkit.sheets.vault_source import VaultSource, language_of
from vaultkit.spelling import did_you_mean_by, map_words_to_names
from vaultkit.text import strip_article
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Vault
from vaultkit.vault.markdown import parse
from vaultkit.vault.text_positions import LINE_END

_TRAITS_SHOWN_ELSEWHERE = {"deck", "value", "kind"}
"""Traits that are not printed, because the card's rank and deck show them."""
_COPIES = re.compile(r"(\d{1,3})\s*[x×]\s*(.+)", re.ASCII | re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", re.ASCII)
_MAX_COPIES = 200
_MAX_CARD_LINE_OFFSET = 6
"""The maximum number of lines between a card's heading and the line with its rank and suit."""
_TEXT_FRAME, _PICTURE_FRAME = "classic", "full"
"""The default frames: a picture that shows a whole card fills it to the edge."""


def deck_set(
    deck: DeckNote, vault: Vault, frame: str = "", selection: str = "", secrets: Secrets = NO_SECRETS
) -> CardSet:
    """Return the cards of a deck, or of a `selection` such as `Raven, 2x Seer, 5-9`, in the frame `frame`.

    Raises InvalidError for a deck without cards, or one that is a secret to be left out, UsageError for an
    unknown card or frame.
    """
    secrets.filter_notes([deck.note])
    deck, hidden = open_deck(deck, vault, secrets)
    cards = deck_cards(deck, vault, frame, selection)
    card_set = CardSet(deck.deck.title, tuple(cards), deck.deck.kind, missing_picture_remarks(deck, vault, cards))
    source = VaultSource(deck.note, vault, "", secrets)
    sifted = {card: sift_card(card, secrets, source) for card in dict.fromkeys(cards)}
    card_set = replace(card_set, cards=tuple(sifted[card][0] for card in cards))
    note_counts = {"note": int(secrets.is_secret_note(deck.note))}
    counts = add_counts([*(counts for _, counts in sifted.values()), hidden, note_counts])
    return card_set.with_secrets(secrets, +counts)


def open_deck(deck: DeckNote, vault: Vault, secrets: Secrets) -> tuple[DeckNote, Counts]:
    """Return a deck without secret cards if secrets are hidden, and the number of cards left out."""
    if not secrets.hidden:
        return deck, {}
    source = VaultSource(deck.note, vault, "", secrets)
    sections = () if filter_secrets(parse(deck.note.body), secrets, source) else (f"{deck.note.path}#",)
    entries = [entry for entry in deck.entries if entry.link.startswith(sections) or not source.is_secret(entry.link)]
    return replace(deck, entries=tuple(entries)), {"card": len(deck.entries) - len(entries)}


def sift_card(card: PrintableCard, secrets: Secrets, source: VaultSource) -> tuple[PrintableCard, Counts]:
    """Return a card and how many secrets it has by kind; in a players' copy it is without them."""
    tree = card.syntax_tree()
    expand_admonitions(tree)
    counts = filter_secrets(tree, secrets, source)
    facts = tuple(fact for fact in card.facts if not secrets.is_secret_name(fact[0]))
    counts["property"] += len(card.facts) - len(facts)
    if not (secrets.hidden and counts.total()):
        return replace(card, secrets=secrets), +counts
    return replace(card, body=CardBody(tree), facts=facts, secrets=secrets), +counts


def missing_picture_remarks(deck: DeckNote, vault: Vault, cards: Sequence[PrintableCard]) -> tuple[str, ...]:
    """Return remarks on cards without a picture in a deck with pictures, and on pictures missing from the vault."""
    titles = list(dict.fromkeys(card.title for card in cards if card.image is None))
    if not titles or not _has_pictures(deck, vault):
        return ()
    counted = "1 card has" if len(titles) == 1 else f"{len(titles)} cards have"
    names = join_first_names(titles, MAX_LISTED_NAMES)
    return (f"{counted} no picture in the vault, so a drawn one is printed: {names}.",)


def _has_pictures(deck: DeckNote, vault: Vault) -> bool:
    """Return whether cards of this deck are meant to have pictures."""
    embedded = (link for link in deck.note.links if link.embed and not link.external)
    return (
        any(entry.image for entry in deck.entries)
        or any(problem.code == "card-image" for problem in deck.problems)
        or any(vault.files.resolve(link.path, deck.note.path).path is None for link in embedded)
    )


def deck_cards(deck: DeckNote, vault: Vault, frame: str = "", selection: str = "") -> list[PrintableCard]:
    """Return the cards of a deck that `selection` names, or all, in the frame `frame`, or each in its own.

    Raises InvalidError for a deck without cards.
    """
    deck.refuse_too_large()
    if not deck.entries:
        raise InvalidError("This deck has no cards.", where=deck.note.path, hint="See: vaultkit check")
    translations, _ = card_line.read_translations(deck.note)
    suits, language = deck.deck.suits, language_of(deck.note)
    cards = list[PrintableCard]()
    for entry in deck.entries:
        card = printable(entry, vault)
        own_frame = _PICTURE_FRAME if is_whole(card) else _TEXT_FRAME
        letters = tuple(find_shortest_prefix(suit, suits, str.lower) for suit in entry.card.suits)
        own_line = _read_card_line(entry, vault, translations) if translations.has_translations else ""
        looks = load_frame(frame or own_frame, vault.root)
        cards.append(replace(card, letters=letters, language=language, own_line=own_line, frame=looks))
    return choose_cards(cards, selection)


def choose_cards(cards: Sequence[PrintableCard], selection: str, among: str = "in this deck") -> list[PrintableCard]:
    """Return the cards that `selection` names, in its order: by name, or by number from 1; all if it is empty.

    Raises NothingFound for a card that is not `among` them, UsageError for too many copies.
    """
    if not selection.strip():
        return list(cards)
    chosen_cards: list[PrintableCard] = []
    for part in (part.strip() for part in re.split("[,;]", selection)):
        copies = _COPIES.fullmatch(part)
        count = int(copies[1]) if copies else 1
        if not 0 < count <= _MAX_COPIES:
            hint = f'Put the number before the name, 1 to {_MAX_COPIES}: --cards "2x {copies[2] if copies else part}"'
            raise UsageError(f"'{part}' is not a number of copies that can be printed.", hint=hint)
        chosen_cards += count * _find_cards(cards, copies[2] if copies else part, among)
    return chosen_cards


def _find_cards(cards: Sequence[PrintableCard], text: str, among: str) -> list[PrintableCard]:
    matches = [card for card in cards if strip_article(card.title) == strip_article(text)]
    numbers = _NUMBERS.fullmatch(text)
    if not matches and numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        matches = list(cards[first - 1 : last]) if 1 <= first <= last <= len(cards) else []
    if not matches:
        near = did_you_mean_by(text, map_words_to_names(card.title for card in cards), min_score=70)
        hint = near or f"Its cards have the numbers 1 to {len(cards)}."
        raise NothingFound(f"There is no card '{text}' {among}.", hint=hint)
    return matches


def printable(entry: CardEntry, vault: Vault) -> PrintableCard:
    """Return a card of a deck for printing, with its picture if the vault has it."""
    card = entry.card
    traits = {key: value for key, value in card.traits.items() if value and key not in _TRAITS_SHOWN_ELSEWHERE}
    return PrintableCard(
        title=card.name,
        suit=" and ".join(card.suits),
        suit_icon=" ".join(_icons(card, vault)),
        rank=card.rank,
        text_markdown=entry.text,
        breaks=vault.breaks,
        image=vault.file_or_none(entry.image) if entry.image else None,
        link=entry.link,
        facts=tuple((key.capitalize(), value) for key, value in traits.items()),
    )


def _read_card_line(entry: CardEntry, vault: Vault, translations: card_line.Words) -> str:
    """Return rank and suit in the words of the card's note, from below its heading; "" if it has none there."""
    note = vault.read(entry.link.partition("#")[0])
    for line in LINE_END.split(note.text)[entry.line : entry.line + _MAX_CARD_LINE_OFFSET]:
        facts = card_line.parse_card_line(line, translations)
        if facts is not None and (facts.rank, facts.suits) == (entry.card.rank, entry.card.suits):
            return (card_line.emphasised_text(line) or "").partition("·")[0].strip()
    return ""


def _icons(card: Card, vault: Vault) -> list[str]:
    """Return the icons of a card's suits; for a card without suit its own emblem, or a crown."""
    names = [suit.lower() for suit in card.suits] or [f"emblem-{card.id}"]
    return [name for name in names if resources.find("print", f"icons/{name}.svg", vault.root)]
