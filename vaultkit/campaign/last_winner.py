"""Who begins because of a win: the winner of the last logged game of the same title among the same people (G-2)."""

from collections.abc import Mapping, Sequence

from vaultkit.campaign.played import Participant, PlayedGame, played_games
from vaultkit.campaign.players import Players, name_key
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec
from vaultkit.wording import listing

WINNER = "winner-of-last"


def opening(
    workspace: Workspace, game: AnyGame, options: Mapping[str, object], seats: Sequence[SeatSpec]
) -> Mapping[str, tuple[str, ...]]:
    """The seat that is no matter of luck, by the name of its chance turn, which is that of the option.

    It is empty unless the options say so. Raises UsageError where no winner can be told.
    """
    chosen = settle(game, options)
    asked = next((option.key for option in game.options if chosen[option.key] == WINNER), "")
    return {asked: (str(_seat_of_winner(workspace, game, asked, seats)),)} if asked else {}


def _seat_of_winner(workspace: Workspace, game: AnyGame, key: str, seats: Sequence[SeatSpec]) -> int:
    there = _identities(workspace, seats)
    people = {who for who, seat in zip(there, seats, strict=True) if seat.is_person}
    played = played_games(workspace.vault, workspace.settings.players)
    same = (one for one in played if one.game == game.id and set(map(_identity, one.people)) == people)
    last = max(same, key=lambda one: one.order, default=None)
    if last is None:
        raise _refusal(f"No game of {game.title} among these people is logged yet, so nobody has won the last one", key)
    winner = _only_winner(last, key)
    if _identity(winner) not in there:
        raise _refusal(f"{winner.name}, who won the last game of {game.title}, is not at the table", key, last.note)
    return there.index(_identity(winner))


def _only_winner(last: PlayedGame, key: str) -> Participant:
    winners = [one for one in last.participants if one.won]
    if len(winners) > 1:
        raise _refusal(f"{listing(one.name for one in winners)} share the win of the last game", key, last.note)
    if not winners:
        raise _refusal("Nobody has won the last game", key, last.note)
    return winners[0]


def _identities(workspace: Workspace, seats: Sequence[SeatSpec]) -> list[str]:
    players = Players(workspace.vault, workspace.settings.players)
    return [players.note(seat.name) or name_key(seat.name) for seat in seats]


def _identity(one: Participant) -> str:
    return one.note or name_key(one.name)


def _refusal(reason: str, key: str, where: str = "") -> UsageError:
    hint = f"Name a seat, counted from 0, as --set {key}=0, or draw lots: --set {key}=random"
    return UsageError(f"{reason}: '{key} = {WINNER}' names no seat (G-2).", where=where, hint=hint)
