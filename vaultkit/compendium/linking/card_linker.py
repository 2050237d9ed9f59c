"""Creation of links to cards in notes that name them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking import mentions
from vaultkit.compendium.linking.card_targets import CardPlaces, address, own_notes
from vaultkit.compendium.linking.descriptions import describe_cards
from vaultkit.compendium.linking.mentions import CardNameIndex, Mention, is_one_of_names
from vaultkit.errors import NothingFound, UsageError
from vaultkit.text import name_key
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.structure import events
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.splice import Splice, join_splices, shift


def decks_for(compendium: Compendium, note: Note, kind: str = "", game: str = "") -> tuple[DeckNote, ...]:
    """Return the decks whose cards `note` may name.

    This is the deck of `deck_kind` if the note explains `game`, which needs one; else the decks to which the note links
    already; else all. Raise InvalidError if the game's deck is missing, NothingFound if there is no deck at all.
    """
    leads_to = {compendium.vault.resolve(link, note.path).path for link in note.links if not link.external}
    linked_decks = tuple(deck for deck in compendium.decks if own_notes(deck) & leads_to)
    if kind:
        of_kind = [deck for deck in compendium.decks if deck.deck.kind == kind]
        best = min(of_kind, key=lambda deck: (deck not in linked_decks, not deck.sound), default=None)
        return (best or compendium.deck_of_kind(kind, game),)
    if not compendium.decks:
        hint = "Copy a game's deck in, as with: vaultkit init --with dragon-citadel"
        raise NothingFound("This vault has no deck.", where=str(compendium.vault.root), hint=hint)
    return linked_decks or compendium.decks


def name_among(deck: DeckNote, decks: Iterable[DeckNote]) -> str:
    """Return the title of a deck, or its note's path if another one of `decks` has this title."""
    folded_title = name_key(deck.deck.title)
    is_alone = all(other is deck or folded_title not in map(name_key, other.names) for other in decks)
    return deck.deck.title if is_alone else deck.note.path


def refuse_own_notes(note: Note, decks: Iterable[DeckNote]) -> None:
    """Raise UsageError if `note` is a deck itself, or one of its cards."""
    for deck in decks:
        if note.path in own_notes(deck):
            raise UsageError(
                f"This note belongs to the deck '{deck.deck.title}' itself.",
                where=note.path,
                hint="Name a note that uses the cards, such as a game's rules.",
            )


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


class CardLinker:
    """A linker of card names in notes, in the vault's own link style.

    A name that another note has, too, is linked only if `picks` maps it to a card. With `any_case`, plain words
    count as names, too; with `first_only`, only the first mention of each card in a note is linked.
    """

    def __init__(
        self,
        vault: Vault,
        decks: Sequence[DeckNote],
        any_case: bool = False,
        first: bool = False,
        *,
        picks: Mapping[str, str] | None = None,
    ) -> None:
        self._vault = vault
        self._any_case = any_case
        self._first = first
        self._decks = tuple(decks)
        self._picks = {name: find_card(card, decks) for name, card in (picks or {}).items()}
        self._names = CardNameIndex(
            decks, described=True, picks={name: card for name, card in self._picks.items() if card}
        )
        self._places = CardPlaces(vault, decks)
        self._linker = Linker(vault)

    def edit(self, note: Note) -> Edit:
        """Return the change that adds all new links to a note; each link is verified by reading the result.

        A second edit finds nothing left to do.
        """
        card_mentions = mentions.find(note, self._names, self._any_case)
        other_notes = {
            text: path
            for text in _deduplicate(mention.text for mention in card_mentions)
            if (path := self._other_note(text))
        }
        card_mentions = tuple(mention for mention in card_mentions if mention.text not in other_notes)
        proposed_links = [
            self._new(note, mention, mention.entry) for mention in card_mentions if mention.entry is not None
        ]
        if self._first:
            proposed_links = self._first_mentions(note, proposed_links)
        new_links = self._working_links(note, proposed_links)
        linked_mentions = {new.mention for new in new_links}
        unclear = _deduplicate(mention.text for mention in card_mentions if mention.entry is None)
        left = _deduplicate(new.mention.text for new in proposed_links if new.mention not in linked_mentions)
        links = tuple(
            CardLink(*note.places.line_and_column(new.mention.start), new.mention.text, new.entry.link)
            for new in new_links
        )
        others = tuple(SharedName(text, path) for text, path in other_notes.items())
        return Edit(_join_splices(note.text, new_links), links, tuple(map(self._make_ambiguous, unclear)), left, others)

    def plan(self, note: Note) -> Splice | None:
        """Return the splice of `edit`, as a plan for `Writer.change`."""
        return self.edit(note).splice

    def _make_ambiguous(self, text: str) -> AmbiguousName:
        having = (deck for deck in self._decks if mentions.is_one_of_names(text, _all_names(deck)))
        return AmbiguousName(text, tuple(name_among(deck, self._decks) for deck in having))

    def _other_note(self, text: str) -> str:
        """Return the path of a note with this name that is no card; "" if there is none or the GM has picked a card."""
        singular = self._singular(text) or text
        if any(mentions.is_one_of_names(name, self._picks) for name in (text, singular)):
            return ""
        return self._other_notes.get(name_key(text)) or self._other_notes.get(name_key(singular)) or ""

    @cached_property
    def _singular(self) -> Callable[[str], str | None]:
        """A function that returns the card name of which a text is the singular or plural, or None."""
        names = (entry.card.name for deck in self._decks for entry in deck.entries)
        return mentions.make_finder((name, name) for name in names)

    @cached_property
    def _other_notes(self) -> dict[str, str]:
        """The paths of notes that are no cards, by folded name and alias."""
        own = frozenset().union(*map(own_notes, self._decks))
        notes = [facts for facts in self._vault.note_facts if facts.path not in own]
        return {name_key(name): facts.path for facts in reversed(notes) for name in (*facts.aliases, facts.name)}

    def _new(self, note: Note, mention: Mention, entry: CardEntry) -> "_NewLink":
        path, subpath = address(entry)
        return _NewLink(mention, entry, self._linker.link(path, note.path, mention.text, subpath, mention.table))

    def _first_mentions(self, note: Note, proposed_links: "Iterable[_NewLink]") -> "list[_NewLink]":
        linked_entries = (self._places.card(link, note.path) for link in note.links)
        linked_ids = {_identity(entry) for entry in linked_entries if entry is not None}
        first: dict[str, _NewLink] = {}
        for new in proposed_links:
            first.setdefault(_identity(new.entry), new)
        return [new for card, new in first.items() if card not in linked_ids]

    def _working_links(self, note: Note, new: "list[_NewLink]") -> "list[_NewLink]":
        """Return the links that can be made without harm to the note.

        If all links together do harm, each half of them is tried.
        """
        if not new or self._reads_back(note, new):
            return new
        if len(new) == 1:
            return []
        middle = len(new) // 2
        upper, lower = self._working_links(note, new[:middle]), self._working_links(note, new[middle:])
        return upper + lower if self._reads_back(note, upper + lower) else upper

    def _reads_back(self, note: Note, new: "list[_NewLink]") -> bool:
        """Return whether the changed note has the new links, each leading to its card, and is unchanged otherwise."""
        splice = _join_splices(note.text, new)
        after = Note(note.path, note.encoded.to_bytes(splice.apply(note.text) if splice else note.text))
        new_offset = shift([item.splice for item in new])
        starts = {new_offset(item.mention.start): item for item in new}
        old = [_content(link, new_offset(link.start)) for link in note.links]
        other_links = [_content(link, link.start) for link in after.links if link.start not in starts]
        new_links = [(starts[link.start], link) for link in after.links if link.start in starts]
        return (
            len(new_links) == len(new)
            and old == other_links
            and _skeleton(note) == _skeleton(after)
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


def _identity(entry: CardEntry) -> str:
    return entry.link + entry.card.id


def _content(link: Link, start: int) -> tuple[object, ...]:
    return (start, link.kind, link.embed, link.text, link.path, link.subpath)


def _skeleton(note: Note) -> tuple[object, ...]:
    """Return the parts that new links must not change: headings, block ids, and all Markdown elements except links."""
    begun: list[Any] = [
        event["Start"] for event, _ in events(note.body) if isinstance(event, dict) and "Start" in event
    ]
    kinds = [str(tag) for tag in begun if not (isinstance(tag, dict) and "Link" in tag)]
    return ([(heading.level, heading.text) for heading in note.headings], note.blocks, kinds)


def find_card(card: str, decks: Iterable[DeckNote]) -> CardEntry | None:
    """Return the card with an id such as `tarokka:raven`, or a name; None if the decks have no such card."""
    kind, _, name = card.rpartition(":")
    for deck in (deck for deck in decks if not kind or is_one_of_names(kind, deck.names)):
        by_names = (((entry.card.id, entry.card.name, entry.card.title), entry) for entry in deck.entries)
        by_facts = (((spelling,), entry) for spelling, entry in describe_cards(deck))
        if match := next((entry for names, entry in chain(by_names, by_facts) if is_one_of_names(name, names)), None):
            return match
    return None


def _all_names(deck: DeckNote) -> Iterator[str]:
    """Yield every way to name a card of a deck."""
    for entry in deck.entries:
        yield from mentions.spellings(entry.card.name)
    yield from (spelling for spelling, _ in describe_cards(deck))


def _deduplicate(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
