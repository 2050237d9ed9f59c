"""Playing a session in the browser, from its opening to what is said on the terminal at its end."""

from collections.abc import Callable

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import Logged
from vaultkit.errors import UsageError
from vaultkit.games.words import Outcome
from vaultkit.session import Session
from vaultkit.table.consulting import Consulting, plain
from vaultkit.table.ending import ending_of_game, faced
from vaultkit.table.game import GameOnTable
from vaultkit.table.lobby import Lobby
from vaultkit.table.opening import Opening
from vaultkit.table.phones import GameWithPhones
from vaultkit.table.sight import Ending


def check_table(*, real_cards: bool, **terminal: object) -> None:
    """Raise UsageError for a game that cannot be shown in the browser yet, or what is for the `terminal` alone."""
    if real_cards:
        raise UsageError("A game with real cards cannot be played in the browser yet.", hint="Leave out --table.")
    for option, value in terminal.items():
        if value:
            raise UsageError(f"--{option} is for the terminal.", hint=f"Leave out --{option} or --table.")


def play_at_table(
    session: Session,
    notes: GameNotes,
    opening: Opening,
    *,
    seconds: float,
    log: Callable[[], Logged] | None,
    dry_run: bool,
) -> tuple[Outcome | None, Logged | None]:
    """Let people and bots play in the browser; how the game ended, and what was logged of it. None while it goes on.

    Raises KeyboardInterrupt where the host leaves before the end.
    """

    def close() -> tuple[Logged | None, Ending]:
        logged = log() if log else None
        return logged, ending_of_game(session, logged, notes.workspace.root)

    consulting = Consulting(session, notes.reference(session, plain))
    lobby = _lobby(session, opening) if opening.phones else None
    if lobby:
        table: GameOnTable = GameWithPhones(session, consulting, seconds, close, lobby)
    else:
        table = GameOnTable(session, consulting, seconds, close)
    shows = "--phones" if lobby else "--table"
    again = f"vaultkit resume {session.id} {shows}{' --dry-run' if dry_run else ''}"
    for said in filter(None, (session.remark, faced(session))):
        opening.tell(said)
    try:
        is_closed = opening.serve(table, lobby)
    except BaseException:
        opening.tell(f"The game is saved. Go on with: {again}")
        raise
    if session.outcome is None:
        opening.tell(f"The table is closed, and the game is saved. Go on with: {again}")
        if not is_closed:
            raise KeyboardInterrupt
    return session.outcome, table.logged


def _lobby(session: Session, opening: Opening) -> Lobby:
    """The seats of people; a game that is over waits for nobody."""
    kept = opening.kept.phones if opening.kept else None
    return Lobby({seat: session.name(seat) for seat in session.people}, kept, is_open=session.outcome is None)
