"""Lessons: the examples of a rule note, played step by step with a learner in the first seat, for any front-end.

A lesson is a generator of beats, such as a text to show or a question to ask, which a front-end presents in order.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile

import msgspec

from vaultkit.errors import InvalidError, split_place
from vaultkit.games.facts import Consequence
from vaultkit.games.messages import Outcome, Seat, Sentence
from vaultkit.games.turn import Move, Prompt
from vaultkit.scene.consequence_text import result_words
from vaultkit.scene.knowledge import StepEvent, visible_events
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Offer
from vaultkit.search.passages import Passage
from vaultkit.session.examples.expectations import find_errors
from vaultkit.session.examples.parser import Example
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.session.history import Undo

LEARNER_SEAT_INDEX: Seat = 0


@dataclass(frozen=True, slots=True)
class Begin:
    """The beat at the beginning of an example."""

    heading: str


@dataclass(frozen=True, slots=True)
class Lay:
    """The beat at which the starting position of an example is shown."""

    session: ExampleSession
    reference: Reference


@dataclass(frozen=True, slots=True)
class Say:
    """A text of an example or of the lesson, in Markdown, which the front-end must escape."""

    words: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Cite:
    """A passage from the GM's notes about a rule."""

    passage: Passage


@dataclass(frozen=True, slots=True)
class Tell:
    """The events that are new for the learner."""

    news: Sequence[StepEvent]


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a game that ends with its example."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause until the learner continues; `go_on` says what comes next, as a verb phrase such as `read on`."""

    go_on: str


@dataclass(frozen=True, slots=True)
class Look:
    """A pause to look at the table after a move that does not count, before it is taken back."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the learner; the front-end sends the answer to the generator as a move."""

    turn: Prompt


_NO_REASON = "The example expects another move."

Beat = Begin | Lay | Say | Cite | Tell | Result | Pause | Look | Ask
BeatGenerator = Generator[Beat, Move | None, None]
CheckMoveOrder = Callable[[Example, Sequence[str]], bool]


@dataclass(frozen=True)
class Lesson:
    """The examples of one game, and the errors of examples that cannot be taught.

    `begin` creates the game of an example, `reference` creates the source of rules for it. `aim` says in a few words
    what the game is about, `farewell` is the text at the end of the lesson.
    """

    title: str
    examples: Sequence[Example | InvalidError]
    begin: Callable[[Example], ExampleSession]
    reference: Callable[[ExampleSession], Reference]
    aim: str
    farewell: str

    def course(self) -> BeatGenerator:
        """Yield the beats of the lesson; no rule is cited twice."""
        cited_headings = {""}
        for number, example in enumerate(self.examples, 1):
            number_text = f"{number} of {len(self.examples)}"
            if isinstance(example, InvalidError):
                yield Begin(f"{number_text} is left out")
                path, line = split_place(example.where)
                words = f"It cannot be played. '{path}', line {line}: {example.message_with_hint}"
                yield Say(words, is_warning=True)
            else:
                learner_seat = example.content.seats[LEARNER_SEAT_INDEX]
                yield Begin(f"{number_text}: {example.heading or example.path}. You are {learner_seat}")
                if self.aim and example is next(item for item in self.examples if isinstance(item, Example)):
                    yield Say(self.aim)
                yield from self._teach_example(example, cited_headings)
            yield Pause("go on")

    def _teach_example(self, example: Example, cited_headings: set[str]) -> BeatGenerator:
        finished_session, session = self.begin(example), self.begin(example)
        finished_session.play()
        reference = self.reference(session)
        yield Lay(session, reference)
        player = _ExamplePlayer(session, finished_session.mistake_index, self._check_move_order)
        yield from player.play()
        for heading in (heading for heading in player.headings if heading not in cited_headings):
            cited_headings.add(heading)
            if rule := reference.rule(heading, ()):
                yield Cite(replace(rule, title=heading, source=""))

    def _check_move_order(self, example: Example, moves: Sequence[str]) -> bool:
        """Return whether an example still meets its expectations with its moves in this order."""
        content = msgspec.structs.replace(example.content, moves=[*moves])
        return not find_errors(self.begin(replace(example, content=content)))


class _ExamplePlayer:
    """A player of one example with a learner.

    `mistake_index` is the index of the move before which the example's mistake could be made, -1 for none.
    `check_move_order` returns whether the example still meets its expectations with its moves in another order.
    `headings` are those of the rules that the example shows.
    """

    def __init__(self, session: ExampleSession, mistake_index: int, check_move_order: CheckMoveOrder) -> None:
        self.session = session
        self.mistake_index = mistake_index
        self.headings = [session.example.heading]
        self._check_move_order = check_move_order
        self._told_step_count = 0
        self._mistake_text = ""

    def play(self) -> BeatGenerator:
        """Yield the beats of the moves of the example: the task, the moves, what came of them, and why."""
        content = self.session.example.content
        lines = [*content.moves]
        if content.task:
            yield Say(content.task)
        for move_index in range(len(lines)):
            self.session.settle(lines[move_index])
            yield from self._tell()
            if self._is_learner_line(lines[move_index]) and not self._is_forced():
                lines = yield from self._ask(lines, move_index)
            move = self.session.move_of(lines[move_index])
            if move_index == self.mistake_index:
                self._mistake_text = self._describe_mistake(move)
            self.session.submit(move)
            yield from self._tell()
        self.session.settle()
        yield from self._tell()
        if self.session.outcome:
            yield Result(self.session.outcome)
        yield from map(Say, filter(None, (content.say, self._mistake_text)))

    def _is_forced(self) -> bool:
        """Return whether the only move has no card, so that there is nothing to choose."""
        turn = self.session.prompt
        return turn is not None and len(turn.moves) == 1 and not turn.moves[0].operands

    def _is_learner_line(self, line: str) -> bool:
        return self.session.seat_of_line(line) == LEARNER_SEAT_INDEX

    def _ask(self, lines: list[str], move_index: int) -> Generator[Beat, Move | None, list[str]]:
        """Ask the learner for the move at `move_index`, and return the lines in the order that the learner chose.

        Another move of theirs counts if the example still meets its expectations: one of their later moves, and one
        that changes the same as the move of the example, or any if nothing is expected. Any other move is shown, taken
        back, and answered with what sets it apart.
        """
        session, turn = self.session, self.session.prompt
        assert turn is not None, "a move answers a question"
        session.expected_move = expected_move = session.move_of(lines[move_index])
        if heading := turn.rule.rpartition("#")[2]:
            self.headings.append(heading)
        while True:
            move = yield Ask(turn)
            assert move is not None, "it was asked for"
            if move == expected_move:
                return lines
            for other_lines in self._find_other_lines(lines, move_index, move):
                if self._check_move_order(session.example, other_lines):
                    return other_lines
            reasons = " ".join(filter(None, _compare_moves(session, move, expected_move)))
            other_lines = [*lines[:move_index], f"{session.name(turn.seat)}: {move.id}", *lines[move_index + 1 :]]
            is_equal = not (reasons and session.example.content.expect)
            if is_equal and self._check_move_order(session.example, other_lines):
                yield Say(f"That counts, too. The move of the example: {session.label(expected_move).rstrip('.')}.")
                return other_lines
            yield from self._take_back(move, lines[move_index + 1 :])
            yield Say(f"Taken back. {reasons or _NO_REASON} {session.example.content.task}".rstrip())

    def _find_other_lines(self, lines: Sequence[str], move_index: int, move: Move) -> Iterator[list[str]]:
        """Yield the lines of the example with a later move of the learner at `move_index`, or with its card.

        The two moves change places, or the two cards.
        """
        session, turn = self.session, self.session.prompt
        assert turn is not None, "a move answers a question"
        before, after = lines[:move_index], lines[move_index:]
        own_line = f"{session.name(LEARNER_SEAT_INDEX)}: {move.id}"
        for line in filter(self._is_learner_line, after[1:]):
            if (move,) == session.find_moves(line.partition(":")[2], turn):
                yield [*before, line, *(after[0] if other == line else other for other in after[1:])]
            name, _, words = line.partition(":")
            if {*session.cards_of(words)} & {*move.operands}:
                other_card = after[0].partition(":")[2].strip().partition(" ")[2]
                exchanged = f"{name}: {words.split()[0]} {other_card}"
                yield [*before, own_line, *(exchanged if other == line else other for other in after[1:])]

    def _describe_mistake(self, expected_move: Move) -> str:
        """Return the example's mistake with the reason against it, or why the rules refuse it; "" if there is none."""
        words = self.session.example.content.mistake.partition(":")[2]
        turn = self.session.prompt
        if turn is None:
            return ""
        moves = self.session.find_moves(words, turn)
        if moves:
            own_words, better_words = _compare_moves(self.session, moves[0], expected_move)
            reasons = f"{own_words or better_words or 'It does not help.'} {self._find_ending(moves[0])}".strip()
        else:
            refusals = (self.session.refusal(card, turn) for card in self.session.cards_of(words))
            reasons = next(filter(None, refusals), "The rules do not allow it here.")
        label = self.session.label(moves[0]).rstrip(".") if moves else self._label_refused_move(words)
        return f"A mistake would be: {label}. {reasons}"

    def _label_refused_move(self, words: str) -> str:
        """Return the label of a move that the rules refuse, or its words if the game has no label for it."""
        move = Move(words.split(maxsplit=1)[0], tuple(self.session.cards_of(words)))
        with suppress(KeyError, IndexError):
            return self.session.label(move).rstrip(".")
        return words.strip()

    def _find_ending(self, move: Move) -> str:
        """Return the reason for which the game ends after a move, "" if it goes on."""
        step_count = len(self.session.steps)
        self.session.submit(move)
        self.session.settle()
        outcome = self.session.outcome
        self.session.go_back(Undo(step_count))
        return self.session.words(outcome.reason) if outcome else ""

    def _take_back(self, move: Move, lines: Sequence[str]) -> BeatGenerator:
        """Make a move, yield the beats of what follows from it, and undo it.

        `lines` are the moves of the example after it; those of others are made as far as they are still possible.
        """
        step_count = len(self.session.steps)
        self.session.submit(move)
        with suppress(InvalidError):
            for line in takewhile(lambda line: not self._is_learner_line(line), lines):
                self.session.settle(line)
                self.session.submit(self.session.move_of(line))
        self.session.settle()
        yield from self._tell()
        if self.session.outcome:
            yield Result(self.session.outcome)
        yield Look()
        self.session.go_back(Undo(step_count))
        self._told_step_count = step_count

    def _tell(self) -> Iterator[Tell]:
        """Yield the events since the last call that the learner may see, without forced moves that have no cards."""
        new_steps, self._told_step_count = self.session.steps[self._told_step_count :], len(self.session.steps)
        steps = [step for step in new_steps if not step.auto or step.move.operands]
        if news := visible_events((LEARNER_SEAT_INDEX,), steps):
            yield Tell(news)


def _compare_moves(session: ExampleSession, move: Move, expected_move: Move) -> tuple[str, str]:
    """Return in words what a move brings, and what the move of the example brings instead.

    Facts with cards of the move of the example are left out. Both texts are "" if nothing sets the moves apart.
    """
    turn = session.prompt
    assert turn is not None, "a move answers a question"
    own, expected = session.game.consequences(session.view(turn.seat), (move, expected_move))
    own_results = {_without_cards(fact, move): fact for fact in own}
    expected_results = {_without_cards(fact, expected_move): fact for fact in expected}
    own_facts = [fact for key, fact in own_results.items() if key not in expected_results]
    better_facts = [fact for key, fact in expected_results.items() if key not in own_results]
    own_words = _fact_words(session, turn.seat, own_facts)
    cards = {card for card in expected_move.operands if card not in move.operands}
    better_facts = [fact for fact in better_facts if cards.isdisjoint(fact.fact.cards)]
    better_words = _fact_words(session, turn.seat, better_facts)
    return own_words and f"With that move: {own_words}", better_words and f"With another move: {better_words}"


def _without_cards(consequence: Consequence, move: Move) -> Consequence:
    """Return a consequence without the cards of its move, for a comparison with another move."""

    def mask(cards: Sequence[str]) -> tuple[str, ...]:
        return tuple("" if card in move.operands else card for card in cards)

    fact = consequence.fact
    sentence = fact.sentence and replace(fact.sentence, cards=mask(fact.sentence.cards))
    return replace(consequence, fact=replace(fact, cards=mask(fact.cards), sentence=sentence))


def _fact_words(session: ExampleSession, seat: Seat, consequences: Sequence[Consequence]) -> str:
    """Return consequences of a move as sentences on one line."""
    return result_words(Offer(Move(""), Sentence(""), tuple(consequences), ()), seat, session)
