"""`vaultkit sessions`: the games of this vault."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.session.store import Saved, Store


def sessions(
    discard: Annotated[str | None, typer.Option("--discard", help="Delete the journal of this game.")] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the games that were played or begun."""
    store = Store(Workspace.open(vault).journals)
    if discard is not None:
        gone = store.discard(discard)
        talk(f"Discarded: {gone.id}")
        if as_json:
            document({"discarded": gone.id})
        return
    found = store.saved()
    if as_json:
        document([_row(game) for game in found])
        return
    columns(
        ["session", "standing", "moves", "started", "seats"],
        ([game.id, game.standing, game.moves, _when(game), _who(game)] for game in found),
        whole=1,
    )
    for game in found:
        if game.problem and game.contents:
            talk(f"{game.id}: {game.problem}")
    if not found:
        talk("No game was played in this vault yet. Begin one with: vaultkit play dragon-citadel")


def _row(game: Saved) -> dict[str, object]:
    header = game.contents.header if game.contents else None
    return {
        "session": game.id,
        "game": header.game if header else None,
        "standing": game.standing,
        "moves": game.moves,
        "started": header.started.isoformat() if header else None,
        "seats": [spec.name for spec in header.seats] if header else [],
        "problem": game.problem or None,
    }


def _when(game: Saved) -> str:
    return f"{game.contents.header.started.astimezone():%Y-%m-%d %H:%M}" if game.contents else ""


def _who(game: Saved) -> str:
    return ", ".join(spec.name for spec in game.contents.header.seats) if game.contents else game.problem


app = new_app(sessions)
