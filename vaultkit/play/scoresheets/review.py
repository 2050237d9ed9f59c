"""The game as it was typed, looked at once more before it is written."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from vaultkit.campaign.players import find_seats
from vaultkit.campaign.scoresheets.game import PaperGame, doubts
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.play import pages
from vaultkit.play.scoresheets.lines import Lines
from vaultkit.play.scoresheets.steps import Typed
from vaultkit.play.speaking import Speaker

_CHANGES = "b goes back, a name or number corrects that player, 0 who played, a date such as 2026-11-03 the day."


class Review:
    """Shows what the typed scores come to, and asks whether it is right."""

    def __init__(self, lines: Lines, typed: Typed, cards: Deck, day: Callable[[str], date]) -> None:
        """`day` reads a date, and raises a VaultkitError for one on which the game cannot have been played."""
        self.lines = lines
        self.typed = typed
        self.cards = cards
        self._day = day

    @property
    def names(self) -> tuple[str, ...]:
        return self.typed.game.names

    def ask(self) -> PaperGame | str | None:
        """The game, if it is right; else the player to be corrected, "" for who played, or None to go back.

        The game is `forced` where somebody insisted on what is doubted.
        """
        while True:
            paper = self.typed.paper()
            found = doubts(paper, self.cards)
            self._show(paper, found)
            asked = "Record it anyway, with a remark? (y = yes) " if found else "Is this right? (Enter = yes) "
            insisted = replace(paper, forced=bool(found))
            decided = self.lines.settle(asked, partial(self._decide, insisted), self._explain, self.names)
            if not isinstance(decided, date):
                return decided
            self.typed.game = replace(self.typed.game, date=decided)

    def _decide(self, paper: PaperGame, typed: str) -> PaperGame | str | date:
        """As `ask`, or the day on which the game was played. Raises a VaultkitError for what is none of these."""
        if typed.casefold() in {"y", "yes"} or not (typed or paper.forced):
            return paper
        if typed == "0":
            return ""
        if chosen := self._player(typed):
            return chosen
        if re.search(r"\d\D+\d", typed):
            return self._day(typed)
        raise UsageError(f"'{typed}' is none of the players." if typed else "", hint=_CHANGES)

    def _explain(self) -> None:
        self.lines.refuse(_CHANGES)

    def _show(self, found: PaperGame, told: Sequence[str]) -> None:
        """The result of the scores, with all that cannot be true."""
        stage, outcome = self.lines.stage, found.outcome
        speaker = Speaker(lambda seat: self.names[seat], self.cards, stage.look)
        stage.heading("What it comes to")
        stage.show(*pages.ending(outcome, found.sheet.tables(found.tally, outcome), (), speaker))
        for doubt in told:
            self.lines.warn(f"This cannot be true: {doubt}")
        players = ", ".join(f"{number} {name}" for number, name in enumerate(self.names, 1))
        self.lines.say(f"Players: {players}. Played on {self.typed.game.date.isoformat()}.")
        self.lines.say(_CHANGES, "faint")

    def _player(self, typed: str) -> str:
        """The player of that number or name, or whose name alone begins so."""
        if typed.isdecimal() and 1 <= int(typed) <= len(self.names):
            return self.names[int(typed) - 1]
        found = find_seats(self.names, typed)
        return self.names[found[0]] if len(found) == 1 else ""
