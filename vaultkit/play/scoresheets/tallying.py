"""The scores of a game with real cards asked for at the screen: who played, then seat by seat as on the sheet."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import partial

from vaultkit.campaign.dates import read_date
from vaultkit.campaign.scoresheets.game import PaperGame, PlayedFrom
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.definition import Question
from vaultkit.play import pages
from vaultkit.play.notetext import plain_lines
from vaultkit.play.scoresheets.lines import HELP, Lines
from vaultkit.play.scoresheets.names import PlayerNaming
from vaultkit.play.scoresheets.review import Review
from vaultkit.play.scoresheets.steps import Step, Typed
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.session.passages import Passage
from vaultkit.session.rulings import ruling

_WHO = 0
"""The step in which who played is asked."""


class Tallying:
    """Asks for a game's scores, so that one can go back and forth; what was typed is in `typed`."""

    def __init__(
        self,
        stage: Stage,
        paper: PaperGame,
        offered: Sequence[str],
        sources: PlayedFrom,
        *,
        check: Callable[[Sequence[str]], object] = lambda _: None,
        guests: Callable[[Sequence[str]], Mapping[str, str]] = lambda _: {},
        said: Collection[str] = (),
        day: Callable[[str], date] = read_date,
    ) -> None:
        """`paper` has game, day and options, and the names of those who played if they are known already.

        `check` raises a VaultkitError for names that cannot sit at one table. `guests` has of the names those without
        a note, each with the player who may be meant, or "". `said` are the keys of options that are not asked for.
        `day` reads a date, and raises a VaultkitError for one on which the game cannot have been played.
        """
        self.stage = stage
        self.typed = Typed(paper, said)
        self.lines = Lines(stage)
        self._naming = PlayerNaming(self.lines, paper.sheet, offered, check, guests)
        self.cards = sources.cards(paper.sheet, paper.tally)
        self._review = Review(self.lines, self.typed, self.cards, day)
        self._correcting = ""
        self._headed, self._insisted = "", ""
        self._explained: set[tuple[str, str]] = set()

    def ask(self) -> PaperGame:
        """The game as it was typed and found right; `forced` where somebody insisted on what is doubted.

        Raises Leave where a person leaves, EOFError at the end of input.
        """
        self.stage.heading(f"{self.typed.game.sheet.title}, {self.typed.game.date.isoformat()}")
        self.lines.say(HELP, "faint")
        at = 1 if self.names else _WHO
        while True:
            steps = self.typed.steps()
            if at == _WHO:
                at = self._who()
            elif at <= len(steps):
                at = self._row(steps, at)
            else:
                decided = self._review.ask()
                if isinstance(decided, PaperGame):
                    return decided
                at = self._after(decided, steps)

    @property
    def names(self) -> tuple[str, ...]:
        return self.typed.game.names

    def _who(self) -> int:
        names = self._naming.ask(self.names)
        if not names:
            return _WHO
        self.typed.rename(names)
        return 1

    def _row(self, steps: Sequence[Step], at: int) -> int:
        """Ask for one row; the number of the step to go on with."""
        step = steps[at - 1]
        if step.name not in {"", self._headed}:
            self.stage.heading(step.name)
        self._headed = step.name
        self._offer(step)
        self._insisted = ""
        asked = step.prompt(self.typed.at(step) or step.usual, self.stage.width)
        if self.lines.settle(asked, partial(self._take, step), partial(self._explain, step)) is None:
            self._correcting = ""
            self._explained.clear()
            return at - 1
        return self._next(at)

    def _take(self, step: Step, typed: str) -> str:
        """Keep a line. Raises UsageError for what is no answer and, once, for what cannot be true."""
        if not typed and self.typed.at(step):
            return typed
        try:
            step.answers(typed, complete=True)
        except UsageError as unclear:
            unclear.hint = f"{unclear.hint} {step.advice}"
            raise
        doubtful = step.doubt(typed)
        if doubtful and typed != self._insisted:
            self._insisted = typed
            raise UsageError(doubtful, hint="Type it once more if it stands.")
        if typed:
            self.typed.keep(step, typed)
        return typed

    def _next(self, at: int) -> int:
        """The step after this one; behind the rows of a player who is corrected, what is asked last."""
        steps = self.typed.steps()
        if self._correcting and (at >= len(steps) or steps[at].name != self._correcting):
            self._correcting = ""
            return next((number for number, step in enumerate(steps, 1) if step.last), len(steps) + 1)
        return at + 1

    def _offer(self, step: Step) -> None:
        """How to count, and what may be chosen, unless that has been told before."""
        for explanation in step.explanations():
            if explanation not in self._explained:
                self._explained.add(explanation)
                self.lines.say(explanation[1], "faint")

    def _after(self, decided: str | None, steps: Sequence[Step]) -> int:
        """Where to go on after a review: with the rows of a player, with who played (""), or one step back (None)."""
        self._headed = ""
        if not decided:
            return len(steps) if decided is None else _WHO
        self._correcting = decided
        self._explained.clear()
        return next((number for number, step in enumerate(steps, 1) if step.name == decided), _WHO)

    def _explain(self, step: Step) -> None:
        """How to count, what may be chosen, the rulings that this stands on, and what may be typed."""
        self._explained.clear()
        self._offer(step)
        speaker = Speaker(lambda seat: self.names[seat], self.cards, self.stage.look)
        for passage in rulings(step.questions):
            self.stage.gap()
            self.stage.show(pages.passage(passage, speaker))
        self.stage.gap()
        self.lines.say(f"{step.advice} {HELP}".lstrip())


def rulings(questions: Sequence[Question]) -> Iterator[Passage]:
    """The rulings that the questions stand on, each once."""
    for number in dict.fromkeys(number for question in questions for number in question.rulings):
        try:
            found = ruling(number)
        except VaultkitError:
            continue
        yield Passage(f"{found.id}: {found.title}", plain_lines(found.settled))
