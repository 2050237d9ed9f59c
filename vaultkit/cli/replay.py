"""The command `vaultkit replay`: a saved game again, move by move."""

from functools import partial
from typing import Annotated

from typer import Argument, Option

from vaultkit.cli import play_modes
from vaultkit.cli.context import CommandContext, with_options
from vaultkit.cli.output import print_document, terminal
from vaultkit.errors import UsageError


@with_options
def replay(
    desk: CommandContext,
    session: Annotated[str, Argument(help="A game by id, its last letters or number in `sessions`.")] = "",
    plain: play_modes.PlainOption = False,
    ascii_only: play_modes.AsciiOption = False,
    seed: Annotated[int | None, Option("--seed", hidden=True)] = None,
) -> None:
    """Show a game again, move by move.

    Shows all games of a match. Hidden cards are shown only after the game has ended.

    For example: vaultkit replay k3f9
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.logbook import Logbook, find_saved_logbook
    from vaultkit.campaign.matches import game_ids
    from vaultkit.campaign.saved_games import find_numbered_id, newest_games_hint
    from vaultkit.scene.knowledge import as_documents, step_documents
    from vaultkit.session import history as journals
    from vaultkit.terminal import replay_view
    from vaultkit.terminal.styles import terminal_style

    if seed is not None:
        hint = (
            f"Play with the same cards: vaultkit play GAME --seed {seed}. {newest_games_hint(desk.workspace.journals)}"
        )
        raise UsageError("A replay shows a game as it was played; it takes no seed.", hint=hint)
    if not session:
        raise UsageError("Which game?", hint=newest_games_hint(desk.workspace.journals))
    session = find_numbered_id(desk.workspace.journals, session)
    make_style = partial(terminal_style, terminal(), plain=plain, ascii_only=ascii_only)
    if saved_logbook := find_saved_logbook(desk.workspace.journals, session):
        logbook = Logbook.read(desk.workspace, saved_logbook)
        if desk.as_json:
            recap = step_documents(logbook.steps, (), logbook.paper.names, logbook.ledger.deck)
            print_document({"session": saved_logbook.id, "game": logbook.paper.game, "steps": recap})
        else:
            replay_view.show_entries(terminal(), logbook, look=make_style(logbook.ledger.deck))
        return
    documents = []
    for game_id in game_ids(desk.workspace, session):
        notes, saved, _ = GameNotes.from_saved(desk.workspace, game_id)
        deck = notes.deck_note.deck
        contents, steps = journals.replay(saved.path, notes.game, deck)
        if desk.as_json:
            recap = as_documents(notes.game, deck, contents, steps)
            documents.append({"session": saved.id, "game": notes.info.id, "steps": recap})
        else:
            replay_view.show_replay(terminal(), notes.game, deck, contents, steps, look=make_style(deck))
    if desk.as_json:
        print_document(documents[0] if len(documents) == 1 else documents)
