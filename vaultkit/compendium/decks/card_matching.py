"""Matching of the cards in a deck's note with the cards of a known deck, each at most once."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

import msgspec

from vaultkit.cards import Card, Deck, Rank
from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks.card_line import NO_TRANSLATIONS, PROPERTY_EXAMPLES, CardFacts, Words
from vaultkit.compendium.decks.raw_cards import WrittenCard
from vaultkit.errors import Problem, Severity
from vaultkit.spelling import did_you_mean
from vaultkit.text import group, name_key

CORRECTABLE = frozenset({"astromancy"})
"""The kinds of decks with facts that vaultkit only inferred: a note with other facts is a correction, not a mistake."""
_TRAITS_FROM_RANK = {"deck", "value"}
"""The traits that follow from suit and rank. GMs use these words for other things, such as the deck's name."""


class Comparison(msgspec.Struct, frozen=True, dict=True):
    """A comparison of written cards with the deck `known`, in the `words` of the deck's note, which is at `path`."""

    path: str
    known: Deck
    words: Words = NO_TRANSLATIONS

    def identify(self, item: WrittenCard) -> Card | Problem:
        """Return the known card that is meant: the one with its name, else the only one with its suit and rank.

        In a deck of another language a name may happen to be that of another card, so suit and rank come first there.
        """
        by_name, by_facts = self._find_by_name(item), self._find_by_facts(item.facts)
        card = (by_facts or by_name) if self.words.has_translations else (by_name or by_facts)
        return card or self._check_line(item) or self._check_words(item) or self._unknown_card_problem(item)

    def verify(self, item: WrittenCard, card: Card) -> tuple[Card | None, Problem | None]:
        """Return the card that `item` adds to the deck and the problem of `item`, each None if there is none.

        `card` is the known card that `item` means.
        """
        card_as_written = card if card.name.casefold() == item.name.casefold() else replace(card, name=item.name)
        if item.facts is None:
            missing_line = (self._check_line(item) or self._missing_line_problem(item, card)) if card.suits else None
            return (None, missing_line) if missing_line else (card_as_written, None)
        unknown_word = self._check_words(item)
        if unknown_word is not None:
            return None, unknown_word
        if _rank_and_suits(item.facts) == _rank_and_suits(card) and self._same_traits(item.facts, card):
            return card_as_written, None
        return self._resolve_difference(item, item.facts, card_as_written)

    def missing_problem(self, card_ids: Iterable[str], hint: str = "") -> Problem | None:
        """Return a problem that lists the known cards whose ids are not in `card_ids`, or None."""
        present = set(card_ids)
        titles = [card.title for card in self.known if card.id not in present]
        if not titles:
            return None
        count = f"{len(titles)} cards are" if len(titles) > 1 else "One card is"
        title_list = ", ".join(titles[:5]) + (", ..." if len(titles) > 5 else "")
        message = f"{count} missing from this {self.known.kind} deck: {title_list}."
        return Problem(self.path, 0, 0, "card-missing", message, hint)

    @cached_property
    def _card_positions(self) -> dict[Card, int]:
        return {card: position for position, card in enumerate(self.known)}

    @cached_property
    def _cards_by_name(self) -> dict[str, Card]:
        """The known cards by name, the first card of each name."""
        return {name_key(card.name): card for card in reversed(list(self.known))}

    @cached_property
    def _cards_by_rank_and_suits(self) -> dict[tuple[str, ...], list[Card]]:
        return group((_rank_and_suits(card), card) for card in self.known)

    def _find_by_name(self, item: WrittenCard) -> Card | None:
        candidates = [self._cards_by_name.get(name_key(self.words.name(name))) for name in (item.name, *item.also)]
        return min(filter(None, candidates), key=self._card_positions.__getitem__, default=None)

    def _find_by_facts(self, facts: CardFacts | None) -> Card | None:
        """Return the only card with the suit and rank of a renamed or translated card, or None."""
        if facts is None or not facts.suits:
            return None
        same_facts_cards = self._cards_by_rank_and_suits.get(_rank_and_suits(facts), [])
        return same_facts_cards[0] if len(same_facts_cards) == 1 else None

    def _check_line(self, item: WrittenCard) -> Problem | None:
        """Return a problem of a line that seems to be rank and suit, but in unknown words; else None."""
        if item.facts is not None or item.unread is None:
            return None
        message = f"'{item.name}' has '{item.unread.text}', which is not a rank and suit of the {self.known.kind} deck."
        return problem_of(item, "card-line", message, unread_hint(item, self.words), line=item.unread.line)

    def _check_words(self, item: WrittenCard) -> Problem | None:
        """Return a problem of a suit or rank that the known deck does not have, or None."""
        facts = item.facts or CardFacts()
        ranks = [str(card.rank) for card in self.known if card.rank is not None]
        if (suit := _find_unknown_word(facts.suits, self.known.suits)) is not None:
            return self._unknown_word_problem(item, suit, "suit", self.known.suits)
        if self.known.kind in CORRECTABLE or not facts.suits:
            return None
        if (rank := _find_unknown_word(["" if facts.rank is None else facts.rank], ranks)) is not None:
            return self._unknown_word_problem(item, rank, "rank", tuple(dict.fromkeys(ranks)))
        return None

    def _unknown_word_problem(self, item: WrittenCard, word: str, kind: str, known_words: tuple[str, ...]) -> Problem:
        """Return the problem of a suit or rank, whichever `kind` says, that the known deck does not have."""
        word_list = ", ".join(known_words)
        if not word:
            message = f"'{item.name}' has a suit and no rank."
            return problem_of(item, "card-rank", message, f"The ranks: {word_list}.")
        message = f"'{item.name}' has the {kind} '{word}', which the {self.known.kind} deck does not have."
        example = f'vaultkit-{kind}s: ["{word} = {known_words[0]}"]'
        list_hint = f"Its {kind}s: {word_list}. If it is one of these, say so in the deck's note: {example}"
        return problem_of(item, f"card-{kind}", message, did_you_mean(word, known_words) or list_hint)

    def _unknown_card_problem(self, item: WrittenCard) -> Problem:
        message = f"The {self.known.kind} deck has no card '{item.name}'."
        count_hint = f"The {self.known.kind} deck has {len(self.known)} cards. {TRANSLATION_HINT}"
        hint = did_you_mean(item.name, [card.name for card in self.known]) or count_hint
        return problem_of(item, "card-unknown", message, hint, line=item.line)

    def _missing_line_problem(self, item: WrittenCard, card: Card) -> Problem:
        missing_form = "properties that say" if item.form == "note" else "line that says"
        message = f"'{item.name}' has no {missing_form} its rank and suit."
        return problem_of(item, "card-line", message, _facts_hint(item, card), line=item.line)

    def _same_traits(self, facts: CardFacts, card: Card) -> bool:
        """Return whether the traits agree, except for table columns that the known deck does not have."""
        known_keys = {key for known_card in self.known for key in known_card.traits} - _TRAITS_FROM_RANK
        written_traits = ((key, value) for key, value in facts.traits.items() if key in known_keys)
        return all(card.traits.get(key, "").casefold() == value.casefold() for key, value in written_traits)

    def _resolve_difference(self, item: WrittenCard, facts: CardFacts, card: Card) -> tuple[Card | None, Problem]:
        message = f"'{item.name}' is {_describe_facts(facts)} here; elsewhere it is {_describe_facts(card)}."
        hint = _facts_hint(item, card) if item.form == "note" else "Correct the line."
        problem = problem_of(item, "card-facts", message, hint)
        if self.known.kind not in CORRECTABLE:
            return None, problem
        suit_spellings = {suit.casefold(): suit for suit in self.known.suits}
        suits = tuple(suit_spellings[suit.casefold()] for suit in facts.suits)
        corrected = replace(card, suits=suits, rank=facts.rank, traits={**card.traits, **facts.traits})
        return corrected, replace(problem, severity="warning", hint="If that is how you want it, leave it so.")


TRANSLATION_HINT = f"In another language? Give its words in the deck's note: {'; '.join(PROPERTY_EXAMPLES.values())}"


def problem_of(item: WrittenCard, code: str, message: str, hint: str, *, line: int = 0) -> Problem:
    """Return a problem of one card, at `line` if it is not 0, else in the line of the card's facts."""
    problem_line = line or (item.facts.line if item.facts else 0) or item.line
    return Problem(item.path, problem_line, 1, code, message, hint)


def unread_hint(item: WrittenCard, words: Words) -> str:
    """Return a hint on how to write a line that cannot be read, or how to translate its words."""
    if item.form == "note":
        return 'Write them into its properties, for example: suit: Swords, rank: 3, and "[[Swords]]" in quotes.'
    known_words = ", ".join([*words.suits, *words.ranks])
    words_hint = f"Words that are known: {known_words}. " if words.has_translations else ""
    return f"Write it as *Three of Swords*. {words_hint}{TRANSLATION_HINT}"


def _facts_hint(item: WrittenCard, card: Card) -> str:
    """Return the hint on how to write a known card's suit and rank."""
    if item.form != "note":
        return f"Put *{card.rank} of {' and '.join(card.suits)}* on a line of its own under the heading."
    if not card.suits:
        return "Delete suit and rank from its properties."
    suits = f"suit: {card.suits[0]}" if len(card.suits) == 1 else f"suits: [{', '.join(card.suits)}]"
    return f"Write into its properties: {suits}, rank: {card.rank}"


def _find_unknown_word(words: Iterable[Rank], known_words: Iterable[str]) -> str | None:
    """Return the first word that is not among the known ones, or None."""
    names = set(map(name_key, known_words))
    return next((str(word) for word in words if name_key(str(word)) not in names), None)


def _rank_and_suits(facts: CardFacts | Card) -> tuple[str, ...]:
    """Return rank and suits in lower case, as a key for comparison."""
    return tuple(str(word).casefold() for word in (facts.rank, *facts.suits))


def _describe_facts(facts: CardFacts | Card) -> str:
    words = f"{facts.rank} of {' and '.join(facts.suits)}" if facts.suits else "without a suit"
    extra = ", ".join(value for key, value in facts.traits.items() if value and key not in _TRAITS_FROM_RANK)
    return f"{words} ({extra})" if extra else words


def match_cards(path: str, items: tuple[WrittenCard, ...], kind: str, words: Words, hint: str) -> "Matching":
    """Match `items` with the cards of a kind of deck; the deck's note is at `path`, and `hint` is for missing cards."""
    matching = Matching()
    if (reference_deck := known_deck(kind)) is None:
        matching.cards = [(matching.make_own_card(item), item) for item in items]
        matching.problems += _unread_problems(items, words)
        return matching
    comparison = Comparison(path, reference_deck, words)
    for item in items:
        matching.add_known_card(item, comparison)
    if items and (missing := comparison.missing_problem(matching.seen, hint)):
        matching.problems.append(missing)
    return matching


def make_slug(name: str) -> str:
    """Return a name as an id, such as `the-deck-s-owner`; `card` for a name without letters and digits."""
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-") or "card"


class Matching(msgspec.Struct):
    """The cards of one deck and their problems, collected from the written cards one by one.

    `seen` maps each id to the written card that has it, even a faulty one. `_numbers` has the last number given to
    cards of one name.
    """

    cards: list[tuple[Card, WrittenCard]] = []
    problems: list[Problem] = []
    seen: dict[str, WrittenCard] = {}
    _numbers: dict[str, int] = {}

    def add_known_card(self, item: WrittenCard, comparison: Comparison) -> None:
        """Add the card of a known deck that a written card means, or the problem of the written card."""
        result = comparison.identify(item)
        if isinstance(result, Problem):
            self.problems.append(result)
        elif first_item := self.seen.get(result.id):
            subject = item.name if name_key(item.name) == name_key(first_item.name) else result.title
            self.problems.append(_duplicate_problem(item, first_item, subject, "Delete one of them, or rename it."))
        else:
            self.seen[result.id] = item
            card, problem = comparison.verify(item, result)
            self.problems += [problem] if problem else []
            self.cards += [(card, item)] if card else []

    def make_own_card(self, item: WrittenCard) -> Card:
        """Return a new card for a deck that is not known; the second card named Goblin gets the id `goblin-2`."""
        facts, base_id = item.facts or CardFacts(), make_slug(item.name)
        occurrence = self._numbers.get(base_id, 1)
        card_id = base_id if occurrence == 1 else f"{base_id}-{occurrence}"
        while card_id in self.seen:
            occurrence += 1
            card_id = f"{base_id}-{occurrence}"
        self._numbers[base_id] = occurrence
        if occurrence > 1 and item.link == self.seen[base_id].link:
            hint = "Links lead to the first one only; rename the other."
            self.problems.append(_duplicate_problem(item, self.seen[base_id], item.name, hint, "warning"))
        self.seen[card_id] = item
        name = item.name if occurrence == 1 else f"{item.name} ({occurrence})"
        return Card(card_id, name, facts.suits, facts.rank, facts.traits)


def _duplicate_problem(
    item: WrittenCard, first: WrittenCard, subject: str, hint: str, severity: Severity = "error"
) -> Problem:
    place = f"in line {first.line}" if first.path == item.path else f"'{first.path}'"
    have_same_name = name_key(first.name) == name_key(item.name)
    names_phrase = "" if have_same_name else f" under the names '{first.name}' and '{item.name}'"
    message = f"'{subject}' is in this deck twice{names_phrase}; the other one is {place}."
    return Problem(item.path, item.line, 1, "card-twice", message, hint, severity)


def _unread_problems(items: tuple[WrittenCard, ...], words: Words) -> Iterator[Problem]:
    """Yield warnings for lines of unknown decks that look like rank and suit and cannot be read.

    A short line in italics may be anything. It is taken for rank and suit if other cards have them, if it holds a rank,
    or if most cards have a line that is built alike.
    """
    unread = [item for item in items if item.facts is None and item.unread is not None]
    any_have_suits = any(item.facts and item.facts.suits for item in items)
    lines_are_alike = _have_common_middle_word(unread, len(items))
    for item in unread:
        assert item.unread is not None
        if any_have_suits or lines_are_alike or item.unread.certain or _holds_rank(item.unread.text, words):
            message = f"'{item.name}' has '{item.unread.text}', which is not read as rank and suit."
            hint = unread_hint(item, words)
            yield replace(problem_of(item, "card-line", message, hint, line=item.unread.line), severity="warning")


def _holds_rank(text: str, words: Words) -> bool:
    tokens = text.split()
    return any(map(words.is_rank, (*tokens[:1], *tokens[-1:])))


def _have_common_middle_word(unread: list[WrittenCard], card_count: int) -> bool:
    """Return whether most cards have three words with a common one in the middle, such as `Drei der Kelche`."""
    lines = [item.unread.text.split() for item in unread if item.unread]
    middles = {line[1] for line in lines if len(line) == 3 and line[1].islower() and line[1].isalpha()}
    first_words, last_words = {line[0] for line in lines}, {line[-1] for line in lines}
    have_alike_ends = len(first_words) > 2 and len(last_words) < len(lines)
    return 2 * len(lines) > card_count > 3 and len(middles) == 1 and have_alike_ends
