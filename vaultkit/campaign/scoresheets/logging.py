"""Logging a game from paper: its scores kept first, then the notes; the same game twice adds nothing."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.log import Logged, record_game
from vaultkit.campaign.played import note_of
from vaultkit.campaign.scoresheets.game import PaperGame, PlayedFrom, doubts, session_id, to_result
from vaultkit.campaign.scoresheets.people import linked, people_of, seated
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


def log_paper(
    paper: PaperGame,
    vault: Vault,
    settings: Settings,
    sources: PlayedFrom,
    *,
    now: datetime,
    again: bool = False,
    dry_run: bool = False,
) -> PaperLogged:
    """Keep the scores of a game, and write what is not there yet of its note and its line in the campaign's log.

    `again` makes it another game than one with the same scores that is logged already. Raises Doubted, or whatever
    `record` raises, before a note is written; the scores are kept then, and the hint says how to log them.
    """
    found = doubts(paper, sources.cards(paper.sheet, paper.tally))
    if found and not paper.forced:
        raise Doubted(found)
    session = _session(paper, vault, settings, again=again)
    if not dry_run:
        save(paper, session, vault.root)
    done = log_kept(paper, session, vault, settings, sources, now=now, dry_run=dry_run)
    besides = _kept_besides(paper, session, vault, settings)
    logged = replace(done.logged, remarks=(*done.logged.remarks, *besides))
    return replace(done, logged=logged, doubts=found)


def log_kept(
    paper: PaperGame,
    session: str,
    vault: Vault,
    settings: Settings,
    sources: PlayedFrom,
    *,
    now: datetime,
    dry_run: bool = False,
    finishing: bool = False,
) -> PaperLogged:
    """Log a game whose scores are kept under `session`; what was doubted of them was insisted on before.

    `finishing` says that it was asked for by its id, and so cannot be meant to be another game.
    """
    if paper.record and paper.record.ended is None:
        raise InvalidError("This game is not over yet.", where=session, hint=f"Go on with: vaultkit resume {session}")
    there = note_of(vault, session)
    result = linked(to_result(paper, session, sources, vault.root), vault, settings)
    try:
        logged = record_game(result, vault, settings, campaign=paper.campaign, now=now, dry_run=dry_run)
    except VaultkitError as error:
        if not dry_run:
            elsewhere = " --campaign NOTE" * (paper.campaign is not None)
            way_on = f"The scores are kept. To log them: vaultkit log --session {session}{elsewhere}"
            error.hint = f"{error.hint} {way_on}".strip()
        raise
    if there is None or finishing:
        return PaperLogged(session, logged, there is not None)
    message = f"This game is logged already: {there}. Was it another one with the same scores? Say --again."
    remarks = (message, *(remark for remark in logged.remarks if there not in remark))
    return PaperLogged(session, replace(logged, remarks=remarks), there=True)


def refuse_logged(written: PaperRecord, vault: Vault) -> None:
    """Raises InvalidError for the sheet that was printed of a game whose note is there."""
    there = note_of(vault, written.session) if written.session else None
    if there:
        message = f"This sheet is that of a game which is logged already: {there}."
        hint = "Was it another game? Empty the box 'Session', or say --again."
        raise InvalidError(message, where=written.where, hint=hint)


def _kept_besides(paper: PaperGame, session: str, vault: Vault, settings: Settings) -> Iterator[str]:
    """A sentence on other scores of the same people and day that have no note: corrected since, most likely.

    Nothing on those whose log was taken back: somebody knows of them.
    """
    people = sorted(seated(paper.names, vault, settings))
    for one in saved_tallies(vault.root / JOURNALS):
        if (
            one.id == session
            or one.kept is None
            or one.kept.is_running
            or (one.kept.game, one.kept.date) != (paper.game, paper.date)
        ):
            continue
        same = sorted(seated(one.kept.names, vault, settings)) == people
        if same and note_of(vault, one.id) is None and not _is_taken_back(one.id, vault):
            yield (
                "Other scores of these players and that day are kept, and are not logged. If they were a mistake: "
                f"vaultkit sessions --discard {one.id}"
            )


def _is_taken_back(session: str, vault: Vault) -> bool:
    logs = (entry for entry in History(vault).entries() if entry.command == "log" and entry.session == session)
    return any("undone" in entry.state for entry in logs)


def _session(paper: PaperGame, vault: Vault, settings: Settings, *, again: bool) -> str:
    """The id of this game; with `again` the first one under which no note is there yet."""
    people = [posixpath.basename(who) for who in people_of(paper.names, vault, settings)]  # a note may be moved
    numbered = (session_id(paper, people, number) for number in range(_MOST_AGAIN if again else 1))
    free = (one for one in numbered if not again or note_of(vault, one) is None)
    return next(free, session_id(paper, people))
