"""`learn`: the examples of a rule note one after the other, with a person in their first seat."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.games.turn import Move, Prompt
from vaultkit.games.words import Seat
from vaultkit.play import commands, pages
from vaultkit.play.asking import Asking
from vaultkit.play.deciding import Decision
from vaultkit.play.notetext import plain_lines
from vaultkit.play.plain import safe
from vaultkit.play.screen import Screen
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.scene.knowledge import told_to
from vaultkit.scene.reference import Reference
from vaultkit.session.examples import Example, of_game
from vaultkit.session.expectations import try_out
from vaultkit.session.rehearsal import Rehearsal
from vaultkit.session.seats import SeatSpec
from vaultkit.session.terms import Terms
from vaultkit.session.undo import Undo
from vaultkit.vault import Note
from vaultkit.wording import counted

LEARNER: Seat = 0
_WELCOME = (
    "You sit in the first seat and make its moves; the others play as the example wants. Type the letter of a move or "
    "the name of a card, ? for the rule, hint for the move of the example, q to leave. Nothing is kept, so nothing can "
    "go wrong."
)
_OTHERWISE = {"hint": "the move of the example", "q": "leave; nothing of a lesson is kept"}
HELP = tuple((keys, _OTHERWISE.get(keys, meaning)) for keys, meaning in commands.HELP if keys != "u")


class Lesson:
    """Examples of one game on a stage. `begin` makes the game of one, `reference` finds the GM's own words for it.

    `opening` are the words with which the note begins. `rules` are the headings of those that were shown: each is once.
    """

    def __init__(
        self,
        stage: Stage,
        begin: Callable[[Example], Rehearsal],
        reference: Callable[[Rehearsal], Reference],
        opening: str = "",
    ) -> None:
        self.stage = stage
        self.opening = opening
        self.rules = {""}
        self._begin = begin
        self._reference = reference

    def run(self, notes: GameNotes, examples: Sequence[Example]) -> bool:
        """Go through all of them; False where the person leaves before the end."""
        rivals = " --seat bot:easy" * (notes.game.seats_under(notes.settled(()))[0] - 1)
        self.stage.heading(f"{notes.info.title}: {counted(len(examples), 'example')}")
        self.stage.show(Text(safe(self.opening, lines=True)), Text(), Text(_WELCOME))
        self.stage.show(*pages.signs(self.stage.look, self.stage.width))
        try:
            self.stage.wait("To begin, press Enter.")
            for number, example in enumerate(examples, 1):
                self._show(example, f"{number} of {len(examples)}")
                self.stage.wait("To go on, press Enter.")
        except EOFError:
            self.stage.show(Text("\nThat was a part of it. The rest is there whenever you like."))
            return False
        self.stage.show(Text(f"That is all. Now play: vaultkit play {notes.info.id} --seat NAME{rivals}"))
        return True

    def _show(self, example: Example, number: str) -> None:
        you = example.content.seats[LEARNER]
        self.stage.heading(safe(f"{number}: {example.heading or example.path}. You are {you}"))
        first = self._begin(example)
        if faults := try_out(first):
            self._say_broken(faults[0])
            return
        OneExample(self, self._begin(example), first.slip, self._reference).play()

    def _say_broken(self, fault: InvalidError) -> None:
        words = f"This example is left out: {fault.where}: {fault.message} {fault.hint}".strip()
        self.stage.show(Text(safe(words), self.stage.look.style("warning")))


class OneExample:
    """One example with a person in it."""

    def __init__(
        self, lesson: Lesson, session: Rehearsal, slip: int, reference: Callable[[Rehearsal], Reference]
    ) -> None:
        self.lesson, self.stage = lesson, lesson.stage
        self.session = session
        self.slip = slip
        self.speaker = Speaker(session.name, session.deck, self.stage.look)
        self._reference = reference(session)
        self._told = 0
        self._said = False

    def play(self) -> None:
        """All its moves, and what comes of the last one."""
        lines = [*self.session.example.content.moves]
        if self._cite(self.session.example.heading):
            self.stage.wait("To see it played, press Enter.")
        for number in range(len(lines)):
            self.session.settle(lines[number])
            self._tell()
            if number == self.slip:
                self._err()
            if self._is_own(lines[number]):
                other = number + self._ask(lines[number:])
                lines[number], lines[other] = lines[other], lines[number]
            self.session.submit(self.session.move_of(lines[number]))
            self._tell()
        self.session.settle()
        self._tell()
        if outcome := self.session.outcome:
            self.stage.show(*pages.result(outcome, self.speaker))
        self._say(self._why())

    def _is_own(self, line: str) -> bool:
        return self.session.seat_of_line(line) == LEARNER

    def _ask(self, lines: Sequence[str]) -> int:
        """Which of the person's next lines they choose to play; any other move is shown and taken back."""
        session, turn = self.session, self.session.prompt
        assert turn is not None, "a move answers a question"
        session.due = due = session.move_of(lines[0])
        fitting = [session.meant(line.partition(":")[2], turn) for line in takewhile(self._is_own, lines)]
        self._explain(turn)
        while True:
            asking = Asking(session, turn, self.stage, self.speaker, self._reference, range(session.view(0).seats))
            move = Decision(asking, turn, help=HELP).ask()
            if move is None:
                continue
            if (move,) in fitting:
                return fitting.index((move,))
            self._take_back(move)
            self._say(f"The rules allow that, but the example goes another way: {session.label(due)}.")
            self.stage.wait("To try again, press Enter.")

    def _explain(self, turn: Prompt) -> None:
        """Show the GM's own words for a question, those of the rule that is cited and of this example, each once."""
        cited = self._cite(turn.rule.rpartition("#")[2])
        why = self._why()
        self._say(why)
        if why or cited:
            self.stage.wait("It is your move: press Enter.")

    def _cite(self, heading: str) -> bool:
        """Show the GM's own words under a heading; False where there are none, or they were shown before."""
        new, rules = heading not in self.lesson.rules, self.lesson.rules
        rules.add(heading)
        rule = self._reference.rule(heading, ()) if new else None
        if rule:
            title = "" if heading == self.session.example.heading else heading
            self.stage.show(pages.passage(replace(rule, title=title, source=""), self.speaker))
            self.stage.gap()
        return rule is not None

    def _why(self) -> str:
        """The words of the example, once."""
        said, self._said = self._said, True
        return "" if said else safe(self.session.example.content.say)

    def _err(self) -> None:
        """Show the mistake of the example, and take it back."""
        name, _, words = self.session.example.content.mistake.partition(":")
        turn = self.session.prompt
        found = self.session.meant(words, turn) if turn else ()
        self._say(f"A mistake first. {safe(name.strip())} tries: {safe(words.strip())}.")
        if turn and found:
            self._take_back(found[0])
        elif turn:
            reasons = (self.session.refusal(card, turn) for card in self.session.cards_of(words))
            self._say(next(filter(None, reasons), "The rules do not allow it here."))

    def _take_back(self, move: Move) -> None:
        """Make a move, show what comes of it, and go back to where it was made."""
        before = len(self.session.steps)
        self.session.submit(move)
        self.session.settle()
        self._tell()
        self.session.go_back(Undo(before))
        self._told = before
        self._say("Taken back.")

    def _tell(self) -> None:
        """Show what the person has seen since; that somebody could do nothing says nothing."""
        new, self._told = self.session.steps[self._told :], len(self.session.steps)
        steps = [step for step in new if not step.auto or step.move.operands]
        self.stage.show(*pages.story(told_to((LEARNER,), steps), self.speaker))

    def _say(self, text: str) -> None:
        if text:
            self.stage.show(Text(text, self.stage.look.style("notable")))


def opening_of(note: Note) -> str:
    """The words between the title of a note and its next heading, for people."""
    title, after = (*note.headings, None, None)[:2]
    return plain_lines(note.text[title.end : after.start if after else None]) if title else ""


def examples_for(notes: GameNotes) -> list[Example]:
    """The examples of a game's rule note. Raises InvalidError without a note, NothingFound without examples in it."""
    if notes.rule_note is None:
        hint = f"Copy ours in with: vaultkit init --with {notes.info.id}"
        raise InvalidError(f"This vault has no rule note for {notes.info.title}.", hint=hint)
    note = notes.rule_note.note
    if found := of_game(note, notes.info.id):
        return found
    hint = "docs/rule-notes.md tells how to write one; the rule notes of the demo have some: vaultkit demo"
    raise NothingFound(f"'{note.path}' has no examples to learn {notes.info.title} from.", hint=hint)


def teach(
    notes: GameNotes,
    examples: Sequence[Example],
    console: Console,
    script: str | None,
    *,
    plain: bool,
    ascii_only: bool,
) -> bool:
    """Go through examples at this screen; False where the person leaves before the end."""
    assert notes.rule_note is not None, "the examples stand in it"
    screen = Screen.open(console, (SeatSpec(""),), script, plain=plain, ascii_only=ascii_only)
    workspace, note = notes.workspace, notes.rule_note.note
    terms = Terms(workspace.vault, workspace.compendium)
    lesson = Lesson(
        screen.stage(notes.deck_note.deck),
        lambda example: terms.rehearsal(note, example),
        lambda session: notes.reference(session, partial(plain_lines, examples=False)),
        opening_of(note),
    )
    return lesson.run(notes, examples)
