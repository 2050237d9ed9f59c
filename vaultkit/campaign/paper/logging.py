"""Logging a game from paper: its scores kept first, then the notes; the same game twice adds nothing."""

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from vaultkit.campaign.log import Logged, find_session_note, record
from vaultkit.campaign.paper.game import PaperGame, PlayedFrom, doubts, session_id, to_result
from vaultkit.campaign.paper.saved import save
from vaultkit.campaign.players import Players
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.settings import Settings
from vaultkit.vault import Vault

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
    """What logging a game from paper did, or would do. `there` says that its note was there already."""

    session: str
    logged: Logged
    there: bool


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
    found = doubts(paper, sources.cards(paper.rules, paper.tally))
    if found and not paper.forced:
        raise Doubted(found)
    session = _session(paper, vault, settings, again=again)
    if not dry_run:
        save(paper, session, vault.root)
    return log_kept(paper, session, vault, settings, sources, now=now, dry_run=dry_run)


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
    there = find_session_note(vault, session, settings.campaign.folder)
    result = to_result(paper, session, sources)
    try:
        logged = record(result, vault, settings, campaign=paper.campaign, now=now, dry_run=dry_run)
    except VaultkitError as error:
        if not dry_run:
            elsewhere = " --campaign NOTE" * (paper.campaign is not None)
            way_on = f"The scores are kept. To log them: vaultkit log --session {session}{elsewhere}"
            error.hint = f"{error.hint} {way_on}".strip()
        raise
    if there is None:
        return PaperLogged(session, logged, there=False)
    if finishing:
        return PaperLogged(session, logged, there=True)
    message = f"This game is logged already: {there}. Was it another one with the same scores? Say --again."
    remarks = (message, *(remark for remark in logged.remarks if there not in remark))
    return PaperLogged(session, replace(logged, remarks=remarks), there=True)


def people_of(names: Sequence[str], vault: Vault, settings: Settings) -> tuple[str, ...]:
    """Who sits where: the paths of players' notes, else the names. Raises InvalidError for one who sits twice."""
    players = Players(vault, settings.players)
    people: dict[str, str] = {}
    for name in names:
        note = players.note(name)
        who = note or name
        if who in people:
            message = f"'{people[who]}' and '{name}' are the same person."
            raise InvalidError(message, where=note or "", hint="Write one name for each player.")
        people[who] = name
    return tuple(people)


def _session(paper: PaperGame, vault: Vault, settings: Settings, *, again: bool) -> str:
    """The id of this game; with `again` the first one under which no note is there yet."""
    people = [posixpath.basename(who) for who in people_of(paper.names, vault, settings)]  # a note may be moved
    session = session_id(paper, people)
    if not again:
        return session
    numbered = (session_id(paper, people, number) for number in range(_MOST_AGAIN))
    free = (one for one in numbered if find_session_note(vault, one, settings.campaign.folder) is None)
    return next(free, session)
