"""Headings, links and block ids of a note's body, from one pass of one Markdown parser (pyromark)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec

from vaultkit.vault.dialect import events
from vaultkit.vault.embedded_links import links_in_code, links_in_fence, links_in_html
from vaultkit.vault.links import Link, is_external, property_links, split_destination, split_wikilink
from vaultkit.vault.scanner import Token, scan
from vaultkit.vault.text_positions import Places, offset_converter

_BLOCK_ID = re.compile(r"\^(?<![^ \t\r\n]\^)([A-Za-z0-9-]+)[ \t]*(?=[\r\n]|\Z)")
_HIDING_MARK = re.compile(r"[%$](?:(?<=%)%|(?<!\\\$)(?<=\$)\$)")  # begins with a set, which Python finds faster
"""The sign at both ends of a comment, `%%`, or of a block of mathematics, `$$`."""
_CODE_IN_PATH = re.compile(r"[^#|`]*+(?P<tick>`++)(?:[^#|`]++|(?!(?P=tick)(?!`))`++)*(?P=tick)(?!`)")
_FOOTNOTE_LINK = re.compile(r"!?\[\[[^\[\]|]*#\[\^[^\[\]|]+\]\]")
"""A link to a footnote, `[[Note#[^1]]]`; the parser takes it to end one bracket too early."""


class Heading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A heading as written: its level from 1 to 6, its line from 1, and its offsets in the text of the note."""

    level: int
    text: str
    line: int
    start: int
    end: int


class Anchors(msgspec.Struct, frozen=True, array_like=True):
    """The places in a note that links can lead to.

    `blocks` are the ids of blocks in lower case, without `^`. `footnotes` are the labels, in lower case, of the
    footnotes that the note defines.
    """

    headings: tuple[Heading, ...] = ()
    blocks: frozenset[str] = frozenset()
    footnotes: frozenset[str] = frozenset()


MAX_INDENT = 3
"""The most spaces in front of a block; text with more of them is code, or continues a paragraph."""
_Span = tuple[int, int]
"""The offsets of the start and the end of a part of the text."""
_Element = TypeVar("_Element", Heading, Link)


class Structure(msgspec.Struct, frozen=True):
    """The parts of a note's Markdown that concern links: the targets for links into it, and its own links."""

    anchors: Anchors = Anchors()
    links: tuple[Link, ...] = ()


def read(text: str, body_start: int, properties: Mapping[str, object]) -> Structure:
    """Return the structure of a whole note; from the frontmatter, only its links are read."""
    tokens = scan(text, body_start)
    reader = read_events(text, body_start) if tokens is None else read_tokens(text, body_start, tokens)
    links: Sequence[Link] = reader.links
    if properties:
        links = [*property_links(text[:body_start], properties, Places(text)), *links]
    links = tuple(_outside_templates(text, links))
    headings = tuple(reader.headings)
    if _may_hide(text) and _HIDING_MARK.search(text, body_start):
        hidden = reader.hidden_spans(body_start)
        links = tuple(_mark_commented(_elements_outside(links, hidden.formulas), hidden.comments))
        headings = tuple(_without_comments(text, _elements_outside(headings, hidden.formulas), hidden.all_comments))
    anchors = Anchors(headings, reader.block_ids(body_start), frozenset(reader.footnotes))
    return Structure(anchors, links)


def _may_hide(text: str) -> bool:
    """Return whether a text may have a sign of `_HIDING_MARK`; a search for one character is fastest."""
    return ("%" in text and "%%" in text) or ("$" in text and "$$" in text)


def read_tokens(text: str, body_start: int, tokens: Sequence[Token]) -> "_Reader":
    """Return a reader that has taken in the tokens of an ordinary note. Lines are counted here, for speed."""
    reader = _Reader(text, body_start)
    take_link, line_number, line_start, counted_to = reader.links.append, 1, 0, 0
    for kind, start, end, first, second in tokens:
        if newlines := text.count("\n", counted_to, start):
            line_number += newlines
            line_start = text.rfind("\n", counted_to, start) + 1
        counted_to = start
        if kind == "link" or kind == "wiki":  # noqa: PLR1714 - for each link of a vault
            embed = start > body_start and text[start - 1] == "!"
            link_start = start - embed
            column = link_start - line_start + 1
            if kind == "wiki":
                display_text, path, subpath = split_wikilink(first)
                take_link(Link("wikilink", embed, display_text, path, subpath, line_number, column, link_start, end))
            elif ":" in second and is_external(second):
                take_link(Link("markdown", embed, first, second, "", line_number, column, link_start, end, True))
            elif second:
                path, subpath = split_destination(second)
                take_link(Link("markdown", embed, first, path, subpath, line_number, column, link_start, end))
        elif kind == "heading":
            level = len(first)
            reader.headings.append(Heading(level, _heading_text(text[start:end], level), line_number, start, end))
        elif kind == "fence":
            reader.take_fence(first, start, end)
        elif kind == "code":
            reader.take_code(start, end)
        else:
            reader.footnotes.append(first.lower())
    return reader


def read_events(text: str, body_start: int) -> "_Reader":
    """Return a reader that has taken in the events of the Markdown parser, which works for any note."""
    reader = _Reader(text, body_start)
    take_block = reader.take_block
    for event, span in events(text[body_start:], merge_text=True):
        if type(event) is not dict or "Text" in event or "End" in event:  # fast path: this covers most events
            continue
        start = event.get("Start")
        if type(start) is dict:
            take_block(start, span)
        elif start is None:
            reader.take_inline(event, span)
        elif start == "HtmlBlock":
            reader.take_html(span)
        elif start == "Item":
            reader.ignore_headings_in(span)
    return reader


def _outside_templates(text: str, links: Sequence[Link]) -> Sequence[Link]:
    """Return the links that do not overlap a Templater command `<% %>`, which makes its links only when it runs."""
    if "<" not in text or "<%" not in text:
        return links
    commands = list(_template_commands(text))
    ends = [end for _, end in commands]
    numbered_links = ((link, bisect_right(ends, link.start)) for link in links)
    return [link for link, index in numbered_links if index == len(commands) or commands[index][0] >= link.end]


def _template_commands(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each Templater command `<% %>`; an unclosed one ends the search."""
    start = text.find("<%")
    while start >= 0 and (end := text.find("%>", start + 2)) >= 0:
        yield start, end + 2
        start = text.find("<%", end + 2)


class _HiddenSpans(NamedTuple):
    """The extents of comments and of blocks of mathematics in a note; `unclosed` is a comment without an end."""

    comments: list[_Span]
    formulas: list[_Span]
    unclosed: list[_Span]

    @property
    def all_comments(self) -> list[_Span]:
        return self.comments + self.unclosed


def _find_span(offset: int, spans: Sequence[_Span]) -> _Span | None:
    """Return the span that contains an offset, or None; the `spans` are in order."""
    index = bisect_right(spans, offset, key=itemgetter(0)) - 1
    return spans[index] if index >= 0 and offset < spans[index][1] else None


def _elements_outside(candidates: Sequence[_Element], spans: Sequence[_Span]) -> Sequence[_Element]:
    """Return the elements that begin in none of the spans."""
    return [element for element in candidates if _find_span(element.start, spans) is None] if spans else candidates


def _without_comments(text: str, headings: Iterable[Heading], comments: Sequence[_Span]) -> Iterator[Heading]:
    """Yield the headings that are not inside comments, with comments cut out of their text (O1).

    The text of `## Ideas %% later %%` becomes `Ideas`; a heading that is only a comment is left out.
    """
    for heading in headings:
        surrounding = _find_span(heading.start, comments)
        if surrounding is None or surrounding[0] == heading.start:
            inside = comments[slice(*(bisect_left(comments, (end,)) for end in (heading.start, heading.end)))]
            visible_heading = _cut_comments(text, heading, inside) if inside else heading
            if visible_heading.text or not inside:
                yield visible_heading


def _cut_comments(text: str, heading: Heading, comments: Sequence[_Span]) -> Heading:
    """Return the heading without the given comments in its text."""
    starts, ends = [start for start, _ in comments], [end for _, end in comments]
    pieces = zip([heading.start, *ends], [*starts, heading.end], strict=True)
    visible_text = "".join(text[start:end] for start, end in pieces)
    return msgspec.structs.replace(heading, text=_heading_text(visible_text, heading.level))


def _mark_commented(links: Sequence[Link], comments: Sequence[tuple[int, int]]) -> Iterator[Link]:
    """Yield all links; a link inside a comment is marked as commented out."""
    for link in links:
        surrounding = _find_span(link.start, comments)
        inside = surrounding is not None and link.start < link.end <= surrounding[1]
        yield msgspec.structs.replace(link, commented=True) if inside else link


class _Reader:
    """A collector of the headings, links and footnotes of a note, and of its spans of code and math."""

    def __init__(self, text: str, body_start: int) -> None:
        self.text = text
        self.places = Places(text)
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.footnotes: list[str] = []
        self._verbatim: list[tuple[int, int]] = []
        self._code: list[tuple[int, int]] = []
        self._ignored_until = 0
        self._body_start = body_start

    @cached_property
    def _offset(self) -> Callable[[int], int]:
        """A function that converts the parser's offsets."""
        return offset_converter(self.text[self._body_start :], self._body_start)

    def take_inline(self, event: Mapping[str, Any], span: Mapping[str, int]) -> None:
        """Take in an event that concerns code, math or HTML within a line."""
        if "Code" in event:
            self.take_code(*self._extent(span))
        elif "InlineMath" in event or "DisplayMath" in event:
            self._verbatim.append(self._extent(span))
        elif "InlineHtml" in event:
            self.take_html(span)

    def take_block(self, started: Mapping[str, Any], span: Mapping[str, int]) -> None:
        """Take in the start of an element for which the parser gives details, such as a heading, a link or a quote."""
        ((tag, details),) = started.items()
        if tag == "Link" or tag == "Image":  # noqa: PLR1714 - for each link of a vault
            self._take_link(details, tag == "Image", span)
        elif tag == "Heading":
            if span["start"] >= self._ignored_until:
                self.take_heading(int(details["level"][1]), *self._extent(span))
        elif tag == "BlockQuote":
            self.ignore_headings_in(span)
        elif tag == "CodeBlock":
            self.take_fence(details.get("Fenced", "") if isinstance(details, dict) else "", *self._extent(span))
        elif tag == "FootnoteDefinition":
            self.footnotes.append(str(details).lower())

    def ignore_headings_in(self, span: Mapping[str, int]) -> None:
        """Ignore headings up to the end of a span, that of a quote, a callout or a list item (S6)."""
        self._ignored_until = max(self._ignored_until, span["end"])

    def take_heading(self, level: int, start: int, end: int) -> None:
        text = _heading_text(self.text[start:end], level)
        self.headings.append(Heading(level, text, self.places.line(start), start, end))

    def take_code(self, start: int, end: int) -> None:
        """Take in code within a line, and the links in it if it rolls dice."""
        self._add_code(start, end)
        if self.text.find("dice", start, end) > 0:
            self.links.extend(links_in_code(self.text, start, end, self.places))

    def take_fence(self, info: str, start: int, end: int) -> None:
        """Take in a code block and the links in it; `info` is the text after the signs that open it."""
        self._add_code(start, end)
        self.links.extend(links_in_fence(info, self.text, start, end, self.places))

    def take_html(self, span: Mapping[str, int]) -> None:
        self.links.extend(links_in_html(self.text, *self._extent(span), self.places))

    def block_ids(self, body_start: int) -> frozenset[str]:
        """Return the block ids outside of code and math."""
        first = self.text.find("^", body_start)  # far faster than a pattern
        if first < 0:
            return frozenset()
        formulas = self.hidden_spans(body_start).formulas if "$$" in self.text else ()
        ids_with_offsets = ((match[1].lower(), match.start(1)) for match in _BLOCK_ID.finditer(self.text, first))
        return frozenset(
            id for id, offset in ids_with_offsets if not (self._is_verbatim(offset) or _find_span(offset, formulas))
        )

    def hidden_spans(self, body_start: int) -> _HiddenSpans:
        """Return the spans of comments, and of blocks of mathematics that begin a line, leaving out code (O1, O6).

        Unclosed mathematics extends to the end of the note, as does an unclosed comment that begins a line.
        """
        spans: dict[str, list[_Span]] = {"%%": [], "$$": []}
        sign, start = "", 0
        for mark in _HIDING_MARK.finditer(self.text, body_start):
            if sign and mark[0] == sign:
                spans[sign].append((start, mark.end()))
                sign = ""
            elif not sign and self._opens_hidden_span(mark):
                sign, start = mark[0], mark.start()
        if sign == "$$":
            spans[sign].append((start, len(self.text)))
        is_unclosed_comment = sign == "%%" and self._begins_line(start)
        return _HiddenSpans(spans["%%"], spans["$$"], [(start, len(self.text))] if is_unclosed_comment else [])

    def _opens_hidden_span(self, mark: re.Match[str]) -> bool:
        """Return whether a sign opens a comment, or a block of mathematics at the beginning of a line."""
        if mark[0] == "%%":
            return not self._is_verbatim(mark.start())
        return self._begins_line(mark.start()) and _find_span(mark.start(), self._code) is None

    def _begins_line(self, offset: int) -> bool:
        """Return whether at most three spaces are before an offset in its line; more of them continue a paragraph."""
        line_start = max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1
        return offset - line_start <= MAX_INDENT and not self.text[line_start:offset].strip(" ")

    def _add_code(self, start: int, end: int) -> None:
        """Note a span of code, which is verbatim too."""
        self._verbatim.append((start, end))
        self._code.append((start, end))

    def _extent(self, span: Mapping[str, int]) -> tuple[int, int]:
        """Return the start and end in the text of a span that the parser gives in bytes of the body."""
        return self._offset(span["start"]), self._offset(span["end"])

    def _take_link(self, tag: Mapping[str, Any], embed: bool, span: Mapping[str, int]) -> None:
        start, end = self._offset(span["start"]), self._offset(span["end"])
        text = self.text
        if embed and text.startswith("![[", start) and isinstance(tag["link_type"], str):
            start = self._take_picture(start, end)
            embed = False
        if text.startswith("]]]", end - 2) and _FOOTNOTE_LINK.match(text, start, end):
            end += 1
        if (link := _build_link(text[start:end], tag, embed, self.places.extent(start, end))) is not None:
            self.links.append(link)

    def _take_picture(self, start: int, end: int) -> int:
        """Take in the picture of a link around a picture, `[![[x.png]]](Note.md)`, and return where that link starts.

        The parser takes the picture and the link together for one picture.
        """
        picture_end = self.text.find("]]", start, end) + 2
        if picture_end > 1:
            place = self.places.extent(start, picture_end)
            self.links.append(Link("wikilink", True, *split_wikilink(self.text[start + 3 : picture_end - 2]), *place))
        return start - 1 if self.text.startswith("[", start - 1) and start else start

    def _is_verbatim(self, offset: int) -> bool:
        """Return whether an offset lies in code or math."""
        index = bisect_right(self._verbatim, (offset, len(self.text))) - 1
        return index >= 0 and offset < self._verbatim[index][1]


def _heading_text(source: str, level: int) -> str:
    """Return the text of a heading: what lies between its opening and closing `#`, or above its underline (S6)."""
    content = source.strip(" \t\r\n")
    opening_marks = content[:level]
    if opening_marks != "#" * level or content[level : level + 1].strip():
        return re.split(r"[\r\n]+", content)[0].strip()
    inner = content[level:].strip()
    without_closing_marks = inner.rstrip("#")
    return without_closing_marks.strip() if not without_closing_marks or without_closing_marks[-1].isspace() else inner


def _build_link(source: str, tag: Mapping[str, Any], embed: bool, place: tuple[int, int, int, int]) -> Link | None:
    """Return the link that `source` spells, or None if Obsidian takes it for none (O10).

    Wikilinks over several lines or with code in their path are none, nor are Markdown links without a destination.
    """
    kind = tag["link_type"]
    if type(kind) is dict:
        content = source.removeprefix("!").removeprefix("[[").removesuffix("]]")
        if "\n" in content or "\r" in content or ("`" in content and _CODE_IN_PATH.match(content)):
            return None
        return Link("wikilink", embed, *split_wikilink(content), *place)
    destination: str = tag["dest_url"]
    if not destination:
        return None
    if kind == "Autolink" or kind == "Email" or is_external(destination):  # noqa: PLR1714
        return Link("markdown", embed, _link_text(source), destination, "", *place, external=True)
    return Link("markdown", embed, _link_text(source), *split_destination(destination), *place)


def _link_text(source: str) -> str:
    """Return the text that a Markdown link shows, as written; for a link in angle brackets, that is its address."""
    if source.startswith("<"):
        return source.strip("<>")
    start = 2 if source.startswith("!") else 1
    end = source.rfind("](", start)
    end = end if end >= 0 else source.rfind("][", start)
    return source[start:end] if end >= 0 else source[start:].removesuffix("]")
