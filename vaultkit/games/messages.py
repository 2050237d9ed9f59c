"""Values with which a game reports to people: sentences, events, outcomes, score tables, zones and standings."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from vaultkit.text import join_words

Seat = int
"""The number of a seat, from 0 clockwise (G-1)."""

SINGLE_SEAT_SETS = tuple(frozenset({seat}) for seat in range(10))
"""The sets that contain one seat only, by seat; used for events that only this seat may see."""


@lru_cache(maxsize=256)
def other_seats(excluded_seats: frozenset[Seat], seat_count: int) -> frozenset[Seat]:
    """Return all seats but the ones in `excluded_seats`; there are `seat_count` seats."""
    return frozenset(range(seat_count)) - excluded_seats


def describe_draw(card_count: int) -> tuple[str, str]:
    """Return the words that say that `{s0}` draws cards: for seats that see the cards, and for all others."""
    words_by_count = {1: "{s0} draws the {c0}.", 2: "{s0} draws the {c0} and the {c1}."}
    open_words = words_by_count.get(card_count, "{s0} draws {cards}.")
    return open_words, "{s0} draws a card." if card_count == 1 else "{s0} draws {v0} cards."


Score = int | float
"""A number on a score sheet; only a few games have halves."""
SeatName = Callable[[Seat], str]
CardName = Callable[[str], str]


_FIELD = re.compile(r"\{([^{}]*)\}")
_SEAT_FIELD = re.compile(r"(?P<of>[Tt]he (?P<noun>\w+) of )?\{s(?P<index>\d)\}(?P<rest>'s)?(?P<verb> \w+)?")
_FURTHER_VERB = re.compile(r", wh\w+ [^,]*|(?P<before>(?:, | and )(?:also |so |then )?)(?P<verb>[a-z]+s)(?=[ ,.])")
_CLAUSE_END = re.compile(r"(?<=[.:;?] )|(?:, | and | but | if | so | that | when )\{s")
_IRREGULAR_VERBS = {"is": "are", "has": "have", "was": "were"}
_WORDS_AFTER_OBJECTS = {"and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "to", "with"}
_OTHER_WORDS_IN_S = {"always", "as", "besides", "its", "perhaps", "plus", "this", "thus", "us"}


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """A text with named fields in braces, such as `{who} draws {count} cards`. No code in it is ever run.

    `pieces` are the text before the first field, the name of that field, the text after it, and so on.
    """

    pieces: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=1024)
    def parse(cls, text: str) -> "TextTemplate":
        return cls(tuple(_FIELD.split(text)))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields in their order; a name that occurs twice is listed twice."""
        return self.pieces[1::2]

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the text with the values in place of the fields. Braces in a value are kept.

        Raises KeyError for a field without a value.
        """
        return "".join(str(values[piece]) if index % 2 else piece for index, piece in enumerate(self.pieces))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about seats and cards, whose names are filled in later, since a game does not know them.

    `words` has fields: `{s0}`, `{s1}` ... for a single seat, `{c0}` ... for a card, `{v0}` ... for a value, `{seats}`
    and `{cards}` for all of them.
    """

    words: str
    seats: tuple[Seat, ...] = ()
    cards: tuple[str, ...] = ()
    values: tuple[str | Score, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether the sentence is a list of values without words of its own, in which signs may stand for names."""
        return not _FIELD.sub("", self.words).strip(". ")

    def render(
        self, seat_name: SeatName, card_name: CardName, join: Callable[[Iterable[str]], str] = join_words
    ) -> str:
        """Return the sentence with the names of its seats and cards, and with its values; `join` makes lists."""
        seats = tuple(seat_name(seat) for seat in self.seats)
        cards = tuple(card_name(card) for card in self.cards)
        values: dict[str, object] = {"seats": join(seats), "cards": join(cards)}
        for letter, items in (("s", seats), ("c", cards), ("v", self.values)):
            values.update((f"{letter}{index}", item) for index, item in enumerate(items))
        return TextTemplate.parse(self.words).fill(values)

    def addressed_to(self, seat: Seat | None) -> "Sentence":
        """Return the sentence with "you" for the name of `seat`: `Ysolde draws a Fate.` becomes `You draw a Fate.`"""
        if seat is None or seat not in self.seats:
            return self
        words, end, is_subject = "", 0, False
        for match in _SEAT_FIELD.finditer(self.words):
            if self.seats[int(match["index"])] == seat:
                between = self.words[end : match.start()]
                words += (_plural_verbs(between) if is_subject else between) + _address(match)
                end, is_subject = match.end(), _is_subject(match)
        rest = self.words[end:]
        words += _plural_verbs(rest) if is_subject else rest
        return replace(self, words=re.sub(r"(^|[.?!] )you", r"\1You", words))


def _address(match: re.Match[str]) -> str:
    """Return a form of "you" for the field of a seat with the words around it: `you draw`, `your hand is`."""
    verb = match["verb"] or ""
    if match["rest"]:
        return f"{match['of'] or ''}your{verb}"
    return f"your {match['noun']}{verb}" if match["noun"] else f"you{verb and f' {_plural_verb(verb[1:])}'}"


def _is_subject(match: re.Match[str]) -> bool:
    """Return whether the field of a seat stands before its verb: `{s0} draws`, not `the hand of {s0} is`."""
    verb = (match["verb"] or "").strip()
    return bool(verb) and not match["noun"] and not match["rest"] and verb not in _WORDS_AFTER_OBJECTS


def _plural_verbs(words: str) -> str:
    """Return words with the further verbs of "you" in the plural, up to the end of the clause: ` and draws a card`.

    Verbs of a relative clause, such as `, which bears the suit`, stay as they are.
    """
    clause_end = _CLAUSE_END.search(words)
    end = clause_end.start() if clause_end else len(words)
    clause = _FURTHER_VERB.sub(
        lambda match: match["before"] + _plural_verb(match["verb"]) if match["verb"] else match[0], words[:end]
    )
    return clause + words[end:]


def _plural_verb(verb: str) -> str:
    """Return the plural of a verb in the present tense: `draw` of `draws`, `pass` of `passes`, `are` of `is`.

    Other words are returned unchanged.
    """
    if verb in _IRREGULAR_VERBS:
        return _IRREGULAR_VERBS[verb]
    if not verb.endswith("s") or verb.endswith("ss") or verb in _OTHER_WORDS_IN_S:
        return verb
    if verb.endswith("ies") and len(verb) > len("ties"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")) else verb[:-1]


def lower_first(words: str) -> str:
    """Return the words of a sentence with a small first letter, unless they begin with a name or `I`."""
    return words if words.startswith(("{", "I ")) else words[:1].lower() + words[1:]


Fact = tuple[str, Sentence]
"""A fact about a finished game for its note: a topic, such as `Board`, and a sentence."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game. `rule` is a heading of the rule note, `rulings` are the numbers of the rulings (G-10).

    `seen_by` has the seats that may know of the event; None means everybody. `reveals` is true if something hidden was
    shown, after which undo is impossible (G-8). Stories mention `notable` events. `detail` tells events of one kind
    apart, for example by a verdict, a cause or the name of a hand.
    """

    kind: str
    sentence: Sentence
    rule: str
    rulings: tuple[str, ...]
    seat: Seat | None = None
    cards: tuple[str, ...] = ()
    seen_by: frozenset[Seat] | None = None
    reveals: bool = False
    notable: bool = False
    detail: str = ""

    def is_visible_to(self, seat: Seat) -> bool:
        return self.seen_by is None or seat in self.seen_by


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game. `scores` holds the named score parts of each seat; `ranks` begin at 1, by seat."""

    kind: str
    winners: tuple[Seat, ...]
    reason: Sentence
    rulings: tuple[str, ...]
    scores: tuple[Mapping[str, Score], ...]
    ranks: tuple[int, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def whole_scores(self) -> tuple[Mapping[str, int], ...]:
        """The scores as integers, for games in which all scores are whole numbers."""
        return tuple({part: int(value) for part, value in parts.items()} for parts in self.scores)

    def score(self, seat: Seat) -> Score | None:
        """Return the seat's final score: the part `score` or `total`, else the only part; None if it has several."""
        parts = self.scores[seat]
        score_part = next((parts[name] for name in ("score", "total") if name in parts), None)
        return next(iter(parts.values())) if score_part is None and len(parts) == 1 else score_part


def rank_standings(standings: Sequence[Any]) -> tuple[int, ...]:
    """Return the rank of each standing: 1 is the greatest, and equal standings share a rank."""
    return tuple(1 + sum(competitor > standing for competitor in standings) for standing in standings)


def first_ranked(ranks: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats whose rank is 1."""
    return tuple(seat for seat, rank in enumerate(ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class Table:
    """A small table of texts. If `seats` has a seat for each row, the first column is for the names of the seats.

    `spoken_columns` are clearer headers for a screen, none if they are those of notes.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    seats: tuple[Seat, ...] = ()
    spoken_columns: tuple[str, ...] = ()

    @classmethod
    def of_seats(cls, title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> "Table":
        """Return a table with one of the `rows` for each seat, and with an additional first column for its name."""
        rows_with_names = tuple(("", *row) for row in rows)
        return cls(title, ("Player", *columns), rows_with_names, tuple(range(len(rows_with_names))))

    def with_names(self, name: SeatName) -> "Table":
        """Return the table with the names of the seats in its first column."""
        rows = tuple((name(seat), *row[1:]) for seat, row in zip(self.seats, self.rows, strict=False))
        return replace(self, rows=rows, seats=()) if self.seats else self


ZoneKind = Literal["hand", "laid", "trick", "row", "pile", "stack", "won", "legend"]
"""The kind of a zone: a hand, cards laid face down, a trick, a row, a draw pile, a stack, won cards or a legend."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A group of cards on the table as one seat sees it: the ids of open cards, and the number of hidden ones.

    `title` does not name the owner: `hand`, `Crowns`, `won`. `by` says that the owner is added with "by", as in `won by
    Ysolde`, not with "of", as in `hand of Ysolde`. `short` is a summary, such as `Swords 13, Stars 9`. `players` are
    the seats that have played the open cards, one for each, where that matters.
    """

    title: Sentence
    cards: tuple[str, ...] = ()
    hidden: int = 0
    owner: Seat | None = None
    kind: ZoneKind = "row"
    short: Sentence | None = None
    by: bool = False
    players: tuple[Seat, ...] = ()


def discard_zone(cards: tuple[str, ...]) -> Zone:
    """Return the zone of a discard pile, with the number of its cards and the last of them."""
    return Zone(Sentence("{v0} discarded", values=(len(cards),)), cards[-1:], kind="pile")


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of a seat as far as a viewer may know it: `points` so far (more is better) and a few words.

    `points` is None in a game without points. `weight` is a finer measure of the chance to win, in any unit, which
    serves to find turning points; if it is None, the points serve instead. `out` is true if the seat no longer plays.
    """

    seat: Seat
    points: Score | None = None
    words: Sentence | None = None
    weight: float | None = None
    out: bool = False

    @property
    def measure(self) -> float:
        """The number by which standings are compared: the weight, else the points."""
        return float(self.points or 0) if self.weight is None else self.weight
