"""Card names in a note's plain text that are not links yet.

A card is also named by rank and suit, such as `Seven of Swords`, `Master of Stars` or `Drei der Glyphen`.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vaultkit.cards import Card, Rank
from vaultkit.compendium.decks import card_line
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.text import NUMBER_WORDS, Thing, group, plural_forms
from vaultkit.vault import Note
from vaultkit.vault.plaintext import BLANK, plain_text
from vaultkit.vault.text_positions import LINE_END

_WORD = re.compile(r"\w+")
_EMPHASIS_MARKS = "*_~"
_JOINED_BEFORE = re.compile(r"(?:[\w/\\@&\[]|\w[-‐‑.]|(?<!\b[cdjlmnstCDJLMNST])(?<!\b[qQ]u)(?<=\w)['’])\Z")
_JOINED_AFTER = re.compile(r"[\w/\\@\]]|[-‐‑.]\w|::|['’](?!(?:s|d|ll|S|D|LL)(?!\w))\w")
_JOINING_CHARS = frozenset("\u00ad\u200c\u200d")
_CONTEXT_CHARS = 8
"""The number of characters around a name that show whether it is part of a longer word."""
_ARTICLE = re.compile(
    r"""(?:(?:the|an?|d(?:er|ie|as|en|em|es)|ein(?:e[mnrs]?)?|les?|las?|une?|des|el|los|il|lo|gli|i|una|uno
    |de|het|een|os?|as|uma?)[ ]|l['’])(?=\w)""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_START = re.compile(
    r"""(?:
        [\r\n][\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:\[[^\]\r\n]{1,40}\][-+:]?\s+)?  # a line, a list item, a task, a callout
        | [.!?:…]["'”’)\]*_~=]*\s+                                              # a sentence
        | [|>(“„«‘]\s* | (?<!\w)["']                                            # a table's cell, what is quoted
    )["'“„«‘*_~=]*\Z""",
    re.VERBOSE,
)
_SENTENCE_CONTEXT_CHARS = 100
"""The number of characters before a name that show whether a sentence begins with it."""
_WORD_GAP = re.compile(r"(?:['’]\w{0,2})?[*_~]*(?:[ \t]+|[ \t]*\r?\n[ \t>]*)[*_~]*")
_NEXT_WORD = re.compile(r"[ ](\w{2,})")

_Sense = Literal["sure", "likely", "doubtful", "part", "word"]
"""The certainty that a piece of text is the card's name; see `_MentionSearch._classify`."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A card's name in a note's text from `start` to `end`, in code points.

    `entry` is None if several decks have a card of this name. `table` is true inside a Markdown table.
    """

    start: int
    end: int
    text: str
    entry: CardEntry | None
    table: bool


@dataclass(frozen=True, slots=True)
class _NameForm:
    """One way to write a card's name. `key` is the key for lookups; `entries` has one card of each deck with the name.

    With `described` the card is described by rank and suit, and the suit needs a capital.
    """

    key: str
    spelling: str
    entries: tuple[CardEntry, ...]
    described: bool = False

    @property
    def cards(self) -> frozenset[str]:
        """The cards with this name, each as its deck's link and its id, which is unique among all decks."""
        return frozenset(f"{entry.link} {entry.card.id}" for entry in self.entries)


class CardNameIndex:
    """The names of the cards of some decks, singular and plural, indexed by their first word.

    With `described`, descriptions by rank and suit are included. `preferred_cards` maps a name to the
    card that it means even if other decks have that name.
    """

    def __init__(
        self,
        decks: Iterable[DeckNote],
        *,
        described: bool = False,
        preferred_cards: Mapping[str, CardEntry] | None = None,
    ) -> None:
        deck_notes = tuple(decks)
        descriptions = _description_forms(deck_notes) if described else ()
        preferred = [_NameForm(_lookup_key(name), name, (entry,)) for name, entry in (preferred_cards or {}).items()]
        forms = {form.key: form for form in (*descriptions, *_forms_of_names(deck_notes), *preferred)}
        spelled_forms = (
            replace(form, key=_lookup_key(spelling), spelling=spelling)
            for form in forms.values()
            for spelling in {unicodedata.normalize(normal_form, form.spelling) for normal_form in ("NFC", "NFD")}
        )
        self._forms_by_first_word: dict[str, dict[int, dict[str, list[_NameForm]]]] = {}
        for form in spelled_forms:
            if first_word := _WORD.match(form.spelling):
                by_length = self._forms_by_first_word.setdefault(_lookup_key(first_word[0]), {})
                by_length.setdefault(len(form.spelling), {}).setdefault(form.key, []).append(form)

    def forms_starting_with(self, word: str) -> Mapping[int, Mapping[str, Sequence[_NameForm]]]:
        """Return all forms whose first word is `word`, by their length and by their key."""
        return self._forms_by_first_word.get(_lookup_key(word), {})


def spellings(name: str) -> tuple[str, ...]:
    """Return a card's name and its English plurals, such as `Master of Stars` and `Masters of Stars`."""
    head, separator, rest = name.partition(" of ")
    return (name, *(f"{plural}{separator}{rest}" for plural in plural_forms(head)))


def make_finder(named_things: Iterable[tuple[str, Thing]]) -> Callable[[str], Thing | None]:
    """Return a function that finds the first thing whose card name is a given text, in any case or in the plural."""
    things_by_key: dict[str, Thing] = {}
    for name, thing in named_things:
        for spelling in spellings(name):
            things_by_key.setdefault(_lookup_key(spelling), thing)
    return lambda text: things_by_key.get(_lookup_key(text))


def is_one_of_names(text: str, names: Iterable[str]) -> bool:
    """Return whether a text is one of some names, in any case and with any apostrophe."""
    return _lookup_key(text) in map(_lookup_key, names)


def find(note: Note, names: CardNameIndex, any_case: bool = False) -> tuple[Mention, ...]:
    """Return every mention in a note's plain text, top to bottom; if two overlap, the longer name counts.

    A name of one word, or of an article and one word, needs its capital: without it, it is a plain word ("the end", "a
    thief"). At the beginning of a sentence the capital proves nothing: if a lower-case word follows ("Death saving
    throw"), the name counts only if the note has it with a capital inside a sentence or emphasised, and never as a
    plain word. Nor is it a mention if another word with a capital follows ("the Raven Queen"). `any_case` finds all of
    these, too.
    """
    search = _MentionSearch(note, names)
    candidates = _select_longest(search.candidates(), len(note.text))
    certain_cards = _certain_cards([*candidates, *search.linked_candidates()])
    return tuple(item.mention for item in candidates if any_case or _is_mention(item, certain_cards))


@dataclass(frozen=True, slots=True)
class _Candidate:
    mention: Mention
    form: _NameForm
    sense: _Sense


def _is_mention(item: _Candidate, certain_cards: set[str]) -> bool:
    return item.sense in ("sure", "likely") or (item.sense == "doubtful" and bool(item.form.cards & certain_cards))


class _MentionSearch:
    """A search for card names in one note's text."""

    def __init__(self, note: Note, names: CardNameIndex) -> None:
        self._text = note.text
        self._plain = plain_text(note)
        self._names = names
        self._links = {link.start: link for link in note.links if link.start >= note.body_start}

    def candidates(self) -> Iterator[_Candidate]:
        """Yield a candidate for each text that is a name and not part of a longer word; candidates may overlap."""
        plain = self._plain.text
        for word in _WORD.finditer(plain):
            for length, forms in self._names.forms_starting_with(word[0]).items():
                start, end = word.start(), word.start() + length
                matching_forms = forms.get(_lookup_key(plain[start:end]))
                if matching_forms and not _is_part_of_word(self._text, plain, start, end):
                    yield from (self._make_candidate(form, start, end, plain[start:end]) for form in matching_forms)

    def linked_candidates(self) -> Iterator[_Candidate]:
        """Yield the names that are links already, so that linking in two steps gives the result of one step."""
        for link in self._links.values():
            word = _WORD.match(link.text)
            for forms in self._names.forms_starting_with(word[0]).values() if word else ():
                for form in forms.get(_lookup_key(link.text), ()):
                    yield self._make_candidate(form, link.start, link.end, link.text)

    def _make_candidate(self, form: _NameForm, start: int, end: int, text: str) -> _Candidate:
        entry = form.entries[0] if len(form.entries) == 1 else None
        mention = Mention(start, end, text, entry, self._plain.in_table(start))
        return _Candidate(mention, form, self._classify(form, mention))

    def _classify(self, form: _NameForm, mention: Mention) -> _Sense:
        """Classify a mention by how certain it is that the text is the card's name.

        `sure` is a name by its words or its capital, `likely` one that stands alone at the beginning of a sentence.
        `doubtful` may have its capital from the beginning of a sentence, `part` belongs to a longer name, `word` is a
        plain word.
        """
        article = _ARTICLE.match(form.spelling)
        article_length = article.end() if article else 0
        text, spelling = mention.text[article_length:], form.spelling[article_length:]
        if " " in spelling:
            has_capital = not form.described or text.rpartition(" ")[2][:1].isupper()
            return "sure" if has_capital else "word"
        if not _is_name(text, spelling):
            return "word"
        start, end = _extend_over_marks(self._text, self._plain.text, mention.start, mention.end)
        if start < mention.start and end > mention.end:
            return "sure"
        if self._is_continued(mention.end):
            return "part"
        if article or not text.istitle() or not self._begins_sentence(start):
            return "sure"
        return "doubtful" if self._lower_case_follows(mention.end) else "likely"

    def _begins_sentence(self, start: int) -> bool:
        """Return whether a sentence, a line or a quotation begins at `start`."""
        before = self._text[max(0, start - _SENTENCE_CONTEXT_CHARS) : start]
        return bool(_SENTENCE_START.search(before if start > _SENTENCE_CONTEXT_CHARS else f"\n{before}"))

    def _is_continued(self, end: int) -> bool:
        """Return whether a word with a capital follows that begins no card's name."""
        match = _NEXT_WORD.match(self._plain.text, end)
        return match is not None and match[1][0].isupper() and not self._names.forms_starting_with(match[1])

    def _lower_case_follows(self, end: int) -> bool:
        match = _WORD_GAP.match(self._text, end)
        if match is None:
            return False
        link = self._links.get(match.end())
        return (link.text if link else self._text[match.end() : match.end() + 1])[:1].islower()


def _select_longest(candidates: Iterable[_Candidate], length: int) -> list[_Candidate]:
    """Return the longest of overlapping candidates in a text of `length` characters, top to bottom."""
    free_chars = bytearray(b"\1") * length
    winners = []
    for item in sorted(candidates, key=lambda item: item.mention.start - item.mention.end):
        start, end = item.mention.start, item.mention.end
        if all(free_chars[start:end]):
            free_chars[start:end] = bytes(end - start)
            winners.append(item)
    return sorted(winners, key=lambda item: item.mention.start)


def _certain_cards(candidates: Iterable[_Candidate]) -> set[str]:
    """Return the ids of cards whose names occur in a note as sure names and never as plain words."""
    cards: defaultdict[_Sense, set[str]] = defaultdict(set)
    for item in candidates:
        cards[item.sense].update(item.form.cards)
    return cards["sure"] - cards["word"]


def _is_name(word: str, spelling: str) -> bool:
    """Return whether one word is written as a name: as the deck has it, with a capital, or all in capitals."""
    capital = spelling[:1].upper() + spelling[1:]
    return _straighten_apostrophes(word) in map(_straighten_apostrophes, (spelling, capital, spelling.upper()))


def _extend_over_marks(text: str, plain: str, start: int, end: int) -> tuple[int, int]:
    """Return a name's start and end, extended over the marks of emphasis around it."""
    while start > 0 and plain[start - 1] == BLANK and text[start - 1] in _EMPHASIS_MARKS:
        start -= 1
    while end < len(text) and plain[end] == BLANK and text[end] in _EMPHASIS_MARKS:
        end += 1
    return start, end


def _is_part_of_word(text: str, plain: str, start: int, end: int) -> bool:
    """Return whether a name is only part of a word, a compound or a path; marks of emphasis around it are skipped."""
    start, end = _extend_over_marks(text, plain, start, end)
    text_before, text_after = text[max(0, start - _CONTEXT_CHARS) : start], text[end : end + _CONTEXT_CHARS]
    neighbours = text_before[-1:] + text_after[:1]
    is_joined = any(char in _JOINING_CHARS or unicodedata.category(char)[0] == "M" for char in neighbours)
    return is_joined or bool(_JOINED_BEFORE.search(text_before) or _JOINED_AFTER.match(text_after))


def _forms_of_names(decks: Sequence[DeckNote]) -> Iterator[_NameForm]:
    """Yield every form of every card's name; the names come last, so that they win over plurals of other cards."""
    cards = [(deck, entry) for deck in decks for entry in deck.entries if _has_letters(entry.card.name)]
    yield from _merge_forms((deck, plural, entry) for deck, entry in cards for plural in spellings(entry.card.name)[1:])
    yield from _merge_forms((deck, entry.card.name, entry) for deck, entry in cards)


def _has_letters(name: str) -> bool:
    """Return whether a name has two letters or more: a card called "7" would link every seven."""
    return sum(map(str.isalpha, name)) > 1


def _description_forms(decks: Sequence[DeckNote]) -> Iterator[_NameForm]:
    """Yield the forms of every card's description by rank and suit."""
    spelled_cards = ((deck, spelling, entry) for deck in decks for spelling, entry in describe_cards(deck))
    return (replace(form, described=True) for form in _merge_forms(spelled_cards))


def _merge_forms(spelled_cards: Iterable[tuple[DeckNote, str, CardEntry]]) -> Iterator[_NameForm]:
    """Yield one form for each lookup key, with the first card of each deck that has it."""
    by_key = group((_lookup_key(item[1]), item) for item in spelled_cards)
    for key, items in by_key.items():
        entries = {deck.note.path: entry for deck, _, entry in reversed(items)}
        yield _NameForm(key, items[0][1], tuple(entries.values())[::-1])


def _lookup_key(name: str) -> str:
    return _straighten_apostrophes(name).lower()


def _straighten_apostrophes(name: str) -> str:
    return name.replace("’", "'")


def describe_cards(deck: DeckNote) -> Iterator[tuple[str, CardEntry]]:
    """Yield each way to describe a card of a deck by rank and suit, in English and as the deck's note writes it.

    Descriptions that fit two cards of a deck are left out.
    """
    counts = Counter(_rank_and_suits(entry.card) for entry in deck.entries)
    entries = {_rank_and_suits(entry.card): entry for entry in deck.entries if counts[_rank_and_suits(entry.card)] == 1}
    for (rank, suits), entry in entries.items():
        if suits and rank is not None:
            yield from ((f"{variant} of {' and '.join(suits)}", entry) for variant in _rank_variants(rank))
    translations, _ = card_line.read_translations(deck.note)
    if translations.has_translations:
        for line in LINE_END.split(deck.note.body):
            facts = card_line.parse_card_line(line.strip(), translations)
            card_entry = entries.get((facts.rank, facts.suits)) if facts else None
            phrase = (card_line.emphasised_text(line.strip()) or "").partition("·")[0].strip()
            if card_entry is not None and " " in phrase:
                yield from ((variant, card_entry) for variant in _figure_variants(phrase, card_entry.card.rank))


def _rank_and_suits(card: Card) -> tuple[Rank, tuple[str, ...]]:
    return card.rank, card.suits


def _rank_variants(rank: Rank) -> tuple[str, ...]:
    """Return the ways to write a rank in English: 7 is also `Seven`, and 1 also `One` and `Ace`."""
    if not isinstance(rank, int):
        return (str(rank),)
    spelled = (NUMBER_WORDS[rank].capitalize(),) if 0 < rank <= 10 else ()
    return (str(rank), *spelled, *(("Ace",) if rank == 1 else ()))


def _figure_variants(phrase: str, rank: Rank) -> tuple[str, ...]:
    """Return a description in the deck's language, and a variant with the rank's digits for its first word."""
    _, _, rest = phrase.partition(" ")
    return (phrase, f"{rank} {rest}") if isinstance(rank, int) else (phrase,)
