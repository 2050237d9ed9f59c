"""Matching of typed answers with possible moves: by letters, move id, card name or rank, or parts of these."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
PASS_VERB = "pass"
_COMMAND_LETTERS = "hlqsu"
"""The first letters of pairs for keys beyond `LETTERS`."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible move with everything that a person may type for it: its letters, its label, and names of its cards.

    Moves with the same first card have the first of two letters in common. `known` are the cards of the move and
    those that cannot be told apart from them, which may also be typed as short codes.
    """

    move: Move
    label: str
    cards: tuple[str, ...] = ()
    known: tuple[Card, ...] = ()
    letters: str = ""


class LetterBook:
    """The letters of one player's moves. A card keeps its letter, and a target its second one, while it is visible.

    A second letter is no card's first letter, unless there are too few. That of a move without a target, and of a seat,
    is from the end of the alphabet, and stays the same. A pass is always z.
    """

    def __init__(self) -> None:
        self._firsts: dict[str, str] = {}
        self._seconds: dict[str, str] = {}

    def sort(self, scene: Scene) -> list[Offer]:
        """Return the offers by the places of their cards on the table; offers without a visible card come last."""
        cards = [card for zone in scene.zones for card in zone.cards]
        places = {card: place for place, card in enumerate(cards)}
        return sorted(scene.offers, key=lambda offer: (places.get(offer.card, len(cards)), not offer.move.operands))

    def assign(self, scene: Scene, offers: Sequence[Offer]) -> list[str]:
        """Return the letters of each offer: one, or two if several moves are possible with one card."""
        card_counts = Counter(offer.card for offer in offers if offer.card)
        has_pairs = max(card_counts.values(), default=1) > 1
        rest_by_move = _rests_of(offers)
        rests = list(dict.fromkeys(rest_by_move.values())) if has_pairs else []
        self._seconds = {
            rest: letter
            for rest, letter in self._seconds.items()
            if rest in rests or _has_no_card(rest) or scene.cards.intersection(rest.split())
        }
        pool = _sort_by_use(LETTERS[:-1], self._seconds)
        self._firsts = _extend(self._firsts, list(card_counts), scene.cards, pool)
        others, base = [offer.move.id for offer in offers if not offer.card], self._firsts if card_counts else {}
        if others and (card_counts or offers[-1].move.verb == PASS_VERB):
            letters = _extend(base, others[:-1], base, LETTERS[:-1]) | {others[-1]: LETTERS[-1]}
        else:
            letters = _extend(base, others, base, LETTERS)
        for keys, pool in ((filter(_has_no_card, rests), LETTERS[-3::-1]), (rests, LETTERS)):
            self._seconds = _extend(self._seconds, [*keys], self._seconds, _sort_by_use(pool, self._firsts))
        seconds = self._seconds if has_pairs else {}
        return [
            letters.get(offer.card or offer.move.id, LETTERS[-1]) + seconds.get(rest_by_move.get(offer.move, ""), "")
            for offer in offers
        ]

    @property
    def letters_by_card(self) -> Mapping[str, str]:
        """The letters of cards, also of those with which no move can be made now."""
        return self._firsts

    @property
    def letters_by_target(self) -> Mapping[str, str]:
        """The second letters of the cards that are the only target of a move."""
        rests = ((rest.split(), letter) for rest, letter in self._seconds.items())
        return {words[1]: letter for words, letter in rests if len(words) == 2}


def _sort_by_use(letters: str, letters_in_use: Mapping[str, str]) -> str:
    """Return the letters, unused ones first."""
    return "".join(sorted(letters, key=lambda letter: letter in letters_in_use.values()))


def _has_no_card(rest: str) -> bool:
    """Return whether a verb or a seat, and no card, distinguishes moves."""
    return all(word.isdecimal() for word in rest.split()[1:])


def _rests_of(offers: Sequence[Offer]) -> dict[Move, str]:
    """Return what distinguishes each move with a card from the others with it: `on`, and the card touched last.

    Where that is the same for two moves with a card, it is everything else for that with more touches.
    """
    rests, target_pairs = dict[Move, str](), set[tuple[str, str]]()
    for offer in sorted((offer for offer in offers if offer.card), key=lambda offer: len(offer.touches)):
        *others, target = offer.touches
        rest = " ".join((offer.move.verb, *map(str, offer.touches[1:])))
        if others and isinstance(target, str) and (offer.card, target) not in target_pairs:
            target_pairs.add((offer.card, target))
            rest = f"on {target}"
        rests[offer.move] = rest
    return rests


def _extend(letters: Mapping[str, str], keys: Sequence[str], visible: Collection[str], pool: str) -> dict[str, str]:
    """Return the letters by key, for visible and new keys; if no letter is free, a key gets two."""
    letters_by_key = {key: letter for key, letter in letters.items() if key in visible or key in keys}
    free = [letter for letter in pool if letter not in letters_by_key.values()]
    spare = [key for key in letters_by_key if key not in keys]
    for key in keys:
        if key not in letters_by_key:
            if not free and spare:
                free.append(letters_by_key.pop(spare.pop()))
            pairs = (first + second for first in _COMMAND_LETTERS for second in LETTERS)
            letters_by_key[key] = (
                free.pop(0) if free else next(pair for pair in pairs if pair not in letters_by_key.values())
            )
    return letters_by_key


def choices_of(
    offers: Sequence[Offer], letters: Sequence[str], deck: Deck, render: Callable[[Sentence], str]
) -> list[Choice]:
    """Return the offers of a decision as choices; `render` returns a sentence as text."""
    offered = {operand for offer in offers for operand in offer.move.operands}
    others = [card for card in deck if card.id not in offered]
    return [_make_choice(offer, code, deck, others, render) for offer, code in zip(offers, letters, strict=True)]


def _make_choice(
    offer: Offer, letters: str, deck: Deck, others: Sequence[Card], render: Callable[[Sentence], str]
) -> Choice:
    operands = (*offer.move.operands, *(offer.ends.cards if offer.ends else ()))
    cards = [deck[card] for card in operands if card in deck.by_id]
    names = tuple(name for card in cards for name in dict.fromkeys((card.name, card.title)))
    similar = [other for other in others if any(are_indistinguishable(card, other) for card in cards)]
    known_cards = tuple(dict.fromkeys((*cards, *similar)))
    return Choice(offer.move, render(offer.ends or offer.label), names, known_cards, letters)


def pick(text: str, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return the choices that a typed text may mean: none, one, or several if it is ambiguous.

    A number means the rank of a card, or the number of a choice if no card of the choices has a number as rank. A
    capital letter such as K means a rank first.
    """
    key = " ".join(strip_accents(text).split())
    by_rank = tuple(choice for choice in choices if len(key) == 1 and _is_of_rank(choice, key))
    if by_rank and text.strip().isupper():
        return by_rank
    if key.isdecimal():
        return _pick_by_number(key, choices)
    for codes in ({key}, {key + letter for letter in LETTERS}):
        if choices_by_letters := tuple(choice for choice in choices if choice.letters in codes):
            return choices_by_letters
    if len(key) == 1:
        return by_rank
    for is_meant in _make_tests(key):
        matches = tuple(choice for choice in choices if is_meant(choice))
        if matches:
            return matches
    return ()


def has_ranks(choices: Sequence[Choice]) -> bool:
    """Return whether a card of the choices has a number as rank."""
    return any(card.rank_text.isdecimal() for choice in choices for card in choice.known)


def _is_of_rank(choice: Choice, letter: str) -> bool:
    ranks = [card.rank_text.casefold() for card in choice.known[:1]]
    return any(rank.startswith(letter) and not rank.isdecimal() for rank in ranks)


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
