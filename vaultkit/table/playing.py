"""Playing a session in the browser, from its opening to what is said on the terminal at its end."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import Logged
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.errors import UsageError
from vaultkit.games.words import Outcome
from vaultkit.look.theme import theme_of
from vaultkit.session import Session
from vaultkit.session.records import Header
from vaultkit.session.refereeing import refereeing
from vaultkit.table.consulting import Consulting, plain
from vaultkit.table.ending import Recording, ending_of_game, faced
from vaultkit.table.game import GameOnTable
from vaultkit.table.lobby import Lobby
from vaultkit.table.logbook_table import LogbookOnTable
from vaultkit.table.match_table import MatchOnTable
from vaultkit.table.opening import Opening
from vaultkit.table.pad import index_files
from vaultkit.table.phones import GameWithPhones
from vaultkit.table.real_game import RealGameOnTable
from vaultkit.table.sight import Ending


def check_table(**terminal: object) -> None:
    """Raise UsageError for what is for the `terminal` alone."""
    for option, value in terminal.items():
        if value:
            raise UsageError(f"--{option} is for the terminal.", hint=f"Leave out --{option} or --table.")


def check_phones(address: str | None, *, phones: bool, real_cards: bool, gm: str | None) -> None:
    """Raise UsageError for what phones cannot show, and for an `address` that none would use."""
    if phones and real_cards:
        raise UsageError("Real cards are in the hands of people, not on phones.", hint="--table instead of --phones.")
    if phones and gm:
        raise UsageError("A GM without a seat has no phone yet.", hint="--table instead of --phones: behind a cover.")
    if address and not phones:
        raise UsageError("--address is for --phones.", hint="Leave out --address, or add --phones.")


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

    recording = Recording(log, notes.workspace.root, has_rewards=bool(notes.info.rewards))

    def close() -> tuple[Logged | None, Ending]:
        written = recording.write()
        return recording.logged, ending_of_game(session, written, notes.workspace.root)

    consulting = Consulting(session, notes.reference(session, plain))
    lobby = _lobby(session, opening) if opening.phones else None
    names_cards = _names_cards(session.header)
    kind = RealGameOnTable if names_cards else GameOnTable
    table = (
        GameWithPhones(session, consulting, seconds, close, lobby)
        if lobby
        else kind(session, consulting, seconds, close)
    )
    if session.header.real_cards:
        opening.tell(refereeing(session.header.game, session.header.options).how)
    if names_cards:
        opening = _with_pad(opening, notes)
    again = _again(session.id, dry_run=dry_run, shows="--phones" if lobby else "--table")
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


def play_match_at_table(
    playing: MatchNotes,
    opening: Opening,
    now: Callable[[], datetime],
    *,
    seconds: float,
    log: Callable[[], Logged] | None,
    dry_run: bool,
) -> Logged | None:
    """Let people play a match in the browser, game after game; what was logged of it, if it is over.

    Raises KeyboardInterrupt where the host leaves before the end.
    """
    table = MatchOnTable(playing, seconds, now, log)
    is_closed = False
    try:
        is_closed = (_with_pad(opening, playing.notes) if _names_cards(playing.match.header) else opening).serve(table)
    finally:
        table.leave()
        if playing.match.outcome is None:
            again = _again(playing.match.id, dry_run=dry_run)
            opening.tell(f"The table is closed, and the match is saved. Go on with: {again}")
    if playing.match.outcome is None and not is_closed:
        raise KeyboardInterrupt
    return table.logged


def _again(session: str, *, dry_run: bool, shows: str = "--table") -> str:
    """The command that goes on."""
    return f"vaultkit resume {session} {shows}{' --dry-run' if dry_run else ''}"


def _names_cards(header: Header) -> bool:
    """Whether people say which cards come."""
    return header.real_cards or bool(header.agreement.gm)


def _lobby(session: Session, opening: Opening) -> Lobby:
    """The seats of people; a game that is over waits for nobody."""
    kept = opening.kept.phones if opening.kept else None
    return Lobby({seat: session.name(seat) for seat in session.people}, kept, is_open=session.outcome is None)


def write_down_at_table(
    logbook: Logbook, opening: Opening, now: Callable[[], datetime], *, dry_run: bool
) -> Logged | None:
    """Let people write a game down in the browser; what was logged of it, if it is over.

    Raises KeyboardInterrupt where the host leaves before the end.
    """

    def log() -> Logged | None:
        if not logbook.is_over:
            logbook.close(now())
        return logbook.log(now(), dry_run=dry_run) if logbook.record.wants_log else None

    recording = Recording(log, logbook.notes.workspace.root, has_rewards=bool(logbook.notes.info.rewards))

    def close() -> tuple[Logged | None, Ending]:
        written, outcome = recording.write(), logbook.ledger.result()
        tables = logbook.ledger.game.score_tables(outcome)
        return recording.logged, replace(written, outcome=outcome, tables=tables)

    table = LogbookOnTable(logbook, logbook.reference(plain), close)
    is_closed = _with_pad(opening, logbook.notes).serve(table)
    if not logbook.is_over:
        opening.tell(
            f"The table is closed, and the game is saved. Go on with: {_again(logbook.session, dry_run=dry_run)}"
        )
        if not is_closed:
            raise KeyboardInterrupt
    return table.logged


def _with_pad(opening: Opening, notes: GameNotes) -> Opening:
    """The same with the pictures on the tiles of a pad."""
    workspace = notes.workspace
    pictures = index_files(notes.deck_note.deck, theme_of(workspace.root, workspace.settings.print))
    return replace(opening, web={**opening.web, **pictures})
