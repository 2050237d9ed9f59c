"""`vaultkit log` without a game: what could be logged and is not."""

from collections.abc import Sequence

from vaultkit.campaign.paper.pending import Pending, pending
from vaultkit.cli.common import Workspace
from vaultkit.cli.cut_off import tell_cut_off
from vaultkit.cli.output import document, say, talk
from vaultkit.games.words import listing

_MOST_TOLD = 5
"""Games that are named in one sentence."""


def list_unlogged(workspace: Workspace, *, as_json: bool) -> None:
    """The games that could be logged and are not, each with the command that logs it."""
    found = pending(workspace.vault, workspace.journals)
    if as_json:
        document([_row(one) for one in found])
        return
    due = [one for one in found if one.is_due]
    for one in due:
        say(f"{one.title}: {listing(one.players)}")
        say(f"  {one.command}")
    tell_cut_off(workspace)
    if due:
        talk("One that is not to be logged is forgotten with: vaultkit sessions --discard ID")
    else:
        talk("Every finished game is in the campaign notes.")
    _tell_decided([one for one in found if not one.is_due])
    talk("To log a game that you played with real cards: vaultkit log GAME")


def _row(one: Pending) -> dict[str, object]:
    return {
        "session": one.session,
        "game": one.game,
        "date": one.day,
        "players": list(one.players),
        "standing": one.standing,
        "command": one.command,
    }


def _tell_decided(games: Sequence[Pending]) -> None:
    """The games that were logged once and are so no more, which is as somebody wanted it."""
    if not games:
        return
    listed = [f"{one.title} ({one.session[-4:]}, {one.standing})" for one in games[:_MOST_TOLD]]
    more = f" and {len(games) - _MOST_TOLD} more (vaultkit log --json)" if len(games) > _MOST_TOLD else ""
    talk(f"Logged once, but not in the notes any more: {'; '.join(listed)}{more}.")
    letters = games[0].session[-4:]
    talk(f"To log one again: vaultkit log --session {letters}. To forget it: vaultkit sessions --discard {letters}")
