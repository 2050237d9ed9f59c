"""Layout of notes one after another, with well-filled pages and with page numbers in references to headings."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType

import msgspec
from msgspec import structs

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Bookmark, Document
from vaultkit.sheets.pdf.output_file import refuse_long_lines, refuse_many_pages, refuse_many_parts
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.front_matter import TitleBlock
from vaultkit.sheets.text.inline import Inline, TooManyNotes
from vaultkit.sheets.text.layout import TextPage, paginate
from vaultkit.sheets.text.note_source import LinkTarget, NoteSource
from vaultkit.sheets.text.setting import PartContext, Setting
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.lengths import MM, points
from vaultkit.theme.model import TEXT
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import comparable_heading

_MAX_LAYOUT_ITERATIONS = 4
_MAX_SPARSE_PAGE_SHARE = 0.5
"""The used share of a last page's height up to which vaultkit tries to save that page."""
_MAX_SHORT_NOTE_PAGES = 8
"""The most pages of a note for which all ways to save a page are tried.

A page of a longer note is saved only if its last page has fewer than `_MIN_LAST_PAGE_LINES` lines.
"""
_UNEVEN_TOLERANCE_PT = 45.0
"""The difference in column length, in points, that is allowed in trials with less even columns."""
_MAX_LISTED_NOTES = 8
"""The most other notes that are listed at the end unless the user asks for the list.

With more of them the text would be cluttered with marks.
"""
_SMALL_BODY_HEIGHT = 200 * MM
"""The height of a page's body, in micrometres, below which every block may be broken.

Otherwise large parts of small pages would stay empty.
"""
_LEADING_RATIO = 1.25
_SMALLER_TRIALS = ((0.25, False, _LEADING_RATIO), (0.5, False, _LEADING_RATIO), (0.5, True, _LEADING_RATIO))
"""Trials to save a page: the points taken from the font size, whether columns may be less even, and the leading."""
_SHORT_PAGE_TRIALS = ((0.0, False, 1.22), (0.0, True, 1.2), (0.5, False, 1.22), (0.5, True, 1.2))
"""Trials, as in `_SMALLER_TRIALS`, for a last page with fewer than twelve lines."""
_LONG_NOTE_TRIALS = ((0.0, False, 1.22), (0.25, False, _LEADING_RATIO), (0.0, False, 1.2), (0.25, False, 1.22))
"""Trials, as in `_SMALLER_TRIALS`, for a long note whose last page has fewer than twelve lines.

A small change is enough, because it applies to many pages.
"""
_MAX_TRIAL_PAGES = 24
"""The most pages of a note for which trials are made, each of which takes as long as a whole layout."""
_MIN_LAST_PAGE_LINES = 12
_SHORTENING_LINES, _SMALL_SHORTENING_LINES = (2, 4, 6, 8, 10, 12), (1, 2, 3, 4)
"""Numbers of lines by which all pages may be shortened, so that the last page gets more than twelve lines.

They are tried if no trial saves a page; the second list is for long notes. If they fail too, only the page before the
last one is shortened.
"""
_NO_PLANS: Mapping[int, ReadingPlan] = MappingProxyType({})


_LINE_KINDS = frozenset({"Paragraph", "Heading", "TableRow"})
"""The kinds of nodes that begin a line of their own."""
_TEXT_KINDS = frozenset({"Text", "Code"})
"""The kinds of nodes whose text is printed; that of others may be the address of a link, or a whole picture."""
_MIN_CHAR_WIDTH_RATIO = 0.3
"""The width of a narrow text's average character, relative to the size."""
_EMBEDDED_PICTURE = re.compile(r"data:[\w/+.-]{1,60};base64,[\w/+=]+")
_PARTS_PER_LINE = 5
"""The parts for which a line of code in a language, such as that of an encounter, counts; other lines make no more."""
_INLINE_SIGNS, _PARTS_PER_SIGN = "|*_[`=~<$", 2
"""The signs of Markdown that make parts within a line, and how many at most."""
_MAX_TITLE_CHARS = 200
"""The most characters of a title above a note; a longer title is shortened there, and printed in full below."""


def _count_parts(tree: Node, glyphs: Glyphs) -> int:
    """Return the number of paragraphs, cells and other parts.

    A line of code may become several of them, and so do the letters of a text that are in several fonts.
    """
    code_lines = (node.words().count("\n") for node in tree.walk() if node.kind == "CodeBlock" and node.text)
    texts = (node.text for node in tree.walk() if node.kind in _TEXT_KINDS and not node.text.isascii())
    runs = sum(len(glyphs.split_runs(text, TEXT)) - 1 for text in texts)
    return sum(1 for _ in tree.walk()) + _PARTS_PER_LINE * sum(code_lines) + runs


@dataclass(frozen=True)
class Draft:
    """A note that is not laid out yet: its parsed text and its title.

    `prefix` begins the names of all its link destinations.
    """

    chapter: Chapter
    prefix: str
    tree: Node
    title: TitleBlock
    secrets: Counter[str]

    @property
    def key(self) -> str:
        return f"{self.prefix}top"

    @cached_property
    def headings(self) -> dict[str, str]:
        return {comparable_heading(self.chapter.title): self.key} | _keys_by_heading(self.tree.walk(), self.prefix)

    @cached_property
    def part_headings(self) -> list[dict[str, str]]:
        """The link destinations of the headings of each part, of which the first is the part's title."""
        keys, first = [], 1
        for part in self.tree.children if self.chapter.parts else ():
            keys.append(_keys_by_heading(part.walk(), self.prefix, first))
            first += sum(map(_is_titled_heading, part.walk()))
        return keys

    @cached_property
    def destinations(self) -> dict[str, tuple[str, Mapping[str, str]]]:
        """The destination of each note, by its vault path, and those of its headings."""
        if not self.chapter.parts:
            return {self.chapter.path: (self.key, self.headings)} if self.chapter.path else {}
        pairs = zip(self.chapter.parts, self.part_headings, strict=True)
        return {part.path: (next(iter(keys.values()), self.key), keys) for part, keys in pairs}


class _LayoutOptions(msgspec.Struct, frozen=True):
    """Options of a note's layout: font size in points, page plan, and leading as a multiple of the font size."""

    size: float
    plan: ReadingPlan
    leading: float = _LEADING_RATIO
    others: Mapping[int, ReadingPlan] = _NO_PLANS
    """The plans of single pages that are shortened, by page index from 0."""


class LaidChapter(msgspec.Struct, frozen=True):
    """A note laid out on pages, the first of which has the number `first`, with the page numbers in its references.

    `omitted` counts what only Obsidian can show, and `secrets` the secrets that are printed or left out, by kind.
    """

    draft: Draft
    way: _LayoutOptions
    pages: list[TextPage]
    referenced_pages: Mapping[str, int | None]
    omitted: Mapping[str, int]
    secrets: Mapping[str, int]
    first: int = 1

    def has_right_references(self, destinations: Mapping[str, int]) -> bool:
        """Return whether the page numbers in all references are right, given the pages of the destinations."""
        return all(destinations.get(key) == page for key, page in self.referenced_pages.items())

    @property
    def entries(self) -> list[Bookmark]:
        """The bookmarks of the title and the headings, in the order of the pages."""
        bookmarks = [Bookmark(self.draft.chapter.title, 0, self.draft.key, self.first)]
        for number, page in enumerate(self.pages, self.first):
            blocks = (item.block for item in page.placed_blocks if item.block.title)
            bookmarks += [Bookmark(block.title, max(block.level - 1, 1), block.key, number) for block in blocks]
        return bookmarks


@dataclass
class Book:
    """One or several notes to be laid out on pages of one plan.

    `document` is only used to measure. `prefix` keeps the book's link destinations distinct from those of other books.
    """

    chapters: Sequence[Chapter]
    plan: ReadingPlan
    document: Document
    prefix: str = ""
    _drafts: list[Draft] = field(default_factory=list)
    _layouts: dict[str, LaidChapter] = field(default_factory=dict)
    """The best layout of each note so far."""
    _destinations: dict[str, int] = field(default_factory=dict)
    _unlisted_keys: set[str] = field(default_factory=set)
    """The keys of notes without a list of other notes at the end, because they name too many."""
    _first_page: int = 1

    def __post_init__(self) -> None:
        has_several = len(self.chapters) > 1
        for number, chapter in enumerate(self.chapters, 1):
            text = _EMBEDDED_PICTURE.sub("", chapter.text)
            possible_parts = _PARTS_PER_LINE * text.count("\n") + _PARTS_PER_SIGN * sum(map(text.count, _INLINE_SIGNS))
            refuse_many_parts(0, len(text), chapter.path or chapter.title, possible_parts=possible_parts)
            refuse_long_lines(text, chapter.path or chapter.title)
            tree, subtitle, secrets = chapter.parse_text()
            for part in tree.children if chapter.parts else (tree,):
                parts = _count_parts(part, Glyphs(self.document.glyphs.theme))
                refuse_many_parts(parts, 0, chapter.path or chapter.title)
            refuse_many_pages(self._min_page_count(tree), chapter.path or chapter.title)
            if len(chapter.title) > _MAX_TITLE_CHARS:
                tree.children.insert(0, Node("Paragraph", children=[Node("Text", chapter.title)]))
            title = TitleBlock(_make_heading(chapter), subtitle, self.plan, self.document, code=chapter.qr_text)
            prefix = f"{self.prefix}n{number}-" if has_several else self.prefix
            self._drafts.append(Draft(chapter, prefix, tree, title, secrets))

    def _min_page_count(self, tree: Node) -> int:
        """Return the least number of pages that a note takes, from the lines of its text in the smallest size."""
        size = self.document.glyphs.theme.min_text_size
        chars_per_line = points(self.plan.column_width) / (_MIN_CHAR_WIDTH_RATIO * size)
        lines_per_page = self.plan.columns * points(self.plan.body.height) / size
        lines = 0.0
        for node in tree.walk():
            if node.kind == "CodeBlock":
                lines += node.words().count("\n")
            elif node.kind in _LINE_KINDS:
                text_length = sum(len(child.text) for child in node.children if child.kind in _TEXT_KINDS)
                lines += max(1.0, text_length / chars_per_line)
        return int(lines / lines_per_page)

    def lay_out(self, first: int = 1) -> list[LaidChapter]:
        """Return all notes laid out, the first of them starting on page `first`.

        The layout is repeated until every reference has the page number of its heading.
        """
        laid_chapters: list[LaidChapter] = []
        expected_destinations = {key: page + first - self._first_page for key, page in self._destinations.items()}
        self._first_page = first
        for _ in range(_MAX_LAYOUT_ITERATIONS):
            laid_chapters, page = [], first
            for draft in self._drafts:
                files.LAST_READ[0] = draft.chapter.path
                layout = self._layouts[draft.key] = self._fit_pages(draft, expected_destinations)
                laid_chapters.append(structs.replace(layout, first=page))
                page += len(layout.pages)
            destinations = _pages_by_destination(laid_chapters)
            layouts = self._layouts.values()
            is_settled = page == first + 1 or all(layout.has_right_references(destinations) for layout in layouts)
            expected_destinations = self._destinations = destinations
            if is_settled:
                break
        return laid_chapters

    def _fit_pages(self, draft: Draft, destinations: Mapping[str, int]) -> LaidChapter:
        """Return a layout of a note whose last page is not nearly empty, if possible.

        For that the text may be a little smaller, down to the theme's minimum size, or have less leading.
        """
        theme = self.document.glyphs.theme
        previous_layout = self._layouts.get(draft.key)
        if previous_layout is not None:
            repeated_layout = (
                previous_layout
                if previous_layout.has_right_references(destinations)
                else self._lay_out_note(draft, destinations, previous_layout.way)
            )
            if len(repeated_layout.pages) <= len(previous_layout.pages):
                return repeated_layout
        first_layout = self._lay_out_note(draft, destinations, _LayoutOptions(theme.body_text_size, self.plan))
        if (
            not 1 < len(first_layout.pages) <= _MAX_TRIAL_PAGES
            or any(item.block.starts for item in first_layout.pages[-1].placed_blocks[:1])  # a page that the note wants
            or self._used_height(first_layout.pages[-1]) > _MAX_SPARSE_PAGE_SHARE * points(self.plan.body.height)
        ):
            return first_layout
        has_few_lines, is_long_note = (
            self._used_height(first_layout.pages[-1]) < _MIN_LAST_PAGE_LINES * _LEADING_RATIO * theme.body_text_size,
            len(first_layout.pages) > _MAX_SHORT_NOTE_PAGES,
        )
        further_trials = _LONG_NOTE_TRIALS if is_long_note else _SHORT_PAGE_TRIALS
        smaller_trials = () if is_long_note else _SMALLER_TRIALS
        for size_reduction, allows_uneven, leading in (*smaller_trials, *(further_trials if has_few_lines else ())):
            if theme.body_text_size - size_reduction < theme.min_text_size:
                continue
            plan = replace(self.plan, uneven=_UNEVEN_TOLERANCE_PT) if allows_uneven else self.plan
            options = _LayoutOptions(theme.body_text_size - size_reduction, plan, leading)
            trial_layout = self._lay_out_note(draft, destinations, options)
            if len(trial_layout.pages) < len(first_layout.pages):
                return trial_layout
        return self._lengthen_last_page(draft, destinations, first_layout) if has_few_lines else first_layout

    def _lengthen_last_page(self, draft: Draft, destinations: Mapping[str, int], layout: LaidChapter) -> LaidChapter:
        """Return a layout with as many pages as `layout` and more than twelve lines on the last, else `layout` itself.

        A last page that begins with a heading is preferred.
        """
        line_height = _LEADING_RATIO * layout.way.size
        line_counts = _SMALL_SHORTENING_LINES if len(layout.pages) > _MAX_SHORT_NOTE_PAGES else _SHORTENING_LINES
        plan, last_but_one = layout.way.plan, len(layout.pages) - 2

        def lay_out_if_fuller(plan: ReadingPlan, others: Mapping[int, ReadingPlan] = _NO_PLANS) -> list[LaidChapter]:
            candidate = self._lay_out_note(draft, destinations, _LayoutOptions(layout.way.size, plan, others=others))
            last_height = self._used_height(candidate.pages[-1])
            is_fuller = len(candidate.pages) == len(layout.pages) and last_height > _MIN_LAST_PAGE_LINES * line_height
            return [candidate] if is_fuller else []

        def ending(lines: int) -> ReadingPlan:
            return replace(plan, below=plan.below + round(lines * line_height / points(1)))

        candidates = [candidate for line_count in line_counts for candidate in lay_out_if_fuller(ending(line_count))]
        if not candidates:
            attempts = (lay_out_if_fuller(plan, {last_but_one: ending(line_count)}) for line_count in _SHORTENING_LINES)
            candidates = next(filter(None, attempts), [layout])
        with_title = (candidate for candidate in candidates if candidate.pages[-1].placed_blocks[0].block.title)
        return next(with_title, candidates[0])

    def _used_height(self, page: TextPage) -> float:
        """Return the used height of a page in points."""
        lowest = min((item.top - item.height for item in page.placed_blocks), default=0.0)
        return points(self.plan.body.top) - lowest

    def _lay_out_note(self, draft: Draft, destinations: Mapping[str, int], options: _LayoutOptions) -> LaidChapter:
        chapter, glyphs, size, plan = draft.chapter, self.document.glyphs, options.size, options.plan
        follow, min_size = partial(self._resolve_link, chapter.source), glyphs.theme.min_text_size
        inline = Inline(glyphs, follow, draft.headings, destinations, size=size, min_size=min_size, prefix=draft.prefix)
        inline.footnotes |= draft.title.footnotes
        inline.breaks, inline.language = chapter.source.breaks, chapter.language
        inline.secrets += draft.secrets
        inline.nameless = chapter.secrets.hidden
        inline.listed = (
            draft.key not in self._unlisted_keys if chapter.lists_linked_notes is None else chapter.lists_linked_notes
        )
        inline.max_notes = _MAX_LISTED_NOTES if chapter.lists_linked_notes is None and inline.listed else None
        column, (_, _, width, height) = points(plan.column_width), plan.body.points
        setting = Setting(inline, column, width, height, size, leading=options.leading, title=chapter.title)
        setting.source, setting.secrets = chapter.source, chapter.secrets
        setting.parts = [
            PartContext(part.source, partial(self._resolve_link, part.source), headings, part.language)
            for part, headings in zip(chapter.parts, draft.part_headings, strict=True)
        ]
        try:
            blocks = chapter.make_builder(setting).build(draft.tree)
        except TooManyNotes:
            self._unlisted_keys.add(draft.key)
            return self._lay_out_note(draft, destinations, options)
        if plan.body.height < _SMALL_BODY_HEIGHT:
            blocks = [structs.replace(block, whole=False) for block in blocks]
        first_top = draft.title.bottom
        try:
            pages = paginate(blocks, plan, self.document.canvas, first_top=first_top, plans_by_page=options.others)
        except InvalidError as error:
            raise InvalidError(error.message, where=chapter.path, hint=error.hint) from error
        return LaidChapter(draft, options, pages, inline.referenced_pages, inline.omitted, inline.secrets)

    def _resolve_link(self, source: NoteSource, target: str) -> LinkTarget | None:
        """Return the target of a link in a note, or None; a link to another note of this book leads to its page."""
        link_target = source.link(target)
        if link_target is None or link_target.kind != "note":
            return link_target
        places = (draft.destinations.get(link_target.path) for draft in self._drafts)
        destination = next(filter(None, places), None)
        if destination is None:
            return link_target
        note_key, headings = destination
        key = headings.get(comparable_heading(link_target.heading.rpartition("#")[2]), note_key)
        return LinkTarget("here", heading=link_target.heading, key=key)


def _make_heading(chapter: Chapter) -> Node:
    """Return the title of a note as a heading, shortened if it is very long."""
    if len(chapter.title) <= _MAX_TITLE_CHARS:
        return chapter.heading
    return Node("Heading", children=[Node("Text", chapter.title[: _MAX_TITLE_CHARS - 1].rstrip() + "…")])


def _is_titled_heading(node: Node) -> bool:
    return node.kind == "Heading" and bool(node.words().strip())


def _keys_by_heading(nodes: Iterable[Node], prefix: str, first: int = 1) -> dict[str, str]:
    """Return the link destinations of headings, by their text as Obsidian compares it, counted from `first`.

    Of equal headings the first one counts.
    """
    keys: dict[str, str] = {}
    for number, node in enumerate(filter(_is_titled_heading, nodes), first):
        keys.setdefault(comparable_heading(node.words()), f"{prefix}h{number}")
    return keys


def _pages_by_destination(laid_chapters: Sequence[LaidChapter]) -> dict[str, int]:
    pages_by_key = {laid_chapter.draft.key: laid_chapter.first for laid_chapter in laid_chapters}
    for laid_chapter in laid_chapters:
        for number, page in enumerate(laid_chapter.pages, laid_chapter.first):
            pages_by_key |= {item.block.key: number for item in page.placed_blocks if item.block.key}
    return pages_by_key
