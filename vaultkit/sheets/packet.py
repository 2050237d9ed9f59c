"""Everything for one game in one file: contents, rules, player aids, score sheets, and the cards with a rule."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.games.options import Options
from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.layout import DeckLayout
from vaultkit.sheets.cards.sheet import draw_cards
from vaultkit.sheets.cards.sizes import usual_card
from vaultkit.sheets.geometry.paper import MM, load_stock, points
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.notes import chapter_of
from vaultkit.sheets.pdf.document import Bookmark, Document, PrintedFile
from vaultkit.sheets.reference.sheet import player_cards, ruled_cards
from vaultkit.sheets.rules.book import Book
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.contents import Contents
from vaultkit.sheets.rules.drawing import Furniture, draw_notes
from vaultkit.sheets.scores.filled import Filled
from vaultkit.sheets.scores.reading import load as load_scores
from vaultkit.sheets.scores.sheet import draw_scores
from vaultkit.sheets.sources import image_cache
from vaultkit.vault import Vault

_FROM_RIGHT, _NUMBER_AT = 16 * MM, 5 * MM
"""Where the page's number stands on cards to cut out, clear of crop marks and rulers. Elsewhere it is in the middle:
score sheets have a number of their own at the right."""
_PASSES = 3
_DEEPEST = 1
"""Headings of the rules that the contents of a packet have: those right below the title."""


class PacketDocument(Document):
    """A document with its page number at the foot of every page, whatever stands on it."""

    numbered_right = False

    def end_page(self) -> None:
        """Numbers the page, which is done then."""
        place = self.paper.width - _FROM_RIGHT if self.numbered_right else self.paper.width // 2
        align = "right" if self.numbered_right else "center"
        size = self.glyphs.theme.floor
        number = str(self.pages + 1)
        self.write(number, points(place), points(_NUMBER_AT), look.TEXT, size, align=align, colour=look.MUTED)
        super().end_page()


@dataclass(frozen=True)
class Part:
    """A stretch of the packet: its title, what draws its pages, and whether its headings are in the contents."""

    title: str
    draw: Callable[[PacketDocument], object]
    headings: bool = False


@dataclass(frozen=True)
class Packet:
    """What a packet is made of. `rules` None leaves the rules out; `players` are those of the settings.

    `options` are those in force, else what the rule note sets.
    """

    game: str
    title: str
    deck: DeckNote
    rules: RuleNote | None
    vault: Vault
    players: Sequence[str] = ()
    vault_name: str = ""
    qr: bool = False
    options: Options | None = None


def print_packet(packet: Packet, *, paper: str, out: Path, theme: Theme) -> PrintedFile:
    """Prints everything for a game. A vault without the game's rule note gets a packet without rules, and a remark."""
    plan = ReadingPlan(load_stock(theme.vault).paper(paper), 1 if theme.large else 2)
    parts = list(_parts(packet, plan, paper, theme))
    document = _drawn(_blank(packet, plan, theme), parts, None)
    entries = _entries(document, parts)
    for _ in range(_PASSES):
        document = _blank(packet, plan, theme)
        _drawn(document, parts, Contents(entries, plan, document.glyphs, document.canvas, about=packet.title))
        found = _entries(document, parts)
        if found == entries:
            break
        entries = found
    made = document.save(out, tuple(part.title for part in parts))
    if packet.rules is not None:
        return made
    told = f"There is no rule note for {packet.title}, so the rules are not in it."
    return replace(made, remarks=(*made.remarks, f"{told} See: vaultkit init --with {packet.game}"))


def _blank(packet: Packet, plan: ReadingPlan, theme: Theme) -> PacketDocument:
    return PacketDocument(f"{packet.title}: Packet", packet.title, plan.paper, Glyphs(theme))


def _parts(packet: Packet, plan: ReadingPlan, paper: str, theme: Theme) -> Iterator[Part]:
    if packet.rules is not None:
        chapter = chapter_of(packet.rules.note, packet.vault, packet.vault_name, qr=packet.qr)
        yield Part(chapter.title, lambda document: _draw_rules(document, chapter, plan), headings=True)
    aids = player_cards(packet.game, packet.rules, packet.vault, packet.options)
    if aids:
        yield Part("Player aids", lambda document: _draw_cards(document, aids, packet, paper, theme))
    design = load_scores(packet.game, theme.vault)
    blank = Filled("", "", {}, {}, {})
    yield Part("Score sheet", lambda document: draw_scores(document, packet.game, design, blank, usual=packet.players))
    cards = ruled_cards(packet.game, packet.deck, packet.rules, packet.vault, options=packet.options)
    if cards:
        yield Part("Cards with a rule", lambda document: _draw_cards(document, cards, packet, paper, theme))


def _draw_rules(document: Document, chapter: Chapter, plan: ReadingPlan) -> None:
    book = Book([chapter], plan, document.glyphs, document.canvas, image_cache(), prefix="rules-")
    draw_notes(document, book.lay_out(document.pages + 1), Furniture(document, plan))


def _draw_cards(
    document: PacketDocument, cards: Sequence[PrintableCard], packet: Packet, paper: str, theme: Theme
) -> None:
    """Draws cards to cut out; their sheets may lie on their side."""
    upright, sheets = document.paper, DeckLayout(usual_card(theme)).plan(paper, theme.vault)
    document.resize(sheets.paper)
    document.numbered_right = True
    draw_cards(document, cards, sheets, deck_title=packet.title, cache=image_cache())
    document.numbered_right = False
    document.resize(upright)


def _drawn(document: PacketDocument, parts: Sequence[Part], contents: Contents | None) -> PacketDocument:
    """Draws everything; as long as there are no contents, one page is counted for them."""
    if contents is not None:
        contents.draw(document, lambda _number: None)
    else:
        document.pages = 1
    for number, part in enumerate(parts, 1):
        if not part.headings:
            document.bookmark(part.title, f"part-{number}", 0)
            document.depth = 1
        part.draw(document)
        document.depth = 0
    return document


def _entries(document: Document, parts: Sequence[Part]) -> list[Bookmark]:
    """The lines of the contents: every part, and the headings of those that ask for them."""
    found: list[Bookmark] = []
    left = iter(parts)
    part: Part | None = None
    for entry in document.outline:
        if entry.key == "contents":
            continue
        if entry.level == 0:
            part = next(left)
            found.append(entry)
        elif part is not None and part.headings and entry.level <= _DEEPEST:
            found.append(entry)
    return found
