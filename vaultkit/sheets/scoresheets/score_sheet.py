"""Score sheets to fill in with a pen or on a screen, or printed with the scores of a game, in their layouts."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError, UnknownName, UsageError
from vaultkit.games.definition import Explanation
from vaultkit.sheets.paper import MM, MM_POINTS, ReadingPlan, Size, load_stock, points
from vaultkit.sheets.pdf.document import Document, PrintedFile, PrintJob
from vaultkit.sheets.pdf.forms import FIELD_FACE, MAX_FIELD_COUNT, MAX_VALUE_LENGTH, PADDING_PT, Field
from vaultkit.sheets.qr import QrCode
from vaultkit.sheets.scoresheets.design import FIELDS, FOUR, ONE, PARTY, PLAYER, ScoreDesign, load_score_design
from vaultkit.sheets.scoresheets.grid import GridFlowable
from vaultkit.sheets.scoresheets.painter import MIN_LINE_HEIGHT_PT, SheetBlocks, SheetPainter, Style, style_of
from vaultkit.sheets.scoresheets.parts import ALL, Player, SheetParts, boxes_of, sheet_parts
from vaultkit.sheets.text.layout import TextPage, draw_page, paginate
from vaultkit.theme import model as look
from vaultkit.theme.design_loader import EMPTY_TABLE

Boxes = Mapping[str, int | str]
"""The contents of boxes, by their names."""
_MAX_UNNAMED_PLAYERS = 6
"""The maximum number of unnamed players on a sheet for all by default."""


class Filled(NamedTuple):
    """The contents filled in from the start: those `common` to all players, and the `scores` of each by name.

    Both may have ticks: `{"session": "k3f9", "mode.coop": "yes"}`, `{"Ysolde": {"swords.total": 17}}`.
    """

    common: Boxes = EMPTY_TABLE
    scores: Mapping[str, Boxes] = EMPTY_TABLE

    def values(self, people: Sequence[Player], *, shared: bool) -> dict[str, str]:
        """Return the values by the full names of the fields; with `shared`, common values are there once for all."""
        assignments: list[tuple[Player, Boxes]] = [(player, self.common) for player in ([ALL] if shared else people)]
        assignments += [(player, {PLAYER: player.name, **self.scores.get(player.name, {})}) for player in people]
        values: dict[str, str] = {}
        for player, boxes in assignments:
            values |= {player.prefix + name: str(value) for name, value in boxes.items() if value != ""}
        return values


BLANK = Filled()


def print_scores(
    name: str, job: PrintJob, filled: Filled = BLANK, design: ScoreDesign | None = None, **drawn: Any
) -> PrintedFile:
    """Print the score sheet `name` (a game's id, or another design), or `design`; for `drawn` see `draw_scores`."""
    design = design or load_score_design(name, job.theme.vault)
    title = f"{design.title}: {design.subtitle}" if design.subtitle else design.title
    paper = load_stock(job.theme.vault).paper(job.paper)
    document = Document(title, str(filled.common.get("session") or title), paper, job.theme)
    people = draw_scores(document, name, design, filled, qr=job.qr, **drawn)
    return document.save(job.out, tuple(player.name or title for player in people))


def draw_scores(
    document: Document, name: str, design: ScoreDesign, filled: Filled = BLANK, *,
    layout: str = "", players: Sequence[str] = (), usual: Sequence[str] = (), qr: bool = False, code: str = "",
) -> list[Player]:  # fmt: skip
    """Draw score sheets, blank or for each of `players`, as further pages; return their players in order.

    `layout` is `one`, `four` or `party`; without it the design's first. `usual` are the players of a table for all if
    none are named and it has room for them. With `qr` a code beside the title holds `code`, such as the address
    of a game's note, or the sheet's id. Raises UsageError for a layout or a box that the
    sheet does not have.
    """
    layout = _layout(design, layout, large=document.glyphs.theme.large, qr=qr)
    if not players and layout == PARTY and len(usual) <= design.seats:
        players = usual
    people = _people(design, layout, players)
    if layout == PARTY and not players and len(people) < design.seats:
        document.remarks.append(f"Room for {len(people)} of {design.seats} players. For more, name them: --players")
    sheet_id = design.identify(layout, [player.prefix for player in people])
    marks = {"fields": FIELDS, "sheet": sheet_id, "game": design.game or name}
    leads = QrCode(code or sheet_id) if qr else None
    values = filled.values(people, shared=layout == PARTY)
    box_names = boxes_of(sheet_parts(design, layout, people)).keys()
    if unknown := sorted((values.keys() - box_names) | (filled.scores.keys() - {*players})):
        hint = f"Accepted: {', '.join(sorted((*box_names, *players)))}."
        raise UsageError(f"The sheet has no box and no player '{unknown[0]}'.", hint=hint)
    try:
        ScorePages(design, layout, document, values, marks, leads).draw(people)
    except InvalidError as error:
        where = design.sheet.where(("title",)) if design.sheet else f"{name}-score.toml"
        raise InvalidError(error.message, where=error.where or where, hint=error.hint) from error
    return people


def _layout(design: ScoreDesign, layout: str, *, large: bool, qr: bool) -> str:
    if layout == FOUR and (qr or large):
        what, flag = ("a QR code", "--qr") if qr else ("large print", "--large")
        raise UsageError(f"A quarter of a page has no room for {what}.", hint=f"Leave out --layout four or {flag}.")
    if layout and layout not in design.layouts:
        hint = f"{design.refusal} Accepted: {', '.join(design.layouts)}.".strip()
        raise UnknownName(f"The score sheet '{design.title}' has no layout '{layout}'.", hint=hint)
    return layout or design.layouts[0]


def _people(design: ScoreDesign, layout: str, players: Sequence[str]) -> list[Player]:
    """Return the players of the sheets, unnamed ones if none are given; on a single sheet fields need no prefix."""
    if len(players) > design.seats and layout == PARTY:
        message = f"The score sheet has room for {design.seats} players, not {len(players)}."
        raise UsageError(message, hint="Name fewer players, or give each a page: --layout one.")
    unnamed = max(design.sheet.seats[0], min(design.seats, _MAX_UNNAMED_PLAYERS)) if design.sheet else design.seats
    names = list(players) or [""] * (unnamed if layout == PARTY else 1)
    if layout == FOUR:
        names += [""] * (-len(names) % 4)
    if len(names) == 1 and layout == ONE:
        return [Player("", names[0])]
    return [Player(f"p{n}.", name) for n, name in enumerate(names, 1)]


_FOOT_HEIGHT_UM, _NUMBERED_FOOT_HEIGHT_UM = 9 * MM, 11 * MM
"""The height of the foot line above the edge of the paper: alone, and above the page number in a packet."""
_QUARTER_MARGIN_UM, _QUARTER_FOOT_HEIGHT_UM = 7 * MM, 9_500
"""The margin around a quarter of the paper, and the height of the foot below its text."""
_GROWTH_STEPS = 32
"""The number of steps in which boxes grow from their minimum to their maximum height."""
_MIN_NOTE_LINES = 3
"""The minimum number of lines for notes below a sheet."""
_LOW: Mapping[str, Any] = {"lowest": MIN_LINE_HEIGHT_PT, "row": 11.0, "name_line": 8.5 * MM_POINTS}
"""The fields of a style with low lines, for sheets with little room."""
_TIPS = {"fields": "Version of the fields", "sheet": "Sheet", "game": "Game"}


@dataclass
class ScorePages:
    """The pages of the sheets of `design` in a layout. `values` are the contents filled in, by the names of the fields.

    The `marks`, names with their contents, identify a sheet when it is read. `code` is printed beside the title.
    Pages that are added to a packet have no numbers of their own.
    """

    design: ScoreDesign
    layout: str
    document: Document
    values: Mapping[str, str]
    marks: Mapping[str, str]
    code: QrCode | None = None

    def __post_init__(self) -> None:
        theme, paper, self.alone = self.document.glyphs.theme, self.document.paper, not self.document.pages
        self.size, self.width = theme.min_text_size, self.document.glyphs.measure_width
        self.style = style_of(theme, paper.height, quarter=self.layout == FOUR, is_form=bool(self.design.sheet))
        self.heights = dict[Any, float]()
        if self.layout == FOUR:
            quarter = Size(paper.name, paper.width // 2, paper.height // 2)
            width, height = points(quarter.width), points(quarter.height)
            self.corners = [(x, y) for y in (height, 0.0) for x in (0.0, width)]
            side, above, below = _QUARTER_MARGIN_UM, _QUARTER_MARGIN_UM + 1_500, _QUARTER_FOOT_HEIGHT_UM
            self.plan = ReadingPlan(quarter, side=side, above=above, below=below)
        else:
            self.corners = [(0.0, 0.0)]
            self.plan = ReadingPlan(paper, 1 if theme.large else 2, 15 * MM, 10 * MM, gutter=6 * MM, uneven=20)

    def draw(self, people: Sequence[Player]) -> None:
        """Draw the sheets of `people`, one after the other; in large print, each has as many pages as it needs."""
        self.design = self.design.limit_rounds(self._rounds(people))
        sheets = sheet_parts(self.design, self.layout, people, brief=self.style.brief)
        self._refuse_unreadable(sheets)
        sheet_pages = [(parts.player.name, self._pages(parts)) for parts in sheets]
        frames = [(name * (page is pages[0]), page, page is pages[-1]) for name, pages in sheet_pages for page in pages]
        for number, (name, page, is_last) in enumerate(frames):
            x, y = corner = self.corners[number % len(self.corners)]
            if title := name or (self.design.title if not number else ""):
                top = y + points(self.plan.body.top) if self.layout == FOUR else None
                self.document.bookmark(title, f"sheet-{number}", 0, top)
            with self.document.canvas.preserve_state():
                self.document.canvas.translate(x, y)
                self._frame(page, number, len(frames), is_last=is_last)
            if corner == self.corners[-1]:
                if self.layout == FOUR:
                    self._cuts()
                self.document.end_page()

    def _refuse_unreadable(self, sheets: Sequence[SheetParts]) -> None:
        """Raise UsageError for sheets that could not be read when filled in: too many boxes or too long contents."""
        if any(len(value) > MAX_VALUE_LENGTH for value in self.values.values()):
            raise UsageError(f"A name is too long for a box: {MAX_VALUE_LENGTH} characters can be read again.")
        counts = [sum(1 for _ in parts.boxes) for parts in sheets]
        number = self.document.field_count + len(self.marks) + sum(counts)
        if number <= MAX_FIELD_COUNT:
            return
        message = f"The score sheets would have {number} boxes in one file, and {MAX_FIELD_COUNT} can be read again."
        fit = (MAX_FIELD_COUNT - self.document.field_count - len(self.marks)) // max(counts)
        hint = f"Print them for {fit} players at a time: --players. " if fit and len(counts) > 1 else ""
        where = self.design.sheet.where(("rounds",)) if self.design.sheet and self.design.rounds else ""
        fewer = f"Choose fewer rounds in {where}." if where else "" if hint else "Use fewer rows or columns."
        raise UsageError(message, hint=f"{hint}{fewer}".strip())

    def _pages(self, parts: SheetParts) -> list[TextPage]:
        """Return the pages of a sheet: as few as possible, with boxes as high as there is room for.

        Raises InvalidError for a sheet that needs more than one page and may have only one.
        """
        attempts = dict[Style, int]()
        for style in self._styles:
            attempts[style] = len(self._lay_out(parts, style))
            if attempts[style] == 1:
                break
        style, count = min(attempts.items(), key=lambda pair: pair[1])
        if count > 1 and self.layout == FOUR:
            hint = "Shorten its texts, use fewer rows or columns, or choose a larger paper or another layout."
            raise InvalidError("The score sheet has more words than fit on its page.", hint=hint)

        def grow(share: int) -> list[TextPage]:
            return self._lay_out(parts, replace(style, grown=share / _GROWTH_STEPS))

        if style.panels < (self.style.panels and not self.design.reminder):
            own, larger = "A player's own sheet has it: --layout one", "Larger paper may have room: --paper a3"
            roomier = own if ONE in self.design.layouts and self.layout != ONE else larger
            self.document.remarks.append(f"No room for the scoring rules: they are left out. {roomier}")
        return grow(bisect_left(range(1, _GROWTH_STEPS + 1), True, key=lambda share: len(grow(share)) > count))

    @property
    def _styles(self) -> list[Style]:
        """The styles to try in order: the first with which the sheet fits on one page is used, else that with fewest.

        Without room, the sheet of a party loses its purpose, then has the reminder in place of the panels; then lines
        are lower, and grids have more blocks side by side.
        """
        styles, is_quarter, large = [self.style], self.layout == FOUR, self.document.glyphs.theme.large
        if self.layout == PARTY:
            styles.append(replace(self.style, purpose=False))
            styles += [replace(styles[-1], panels=False)] * bool(self.design.reminder and not large)
        if large or is_quarter:
            styles = [replace(style, fold=fold) for fold in range(3) for style in styles]
            return styles + [replace(styles[-1], panels=False)] * is_quarter
        low = [replace(style, fold=fold, **_LOW) for fold in range(3) for style in styles]
        compact = replace(low[len(styles) - 1], compact=True, purpose=False, title=22)
        bare = replace(compact, panels=False)
        return [*styles, *low, compact, *[bare] * bool(self.design.sheet and self.design.lists)]

    def _rounds(self, people: Sequence[Player]) -> int:
        """Return the number of rounds of a form that have room, and add a remark on the others to the document."""
        most, style = self.design.rounds, replace(self.style, fold=3)
        if self.layout != FOUR or not most:
            return most

        def spills(rounds: int) -> bool:
            parts, *_ = sheet_parts(self.design.limit_rounds(rounds), self.layout, people, brief=style.brief)
            return len(self._lay_out(parts, style)) > 1

        if (rounds := max(1, bisect_left(range(1, most + 1), True, key=spills))) < most:
            more = " A player's own sheet has all: --layout one" * (ONE in self.design.layouts)
            self.document.remarks.append(f"Room for {rounds} of {most} rounds.{more}")
        return rounds

    def _lay_out(self, parts: SheetParts, style: Style) -> list[TextPage]:
        pen = SheetPainter(self.document, style, self.values, self.heights, self.design)
        blocks = SheetBlocks(pen, self.design, self.plan)
        blocks.add_heading(self.code)
        blocks.add_boxes(parts)
        for grid in parts.grids:
            if grid.title:
                blocks.add_text(grid.title, wide=True)
            blocks.add(GridFlowable(pen, grid, blocks.width, blocks.tag))
        for panel in self._panels() if style.panels else ():
            blocks.add_panel(panel)
        credit = "" if self._credit else self.design.credit
        blocks.add_text(credit if style.panels else self.design.reminder)
        return paginate(blocks.made, self.plan, self.document.canvas)

    def _panels(self) -> Iterator[Explanation]:
        """Yield the panels of the layout, one about what counts before them if the columns do not explain it."""
        if not self.design.sheet and (self.layout == PARTY or self.style.brief):
            heads = [part for part in self.design.columns if self.layout in part.layouts]
            counted = [f"**{part.title}:** {part.how}" for part in (*heads, self.design.total) if part and part.how]
            yield from [Explanation(self.design.words("What counts"), items=tuple(counted))] if counted else []
        panels = (panel for panel in self.design.panels if self.layout in panel.layouts)
        yield from (panel for panel in panels if panel.items or panel.text or panel.head)

    @property
    def _credit(self) -> str:
        """The credit of the game if the foot has room for it, else ""."""
        marks_width = sum(self.width(words, look.BOX, self.size) + 6 for words in self.marks.values())
        room = points(self.plan.body.width) - marks_width - (10 if self.layout == PARTY else 40)
        fits = self.width(self.design.credit, look.TEXT, self.size) < room
        return self.design.credit if fits and not self.document.glyphs.theme.large else ""

    def _frame(self, page: TextPage, number: int, count: int, *, is_last: bool) -> None:
        """Draw one page of a sheet, or a quarter of a page, with its foot."""
        x, bottom, width, _ = self.plan.body.points
        draw_page(self.document, page)
        if is_last and (self.layout != FOUR or not self.design.rows):
            self._notes(page)
        if self.layout == FOUR:
            self._identify(x + width, bottom - 11, fields=not number)
            return
        y, tail = points(_FOOT_HEIGHT_UM if self.alone else _NUMBERED_FOOT_HEIGHT_UM), f"{number + 1} / {count}"
        tail = tail if self.alone and count > 1 else ""
        self.document.draw_furniture(self.plan.body, self._credit, tail, y=y)
        room = self.width(tail, look.TEXT, self.size) + 10 if tail else 0.0
        self._identify(x + width - room, y, fields=not number)

    def _notes(self, page: TextPage) -> None:
        """Draw a title with ruled lines for notes below a sheet if at least _MIN_NOTE_LINES have room."""
        x, bottom, width, _ = self.plan.body.points
        low, size, step = bottom + points(2 * MM), self.style.text * 1.1, self.style.line * 1.2
        room = min(item.top - item.height for item in page.placed_blocks) - low - points(4 * MM) - size
        count, canvas = int(room // step), self.document.canvas
        if count < _MIN_NOTE_LINES:
            return
        tag = self.document.structure.add("H2")
        title = self.design.words("Notes")
        self.document.write(title, x, low + room, look.TITLE_BOLD, size, colour=look.ACCENT, tag=tag)
        canvas.pen(look.LINE, 0.5)
        canvas.lines([(x, y, x + width, y) for y in (low + number * room / count for number in range(count))])

    def _cuts(self) -> None:
        """Draw lines to cut along."""
        canvas, (width, height) = self.document.canvas, self.corners[1]
        canvas.pen(look.LINE, 0.5)
        canvas.setDash(3, 3)
        canvas.lines([(width, 0, width, 2 * height), (0, height, 2 * width, height)])
        canvas.setDash()

    def _identify(self, right: float, y: float, *, fields: bool) -> None:
        """Add the marks to the left of `right`: as `fields` that nobody can change, or as words."""
        tag = self.document.structure.add("P") if fields else self.document.structure
        for key, words in self.marks.items():
            width = self.width(words, look.BOX, self.size) + 6  # a viewer may redraw a field in a wide face
            right -= width
            if not fields:  # the blank keeps the marks apart where the text is copied
                self.document.write(f"{words} ", right + PADDING_PT, y, FIELD_FACE, self.size)
                continue
            tip, box = self.design.words(_TIPS[key]), (right, y - self.size * 0.36, width, self.size * 1.3)
            field = Field(f"vaultkit.{key}", "text", box, tip, words, size=self.size, fixed=True)
            self.document.add_field(field, tag=tag)
