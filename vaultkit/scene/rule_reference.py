"""Lookups of rules and cards during play with `?`, and the source in which front-ends find them.

They return the rule for the current turn, the text of a card, or a passage of the rule note.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.cards import Card, Deck
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.compendium.card_text import find_rule_line, plain_words
from vaultkit.errors import NothingFound
from vaultkit.games.turn import Chance, Prompt
from vaultkit.search.answers import Answers
from vaultkit.search.passages import Passage
from vaultkit.search.sections import own_text
from vaultkit.search.stemming import name_key
from vaultkit.session.card_names import find_cards, is_exact_name
from vaultkit.session.rulings import known_ruling
from vaultkit.text import number_forms, strip_article

FindHouseRules = Callable[[str, tuple[str, ...]], Iterable[str]]
"""A function that returns the house rules, as sentences, that override the rules under a heading or some rulings."""


_RULING_PATTERN = re.compile(r"[A-Za-z]{1,3}-\d+")
_BLOCK_GAP = re.compile(r"\n[ \t]*\n")
_MAX_WHOLE_LENGTH = 800
"""The length, in characters, up to which a section of a rule note is shown whole if one of its parts is the answer."""


@dataclass(frozen=True, eq=False)
class Reference:
    """A source of passages from a rule note and a deck note, each None if there is none.

    `plain` converts Markdown to plain text. `answers` finds answers to questions in all notes of the vault.
    """

    rules: RuleNote | None = None
    deck: DeckNote | None = None
    plain: Callable[[str], str] = str
    house_rules: FindHouseRules = lambda *_: ()
    answers: Answers | None = None

    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        """Return the passage under a heading of the rule note, or else the rulings, or None if there are neither.

        The house rules that override the passage are added at its end.
        """
        section = self.rules.note.section(heading) if self.rules else None
        if section and self.rules:
            return Passage(heading, self._add_house_rules(self.plain(section), heading, rulings))
        known_rulings = [*filter(None, map(known_ruling, rulings))]
        text = "\n\n".join(f"{ruling.id}: {ruling.title}\n{self.plain(ruling.decision)}" for ruling in known_rulings)
        return Passage(heading, self._add_house_rules(text, heading, rulings)) if known_rulings else None

    def _add_house_rules(self, text: str, heading: str, rulings: tuple[str, ...]) -> str:
        """Return the text, with the house rules that override it added at its end."""
        rules = [f"A house rule changes this: {rule}" for rule in self.house_rules(heading, rulings)]
        return "\n".join([text.strip(), "", *rules]) if rules else text

    def section(self, words: str) -> Passage | None:
        """Return the passage under the heading of the rule note that equals `words`, or else contains them, or None.

        Case and a leading article are ignored. Without such a heading it is the first one with the words in bold, or
        else as a cell of a table.
        """
        if self.rules is None or not words.strip():
            return None
        note = self.rules.note
        word = re.escape(strip_article(words))
        heading_pattern = re.compile(rf"(?<!\w){word}(?!\w)")
        titles = [heading.text for heading in note.headings]
        exact_titles = [title for title in titles if strip_article(title) == strip_article(words)]
        terms = (rf"\*\*{word}\*\*", rf"\*\*[^*\n]*\b{word}\b[^*\n]*\*\*", rf"\|\s*{word}\s*\|")
        patterns = [re.compile(term, re.IGNORECASE) for term in terms]
        term_titles = (title for term in patterns for title in titles if term.search(own_text(note, title)))
        named_titles = (title for title in titles if heading_pattern.search(title.casefold()))
        for title in (*exact_titles, *named_titles, *term_titles):
            if section := note.section(title):
                return Passage(title, self._add_house_rules(self.plain(section), title, ()))
        return None

    def ask(self, words: str) -> Sequence[Passage]:
        """Return the passages that answer a question, the best first. Raises NothingFound if there are none.

        Passages of the rule note keep their tables and lists.
        """
        if self.answers is None:
            raise NothingFound(f"There are no notes here that could answer '{words}'.")
        return [*map(self._lay_out, self.answers.ask(words))]

    def _lay_out(self, passage: Passage) -> Passage:
        """Return a passage of the rule note as its section, or as a block of it if the section is long.

        Other passages are returned unchanged.
        """
        if self.rules is None or passage.note != self.rules.note.path or passage.card:
            return passage
        section = own_text(self.rules.note, passage.heading)
        whole, heading = self.plain(section), passage.heading or passage.title
        is_opening = heading == self.rules.note.title
        is_part = bool(passage.whole) and (is_opening or len(section) > _MAX_WHOLE_LENGTH)
        block = _find_block(section, passage) if is_part else section
        text = self.plain(block) if len(block) <= _MAX_WHOLE_LENGTH or not is_part else passage.text
        return replace(passage, title=heading, text=text, whole=whole)

    def card(self, card_id: str) -> Passage | None:
        """Return the text of a card after the line of the rule note that begins with its name in bold, or None."""
        entry = self.deck.by_id.get(card_id) if self.deck else None
        if entry is None:
            return None
        rule = find_rule_line(self.rules.note, entry.card.name) if self.rules else ""
        if not rule or self.rules is None:
            return Passage(entry.card.title, self.plain(entry.text))
        return Passage(entry.card.title, self.plain(f"{rule}\n\n{entry.text}"), complete=True)


def _find_block(section: str, passage: Passage) -> str:
    """Return the block of a section, such as a list or a table, that contains a passage, or the whole section.

    The line that introduces the block with a colon is a part of it.
    """
    blocks = _BLOCK_GAP.split(section)
    for index, block in enumerate(blocks):
        cells = [name_key(line.strip("|").split("|")[0]) for line in block.splitlines() if line.startswith("|")]
        if name_key(passage.text) in name_key(plain_words(block)) or name_key(passage.title) in cells:
            has_introduction = index > 0 and blocks[index - 1].rstrip().endswith(":")
            return "\n\n".join(blocks[index - has_introduction : index + 1])
    return section


def turn_passages(turn: Prompt | Chance, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """Yield the text of each card in the question of a turn, the rule that it cites, and the rules for its moves.

    If the text of a card contains what the rules say about it, only the cards are yielded. Cards in moves are not
    included. The rules come last, so that they stay visible on the screen; the rulings on a GM's choice follow them.
    """
    card_ids = [card_id for card_id in dict.fromkeys(turn.text.cards) if card_id in deck.by_id]
    texts = [text for card_id in card_ids if (text := reference.card(card_id))]
    yield from texts
    if any(text.complete for text in texts):
        return
    is_gm_choice = isinstance(turn, Chance) and bool(turn.rule)
    rule = reference.rule(turn.rule, () if is_gm_choice else turn.rulings)
    yield from filter(None, (rule, reference.rule("", turn.rulings) if is_gm_choice else None))
    for verb in dict.fromkeys(move.verb for move in turn.moves) if isinstance(turn, Prompt) else ():
        section = reference.section(verb)
        if section and _is_titled(section, verb) and not (rule and _is_titled(rule, verb)):
            yield section


def text_passages(text: str, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """Yield the passages that a typed text names: a ruling such as `G-8`, cards, or a section of the rules.

    If nothing has the name as typed, its singular or plural is looked up.
    """
    if _RULING_PATTERN.fullmatch(text):
        rule = reference.rule("", (text.upper(),))
        if rule:
            yield rule
        return
    passages_by_form = ([*_named_passages(form, deck, reference)] for form in number_forms(text))
    yield from next(filter(None, passages_by_form), [])


def _named_passages(text: str, deck: Deck, reference: Reference) -> Iterator[Passage]:
    """Yield the cards that a typed text names, or the section of the rules."""
    cards = [card for card in deck if is_exact_name(text, card)]
    section = None if cards else reference.section(text)
    if not cards and not (section and _is_titled(section, text)):
        cards = search_cards(text, deck)
    for card in cards:
        yield card_passage(card, reference)
    if section and not cards:
        yield section


def card_passage(card: Card, reference: Reference) -> Passage:
    """Return the text of a card, or its rank, suits and traits if it has no text."""
    passage = reference.card(card.id)
    if passage and passage.text.strip():
        return passage
    text = _format_facts(card) or "This card has no text in the deck's note."
    return replace(passage or Passage(card.title, ""), text=text)


def search_cards(name: str, deck: Deck) -> list[Card]:
    """Return the cards that a typed text means: by id or name, by a part of the title, or else as `find_cards` does."""
    text = " ".join(name.casefold().split())
    dashed_text = text.replace(" of ", " ").replace(" ", "-")
    if not text:
        return []
    for is_match in (
        lambda card: text in {card.id.casefold(), card.name.casefold()} or dashed_text == card.id.casefold(),
        lambda card: card.title.casefold().startswith(text),
        lambda card: text in card.title.casefold(),
    ):
        cards = [card for card in deck if is_match(card)]
        if cards:
            return cards
    return list(find_cards(name, deck, deck.by_id))


def _format_facts(card: Card) -> str:
    """Return a line each for the rank, the suits and the traits of a card."""
    rank = () if card.rank is None else (("rank", str(card.rank)),)
    suits = ("suit" if len(card.suits) == 1 else "suits", " and ".join(card.suits))
    facts = (*rank, suits, *((key, value) for key, value in card.traits.items() if key != str(card.rank)))
    return "\n".join(f"{key.capitalize()}: {value}" for key, value in facts if value)


def _is_titled(passage: Passage, words: str) -> bool:
    """Return whether `words` are the title of a passage, apart from a leading article."""
    return strip_article(passage.title) == strip_article(words)
