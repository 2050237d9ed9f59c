"""A game in progress: rules, people, bots, luck and the journal, advanced one step at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from vaultkit.bots.registry import make_bot
from vaultkit.cards import Deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.concession import CONCEDE, concession
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Event, Outcome, Seat, Sentence
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, Turn, draw_move
from vaultkit.session import history, placeholder_cards, seeded_choices, simultaneous_moves
from vaultkit.session.history import GameHistory, Step, Undo, restore
from vaultkit.session.journal import Journal, read
from vaultkit.session.journal_records import EndRecord, Header, SwapRecord, UndoRecord
from vaultkit.session.playout import BotMaker

Clock = Callable[[], datetime]


class Session:
    """A game in progress, with its seats, its bots and its journal.

    Each step is written to the journal before it is returned. Front-ends loop: they show what `advance` yields, ask the
    player whom `prompt` names and `submit` the answer, until there is an `outcome`. A session is a context manager;
    leaving the block releases the journal for other processes. `remark` is a sentence about an incomplete last line of
    a resumed journal, or "". `free_undos` counts the undos that the rule "safe" would have refused (G-8).
    """

    def __init__(
        self,
        game: AnyGame,
        deck: Deck,
        header: Header,
        *,
        history: GameHistory,
        journal: Journal,
        make_bot: BotMaker,
        clock: Clock,
    ) -> None:
        self.game = game
        self.deck = deck
        self.header = header
        self.remark = ""
        self.free_undos = 0
        self._history = history
        self._journal = journal
        self._clock = clock
        self._make_bot = make_bot
        self._strategies_by_lent_seat: dict[Seat, str] = {}
        strategies = {seat: spec.strategy for seat, spec in enumerate(header.seats) if spec.strategy is not None}
        self._bots_by_seat = {seat: make_bot(strategy) for seat, strategy in strategies.items()}
        self._is_end_recorded = False
        self._corrected = False

    @classmethod
    def begin(
        cls, folder: Path, game: AnyGame, deck: Deck, header: Header, *, clock: Clock, make_bot: BotMaker = make_bot
    ) -> Self:
        """Begin the game that `header` describes, with a new journal in `folder`.

        Raises UsageError for a number of seats that the game does not accept, and WriteError if the journal cannot be
        written.
        """
        history = GameHistory(game, deck, header.seats, header.options)
        journal = Journal.create(folder, header)
        return cls(game, deck, header, history=history, journal=journal, make_bot=make_bot, clock=clock)

    @classmethod
    def resume(cls, path: Path, game: AnyGame, deck: Deck, *, clock: Clock, make_bot: BotMaker = make_bot) -> Self:
        """Resume a game from its journal.

        Raises InvalidError for a journal that cannot be read or replayed with this game and deck, and WriteError while
        another process plays the game.
        """
        journal, contents = Journal.reopen(path, read)
        try:
            contents, history = restore(contents, game, deck, str(path))
            session = cls(game, deck, contents.header, history=history, journal=journal, make_bot=make_bot, clock=clock)
            if contents.end is None:
                journal.upgrade(contents.header, (line.record for line in contents.lines))
        except UsageError as error:
            journal.close()
            raise InvalidError(f"Line 1 of the journal cannot be played on: {error}", where=str(path)) from error
        except BaseException:
            journal.close()
            raise
        session.remark = contents.remark
        session.free_undos = contents.free_undo_count
        session._is_end_recorded = contents.end is not None
        session._corrected = bool(contents.lines) and isinstance(contents.lines[-1].record, UndoRecord)
        session._record_end()
        return session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the journal, from which the game can be resumed."""
        self._journal.close()

    @property
    def path(self) -> Path:
        return self._journal.path

    @property
    def id(self) -> str:
        return self.header.session

    @property
    def turn(self) -> Turn:
        return self._history.state.turn

    def state_after(self, move: Move) -> State[Any]:
        """Return the state to which a move would lead; nothing is played. Raises IllegalMove."""
        return self._history.try_move(move)[0]

    @property
    def prompt(self) -> Prompt | None:
        """The decision that a seat must make now, None if luck decides or the game is over."""
        turn = self.turn
        return turn if isinstance(turn, Prompt) else None

    @property
    def outcome(self) -> Outcome | None:
        return self._history.outcome()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the game so far, without undone steps."""
        return tuple(self._history.steps)

    def start_state(self) -> State[Any]:
        """Return a copy of the state before the first step."""
        return self._history.start_state()

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people, without seats that are lent to bots."""
        seats = enumerate(self.header.seats)
        return tuple(seat for seat, spec in seats if spec.is_person and seat not in self._strategies_by_lent_seat)

    @property
    def lent_seats(self) -> Mapping[Seat, str]:
        """The strategies of the bots that play for people, by seat."""
        return self._strategies_by_lent_seat

    def lend(self, seat: Seat, strategy: str) -> None:
        """Lend the seat of a person to a bot until `give_back`.

        The journal records the moves of the bot as moves of the seat. Raises UsageError if no person has the seat, if
        no other person would be left, or if the game is played with real cards.
        """
        if seat not in self.people:
            raise UsageError(f"{self.name(seat)} does not decide here: a bot does.")
        if self.people == (seat,):
            raise UsageError("The last person's seat cannot go to a bot.")
        if self.header.real_cards:
            raise UsageError("A bot cannot hold real cards: somebody would have to look at the hand.")
        self._bots_by_seat[seat] = self._make_bot(strategy)
        self._strategies_by_lent_seat[seat] = strategy

    def give_back(self, seat: Seat) -> None:
        """Give a lent seat back to its person. Raises UsageError if the seat is not lent."""
        if seat not in self._strategies_by_lent_seat:
            raise UsageError(f"No bot holds the seat of {self.name(seat)} for anybody.")
        del self._strategies_by_lent_seat[seat], self._bots_by_seat[seat]

    def name(self, seat: Seat) -> str:
        return self.header.seats[seat].name

    def words(self, sentence: Sentence, /) -> str:
        """Return a sentence as text, with the names of seats and the titles of cards.

        The id of a card that is not in the deck stays as it is.
        """
        return sentence.render(self.name, lambda card: self.deck[card].title if card in self.deck.by_id else card)

    def view(self, seat: Seat) -> View:
        """Return the part of the game that the seat may see."""
        view: View = self._history.state.view(seat)
        return view

    def submit(self, move: Move, tale: str = "") -> tuple[Event, ...]:
        """Answer the current turn with the move of a person, or with the real cards that luck drew; return the events.

        `tale` is the player's own text about the move; it is stored with the move and does not affect the game (TF-29).
        Raises IllegalMove if the turn does not list the move; the game is then unchanged.
        """
        return self._take_step(move, tale=tale).events

    def concede(self, seat: Seat) -> tuple[Event, ...]:
        """Let a person give up in its own turn (G-14), and return the events; a party gives up together.

        Raises UsageError, changing nothing, for a bot, and outside the turn of the seat.
        """
        self.check_concession(seat)
        return self._take_step(concession(seat)).events

    def check_concession(self, seat: Seat) -> None:
        """Raise UsageError unless the seat may concede now: it is a person's, and it is its own turn (G-14)."""
        if seat not in self.people:
            raise UsageError(f"{self.name(seat)} does not decide here: a bot does, and a bot never concedes.")
        prompt = self.prompt
        if prompt is None:
            raise UsageError("There is nothing to concede now: no player decides.")
        if seat not in self._history.state.deciding_seats:
            raise UsageError(
                f"It is the turn of {self.name(prompt.seat)}, not of {self.name(seat)}.",
                hint="Concede when it is your own turn (G-14).",
            )

    @property
    def is_party(self) -> bool:
        """Whether all players win or lose together."""
        return self.header.options.get("mode") == "coop"

    @property
    def seen_by_all(self) -> set[str]:
        """The ids of the cards that everybody has seen."""
        return placeholder_cards.seen_by_all(self._history, self.deck)

    def place_card(self, move: Move) -> bool:
        """Make `move` possible by exchanging a placeholder with the card of the move, which nobody has seen yet.

        Returns whether the move is possible. If it is not, the game is unchanged.
        """
        if self.prompt and move in self.prompt.moves:
            return True
        exchange = placeholder_cards.exchange(self._history, move.operands[0], self.deck, move)
        if exchange is None:
            return False
        self._record_exchange(exchange[0], move.operands[0], exchange[1])
        return True

    def why_not(self, card: str) -> Sentence | None:
        """Return the reason why a card that nobody has seen yet cannot be shown in this turn, None if there is none."""
        return placeholder_cards.find_reason_against(self._history, card, self.deck, self.game)

    def name_unseen(self, cards: tuple[str, ...], placeholders: tuple[str, ...]) -> None:
        """Exchange `placeholders` for the real `cards` that are about to be shown.

        Raises IllegalMove if one of the cards cannot be there.
        """
        remaining_placeholders = [card for card in placeholders if card not in cards]
        for card in (card for card in cards if card not in placeholders):
            new_history = self._history.exchange(card, remaining_placeholders[0])
            if new_history is None:
                raise IllegalMove(f"The {self.deck[card].title} cannot lie there.")
            self._record_exchange(new_history, card, remaining_placeholders.pop(0))

    def find_placeholder_events(self, move: Move) -> tuple[Event, ...]:
        """Return the events of a move that would show placeholders to everybody.

        The players must name the real cards before the move is made.
        """
        if self.header.unseen:
            return placeholder_cards.find_events_showing_placeholders(self._history, move, self.deck)
        return ()

    def look_ahead(self, seat: Seat, own_moves: Sequence[Move]) -> Self | None:
        """Return the session as it is when a seat makes its next secret choice, ahead of its turn (G-3).

        It is only for looking. `own_moves` are the choices that the seat has made ahead already. Returns None if the
        seat cannot choose ahead.
        """
        return self._with_state(simultaneous_moves.look_ahead(self._history.state, seat, own_moves))

    def place_ahead(self, seat: Seat, own_moves: Sequence[Move]) -> Self | None:
        """Return a session in which the choices lie that a seat has made ahead of its turn, only to look at that seat.

        Returns None if there are none, or if they must not be shown yet.
        """
        return self._with_state(simultaneous_moves.place_ahead(self._history.state, seat, own_moves))

    def _with_state(self, state: State[Any] | None) -> Self | None:
        if state is None:
            return None
        session = copy(self)
        session._history = copy(self._history)
        session._history.state = state
        return session

    def would_end_game(self, move: Move) -> bool:
        """Return whether the move would end the game. Raises IllegalMove unless the turn lists it."""
        return self._history.outcome(self.state_after(move)) is not None

    def advance(self) -> Iterator[Step]:
        """Take and yield the steps that need no person: luck, bots, and moves without an alternative (G-6)."""
        while (answer := self._own_answer()) is not None:
            yield self._take_step(*answer, waits=self._is_bot_due)

    @property
    def needs_person(self) -> bool:
        """Whether nothing but the answer of a person, or of a GM, continues the game."""
        return self.turn is not None and not self._is_bot_due and self._own_answer() is None

    def plan_undo(self, seat: Seat | None) -> Undo:
        """Return a plan to undo the last decision of `seat`, or of any person if `seat` is None (G-8).

        Raises UndoRefused if there is no decision to undo, or if the option `undo` does not allow it.
        """
        if self.outcome is not None:
            raise history.UndoRefused("The game is over.")
        if seat is None:
            last = self._find_last_typed_step()
            if last is None or last.seat is None:
                raise history.UndoRefused("There is nothing to take back: nothing has been said yet.")
            seat = last.seat
        rule = self.header.options["undo"]
        if self._corrected and isinstance(self.turn, Chance) and rule == "safe":
            raise history.UndoRefused("That cannot be taken back: a card was named after it.")
        return history.plan(self._history.steps, seat, rule, self.people)

    def plan_correction(self) -> Undo | None:
        """Return a plan to undo the last entry if it named a real card, or None otherwise.

        Such a correction undoes no decision (G-8): the cards stay on the table, only their names change.
        """
        last = self._find_last_typed_step()
        is_concession = last is not None and last.move.verb == CONCEDE
        is_card_name = last and self.header.real_cards and (last.chance or self.header.unseen) and not is_concession
        return Undo(last.n - 1, renames=True) if last and is_card_name and self.outcome is None else None

    def go_back(self, planned_undo: Undo) -> None:
        """Carry out a planned undo, and record it in the journal."""
        self._journal.append(UndoRecord(to=planned_undo.to, free=planned_undo.free))
        self._history.rewind_to(planned_undo.to)
        self.free_undos += planned_undo.free
        self._corrected = self._corrected or planned_undo.renames

    def is_gm_choice(self, chance: Chance) -> bool:
        """Return whether a GM without a seat chooses the answer to a chance turn.

        With real cards the GM never chooses, because the cards are drawn at the table.
        """
        return chance.gm and bool(self.header.agreement.gm) and not self.header.real_cards

    def _find_last_typed_step(self) -> Step | None:
        steps = (step for step in self.steps[::-1] if self.header.real_cards or not step.chance)
        people, automatic_names = self.people, {*self.header.known, *self.header.unseen}
        return next((step for step in steps if history.is_typed(step, people, automatic_names)), None)

    @property
    def _is_bot_due(self) -> bool:
        return isinstance(self.turn, Prompt) and self.turn.seat in self._bots_by_seat

    def _own_answer(self) -> tuple[Move, bool] | None:
        """Return the next move that needs no person, and whether it was the only one; None if a person must decide."""
        turn = self.turn
        step = len(self._history.steps) + 1
        if isinstance(turn, Chance):
            answer = self._luck(turn, step)
            return None if answer is None else (answer, False)
        if turn is None:
            return None
        if placeholder_cards.is_answered_by_placeholders(turn, self.header.unseen):
            return turn.moves[0], False
        if len(turn.moves) == 1 and not turn.ask_always and not self._shows_unseen_cards(turn.moves[0]):
            return turn.moves[0], True
        bot = self._bots_by_seat.get(turn.seat)
        if bot is None:
            return None
        bot_name = self.name(turn.seat)
        view, seed = self.view(turn.seat), self.header.seed
        return seeded_choices.choose(bot, view, self.game, bot_name, seed=seed, step=step), False

    def _shows_unseen_cards(self, move: Move) -> bool:
        """Return whether a move has or shows cards that nobody has entered, so that people must name them."""
        return bool(self.header.unseen and (move.operands or self.find_placeholder_events(move)))

    def _luck(self, chance: Chance, step: int) -> Move | None:
        """Return the known or the seeded answer to a chance turn, or None if the players or the GM must be asked.

        `step` is the number of the step, from which the seeded answer is derived.
        """
        if chance.name in self.header.known:
            return draw_move(*self.header.known[chance.name])
        if self.is_gm_choice(chance):
            return None
        asks = self.header.real_cards and not placeholder_cards.is_answered_by_placeholders(chance, self.header.unseen)
        return None if asks else seeded_choices.deal(chance, self.header.seed, step)

    def _record_exchange(self, history: GameHistory, card: str, placeholder: str) -> None:
        self._journal.append(SwapRecord(cards=(card, placeholder)))
        self._history = history

    def _take_step(self, move: Move, auto: bool = False, tale: str = "", *, waits: bool = True) -> Step:
        step = self._history.play(move, lambda step: self._journal.append(step.record, waits=waits), auto, tale)
        self._corrected = False
        self._record_end()
        return step

    def _record_end(self) -> None:
        outcome = self.outcome
        if outcome is not None and not self._is_end_recorded:
            self._journal.append(EndRecord(outcome=outcome, at=self._clock()))
            self._is_end_recorded = True
