"""The passages of text that can answer a player's question: sections of rule notes, cards of decks, and rulings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

from vaultkit.cards import Card
from vaultkit.compendium import Compendium, DeckNote, card_text
from vaultkit.compendium.linking.card_targets import address
from vaultkit.compendium.rule_note import explained_games
from vaultkit.errors import VaultkitError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.session.examples.parser import LANGUAGE, words_of_block
from vaultkit.session.rulings import all_rulings, player_questions, ruling
from vaultkit.vault import Heading, Vault, markdown, tags
from vaultkit.vault.markdown import Node
from vaultkit.vault.note_facts import Facts, name_of
from vaultkit.vault.subpath import to_subpath

_NAME_END = re.compile(r"[.:?!]|.[.:]|.$")
"""The end of a bold text that is a name: its last character is a mark, or a stop, a colon or nothing follows it."""
_LINK_TARGET_OR_FORMULA = re.compile(r"\]\([^)\n]*\)|\S+\+\S+")
"""The target of a Markdown link, or a formula, which no question contains."""
_PREFIX_LENGTH = 3
"""The number of letters at the beginning of a word that all its forms share, except for a few strong verbs."""
_MAX_WHOLE_LIST_LENGTH = 300
"""The maximum length, in characters, of a list that is quoted as a whole when one of its items is an answer."""
_RULES_TAG, _EXAMPLE_WORD = "rules", "example"
"""The tag or the end of the name of a note with rules for all games; and a word in headings above examples."""

_BLOCKS = {"Paragraph", "List", "Item", "Table", "BlockQuote", "Callout", "CodeBlock", "Heading"}
"""The kinds of Markdown nodes that are separated from the text around them."""
_TRAIT_NAMES = {"deck": "", "value": "", "types": "type"}
"""For the keys of some card traits, the words in which people say them, or "" for traits that are left out."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a note, or a ruling, as plain text.

    `source` tells people where the passage is. `note` is a vault path, `heading` a heading of that note, `ruling` the
    id of a ruling and `card` the name of a card; each is "" if it does not apply.
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

    @property
    def place(self) -> tuple[str, ...]:
        """The note, heading, ruling and card of the passage; the pieces of a section have the place of the section."""
        return self.passage.note, self.passage.heading, self.passage.ruling, self.passage.card


def rule_entries(compendium: Compendium) -> Iterator[PassageEntry]:
    """Yield an entry for each section of a rule note, and for each piece of it, such as a list item or a table row.

    Notes that cannot be read are skipped.
    """
    titles = by_title()
    for facts in compendium.vault.note_facts:
        games = explained_games(facts, titles) & GAMES.keys()
        if (
            games
            or facts.name.casefold().endswith(_RULES_TAG)
            or any(tags.is_within(tag, _RULES_TAG) for tag in facts.tags)
        ):
            with suppress(VaultkitError):
                yield from _find_section_entries(compendium.vault, facts, games)


def _find_section_entries(vault: Vault, facts: Facts, games: frozenset[str]) -> Iterator[PassageEntry]:
    """Yield an entry for each section of a note and for each piece of a section.

    The text above the first heading is a section with the name of the note.
    """
    note, name = vault.read(facts.path), link_name(vault, facts.path)
    headings, text = (Heading(0, "", 1, note.body_start, note.body_start), *facts.anchors.headings), note.text
    ends = [*(heading.start for heading in headings[1:]), len(text)]
    heading_of_level: dict[int, str] = {}
    for heading, end in zip(headings, ends, strict=True):
        heading_of_level = {level: text for level, text in heading_of_level.items() if level < heading.level}
        parent_headings, blocks = " ".join(heading_of_level.values()), markdown.parse(text[heading.end : end]).children
        heading_of_level[heading.level] = heading.text
        section_text = " ".join(piece_text for _, piece_text in _find_pieces(blocks))
        if not section_text:
            continue
        title = heading.text or facts.name
        passage = Passage(
            title, section_text, _format_wikilink(name, heading.text), note=facts.path, heading=heading.text
        )
        questions = tuple(question for game in sorted(games) for question in player_questions(game, heading.text))
        is_example = _EXAMPLE_WORD in heading.text.casefold()
        yield PassageEntry(passage, title, parent_headings, section_text, games, questions, aside=is_example)
        for previous_block, block in zip((None, *blocks), blocks, strict=False):
            is_aside = block.kind == "Callout" or is_example
            for piece_name, piece_text in _find_pieces([block]):
                piece = replace(passage, title=piece_name or title, text=_with_lead(piece_text, block, previous_block))
                yield PassageEntry(
                    piece, piece_name, f"{parent_headings} {title}", piece_text, games, piece=True, aside=is_aside
                )
            if piece_text := _format_example(block):
                piece = replace(passage, text=piece_text)
                yield PassageEntry(
                    piece, "Example", f"{parent_headings} {title}", piece_text, games, piece=True, aside=True
                )


def _with_lead(text: str, block: Node, previous_block: Node | None) -> str:
    """Return the text of a list item, preceded by the text that introduces the list.

    If the list is short, all its items are returned. The text is returned unchanged if `block` is no list, or if the
    previous block does not end in a colon.
    """
    introduction = previous_block.words() if previous_block and block.kind == "List" else ""
    if not introduction.endswith(":"):
        return text
    item_marks = (f"{number}. " if block.number is not None else "" for number in count(block.number or 0))
    items = "; ".join(mark + _plain_text(item.children) for mark, item in zip(item_marks, block.children, strict=False))
    return f"{introduction} {items if len(items) <= _MAX_WHOLE_LIST_LENGTH else text}"


def _format_wikilink(name: str, heading: str) -> str:
    """Return a wikilink to a heading of a note, or to the note itself if `heading` is ""."""
    return f"[[{name}#{to_subpath(heading)}]]" if heading else f"[[{name}]]"


def _find_pieces(nodes: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each paragraph line, list item, table row, callout or other node.

    The name is the bold beginning of the text, the first cell of a row, or the title of a callout unless that is a
    question; otherwise it is "".
    """
    for node in nodes:
        if node.kind == "List":
            yield from (_parse_piece(item.children) for item in node.children)
        elif node.kind == "Table":
            yield from _find_row_pieces(*node.children)
        elif node.kind == "Callout":
            title = _plain_text(node.children[:1])
            text = f"{title} {_plain_text(node.children[1:])}".strip()
            yield "" if title.endswith("?") else title, text
        elif node.kind == "Paragraph":
            yield from (_parse_piece(line) for line in _split_lines(node))
        elif node.kind not in ("Rule", "CodeBlock", "HtmlBlock"):
            yield _parse_piece(node.children)


def _format_example(node: Node) -> str:
    """Return the words of a `play` block after "Example:", or "" for any other block."""
    if node.kind != "CodeBlock" or node.text.strip().casefold() != LANGUAGE:
        return ""
    words = words_of_block(node.words())
    return f"Example: {words}" if words else ""


def _split_lines(paragraph: Node) -> Iterator[list[Node]]:
    """Yield the lines of a paragraph, split at hard line breaks only."""
    line: list[Node] = []
    for node in paragraph.children:
        if node.kind == "HardBreak":
            yield line
            line = []
        else:
            line.append(node)
    yield line


def _parse_piece(nodes: Sequence[Node]) -> tuple[str, str]:
    inline_nodes = nodes[0].children if nodes and nodes[0].kind == "Paragraph" else nodes
    text, first_text = _plain_text(nodes), _plain_text(inline_nodes[:1])
    is_name = bool(inline_nodes) and inline_nodes[0].kind == "Strong" and _NAME_END.match(text, len(first_text) - 1)
    return first_text.rstrip(".:") if is_name else "", text


def _find_row_pieces(head: Node, *rows: Node) -> Iterator[tuple[str, str]]:
    """Yield the first cell and the text of each row of a table.

    In a table with more than two columns, each cell follows the title of its column. Rows whose first cell contains
    code are skipped: they explain options, and rulings say more about options.
    """
    titles = [_plain_text(cell.children) for cell in head.children]
    for row in rows:
        cells = [_plain_text(cell.children) for cell in row.children]
        if not any(node.kind == "Code" for node in row.children[0].children):
            parts = (f"{title}: {cell}".removeprefix(": ") for title, cell in zip(titles, cells, strict=False) if cell)
            yield cells[0], ", ".join(parts) if len(cells) > 2 else ": ".join(cells)


def _plain_text(nodes: Iterable[Node]) -> str:
    return " ".join("".join(f" {node.words()} " if node.kind in _BLOCKS else node.words() for node in nodes).split())


def card_entries(compendium: Compendium) -> Iterator[PassageEntry]:
    """Yield an entry for every card of every deck."""
    for deck in compendium.decks:
        games = frozenset(info.id for info in GAMES.values() if info.deck == deck.deck.kind)
        yield from _find_deck_entries(deck, games, compendium.vault)


def _find_deck_entries(deck: DeckNote, games: frozenset[str], vault: Vault) -> Iterator[PassageEntry]:
    deck_names = " ".join(deck.names)
    for entry in deck.entries:
        path, subpath = address(entry)
        wikilink = _format_wikilink(link_name(vault, path), subpath)
        card_facts, text = facts_of(entry.card), card_text.plain_words(entry.text)
        spoken_facts = _format_spoken_facts(entry.card)
        passage_text = f"{text} ({spoken_facts})" if text and spoken_facts else text or spoken_facts or entry.card.title
        passage = Passage(entry.card.title, passage_text, wikilink, note=path, heading=subpath, card=entry.card.name)
        body, rank = f"{entry.card.title} {text} {card_facts}", entry.card.rank_text
        yield PassageEntry(passage, entry.card.name, deck_names, body, games, rank="" if rank.isdecimal() else rank)


def facts_of(card: Card) -> str:
    """Return the rank, the suits and the traits of a card as text, such as `rank: 7, suit: Swords`."""
    suits = {"suit" if len(card.suits) == 1 else "suits": " and ".join(card.suits)}
    all_facts = {"rank": card.rank_text} | suits | _find_spoken_traits(card)
    return ", ".join(f"{key}: {value}" for key, value in all_facts.items() if value)


def _format_spoken_facts(card: Card) -> str:
    """Return the rank, suits and traits of a card as people say them, such as `animal of Scorpio, season Autumn`.

    Facts that the title of the card contains are left out.
    """
    rank_and_suits = " of ".join(filter(None, (card.rank_text, " and ".join(card.suits))))
    traits = (f"{key} {value}" for key, value in _find_spoken_traits(card).items() if value not in card.title.split())
    return ", ".join(("" if rank_and_suits in card.title else rank_and_suits, *traits)).removeprefix(", ")


def _find_spoken_traits(card: Card) -> dict[str, str]:
    pairs = ((_TRAIT_NAMES.get(key, key), value) for key, value in card.traits.items() if value != card.rank_text)
    return {key: value for key, value in pairs if key and value}


def ruling_entries() -> Iterator[PassageEntry]:
    """Yield an entry for every ruling, with a passage to which `with_text` adds the text."""
    for page, page_ruling in all_rulings():
        passage, games = (
            Passage(page_ruling.title, "", page_ruling.id, ruling=page_ruling.id),
            frozenset({page} & GAMES.keys()),
        )
        yield PassageEntry(
            passage,
            page_ruling.title,
            "",
            _LINK_TARGET_OR_FORMULA.sub(" ", page_ruling.text),
            games,
            player_questions("rulings", page_ruling.id),
        )


def heading_entries(vault: Vault, words: Iterable[str]) -> Iterator[PassageEntry]:
    """Yield an entry for each note name and heading that contains the first letters of each word.

    Only the index of the vault is read; `with_text` adds the text of the notes to the passages that answer.
    """
    prefixes = [word[:_PREFIX_LENGTH] for word in words if not word.isdecimal()]
    for facts in vault.note_facts:
        headings = (heading.text for heading in facts.anchors.headings if heading.text != facts.name)
        heading_rows = ((heading, heading, facts.title) for heading in headings)
        for heading, name, under in (("", facts.name, " ".join(facts.aliases)), *heading_rows):
            text = f"{name} {under}".casefold()
            if all(prefix in text for prefix in prefixes):
                yield PassageEntry(_heading_passage(vault, facts, heading), name, under, "")


def _heading_passage(vault: Vault, facts: Facts, heading: str) -> Passage:
    wikilink = _format_wikilink(link_name(vault, facts.path), heading)
    return Passage(heading or facts.name, "", wikilink, note=facts.path, heading=heading)


def with_text(passage: Passage, vault: Vault) -> Passage:
    """Return the passage with its text read from its note or ruling, unless it has a text already.

    The text of a ruling is its decision. The text stays empty if the note cannot be read.
    """
    text = passage.text
    if passage.ruling and not text:
        text = card_text.plain_words(ruling(passage.ruling).answer)
    elif not text:
        with suppress(VaultkitError):
            note = vault.read(passage.note)
            section = note.section(to_subpath(passage.heading)) if passage.heading else note.body
            text = card_text.plain_words(section or "")
    return replace(passage, text=text)


def link_name(vault: Vault, path: str) -> str:
    """Return the name by which a wikilink refers to a note.

    That is the name of the note, or its path if another file has the same name.
    """
    name = name_of(path)
    return name if len(vault.files.find_namesakes(name)) == 1 else path.removesuffix(".md")
