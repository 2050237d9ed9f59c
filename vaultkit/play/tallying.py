"""The scores of a game with real cards asked for at the screen: who played, then seat by seat as on the sheet."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rich.text import Text

from vaultkit.campaign.paper.answers import Unclear, answer, is_blank, row_parts, row_title
from vaultkit.campaign.paper.game import PaperGame, PlayedFrom, doubts, score_keeping, seats_of
from vaultkit.compendium import rulenote
from vaultkit.errors import VaultkitError
from vaultkit.games import registry
from vaultkit.games.tally import Answer, Question, SeatTally, Tally
from vaultkit.play import pages
from vaultkit.play.notetext import plain_lines
from vaultkit.play.plain import safe
from vaultkit.play.reference import Passage
from vaultkit.play.sources import Leave
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.play.tally_steps import Step, above, by_row, empty, is_due, is_list, numbered, refuse_missing

HELP = "Enter takes what stands in brackets. b goes back one question, ? shows the rule, q leaves without writing."
_BACK, _LEAVE = frozenset({"b", "back"}), frozenset({"q", "quit", "exit"})


class Tallying:
    """Asks for a game's scores, and keeps what was typed by player and row, so that one can go back and forth."""

    def __init__(
        self,
        stage: Stage,
        paper: PaperGame,
        offered: Sequence[str],
        sources: PlayedFrom,
        check: Callable[[Sequence[str]], object] = lambda _: None,
    ) -> None:
        """`paper` has game, day and options, and the names of those who played if they are known already.

        `check` raises a VaultkitError for names that cannot sit at one table.
        """
        self.stage = stage
        self.paper = paper
        self.offered = tuple(offered)
        self.info = registry.find(paper.game)
        self.keeping = score_keeping(paper.game)
        self.cards = sources.cards(paper.rules, paper.tally)
        self.names: tuple[str, ...] = paper.names
        self._check = check
        self._typed: dict[tuple[str, str], str] = {}
        self._correcting = ""

    def ask(self) -> PaperGame:
        """The game as it was typed and found right; `forced` where somebody insisted on what is doubted.

        Raises Leave where a person leaves, EOFError at the end of input.
        """
        self.stage.heading(f"{self.info.title}, {self.paper.date.isoformat()}")
        self.stage.show(Text(HELP, self.stage.look.style("faint")))
        at = 1 if self.names else 0
        while True:
            steps = self._steps()
            if at == 0:
                at = self._who()
            elif at <= len(steps):
                at = self._row(steps, at)
            else:
                found = self._paper()
                told = doubts(found, self.cards)
                at = self._review(found, told, steps)
                if at < 0:
                    return replace(found, forced=bool(told))

    def _steps(self) -> list[Step]:
        options = self.paper.tally.options
        first = self.keeping.first(options)
        each = self.keeping.each(options, self._answers("", first)[0])
        steps = [*by_row("", first)]
        for name in self.names:
            steps += by_row(name, each)
        return steps + [replace(step, last=True) for step in by_row("", self.keeping.last(self._seats()))]

    def _seats(self) -> Tally:
        """The tally without what is asked last; what was not typed yet counts as left empty."""
        options = self.paper.tally.options
        common, _ = self._answers("", self.keeping.first(options))
        each = self.keeping.each(options, common)
        seats = tuple(SeatTally(*self._answers(name, each)) for name in self.names)
        return Tally(options, seats, common)

    def _paper(self) -> PaperGame:
        tally = self._seats()
        ended, _ = self._answers("", self.keeping.last(tally))
        return replace(self.paper, names=self.names, tally=replace(tally, common={**tally.common, **ended}))

    def _answers(
        self, name: str, questions: Sequence[Question]
    ) -> tuple[dict[str, Answer], dict[str, tuple[int, ...]]]:
        """What was typed for these questions, or what stands in their brackets; and the summands of sums."""
        answers: dict[str, Answer] = {}
        summands: dict[str, tuple[int, ...]] = {}
        for step in by_row(name, questions):
            try:
                found = self._understood(step.questions, self._typed.get(step.place, ""))
            except Unclear:  # the questions have changed since it was typed
                found = self._understood(step.questions, "")
            for question, (value, terms) in zip(step.questions, found, strict=True):
                answers[question.key] = value
                summands |= {question.key: terms} if terms else {}
        return answers, summands

    def _understood(self, questions: Sequence[Question], typed: str) -> list[tuple[Answer, tuple[int, ...]]]:
        parts = row_parts(questions, typed)
        return [
            (empty(question), ()) if is_blank(part) else answer(question, numbered(question, part))
            for question, part in zip(questions, parts, strict=True)
        ]

    def _who(self) -> int:
        usual = ", ".join(self.names or self.offered)
        if usual:
            self.stage.show(Text(safe(f"At the table: {usual}")))
        typed = self._line(
            f"Who played? Names with commas between{', Enter = all these' * bool(usual)}: ", self.offered
        )
        if typed is None:
            self.stage.show(Text("This is the first question."))
            return 0
        if typed.startswith("?"):
            self.stage.show(Text("Players by their names or the aliases of their notes; others are guests."))
            return 0
        try:
            names = seats_of([name.strip() for name in (typed or usual).split(",") if name.strip()], self.info)
            self._check(names)
        except VaultkitError as error:
            self._refuse(error.message)
            return 0
        self.names = names
        return 1

    def _row(self, steps: Sequence[Step], at: int) -> int:
        """Ask for one row; the number of the step to go on with."""
        step = steps[at - 1]
        if step.name and (at == 1 or steps[at - 2].name != step.name):
            self.stage.heading(step.name)
        self._offer(step)
        insisted = ""
        while True:
            typed = self._line(self._asked(step), ())
            if typed is None:
                self._correcting = ""
                return at - 1
            if typed.startswith("?"):
                self._explain(step)
                continue
            try:
                if typed or step.place not in self._typed:
                    refuse_missing(step, typed)
                found = self._understood(step.questions, typed) if typed else None
            except Unclear as unclear:
                self._refuse(f"{unclear.message} {unclear.hint}")
                continue
            doubtful = above(step.questions, [value for value, _ in found or ()])
            if doubtful and typed != insisted:
                insisted = typed
                self._refuse(f"{doubtful} Type it once more if it stands.")
                continue
            if typed:
                self._typed[step.place] = typed
            return self._next(steps, at)

    def _next(self, steps: Sequence[Step], at: int) -> int:
        """The step after this one; behind the rows of a player who is corrected, what is asked last."""
        steps = self._steps()
        if self._correcting and (at >= len(steps) or steps[at].name != self._correcting):
            self._correcting = ""
            return next((number for number, step in enumerate(steps, 1) if step.last), len(steps) + 1)
        return at + 1

    def _offer(self, step: Step) -> None:
        """What a question with choices may be answered, where the words say more than the choice."""
        for question in step.questions:
            if is_list(question):
                self.stage.show(Text(question.title))
                for number, (choice, words) in enumerate(question.choices.items(), 1):
                    self.stage.show(Text(safe(f"  {number}  {choice}: {words}")))

    def _asked(self, step: Step) -> str:
        """The question: `Ysolde, Swords: total of numbers / heroes [23/1]: `."""
        question = step.questions[0]
        usual = self._typed.get(step.place) or "/".join(
            "" if is_due(step, one) else str(empty(one)) for one in step.questions
        )
        who = f"{step.name}, " if step.name else ""
        if is_list(question) and len(step.questions) == 1:
            return f"{who}which one{f' [{usual}]' * bool(usual)}: "
        choices = f" ({', '.join(question.choices)})" if question.choices and len(step.questions) == 1 else ""
        return f"{who}{row_title(step.questions)}{choices}{f' [{usual}]' * bool(usual.strip('/'))}: "

    def _review(self, found: PaperGame, told: Sequence[str], steps: Sequence[Step]) -> int:
        """Show what it comes to; -1 if it is right, else the step to go on with."""
        speaker = Speaker(lambda seat: self.names[seat], self.cards, self.stage.look)
        outcome = found.outcome
        self.stage.heading("What it comes to")
        self.stage.show(*pages.ending(outcome, found.rules.score_tables(outcome), (), speaker))
        for doubt in told:
            self.stage.show(Text(safe(f"This cannot be true: {doubt}"), self.stage.look.style("warning")))
        players = ", ".join(f"{number} {name}" for number, name in enumerate(self.names, 1))
        self.stage.show(Text(safe(f"Players: {players}")))
        asked = "Record it anyway, with a remark?" if told else "Is this right?"
        while True:
            typed = self._line(f"{asked} (Enter = yes, b = back, a name or number = correct that one) ", self.names)
            if typed is None:
                return len(steps)
            if typed.casefold() in {"", "y", "yes"}:
                return -1
            chosen = self._player(typed)
            if chosen:
                self._correcting = chosen
                return next((number for number, step in enumerate(steps, 1) if step.name == chosen), 0)
            self._refuse(f"'{typed}' is none of the players.")

    def _player(self, typed: str) -> str:
        """The player of that number or name, or whose name alone begins so."""
        if typed.isdecimal() and 1 <= int(typed) <= len(self.names):
            return self.names[int(typed) - 1]
        wanted = typed.casefold()
        found = [name for name in self.names if name.casefold() == wanted]
        found = found or [name for name in self.names if name.casefold().startswith(wanted)]
        return found[0] if len(found) == 1 else ""

    def _line(self, asked: str, words: Sequence[str]) -> str | None:
        """What was typed; None to go back. Raises Leave where a person leaves."""
        typed = safe(self.stage.answer(Text(safe(asked)), safe(asked), words)).strip()
        if typed.casefold() in _LEAVE:
            raise Leave
        return None if typed.casefold() in _BACK else typed

    def _refuse(self, message: str) -> None:
        if self.stage.source.refuse(message, HELP):
            self.stage.show(Text(safe(message), self.stage.look.style("warning")))

    def _explain(self, step: Step) -> None:
        """The rulings that the questions stand on."""
        numbers = dict.fromkeys(number for question in step.questions for number in question.rulings)
        speaker = Speaker(lambda seat: self.names[seat], self.cards, self.stage.look)
        if not numbers:
            self.stage.show(Text(HELP))
        for number in numbers:
            try:
                ruling = rulenote.ruling(number)
            except VaultkitError:
                continue
            passage = Passage(f"{ruling.id}: {ruling.title}", plain_lines(ruling.text))
            self.stage.show(pages.passage(passage, speaker))
