"""A fast scanner for ordinary notes, which finds their elements by a few patterns instead of the slow parser.

Notes with anything that the patterns cannot decide are left to the parser: HTML, pipes within elements of a table,
mathematics, indented code, underlined headings, nested brackets, link reference definitions. A test ensures that
scanner and parser agree.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import chain
from operator import itemgetter

Token = tuple[str, int, int, str, str]
"""An element: its kind, its start and end in the text, and two texts, "" if unused.

The texts of each kind are: `heading` its `#` signs; `wiki` the link's content; `link` the displayed text and the
destination; `fence` the language; `footnote` the label; `code` none.
"""

_PLAIN_TEXT = r"[^\s\x00-\x1f()<>\\&]*+"
_DESTINATION = rf"{_PLAIN_TEXT}(?:(?:\\[A-Za-z0-9]|\({_PLAIN_TEXT}\)){_PLAIN_TEXT})*"
_BRACKETS = rf"""
    \[(?P<wiki>[^\[\]\n<`\\|]++ (?:\|[^\[\]\n<`\\]*+)?)\]\]
  | (?!\^)(?P<shown>[^\[\]\n<`\\]*+)\]\((?P<destination>{_DESTINATION})\)
  | (?<=\n\n\[)\^(?P<footnote>[^\s\[\]<`\\]++)\]:[ ](?=[A-Za-z])
  | [^\[\]\n<`\\]*+\](?![(\[:])
  | (?P<odd>)
"""
# Each pattern begins with one character or a set, which Python searches far faster than alternatives.
_BRACKET = re.compile(rf"\[(?:{_BRACKETS})", re.VERBOSE)
_CODE = r"(?<=`)(?:(?P<code>[^`\n]++)`(?!`)|(?P<sign>))|(?<=\\)(?:(?P<escaped>[!`])|[^\w\s])"
_BRACKET_OR_CODE = re.compile(rf"[\[`\\](?:(?<=\[)(?:{_BRACKETS})|{_CODE})", re.VERBOSE)
_HEADING = re.compile(r"\n(#{1,6})(?![^ \t\n])")
_UNDECIDABLE_LINE = re.compile(
    r"""\n(?=[ \t>*+.):=\d-])(?:
        [ ]{1,3}\#                                      # a heading that is set in
      | [ >*+.)\d-]*?(?:[ ]{4}|\t)                      # perhaps code
      | (?<=[^\n]\n)[ >]*[|:=-][-|:= \t]*(?![^\n])      # a delimiter row, set in, or the line below a heading
    )""",
    re.VERBOSE,
)
_DELIMITER_ROW = re.compile(r"\n\|[-|: \t]*+(?![^\n])")
_UNDECIDABLE_CHARACTERS = ("\r", "\0", "\v", "\f")
_HTML = re.compile(r"<(?:[A-Za-z/!?]|[^\s<>@]++@)")
"""The beginning of an HTML tag, a comment, or an autolink to a web or mail address."""
_CLOSING_FENCE = re.compile(r"(?<=\n)```[ \t]*(?![^\n])")


@lru_cache(maxsize=2)  # several readers in turn need them for one note
def scan(text: str, start: int) -> list[Token] | None:
    """Return the elements of the body, which begins at `start`, in order; None if only the parser can find them."""
    if (
        any(map(text.__contains__, _UNDECIDABLE_CHARACTERS))
        or ("~" in text and "~~~" in text)
        or ("$" in text and text.count("$") > 1)
    ):
        return None
    body, base, offset = f"\n{text[start:]}", start - 1, 0
    tokens: list[Token] = []
    while offset >= 0:
        opening = body.find("\n```", offset)
        if not _add_elements(body, base, offset, opening if opening >= 0 else len(body), tokens):
            return None
        offset = opening if opening < 0 else _add_fence(body, base, opening + 1, tokens)
        if offset < opening:
            return None
    tokens.sort(key=itemgetter(1))
    return None if "\n|" in body and _has_cut_element(body, base, tokens) else tokens


def _has_cut_element(body: str, base: int, tokens: list[Token]) -> bool:
    """Return whether an element of a table has a pipe in it, which may end the cell."""
    end = 0
    for row in _DELIMITER_ROW.finditer(body):
        if row.start() < end:  # in a table that has been looked at
            continue
        start = base + body.rfind("\n", 0, row.start())
        if (end := body.find("\n\n", row.end())) < 0:
            end = len(body)
        table_tokens = tokens[bisect_right(tokens, start, key=itemgetter(1)) :]
        for token in table_tokens:
            if token[1] >= base + end:
                break
            if "|" in body[token[1] - base : token[2] - base]:
                return True
    return False


def _add_fence(body: str, base: int, start: int, tokens: list[Token]) -> int:
    """Add the fenced code that begins at `start`, and return its end; -1 if only the parser can find that."""
    first_line_end = body.find("\n", start)
    language = body[start + 3 : first_line_end]
    closing = _CLOSING_FENCE.match(body, body.find("```", first_line_end)) if first_line_end > 0 else None
    if closing is None or (language and not language.isalnum()):
        return -1
    tokens.append(("fence", base + start, base + closing.end(), language, ""))
    return closing.end()


def _add_elements(body: str, base: int, start: int, end: int, tokens: list[Token]) -> bool:
    """Add the elements between `start` and `end`, where no fences are; return False if only the parser can do so."""
    if _UNDECIDABLE_LINE.search(body, start, end) or ("<" in body and _HTML.search(body, start, end)):
        return False
    for heading in _HEADING.finditer(body, start, end):
        line_end = body.find("\n", heading.end()) + 1 or len(body)
        tokens.append(("heading", base + heading.start() + 1, base + line_end, heading[1], ""))
    first_sign = min((offset for sign in "`\\" if (offset := body.find(sign, start, end)) >= 0), default=end)
    sign_line = end if first_sign == end else max(start, body.rfind("\n", start, first_sign))
    closing_count = body.count("](", start, end)
    searches = (_BRACKET.finditer(body, start, sign_line), _BRACKET_OR_CODE.finditer(body, sign_line, end))
    for match in chain.from_iterable(searches):
        match_start, match_end = match.span()
        kind = match.lastgroup
        if kind == "destination":
            tokens.append(("link", base + match_start, base + match_end, match["shown"], match[kind]))
            closing_count -= 1
        elif kind == "wiki" or kind == "footnote":  # noqa: PLR1714 - for each link of a vault
            tokens.append((kind, base + match_start, base + match_end, match[kind], ""))
        elif kind == "code":
            tokens.append((kind, base + match_start, base + match_end, "", ""))
            closing_count -= body.count("](", match_start, match_end)
        elif kind is not None:
            return False
    return closing_count == 0
