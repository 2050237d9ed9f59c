"""Lessons: the examples of a rule note, played step by step with a learner in the first seat, for any front-end.

A lesson is a generator of beats, such as a text to show or a question to ask, which a front-end presents in order.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import msgspec

from vaultkit.errors import InvalidError
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.turn import Move, Prompt
from vaultkit.scene.knowledge import StepEvent, visible_events
from vaultkit.scene.rule_reference import Reference
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
    """A question to the learner; the front-end sends the answer to the generator as a move.

    `reason` says which kind of text came just before and should be read first: "words" for an explanation, "mistake"
    for the answer to a move that was taken back, "" for none.
    """

    turn: Prompt
    reason: str = ""


Beat = Begin | Lay | Say | Cite | Tell | Result | Pause | Look | Ask
BeatGenerator = Generator[Beat, Move | None, None]
CheckMoveOrder = Callable[[Example, Sequence[str]], bool]


@dataclass(frozen=True)
class Lesson:
    """The examples of one game, and the errors of examples that cannot be taught.

    `begin` creates the game of an example, `reference` creates the source of rules for it. `opening` is the text at the
    beginning of the note, `reading` are passages to read before the examples, `farewell` is the text at the end of the
    lesson.
    """

    title: str
    examples: Sequence[Example | InvalidError]
    begin: Callable[[Example], ExampleSession]
    reference: Callable[[ExampleSession], Reference]
    opening: str
    reading: Sequence[Passage]
    farewell: str

    def course(self) -> BeatGenerator:
        """Yield the beats of the lesson; no passage is cited twice."""
        cited_headings = {"", *(passage.title for passage in self.reading)}
        yield Pause("begin")
        for passage in self.reading:
            yield from (Cite(passage), Pause("read on"))
        for number, example in enumerate(self.examples, 1):
            number_text = f"{number} of {len(self.examples)}"
            if isinstance(example, InvalidError):
                yield Begin(f"{number_text} is left out")
                yield Say(_describe_fault(example), is_warning=True)
            else:
                learner_seat = example.content.seats[LEARNER_SEAT_INDEX]
                yield Begin(f"{number_text}: {example.heading or example.path}. You are {learner_seat}")
                yield from self._teach_example(example, cited_headings)
            yield Pause("go on")

    def _teach_example(self, example: Example, cited_headings: set[str]) -> BeatGenerator:
        finished_session, session = self.begin(example), self.begin(example)
        finished_session.play()
        reference = self.reference(session)
        yield Lay(session, reference)
        mistake_index = finished_session.mistake_index
        yield from _ExamplePlayer(session, mistake_index, reference, cited_headings, self._check_move_order).play()

    def _check_move_order(self, example: Example, moves: Sequence[str]) -> bool:
        """Return whether an example still meets its expectations with its moves in this order."""
        content = msgspec.structs.replace(example.content, moves=[*moves])
        return not find_errors(self.begin(replace(example, content=content)))


class _ExamplePlayer:
    """A player of one example with a learner.

    `mistake_index` is the index of the move before which the example's mistake is shown, -1 for none. `cited_headings`
    are the headings of rules that were already cited. `check_move_order` returns whether the example still meets its
    expectations with its moves in another order.
    """

    def __init__(
        self,
        session: ExampleSession,
        mistake_index: int,
        reference: Reference,
        cited_headings: set[str],
        check_move_order: CheckMoveOrder,
    ) -> None:
        self.session = session
        self.mistake_index = mistake_index
        self.cited_headings = cited_headings
        self._reference = reference
        self._check_move_order = check_move_order
        self._told_step_count = 0
        self._is_explained = False

    def play(self) -> BeatGenerator:
        """Yield the beats of the moves of the example, and of its result."""
        lines = [*self.session.example.content.moves]
        if citation := self._find_citation(self.session.example.heading):
            yield from (citation, Pause("see it played"))
        for move_index in range(len(lines)):
            self.session.settle(lines[move_index])
            yield from self._tell()
            if move_index == self.mistake_index:
                yield from self._show_mistake()
            if self._is_learner_line(lines[move_index]):
                lines = yield from self._ask(lines, move_index)
            self.session.submit(self.session.move_of(lines[move_index]))
            yield from self._tell()
        self.session.settle()
        yield from self._tell()
        if self.session.outcome:
            yield Result(self.session.outcome)
        yield from self._say_explanation()

    def _is_learner_line(self, line: str) -> bool:
        return self.session.seat_of_line(line) == LEARNER_SEAT_INDEX

    def _ask(self, lines: list[str], move_index: int) -> Generator[Beat, Move | None, list[str]]:
        """Ask the learner for the move at `move_index`, and return the lines in the order that the learner chose.

        The learner may also make one of their next moves first if the example still meets its expectations. Any other
        move is shown and taken back.
        """
        session, turn = self.session, self.session.prompt
        assert turn is not None, "a move answers a question"
        session.expected_move = expected_move = session.move_of(lines[move_index])
        next_learner_lines = [*takewhile(self._is_learner_line, lines[move_index:])]
        explanation_beats = [*self._explain(turn)]
        yield from explanation_beats
        reason = "words" if explanation_beats else ""
        while True:
            move = yield Ask(turn, reason)
            assert move is not None, "it was asked for"
            for line_index, line in enumerate(next_learner_lines, move_index):
                if (move,) == session.find_moves(line.partition(":")[2], turn):
                    reordered_lines = [*lines]
                    reordered_lines[move_index], reordered_lines[line_index] = line, lines[move_index]
                    if line_index == move_index or self._check_move_order(session.example, reordered_lines):
                        return reordered_lines
            yield from self._take_back(move)
            yield Say(f"The rules allow that, but the example goes another way: {session.label(expected_move)}.")
            reason = "mistake"

    def _explain(self, turn: Prompt) -> Iterator[Beat]:
        """Yield the rule that a question cites and the explanation of the example, unless they were shown before."""
        if citation := self._find_citation(turn.rule.rpartition("#")[2]):
            yield citation
        yield from self._say_explanation()

    def _find_citation(self, heading: str) -> Cite | None:
        """Return the GM's passage under a heading, None if there is none or it was already cited."""
        is_new = heading not in self.cited_headings
        self.cited_headings.add(heading)
        rule = self._reference.rule(heading, ()) if is_new else None
        title = "" if heading == self.session.example.heading else heading
        return Cite(replace(rule, title=title, source="")) if rule else None

    def _say_explanation(self) -> Iterator[Say]:
        """Yield the explanation of the example, unless there is none or it was shown before."""
        if self.session.example.content.say and not self._is_explained:
            yield Say(self.session.example.content.say)
        self._is_explained = True

    def _show_mistake(self) -> BeatGenerator:
        """Yield the beats of the example's mistake: it is made and taken back, or the reason why it is refused."""
        name, _, words = self.session.example.content.mistake.partition(":")
        turn = self.session.prompt
        moves = self.session.find_moves(words, turn) if turn else ()
        yield Say(f"A mistake first. {name.strip()} tries: {words.strip()}.")
        if turn and moves:
            yield from self._take_back(moves[0])
        elif turn:
            reasons = (self.session.refusal(card, turn) for card in self.session.cards_of(words))
            yield Say(next(filter(None, reasons), "The rules do not allow it here."))

    def _take_back(self, move: Move) -> BeatGenerator:
        """Make a move, yield the beats of what follows from it, and undo it."""
        step_count = len(self.session.steps)
        self.session.submit(move)
        self.session.settle()
        yield from self._tell()
        yield Look()
        self.session.go_back(Undo(step_count))
        self._told_step_count = step_count
        yield Say("Taken back.")

    def _tell(self) -> Iterator[Tell]:
        """Yield the events since the last call that the learner may see, without forced moves that have no cards."""
        new_steps, self._told_step_count = self.session.steps[self._told_step_count :], len(self.session.steps)
        steps = [step for step in new_steps if not step.auto or step.move.operands]
        if news := visible_events((LEARNER_SEAT_INDEX,), steps):
            yield Tell(news)


def _describe_fault(fault: InvalidError) -> str:
    path, _, line = fault.where.rpartition(":")
    return f"It cannot be played. '{path}', line {line}: {fault.message_with_hint}"
