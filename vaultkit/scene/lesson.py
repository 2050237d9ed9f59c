"""A lesson, beat by beat, for whatever shows it: the examples of a rule note, with a person in their first seat."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import msgspec

from vaultkit.errors import InvalidError
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Outcome, Seat
from vaultkit.scene.knowledge import Told, told_to
from vaultkit.scene.reference import Reference
from vaultkit.session.examples import Example
from vaultkit.session.expectations import try_out
from vaultkit.session.passages import Passage
from vaultkit.session.rehearsal import Rehearsal
from vaultkit.session.undo import Undo

LEARNER: Seat = 0


@dataclass(frozen=True, slots=True)
class Begin:
    """The next example begins."""

    heading: str


@dataclass(frozen=True, slots=True)
class Lay:
    """The cards of an example lie on the table."""

    session: Rehearsal
    reference: Reference


@dataclass(frozen=True, slots=True)
class Say:
    """Words of an example or of the lesson, as they stand in a note: whoever shows them makes them safe."""

    words: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Cite:
    """The GM's own words for a rule."""

    passage: Passage


@dataclass(frozen=True, slots=True)
class Tell:
    """News for the learner."""

    news: Sequence[Told]


@dataclass(frozen=True, slots=True)
class Result:
    """The game of an example is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Pause:
    """It goes on once the person wants to `go_on`, which is a verb with what belongs to it."""

    go_on: str


@dataclass(frozen=True, slots=True)
class Look:
    """A move that does not count has been made. It is taken back next: a screen that shows the table stops here."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The learner is to move; the move is sent back. `reason` is why the words before should be read first, if any."""

    turn: Prompt
    reason: str = ""


Beat = Begin | Lay | Say | Cite | Tell | Result | Pause | Look | Ask
Course = Generator[Beat, Move | None, None]
Holds = Callable[[Example, Sequence[str]], bool]


@dataclass(frozen=True)
class Lesson:
    """Examples of one game, and what is wrong with those that cannot be taught.

    `begin` makes the game of an example, `reference` finds the GM's own words for it. `opening` are the words with
    which the note begins, `reading` the passages that explain what the examples take for known, `farewell` the words at
    the end of all.
    """

    title: str
    examples: Sequence[Example | InvalidError]
    begin: Callable[[Example], Rehearsal]
    reference: Callable[[Rehearsal], Reference]
    opening: str
    reading: Sequence[Passage]
    farewell: str

    def course(self) -> Course:
        """All beats. Each passage of the note comes once."""
        rules = {"", *(passage.title for passage in self.reading)}
        yield Pause("begin")
        for passage in self.reading:
            yield from (Cite(passage), Pause("read on"))
        for number, example in enumerate(self.examples, 1):
            place = f"{number} of {len(self.examples)}"
            if isinstance(example, InvalidError):
                yield Begin(f"{place} is left out")
                yield Say(_excuse(example), is_warning=True)
            else:
                yield Begin(f"{place}: {example.heading or example.path}. You are {example.content.seats[LEARNER]}")
                yield from self._teach(example, rules)
            yield Pause("go on")

    def _teach(self, example: Example, rules: set[str]) -> Course:
        first, session = self.begin(example), self.begin(example)
        first.play()
        reference = self.reference(session)
        yield Lay(session, reference)
        yield from _Performance(session, first.slip, reference, rules, self._holds).play()

    def _holds(self, example: Example, moves: Sequence[str]) -> bool:
        """Whether an example comes true with its moves in this order."""
        content = msgspec.structs.replace(example.content, moves=[*moves])
        return not try_out(self.begin(replace(example, content=content)))


class _Performance:
    """One example with the learner in it. `rules` are the headings of those that were cited before.

    `holds` says whether the example comes true with its moves in another order.
    """

    def __init__(self, session: Rehearsal, slip: int, reference: Reference, rules: set[str], holds: Holds) -> None:
        self.session = session
        self.slip = slip
        self.rules = rules
        self._reference = reference
        self._holds = holds
        self._steps = 0
        self._is_explained = False

    def play(self) -> Course:
        """All its moves, and what comes of the last one."""
        lines = [*self.session.example.content.moves]
        if cited := self._cite(self.session.example.heading):
            yield from (cited, Pause("see it played"))
        for number in range(len(lines)):
            self.session.settle(lines[number])
            yield from self._tell()
            if number == self.slip:
                yield from self._err()
            if self._is_own(lines[number]):
                lines = yield from self._ask(lines, number)
            self.session.submit(self.session.move_of(lines[number]))
            yield from self._tell()
        self.session.settle()
        yield from self._tell()
        if self.session.outcome:
            yield Result(self.session.outcome)
        yield from self._why()

    def _is_own(self, line: str) -> bool:
        return self.session.seat_of_line(line) == LEARNER

    def _ask(self, lines: list[str], number: int) -> Generator[Beat, Move | None, list[str]]:
        """The lines with the one that the person plays in place of this number; another move is shown and taken back.

        It may be any of their next lines with which the example still comes true.
        """
        session, turn = self.session, self.session.prompt
        assert turn is not None, "a move answers a question"
        session.due = due = session.move_of(lines[number])
        own = [*takewhile(self._is_own, lines[number:])]
        explained = [*self._explain(turn)]
        yield from explained
        reason = "words" if explained else ""
        while True:
            move = yield Ask(turn, reason)
            assert move is not None, "it was asked for"
            for other, line in enumerate(own, number):
                if (move,) == session.meant(line.partition(":")[2], turn):
                    swapped = [*lines]
                    swapped[number], swapped[other] = line, lines[number]
                    if other == number or self._holds(session.example, swapped):
                        return swapped
            yield from self._take_back(move)
            yield Say(f"The rules allow that, but the example goes another way: {session.label(due)}.")
            reason = "mistake"

    def _explain(self, turn: Prompt) -> Iterator[Beat]:
        """The GM's own words for a question, those of the rule that is cited and of this example, each once."""
        if cited := self._cite(turn.rule.rpartition("#")[2]):
            yield cited
        yield from self._why()

    def _cite(self, heading: str) -> Cite | None:
        """The GM's own words under a heading; None where there are none, or they were cited before."""
        new = heading not in self.rules
        self.rules.add(heading)
        rule = self._reference.rule(heading, ()) if new else None
        title = "" if heading == self.session.example.heading else heading
        return Cite(replace(rule, title=title, source="")) if rule else None

    def _why(self) -> Iterator[Say]:
        """The words of the example, once."""
        if self.session.example.content.say and not self._is_explained:
            yield Say(self.session.example.content.say)
        self._is_explained = True

    def _err(self) -> Course:
        """Make the mistake of the example, and take it back."""
        name, _, words = self.session.example.content.mistake.partition(":")
        turn = self.session.prompt
        meant = self.session.meant(words, turn) if turn else ()
        yield Say(f"A mistake first. {name.strip()} tries: {words.strip()}.")
        if turn and meant:
            yield from self._take_back(meant[0])
        elif turn:
            reasons = (self.session.refusal(card, turn) for card in self.session.cards_of(words))
            yield Say(next(filter(None, reasons), "The rules do not allow it here."))

    def _take_back(self, move: Move) -> Course:
        """Make a move, tell what comes of it, and go back to where it was made."""
        before = len(self.session.steps)
        self.session.submit(move)
        self.session.settle()
        yield from self._tell()
        yield Look()
        self.session.go_back(Undo(before))
        self._steps = before
        yield Say("Taken back.")

    def _tell(self) -> Iterator[Tell]:
        """The news for the learner since; that somebody could do nothing is none."""
        new, self._steps = self.session.steps[self._steps :], len(self.session.steps)
        steps = [step for step in new if not step.auto or step.move.operands]
        if news := told_to((LEARNER,), steps):
            yield Tell(news)


def _excuse(fault: InvalidError) -> str:
    path, _, line = fault.where.rpartition(":")
    return f"It cannot be played. '{path}', line {line}: {fault.in_full}"
