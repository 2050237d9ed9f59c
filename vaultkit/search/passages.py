"""The passages of text that can answer a question, and the texts by which they are found."""

from collections.abc import Iterable
from dataclasses import dataclass

from vaultkit.search.stemming import Language, name_key
from vaultkit.vault import Vault
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.subpath import to_subpath


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a note, or a ruling, as plain text.

    `source` tells people where the passage is. `note` is a vault path, `heading` a heading of that note, `ruling` the
    id of a ruling and `card` the name of a card; each is "" if it does not apply. `whole` is the text of the section
    of which the passage is a part, "" if the passage is not a part of a section.
    """

    title: str
    text: str
    source: str = ""
    complete: bool = False
    """Whether the text of a card also contains everything that the rules say about the card."""
    note: str = ""
    heading: str = ""
    ruling: str = ""
    card: str = ""
    whole: str = ""


@dataclass(frozen=True, slots=True)
class PassageEntry:
    """A passage and the texts by which it is found.

    `name` is the subject of the passage, `under` contains the headings above it or the names of its deck, and `body` is
    its whole text. `games` are the ids of the games that it is about, none for a passage about all games.
    """

    passage: Passage
    name: str
    under: str
    body: str
    games: frozenset[str] = frozenset()
    questions: tuple[str, ...] = ()
    """Questions of players that the passage answers."""
    piece: bool = False
    """Whether the passage is a part of a section that has an entry of its own."""
    aside: bool = False
    """Whether the passage explains a rule without being one, as examples and callouts do."""
    rank: str = ""
    """The rank of a card, "" if the rank is a number."""
    subjects: tuple[str, ...] = ()
    """The names of the note that contains the passage; () for rule notes, cards and rulings."""
    context: str = ""
    """The properties, tags, folders and opening of the note, and of a short note all its text; "" like `subjects`."""

    is_index: bool = False
    """Whether the passage is mostly links to other notes."""

    @property
    def place(self) -> tuple[str, ...]:
        """The note, heading, ruling and card of the passage; the pieces of a section have the place of the section."""
        return self.passage.note, self.passage.heading, self.passage.ruling, self.passage.card

    def has_words(self, stems: Iterable[str], language: Language) -> bool:
        """Return whether the entry contains all words with some stems."""
        return {*stems} <= {*language.stems(f"{self.name} {self.under} {self.body}")}


def unique_places(entries: Iterable[PassageEntry]) -> list[PassageEntry]:
    """Return the first entry of each place; a note and the heading with its name are one place."""
    entry_of_place: dict[tuple[str, ...], PassageEntry] = {}
    for entry in entries:
        passage = entry.passage
        heading = "" if name_key(passage.heading) == name_key(name_of(passage.note)) else passage.heading
        entry_of_place.setdefault((passage.note, heading, passage.ruling, passage.card), entry)
    return [*entry_of_place.values()]


def format_wikilink(name: str, heading: str) -> str:
    """Return a wikilink to a heading of a note, or to the note itself if `heading` is ""."""
    return f"[[{name}#{to_subpath(heading)}]]" if heading else f"[[{name}]]"


def link_name(vault: Vault, path: str) -> str:
    """Return the name by which a wikilink refers to a note.

    That is the name of the note, or its path if another file has the same name.
    """
    name = name_of(path)
    return name if len(vault.files.find_namesakes(name)) == 1 else path.removesuffix(".md")
