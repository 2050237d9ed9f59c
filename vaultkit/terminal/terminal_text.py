"""Sentences of a game put into words and colours, and rows of text in columns."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

from vaultkit.cards import Card, Deck
from vaultkit.games.messages import Seat, Sentence, TextTemplate
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.text import join_words

# Control characters mark names within a spoken sentence: `safe` has taken every other one out of them.
_MARKED = re.compile("\x01(.*?)\x02|\x03(.*?)\x04")


_GAP_WIDTH = 2
_MIN_LAST_COLUMN_WIDTH = 12

NewsKeys = Mapping[int, Text]
"""Short forms of the news that must stay where lines are few, by their index."""
NO_KEYS: NewsKeys = {}


class TerminalText:
    """Knows the names of seats and cards, and how they look."""

    def __init__(self, seat_name: Callable[[Seat], str], deck: Deck, look: TerminalStyle) -> None:
        self._seat_name = seat_name
        self._deck = deck
        self.look = look

    def with_seat_name(self, seat: Seat, name: str) -> "TerminalText":
        """Return a copy with other words for one seat."""
        return TerminalText(lambda other: name if other == seat else self._seat_name(other), self._deck, self.look)

    def seat(self, seat: Seat) -> str:
        return strip_controls(self._seat_name(seat))

    def title(self, card_id: str) -> str:
        """Return the title of a card; an id that is no card of the deck is returned unchanged."""
        card = self._deck.by_id.get(card_id)
        return strip_controls(card.title if card else card_id)

    def card(self, card_id: str) -> Text:
        """Return number, sign and name of a card in its colour."""
        return self._card_text(card_id, self.look.short_title)

    def code(self, card_id: str) -> Text:
        """Return a card in the fewest characters and its colour."""
        return self._card_text(card_id, self.look.code)

    def _card_text(self, card_id: str, describe: Callable[[Card], str]) -> Text:
        card = self._deck.by_id.get(card_id)
        return Text(strip_controls(describe(card)), self.look.card(card)) if card else Text(strip_controls(card_id))

    def words(self, sentence: Sentence) -> str:
        """Return the sentence without styles."""
        return strip_controls(sentence.render(self.seat, self.title))

    def text(self, sentence: Sentence, style: str = "") -> Text:
        """Return the sentence with its seats and cards highlighted."""
        marked_text = sentence.render(lambda seat: f"\x01{self.seat(seat)}\x02", lambda card: f"\x03{card}\x04")
        text = Text(style=style)
        at = 0
        for match in _MARKED.finditer(marked_text):
            text.append(strip_controls(marked_text[at : match.start()]))
            text.append_text(self._name_text(match))
            at = match.end()
        return text.append(strip_controls(marked_text[at:]))

    def names(self, seats: tuple[Seat, ...]) -> str:
        return join_words(self.seat(seat) for seat in seats)

    def example(self, words: str) -> str:
        """Return words of help with a card of this deck in the places `{card}`, `{number}` and `{code}`."""
        return TextTemplate.parse(words).fill(self._example_words)

    @cached_property
    def _example_words(self) -> dict[str, str]:
        card = list(self._deck)[-1]
        of_one_suit = [card for card in self._deck if card.rank and len(card.suits) == 1]
        ranked = [(str(card.rank).lower(), card.suits[0].lower()) for card in of_one_suit]
        rank, suit = next((pair for pair in ranked if pair[0].isdecimal()), (*ranked, (card.id, ""))[0])
        short = rank[:1] if rank.isalpha() else rank
        words = {"card": card.name.lower(), "number": f"{rank} {suit}".strip(), "code": f"{short}{suit[:2]}"}
        return {place: strip_controls(word) for place, word in words.items()}

    def _name_text(self, match: re.Match[str]) -> Text:
        if match[1] is not None:
            return Text(match[1], self.look.style("seat"))
        return self.card(match[2])


class Columns:
    """A renderable of rows, all of one length. Widths are in cells, since some symbols take two."""

    def __init__(self, rows: Sequence[Sequence[Text]], *, margin: int = _GAP_WIDTH, gap: int = _GAP_WIDTH) -> None:
        self.rows = rows
        self.margin = margin
        self.gap = gap

    @property
    def widths(self) -> list[int]:
        """The cells of every column but the last."""
        return [max(cell.cell_len for cell in column) for column in zip(*self.rows, strict=True)][:-1]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        widths = self.widths
        used = self.margin + sum(widths) + self.gap * len(widths)
        room = [*widths, max(options.max_width - used, _MIN_LAST_COLUMN_WIDTH)]
        for row in self.rows:
            cells = [_wrap_cell(cell, width, console) for cell, width in zip(row, room, strict=True)]
            for line in zip_longest(*cells, fillvalue=Text()):
                yield self._line(line, widths)

    def _line(self, cells: Sequence[Text], widths: list[int]) -> Text:
        text = Text(" " * self.margin)
        for cell, width in zip(cells, widths, strict=False):
            text.append_text(cell).append(" " * (width - cell.cell_len + self.gap))
        text.append_text(cells[-1]).rstrip()
        return text


class ColumnBlocks(Columns):
    """Rows of which the columns that have no room stand below, as often behind the first column as it takes."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for number, column_numbers in enumerate(self._chunks(options.max_width)):
            if number:
                yield Text()
            rows = [[row[0], *(row[column] for column in column_numbers)] for row in self.rows]
            block = Columns(rows, margin=self.margin, gap=self.gap)
            yield from block.__rich_console__(console, options)

    def _chunks(self, room: int) -> Iterator[list[int]]:
        """Yield for each block the numbers of the columns that have room beside the first column."""
        widths = [max(cell.cell_len for cell in column) for column in zip(*self.rows, strict=True)]
        column_numbers, used = list[int](), 0
        for column, width in enumerate(widths[1:], 1):
            used += self.gap + width
            if column_numbers and self.margin + widths[0] + used > room:
                yield column_numbers
                column_numbers, used = [], self.gap + width
            column_numbers.append(column)
        yield column_numbers


def _wrap_cell(cell: Text, width: int, console: Console) -> list[Text]:
    lines = list(cell.wrap(console, width)) if cell.cell_len > width or "\n" in cell.plain else [cell.copy()]
    for line in lines:
        line.rstrip()
    return lines or [Text()]


def wrap(text: Text, width: int, indent: int = 0) -> list[Text]:
    """Return the lines of a text; from the second on they are indented."""
    first, *more = _wrap_cell(text, max(width, indent + 1), _get_console())
    if not more:
        return [first]
    at = len(first)
    at += len(text.plain[at:]) - len(text.plain[at:].lstrip())
    return [first, *(Text(" " * indent).append_text(line) for line in wrap(text[at:], width - indent))]


@cache
def _get_console() -> Console:
    return Console()


def align(text: Text, width: int) -> Text:
    """Return a text with blanks up to a width, or the text itself if it is as wide."""
    return text.copy().append(" " * (width - text.cell_len))


def flow(pieces: Sequence[Text], width: int, gap: int = 3) -> Text:
    """Return pieces side by side as a text that is broken between pieces only."""
    flowing, used = Text(), 0
    for piece in pieces:
        room = cell_len(piece.plain)
        if used and used + gap + room > width:
            flowing.append("\n")
            used = 0
        flowing.append(" " * gap if used else "").append_text(piece)
        used += room + (gap if used else 0)
    return flowing


def select_lines(pieces: Sequence[list[Text]], short_forms: Mapping[int, list[Text]], room: int) -> list[Text]:
    """Return the lines of the latest pieces for which there is room.

    Pieces with a short form, by their index, come first, and have that form where there is no room for more.
    """
    lines_by_index, left = dict[int, list[Text]](), room
    for index in sorted(short_forms, reverse=True):
        if len(short_forms[index]) <= left:
            lines_by_index[index] = short_forms[index]
            left -= len(lines_by_index[index])
    for index in reversed(range(len(pieces))):
        growth = len(pieces[index]) - len(lines_by_index.get(index, ()))
        if growth <= left:
            lines_by_index[index] = pieces[index]
            left -= growth
        elif index not in lines_by_index:
            left = 0
    return [line for index in sorted(lines_by_index) for line in lines_by_index[index]]
