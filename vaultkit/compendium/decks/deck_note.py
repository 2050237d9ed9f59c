"""Decks as read from notes: one note with cards under headings or in tables, or one note for each card.

If a vault has several decks of one kind, those without errors come first, among them the one whose note says
`vaultkit-default: true`, else the first by path. If only its path decides, the others get a warning.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import KINDS, known_deck
from vaultkit.compendium.decks import card_line, discovery, markers, raw_cards
from vaultkit.compendium.decks.card_line import Words
from vaultkit.compendium.decks.card_matching import make_slug, match_cards
from vaultkit.compendium.decks.discovery import DeckSource
from vaultkit.compendium.decks.raw_cards import WrittenCard
from vaultkit.errors import Problem
from vaultkit.key_lines import find_key_line
from vaultkit.spelling import find_nearest, suggest_names
from vaultkit.text import group, name_key
from vaultkit.vault import Note, Vault
from vaultkit.vault.note import texts
from vaultkit.vault.text_positions import LINE_END

_MIN_SIMILARITY_PERCENT = 85
"""The minimum similarity, in per cent, of an unknown kind of deck to a known one that it may be a typing error of."""
_NO_HEAD_NOTE_HINT = (
    "Are they in other folders? Put a note with 'vaultkit-deck: {}' in the folder above them: then they are one deck."
)
MIN_SAME_CARDS = 3
"""The minimum number of cards for which two decks with the same cards are taken for one deck that is there twice."""
DEFAULT_PROPERTY = "vaultkit-default"


@dataclass(frozen=True)
class CardEntry:
    """A card as written in the vault: `link` is its address, `line` its line in the note of that address.

    The link is `path#heading` in a deck note, or the path of the card's own note. `image` is a vault path, `text`
    Markdown.
    """

    card: Card
    link: str
    line: int
    image: str | None = None
    text: str = ""


@dataclass(frozen=True)
class DeckNote:
    """A deck as read from notes, with its problems.

    `note` is the deck note or, for a deck of card notes, its head note; without a head note it is the first card note,
    and `headed` is False. `faulty` are names of written cards that mistakes keep out of the deck.
    """

    note: Note
    deck: Deck
    entries: tuple[CardEntry, ...]
    problems: tuple[Problem, ...]
    headed: bool = True
    faulty: tuple[str, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, CardEntry]:
        return {entry.card.id: entry for entry in self.entries}

    @cached_property
    def own_words(self) -> Mapping[str, str]:
        """The deck's own words for suits and ranks, by the English words."""
        return card_line.own_words(self.note) if self.headed else {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the deck: its kind, its title, the name and aliases of its note."""
        note_names = (self.note.name, *self.note.aliases) if self.headed else ()
        return (self.deck.kind, self.deck.title, *note_names)

    def refuse_too_large(self) -> None:
        """Raise BudgetExceeded for a deck whose cards were not read, because they are too many."""
        if any(problem.code == "deck-size" for problem in self.problems):
            raise discovery.MAX_CARDS.error(self.note.path)

    @property
    def sound(self) -> bool:
        """Whether games can be played with the deck: it has no error of its cards or of the deck itself."""
        return self.first_error is None

    @property
    def first_error(self) -> Problem | None:
        """The first problem that keeps the deck from being played with, or None."""
        errors = (problem for problem in self.problems if problem.severity == "error")
        return next((problem for problem in errors if problem.code.startswith(("card-", "deck-"))), None)


def read_deck(source: DeckSource, vault: Vault) -> DeckNote:
    """Read the deck of one or of many notes.

    A card that cannot be read becomes a Problem; no exception is raised.
    """
    note = source.note
    translations, problems = card_line.read_translations(note) if source.headed else (card_line.NO_TRANSLATIONS, ())
    items = _read_written_cards(source, vault, translations)
    kind = _deck_kind(note, items)
    if len(items) > discovery.MAX_CARDS.maximum:
        problem = discovery.MAX_CARDS.problem(note.path, "deck-size")
        return DeckNote(note, Deck(kind, _deck_title(source, kind), ()), (), (problem,), source.headed)
    hint = "" if source.headed else _NO_HEAD_NOTE_HINT.format(kind)
    matching = match_cards(note.path, items, kind, translations, hint)
    entries = tuple(_card_entry(card, item) for card, item in matching.cards)
    deck = Deck(kind, _deck_title(source, kind), tuple(entry.card for entry in entries))
    matched_ids = {id(item) for _, item in matching.cards}
    faulty = tuple(item.name for item in items if id(item) not in matched_ids)
    problems = (*problems, *_note_problems(source, items), *matching.problems)
    return DeckNote(note, deck, entries, problems, source.headed, faulty)


def _card_entry(card: Card, item: WrittenCard) -> CardEntry:
    return CardEntry(card, item.link, item.target_line or item.line, item.image, item.text)


def _read_written_cards(source: DeckSource, vault: Vault, translations: Words) -> tuple[WrittenCard, ...]:
    head_note_cards = discovery.read_cards(source.note, vault, translations) if source.headed else ()
    card_notes = (raw_cards.read_card_note(note, vault, translations) for note in discovery.take(source.cards))
    return (*head_note_cards, *card_notes)


def _note_problems(source: DeckSource, items: tuple[WrittenCard, ...]) -> Iterator[Problem]:
    """Yield problems of unreadable frontmatter, missing pictures, and a deck without cards."""
    for note in {note.path: note for note in (source.note, *source.cards)}.values():
        yield from (problem for problem in note.problems if problem.code == "frontmatter")
        yield from _property_problems(note)
    yield from _kind_problems(source.note)
    for item in items:
        if item.lost:
            message = f"'{item.name}' has the picture '{item.lost}', which is not in this vault."
            yield Problem(
                item.path, item.line, 1, "card-image", message, "Correct the path, or bring the file in.", "warning"
            )
    if not items:
        hint = "Write each card under a heading '### Name', as a row of a table 'Name | Rank | Suits', or as a note."
        yield Problem(source.note.path, 0, 0, "deck-empty", "This deck has no cards.", hint)


def _property_problems(note: Note) -> Iterator[Problem]:
    """Yield a warning if the name of the property `vaultkit-deck` is misspelt."""
    name = markers.written_property(note)
    if name and name.lower() != markers.DECK_PROPERTY:
        message = f"The property '{name}' is read as '{markers.DECK_PROPERTY}', which is its name."
        hint = f"Write '{markers.DECK_PROPERTY}'."
        line, _ = find_key_line(LINE_END.split(note.head), (name,))
        yield Problem(note.path, line, 1, "deck-property", message, hint, "warning")


def _kind_problems(note: Note) -> Iterator[Problem]:
    """Yield a warning if the kind of a deck is unknown but similar to a known one."""
    kind = markers.kind_of(note)
    nearest_kind = find_nearest(kind, KINDS, min_score=_MIN_SIMILARITY_PERCENT) if kind and kind not in KINDS else ""
    if nearest_kind:
        message = f"The deck's kind is '{kind}', which no game asks for."
        line, _ = find_key_line(LINE_END.split(note.head), (markers.written_property(note),))
        yield Problem(note.path, line, 1, "deck-kind", message, suggest_names(nearest_kind), "warning")


def _deck_title(source: DeckSource, deck_kind: str) -> str:
    """Return the title of the deck's note; without a head note, the known deck's title, or the folder's name."""
    if source.headed:
        return source.note.title
    reference_deck = known_deck(deck_kind)
    folder_name = posixpath.basename(posixpath.dirname(source.note.path))
    return reference_deck.title if reference_deck else folder_name or deck_kind


def _deck_kind(note: Note, items: tuple[WrittenCard, ...]) -> str:
    """Return the kind that the note gives, else the known deck with most of its cards, else the note's own name."""
    if declared_kind := markers.kind_of(note):
        return declared_kind
    names = {name_key(item.name) for item in items}
    for kind in KINDS:
        reference_deck = known_deck(kind)
        if reference_deck and 2 * sum(name_key(card.name) in names for card in reference_deck) > len(reference_deck):
            return kind
    return make_slug(note.name)


def preferred_deck(decks: Sequence[DeckNote]) -> DeckNote:
    """Return the deck to play with; `decks` has at least one."""
    return min(decks, key=lambda deck: (not deck.sound, not _is_default(deck)))


def add_warnings(decks: Iterable[DeckNote]) -> tuple[DeckNote, ...]:
    """Return the decks, with a warning in each deck that is passed over though the GM has chosen none.

    Only decks that games ask for by kind count; a vault may have any number of other decks of one name. Of these, a
    deck with the same name and the same cards as another one gets a warning, too.
    """
    notes = tuple(decks)
    by_kind = group((deck.deck.kind, deck) for deck in notes)
    rivals = {kind: _equal_choices(decks_of_kind) for kind, decks_of_kind in by_kind.items() if known_deck(kind)}
    other_decks = (deck for deck in notes if deck.deck.kind not in rivals and len(deck.deck) >= MIN_SAME_CARDS)
    twins = group((_names_of(deck), deck) for deck in other_decks)
    return tuple(_add_warning(deck, rivals.get(deck.deck.kind) or twins.get(_names_of(deck), [])) for deck in notes)


def _names_of(deck: DeckNote) -> tuple[str, ...]:
    """Return the keys of the names of a deck and of its cards."""
    return name_key(deck.deck.title), *sorted(name_key(card.title) for card in deck.deck)


def _equal_choices(decks: Sequence[DeckNote]) -> Sequence[DeckNote]:
    """Return the best decks of one kind, among which only the order of paths decides."""
    sound = [deck for deck in decks if deck.sound]
    defaults = [deck for deck in sound if _is_default(deck)]
    return defaults or sound


def _add_warning(deck: DeckNote, rivals: Sequence[DeckNote]) -> DeckNote:
    preferred = next(iter(rivals), deck)
    if preferred is deck or not any(rival is deck for rival in rivals):
        return deck
    message = f"This deck has the same name and cards as the one of '{preferred.note.path}'."
    hint = "Delete one of the two, or give it another name."
    if known_deck(deck.deck.kind):
        message = f"This {deck.deck.kind} deck is passed over: games take the one of '{preferred.note.path}'."
        places = f"'{preferred.note.path}' or '{deck.note.path}'"
        hint = f"Write '{DEFAULT_PROPERTY}: true' into the note of the deck to play with, {places}."
    problem = Problem(deck.note.path, 0, 0, "deck-several", message, hint, "warning")
    return replace(deck, problems=(*deck.problems, problem))


def _is_default(deck: DeckNote) -> bool:
    return "true" in map(str.lower, texts(deck.note.property(DEFAULT_PROPERTY)))
