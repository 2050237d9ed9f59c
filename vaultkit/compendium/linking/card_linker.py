"""Creation of links to cards in notes that name them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking import mentions
from vaultkit.compendium.linking.card_targets import CardPlaces, address, own_notes
from vaultkit.compendium.linking.mentions import CardNameIndex, Mention, describe_cards, is_one_of_names
from vaultkit.errors import NothingFound, UsageError
from vaultkit.text import name_key
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.dialect import events
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.splice import Splice, join_splices, offset_mapper


def decks_for(compendium: Compendium, note: Note, deck_kind: str = "", game: str = "") -> tuple[DeckNote, ...]:
    """Return the decks whose cards `note` may name.

    This is the deck of `deck_kind` if the note explains `game`, which needs one; else the decks to which the note links
    already; else all. Raise InvalidError if the game's deck is missing, NothingFound if there is no deck at all.
    """
    linked_paths = {compendium.vault.resolve(link, note.path).path for link in note.links if not link.external}
    linked_decks = tuple(deck for deck in compendium.decks if own_notes(deck) & linked_paths)
    if deck_kind:
        decks_of_kind = [deck for deck in compendium.decks if deck.deck.kind == deck_kind]
        best_deck = min(decks_of_kind, key=lambda deck: (deck not in linked_decks, not deck.sound), default=None)
        return (best_deck or compendium.deck_of_kind(deck_kind, game),)
    if not compendium.decks:
        hint = "Copy a game's deck in, as with: vaultkit init --with dragon-citadel"
        raise NothingFound("This vault has no deck.", where=str(compendium.vault.root), hint=hint)
    return linked_decks or compendium.decks


def unambiguous_deck_name(deck: DeckNote, decks: Iterable[DeckNote]) -> str:
    """Return the title of a deck, or its note's path if another one of `decks` has this title."""
    folded_title = name_key(deck.deck.title)
    is_unique = all(other is deck or folded_title not in map(name_key, other.names) for other in decks)
    return deck.deck.title if is_unique else deck.note.path


def refuse_own_notes(note: Note, decks: Iterable[DeckNote]) -> None:
    """Raise UsageError if `note` is a deck itself, or one of its cards."""
    for deck in decks:
        if note.path in own_notes(deck):
            hint = "Name a note that uses the cards, such as a game's rules."
            raise UsageError(f"This note belongs to the deck '{deck.deck.title}' itself.", where=note.path, hint=hint)


@dataclass(frozen=True, slots=True)
class CardLink:
    """A name that becomes a link: its place in the unchanged note, from 1 in code points, and the card's address."""

    line: int
    column: int
    text: str
    target: str


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name in a note that is a card of several decks; `decks` are the names of the decks."""

    text: str
    decks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedName:
    """A name in a note that is both a card's and that of another note."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The change that links a note's card names; `splice` is None if it links none. `links` go top to bottom.

    `unclear` are names that several decks have; `left` are names that cannot be linked without harm to the note;
    `others` are names that other notes have, too.
    """

    splice: Splice | None
    links: tuple[CardLink, ...]
    unclear: tuple[AmbiguousName, ...]
    left: tuple[str, ...]
    others: tuple[SharedName, ...] = ()


@dataclass
class CardLinker:
    """A linker of card names in notes, in the vault's own link style.

    A name that another note has, too, is linked only if `picks` maps it to a card. With `any_case`, plain words
    count as names, too; with `first_only`, only the first mention of each card in a note is linked.
    """

    vault: Vault
    decks: Sequence[DeckNote]
    any_case: bool = False
    first_only: bool = False
    picks: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._picks = {name: find_card(card, self.decks) for name, card in self.picks.items()}
        preferred_cards = {name: card for name, card in self._picks.items() if card}
        self._names = CardNameIndex(self.decks, described=True, preferred_cards=preferred_cards)
        self._places, self._linker = CardPlaces(self.vault, self.decks), Linker(self.vault)

    def edit(self, note: Note) -> Edit:
        """Return the change that adds all new links to a note; each link is verified by reading the result.

        A second edit finds nothing left to do.
        """
        card_mentions = mentions.find(note, self._names, self.any_case)
        texts = _deduplicate(mention.text for mention in card_mentions)
        other_notes = {text: path for text in texts if (path := self._other_note_path(text))}
        card_mentions = tuple(mention for mention in card_mentions if mention.text not in other_notes)
        proposed_links = [self._make_link(note, item, item.entry) for item in card_mentions if item.entry is not None]
        if self.first_only:
            proposed_links = self._select_first_mentions(note, proposed_links)
        new_links = self._select_working_links(note, proposed_links)
        linked_mentions = {new.mention for new in new_links}
        ambiguous_names = _deduplicate(mention.text for mention in card_mentions if mention.entry is None)
        proposed_mentions = [new.mention for new in proposed_links]
        unlinkable_names = _deduplicate(item.text for item in proposed_mentions if item not in linked_mentions)
        links = tuple(
            CardLink(*note.places.line_and_column(new.mention.start), new.mention.text, new.entry.link)
            for new in new_links
        )
        shared_names = tuple(SharedName(text, path) for text, path in other_notes.items())
        splice, ambiguous = _join_splices(note.text, new_links), tuple(map(self._make_ambiguous, ambiguous_names))
        return Edit(splice, links, ambiguous, unlinkable_names, shared_names)

    def plan(self, note: Note) -> Splice | None:
        """Return the splice of `edit`, as a plan for `Writer.change`."""
        return self.edit(note).splice

    def _make_ambiguous(self, text: str) -> AmbiguousName:
        decks_with_name = (deck for deck in self.decks if mentions.is_one_of_names(text, _card_spellings(deck)))
        return AmbiguousName(text, tuple(unambiguous_deck_name(deck, self.decks) for deck in decks_with_name))

    def _other_note_path(self, text: str) -> str:
        """Return the path of a note with this name that is no card; "" if there is none or the GM has picked a card."""
        singular = self._find_singular(text) or text
        if any(mentions.is_one_of_names(name, self._picks) for name in (text, singular)):
            return ""
        return self._other_note_paths.get(name_key(text)) or self._other_note_paths.get(name_key(singular)) or ""

    @cached_property
    def _find_singular(self) -> Callable[[str], str | None]:
        """A function that returns the card name of which a text is the singular or plural, or None."""
        names = (entry.card.name for deck in self.decks for entry in deck.entries)
        return mentions.make_finder((name, name) for name in names)

    @cached_property
    def _other_note_paths(self) -> dict[str, str]:
        """The paths of notes that are no cards, by folded name and alias."""
        card_note_paths = frozenset().union(*map(own_notes, self.decks))
        notes = [facts for facts in self.vault.note_facts if facts.path not in card_note_paths]
        return {name_key(name): facts.path for facts in reversed(notes) for name in (*facts.aliases, facts.name)}

    def _make_link(self, note: Note, mention: Mention, entry: CardEntry) -> "_NewLink":
        path, subpath = address(entry)
        return _NewLink(mention, entry, self._linker.link(path, note.path, mention.text, subpath, mention.table))

    def _select_first_mentions(self, note: Note, proposed_links: "Iterable[_NewLink]") -> "list[_NewLink]":
        linked_entries = (self._places.card(link, note.path) for link in note.links)
        linked_ids = {_unique_card_id(entry) for entry in linked_entries if entry is not None}
        first_links: dict[str, _NewLink] = {}
        for new in proposed_links:
            first_links.setdefault(_unique_card_id(new.entry), new)
        return [new for card_id, new in first_links.items() if card_id not in linked_ids]

    def _select_working_links(self, note: Note, candidates: "list[_NewLink]") -> "list[_NewLink]":
        """Return the links that can be made without harm to the note.

        If all links together do harm, each half of them is tried.
        """
        if not candidates or self._reads_back(note, candidates):
            return candidates
        if len(candidates) == 1:
            return []
        middle = len(candidates) // 2
        first_half = self._select_working_links(note, candidates[:middle])
        second_half = self._select_working_links(note, candidates[middle:])
        return first_half + second_half if self._reads_back(note, first_half + second_half) else first_half

    def _reads_back(self, note: Note, new_links_to_check: "list[_NewLink]") -> bool:
        """Return whether the changed note has the new links, each leading to its card, and is unchanged otherwise."""
        splice = _join_splices(note.text, new_links_to_check)
        changed_note = Note(note.path, note.encoded.to_bytes(splice.apply(note.text) if splice else note.text))
        new_offset = offset_mapper([item.splice for item in new_links_to_check])
        starts = {new_offset(item.mention.start): item for item in new_links_to_check}
        old_links = [_link_content(link, new_offset(link.start)) for link in note.links]
        other_links = [_link_content(link, link.start) for link in changed_note.links if link.start not in starts]
        new_links = [(starts[link.start], link) for link in changed_note.links if link.start in starts]
        return (
            len(new_links) == len(new_links_to_check)
            and old_links == other_links
            and _fixed_structure(note) == _fixed_structure(changed_note)
            and all(link.text == item.mention.text for item, link in new_links)
            and all(self._places.card(link, note.path) is item.entry for item, link in new_links)
        )


@dataclass(frozen=True, slots=True)
class _NewLink:
    """A mention and the link that is to take its place."""

    mention: Mention
    entry: CardEntry
    link: str

    @property
    def splice(self) -> Splice:
        return Splice(self.mention.start, self.mention.text, self.link)


def _join_splices(text: str, new: Sequence[_NewLink]) -> Splice | None:
    return join_splices(text, [item.splice for item in new]) if new else None


def _unique_card_id(entry: CardEntry) -> str:
    return entry.link + entry.card.id


def _link_content(link: Link, start: int) -> tuple[object, ...]:
    return (start, link.kind, link.embed, link.text, link.path, link.subpath)


def _fixed_structure(note: Note) -> tuple[object, ...]:
    """Return the parts that new links must not change: headings, block ids, and all Markdown elements except links."""
    elements = (event for event, _ in events(note.body) if isinstance(event, dict))
    start_tags: list[Any] = [event["Start"] for event in elements if "Start" in event]
    kinds = [str(tag) for tag in start_tags if not (isinstance(tag, dict) and "Link" in tag)]
    return ([(heading.level, heading.text) for heading in note.headings], note.blocks, kinds)


def find_card(card: str, decks: Iterable[DeckNote]) -> CardEntry | None:
    """Return the card with an id such as `tarokka:raven`, or a name; None if the decks have no such card."""
    deck_name, _, name = card.rpartition(":")
    for deck in (deck for deck in decks if not deck_name or is_one_of_names(deck_name, deck.names)):
        cards_by_name = (((entry.card.id, entry.card.name, entry.card.title), entry) for entry in deck.entries)
        cards_by_description = (((spelling,), entry) for spelling, entry in describe_cards(deck))
        for names, entry in chain(cards_by_name, cards_by_description):
            if is_one_of_names(name, names):
                return entry
    return None


def _card_spellings(deck: DeckNote) -> Iterator[str]:
    """Yield every way to name a card of a deck."""
    for entry in deck.entries:
        yield from mentions.spellings(entry.card.name)
    yield from (spelling for spelling, _ in describe_cards(deck))


def _deduplicate(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
