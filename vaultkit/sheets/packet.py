"""Packets: single files with contents, rules, score sheets, player aids and reference cards for one game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from vaultkit.campaign.shipped_notes import way_to_rule_note
from vaultkit.games.definition import Layout
from vaultkit.games.registry import GAMES
from vaultkit.sheets.cards.card_sheet import draw_decks
from vaultkit.sheets.cards.deck_layout import DeckLayout
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.cards.text_sizes import default_card_size
from vaultkit.sheets.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Bookmark, Document, PrintedFile, PrintJob
from vaultkit.sheets.reference_sheet import ReferenceCards
from vaultkit.sheets.rules.book import Book
from vaultkit.sheets.rules.chapter import Chapter, chapter_of
from vaultkit.sheets.rules.front_matter import ContentsPages
from vaultkit.sheets.rules.rule_sheet import Furniture, draw_chapters, reading_plan
from vaultkit.sheets.scoresheets.design import FOUR, ONE, load_score_design, translate_rows
from vaultkit.sheets.scoresheets.score_sheet import draw_scores
from vaultkit.sheets.secrecy import Counts
from vaultkit.text import join_words
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points

_NUMBER_RIGHT_OFFSET, _NUMBER_BOTTOM_OFFSET = 16 * MM, 5 * MM
"""The distances of the page number from the right and lower edge on pages of cards, clear of crop marks and rulers.

On other pages the number is centred, because score sheets have another number at the right.
"""
_MAX_LAYOUT_ITERATIONS = 4
_MAX_PLAYERS_ON_COVER = 7
_MAX_HEADING_LEVEL = 1
"""The deepest outline level of rule headings in the contents of a packet: the one directly below the title."""


class PacketDocument(Document):
    """A document with a page number at the foot of every page."""

    numbered_right = False

    def end_page(self) -> None:
        """Write the page number and end the page."""
        x = self.paper.width - _NUMBER_RIGHT_OFFSET if self.numbered_right else self.paper.width // 2
        align = "right" if self.numbered_right else "center"
        size = self.glyphs.theme.min_text_size
        number = str(self.pages + 1)
        shade = self.glyphs.theme.margin_text_role if self.canvas.bare else look.MUTED
        self.write(number, points(x), points(_NUMBER_BOTTOM_OFFSET), look.TEXT, size, align=align, colour=shade)
        super().end_page()


@dataclass(frozen=True)
class PacketPart:
    """A section of the packet: its titles and a function that draws its pages.

    If `max_level` is None, the section gets one bookmark for its first title. Otherwise `draw` adds the bookmarks, and
    the contents list them down to that level.
    """

    titles: tuple[str, ...]
    draw: Callable[[PacketDocument], object]
    max_level: int | None = None


@dataclass(frozen=True)
class Packet:
    """The contents of a packet for a game; `title` is that of the game, and `players` are those of the settings.

    `sheets` is the number of score sheets, each for one player. If it is None, there is a sheet for each of `players`,
    or one table for all of them, whichever is usual in the game.
    """

    reference: ReferenceCards
    title: str
    players: Sequence[str] = ()
    sheets: int | None = None

    def sheets_for(self, default_layout: Layout) -> tuple[Layout, tuple[str, ...]]:
        """Return the layout of the score sheets and the players' names on them, "" for a blank.

        `default_layout` is that of the game.
        """
        if self.sheets is None:
            return default_layout, tuple(self.players) if default_layout == ONE else ()
        return ONE, (*self.players, *[""] * self.sheets)[: self.sheets]


def print_packet(packet: Packet, job: PrintJob) -> PrintedFile:
    """Print everything for a game into one file.

    If the vault has no rule note for the game, the packet has no rules and a remark says so.
    """
    plan, packet = reading_plan(job), replace(packet, reference=replace(packet.reference, secrets=job.secrets))
    parts = list(_make_parts(packet, plan, job))
    titles = [title for part in parts for title in part.titles]
    summary = " · ".join(["Rules", *titles[1:]] if _has_rules(packet, job) else titles)
    players = packet.players if len(packet.players) <= _MAX_PLAYERS_ON_COVER else ()
    about = "\n".join(filter(None, [summary, f"For {join_words(players)}" if players else ""]))
    signs = [
        name for suit in packet.reference.deck.deck.suits if icons.find_icon(name := suit.lower(), job.theme.vault)
    ]
    title = f"{packet.title}: Packet"
    document = draw_with_contents(parts, plan, job, title, about=about, cover=packet.title, signs=signs)
    packet_file = document.save(job.out, tuple(titles))
    return replace(packet_file, remarks=(*packet_file.remarks, *_find_remarks(packet, job)))


def draw_with_contents(
    parts: Sequence[PacketPart], plan: ReadingPlan, job: PrintJob, title: str, *, about: str = "", cover: str = "",
    signs: Sequence[str] = (), language: str = "",
) -> PacketDocument:  # fmt: skip
    """Return a document with the title `title` that holds contents and all parts.

    The contents have the subtitle `about`, or a cover with the title `cover`, this summary and the icons `signs`.
    """
    entries: list[Bookmark] = []
    for _ in range(_MAX_LAYOUT_ITERATIONS):
        document = PacketDocument(title, cover or about, plan.paper, job.theme, language=language)
        contents = ContentsPages(entries, plan, document, about=about, cover=cover, signs=signs) if entries else None
        previous_entries, entries = entries, _draw_parts(document, parts, contents)
        if entries == previous_entries:
            break
    return document


def _find_remarks(packet: Packet, job: PrintJob) -> Iterator[str]:
    default_layout = load_score_design(packet.reference.game, job.theme.vault).layouts[0]
    if packet.sheets is None and default_layout == ONE and len(packet.players) < 2:
        yield "It has one score sheet. For more: --sheets 4"
    rules, secrets = packet.reference.rules, job.secrets
    if rules is not None and secrets.hidden and (reason := secrets.reason(rules.note)):
        yield f"Left out for players: {rules.note.path}, by its {reason}."
    if rules is None:
        remark = f"There is no rule note for {packet.title}, so the rules are not in it."
        yield f"{remark} {way_to_rule_note(GAMES[packet.reference.game])}"


def _make_parts(packet: Packet, plan: ReadingPlan, job: PrintJob) -> Iterator[PacketPart]:
    reference, title = packet.reference, packet.title
    if reference.rules is not None and _has_rules(packet, job):
        chapter = chapter_of(reference.rules.note, reference.vault, replace(job, sources=bool(job.sources)))
        draw_rules = partial(draw_notes, chapters=[chapter], plan=plan, prefix="rules-")
        yield PacketPart((chapter.title,), draw_rules, max_level=_MAX_HEADING_LEVEL)
    design = translate_rows(load_score_design(reference.game, job.theme.vault), reference.deck.own_words)
    layout, players = packet.sheets_for(design.layouts[0])
    if layout == ONE and len(players) > 1 and FOUR in design.layouts and not (job.theme.large or job.qr):
        layout = FOUR  # the rules are printed once
    if packet.sheets != 0:
        draw = partial(
            draw_scores, name=reference.game, design=design, layout=layout, players=players, usual=packet.players
        )
        yield PacketPart(("Score sheet" if len(players) < 2 else "Score sheets",), draw)
    cards, secrets = reference.sifted_cards(once=True)
    decks = {"Player aids": reference.player_cards(), "Cards with a rule": cards}
    decks = {name: cards for name, cards in decks.items() if cards}
    if decks:
        name = f"{title}{reference.title_note}"
        draw_cards_part = partial(draw_cards, decks=decks, title=name, job=job, secrets=secrets)
        yield PacketPart(tuple(decks), draw_cards_part, max_level=0)


def _has_rules(packet: Packet, job: PrintJob) -> bool:
    """Return whether there is a rule note to print; a hidden secret is none."""
    rules = packet.reference.rules
    return rules is not None and not (job.secrets.hidden and job.secrets.is_secret_note(rules.note))


def draw_notes(document: Document, chapters: Sequence[Chapter], plan: ReadingPlan, prefix: str = "") -> None:
    """Draw notes, each starting on a new page; `prefix` begins their link destinations."""
    book = Book(chapters, plan, document, prefix=prefix)
    draw_chapters(document, book.lay_out(document.pages + 1), Furniture(document, plan))


def draw_cards(
    document: PacketDocument, decks: Mapping[str, Sequence[PrintableCard]], title: str, job: PrintJob, secrets: Counts
) -> None:
    """Draw the cards of all decks on shared sheets to cut out; their pages may have another size or orientation."""
    paper_before, sheet_plan = document.paper, DeckLayout(default_card_size(job.theme)).plan(job)
    document.resize(sheet_plan.paper)
    document.numbered_right = True
    draw_decks(document, decks, sheet_plan, title)
    document.note_secrets(secrets, job.secrets)
    document.numbered_right = False
    document.resize(paper_before)


def _draw_parts(
    document: PacketDocument, parts: Sequence[PacketPart], contents: ContentsPages | None
) -> list[Bookmark]:
    """Draw all pages and return the entries of the contents; if `contents` is None, one page is left for them."""
    if contents is not None:
        contents.draw(document, lambda _number: None)
    else:
        document.pages = 1
    entries: list[Bookmark] = []
    for number, part in enumerate(parts, 1):
        start = len(document.outline)
        if part.max_level is None:
            document.bookmark(part.titles[0], f"part-{number}", 0)
            document.depth = 1
        part.draw(document)
        document.depth = 0
        entries += [entry for entry in document.outline[start:] if entry.level <= (part.max_level or 0)]
    return entries
