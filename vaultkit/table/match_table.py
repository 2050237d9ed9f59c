"""A match on the table: game after game on the same pages, and between them how everybody stands."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.log import Logged
from vaultkit.campaign.matches import MatchNotes
from vaultkit.games.words import Outcome
from vaultkit.session import Session
from vaultkit.session.match import seed_words
from vaultkit.table.consulting import Consulting, plain
from vaultkit.table.door import Client
from vaultkit.table.ending import Recording, ending_of_game
from vaultkit.table.host import Outdated, Refused, Words
from vaultkit.table.real_game import RealGameOnTable
from vaultkit.table.sight import Ending


class MatchOnTable(RealGameOnTable):
    """The games of a match. `log` writes it down once it is over, None where nothing is to be written."""

    def __init__(
        self, playing: MatchNotes, seconds: float, clock: Callable[[], datetime], log: Callable[[], Logged] | None
    ) -> None:
        self._playing = playing
        self._clock = clock
        notes = playing.notes
        self._recording = Recording(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))
        super().__init__(*self._next_game(), seconds, self._close_game)

    def leave(self) -> None:
        """Let go of the game that is open."""
        self._session.close()

    def _next_game(self) -> tuple[Session, Consulting]:
        session = self._playing.next_game(self._clock)
        return session, Consulting(session, self._playing.notes.reference(session, plain))

    def _obey(self, client: Client, order: Words) -> str:
        if order["do"] != "next":
            return super()._obey(client, order)
        if order.get("question") != self._question:
            raise Outdated
        if self._ending is None or self._playing.match.outcome:
            raise Refused("There is no next game now.")
        self._take_up(*self._next_game())
        return ""

    def _close_game(self) -> tuple[Logged | None, Ending]:
        """How the game ended, and how the match stands; once that is over, how it ended."""
        self._session.close()  # or it could not be read again
        self._playing.look_again()
        match = self._playing.match
        written = self._recording.write() if match.outcome else Ending()
        logged = self._recording.logged
        ending = ending_of_game(self._session, written, self._playing.notes.workspace.root)
        standing = match.standing().named(lambda seat: match.header.names[seat])
        if match.outcome:
            outcome = self._as_seated(match.outcome)
            remarks = tuple(filter(None, (*ending.remarks, seed_words(match.header))))
            return logged, replace(ending, outcome=outcome, tables=(match.table(), standing), remarks=remarks)
        goes_on = f"Game {len(match.games) + 1} of at most {match.most}"
        return logged, replace(ending, tables=(*ending.tables, standing), goes_on=goes_on)

    def _as_seated(self, outcome: Outcome) -> Outcome:
        """The outcome of the match, in which seats are those of the last game."""
        here = [self.names.index(name) for name in self._playing.match.header.names]
        reason = replace(outcome.reason, seats=tuple(here[seat] for seat in outcome.reason.seats))
        return replace(outcome, winners=tuple(here[seat] for seat in outcome.winners), reason=reason)
