"""Logging a game from paper: its scores kept first, then the notes; the same game twice adds nothing."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from vaultkit.campaign.log import Logged, record_game
from vaultkit.campaign.played import note_of
from vaultkit.campaign.scoresheets.game import PaperGame, PlayedFrom, session_id, to_result
from vaultkit.campaign.scoresheets.people import People
from vaultkit.campaign.scoresheets.record import PaperRecord
from vaultkit.campaign.scoresheets.saved import save, saved_tallies
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.settings import Settings
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.history.entry import JOURNALS

_MOST_AGAIN = 1000


class Doubted(InvalidError):
    """Scores that cannot be true and that nobody has insisted on; `doubts` are the reasons, in sentences."""

    def __init__(self, found: Sequence[str]) -> None:
        number = "One thing" if len(found) == 1 else f"{len(found)} things"
        hint = "Correct them, or record them as they are, with a remark in the note: --force"
        super().__init__(f"{number} in these scores cannot be true. Nothing was written.", hint=hint)
        self.doubts = tuple(found)


@dataclass(frozen=True)
class PaperLogged:
    """The changes that logging a game from paper made, or would make. `there` says that its note was there already.

    `doubts` are what cannot be true and was recorded all the same.
    """

    session: str
    logged: Logged
    there: bool
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class PaperLog:
    """Logs games from paper in one vault, at the moment `now`; a `dry_run` writes nothing."""

    vault: Vault
    settings: Settings
    now: datetime
    dry_run: bool = False

    @cached_property
    def _people(self) -> People:
        return People(self.vault, self.settings.players)

    def log(self, paper: PaperGame, sources: PlayedFrom, *, again: bool = False) -> PaperLogged:
        """Keep the scores of a game, and write what is not there yet of its note and its line in the campaign's log.

        `again` makes it another game than one with the same scores that is logged already. Raises Doubted, or whatever
        `record` raises, before a note is written; the scores are kept then, and the hint says how to log them.
        """
        found = paper.doubts
        if found and not paper.forced:
            raise Doubted(found)
        session = self._session(paper, again=again)
        if not self.dry_run:
            save(paper, session, self.vault.root)
        there = note_of(self.vault, session)
        logged, remarks = self.finish(paper, session, sources), []
        if there:
            remarks = [f"This game is logged already: {there}. Was it another one with the same scores? Say --again."]
        remarks += (remark for remark in logged.remarks if not there or there not in remark)
        remarks += self._kept_besides(paper, session)
        return PaperLogged(session, replace(logged, remarks=tuple(remarks)), there is not None, found)

    def finish(self, paper: PaperGame, session: str, sources: PlayedFrom) -> Logged:
        """Log a game whose scores are kept under `session`; what was doubted of them was insisted on before."""
        if paper.is_running:
            hint = f"Go on with: vaultkit resume {session}"
            raise InvalidError("This game is not over yet.", where=session, hint=hint)
        result = self._people.linked(to_result(paper, session, sources, self.vault.root))
        try:
            return record_game(
                result, self.vault, self.settings, campaign=paper.campaign, now=self.now, dry_run=self.dry_run
            )
        except VaultkitError as error:
            if not self.dry_run:
                elsewhere = " --campaign NOTE" * (paper.campaign is not None)
                way_on = f"The scores are kept. To log them: vaultkit log --session {session}{elsewhere}"
                error.hint = f"{error.hint} {way_on}".strip()
            raise

    def _kept_besides(self, paper: PaperGame, session: str) -> Iterator[str]:
        """A sentence on other scores of the same people and day that have no note: corrected since, most likely.

        Nothing on those whose log was taken back: somebody knows of them.
        """
        people = sorted(self._people.seated(paper.names))
        for one in saved_tallies(self.vault.root / JOURNALS):
            if one.id == session or one.kept is None or one.kept.is_running:
                continue
            if (one.kept.game, one.kept.date) != (paper.game, paper.date):
                continue
            same = sorted(self._people.seated(one.kept.names)) == people
            if same and note_of(self.vault, one.id) is None and not _is_taken_back(one.id, self.vault):
                yield (
                    "Other scores of these players and that day are kept, and are not logged. If they were a mistake: "
                    f"vaultkit sessions --discard {one.id}"
                )

    def _session(self, paper: PaperGame, *, again: bool) -> str:
        """The id of this game; with `again` the first one under which no note is there yet."""
        people = [posixpath.basename(who) for who in self._people.each_once(paper.names)]  # a note may be moved
        numbered = (session_id(paper, people, number) for number in range(_MOST_AGAIN if again else 1))
        free = (one for one in numbered if not again or note_of(self.vault, one) is None)
        return next(free, session_id(paper, people))


def refuse_logged(written: PaperRecord, vault: Vault) -> None:
    """Raises InvalidError for the sheet that was printed of a game whose note is there."""
    there = note_of(vault, written.session) if written.session else None
    if there:
        message = f"This sheet is that of a game which is logged already: {there}."
        hint = "Was it another game? Empty the box 'Session', or say --again."
        raise InvalidError(message, where=written.where, hint=hint)


def _is_taken_back(session: str, vault: Vault) -> bool:
    logs = (entry for entry in History(vault).entries() if entry.command == "log" and entry.session == session)
    return any("undone" in entry.state for entry in logs)
