"""The table, the question and the offers of a Scene in as many lines as the screen has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, zip_longest
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from vaultkit.games.messages import Seat, Zone
from vaultkit.scene.move_input import MAX_UNFOLDED_MOVES
from vaultkit.scene.scene import Question, Scene, title_of
from vaultkit.terminal import renderables
from vaultkit.terminal.move_list import MoveKey, group_letters
from vaultkit.terminal.terminal_text import TerminalText, flow
from vaultkit.text import capitalize_first

_LABEL_WIDTH = 20
_GAP_WIDTH = 2
_CITATION_GAP_WIDTH = 3
_HELP = "? rule · help"
_BLANK = "\N{NO-BREAK SPACE}"
_HELD_KINDS = ("hand", "laid")


class _Detail(NamedTuple):
    """How much is drawn: from `trim` 0, everything, to 6; offers in `lines` of their own, or folded where that is 0."""

    trim: int
    lines: int


_DETAILS = tuple(
    _Detail(trim, lines)
    for trim, lines in (
        (0, 3), (0, 2), (1, 3), (1, 2), (2, 2), (1, 1), (2, 1), (1, 0), (2, 0), (3, 1), (3, 0), (4, 1), (4, 0), (5, 1),
        (5, 0), (6, 0),
    )
)  # fmt: skip
_FOLDED = tuple(_Detail(trim, 0) for trim in range(7))
_WHOLE = tuple(_Detail(trim, 4) for trim in range(1, 7))
"""Ways for offers that need many lines to be told apart, at the cost of the table."""
_EARLIER, _NAMES, _RIVALS, _WRAPPED, _SEATS, _RULED = 1, 2, 3, 4, 5, 6
"""From which `trim` on something is left out: the legend and earlier tricks; names of cards in front of others and the
cards of won piles; what else lies before others, and sums of what they won; what does not fit in a line; and lines for
others, the even columns of a hand, and the ends of consequences, so that more of them are alike; the line
above the question."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the table, which may wrap; what the viewer holds (`held`) is cut last."""

    label: Text
    pieces: Sequence[Text]
    points: Text = field(default_factory=Text)
    whole: bool = False
    held: bool = False


class Board:
    """A Scene on the screen of one console."""

    def __init__(self, scene: Scene, keys: Sequence[MoveKey], speaker: TerminalText, console: Console) -> None:
        self.scene, self.keys, self.speaker, self.console = scene, keys, speaker, console
        self.width = max(console.width - 1, _LABEL_WIDTH)
        alone = [key for key in keys if key.card and [other.card for other in keys].count(key.card) == 1]
        self._keys_by_card = {key.card: key for key in alone if any(key.card in zone.cards for zone in scene.zones)}
        self._touched = {touch for offer in scene.offers for touch in offer.touches}
        self._faint_style = speaker.look.style("faint")
        self.is_clear = True
        """Whether the lines that were made last tell moves apart of which different things come."""

    def lines(self, room: int, more: int = 0) -> list[Text]:
        """All that belongs to a decision in so many lines; where there are too few of them, as little as can be.

        The legend and earlier tricks are left out for `more` lines of news.
        """
        fitting: list[Text] = []
        for detail in self._details():
            lines = list(self._board_lines(detail))
            fits = len(lines) <= room - (0 if detail.trim else more)
            self.is_clear = fits and self._tells_apart(detail)
            fitting = lines if self.is_clear else fitting or (lines if fits else [])
            if self.is_clear:
                break
        for line in fitting or lines:
            line.rstrip()
        return fitting or lines

    def table(self) -> list[Text]:
        """The whole table."""
        return [self._title_line(), *self._table_lines(_DETAILS[0])]

    def offers(self, room: int) -> list[Text]:
        """The offers alone: in full if so many lines are enough, else shorter, as long as they can be told apart."""
        shortest: list[Text] = []
        for most in (len(self.keys) + room, 3, 2, 1):
            if shortest and not self._tells_apart(_Detail(0, most)):
                break
            shortest = list(self._all_offer_lines(most))
            if len(shortest) <= room:
                break
        return shortest

    def _tells_apart(self, detail: _Detail) -> bool:
        """Return whether offers with different results look different, labels aside, and no fold is cut short."""
        if detail.lines:
            looks = {key.letters: self._offer_lines(_without_label(key), detail.lines) for key in self.keys}
        else:
            texts, most = self._fold_texts(detail), self._max_fold_lines(detail)
            folds = [(text, letters, [_BLANK * len(" ".join(letters))]) for text, letters in texts.values()]
            looks = {
                letter: self._fold_lines(text, blank, most) for text, letters, blank in folds for letter in letters
            }
        meanings: dict[str, set[object]] = {}
        for key in self.keys:
            lines = looks.get(key.letters, [])
            if key.is_fold and lines and lines[-1].plain.endswith(self._ellipsis):
                return False
            meanings.setdefault(_visible_text(lines), set()).add(key.meaning)
        return all(len(variants) == 1 for variants in meanings.values())

    def _details(self) -> Sequence[_Detail]:
        """Ways to draw the board, the fullest first. Letters stand at the cards where that says the same in less."""
        results = {key.result.plain for key in self.keys} - {""}
        fewer = len(results) * 2 <= len(self._keys_by_card)
        same = len(results) == 1 and 1 < len(self.keys) == len(self._keys_by_card)
        if same or (fewer and len(self._keys_by_card) > MAX_UNFOLDED_MOVES):
            return (*_FOLDED, *_WHOLE)
        details = _DETAILS if fewer else (*(detail for detail in _DETAILS if detail.lines), *_FOLDED)
        return (*details, *_WHOLE)

    def _board_lines(self, detail: _Detail) -> Iterator[Text]:
        yield self._title_line()
        yield from self._table_lines(detail)
        if self.scene.question:
            if detail.trim < _RULED:
                yield Text(self.speaker.look.sign("─", "-") * self.width, self._faint_style)
            yield from self._question_lines(self.scene.question)
            yield from self._all_offer_lines(detail.lines) if detail.lines else self._folded_offers(detail)

    def _question_lines(self, scene_question: Question) -> Iterator[Text]:
        """The question, and its rule behind it where there is room: with all rulings, or the first alone."""
        lines = self._wrap(renderables.question(replace(scene_question, rule="", rulings=()), self.speaker), 1)
        for rulings in (scene_question.rulings, scene_question.rulings[:1]):
            citation = renderables.citation(replace(scene_question, rulings=rulings), self.speaker)
            if lines[-1].cell_len + _CITATION_GAP_WIDTH + citation.cell_len <= self.width:
                lines[-1].append(" " * _CITATION_GAP_WIDTH).append_text(citation)
                break
        else:
            lines.append(Text(" ").append_text(citation))
        yield from lines

    def _title_line(self) -> Text:
        """The game, where it stands, its piles, and where help is; what there is no room for is left out."""
        look = self.speaker.look
        bar, help_ = look.sign("─", "-"), _HELP if look.symbols else "? rule, help"
        text = Text.assemble((f"{bar}{bar} ", self._faint_style), (self.scene.title, look.style("title")))
        text.append_text(Text().join(part for _, part in self._title_parts))
        text.truncate(max(self.width - len(help_) - 3, _LABEL_WIDTH), overflow="ellipsis")
        return text.append(f" {bar * (self.width - text.cell_len - len(help_) - 2)} {help_}", self._faint_style)

    @cached_property
    def _title_parts(self) -> list[tuple[Zone | None, Text]]:
        """Where the game stands and its piles, as far as the title has room for them; how it is played comes last."""
        dot, left = self.speaker.look.sign(" · ", " - "), self.width - len(self.scene.title) - len(_HELP) - 6
        parts: list[tuple[Zone | None, Text]] = [(None, self.speaker.text(sentence)) for sentence in self.scene.heading]
        parts += [(zone, self._pile_text(zone)) for zone in self.scene.zones if _is_bare_pile(zone)]
        room = list[tuple[Zone | None, Text]]()
        for zone, part in (*parts[:1], *parts[len(self.scene.heading) :], *parts[1 : len(self.scene.heading)]):
            if left >= len(dot) + part.cell_len:
                left -= len(dot) + part.cell_len
                room.append((zone, part))
        return [(zone, Text(dot).append_text(part)) for zone, part in parts if (zone, part) in room]

    def _pile_text(self, zone: Zone) -> Text:
        text = self.speaker.text(zone.title)
        if zone.cards:
            return text.append(" ").append_text(self.speaker.code(zone.cards[0]))
        return text.append(f" {zone.hidden}") if zone.hidden or not zone.title.values else text

    def _table_lines(self, detail: _Detail) -> Iterator[Text]:
        rows = list(self._table_rows(detail))
        cap = min(_LABEL_WIDTH, self.width // 4)
        column = max((row.label.cell_len for row in rows if row.label.cell_len <= cap), default=0)
        points = max((row.points.cell_len for row in rows), default=0)
        for row in rows:
            lines = self._row_lines(row, column, points, even=detail.trim < _SEATS)
            cut = detail.trim >= (_SEATS if row.held else _WRAPPED) and not row.whole
            yield from lines[: 1 if cut else None]

    def _row_lines(self, row: _Row, column: int, points: int, *, even: bool) -> list[Text]:
        fits = row.label.cell_len <= column
        start = 1 + column + _GAP_WIDTH if fits else 1 + _GAP_WIDTH
        room = max(self.width - start - (points + _GAP_WIDTH if row.points else 0), _LABEL_WIDTH)
        even = even and row.whole and not row.points and _pieces_width(row.pieces) > room
        pieces = _pad_pieces(row.pieces) if even else row.pieces
        pieces = pieces if fits else [row.label, *pieces]
        contents = [line for part in flow(pieces, room, _GAP_WIDTH).split("\n") for line in self._wrap(part, 0, room)]
        lines = [Text(" " * start).append_text(line) for line in contents or [Text()]]
        label = row.label.copy() if fits else Text()
        label.align("left", start - 1 if fits else 0)
        lines[0] = Text(" ").append_text(label).append_text(contents[0] if contents else Text())
        if row.points:
            lines[0].append(" " * (self.width - lines[0].cell_len - row.points.cell_len)).append_text(row.points)
        return lines

    def _table_rows(self, detail: _Detail) -> Iterator[_Row]:
        scene, trim = self.scene, detail.trim
        visible_zones = (zone for zone in scene.zones if zone.owner is None and self._is_drawn(zone, trim))
        for _, alike in groupby(visible_zones, lambda zone: (zone.kind, zone.title)):
            first, *more = [self._zone_row(zone, detail) for zone in alike]
            pieces = [piece for row in (first, *more) for piece in row.pieces]
            yield replace(first, pieces=pieces, whole=any(row.whole for row in (first, *more)))
        keyed_owners = {zone.owner for zone in scene.zones if self._has_keys(zone)}
        others = [seat for seat in range(len(scene.names)) if trim < _SEATS or seat in {scene.viewer, *keyed_owners}]
        for seat in others:
            row = self._seat_row(seat, detail)
            if row.pieces or row.points:
                yield row
        if trim >= _SEATS and len(scene.standings) > len(others):
            yield self._others_row(others)
        for zone in scene.zones:
            is_listed = trim >= _SEATS and detail.lines and self._touched.issuperset(zone.cards)
            if self._has_own_row(zone) and self._is_drawn(zone, trim) and not (zone.kind == "hand" and is_listed):
                yield self._zone_row(zone, detail)

    def _has_own_row(self, zone: Zone) -> bool:
        """Return whether a zone of a seat has a line of its own: what the viewer holds, and what is said of them."""
        return zone.owner is not None and zone.owner == self.scene.you and zone.kind in (*_HELD_KINDS, "legend")

    def _is_drawn(self, zone: Zone, trim: int) -> bool:
        if self._has_keys(zone):
            return True
        if _is_bare_pile(zone):
            return not trim and zone not in [titled_zone for titled_zone, _ in self._title_parts]
        return zone.kind not in ("legend", "pile") or trim < _EARLIER

    def _has_keys(self, zone: Zone) -> bool:
        return any(card in self._keys_by_card for card in zone.cards)

    def _zone_row(self, zone: Zone, detail: _Detail) -> _Row:
        label = self.speaker.text(title_of(zone, self.scene.you), self._faint_style)
        short = [self.speaker.text(zone.short, self._faint_style)] if zone.short else []
        pieces = [*short, *self._zone_pieces(zone, detail, own=True)]
        nothing = [Text(self.speaker.look.sign("—", "-"), self._faint_style)]
        held = self._has_own_row(zone) and zone.kind == "hand"
        return _Row(label, pieces or nothing, whole=not detail.lines and self._has_keys(zone), held=held)

    def _seat_row(self, seat: Seat, detail: _Detail) -> _Row:
        """The cards before a seat, and how it stands."""
        scene = self.scene
        own = seat == scene.you
        zones = [zone for zone in scene.zones if zone.owner == seat and not self._has_own_row(zone)]
        zones = [zone for zone in zones if self._is_drawn(zone, detail.trim)]
        seat_standings = (standing for standing in scene.standings if standing.seat == seat)
        words = next((renderables.standing_words(standing, self.speaker) for standing in seat_standings), Text())
        zones.sort(key=lambda zone: zone.kind != "hand" or not zone.cards)
        pieces = [words] if words.plain else []
        if detail.trim >= _RIVALS and not own:
            zones = [zone for zone in zones if self._is_needed(zone, has_words=bool(words.plain))]
        for zone in zones:
            pieces += self._titled_pieces(zone, detail, own=own)
        return _Row(
            Text(self.speaker.seat(seat), self.speaker.look.style("seat")),
            pieces,
            self._points_text(seat),
            whole=not detail.lines and any(map(self._has_keys, zones)),
        )

    def _is_needed(self, zone: Zone, *, has_words: bool) -> bool:
        """Whether others' cards are drawn where lines are few: those one may touch, and, if how a seat stands is not
        `said` in words, all but sums of what is won."""
        is_sum = zone.kind == "won" and not zone.cards
        return bool(self._touched.intersection(zone.cards)) or not (has_words or is_sum)

    def _titled_pieces(self, zone: Zone, detail: _Detail, *, own: bool) -> list[Text]:
        """The contents of a zone in a seat's line, where the owner needs no name, nor cards that are held a title."""
        pieces = self._zone_pieces(zone, detail, own=own)
        if zone.kind == "stack" or (zone.kind == "hand" and zone.cards and not zone.hidden):
            return pieces
        title = replace(zone.title, words=capitalize_first(zone.title.words))
        label = Text().append_text(self.speaker.text(title, self._faint_style))
        if zone.short:
            comma = ", " if zone.cards or zone.hidden else " "
            label.append(comma, self._faint_style).append_text(self.speaker.text(zone.short, self._faint_style))
        elif not zone.cards:
            return [label.append(f" {zone.hidden}", self._faint_style)]
        return [label.append(" ").append_text(pieces[0]), *pieces[1:]] if pieces else [label]

    def _zone_pieces(self, zone: Zone, detail: _Detail, *, own: bool) -> list[Text]:
        shortest = detail.trim >= ((_WRAPPED if zone.kind in _HELD_KINDS else _RIVALS) if own else _NAMES)
        few = detail.trim >= _RIVALS and not own and zone.kind in _HELD_KINDS
        visible_cards = [card for card in zone.cards if not few or card in self._touched]
        cards = [self._card_text(card, detail, shortest=shortest) for card in visible_cards]
        if zone.kind == "stack" and cards and not self._has_keys(zone):
            cards = [Text(self.speaker.look.sign("›", ">")).join(cards)]
        if zone.kind == "stack" and zone.short and len(cards) > 1:
            cards[-1].append(" ").append_text(self.speaker.text(zone.short, self._faint_style))
        if zone.kind == "won" and zone.short and detail.trim >= _NAMES and not self._has_keys(zone):
            return []
        return [*cards, *([Text(f"{zone.hidden} face down", self._faint_style)] if zone.hidden else [])]

    def _card_text(self, card: str, detail: _Detail, *, shortest: bool) -> Text:
        key = None if detail.lines else self._keys_by_card.get(card)
        text = self.speaker.code(card) if shortest and (not key or detail.trim >= _WRAPPED) else self.speaker.card(card)
        if key:
            return Text.assemble((f"{key.letters} ", self.speaker.look.style("number")), text)
        return text

    def _points_text(self, seat: Seat) -> Text:
        scene = self.scene
        points = next((standing.points for standing in scene.standings if standing.seat == seat), None)
        tags = ["leads"] * (seat in scene.leaders) + ["you"] * (seat == scene.viewer and len(scene.names) > 1)
        tagged = [*scene.leaders, *(() if scene.viewer is None else (scene.viewer,))]
        width = 10 if scene.viewer in scene.leaders and len(scene.names) > 1 else 5 if tagged else 0
        number = "" if points is None else f"{points:g}"
        text = Text(f"{number:>4}" if any(standing.points is not None for standing in scene.standings) else "")
        return text.append(f"  {' '.join(tags):<{width}}" if width and len(scene.names) > 1 else "", self._faint_style)

    def _others_row(self, but: Sequence[Seat]) -> _Row:
        """All others in one line."""
        pieces = []
        for standing in self.scene.standings:
            if standing.seat not in but:
                points = "" if standing.points is None else f" {standing.points:g}"
                pieces.append(Text(f"{self.speaker.seat(standing.seat)}{points}"))
        return _Row(Text("others", self._faint_style), pieces)

    def _all_offer_lines(self, limit: int) -> Iterator[Text]:
        """Each offer with what comes of it, in so many lines at most; a label is never cut short for its result."""
        for key in self.keys:
            yield from self._offer_lines(key, limit)

    @cached_property
    def _letters_width(self) -> int:
        return max((len(key.letters) for key in self.keys), default=1)

    def _offer_lines(self, key: MoveKey, limit: int) -> list[Text]:
        """Return the lines of an offer, `most` at most; one line that cannot hold the whole result has the short."""
        rows = self._uncut_offer_lines(key, limit)
        if limit == 1 < len(rows) and key.short.plain:
            rows = self._uncut_offer_lines(replace(key, result=key.short), limit)
        return self._limit_lines(rows, limit)

    def _uncut_offer_lines(self, key: MoveKey, limit: int) -> list[Text]:
        digits = self._letters_width
        room = self.width - _GAP_WIDTH - digits - _GAP_WIDTH
        cap = self.width * 9 // 20 if any(key.result for key in self.keys) else room
        widths = [key.label.cell_len for key in self.keys]
        column = min(max(widths, default=0), cap)
        if limit > 1:
            lines = self._two_column_lines(key, column, room)
        else:
            column = max((width for width in widths if width <= cap), default=0)
            lines = self._wrap(_append_result(key, column), 0, room)
        letters = Text.assemble((key.letters, self.speaker.look.style("number")))
        letters.align("left", digits + _GAP_WIDTH)
        lettered_lines = [line if at else letters.append_text(line) for at, line in enumerate(lines)]
        margins = (_GAP_WIDTH, *[_GAP_WIDTH + digits + _GAP_WIDTH] * len(lines))
        return [Text(" " * margin).append_text(line) for margin, line in zip(margins, lettered_lines, strict=False)]

    def _two_column_lines(self, key: MoveKey, column: int, room: int) -> list[Text]:
        """An offer in two columns."""
        labels = self._wrap(key.label, 0, column) or [Text()]
        results = self._wrap(key.result, 0, max(room - column - _GAP_WIDTH, _LABEL_WIDTH))
        lines = []
        for label, result in zip_longest(labels, results, fillvalue=Text()):
            line = label.copy()
            line.align("left", column + _GAP_WIDTH)
            lines.append(line.append_text(result))
        return lines

    def _limit_lines(self, lines: list[Text], limit: int) -> list[Text]:
        """The first lines; the last of them says if more came."""
        return lines if len(lines) <= limit else [*lines[: limit - 1], self._truncate_line(lines[limit - 1])]

    def _folded_offers(self, detail: _Detail) -> Iterator[Text]:
        """The letters that stand on the table with what comes of them, and the other offers in columns."""
        bold = self.speaker.look.style("number")
        free = [key for key in self.keys if key.card not in self._keys_by_card]
        pieces = [Text.assemble((f"{key.letters}  ", bold), key.label) for key in free]
        lines = flow(pieces, self.width - _GAP_WIDTH).split("\n")
        yield from (Text(" " * _GAP_WIDTH).append_text(line) for line in lines if line)
        for text, letters in self._fold_texts(detail).values():
            yield from self._fold_lines(text, letters, self._max_fold_lines(detail))

    def _fold_texts(self, detail: _Detail) -> dict[str, tuple[Text, list[str]]]:
        """Return the words for folded offers, cut short where there is little room, and the letters of each."""
        actions = {key.action.plain for key in self.keys if key.card in self._keys_by_card}

        def say(key: MoveKey) -> Text:
            label = key.action if len(actions) > 1 and key.card in self._keys_by_card else Text()
            dot = ". " if label.plain and key.result.plain else ""
            return label.copy().append(dot).append_text(key.result)

        full_texts = group_letters(self.keys, say)
        short_texts = full_texts
        if detail.trim >= _SEATS:
            short_texts = group_letters(self.keys, lambda key: self._first_line(say(key)))
        return short_texts if len(short_texts) < len(full_texts) else full_texts

    def _first_line(self, text: Text) -> Text:
        """As much of a text as is seen beside several letters."""
        return self._limit_lines(self._wrap(text, 0, self.width * 3 // 4), 1)[0] if text.plain else text

    def _max_fold_lines(self, detail: _Detail) -> int:
        """The lines that one text has where offers are folded."""
        return 1 if detail.trim >= _RIVALS else 2

    def _fold_lines(self, text: Text, letters: Sequence[str], limit: int) -> list[Text]:
        gap, style = " " * _GAP_WIDTH, self.speaker.look.style("number")
        line = Text(gap).append(" ".join(letters), style).append(gap)
        return self._limit_lines(self._wrap(line.append_text(text), _GAP_WIDTH), limit)

    def _truncate_line(self, line: Text) -> Text:
        """A line that goes on where there is no room for it."""
        line.truncate(self.width - 3)
        line.rstrip()
        return line.append(self._ellipsis)

    @property
    def _ellipsis(self) -> str:
        return self.speaker.look.sign("…", "...")

    def _wrap(self, text: Text, margin: int, width: int = 0) -> list[Text]:
        """Lines of the text; from the second on they hang."""
        room = (width or self.width) - (0 if width else margin)
        lines = list(text.wrap(self.console, max(room, 10)))
        for line in lines:
            line.rstrip()
        first = 0 if text.plain.startswith(" ") else margin
        return [Text(" " * (margin if at else first)).append_text(line) for at, line in enumerate(lines)]


def _is_bare_pile(zone: Zone) -> bool:
    """Return whether a pile is no more than a number, or one card, which the title has room for."""
    return zone.kind == "pile" and zone.owner is None and len(zone.cards) < 2 and not zone.short


def _pad_pieces(pieces: Sequence[Text]) -> list[Text]:
    """The pieces in cells of one width, so that they stand in columns."""
    widest = max(piece.cell_len for piece in pieces)
    return [piece.copy().append(" " * (widest - piece.cell_len)) for piece in pieces]


def _pieces_width(pieces: Sequence[Text]) -> int:
    return sum(piece.cell_len + _GAP_WIDTH for piece in pieces) - _GAP_WIDTH


def _without_label(key: MoveKey) -> MoveKey:
    """An offer with blanks for its letters and its label."""
    return replace(key, letters="", label=Text(_BLANK * key.label.cell_len))


def _visible_text(lines: Sequence[Text]) -> str:
    """Return the visible text of a result, wherever its lines are broken."""
    return " ".join(" ".join(line.plain.replace(_BLANK, " ") for line in lines).split())


def _append_result(key: MoveKey, column: int) -> Text:
    """An offer and, behind it or from that column on, what comes of it."""
    text = key.label.copy()
    text.align("left", max(column, text.cell_len))
    return text.append(" " * _GAP_WIDTH).append_text(key.result)
