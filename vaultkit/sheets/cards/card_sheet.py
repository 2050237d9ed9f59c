"""Decks to cut or to read, one card a page.

Cards to cut are on sheets with crop marks to the paper's edge, and backs behind them, with a ruler and words in the
margins.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.cards.back import Back, BackPainter, choose_back
from vaultkit.sheets.cards.card_painter import CardPainter
from vaultkit.sheets.cards.deck_layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.fitter import Fitter
from vaultkit.sheets.cards.print_card import Face, PrintableCard
from vaultkit.sheets.imposition import TICK_LENGTH_UM, MarginLine, SheetPlan, plan_margins
from vaultkit.sheets.paper import NO_CORRECTION, Box, Duplex, Segment, Size, bounding_box, load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.output_file import sibling_path
from vaultkit.sheets.secrecy import PLAYERS_COPY, Counts, Secrets
from vaultkit.theme import model as look
from vaultkit.theme.lengths import points
from vaultkit.theme.model import join_first_names
from vaultkit.vault import Vault

_HEIGHT_TOLERANCE_PT = 26.0
"""Points by which the heights of pictures may differ to be made one: two lines of words."""
MAX_LISTED_NAMES = 6
"""The maximum number of cards that a remark names."""
_MAX_NAMED_CHARS = 60
"""The maximum number of characters of a title in a remark on cards without room for their words."""
_MAX_SIDES = 6
"""The maximum number of sides for the words of a card without a remark."""


TwoSides = tuple[Face, Face | None]
"""The front of a card, and its back; None for the back of the deck."""
_MARGIN_TEXT_SIZE_PT = 7.0
_ADVICE = "Print at 100 %: the ruler is 50 mm"
_BACK_OVERLAP_UM = 100
"""The overlap of neighbouring backs, in micrometres; viewers show a thin white line between backs that only touch."""


@dataclass(frozen=True)
class CardSet:
    """Cards that are printed together under a title. `kind` names their back, `remarks` are for the person who prints.

    The `name` is the title without the words about this copy, such as "Players' copy".
    """

    title: str
    cards: tuple[PrintableCard, ...]
    kind: str = ""
    remarks: tuple[str, ...] = ()
    name: str = ""
    left_out: Counts = field(default_factory=dict)
    """How many secrets of each kind a players' copy lacks."""

    def with_secrets(self, secrets: Secrets, counts: Counts) -> "CardSet":
        """Return a copy with a remark on secrets; if they are hidden, the foot of every card says so."""
        title = f"{self.title} · {PLAYERS_COPY}" if secrets.hidden else self.title
        remarks = *self.remarks, *secrets.remark(counts, "These cards hold")
        left_out = counts if secrets.hidden else {}
        return replace(self, title=title, remarks=remarks, name=self.title, left_out=left_out)

    def cards_in(self, language: str) -> tuple[PrintableCard, ...]:
        """Return the cards, with `language` for each card whose note names none."""
        return tuple(replace(card, language=card.language or language) for card in self.cards)


def print_set(
    card_set: CardSet, vault: Vault, job: PrintJob, layout: DeckLayout = PLAIN, *, accessible: bool = False
) -> PrintedFile:
    """Print the cards of a set on sheets to cut.

    `accessible` says that `print_set_pages` writes a second file beside this one, which a remark then names.

    Raises UsageError for an unknown back or an impossible layout.
    """
    words_file = sibling_path(job.out, "accessible").name if accessible else ""
    back = None if layout.duplex is Duplex.NONE else choose_back(layout.back, card_set.kind, vault)
    cards = card_set.cards_in(job.language)
    printed_file = card_sheet(
        cards, card_set.title, job, layout, back=back, words_file=words_file, are_notes=card_set.kind == "note"
    )
    return replace(printed_file, remarks=(*printed_file.remarks, *card_set.remarks), left_out=card_set.left_out)


def print_set_pages(card_set: CardSet, job: PrintJob, size: str = "poker") -> PrintedFile:
    """Print the cards of a set for reading, in a second file: tagged, one to a page, with all their words."""
    job = replace(job, out=sibling_path(job.out, "accessible"))
    return card_pages(card_set.cards_in(job.language), card_set.title, job, size)


def card_sheet(
    cards: Sequence[PrintableCard], title: str, job: PrintJob, layout: DeckLayout = PLAIN, *,
    back: Back | None = None, tagged: bool = False, words_file: str = "", are_notes: bool = False,
) -> PrintedFile:  # fmt: skip
    """Print the cards of the deck of that title in their order; the result's `sheets` are the cards.

    A text that does not fit at 7 points continues on a card of its own, marked "(continued)".
    Backs are printed if the layout asks for them and there is a `back`. `tagged` is for sheets to be read as well.
    `words_file` is the file that has the words of cards that are pictures alone. `are_notes` says that each card is a
    note, which could be printed as a sheet instead.
    """
    plan = layout.plan(job)
    document = Document(title, f"Cards of {title}", plan.paper, job.theme, tagged=tagged)
    faces = draw_decks(document, {"": cards}, plan, title, back=back)
    printed_file = document.save(job.out, tuple(face.card.title for face in faces if face.part == 1))
    advice = how_to_print(plan, printed_file.pages) if back is not None else ""
    about_cards = _describe_wordless_cards(faces, words_file), _describe_long_cards(faces, are_notes=are_notes)
    remarks = (*printed_file.remarks, *layout.remarks, *filter(None, (advice, *about_cards)))
    return replace(printed_file, remarks=remarks)


def card_pages(cards: Sequence[PrintableCard], title: str, job: PrintJob, card_size: str = "poker") -> PrintedFile:
    """Print each card with all its words on a tagged page of its size, which can be searched and read aloud.

    Raises NothingFound without cards.
    """
    size = load_stock(job.theme.vault).card(card_size)
    document = Document(title, f"The cards of {title}, one a page", size, job.theme)
    faces, painter = fit_deck(document, cards, size, title), CardPainter(document)
    painter.prepare_pictures(faces)
    for number, face in enumerate(faces, 1):
        if face.part == 1:
            document.bookmark(face.card.title, f"card-{number}", 0)
        painter.draw(face, size.box)
        document.end_page()
    return document.save(job.out, tuple(face.card.title for face in faces if face.part == 1))


def draw_decks(
    document: Document, decks: Mapping[str, Sequence[PrintableCard]], plan: SheetPlan, title: str, *,
    back: Back | None = None,
) -> list[Face]:  # fmt: skip
    """Draw the sheets of `plan` as further pages; return the faces on them, in order.

    Several decks share their sheets; the name of each is a bookmark above those of its cards.
    """
    painter, faces = CardPainter(document), list[Face]()
    for name, cards in decks.items():
        first, *others = fit_deck(document, cards, plan.card, title, sides=1 if back is None else 2)
        faces += [replace(first, deck=name), *others]
    painter.prepare_pictures(faces)
    backs = None if back is None else BackPainter(document, back, plan.card, bleed=plan.card_bleed or 0)
    CardSheets(document, plan, painter, backs).draw(faces, title)
    document.remarks += describe_unusable_pictures(painter.unusable)
    return faces


def _describe_wordless_cards(faces: Sequence[Face], words_file: str) -> str:
    """Return a remark on the cards that are printed as a picture alone, and on where their words are printed."""
    titles = {face.card.title for face in faces if not face.title_lines and face.card.has_words}
    if not titles:
        return ""
    place = f"The words are in {words_file}." if words_file else "For the words: --frame classic, or --accessible."
    cards = "1 card is a picture" if len(titles) == 1 else f"{len(titles)} cards are pictures"
    return f"{cards} without words. {place}"


def _describe_long_cards(faces: Sequence[Face], *, are_notes: bool) -> str:
    """Return a remark on the cards that need more than _MAX_SIDES sides, which are easier to use as sheets."""
    last_faces = [face for face, next_face in pairwise([*faces, None]) if not next_face or next_face.part == 1]
    long_cards = [f"{face.card.title} ({face.part})" for face in last_faces if face and face.part > _MAX_SIDES]
    if not long_cards:
        return ""
    names = join_first_names(list(dict.fromkeys(long_cards)), MAX_LISTED_NAMES)
    advice = " Notes are easier to use as sheets: vaultkit print rules NOTE" if are_notes else ""
    return f"More than {_MAX_SIDES} sides of cards each: {names}.{advice}"


def describe_unusable_pictures(reasons: Mapping[str, str]) -> tuple[str, ...]:
    """Return a remark in a tuple on the cards whose picture cannot be used; `reasons` has the reason for each."""
    if not reasons:
        return ()
    counted = "The picture of 1 card" if len(reasons) == 1 else f"The pictures of {len(reasons)} cards"
    names = join_first_names([f"{title} ({reason})" for title, reason in reasons.items()], MAX_LISTED_NAMES)
    return (f"{counted} cannot be used, so a drawn one is printed: {names}.",)


def fit_deck(
    document: Document, cards: Sequence[PrintableCard], size: Size, title: str, *, sides: int = 1
) -> list[Face]:
    """Fit a deck of that title, and return its faces in order; below a title bar, words may fill two `sides`.

    Cards whose words do not fit are left out, with a remark in the document. Raises InvalidError if no card
    is left.
    """
    if not cards:
        raise NothingFound(f"The deck '{title}' has no cards to print.")
    fitter = Fitter(document, size, title, sides=sides)
    try:
        return level_titles(_fit_cards(fitter, cards))
    except InvalidError:
        fitting_cards = [card for card in cards if _can_be_fitted(fitter, card)]
        if len(fitting_cards) in {0, len(cards)}:
            raise
    titles = dict.fromkeys(card.title for card in cards if card not in fitting_cards)
    names = join_first_names([title[:_MAX_NAMED_CHARS] for title in titles], MAX_LISTED_NAMES)
    way = "Shorten them, choose a larger --size, or print them as sheets: vaultkit print rules NOTE"
    document.remarks.append(f"Left out, since their words do not fit on cards: {names}. {way}")
    return level_titles(_fit_cards(fitter, fitting_cards))


def _fit_cards(fitter: Fitter, cards: Sequence[PrintableCard]) -> list[Face]:
    deck_fitter = fitter.for_deck(cards)
    return [face for card in cards for face in deck_fitter.faces(card)]


def _can_be_fitted(fitter: Fitter, card: PrintableCard) -> bool:
    with suppress(InvalidError):
        return bool(_fit_cards(fitter, [card]))
    return False


def level_titles(faces: Sequence[Face]) -> list[Face]:
    """Return the faces in order, with pictures of nearly the greatest height lowered to one common height."""
    heights = [face.art[3] for face in faces if face.art is not None and _can_lower_picture(face)]
    nearly = [height for height in heights if height > max(heights) - _HEIGHT_TOLERANCE_PT]
    return [_limit_picture_height(face, min(nearly)) if _can_lower_picture(face) else face for face in faces]


def _can_lower_picture(face: Face) -> bool:
    """Return whether the height of the face's picture can be reduced: it is above words and no whole card."""
    return face.frame.layout == "above" and face.art is not None and not face.whole and bool(face.placed)


def _limit_picture_height(face: Face, limit: float) -> Face:
    """Return the face with a picture no higher than `limit`; all below it moves up, the words only half as far."""
    if face.art is None or face.art[3] <= limit:
        return face
    x, y, width, height = face.art
    gained = height - limit
    items = tuple(item.shift_up(gained / 2) for item in face.placed)
    art = (x, y + gained, width, limit)
    return replace(face, art=art, title_top=face.title_top + gained, placed=items)


@dataclass(frozen=True)
class CardSheets:
    """Pages of `document` as `plan` has them: cards in their slots, those that fill the card over their cuts, too.

    With backs, each behind its own front, pages come in the order in which they are printed: front, back, front, back;
    in two passes all fronts first. Marks, ruler and words are artifacts.
    """

    document: Document
    plan: SheetPlan
    painter: CardPainter
    backs: BackPainter | None

    def draw(self, faces: Sequence[Face], title: str) -> None:
        """Draw as many pages as the faces need, named after that title."""
        plan = self.plan
        self.document.canvas.setViewerPreference("Duplex", plan.duplex.viewer_preference)
        cards = list(self._pair(faces))
        sheets = [cards[start : start + plan.per_sheet] for start in range(0, len(cards), plan.per_sheet)]
        named_sheets = [(sheet, f"{title} · {number} / {len(sheets)}") for number, sheet in enumerate(sheets, 1)]
        has_back_pages = self.backs is not None and plan.flip is not None and plan.fold is None
        for sheet, name in named_sheets:
            self._fronts(sheet, name)
            if has_back_pages and plan.duplex is not Duplex.TWO_PASS:
                self._back_page(sheet, name)
        if has_back_pages and plan.duplex is Duplex.TWO_PASS:
            for sheet, name in named_sheets:
                self._back_page(sheet, name)

    def _pair(self, faces: Sequence[Face]) -> Iterator[TwoSides]:
        """Yield each face with the one behind it: its further words, if cards have backs and a title bar."""
        behind = {number for number, face in enumerate(faces) if self.backs and face.panel and not face.part % 2}
        for number, face in enumerate(faces):
            if number not in behind:
                yield face, faces[number + 1] if number + 1 in behind else None

    def _fronts(self, sheet: Sequence[TwoSides], name: str) -> None:
        plan, canvas = self.plan, self.document.canvas
        self._begin(plan.trim, plan.bleed, back=False)
        for mark in plan.marks:
            canvas.line(*mark.points)
        if plan.fold is not None:
            with canvas.preserve_state():
                canvas.setDash(6, 4)
                canvas.line(*plan.fold.points)
        self._margins(name)
        if plan.fold is not None:
            self._backs(sheet)
        for (face, _), slot, bleed in zip(sheet, plan.slots, plan.front_bleeds(len(sheet)), strict=False):
            key = f"card-{self.document.pages}-{slot.x}-{slot.y}"
            if face.deck:
                self.document.depth = 0
                self.document.bookmark(face.deck, f"deck-{key}", 0, slot.corners[3])
                self.document.depth = 1
            if face.part == 1:
                self.document.bookmark(face.card.title, key, 0, slot.corners[3])
            self.painter.draw(face, slot, bleed)
        self.document.end_page()

    def _back_page(self, sheet: Sequence[TwoSides], name: str) -> None:
        self._begin(bounding_box(self.plan.back_slots), bounding_box(self.plan.back_bleeds), back=True)
        self._margins(f"{name} · backs")
        self._backs(sheet)
        self.document.end_page()

    def _backs(self, sheet: Sequence[TwoSides]) -> None:
        if self.backs is None:
            return
        is_turned = self.plan.flip is not None and self.plan.flip.has_inverted_back
        bleed_area = bounding_box(self.plan.back_bleeds)
        bleeds = self.plan.back_bleeds_for(len(sheet))
        for (_, face), slot, bleed in zip(sheet, self.plan.back_slots, bleeds, strict=False):
            reach = bleed.inset(-_BACK_OVERLAP_UM).intersection(bleed_area)
            if face is None:
                self.backs.draw(slot, reach, is_turned=is_turned)
            else:
                self.painter.draw(face, slot, slot, is_turned=is_turned)

    def _begin(self, trim: Box, bleed: Box, *, back: bool) -> None:
        """Set the page's boxes and the printer's correction for all that is drawn on it; no box leaves the paper."""
        correction, paper = self.plan.page_correction(back=back), self.plan.paper
        self.document.set_page_boxes(*(correction.bounds(box, paper).intersection(paper.box) for box in (trim, bleed)))
        if correction != NO_CORRECTION:
            a, b, c, d, x, y = correction.matrix(paper)
            self.document.canvas.transform(a, b, c, d, points(x), points(y))
        self.document.canvas.bare = True
        self.document.canvas.pen(look.ON_BARE, 0.3)

    def _margins(self, name: str) -> None:
        places = plan_margins(self.plan)
        self._ruler(places.ruler)
        self._words(places.words, _ADVICE)
        self._words(places.name, name)

    def _ruler(self, ruler: Segment) -> None:
        canvas = self.document.canvas
        canvas.setLineWidth(0.5)
        canvas.line(*ruler.points)
        across, up = (ruler.x2 - ruler.x1) // 10, (ruler.y2 - ruler.y1) // 10
        for step in range(11):
            x, y = ruler.x1 + step * across, ruler.y1 + step * up
            tick = TICK_LENGTH_UM * 3 // 5 if step % 5 else TICK_LENGTH_UM
            canvas.line(*Segment(x, y, x + (tick if up else 0), y + (0 if up else tick)).points)

    def _words(self, line: MarginLine, words: str) -> None:
        """Draw a line of small words in the margin, shortened if there is too little room."""
        canvas, size = self.document.canvas, _MARGIN_TEXT_SIZE_PT
        with canvas.preserve_state():
            canvas.translate(points(line.x), points(line.y))
            if line.upright:
                canvas.translate(size * 0.75, 0)
                canvas.rotate(90)
            text, theme = self.document.shorten(words, look.BOX, size, points(line.length)), self.document.glyphs.theme
            self.document.write(text, 0, 0, look.BOX, size, colour=theme.margin_text_role)


def how_to_print(plan: SheetPlan, pages: int) -> str:
    """Return instructions for printing backs behind their fronts, "" for sheets without backs."""
    first, second = _pages(1, pages // 2), _pages(pages // 2 + 1, pages)
    return {
        Duplex.NONE: "",
        Duplex.LONG_EDGE: "Print on both sides at 100 %, turned on the long edge.",
        Duplex.SHORT_EDGE: "Print on both sides at 100 %, turned on the short edge.",
        Duplex.TWO_PASS: f"Print {first} at 100 %. Turn each sheet like the page of a book, put the sheets in again "
        f"so that the first is printed first, and print {second}. A printer that lays its sheets face up leaves them "
        "in reverse: sort them. Try one sheet to see which side yours prints on.",
        Duplex.FOLD: "Print on one side at 100 %. Fold at the dashes, glue, then cut.",
    }[plan.duplex]


def _pages(first: int, last: int) -> str:
    return f"page {first}" if first == last else f"pages {first} to {last}"
