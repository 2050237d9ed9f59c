"""Matching of typed answers with possible moves: by letters, move id, card name or rank, or parts of these."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vaultkit.cards import Card, Deck
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move
from vaultkit.scene.scene import Offer, Scene
from vaultkit.session.card_names import are_indistinguishable, is_exact_name, strip_accents, words_in
from vaultkit.text import parse_whole_number

_FILLERS = frozenset({"the", "of", "on", "and", "a"})
LETTERS = "abcdefgijkmnoprtvwxyz"
"""The letters for moves, in order, without the letters of the commands h, l, q, s and u."""
MAX_UNFOLDED_MOVES = 8
"""The maximum number of moves that get a letter each; more moves may share a first letter for each card."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible move with everything that a person may type for it: its letters, its label, and names of its cards.

    Moves with the same first card may have the first of two letters in common. `known` are the cards of the move and
    those that cannot be told apart from them, which may also be typed as short codes.
    """

    move: Move
    label: str
    cards: tuple[str, ...] = ()
    known: tuple[Card, ...] = ()
    letters: str = ""


def sort_offers(scene: Scene) -> list[Offer]:
    """Return the offers in the order of their first cards on the table; offers without a visible card come last."""
    cards = [card for zone in scene.zones for card in zone.cards]
    place_of_card = {card: card_index for card_index, card in enumerate(cards)}
    return sorted(scene.offers, key=lambda offer: place_of_card.get(str(*offer.touches[:1]), len(cards)))


def choices_of(offers: Sequence[Offer], deck: Deck, render: Callable[[Sentence], str]) -> list[Choice]:
    """Return the offers of a decision as choices; `render` returns a sentence as text."""
    offered = {operand for offer in offers for operand in offer.move.operands}
    cards_not_offered = [card for card in deck if card.id not in offered]
    return [
        _make_choice(offer, letters, deck, cards_not_offered, render)
        for offer, letters in zip(offers, letters_of(offers), strict=True)
    ]


def _make_choice(
    offer: Offer, letters: str, deck: Deck, cards_not_offered: Sequence[Card], render: Callable[[Sentence], str]
) -> Choice:
    operands = (*offer.move.operands, *(offer.ends.cards if offer.ends else ()))
    cards = [deck[card] for card in operands if card in deck.by_id]
    names = tuple(name for card in cards for name in dict.fromkeys((card.name, card.title)))
    similar = [other for other in cards_not_offered if any(are_indistinguishable(card, other) for card in cards)]
    return Choice(
        offer.move, render(offer.ends or offer.label), names, tuple(dict.fromkeys((*cards, *similar))), letters
    )


def folds_of(offers: Sequence[Offer], letters: Sequence[str]) -> dict[str, list[Offer]]:
    """Return the offers grouped by the first of their letters, or by both if the first alone is another offer's."""
    single_letters = {code for code in letters if len(code) == 1}
    folds: dict[str, list[Offer]] = {}
    for offer, code in zip(offers, letters, strict=True):
        folds.setdefault(code if code[0] in single_letters else code[0], []).append(offer)
    return folds


def letters_of_index(index: int) -> str:
    """Return the letters for an index: one of `LETTERS`, or two if the index is beyond them."""
    round_number, letter_index = divmod(index, len(LETTERS))
    return (LETTERS[round_number - 1] if round_number else "") + LETTERS[letter_index]


def letters_of(offers: Sequence[Offer]) -> list[str]:
    """Return the letters of each offer.

    If there are many offers with few different first cards, the first letter stands for the card, and a second one
    distinguishes the offers with that card.
    """
    fold_keys = list(dict.fromkeys(_fold_key(offer) for offer in offers))
    if len(offers) <= MAX_UNFOLDED_MOVES or len(fold_keys) == len(offers) or len(fold_keys) > len(LETTERS):
        return [letters_of_index(index) for index in range(len(offers))]
    folds = {fold_key: [offer for offer in offers if _fold_key(offer) == fold_key] for fold_key in fold_keys}
    return [
        _fold_letters(offer, letters_of_index(fold_keys.index(_fold_key(offer))), folds[_fold_key(offer)])
        for offer in offers
    ]


def pick(text: str, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return the choices that a typed text may mean: none, one, or several if it is ambiguous.

    A number means the rank of a card, or the number of a choice if no card of the choices has a number as rank.
    """
    key = " ".join(strip_accents(text).split())
    if key.isdecimal():
        return _pick_by_number(key, choices)
    by_letters = tuple(choice for choice in choices if choice.letters == key)
    if len(key) == 1 or by_letters:
        return by_letters or tuple(
            choice for choice in choices if len(choice.letters) == 2 and choice.letters[0] == key
        )
    for is_meant in _make_tests(key):
        matches = tuple(choice for choice in choices if is_meant(choice))
        if matches:
            return matches
    return ()


def has_ranks(choices: Sequence[Choice]) -> bool:
    """Return whether a card of the choices has a number as rank."""
    return any(card.rank_text.isdecimal() for choice in choices for card in choice.known)


def _fold_key(offer: Offer) -> str:
    return str(offer.touches[0]) if offer.touches else offer.move.id


def _fold_letters(offer: Offer, fold_letter: str, fold: Sequence[Offer]) -> str:
    return fold_letter if len(fold) == 1 else fold_letter + letters_of_index(fold.index(offer))


def _pick_by_number(number_text: str, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    if has_ranks(choices):
        return tuple(choice for choice in choices if any(card.rank_text == number_text for card in choice.known[:1]))
    number = parse_whole_number(number_text) or 0
    return tuple(choices[number - 1 : number])


def _make_tests(text: str) -> Iterator[Callable[[Choice], bool]]:
    """Yield tests of whether `text` means a choice, the strictest first; the first that any choice passes decides."""
    dashed_text = text.replace(" of ", " ").replace(" ", "-")
    yield lambda choice: choice.move.id.casefold() == text
    yield lambda choice: text in {strip_accents(choice.label), *map(strip_accents, choice.cards)}
    yield lambda choice: dashed_text in choice.move.operands or text == " ".join(choice.move.operands).casefold()
    yield lambda choice: any(strip_accents(card).startswith(text) for card in choice.cards)
    yield lambda choice: choice.move.id.casefold().startswith(text) or strip_accents(choice.label).startswith(text)
    yield lambda choice: any(word.startswith(text) for word in strip_accents(choice.label).split())
    verb, _, rest = text.partition(" ")
    yield lambda choice: any(is_exact_name(text, card) for card in choice.known)
    yield lambda choice: any(is_exact_name(rest, card) for card in choice.known) and _has_verb(verb, choice)
    yield lambda choice: len(text) > 2 and text in strip_accents(choice.label)
    words = [word for word in _words(text) if word not in _FILLERS]
    if len(words) > 1:
        yield lambda choice: _card_word_starts(choice, words[0]) and _occur_as_prefixes(words, _words(choice.label))
        yield lambda choice: _occur_as_prefixes(words, _words(choice.label))


def _has_verb(verb: str, choice: Choice) -> bool:
    return any(word.startswith(verb) for word in (choice.move.verb, _words(choice.label)[0]))


def _card_word_starts(choice: Choice, prefix: str) -> bool:
    """Return whether a word in the name of the choice's first card begins with `prefix`."""
    return any(word.startswith(prefix) for word in _words("".join(choice.cards[:1])))


def _words(text: str) -> list[str]:
    return words_in(strip_accents(text)) or [""]


def _occur_as_prefixes(prefixes: Sequence[str], label_words: Sequence[str]) -> bool:
    """Return whether each of `prefixes` begins a word of the label, in the same order: `risk shep`, `bet auth`."""
    remaining_words = iter(label_words)
    return all(any(word.startswith(prefix) for word in remaining_words) for prefix in prefixes)
