"""A Scene on one screen: the table, then the news, and below them the hand, the question and the moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, product, zip_longest

from rich.text import Text

from vaultkit.games.messages import Seat, Zone
from vaultkit.scene.scene import Scene, title_of
from vaultkit.terminal import renderables
from vaultkit.terminal.move_list import FEW_WORDS, OVERVIEW, POINTS, MoveList, MoveRow
from vaultkit.terminal.terminal_text import NO_KEYS, NewsKeys, TerminalText, align, flow, select_lines, wrap
from vaultkit.text import capitalize_first

_LABEL_WIDTH = 20
_GAP_WIDTH = 2
_MIN_TEXT_WIDTH = 20
_WIDE_SCREEN_COLUMNS = 120
"""The width from which on cards before others have their names."""
_BLANK = "\N{NO-BREAK SPACE}"
_HELP = "? rule · help"
_WHOLE_TABLE = "s all"
_KEY_FACT_COUNTS = (20, 3, 2, 1, 0)
"""The most key facts of the game that are shown, by how much is left out."""
_NEWS_LINE_COUNT, _MIN_NEWS_LINE_COUNT = 4, 3
"""The lines that news have, with the one above them, before the table or moves give way; and where hardly any fit."""
_MAX_TRIM = len(_KEY_FACT_COUNTS) - 1
"""How much is left out at most: 1 the legend and earlier tricks, 2 sums of what is won, 3 what others hold face down
and the line above the hand, 4 what others do not show and no move touches."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the table, which may wrap."""

    label: Text
    pieces: Sequence[Text]
    points: Text = field(default_factory=Text)


@dataclass
class Snapshot:
    """The cards and points that a player saw at the last decision, to mark what is new; None before the first one."""

    cards: dict[tuple[Seat | None, str], frozenset[str]] | None = None
    points: dict[Seat, float | None] = field(default_factory=dict)

    @classmethod
    def of_scene(cls, scene: Scene) -> "Snapshot":
        cards: dict[tuple[Seat | None, str], frozenset[str]] = {}
        for zone in scene.zones:
            cards[zone.owner, zone.kind] = cards.get((zone.owner, zone.kind), frozenset()).union(zone.cards)
        return cls(cards, {standing.seat: standing.points for standing in scene.standings})

    def is_new(self, card: str, zone: Zone) -> bool:
        """Return whether a card has come to a zone since; False in tricks and piles, where every card is new."""
        return (
            self.cards is not None
            and zone.kind not in ("trick", "pile", "legend")
            and card not in self.cards.get((zone.owner, zone.kind), ())
        )

    def gain(self, seat: Seat, points: float | None) -> str:
        """Return the points that a seat has gained or lost since, "" for none."""
        change = (points or 0) - (self.points.get(seat) or 0)
        return f"{change:+g}" if self.cards is not None and change else ""


class Board:
    """A Scene as lines of a width; `snapshot` is what the player saw before. Without `moves` none are shown.

    From `min_brevity` on, few words for moves are used even if there is room for more.
    """

    def __init__(
        self,
        scene: Scene,
        moves: MoveList | None,
        speaker: TerminalText,
        width: int,
        snapshot: Snapshot | None = None,
        *,
        min_brevity: int = 0,
    ) -> None:
        self.scene, self.speaker, self.snapshot = scene, speaker, snapshot or Snapshot()
        self.moves = moves = moves or MoveList(scene, (), (), {}, speaker)
        self.width = max(width - 1, _LABEL_WIDTH)
        self._touched = {touch for offer in scene.offers for touch in offer.touches}
        offered = {offer.card for offer in moves.offers}
        self._codes = {card: letter for card, letter in moves.target_letters.items() if card in self._touched}
        self._codes |= {card: letter for card, letter in moves.letters.items() if card in offered}
        self._faint_style = speaker.look.style("faint")
        self.min_brevity, self.brevity, self.is_short = min_brevity, 0, False
        """Whether the lines drawn last have few words for some consequences."""

    def lines(
        self, room: int, news: Sequence[Text] = (), note: str = "", *, keys: NewsKeys = NO_KEYS, fills: bool = False
    ) -> list[Text]:
        """Return everything for a decision in that many lines: the latest news, as far as there is room for them.

        `keys` holds, by index, short forms of the news that must stay; `note` stands behind the question.
        Where lines are few, the table is trimmed, and moves get fewer words. If it `fills` the room, the hand, the
        question and the moves are at its bottom.
        """
        top, bottom = list[Text](), list[Text]()
        least = keys.values() if keys else news[-1:]
        few_news = sum(len(self._news_lines(text)) for text in least) + 1 if news else 0
        for brevity, trim, least_news in self._ways_to_fit(few_news, has_keys=bool(keys)):
            self.brevity = brevity
            if self.brevity or trim < _MAX_TRIM:
                top, bottom = [self._title_line(trim), *self._table_lines(trim)], [*self._decision_lines(trim, note)]
                if len(top) + len(bottom) + least_news <= room:
                    break
        self.is_short = self.brevity >= FEW_WORDS and self.moves.is_shortened(self.brevity)
        left = room - len(top) - len(bottom)
        latest = self._latest(news, keys, left - 1) if left > 1 else []
        rule = [self._rule()] if latest and bottom else []
        blank = [Text()] * (left - len(latest) - len(rule)) if fills else []
        lines = [*top, *rule, *latest, *blank, *bottom]
        for line in lines:
            line.rstrip()
        return lines

    def _ways_to_fit(self, few_news: int, *, has_keys: bool) -> Iterator[tuple[int, int, int]]:
        """Yield how brief the moves are, how much of the table is left out and how many lines the news have at least.

        The way with the most on the screen comes first. Where even short moves leave no room for all that must stay,
        some of the news give way, then all.
        """
        last_brevity = OVERVIEW if has_keys else FEW_WORDS
        for brevity, trim in product(range(self.min_brevity, last_brevity + 1), range(_MAX_TRIM + 1)):
            yield brevity, trim, few_news if trim or brevity or not few_news else max(few_news, _NEWS_LINE_COUNT)
        shortest_ways = [*product((OVERVIEW, POINTS), range(_MAX_TRIM + 1))]
        yield from ((*way, min(few_news, _MIN_NEWS_LINE_COUNT)) for way in shortest_ways[:-1] if has_keys)
        yield from ((*way, 0) for way in shortest_ways)

    def table(self) -> list[Text]:
        """Return the whole table with the hand."""
        return [self._title_line(0), *self._table_lines(0), *self._fact_lines(), *self._hand_lines()]

    def _fact_lines(self, trim: int = 0) -> Iterator[Text]:
        """Yield the lines of the key facts: what the game is about, and what must always be in view."""
        shared, texts = self.scene.shared_facts, list[Text]()
        facts = [fact for fact in self.scene.key_facts if fact not in shared and not (trim and fact == self.scene.aim)]
        for fact in (*facts[: _KEY_FACT_COUNTS[trim]], *shared):
            text = self.speaker.text(fact)
            texts.append(Text(self.speaker.look.replace_suits(text.plain)) if fact.is_list else text)
        yield from self._hang(Text(" "), Text(" ").join(texts)) if texts else ()

    def move_lines(self, brevity: int = 0) -> Iterator[Text]:
        """Yield the moves with their consequences."""
        rows = self.moves.rows(brevity)
        width = max((len(row.codes[0]) for row in rows if len(row.codes) == 1), default=1)
        long_text = max((text.cell_len for row in rows for text in (row.text, *row.parts)), default=0)
        cap = max(self.width * 2 // 5, self.width - width - 3 * _GAP_WIDTH - long_text)
        labels = [row.label.cell_len for row in rows if len(row.codes) == 1 and (row.text or row.parts)]
        codes = [len(" ".join(row.codes)) for row in rows if len(row.codes) > 1]
        column = max([width + _GAP_WIDTH + min(max(labels, default=0), cap), *(room for room in codes if room <= cap)])
        for row in rows:
            is_hanging = brevity >= OVERVIEW and not row.parts
            yield from self._row_lines(row, width, 0 if is_hanging else column)
        for text in self.moves.remarks() if brevity < POINTS else ():
            yield from self._hang(Text(" " * _GAP_WIDTH), text, 2)

    def _row_lines(self, row: MoveRow, width: int, column: int) -> Iterator[Text]:
        """Yield the lines of a row: letters, the cards or the move, and what comes of it, from `column` on.

        If that is 0, what comes of it stands directly behind them.
        """
        codes = align(Text(" ".join(row.codes), self.speaker.look.style("number")), width)
        head = Text.assemble(codes, " " * _GAP_WIDTH, row.label)
        if not (row.text or row.parts) or not column:
            head = Text("  ").join(filter(None, [head, row.text]))
            yield from self._hang(Text(" " * _GAP_WIDTH), head, width + _GAP_WIDTH)
            return
        if len(row.codes) > 1 and head.cell_len > column:
            head = codes
        heads = wrap(head, column, width + _GAP_WIDTH) if len(row.codes) == 1 else [head]
        start = column + 2 * _GAP_WIDTH
        first = max(start, heads[0].cell_len + 2 * _GAP_WIDTH)
        for index, (name, text) in enumerate(zip_longest(heads, self._texts(row, first, start), fillvalue=Text())):
            line = Text(" " * _GAP_WIDTH).append_text(name)
            yield align(line, start if index else first).append_text(text) if text else line

    def _texts(self, row: MoveRow, first: int, start: int) -> list[Text]:
        """Return the lines of a result, of which the first begins in a column of its own."""
        room = max(self.width - start, _MIN_TEXT_WIDTH)
        if row.parts:
            pieces = [row.text, *row.parts] if row.text else row.parts
            lines = [line for piece in pieces for line in wrap(piece, room, _GAP_WIDTH)]
            return list(flow(lines, room, _GAP_WIDTH).split("\n"))
        lines = wrap(Text(_BLANK * (first - start)).append_text(row.text), room)
        return [lines[0][first - start :], *lines[1:]]

    def _decision_lines(self, trim: int, note: str = "") -> Iterator[Text]:
        if self.scene.question or self.moves.offers:
            if trim < 3:
                yield self._rule()
            yield from self._fact_lines(trim)
            yield from self._hand_lines()
        if self.scene.question:
            question = renderables.question(self.scene.question, self.speaker)
            question.append(f"  {note}" if note else "", self._faint_style)
            yield from self._hang(Text(" "), question)
        yield from self.move_lines(self.brevity)

    def _latest(self, news: Sequence[Text], keys: NewsKeys, room: int) -> list[Text]:
        """Return the lines of the latest news for which there is room, with the news that must stay."""
        short_forms = {index: self._news_lines(text) for index, text in keys.items()}
        return select_lines([self._news_lines(text) for text in news], short_forms, room)

    def _news_lines(self, text: Text) -> list[Text]:
        return [*self._hang(Text(" "), text, 2)]

    def _rule(self) -> Text:
        return Text(self.speaker.look.sign("─", "-") * self.width, self._faint_style)

    def _hang(self, margin: Text, text: Text, indent: int = 0) -> Iterator[Text]:
        """Yield the lines of a text behind a margin; from the second on they are indented."""
        for line in wrap(text, self.width - margin.cell_len, indent):
            yield margin.copy().append_text(line)

    def _title_line(self, trim: int) -> Text:
        """Return the game, where it stands, its piles, and where help is; what there is no room for is left out."""
        look = self.speaker.look
        bar, dot = look.sign("─", "-"), look.sign(" · ", " - ")
        help_ = self._help
        zones = [zone for zone in self.scene.zones if zone.owner is None and zone not in self._title_zones("")]
        if trim == _MAX_TRIM or not all(self._is_drawn(zone, trim) for zone in zones):
            help_ = self._fit_help(*(f"{_WHOLE_TABLE}{dot}{words}" for words in (help_, "? rule")))
        text = Text.assemble((f"{bar}{bar} ", self._faint_style), (self.scene.title, look.style("title")))
        for index in sorted(self._title_indexes(help_)):
            text.append(dot).append_text(self._title_parts[index][1])
        new_words = f"* new{dot}{help_}"
        has_new = any(self.snapshot.is_new(card, zone) for zone in self.scene.zones for card in zone.cards)
        help_ = new_words if has_new and text.cell_len + len(new_words) + 3 <= self.width else help_
        return text.append(f" {bar * (self.width - text.cell_len - len(help_) - 2)} {help_}", self._faint_style)

    @cached_property
    def _help(self) -> str:
        return self._fit_help(_HELP if self.speaker.look.symbols else "? rule, help", "? rule")

    def _fit_help(self, *words: str) -> str:
        """Return the first words on help beside which there is room for where the game stands, or the last ones."""
        return next((help_ for help_ in words if not self._title_parts or 0 in self._title_indexes(help_)), words[-1])

    def _title_indexes(self, help_: str) -> list[int]:
        """Return which parts of the title there is room for beside the words on help."""
        left, gap = self.width - len(self.scene.title) - len(help_ or self._help) - 6, 3
        parts, indexes = self._title_parts, list[int]()
        for index in sorted(range(len(parts)), key=lambda index: (index > 0 and parts[index][0] is None, index)):
            if gap + parts[index][1].cell_len <= left:
                left -= gap + parts[index][1].cell_len
                indexes.append(index)
        return indexes

    def _title_zones(self, help_: str) -> list[Zone | None]:
        return [self._title_parts[index][0] for index in self._title_indexes(help_)]

    @cached_property
    def _title_parts(self) -> list[tuple[Zone | None, Text]]:
        """Where the game stands, how it is played, and its piles; how it is played is left out first."""
        parts: list[tuple[Zone | None, Text]] = [(None, self.speaker.text(sentence)) for sentence in self.scene.heading]
        return parts + [(zone, self._pile_text(zone)) for zone in self.scene.zones if renderables.is_bare_pile(zone)]

    def _pile_text(self, zone: Zone) -> Text:
        text = self.speaker.text(zone.title)
        if zone.cards:
            return text.append(", top ").append_text(self.speaker.code(zone.cards[0]))
        return text.append(f" {zone.hidden}") if zone.hidden or not zone.title.values else text

    def _table_lines(self, trim: int) -> Iterator[Text]:
        yield from self._lay_out([*self._shared_rows(trim), *self._seat_rows(trim)])

    def _hand_lines(self) -> Iterator[Text]:
        """Yield the lines of the player's own cards and their explanations."""
        yield from self._lay_out([self._zone_row(zone) for zone in self.scene.zones if self._is_held(zone)])

    def _lay_out(self, rows: Sequence[_Row]) -> Iterator[Text]:
        cap = min(_LABEL_WIDTH, self.width // 4)
        column = max((row.label.cell_len for row in rows if row.label.cell_len <= cap), default=0)
        points = max((row.points.cell_len for row in rows), default=0)
        for row in rows:
            start = 1 + (column + _GAP_WIDTH if row.label.cell_len <= column else 0)
            pieces = row.pieces if row.label.cell_len <= column else [row.label, *row.pieces]
            room = max(self.width - start - (points + _GAP_WIDTH if points else 0), _MIN_TEXT_WIDTH)
            texts = [line for part in flow(pieces, room, _GAP_WIDTH).split("\n") for line in wrap(part, room, 1)]
            head = Text(" ").append_text(row.label if row.label.cell_len <= column else Text())
            lines = [align(head if not index else Text(), start).append_text(text) for index, text in enumerate(texts)]
            lines = lines or [head]
            if row.points:
                lines[0] = align(lines[0], self.width - row.points.cell_len).append_text(row.points)
            yield from lines

    def _shared_rows(self, trim: int) -> Iterator[_Row]:
        """Yield the rows of zones that belong to nobody; zones of one kind and title share a row."""
        zones = (zone for zone in self.scene.zones if zone.owner is None and self._is_drawn(zone, trim))
        for _, alike in groupby(zones, lambda zone: (zone.kind, zone.title)):
            first, *more = [self._zone_row(zone) for zone in alike]
            yield replace(first, pieces=[piece for row in (first, *more) for piece in row.pieces])

    def _seat_rows(self, trim: int) -> Iterator[_Row]:
        others = list[Text]()
        for seat in range(len(self.scene.names)):
            row = self._seat_row(seat, trim)
            own_zones = (zone for zone in self.scene.zones if zone.owner == seat)
            if trim < _MAX_TRIM or seat == self.scene.viewer or any(map(self._kept_cards, own_zones)):
                if row.pieces or row.points:
                    yield row
            elif row.points or row.pieces:
                others.append(Text(f"{self.speaker.seat(seat)} {row.points.plain.strip()}".rstrip()))
        if others:
            yield _Row(Text("others", self._faint_style), others)

    def _seat_row(self, seat: Seat, trim: int) -> _Row:
        """Return the cards before a seat, and how it stands."""
        standing = next((standing for standing in self.scene.standings if standing.seat == seat), None)
        words = renderables.standing_words(standing, self.speaker) if standing else Text()
        own_zones = [zone for zone in self.scene.zones if zone.owner == seat and not self._is_held(zone)]
        zones = [zone for zone in own_zones if self._is_drawn(zone, trim)]
        if trim == _MAX_TRIM:
            zones = [replace(zone, cards=cards, short=None) for zone in zones if (cards := self._kept_cards(zone))]
        zones.sort(key=lambda zone: zone.kind != "hand" or not zone.cards)
        pieces = [words] if words else []
        for zone in zones:
            pieces += self._titled_pieces(zone)
        shown_cards = {card for zone in zones for card in zone.cards}
        is_cut = any(not shown_cards.issuperset(zone.cards) for zone in own_zones if zone.kind != "legend")
        pieces += [Text("more: s", self._faint_style)] if is_cut and trim < _MAX_TRIM else []
        return _Row(Text(self.speaker.seat(seat), self.speaker.look.style("seat")), pieces, self._points_text(seat))

    def _kept_cards(self, zone: Zone) -> tuple[str, ...]:
        """Return the cards that are always drawn: touched by moves or, unless words are fewest, shown by players."""
        is_shown = zone.by and zone.kind == "row" and self.brevity < POINTS
        return tuple(card for card in zone.cards if is_shown or card in self._touched)

    def _is_held(self, zone: Zone) -> bool:
        """Return whether a zone belongs above the question: the viewer's own cards or their explanation."""
        return zone.owner is not None and zone.owner == self.scene.viewer and zone.kind in ("hand", "laid", "legend")

    def _is_drawn(self, zone: Zone, trim: int) -> bool:
        if self._touched.intersection(zone.cards):
            return True
        if zone.kind not in ("legend", "pile", "won"):
            return trim < 3 or bool(zone.cards)
        if renderables.is_bare_pile(zone):
            return not trim and zone not in self._title_zones("")
        return trim < (2 if zone.kind == "won" else 1)

    def _zone_row(self, zone: Zone) -> _Row:
        label = self.speaker.text(title_of(zone, self.scene.viewer), self._faint_style)
        short = [self.speaker.text(zone.short, self._faint_style)] if zone.short else []
        nothing = [Text(self.speaker.look.sign("—", "-"), self._faint_style)]
        return _Row(label, [*short, *self._zone_pieces(zone)] or nothing)

    def _titled_pieces(self, zone: Zone) -> list[Text]:
        """Return the contents of a zone in a seat's line, where neither its owner nor an open hand is named."""
        pieces = self._zone_pieces(zone)
        if zone.kind == "stack" or (zone.kind == "hand" and zone.cards and not zone.hidden):
            return pieces
        title = replace(zone.title, words=capitalize_first(zone.title.words))
        label = self.speaker.text(title, self._faint_style)
        if zone.short:
            comma = ":" if zone.cards or zone.hidden else ""
            label.append(" ").append_text(self.speaker.text(zone.short, self._faint_style)).append(comma)
        elif not zone.cards:
            return [label.append(f" {zone.hidden}", self._faint_style)]
        else:
            label.append(":", self._faint_style)
        return [label.append(" ").append_text(pieces[0]), *pieces[1:]] if pieces else [label]

    def _zone_pieces(self, zone: Zone) -> list[Text]:
        has_names = self._is_held(zone) or zone.owner is None or self.width >= _WIDE_SCREEN_COLUMNS
        named_cards = (
            zone.cards[: 1 if zone.kind == "stack" and self.width < _WIDE_SCREEN_COLUMNS else None] if has_names else ()
        )
        cards = [self._card_text(card, zone, has_name=card in named_cards) for card in zone.cards]
        if zone.kind == "stack" and cards:
            cards = [Text(self.speaker.look.sign("›", ">")).join(cards)]
            if zone.short:
                cards[0].append(" ").append_text(self.speaker.text(zone.short, self._faint_style))
        return [*cards, *([Text(f"{zone.hidden} face down", self._faint_style)] if zone.hidden else [])]

    def _card_text(self, card: str, zone: Zone, *, has_name: bool) -> Text:
        """Return a card with its letter, and a mark if it has come since the last decision."""
        text = self.speaker.card(card) if has_name else self.speaker.code(card)
        code, style = self._codes.get(card, ""), self.speaker.look.style("number")
        mark = ("*", style) if self.snapshot.is_new(card, zone) else ""
        return Text.assemble((f"{code} ", style) if code else "", mark, text)

    def _points_text(self, seat: Seat) -> Text:
        """Return the points of a seat, what has changed of them, and whether it leads or is the player's."""
        scene = self.scene
        points = next((standing.points for standing in scene.standings if standing.seat == seat), None)
        text, has_points = Text(), any(standing.points is not None for standing in scene.standings)
        if has_points:
            has_gains = any(self.snapshot.gain(other.seat, other.points) for other in scene.standings)
            text.append("" if points is None else f"{points:g}").align("right", 4)
            text.append(f" {self.snapshot.gain(seat, points):<3}" if has_gains else "")
        if len(scene.names) > 1:
            tags = ["leads"] * (seat in scene.leaders) + ["you"] * (seat == scene.viewer)
            width = (
                (5 if scene.leaders else 0) + (3 if scene.viewer is not None else 0) + (scene.viewer in scene.leaders)
            )
            text.append(f"  {' '.join(tags):<{width}}" if width else "", self._faint_style)
        return text
