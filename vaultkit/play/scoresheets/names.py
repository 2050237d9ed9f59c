"""Who played, asked for at the screen: a name that is nobody's is asked about at once."""

from collections.abc import Callable, Mapping, Sequence

from vaultkit.campaign.scoresheets.game import seats_of
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.play.guests import slip_question
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

    def ask(self, so_far: Sequence[str]) -> tuple[str, ...] | None:
        """The names; None where they are to be asked for again."""
        usual = so_far or self.offered
        if usual:
            self.lines.say(f"At the table: {', '.join(usual)}")
        if len(usual) > self.sheet.seats[1]:
            usual = ()
        all_these = ", Enter = all these" * bool(usual)
        typed = self.lines.ask(f"Who played? Names with commas between{all_these}: ", self.offered)
        if typed is None:
            self.lines.say("This is the first question.")
            return None
        if typed.startswith("?"):
            self.lines.say("Players by their names or the aliases of their notes; others are guests.")
            return None
        try:
            names = self._meant(self._named(typed) if typed else seats_of(usual, self.sheet.title))
        except VaultkitError as error:
            self.lines.refuse(error.message)
            return None
        self._tell_crowd(names or ())
        return names

    def _named(self, typed: str) -> tuple[str, ...]:
        """The names in a line. Raises UsageError for what is no name, and for two that are the same."""
        names = [name for name in map(str.strip, typed.split(",")) if name]
        if wrong := next((name for name in names if not any(map(str.isalpha, name))), ""):
            raise UsageError(f"'{wrong}' is no name, and this asks who played. The scores are asked for next.")
        return seats_of(names, self.sheet.title)

    def _meant(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """The names, those corrected that somebody mistyped; None to go back.

        Raises a VaultkitError for names that cannot sit at one table.
        """
        guests, meant = self._guests(names), list(names)
        if unknown := ", ".join(name for name, player in guests.items() if not player):
            self.lines.warn(f"No note, and so written as a guest: {unknown}. {_IF_WRONG}")
        for name, player in guests.items():
            typed: str | None = "?" if player else "g"
            while typed not in {"", "g", "G", None}:
                typed = self.lines.ask(slip_question(name, player))
            if typed is None:
                return None
            if not typed:
                meant[meant.index(name)] = player
        found = seats_of(meant, self.sheet.title)
        self._check(found)
        return found

    def _tell_crowd(self, names: Sequence[str]) -> None:
        """Say where the game is for more people or for fewer."""
        fewest, most = self.sheet.seats
        if names and not fewest <= len(names) <= most:
            who = f"{fewest} to {most}" if fewest < most else f"{most}"
            self.lines.warn(f"{self.sheet.title} is for {who}, and here are {len(names)}. {_IF_WRONG}")
