"""Layout of notes one after another: well-filled pages, and references with the page numbers of their headings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType

import msgspec
from msgspec import structs

from vaultkit.look.lengths import MM, points
from vaultkit.sheets.geometry.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Bookmark, Document
from vaultkit.sheets.rules.chapter import Chapter
from vaultkit.sheets.rules.title import TitleBlock
from vaultkit.sheets.text.inline import Inline, TooManyNotes
from vaultkit.sheets.text.layout import TextPage, paginate
from vaultkit.sheets.text.note_source import LinkTarget
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import comparable

_PASSES = 4
_LEFTOVER = 0.5
"""The most used height of a last page, as a share of the page, for which saving the page is tried."""
_MANY = 8
"""The most pages of a note for which all ways to save a page are tried.

For longer notes it is tried only if the last page would have fewer than twelve lines.
"""
_TIGHT = 45.0
"""The tolerated unevenness of columns, in points, in the trials that allow less even columns."""
_MOST_SOURCES = 8
"""The most other notes that are listed at the end unless the user asks for the list.

With more of them the text would be cluttered with marks.
"""
_SMALL = 200 * MM
"""The height of a page's text, in micrometres, below which tables may break anywhere.

Otherwise half of the small pages would stay empty.
"""
_LEADING = 1.25
_LESS = ((0.25, False, _LEADING), (0.5, False, _LEADING), (0.5, True, _LEADING))
"""Trials to save a page: points by which the text is smaller, whether columns may be less even, and the leading."""
_CLOSER = ((0.0, False, 1.22), (0.0, True, 1.2), (0.5, False, 1.22), (0.5, True, 1.2))
"""Trials, as in `_SMALLER_TRIALS`, for a last page with fewer than twelve lines."""
_FINELY = ((0.0, False, 1.22), (0.25, False, _LEADING), (0.0, False, 1.2), (0.25, False, 1.22))
"""Trials, as in `_SMALLER_TRIALS`, for a long note whose last page has fewer than twelve lines.

A small change is enough, because it applies to many pages.
"""
_MOST = 24
"""The most pages of a note for which any trial is made: each trial takes as long as a whole layout."""
_DOZEN = 12
_EARLIER, _FEWER = (2, 4, 6, 8, 10, 12), (1, 2, 3, 4)
"""Numbers of lines by which all pages may end earlier, so that the last page gets more than twelve lines.

They are tried if no trial saves a page; the second list is for long notes. If that fails too, only the last page but
one ends earlier.
"""
_NONE: Mapping[int, ReadingPlan] = MappingProxyType({})


_LONGEST_TITLE = 200
"""The most characters of a title at the head of a page; a longer one is shortened there and printed in full below."""


class LaidChapter(msgspec.Struct, frozen=True):
    """A note laid out on pages, with the number of its first page."""

    draft: "Draft"
    pages: Sequence[TextPage]
    first: int
    omitted: Mapping[str, int]
    secrets: Mapping[str, int]

    @property
    def entries(self) -> list[Bookmark]:
        """The bookmarks of the title and the headings, in the order of the pages."""
        found = [Bookmark(self.draft.chapter.title, 0, self.draft.key, self.first)]
        for number, page in enumerate(self.pages, self.first):
            blocks = (item.block for item in page.placed if item.block.title)
            found += [Bookmark(block.title, max(block.level - 1, 1), block.key, number) for block in blocks]
        return found


@dataclass(frozen=True)
class Draft:
    """A note that is not laid out yet."""

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
        return {comparable(self.chapter.title): self.key} | _heading_keys(self.tree, self.prefix)

    def place(self, heading: str) -> str:
        """Return the destination of a heading, or that of the title if there is no such heading."""
        return self.headings.get(comparable(heading.rpartition("#")[2]), self.key)


class _Way(msgspec.Struct, frozen=True):
    """Options of a note's layout: font size in points, page plan, and leading as a multiple of the font size."""

    size: float
    plan: ReadingPlan
    leading: float = _LEADING
    others: Mapping[int, ReadingPlan] = _NONE
    """The plans of pages that end earlier, by page index from 0."""


class _Choice(msgspec.Struct, frozen=True):
    """The best layout of a note: its options, its pages, and the page numbers in its references."""

    way: _Way
    pages: list[TextPage]
    named: Mapping[str, int | None]
    omitted: Mapping[str, int]
    """The number of things omitted from the pages, by kind."""
    secrets: Mapping[str, int]
    """The number of secrets on the pages, or left out of them, by kind."""

    def holds(self, known: Mapping[str, int]) -> bool:
        """Return whether all references in the layout name the right pages, given the pages of the destinations."""
        return all(known.get(key) == page for key, page in self.named.items())


@dataclass
class Book:
    """One or several notes laid out on pages of one plan.

    `document` is only used to measure; `prefix` keeps the book's destinations distinct from those of other books.
    """

    chapters: Sequence[Chapter]
    plan: ReadingPlan
    document: Document
    prefix: str = ""
    _drafts: list[Draft] = field(default_factory=list)
    _chosen: dict[str, _Choice] = field(default_factory=dict)
    """The best layout of each note so far."""
    _known: dict[str, int] = field(default_factory=dict)
    _crowded: set[str] = field(default_factory=set)
    """The keys of notes that name too many other notes to list them at the end."""
    _first: int = 1

    def __post_init__(self) -> None:
        several = len(self.chapters) > 1
        for number, chapter in enumerate(self.chapters, 1):
            tree, subtitle, secrets = chapter.parsed()
            if len(chapter.title) > _LONGEST_TITLE:
                tree.children.insert(0, Node("Paragraph", children=[Node("Text", chapter.title)]))
            title = TitleBlock(_heading(chapter), subtitle, self.plan, self.document, code=chapter.code)
            prefix = f"{self.prefix}n{number}-" if several else self.prefix
            self._drafts.append(Draft(chapter, prefix, tree, title, secrets))

    def lay_out(self, first: int = 1) -> list[LaidChapter]:
        """Return all notes laid out, the first of them starting on page `first`.

        The layout is repeated until every reference has the page number of its heading.
        """
        laid: list[LaidChapter] = []
        known = {key: page + first - self._first for key, page in self._known.items()}
        self._first = first
        for _ in range(_PASSES):
            laid, page = [], first
            for draft in self._drafts:
                choice = self._chosen[draft.key] = self._well_filled(draft, known)
                laid.append(LaidChapter(draft, choice.pages, page, choice.omitted, choice.secrets))
                page += len(choice.pages)
            found = _destinations(laid)
            settled = page == first + 1 or all(choice.holds(found) for choice in self._chosen.values())
            known = self._known = found
            if settled:
                break
        return laid

    def _well_filled(self, draft: Draft, known: Mapping[str, int]) -> _Choice:
        """Return the pages of a note without a nearly empty last page, if that is possible.

        The text is made a little smaller for it, down to the theme's minimum size, or set more closely.
        """
        theme = self.document.glyphs.theme
        before = self._chosen.get(draft.key)
        if before is not None:
            again = before if before.holds(known) else self._pages(draft, known, before.way)
            if len(again.pages) <= len(before.pages):
                return again
        choice = self._pages(draft, known, _Way(theme.body, self.plan))
        if not 1 < len(choice.pages) <= _MOST or self._used(choice.pages[-1]) > _LEFTOVER:
            return choice
        few, many = self._height(choice.pages[-1]) < _DOZEN * _LEADING * theme.body, len(choice.pages) > _MANY
        closer = _FINELY if many else _CLOSER
        for less, tight, leading in (*(() if many else _LESS), *(closer if few else ())):
            if theme.body - less < theme.floor:
                continue
            plan = replace(self.plan, uneven=_TIGHT) if tight else self.plan
            tried = self._pages(draft, known, _Way(theme.body - less, plan, leading))
            if len(tried.pages) < len(choice.pages):
                return tried
        return self._evened(draft, known, choice) if few else choice

    def _evened(self, draft: Draft, known: Mapping[str, int], choice: _Choice) -> _Choice:
        """Return a layout with equally many pages and more than twelve lines on the last, or `choice` if there is none.

        A last page that begins with a heading is preferred.
        """
        line, earlier = _LEADING * choice.way.size, _FEWER if len(choice.pages) > _MANY else _EARLIER
        plan, nearly_last = choice.way.plan, len(choice.pages) - 2

        def fuller(plan: ReadingPlan, others: Mapping[int, ReadingPlan] = _NONE) -> list[_Choice]:
            one = self._pages(draft, known, _Way(choice.way.size, plan, others=others))
            is_fuller = len(one.pages) == len(choice.pages) and self._height(one.pages[-1]) > _DOZEN * line
            return [one] if is_fuller else []

        def ending(lines: int) -> ReadingPlan:
            return replace(plan, below=plan.below + round(lines * line / points(1)))

        found = [one for lines in earlier for one in fuller(ending(lines))]
        if not found:
            tried = (fuller(plan, {nearly_last: ending(lines)}) for lines in _EARLIER)
            found = next(filter(None, tried), [choice])
        return next((one for one in found if one.pages[-1].placed[0].block.title), found[0])

    def _used(self, page: TextPage) -> float:
        """Return the used share of a page's height."""
        return self._height(page) / points(self.plan.body.height)

    def _height(self, page: TextPage) -> float:
        """Return the used height of a page in points."""
        lowest = min((item.top - item.height for item in page.placed), default=0.0)
        return points(self.plan.body.top) - lowest

    def _pages(self, draft: Draft, known: Mapping[str, int], way: _Way) -> _Choice:
        chapter, glyphs, size, plan = draft.chapter, self.document.glyphs, way.size, way.plan
        follow, least = partial(self._follow, chapter), glyphs.theme.floor
        inline = Inline(glyphs, follow, draft.headings, known, size=size, least=least, prefix=draft.prefix)
        inline.footnotes |= draft.title.footnotes
        inline.breaks, inline.language = chapter.source.breaks, chapter.language
        inline.secrets += draft.secrets
        inline.nameless = chapter.secrets.hidden
        inline.listed = draft.key not in self._crowded if chapter.sources is None else chapter.sources
        inline.most = _MOST_SOURCES if chapter.sources is None and inline.listed else None
        column, (_, _, width, height) = points(plan.column_width), plan.body.points
        setting = Setting(inline, column, width, height, size, leading=way.leading, title=chapter.title)
        setting.source, setting.secrets = chapter.source, chapter.secrets
        try:
            blocks = chapter.builder(setting).build(draft.tree)
        except TooManyNotes:
            self._crowded.add(draft.key)
            return self._pages(draft, known, way)
        if plan.body.height < _SMALL:
            blocks = [structs.replace(block, whole=False) for block in blocks]
        pages = paginate(blocks, plan, self.document.canvas, first_top=draft.title.bottom, others=way.others)
        return _Choice(way, pages, inline.named, inline.omitted, inline.secrets)

    def _follow(self, chapter: Chapter, target: str) -> LinkTarget | None:
        """Return the target of a link in a note; a link to a note of this book leads to its page."""
        found = chapter.source.link(target)
        printed = {draft.chapter.path: draft for draft in self._drafts if draft.chapter.path}
        if found is None or found.kind != "note" or found.path not in printed:
            return found
        return LinkTarget("here", heading=found.heading, key=printed[found.path].place(found.heading))


def _heading(chapter: Chapter) -> Node:
    """Return the title as printed above the note, shortened if it is very long."""
    if len(chapter.title) <= _LONGEST_TITLE:
        return chapter.heading
    return Node("Heading", children=[Node("Text", chapter.title[: _LONGEST_TITLE - 1].rstrip() + "…")])


def _heading_keys(tree: Node, prefix: str) -> dict[str, str]:
    """Return the destinations of headings, by their text as Obsidian compares it.

    The first of two equal headings wins.
    """
    keys: dict[str, str] = {}
    headings = (node for node in tree.walk() if node.kind == "Heading" and node.words().strip())
    for number, node in enumerate(headings, 1):
        keys.setdefault(comparable(node.words()), f"{prefix}h{number}")
    return keys


def _destinations(laid: Sequence[LaidChapter]) -> dict[str, int]:
    found = {one.draft.key: one.first for one in laid}
    for one in laid:
        for number, page in enumerate(one.pages, one.first):
            found |= {item.block.key: number for item in page.placed if item.block.key}
    return found
