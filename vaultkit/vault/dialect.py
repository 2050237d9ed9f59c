"""The Markdown parser (pyromark) for Obsidian's dialect, which differs from CommonMark in some places (O2 to O5, O10).

The text is corrected before it is parsed: some characters are replaced by others of the same length, and line breaks,
backslashes and empty cells are inserted. Events have their places in the original text.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from vaultkit.vault.table_heads import untab_delimiter_rows
from vaultkit.vault.text_positions import offset_converter

if TYPE_CHECKING:
    import pyromark

Event = tuple[Any, Mapping[str, int]]
"""An event of the parser and its range in bytes of the text."""
_Insertion = tuple[int, bytes]
"""The offset in bytes at which something is inserted into a text, and what."""

_BLANKS = " \t\r\n"
_MAX_ROUNDS = 8
"""How often a text is corrected; a correction may show the parser another place to correct, mostly once."""
_UNBRACKETED = r"[^\[\]\r\n]++|\](?!\])"
_BRACKETED_WIKILINK = re.compile(
    rf"\[\[(?<!\\\[\[)(?!\[[^\[\]\r\n]*+\]\]\])(?:{_UNBRACKETED})*\[(?!\[)(?:{_UNBRACKETED}|\[(?!\[))*(?=\]\])"
)
"""A wikilink, without its end, with a single `[` in it (O3); not a wikilink within brackets, `[[[Note]]]`."""
_MASKED_BRACKETS = {ord("["): "\x0e", ord("]"): "\x0f"}
_UNMASKED_BRACKETS = {0x0E: "[", 0x0F: "]"}
_TABS_BEHIND_FENCE = re.compile(r"[`~](?<=```|~~~)[ \t]*\t[ \t]*(?=[\r\n]|\Z)")
_UNDERLINE_OR_RULE = re.compile(r"[\r\n][ \t>]*+(?:=++|[-:|][-:| \t]*+)[^\S\r\n]*+(?=[\r\n]|\Z)")
"""A line break and a line that may be the underline of a heading or the delimiter row of a table."""
_NO_BREAK_LINE = re.compile(rb"^[ \t]*\xc2\xa0(?:[ \t]|\xc2\xa0)*(?:\r\n|\n|\r)", re.MULTILINE)
"""A line of no-break spaces (O10)."""
_UNDERLINE = re.compile(rb"[ \t>]*(?:-+|=+)[ \t]*(?=[\r\n]|\Z)")
_DELIMITER_ROW = re.compile(rb"[ \t>]*[|:\- \t]*-[|:\- \t]*\s*")
_LINE_PREFIX = re.compile(rb"[ \t>]*")
_LINK_OR_ESCAPE = re.compile(rb"\[\[[^\[\]\r\n]*+\]\]|\[[^\[\]\r\n]*+\]\([^()\r\n]*+\)|\\.")
_PIPE = re.compile(rb"(?<!\\)\|")
_BLOCK_ID = re.compile(rb"[ \t>]*\^[A-Za-z0-9-]+[ \t\r\n]*\Z")
_BLOCK_ID_CELL = re.compile(rb"(?<=\|)[ \t]*\^[A-Za-z0-9-]+\s*\Z")
"""A block id behind the last row of a table."""


def events(body: str, *, merge_text: bool = False) -> Iterator[Event]:
    """Return an iterator over the parser's events for Obsidian's syntax, each with its range in bytes.

    With `merge_text`, adjacent pieces of text are joined.
    """
    text, insertions = correct(body)
    parsed = _events(text, merge_text)
    if not insertions:
        return parsed
    original = _original_offset(insertions)
    return ((event, {"start": original(span["start"]), "end": original(span["end"])}) for event, span in parsed)


def elements(body: str, base: int, kinds: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each element in a body that is of one of the `kinds`: its kind, and its start and end in the whole text.

    `base` is the offset at which the body begins in the whole text.
    """
    offset = offset_converter(body, base)
    for event, span in events(body):
        if isinstance(event, dict):
            kind = tag_kind(event["Start"]) if "Start" in event else next(iter(event))
            if kind in kinds:
                yield kind, offset(span["start"]), offset(span["end"])


def tag_kind(tag: object) -> str:
    """Return the kind of element, such as "Link", that a tag in one of the parser's events names."""
    return str(next(iter(tag), "")) if isinstance(tag, dict) else str(tag)


@cache
def syntax(*, math: bool) -> "pyromark.Options":
    """Return the parser's options for Obsidian's syntax, with or without mathematics."""
    import pyromark

    flags = pyromark.Options
    options = flags.ENABLE_TABLES | flags.ENABLE_FOOTNOTES | flags.ENABLE_STRIKETHROUGH | flags.ENABLE_TASKLISTS
    options |= flags.ENABLE_WIKILINKS
    return options | flags.ENABLE_MATH if math else options


def correct(body: str) -> tuple[str, list[_Insertion]]:
    """Correct a text so that CommonMark reads it as Obsidian does; `unmask` restores the brackets in its pieces.

    The second value has what was inserted, at offsets of `body`.
    """
    text = masked_text = _replace_signs(body)
    insertions: list[_Insertion] = []
    for _ in range(_MAX_ROUNDS if _may_need_insertions(text) else 0):
        new_insertions = _find_insertions(text.encode(), _events(text, merge_text=True))
        if not new_insertions:
            break
        original = _original_offset(insertions)
        insertions += [(original(offset), added) for offset, added in new_insertions]
        insertions.sort(key=itemgetter(0))
        text = _insert(masked_text, insertions)
    return text, insertions


def unmask(text: str) -> str:
    """Return a piece of a corrected text with its brackets."""
    return text.translate(_UNMASKED_BRACKETS) if "\x0e" in text or "\x0f" in text else text


def _may_need_insertions(text: str) -> bool:
    """Return whether the parser may not read a text as Obsidian does; a quick look, which may say yes for others."""
    if ("\xa0" in text and _NO_BREAK_LINE.search(text.encode())) or ("\r" in text and "\n" not in text):
        return True
    table_end = columns = 0
    for match in _UNDERLINE_OR_RULE.finditer(text):
        above = text.rfind("\n", 0, match.start()) + 1
        line_above = text[above : match.start()].strip(_BLANKS)
        if "|" in match[0] or "|" in line_above:
            if match.start() >= table_end or _max_cells(match[0]) < columns:
                columns = _max_cells(match[0])
                table_end = _regular_rows_end(text, match.end(), columns)
            if table_end < 0:
                return True
        two_above = text[text.rfind("\n", 0, max(above - 1, 0)) + 1 : above].strip(_BLANKS)
        if "|" not in match[0] and line_above and (match[0][-1].isspace() or two_above):
            return True
    return False


def _regular_rows_end(text: str, start: int, columns: int) -> int:
    """Return the end of the rows below the delimiter row that ends at `start`; -1 if a line is none or too long."""
    start = text.find("\n", start)
    while 0 <= start < len(text):
        end = text.find("\n", start + 1)
        end = end if end >= 0 else len(text)
        line = text[start:end].strip(_BLANKS)
        if not line or line == ">":
            return start
        row = line.lstrip("> ")
        if not (row.startswith("|") and _max_cells(row) <= columns) and not _is_block_id(row):
            return -1
        start = end
    return len(text)


def _is_block_id(line: str) -> bool:
    return line.startswith("^") and line[1:].replace("-", "a").isalnum() and line.isascii()


def _max_cells(row: str) -> int:
    """Return the number of cells in a row, if no pipe is escaped."""
    row = row.lstrip(f">{_BLANKS}").rstrip(_BLANKS)
    return row.count("|") + 1 - row.startswith("|") - row.endswith("|")


def _events(text: str, merge_text: bool) -> Iterator[Any]:
    """Return the parser's events for a corrected text."""
    import pyromark

    return iter(pyromark.events_with_range(text, options=syntax(math=True), merge_text=merge_text))


def _replace_signs(body: str) -> str:
    """Return the text with spaces for tabs in delimiter rows and after closing fences, and masked brackets (O3, O4)."""
    body = untab_delimiter_rows(body)
    if "\t" in body and ("```" in body or "~~~" in body):
        body = _TABS_BEHIND_FENCE.sub(lambda match: match[0].replace("\t", " "), body)
    if "[[" in body:
        body = _BRACKETED_WIKILINK.sub(lambda match: f"[[{match[0][2:].translate(_MASKED_BRACKETS)}", body)
    return body


def _insert(text: str, insertions: Iterable[_Insertion]) -> str:
    data = text.encode()
    pieces: list[bytes] = []
    last = 0
    for offset, added in insertions:
        pieces += (data[last:offset], added)
        last = offset
    return b"".join((*pieces, data[last:])).decode()


def _original_offset(insertions: list[_Insertion]) -> Callable[[int], int]:
    """Return a function from offsets in the text with the insertions to offsets in the text without them."""
    lengths = [len(added) for _, added in insertions]
    totals = [0, *accumulate(lengths)]
    starts = [offset + total for (offset, _), total in zip(insertions, totals, strict=False)]

    def convert(offset: int) -> int:
        index = bisect_right(starts, offset)
        return offset if not index else max(offset - totals[index], insertions[index - 1][0])

    return convert


def _find_insertions(data: bytes, parsed: Iterable[Event]) -> list[_Insertion]:
    """Return the insertions after which the parser reads a text as Obsidian does."""
    code_spans: list[Mapping[str, int]] = []
    insertions: list[_Insertion] = []
    for event, span in parsed:
        tag = event.get("Start") if type(event) is dict else None
        if type(tag) is dict and "Heading" in tag:
            insertions += _split_heading(data, span)
        elif type(tag) is dict and "Table" in tag:
            insertions += _correct_table(data, span)
        elif tag == "HtmlBlock" or (type(tag) is dict and "CodeBlock" in tag):
            code_spans.append(span)
    return sorted(_isolate_no_break_lines(data, code_spans)) or insertions


def _isolate_no_break_lines(data: bytes, code_spans: list[Mapping[str, int]]) -> Iterator[_Insertion]:
    """Yield blank lines around lines of no-break spaces, which end a paragraph (O10)."""
    for line in _NO_BREAK_LINE.finditer(data) if b"\xc2\xa0" in data else ():
        index = bisect_right(code_spans, line.start(), key=itemgetter("start")) - 1
        if index >= 0 and line.start() < code_spans[index]["end"]:
            continue
        if line.start() and data[line.start() - 2 : line.start()].strip(b"\r\n"):
            yield line.start(), b"\n"
        if data[line.end() : line.end() + 1].strip(b"\r\n") and not _UNDERLINE.match(data, line.end()):
            yield line.end(), b"\n"


def _split_heading(data: bytes, span: Mapping[str, int]) -> Iterator[_Insertion]:
    """Yield the sign that splits an underline from several lines above it, or one with a blank behind it (O2)."""
    source = data[span["start"] : span["end"]].rstrip(b"\r\n")
    lines = source.splitlines()
    if len(lines) < 2 or (len(lines) == 2 and lines[1] == lines[1].rstrip(b" \t")):
        return
    prefix = _match_prefix(lines[-1])
    underline = lines[-1][len(prefix) :].strip()
    start = span["start"] + len(source) - len(lines[-1])
    if underline.startswith(b"---") or underline == b"-":
        yield start, prefix.rstrip() + b"\n"
    else:
        yield start + len(prefix), b"\\"


def _correct_table(data: bytes, span: Mapping[str, int]) -> Iterator[_Insertion]:
    """Yield a blank line above each line that ends a table, and empty cells in a header that is too short (O5)."""
    lines = data[span["start"] : span["end"]].splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=span["start"]))
    header: int | None = 0
    while header is not None:
        end = next((index for index in range(header + 2, len(lines)) if not _is_row(lines[index])), len(lines))
        rows = (_BLOCK_ID_CELL.sub(b"", line) for line in lines[header + 2 : end])
        missing_count = max(map(count_cells, rows), default=0) - count_cells(lines[header])
        if missing_count > 0:
            for index, cell in ((header, b" |"), (header + 1, b"-|")):
                row = lines[index].rstrip()
                yield starts[index] + len(row), b"|" * (not row.endswith(b"|")) + cell * missing_count
        if end < len(lines):
            yield starts[end], _match_prefix(lines[end]).rstrip() + b"\n"
        header = next(
            (index for index in range(end, len(lines) - 1) if _DELIMITER_ROW.fullmatch(lines[index + 1])), None
        )


def _match_prefix(line: bytes) -> bytes:
    """Return the blanks and quote signs at the beginning of a line."""
    match = _LINE_PREFIX.match(line)
    return match[0] if match else b""


def _is_row(line: bytes) -> bool:
    """Return whether a line below a table has a pipe outside of links, or is a block id, which may stay."""
    return (b"|" in line and b"|" in _LINK_OR_ESCAPE.sub(b"", line)) or _BLOCK_ID.match(line) is not None


def count_cells(row: bytes) -> int:
    """Return the number of cells in a row of a table."""
    return len(_PIPE.split(row.lstrip(b" \t>").rstrip().removeprefix(b"|").removesuffix(b"|")))
