"""Who played, asked for at the screen: a name that is nobody's is asked about at once."""

from collections.abc import Callable, Mapping, Sequence

from vaultkit.campaign.scoresheets.game import seats_of
from vaultkit.errors import UsageError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.play.scoresheets.lines import Lines

_IF_WRONG = "If that is not right, b goes back."


class PlayerNaming:
    """Asks for the names of those who played a game; `offered` are the likeliest.

    `check` raises a VaultkitError for names that cannot sit at one table. `guests` has of the names those without a
    note, each with the player who may be meant, or "".
    """

    def __init__(
        self,
        lines: Lines,
        sheet: ScoreSheet,
        offered: Sequence[str],
        check: Callable[[Sequence[str]], object],
        guests: Callable[[Sequence[str]], Mapping[str, str]],
    ) -> None:
        self.lines = lines
        self.sheet = sheet
        self.offered = tuple(offered)
        self._check = check
        self._guests = guests

    def ask(self, so_far: Sequence[str]) -> tuple[str, ...]:
        """The names; none where they are to be asked for again."""
        usual = tuple(so_far) or self.offered
        if usual:
            self.lines.say(f"At the table: {', '.join(usual)}")
        if len(usual) > self.sheet.seats[1]:
            usual = ()
        all_these = ", Enter = all these" if usual else ""
        asked = f"Who played? Names with commas between{all_these}: "
        names = self.lines.settle(asked, lambda typed: self._meant(typed, usual), self._explain, self.offered)
        if names is None:
            self.lines.say("This is the first question.")
        return names or ()

    def _explain(self) -> None:
        self.lines.say("Players by their names or the aliases of their notes; others are guests.")

    def _named(self, typed: str) -> tuple[str, ...]:
        """The names in a line. Raises UsageError for what is no name, and for two that are the same."""
        names = [name for name in map(str.strip, typed.split(",")) if name]
        if wrong := next((name for name in names if not any(map(str.isalpha, name))), ""):
            raise UsageError(f"'{wrong}' is no name, and this asks who played. The scores are asked for next.")
        return seats_of(names, self.sheet.title)

    def _meant(self, typed: str, usual: Sequence[str]) -> tuple[str, ...]:
        """The names in a line, those corrected that somebody mistyped; none to go back.

        Raises a VaultkitError for names that cannot sit at one table.
        """
        names = self._named(typed) if typed else seats_of(usual, self.sheet.title)
        guests, meant = self._guests(names), list(names)
        if unknown := ", ".join(name for name, player in guests.items() if not player):
            self.lines.warn(f"No note, and so written as a guest: {unknown}. {_IF_WRONG}")
        for name, player in guests.items():
            chosen: str | None = "?" if player else "g"
            while chosen not in {"", "g", "G", None}:
                chosen = self.lines.ask(f"{name}: a guest (g), or {player} (Enter)? ")
            if chosen is None:
                return ()
            if not chosen:
                meant[meant.index(name)] = player
        found = seats_of(meant, self.sheet.title)
        self._check(found)
        self._tell_crowd(found)
        return found

    def _tell_crowd(self, names: Sequence[str]) -> None:
        """Say where the game is for more people or for fewer."""
        fewest, most = self.sheet.seats
        if not fewest <= len(names) <= most:
            who = f"{fewest} to {most}" if fewest < most else f"{most}"
            self.lines.warn(f"{self.sheet.title} is for {who}, and here are {len(names)}. {_IF_WRONG}")
