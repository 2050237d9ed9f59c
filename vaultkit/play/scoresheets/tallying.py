"""The scores of a game with real cards asked for at the screen: who played, then seat by seat as on the sheet."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from rich.text import Text

from vaultkit.campaign.players import bare_name, find_seats
from vaultkit.campaign.scoresheets.game import PaperGame, past_day
from vaultkit.campaign.scoresheets.logging import PaperLog
from vaultkit.cards import Deck
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.play import commands, pages
from vaultkit.play.guests import is_meant
from vaultkit.play.notetext import plain_lines
from vaultkit.play.plain import safe
from vaultkit.play.scoresheets.steps import Step, Typed
from vaultkit.play.sources import Leave
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage
from vaultkit.session.passages import Passage
from vaultkit.session.rulings import known_ruling

_WHO = 0
"""The step in which who played is asked."""
_NAMES = "Players by their names or the aliases of their notes; others are guests."
_CHANGES = (
    "q leaves and writes nothing, b goes back, a name or number corrects that player, 0 who played, "
    "a date such as 2026-11-03 the day."
)


class Tallying:
    """Asks for a game's scores, so that one can go back and forth; what was typed is in `typed`."""

    def __init__(self, stage: Stage, log: PaperLog, paper: PaperGame, cards: Deck, said: Collection[str] = ()) -> None:
        """`paper` has game, day and options, and the names of those who played if they are known already.

        `said` are the keys of options that are not asked for.
        """
        self.stage, self.log, self.sheet = stage, log, paper.sheet
        self.offered = tuple(map(bare_name, log.workspace.settings.players))
        self.typed, self.lines = Typed(paper, said), Lines(stage)
        self._speaker = Speaker(lambda seat: self.names[seat], cards, stage.look)
        self._correcting, self._headed, self._insisted = "", "", ""
        self._explained: set[tuple[str, str]] = set()

    def ask(self) -> PaperGame:
        """The game as it was typed and found right; `forced` where somebody insisted on what is doubted.

        Raises Leave where a person leaves, EOFError at the end of input.
        """
        self.stage.heading(f"{self.sheet.title}, {self.typed.game.date.isoformat()}")
        self.lines.say(HELP, "faint")
        at: int | PaperGame = 1 if self.names else _WHO
        while isinstance(at, int):
            steps = self.typed.steps()
            if at == _WHO:
                at = self._who()
            else:
                at = self._row(steps[at - 1], at) if at <= len(steps) else self._review(steps)
        return at

    @property
    def names(self) -> tuple[str, ...]:
        return self.typed.game.names

    def _who(self) -> int:
        """Ask for the names; the number of the step to go on with, as of all that ask here."""
        usual = self.names or self.offered
        if usual:
            self.lines.say(f"At the table: {', '.join(usual)}")
        if len(usual) > self.sheet.seats[1]:
            usual = ()
        asked = f"Who played? Names with commas between{', Enter = all these' if usual else ''}: "
        explain = partial(self.lines.say, _NAMES)
        names = self.lines.settle(asked, lambda typed: self._seated(typed, usual), explain, self.offered)
        if names is None:
            self.lines.say("This is the first question.")
            return _WHO
        self.typed.rename(names)
        return 1

    def _seated(self, typed: str, usual: Sequence[str]) -> tuple[str, ...]:
        """The names in a line, those corrected that somebody mistyped.

        Raises a VaultkitError for what is no name, and for names that cannot sit at one table.
        """
        names = [name for name in map(str.strip, typed.split(",")) if name] if typed else usual
        if wrong := next((name for name in names if typed and not any(map(str.isalpha, name))), ""):
            raise UsageError(f"'{wrong}' is no name, and this asks who played. The scores are asked for next.")
        return self.log.people.seat(names, self.sheet.title, self._sure, self.lines.warn)

    def _sure(self, name: str, player: str) -> bool:
        """Whether a guest is the player of almost that name. Raises UsageError where the person goes back instead."""
        sure = is_meant(name, player, self.lines.ask)
        if sure is None:
            raise UsageError("Who played is asked once more.")
        return sure

    def _row(self, step: Step, at: int) -> int:
        """Ask for one row."""
        if step.name not in {"", self._headed}:
            self.stage.heading(step.name)
        self._headed, self._insisted = step.name, ""
        self._offer(step)
        asked = step.prompt(self.typed.at(step) or step.usual, self.stage.width)
        if self.lines.settle(asked, partial(self._take, step), partial(self._explain, step)) is None:
            self._correcting = ""
            self._explained.clear()
            return at - 1
        steps = self.typed.steps()
        if self._correcting and (at >= len(steps) or steps[at].name != self._correcting):
            self._correcting = ""
            return next((number for number, one in enumerate(steps, 1) if number > at and not one.name), len(steps) + 1)
        return at + 1

    def _take(self, step: Step, typed: str) -> str:
        """Keep a line. Raises UsageError for what is no answer and, once, for what cannot be true."""
        kept = self.typed.at(step)
        try:
            step.answers(typed or kept, complete=True)
        except UsageError as unclear:
            unclear.hint = f"{unclear.hint} {step.advice}".strip()
            raise
        doubtful = step.doubt(typed)
        if doubtful and typed != self._insisted:
            self._insisted = typed
            raise UsageError(doubtful, hint="Type it once more if it stands.")
        if typed:
            self.typed.keep(step, typed)
        return typed

    def _offer(self, step: Step) -> None:
        """How to count, and what may be chosen, unless that has been told before."""
        for explanation in step.explanations():
            if explanation not in self._explained:
                self._explained.add(explanation)
                self.lines.say(explanation[1], "faint")

    def _explain(self, step: Step) -> None:
        """How to count, what may be chosen, the rulings that this stands on, and what may be typed."""
        self._explained.clear()
        self._offer(step)
        numbers = dict.fromkeys(number for question in step.questions for number in question.rulings)
        for ruling in filter(None, map(known_ruling, numbers)):
            passage = Passage(f"{ruling.id}: {ruling.title}", plain_lines(ruling.settled))
            self.stage.gap()
            self.stage.show(pages.passage(passage, self._speaker.look))
        self.stage.gap()
        self.lines.say(f"{step.advice or f'Accepted: {step.questions[0].accepted}.'} {HELP}")

    def _review(self, steps: Sequence[Step]) -> int | PaperGame:
        """Show what the scores come to, and ask whether it is right; the game if it is, else the step to go to.

        It is `forced` where somebody insisted on what is doubted.
        """
        paper = self.typed.paper()
        found = paper.doubts
        self._show(paper, found)
        asked = "Record it anyway, with a remark? (y = yes) " if found else "Is this right? (Enter = yes) "
        take = partial(self._decide, steps, replace(paper, forced=bool(found)))
        decided = self.lines.settle(asked, take, partial(self.lines.refuse, _CHANGES), self.names)
        self._headed = ""
        return len(steps) if decided is None else decided

    def _decide(self, steps: Sequence[Step], paper: PaperGame, typed: str) -> int | PaperGame:
        """The game, or the step to go to. Raises a VaultkitError for what is none of the answers."""
        if typed.casefold() in {"y", "yes"} or not (typed or paper.forced):
            return paper
        if typed.casefold() in {"", "n", "no"}:
            raise UsageError("", hint=_CHANGES)
        if typed == "0":
            return _WHO
        if chosen := self._player(typed):
            self._correcting = chosen
            self._explained.clear()
            return next((number for number, step in enumerate(steps, 1) if step.name == chosen), _WHO)
        if re.search(r"\d\D+\d", typed):
            self.typed.game = replace(self.typed.game, date=past_day(typed, self.log.now))
            return len(steps) + 1
        raise UsageError(f"'{typed}' is none of the players.", hint=_CHANGES)

    def _show(self, paper: PaperGame, found: Sequence[str]) -> None:
        """The result of the scores, with all that cannot be true."""
        outcome = paper.outcome
        self.stage.heading("What it comes to")
        self.stage.show(*pages.ending(outcome, self.sheet.tables(paper.tally, outcome), (), self._speaker))
        for doubt in found:
            self.lines.warn(f"This cannot be true: {doubt}")
        players = ", ".join(f"{number} {name}" for number, name in enumerate(self.names, 1))
        self.lines.say(f"Players: {players}. Played on {paper.date.isoformat()}.")
        self.lines.say(_CHANGES, "faint")

    def _player(self, typed: str) -> str:
        """The player of that number or name, or whose name alone begins so."""
        if typed.isdecimal() and 1 <= int(typed) <= len(self.names):
            return self.names[int(typed) - 1]
        found = find_seats(self.names, typed)
        return self.names[found[0]] if len(found) == 1 else ""


HELP = "Enter takes what stands in brackets. b goes back one question, ? shows the rule, q leaves without writing."
Taken = TypeVar("Taken")
_BACK = frozenset({"b", "back"})


class Lines:
    """Lines of one stage, in which nothing that was typed or read can steer the terminal."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def ask(self, asked: str, words: Sequence[str] = ()) -> str | None:
        """The typed line; None to go back. Raises Leave where a person leaves, EOFError at the end of input."""
        typed = safe(self.stage.answer(Text(safe(asked)), safe(asked), words)).strip()
        if commands.is_leaving(typed):
            raise Leave
        return None if typed.casefold() in _BACK else typed

    def settle(
        self, asked: str, take: Callable[[str], Taken], explain: Callable[[], None], words: Sequence[str] = ()
    ) -> Taken | None:
        """The line as `take` takes it, asked for anew as long as that raises a VaultkitError; None to go back."""
        while True:
            typed = self.ask(asked, words)
            if typed is None:
                return None
            if typed.startswith("?"):
                explain()
                continue
            try:
                return take(typed)
            except VaultkitError as error:
                self.refuse(f"{error.message} {error.hint}".strip())

    def say(self, words: str, style: str = "") -> None:
        self.stage.show(Text(safe(words, lines=True), self.stage.look.style(style) if style else ""))

    def warn(self, words: str) -> None:
        self.say(words, "warning")

    def refuse(self, message: str) -> None:
        """Say why a line was no answer."""
        if self.stage.source.refuse(message, HELP):
            self.warn(message)
