"""`vaultkit sessions`: the games of this vault."""

from typing import Annotated

import typer

from vaultkit.campaign.paper.saved import SavedTally, discard_tally, find_tally, saved_tallies
from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.session.store import Saved, Store


def sessions(
    discard: Annotated[str | None, typer.Option("--discard", help="Delete the journal of this game.")] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the games that were played, begun, or recorded from paper."""
    journals = Workspace.open(vault).journals
    store = Store(journals)
    if discard is not None:
        gone = _discard(store, discard)
        talk(f"Discarded: {gone}")
        if as_json:
            document({"discarded": gone})
        return
    found, kept = store.saved(), saved_tallies(journals)
    if as_json:
        document([*map(_row, found), *map(_row_of_tally, kept)])
        return
    rows: list[list[object]] = [[game.id, game.standing, game.moves, _when(game), _who(game)] for game in found]
    rows += [[tally.id, _standing(tally), "", _day(tally), _names(tally)] for tally in kept]
    columns(["session", "standing", "moves", "started", "seats"], rows, whole=1)
    for game in found:
        if game.problem and game.contents:
            talk(f"{game.id}: {game.problem}")
    if not rows:
        talk("No game was played in this vault yet. Begin one with: vaultkit play dragon-citadel")


def _discard(store: Store, wanted: str) -> str:
    """Delete a journal, or the scores that were kept of a game with real cards; the session's id."""
    tally = find_tally(store.folder, wanted)
    if tally is None:
        return store.discard(wanted).id
    discard_tally(tally)
    return tally.id


def _row_of_tally(tally: SavedTally) -> dict[str, object]:
    """A game with real cards, of which there are scores and no moves."""
    paper = tally.paper
    return {
        "session": tally.id,
        "game": paper.game if paper else None,
        "standing": _standing(tally),
        "moves": 0,
        "started": paper.date.isoformat() if paper else None,
        "seats": list(paper.names) if paper else [],
        "problem": tally.problem or None,
    }


def _standing(tally: SavedTally) -> str:
    return "recorded" if tally.paper else "damaged"


def _day(tally: SavedTally) -> str:
    return tally.paper.date.isoformat() if tally.paper else ""


def _names(tally: SavedTally) -> str:
    return ", ".join(tally.paper.names) if tally.paper else tally.problem


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
