"""The note of one finished game and the line for the campaign's log, each from its template."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import ceil
from operator import itemgetter
from pathlib import Path

from vaultkit.campaign.property_names import SESSION, block_id, player_keys
from vaultkit.campaign.result import PRICE_LABEL, GameResult
from vaultkit.campaign.template_rendering import render_line, render_note
from vaultkit.compendium.words import ENGLISH, VaultWords
from vaultkit.games.concession import list_conceded_seats
from vaultkit.games.messages import Score, Sentence, Table
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing.escape import clean_line, escape_except_links, escape_markdown, escape_property
from vaultkit.vault.writing.link_style import Linker

MAX_SENTENCES_PER_PARAGRAPH = 5
"""The highest number of sentences in one paragraph of the story; all paragraphs are about equally long."""
_UNCHANGED_VALUES = ("session", "mode", "seed", "real_cards", "fingerprint", "moves", "minutes", "free_undos",
                     "journal", "definition")  # fmt: skip
"""The values of a result that a template gets unchanged."""
_SCORE_CELL = re.compile(r"(\\?[-+−])?[\d.,]*( [+x×] .*)?|[–—]")
"""A cell with a number, nothing, a dash, or a sum such as `18 + 1 hero` and `2 × row 1`."""


@dataclass(frozen=True, slots=True)
class SeatText:
    """One seat for a template, with its name in several forms.

    The name is in `text` without a link, in `link` and `introduced` with one, in `cell` with one for a table, and in
    `value` for a property; `introduced` also names the strategy of a bot with a person's name. `key` is the seat's part
    of a property's name: `ysolde-marr` in `score-ysolde-marr`. A person `counts` as a player, and so does a bot that
    plays in place of one.
    """

    text: str
    link: str
    introduced: str
    cell: str
    value: str
    key: str
    bot: bool
    counts: bool
    winner: bool
    rank: int | None
    score: Score | None


@dataclass(frozen=True)
class SessionPage:
    """A result rendered in `words` for the note at `path`, from which its links start.

    `notes` are the vault paths of the notes of the seats' players.
    """

    result: GameResult
    path: str
    notes: Sequence[str | None]
    linker: Linker
    words: VaultWords = ENGLISH

    @cached_property
    def seats(self) -> tuple[SeatText, ...]:
        keys = player_keys(map(self._canonical_name, range(len(self.result.seats))))
        return tuple(self._create_seat(index, key) for index, key in enumerate(keys))

    def sentence(self, sentence: Sentence) -> str:
        """Return a sentence with all its names linked."""
        return self._speak(sentence, self._seat_link, self._card)

    @cached_property
    def story(self) -> tuple[str, ...]:
        """The paragraphs of the story. A name is linked at its first mention only."""
        format_seat = _link_first_mention(self._seat_link, self._seat_name)
        format_card = _link_first_mention(self._card, self._card_name)
        sentences = [self._speak(sentence, format_seat, format_card) for sentence in self.result.story]
        count = len(sentences)
        size = ceil(count / ceil(count / MAX_SENTENCES_PER_PARAGRAPH)) if sentences else 1
        return tuple(" ".join(sentences[start : start + size]) for start in range(0, count, size))

    @property
    def standing(self) -> list[SeatText]:
        """The seats with a score, the best first; empty if the reason of the outcome names all scores already."""
        in_reason = self.result.outcome.reason.values
        is_in_reason = all(seat.score in in_reason for seat in self.scored)
        return [] if is_in_reason else sorted(self.scored, key=_rank_key)

    @property
    def scored(self) -> list[SeatText]:
        """The seats that have a score."""
        return [seat for seat in self.seats if seat.score is not None]

    def link(self, target: str, text: str = "") -> str:
        return self.linker.link(target, self.path, text)

    def context(self) -> dict[str, object]:
        """Return the values that a session note's template may use."""
        result, sources = self.result, self.result.sources
        moments = [self._speak(moment, self._seat_name, self._card_name) for moment, _ in result.tales]
        texts = (tale for _, tale in result.tales)  # links to notes of the vault in them are links (TF-29)
        tales = [escape_except_links(text, lambda link: self.linker.normalize_link(link, self.path)) for text in texts]
        return {
            **{name: getattr(result, name) for name in _UNCHANGED_VALUES},
            "title": escape_markdown(result.title),
            "game_id": result.game,
            "game": self.linker.property_link(sources.rule_note, self.path, result.title),
            "date": result.date.isoformat(),
            "day": self.words.day(result.date),
            "seats": self.seats,
            "winners": [seat for seat in self.seats if seat.winner],
            "bots": [seat for seat in self.seats if seat.bot],
            "outcome": result.outcome.kind,
            "conceded": [self.seats[seat] for seat in list_conceded_seats(result.outcome)],
            "reason": self.sentence(result.outcome.reason).removesuffix("."),
            "facts": [*self._format_facts()],
            "standing": self.standing,
            "headline": self.sentence(result.headline).removesuffix(".") if result.headline else "",
            "scores": sorted(self.scored, key=_rank_key),
            "about": [(label, self.link(note, name_of(note))) for label, note in self.result.about],
            "remarks": [escape_markdown(self.words.translate(remark)) for remark in result.remarks],
            "note": escape_markdown(result.note),
            "in_world": {name: escape_property(value) for name, value in result.in_world.items()},
            "options": [escape_property(f"{key}={value}") for key, value in sorted(result.options.items())],
            "sheets": list(map(self._table_values, result.tables)),
            "story": self.story,
            "cards": list(map(self._card, result.cards)),
            "deeds": [(self._card(card), self._format_deed(card)) for card in result.cards if result.deeds],
            **self._match_values(),
            "tales": list(zip(moments, tales, strict=True)),
            "rules": self.link(sources.rule_note, result.title) if sources.rule_note else "",
            "deck": self.link(sources.deck_note, result.deck_title or result.deck),
            "deck_kind": escape_markdown(result.deck),
            "version": result.version,
        }

    def _match_values(self) -> dict[str, object]:
        """Return the template's values about a match: `match`, its highest number of games, and `games`.

        For a single game, `match` is None and `games` is empty.
        """
        match, seats = self.result.match, self.seats
        counting_seats = [index for index, seat in enumerate(seats) if seat.counts]
        games = [
            {
                "winners": [seats[winner] for winner in game.winners],
                "scores": [score for index in counting_seats if (score := game.score(index)) is not None],
            }
            for game in (match.games if match else ())
        ]
        return {"match": match.most if match else None, "games": games}

    def _format_facts(self) -> Iterator[tuple[str, str]]:
        """Yield each label and its fact; consecutive facts with one label are joined, as in `Forfeits: ...; ...`."""
        for label, group in groupby(self.result.outcome.facts, key=itemgetter(0)):
            end = "" if label == PRICE_LABEL else "."  # the GM's own words are whole sentences and keep their full stop
            sentences = [self.sentence(sentence).removesuffix(end) for _, sentence in group]
            yield escape_markdown(f"{label}s" if len(sentences) > 1 else label), "; ".join(sentences)

    def _format_deed(self, card: str) -> str:
        """Return the deed of a card without links, since linked cards count as cards that mattered."""
        deed = self.result.deeds.get(card)
        return self._speak(deed, self._seat_name, self._card_name).removesuffix(".") if deed else ""

    def _create_seat(self, index: int, key: str) -> SeatText:
        """Return one seat for the template; `key` is its part of properties' names."""
        spec, note, outcome = self.result.seats[index], self.notes[index] or "", self.result.outcome
        link, strategy = self._seat_link(index), spec.strategy or ""
        is_renamed_bot = strategy and strategy not in spec.name
        return SeatText(
            text=escape_markdown(spec.name),
            link=link,
            introduced=f"{link} ({escape_markdown(strategy)} bot)" if is_renamed_bot else link,
            cell=self.linker.link(note, self.path, spec.name, table=True),
            value=self.linker.property_link(note, self.path, spec.name),
            key=key,
            bot=not spec.is_person,
            counts=spec.is_person or bool(note),
            winner=index in outcome.winners,
            rank=outcome.ranks[index] if index < len(outcome.ranks) else None,
            score=self.result.scores[index] if index < len(self.result.scores) else None,
        )

    def _canonical_name(self, index: int) -> str:
        """Return the name of a player's note, so that every alias counts for the same person."""
        note = self.notes[index]
        return name_of(note) if note else self.result.seats[index].name

    def _seat_name(self, index: int) -> str:
        return escape_markdown(self.result.seats[index].name)

    def _seat_link(self, index: int) -> str:
        return self.link(self.notes[index] or "", self.result.seats[index].name)

    def _card_name(self, card: str) -> str:
        return escape_markdown(self.result.card_names.get(card, card))

    def _card(self, card: str) -> str:
        target, _, subpath = self.result.sources.card_links.get(card, "").partition("#")
        name = self.result.card_names.get(card, card)
        return self.linker.link(target, self.path, name, subpath)

    def _speak(self, sentence: Sentence, format_seat: Callable[[int], str], format_card: Callable[[str], str]) -> str:
        """Return a sentence as Markdown on one line, with seats by `format_seat` and cards by `format_card`."""
        values = tuple(escape_markdown(value) if isinstance(value, str) else value for value in sentence.values)
        safe_sentence = Sentence(self.words(sentence.words), sentence.seats, sentence.cards, values)
        return clean_line(safe_sentence.render(format_seat, format_card, self.words.join))

    def _table_values(self, table: Table) -> dict[str, object]:
        """Return a table for the template.

        `numbers` says for each column whether it holds scores; the first column never does.
        """
        rows = tuple(self._row_cells(table, number, row) for number, row in enumerate(table.rows))
        scores = (all(_SCORE_CELL.fullmatch(row[column]) for row in rows) for column in range(1, len(table.columns)))
        deck_words = self.result.sources.own_words
        columns = tuple(escape_markdown(deck_words.get(head, self.words(head))) for head in table.columns)
        title = escape_markdown(self.words.translate(table.title))
        return {"title": title, "columns": columns, "numbers": (False, *scores), "rows": rows}

    def _row_cells(self, table: Table, row_index: int, row: tuple[str, ...]) -> tuple[str, ...]:
        first_cell = self.seats[table.seats[row_index]].cell if table.seats else escape_markdown(row[0])
        return (first_cell, *(escape_markdown(self.words(cell)) for cell in row[1:]))


def _rank_key(seat: SeatText) -> tuple[int, Score]:
    return seat.rank or 0, -(seat.score or 0)


def _link_first_mention(format_first: Callable[..., str], format_later: Callable[..., str]) -> Callable[..., str]:
    """Return a function that formats a value with `format_first` the first time, and then with `format_later`."""
    mentioned: set[object] = set()

    def name(thing: object) -> str:
        if thing in mentioned:
            return format_later(thing)
        mentioned.add(thing)
        return format_first(thing)

    return name


def session_note(page: SessionPage, vault: Path | None) -> str:
    """Return the text of the note. Raises InvalidError if the template loses the property that identifies the note."""
    return render_note("session-note.md.j2", page.context(), SESSION, vault)


def log_line(page: SessionPage, note: str, vault: Path | None) -> str:
    """Return the line that links the campaign note to the session note `note`: exactly one line, with its block id."""
    link = page.link(note, page.result.title)
    return render_line("log-line.md.j2", {**page.context(), "link": link}, block_id(page.result.session), vault)
