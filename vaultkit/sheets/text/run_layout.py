"""Lines of ReportLab's paragraphs in scripts that run from right to left, or are written without spaces."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace
from typing import Any

from vaultkit.sheets.text.hyphenation import text_width
from vaultkit.text import group
from vaultkit.theme import reportlab_private
from vaultkit.theme.bidi import BidiPiece, embedding_levels, has_right_to_left, split_levels, visual_order
from vaultkit.theme.line_breaks import has_unspaced_words, split_letters, split_unspaced


def break_words(pieces: Sequence[Any], text: str, width: float) -> Sequence[Any]:
    """Return a paragraph's pieces as words for ReportLab if it could not order or break its text by itself.

    Words without spaces between them are told apart, and what is wider than `width` points is broken between letters.
    """
    if not (has_right_to_left(text) or has_unspaced_words(text)) or reportlab_private.are_words(pieces):
        return pieces
    return [part for word in reportlab_private.fragment_words(pieces, width) for part in _split_word(word, width)]


def _split_word(word: list[Any], width: float) -> Iterator[list[Any]]:
    """Yield the parts of one of ReportLab's words, of which only the last is followed by the space behind the word."""
    text = "".join(part for _, part in word[1:])
    if not has_unspaced_words(text):
        yield word
        return
    lengths = [len(part) for whole in split_unspaced(text) for part in _fitting_parts(whole, word, width)]
    rest = list(word[1:])
    for number, length in enumerate(lengths, 1):
        first_parts, rest = _take(rest, length) if number < len(lengths) else (rest, [])
        part = [sum(text_width(words, piece) for piece, words in first_parts), *first_parts]
        yield type(word)(part) if number == len(lengths) else part


def _fitting_parts(text: str, word: list[Any], width: float) -> list[str]:
    """Return a part of a word, broken between letters if it is wider than a line."""
    piece = next((piece for piece, part in word[1:] if part), word[1][0])
    return (
        split_letters(text, lambda part: text_width(part, piece) <= width)
        if text_width(text, piece) > width
        else [text]
    )


def _take(parts: list[tuple[Any, str]], length: int) -> tuple[list[tuple[Any, str]], list[tuple[Any, str]]]:
    """Return the first `length` characters of a word's parts, and the others."""
    first_parts = list[tuple[Any, str]]()
    for number, (piece, text) in enumerate(parts):
        if len(text) > length:
            return [*first_parts, *([(piece, text[:length])] if length else [])], [
                (piece, text[length:]),
                *parts[number + 1 :],
            ]
        first_parts.append((piece, text))
        length -= len(text)
    return first_parts, []


def order_lines(lines: Sequence[Any], is_right_to_left: bool) -> None:
    """Put the words of each line where they belong from left to right.

    They stay in reading order, and jumps lead from each to the next.
    """
    texts = ["".join(word.text for word in line.words) for line in lines]
    levels = embedding_levels(" ".join(texts), is_right_to_left)
    start = 0
    for line, text in zip(lines, texts, strict=True):
        line.words = list(_place_words(line.words, levels[start : start + len(text)])) if text else line.words
        start += len(text) + 1


def _place_words(words: Sequence[Any], levels: Sequence[int]) -> Iterator[Any]:
    base = min(levels)
    pieces = _split(words, levels, base)
    widths = [_piece_width(words[piece.owner], piece.text) for piece in pieces]
    places, x = [0.0] * len(pieces), 0.0
    for index in visual_order([piece.level for piece in pieces]):
        places[index] = x
        x += widths[index]
    pen = 0.0
    indices = range(len(pieces))
    for decoration, run in groupby(indices, key=lambda index: _decoration(words[pieces[index].owner])):
        order = list(run)
        if decoration:
            order.sort(key=places.__getitem__)
        for index in order:
            if abs(places[index] - pen) > _TOLERANCE_PT:
                if not decoration or index == order[0]:
                    yield _plain_copy(words[pieces[index].owner])
                yield _jump(words[pieces[index].owner], places[index] - pen)
            word = words[pieces[index].owner].clone()
            word.text = pieces[index].text
            yield word
            pen = places[index] + widths[index]


def _split(words: Sequence[Any], levels: Sequence[int], base: int) -> list[BidiPiece]:
    """Return the pieces of all words of a line; one without text, such as a picture, has the level of the paragraph."""
    pieces = group((piece.owner, piece) for piece in split_levels([word.text for word in words], levels))
    return [piece for owner in range(len(words)) for piece in pieces.get(owner, [BidiPiece(owner, "", base)])]


def _piece_width(word: Any, text: str) -> float:
    picture = getattr(word, "cbDefn", None)
    return float(getattr(picture, "width", 0) or 0) if picture else text_width(text, word)


def _decoration(word: Any) -> tuple[Any, ...]:
    """Return the links and lines of a word, which ReportLab records once for each line of text."""
    return (*(getattr(word, "link", None) or ()), *(getattr(word, "us_lines", None) or ()))


def _plain_copy(word: Any) -> Any:
    """Return a copy without text, at which ReportLab ends the links and lines of the words before."""
    copy = word.clone()
    copy.text, copy.link, copy.us_lines, copy.backColor = "", [], [], None
    vars(copy).pop("cbDefn", None)
    return copy


def _jump(word: Any, distance: float) -> Any:
    """Return a word that ReportLab takes for a picture, and that moves the pen by a distance in points."""
    copy = _plain_copy(word)
    picture = SimpleNamespace(draw_on=lambda *_: None)
    copy.cbDefn = SimpleNamespace(kind="img", width=distance, height=0, valign="baseline", image=picture, name="")
    return copy


_TOLERANCE_PT = 0.001
