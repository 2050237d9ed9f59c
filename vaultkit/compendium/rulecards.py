"""Cards that a game's rule note names and the vault's deck lacks."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from vaultkit.cards import Card, Deck
from vaultkit.cards.known import known_deck
from vaultkit.compendium import rulenote
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks import choice
from vaultkit.compendium.decks.decknote import CardEntry, DeckNote
from vaultkit.compendium.decks.words import folded
from vaultkit.compendium.linking import mentions
from vaultkit.compendium.linking.mentions import Mention, Names
from vaultkit.compendium.rulenote import HOW_TO_SET, PROPERTY, RuleNote, WrittenOption
from vaultkit.errors import Problem, VaultkitError
from vaultkit.spelling import did_you_mean
from vaultkit.vault import Note
from vaultkit.vault.facts import texts

_NAMED_FIRST = re.compile(r"'(?P<name>.+?)' (?:has|is)\b")
Refusal = Callable[[str, object], VaultkitError | None]
"""What a game has against an option's key and value; None if it takes them."""


@dataclass(frozen=True, slots=True)
class GameNames:
    """A game as rule notes name it, by its id or one of its titles, and the kind of deck that it is played with.

    `refusal` is asked what is wrong with an option's key and value; without it options are not looked at.
    """

    id: str
    titles: tuple[str, ...]
    deck: str
    refusal: Refusal | None = None


def card_problems(compendium: Compendium, games: Iterable[GameNames], chosen: Collection[str]) -> Iterator[Problem]:
    """A warning for each lacking card where a rule note among the vault paths `chosen` names it first.

    A vault without any deck of a game's kind is not asked for its cards. A card under a name of the vault's own is
    there; so is one with mistakes, which are told where it stands.
    """
    for game in games:
        decks = [deck for deck in compendium.decks if deck.deck.kind == game.deck]
        lacking = _lacking(game.deck, decks)
        if lacking:
            deck = choice.preferred(decks)
            names = Names([*decks, _only(lacking)])
            for note in _rule_notes(compendium, game, chosen):
                yield from (_problem(note, mention, deck) for mention in _firsts(note, names, lacking))


def _lacking(kind: str, decks: Sequence[DeckNote]) -> tuple[Card, ...]:
    """The cards of a known kind that none of the vault's decks of that kind has, not even with mistakes."""
    known = known_deck(kind) if decks else None
    there = {card_id for deck in decks for card_id in deck.by_id}
    faulty = {name for deck in decks for name in _with_mistakes(deck)}
    return tuple(card for card in known or () if card.id not in there and folded(card.name) not in faulty)


def _with_mistakes(deck: DeckNote) -> Iterator[str]:
    """The folded names of cards that are written in a deck and not taken into it."""
    for problem in deck.problems:
        match = _NAMED_FIRST.match(problem.message) if problem.code.startswith("card-") else None
        if match:
            yield folded(match["name"])


def _only(cards: Sequence[Card]) -> DeckNote:
    """A deck of cards that stand nowhere, so that their names are found beside those of the vault's decks."""
    entries = tuple(CardEntry(card, "", 0) for card in cards)
    return DeckNote(Note("", b""), Deck("lacking", "", tuple(cards)), entries, ())


def _rule_notes(compendium: Compendium, game: GameNames, chosen: Collection[str]) -> Iterator[Note]:
    titles = frozenset(title.casefold() for title in game.titles)
    for facts in compendium.vault.note_facts:
        if facts.path in chosen and rulenote.is_rule_note(facts, game.id, titles):
            with suppress(VaultkitError):  # gone since its facts were read
                yield compendium.vault.read(facts.path)


def _firsts(note: Note, names: Names, lacking: Sequence[Card]) -> Iterator[Mention]:
    """The first mention of each card that is lacking, if it has a capital and is no name of another card."""
    ids = {card.id for card in lacking}
    seen: set[str] = set()
    for mention in mentions.find(note, names):
        entry = mention.entry
        if entry and not entry.link and entry.card.id in ids - seen and mention.text != mention.text.lower():
            seen.add(entry.card.id)
            yield mention


def _problem(note: Note, mention: Mention, deck: DeckNote) -> Problem:
    place = (note.places.line(mention.start), note.places.column(mention.start))
    message = f"'{mention.text}' is a card that the {deck.deck.kind} deck of this vault lacks."
    return Problem(note.path, *place, "rule-card", message, _hint(mention.text, deck), "warning")


def _hint(name: str, deck: DeckNote) -> str:
    """The card of the deck with nearly that name, if it has its name from the GM; else where the card belongs."""
    known = known_deck(deck.deck.kind)
    usual = {card.name for card in known or ()}
    own = [card.name for card in deck.deck if card.name not in usual]
    near = did_you_mean(name, own, like=70, numbered=True)
    return near or f"Add it to the deck of '{deck.note.path}', or name another card."


def option_problems(compendium: Compendium, games: Iterable[GameNames], chosen: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the options of rule notes among the vault paths `chosen`.

    An error for each that its game refuses, a warning for each that stands where nothing reads it.
    """
    for game, note in _notes_by_game(compendium, [game for game in games if game.refusal], chosen):
        assert game.refusal
        yield from _refused(RuleNote(game.id, note), game.refusal)
        yield from _unread(note, game.refusal)


def _notes_by_game(
    compendium: Compendium, games: Sequence[GameNames], chosen: Collection[str]
) -> Iterator[tuple[GameNames, Note]]:
    """Each game with the notes that explain it, in one pass over all notes of the vault."""
    titles = {game.id: frozenset(title.casefold() for title in game.titles) for game in games}
    every = frozenset[str]().union(*titles.values())
    for facts in compendium.vault.note_facts:
        if facts.path in chosen and rulenote.may_be_rule_note(facts, every):
            with suppress(VaultkitError):  # gone since its facts were read
                explained = [game for game in games if rulenote.is_rule_note(facts, game.id, titles[game.id])]
                yield from ((game, compendium.vault.read(facts.path)) for game in explained)


def _refused(rules: RuleNote, refusal: Refusal) -> Iterator[Problem]:
    for written in rules.written:
        wrong = _wrong(written, refusal)
        if wrong:
            yield Problem(rules.note.path, *_place(rules.note, written.text), "rule-option", *wrong)


def _unread(note: Note, refusal: Refusal) -> Iterator[Problem]:
    """A property of its own that is named like an option, and could be meant as one."""
    for name, value in note.properties.items():
        said = "".join(texts(value))
        if said and not isinstance(value, list) and "[[" not in said and not refusal(name, said):
            message = f"The property '{name}' is the name of an option, but sets nothing here."
            hint = f'If you mean the option, write {PROPERTY}: ["{name}={said}"].'
            yield Problem(note.path, *_place(note, name), "rule-option-place", message, hint, "warning")


def _wrong(written: WrittenOption, refusal: Refusal) -> tuple[str, str] | None:
    """The message and the hint."""
    if not written.is_pair:
        return f"'{written.text}' is no option.", HOW_TO_SET
    error = refusal(written.key, written.value)
    return (error.message, error.hint) if error else None


def _place(note: Note, written: str) -> tuple[int, int]:
    """Line and column where it stands in the frontmatter, as a word of its own; the first line if it is not found."""
    found = re.search(rf"(?<![\w-]){re.escape(written)}(?![\w-])", note.text[: note.body_start])
    start = found.start() if found else 0
    return note.places.line(start), note.places.column(start)
