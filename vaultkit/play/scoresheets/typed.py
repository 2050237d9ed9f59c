"""The lines typed of a game's scores so far, by player and line, so that going back and new names lose none."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from vaultkit.campaign.scoresheets.answers import row_parts
from vaultkit.campaign.scoresheets.game import PaperGame
from vaultkit.errors import UsageError
from vaultkit.games.definition import Answer, Question
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.play.scoresheets.steps import Step, by_line, numbered, understood


class Typed:
    """The lines typed for `game`, which has day, options and names; what was not typed counts as left empty."""

    def __init__(self, game: PaperGame, said: Collection[str]) -> None:
        """`said` are the keys of options that are not asked for."""
        self.game = game
        self._sheet = game.sheet
        asked = self._sheet.rules_asked(game.tally.options)
        self._rules = tuple(question for question in asked if question.key not in said)
        self._lines: dict[tuple[str, str], str] = {}

    def at(self, step: Step) -> str:
        """The line typed there; "" for none, or if it is no answer any more since the questions have changed."""
        typed = self._lines.get(step.place, "")
        try:
            understood(step.questions, typed)
        except UsageError:
            return ""
        return typed

    def keep(self, step: Step, typed: str) -> None:
        """Keep a line, in place of what was typed there before; a choice by its name, whose number may change."""
        parts = zip(step.questions, row_parts(step.questions, typed), strict=True)
        self._lines[step.place] = "/".join(numbered(question, part) for question, part in parts).rstrip("/")

    def rename(self, names: tuple[str, ...]) -> None:
        """Take these names; what was typed for one that is corrected is kept under the new one."""
        gone = [name for name in self.game.names if name not in names]
        come = [name for name in names if name not in self.game.names]
        if len(gone) == len(come):
            renamed = dict(zip(gone, come, strict=True))
            self._lines = {(renamed.get(name, name), row): typed for (name, row), typed in self._lines.items()}
        self.game = replace(self.game, names=names)

    def steps(self) -> list[Step]:
        """Every line to type: what is asked of all first, player by player, and what is asked last."""
        tally = self._seats()
        each = self._sheet.each(tally.options, tally.common)
        steps = [*by_line("", (*self._rules, *self._sheet.first(tally.options)))]
        for name in self.game.names:
            steps += by_line(name, each)
        return steps + [replace(step, last=True) for step in by_line("", self._sheet.last(tally))]

    def paper(self) -> PaperGame:
        """The game that this makes."""
        tally = self._seats()
        ended, _ = self._answers("", self._sheet.last(tally))
        return replace(self.game, tally=replace(tally, common={**tally.common, **ended}))

    def _seats(self) -> Tally:
        """The tally without what is asked last."""
        options: Options = {**self.game.tally.options, **self._answers("", self._rules)[0]}
        common, _ = self._answers("", self._sheet.first(options))
        each = self._sheet.each(options, common)
        return Tally(options, tuple(SeatTally(*self._answers(name, each)) for name in self.game.names), common)

    def _answers(
        self, name: str, questions: Sequence[Question]
    ) -> tuple[dict[str, Answer], dict[str, tuple[int, ...]]]:
        """The line typed for these questions, or what stands in their brackets; and the summands of sums."""
        answers: dict[str, Answer] = {}
        summands: dict[str, tuple[int, ...]] = {}
        for step in by_line(name, questions):
            found = understood(step.questions, self.at(step))
            for question, (value, terms) in zip(step.questions, found, strict=True):
                answers[question.key] = value
                summands |= {question.key: terms} if terms else {}
        return answers, summands
