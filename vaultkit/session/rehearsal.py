"""An example played: the cards laid out as it says, its moves made, and all that it expects looked for."""

import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from vaultkit import __version__
from vaultkit.bots.registry import make
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.arrangement import Arrangement, Arranger, Place, Stack
from vaultkit.games.base import AnyGame, State
from vaultkit.games.info import load
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, drawn
from vaultkit.games.words import Seat, Sentence
from vaultkit.session import dealing
from vaultkit.session.card_names import cards_meant, nearest_card, words_of
from vaultkit.session.examples import Content, Example
from vaultkit.session.history import History, Step
from vaultkit.session.journal import Journal
from vaultkit.session.options import of_game, settle
from vaultkit.session.records import Entry, Header
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.session.session import Session
from vaultkit.session.undo import Undo, UndoRefused
from vaultkit.spelling import did_you_mean
from vaultkit.wording import listing

NEXT = "next"
"""The zone of the cards that luck brings, in their order."""
MOST_STEPS = 1_000
"""Moves and deals of one example, those that need nobody included."""
_ON = " on "
_WIDE = 100
"""Letters of an event in an error."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class _Unkept(Journal):
    """A journal of what need not be kept."""

    def __init__(self) -> None:
        self.path = Path()

    def append(self, entry: Entry) -> None:
        """Nothing is written."""

    def close(self) -> None:
        """Nobody else waits for it."""


class Rehearsal(Session):
    """The game of an example. `coming` are the cards that it says come next.

    `slip` is the number of the move before which its mistake is made, from 0 on, once it has been played; -1 for none.
    `played` are the steps of its own moves. `due` is the move that a learner is to find.
    """

    example: Example
    played: list[Step]
    coming: tuple[str, ...] = ()
    slip: int = -1
    due: Move | None = None

    @classmethod
    def of(cls, example: Example, deck: Deck, options: Mapping[str, object]) -> Self:
        """The game where the example begins, under house rules and then its own.

        Raises InvalidError with note and line for what cannot be.
        """
        info, content = GAMES[example.game], example.content
        game = info.rules()
        seats = _seats(example)
        values = _options(example, game, options)
        reader = _Reader(example, deck, tuple(seat.name for seat in seats))
        state = _state(reader, game, load(info.arranger), values) if {*content.cards} - {NEXT} else None
        header = Header(
            game=game.id, version=__version__, session=f"{game.id}-example", seed=content.seed, seats=seats,
            options=dict(values), deck=deck.kind, fingerprint=deck.fingerprint, started=_LONG_AGO,
        )  # fmt: skip
        try:
            start = state or game.new(len(seats), of_game(game, values), deck)
            history = History(game, deck, seats, values, start)
        except UsageError as error:
            raise example.error(error.message, error.hint, "seats") from error
        session = cls(game, deck, header, history=history, journal=_Unkept(), bots=make, clock=lambda: _LONG_AGO)
        session.example, session.played = example, []
        session.coming = tuple(card for stack in reader.stacks(NEXT, content.cards.get(NEXT, [])) for card in stack)
        return session

    def _luck(self, chance: Chance, step: int) -> Move | None:
        """The cards that the example says come next, as far as they can be drawn here; the others by the seed."""
        there, since = {*chance.options, *chance.pile.unknown, *chance.pile.bottom}, self._drawn()
        ours = tuple(card for card in self.coming if card not in since)
        cards = tuple(card for card in ours if card in there)[: chance.count]
        if not cards:
            return dealing.deal(chance, self.header.seed, step)
        more = [card for card in chance.pile.unknown if card not in ours]
        return drawn(*cards, *dealing.shuffle(more, self.header.seed, step)[: chance.count - len(cards)])

    def plan_undo(self, seat: Seat | None) -> Undo:  # noqa: ARG002
        """Nothing is taken back by its players."""
        raise UndoRefused("There is nothing to take back in an example: a move that is no part of it does not count.")

    def _drawn(self) -> set[str]:
        return {card for step in self.steps if step.chance for card in step.move.operands}

    def settle(self, wanted: str = "") -> None:
        """Take the steps that need nobody, up to a decision, or to a lone move that the example has next.

        After its last move that is luck, and lone moves without a card: the next turn is not begun.
        """
        while len(self.steps) < MOST_STEPS:
            turn = self.turn
            if isinstance(turn, Prompt) and (self.is_meant(turn, wanted) or self._is_left(turn, wanted)):
                return
            answer = self._own_answer()
            if answer is None:
                return
            self._take(*answer)
        raise self.example.error(f"This example has no end after {MOST_STEPS:,} steps.")

    def _is_left(self, turn: Prompt, wanted: str) -> bool:
        """Whether a lone move with a card is left to its seat: no move is to come, or one of its own."""
        own = wanted.partition(":")[0].strip().casefold() in ("", self.name(turn.seat).casefold())
        return own and bool(turn.moves[0].operands)

    def _own_answer(self) -> tuple[Move, bool] | None:
        """Lone moves are made even where a game asks so as not to tell anything: in an example nothing is secret."""
        turn = self.turn
        lone = isinstance(turn, Prompt) and len(turn.moves) == 1
        return (turn.moves[0], True) if isinstance(turn, Prompt) and lone else super()._own_answer()

    def is_meant(self, turn: Prompt, wanted: str) -> bool:
        """Whether a line of the example is a move of this decision."""
        name, _, words = wanted.partition(":")
        asked = turn.party or name.strip().casefold() == self.name(turn.seat).casefold()
        return asked and bool(self.meant(words, turn))

    def move_of(self, wanted: str) -> Move:
        """The move that words of the example mean now. Raises InvalidError with the line where nothing is."""
        turn, (name, _, words) = self.turn, wanted.partition(":")
        seat = self.seat_of(name, wanted)
        if not isinstance(turn, Prompt):
            raise self.example.error(f"The game is over before '{wanted}'.", word=wanted)
        if turn.seat != seat and not turn.party:
            asks = self.words(turn.text)
            raise self.example.error(f"{self.name(turn.seat)} is asked before {self.name(seat)}: {asks}", word=wanted)
        found = self.meant(words, turn)
        if len(found) != 1:
            raise self.example.error(*self._unclear(words.strip(), turn, found), word=wanted)
        return found[0]

    def _unclear(self, words: str, turn: Prompt, found: Collection[Move]) -> tuple[str, str]:
        labels = [self.label(move) for move in found or turn.moves]
        if found:
            return f"'{words}' could be: {'; '.join(labels)}.", "Write more of it, or the move's id."
        reason = next((why for card in self.cards_of(words) if (why := self.refusal(card, turn))), "")
        message = f"'{words}' cannot be played here. {reason}".strip()
        return message, did_you_mean(words, labels, then=f"Possible: {'; '.join(labels[:_FEW])}.")

    def meant(self, words: str, turn: Prompt) -> tuple[Move, ...]:
        """The moves that some words may mean: an id, or words of what is offered in their order."""
        exact = [move for move in turn.moves if move.id == words.strip()]
        wanted = words_of(words)
        said = ((move, words_of(f"{move.verb} {self.label(move)}")) for move in turn.moves if wanted)
        fits = [move for move, offered in said if _in_order(wanted, offered)]
        whole = [move for move in fits if len(move.operands) == min(len(one.operands) for one in fits)]
        return tuple(exact or whole)

    def seat_of(self, name: str, line: str) -> Seat:
        """The seat of that name. Raises InvalidError."""
        names = [seat.name for seat in self.header.seats]
        found = [seat for seat, known in enumerate(names) if known.casefold() == name.strip().casefold()]
        if not found:
            hint = did_you_mean(name, names, then=f'Write "{names[0]}: ...". The seats: {", ".join(names)}.')
            raise self.example.error(f"'{line}' begins with the name of no seat.", hint, line)
        return found[0]

    def words(self, sentence: Sentence) -> str:
        """A sentence with the names of this example."""
        return sentence.speak(self.name, lambda card: self.deck[card].title if card in self.deck.by_id else card)

    def label(self, move: Move) -> str:
        return self.words(self.game.label(move))

    def refusal(self, card: str, turn: Prompt) -> str:
        """The reason why a card cannot be played now, "" where the game tells none."""
        why = self.game.why_not(self.view(turn.seat), card)
        return self.words(why) if why else ""

    def cards_of(self, words: str) -> tuple[str, ...]:
        """The cards in the words of a move, without its verb; none where a name is not one card's alone."""
        names = words.strip().partition(" ")[2].split(_ON)
        found = [cards_meant(name, self.deck, self.deck.by_id) for name in names]
        return tuple(card.id for cards in found for card in cards) if all(len(cards) == 1 for cards in found) else ()

    def play(self) -> None:
        """All moves of the example, up to the next decision after them. Raises InvalidError for one that cannot be."""
        mistake, offered, refused = self.example.content.mistake, list[int](), list[int]()
        for number, wanted in enumerate(self.example.content.moves):
            self.settle(wanted)
            move, turn = self.move_of(wanted), self.prompt
            if mistake and turn and (turn.party or turn.seat == self.seat_of(mistake.partition(":")[0], mistake)):
                (offered if self.is_meant(turn, mistake) else refused).append(number)
            self.played.append(self._take(move))
        if mistake:
            self.slip = self._slip(offered, refused)
        self.settle()

    def _slip(self, offered: list[int], refused: list[int]) -> int:
        """Before which move the mistake is made: the first at which it can be, or the last at which it is refused."""
        mistake = self.example.content.mistake
        if not offered:
            _understand(self, mistake.partition(":")[2].strip(), mistake)
        if not offered and not refused:
            raise self.example.error("Whoever makes the mistake has no move in this example.", "", mistake)
        return (*offered[:1], *refused[-1:])[0]

    def try_out(self) -> list[InvalidError]:
        """All that is wrong with the example: a move that cannot be, or else what it expects and does not come."""
        try:
            self.play()
        except InvalidError as error:
            return [error]
        return [*self.faults()]

    def faults(self) -> Iterator[InvalidError]:
        """All that the example expects and that does not come true, after `play`."""
        for expected in self.example.content.expect:
            kind, _, rest = expected.partition(":")
            look = _LOOKS.get(kind.strip().casefold())
            if look is None:
                hint = did_you_mean(kind, _LOOKS, then=f"Expected may be: {', '.join(_LOOKS)}.")
                yield self.example.error(f"'{expected}' says nothing that can be looked for.", hint, expected)
                continue
            try:
                fault = look(self, rest.strip(), expected)
            except InvalidError as error:
                yield error
                continue
            if fault:
                yield self.example.error(f"This example does not come true: {fault}", "", expected)


def _in_order(words: Collection[str], said: Collection[str]) -> bool:
    left = iter(said)
    return all(word in left for word in words)


def _together(words: tuple[str, ...], said: tuple[str, ...]) -> bool:
    return any(said[at : at + len(words)] == words for at in range(len(said)))


# What can be expected.


def _asked(session: Rehearsal, rest: str, line: str) -> tuple[Prompt, str]:
    """The decision that is looked at, and the words of a move without the name of the seat, if there is one."""
    turn, (name, colon, words) = session.turn, rest.partition(":")
    if not isinstance(turn, Prompt):
        raise session.example.error("This example does not come true: nobody is asked any more.", "", line)
    if colon and turn.seat != session.seat_of(name, rest):
        asked = session.name(turn.seat)
        raise session.example.error(f"This example does not come true: it is {asked} who is asked.", "", line)
    return turn, words.strip() if colon else rest


def _offer(session: Rehearsal, rest: str, line: str) -> str:
    turn, words = _asked(session, rest, line)
    return "" if session.meant(words, turn) else " ".join(session._unclear(words, turn, ())).strip()


def _refused(session: Rehearsal, rest: str, line: str) -> str:
    turn, words = _asked(session, rest, line)
    if found := session.meant(words, turn):
        return f"'{session.label(found[0])}' is offered."
    _understand(session, words, line)
    return ""


def _understand(session: Rehearsal, words: str, line: str) -> None:
    """Raises InvalidError for words that are no move of the game at all, so that a slip of the pen is no refusal."""
    verb, _, named = words.partition(" ")
    cards = session.cards_of(words)
    with suppress(KeyError, IndexError, ValueError):
        session.game.label(Move(verb.casefold(), cards))
        if cards:
            return
    hint = nearest_card(named, session.deck) or "Write the verb of a move and one card: refused: play 7 of Swords"
    raise session.example.error(f"'{words}' is no move of this game.", hint, line)


def _event(session: Rehearsal, rest: str, line: str) -> str:  # noqa: ARG001
    wanted = words_of(rest)
    events = [event for step in session.steps for event in step.events]
    if any(event.kind == rest or _together(wanted, words_of(session.words(event.sentence))) for event in events):
        return ""
    last = textwrap.shorten(session.words(events[-1].sentence), _WIDE, placeholder=" …") if events else "none."
    return f"nothing like '{rest}' happened. The last that did: {last}"


def _score(session: Rehearsal, rest: str, line: str) -> str:
    *names, number = rest.split(" ")
    own = [seat.name.casefold() for seat in session.header.seats]
    part = names.pop() if " ".join(names).casefold() not in own and len(names) > 1 else ""
    seat, outcome = session.seat_of(" ".join(names), line), session.outcome
    if part or outcome:
        points = outcome and (outcome.scores[seat].get(part) if part else outcome.score(seat))
    else:
        points = session.game.standing(session.view(seat))[seat].points
    if points is not None and str(points) == number:
        return ""
    return f"{session.name(seat)} has {'no such score' if points is None else points}, not {number}."


def _winner(session: Rehearsal, rest: str, line: str) -> str:
    outcome = session.outcome
    if outcome is None:
        return "the game goes on."
    names = [name for name in rest.replace(" and ", ",").split(",") if name.strip() and rest != "nobody"]
    wanted = {session.seat_of(name, line) for name in names}
    won = listing(map(session.name, outcome.winners)) or "nobody"
    return "" if wanted == {*outcome.winners} else f"the winner is {won}. {session.words(outcome.reason)}"


_LOOKS: Mapping[str, Callable[[Rehearsal, str, str], str]] = {
    "offer": _offer,
    "refused": _refused,
    "event": _event,
    "score": _score,
    "winner": _winner,
}
"""Expectations by their first word: each says what is otherwise, "" if nothing is."""
_FEW = 6


# How an example begins.


def _seats(example: Example) -> tuple[SeatSpec, ...]:
    try:
        seats = parse_seats(example.content.seats)
        GAMES[example.game].rules().check_seats(len(seats), hint="Name so many under seats.")
    except UsageError as error:
        raise example.error(error.message, error.hint, "seats") from error
    return seats


def _options(example: Example, game: AnyGame, options: Mapping[str, object]) -> Options:
    try:
        settle(game, example.content.options)
        return settle(game, {**options, **example.content.options})
    except UsageError as error:
        key = next((key for key in example.content.options if f"'{key}'" in error.message), "[options]")
        raise example.error(error.message, error.hint, key) from error


class _Reader:
    """Reads the cards of an example."""

    def __init__(self, example: Example, deck: Deck, names: tuple[str, ...]) -> None:
        self.example = example
        self.deck = deck
        self.names = names

    def zones(self, arranger: Arranger) -> Iterator[tuple[Place, tuple[Stack, ...]]]:
        """Each zone that is named, with its cards."""
        for zone, cards in self.example.content.cards.items():
            if zone == NEXT:
                continue
            known = arranger.of_seats if isinstance(cards, dict) else arranger.of_table
            if zone not in known:
                raise self._unknown(zone, arranger)
            for name, own in cards.items() if isinstance(cards, dict) else (("", cards),):
                yield (zone, self._seat(name) if name else None), self.stacks(zone, own)

    def stacks(self, zone: str, names: object) -> tuple[Stack, ...]:
        """Cards by their names; one that lies `on` another stands before it."""
        if not isinstance(names, list):
            raise self.example.error(f"'{zone}' is a list of cards.", "", zone)
        return tuple(tuple(self._card(name) for name in reversed(text.split(_ON))) for text in names)

    def _card(self, name: str) -> str:
        found = cards_meant(name, self.deck, self.deck.by_id)
        if len(found) == 1:
            return found[0].id
        if found:
            raise self.example.error(f"'{name}' could be: {'; '.join(card.title for card in found)}.", "", name)
        hint = nearest_card(name, self.deck)
        raise self.example.error(f"'{name}' is no card of the {self.deck.kind} deck.", hint, name)

    def _seat(self, name: str) -> Seat:
        found = [seat for seat, known in enumerate(self.names) if known.casefold() == name.casefold()]
        if not found:
            hint = did_you_mean(name, self.names, then=f"The seats: {', '.join(self.names)}.")
            raise self.example.error(f"'{name}' sits nowhere here.", hint, name)
        return found[0]

    def _unknown(self, zone: str, arranger: Arranger) -> InvalidError:
        if zone in Content.__struct_fields__:
            return self.example.misplaced(zone, "[cards]")
        own = [f"{name}.{self.names[0]}" for name in arranger.of_seats]
        known = (*own, *arranger.of_table, NEXT)
        what = "is a zone of each seat" if zone in arranger.of_seats else "is no zone of the table"
        return self.example.error(f"'{zone}' {what}.", f"Zones: {', '.join(known)}.", zone)


def _state(reader: _Reader, game: AnyGame, arranger: Arranger, options: Options) -> State[Any]:
    """The state in which the cards lie as an example says, and all others as its seed deals them."""
    example, deck = reader.example, reader.deck
    content, zones = example.content, dict(reader.zones(arranger))
    coming = [card for stack in reader.stacks(NEXT, content.cards.get(NEXT, [])) for card in stack]
    lying = [card for stacks in zones.values() for stack in stacks for card in stack]
    if twice := next((card for card in lying if lying.count(card) > 1), ""):
        raise example.error(f"The {deck[twice].title} lies in two places.", "", deck[twice].name)
    at = _moment(example, arranger)
    named = {*lying, *coming}
    left = dealing.shuffle([card.id for card in deck if card.id not in named], content.seed, 0)
    turn = reader._seat(content.turn) if content.turn else None
    laid = Arrangement(of_game(game, options), deck, len(reader.names), zones, [*left, *coming], turn, at)
    try:
        state = arranger(laid)
    except (IllegalMove, UsageError) as error:
        raise example.error(f"The cards cannot lie so: {error}") from error
    if sorted(state.cards()) != sorted(deck.by_id):
        hint = "A zone may hold a kind of card that does not belong there."
        raise example.error("The cards cannot lie so: one is missing, or lies in two places.", hint, "[cards]")
    return state


def _moment(example: Example, arranger: Arranger) -> str:
    at = example.content.at
    if at and at not in arranger.moments:
        hint = did_you_mean(at, arranger.moments, then=f"It may be: {', '.join(arranger.moments) or 'left out'}.")
        raise example.error(f"'{at}' is no place where this game may stand.", hint, "at")
    return at
