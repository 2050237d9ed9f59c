"""`vaultkit sessions`: the games of this vault."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from vaultkit.campaign.paper.saved import SavedTally, discard_tally, find_tally, saved_tallies
from vaultkit.cli.common import JsonOption, VaultOption, open_workspace
from vaultkit.cli.output import columns, document, drawn, talk
from vaultkit.games import registry
from vaultkit.session.store import Saved, Store


def sessions(
    discard: Annotated[str | None, typer.Option("--discard", help="Delete the journal of this game.")] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the games that were played, begun, or recorded from paper."""
    journals = open_workspace(vault).journals
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
    _show([*map(_row, found), *map(_row_of_tally, kept)])
    for game in found:
        if game.problem and game.contents:
            talk(f"{game.id}: {game.problem}")
    if not (found or kept):
        talk("No game was played in this vault yet. Begin one with: vaultkit play dragon-citadel")


def _show(rows: Sequence[Mapping[str, Any]]) -> None:
    """A table: on a terminal in words for people, who name a game by the last letters of its id."""
    if not drawn():
        told = ([row["session"], row["standing"], row["moves"], _started(row), _seats(row)] for row in rows)
        columns(["session", "standing", "moves", "started", "seats"], told)
        return
    header = ["game", "started", "seats", "standing", "moves", "id"]
    shown = (
        [_title(row), _started(row), _seats(row), row["standing"], row["moves"] or "", row["session"][-4:]]
        for row in rows
    )
    columns(header, shown, whole=2)
    if rows:
        talk("Go on with one: vaultkit resume ID. Forget it: vaultkit sessions --discard ID")


def _title(row: Mapping[str, Any]) -> str:
    return registry.GAMES[row["game"]].title if row["game"] in registry.GAMES else row["game"] or ""


def _started(row: Mapping[str, Any]) -> str:
    """The day, and the time of day as it is here where it is known."""
    said = str(row["started"] or "")
    return f"{datetime.fromisoformat(said).astimezone():%Y-%m-%d %H:%M}" if "T" in said else said


def _seats(row: Mapping[str, Any]) -> str:
    return ", ".join(row["seats"]) or row["problem"] or ""


def _discard(store: Store, wanted: str) -> str:
    """Delete a journal, or the scores that were kept of a game with real cards; the session's id."""
    tally = find_tally(store.folder, wanted)
    if tally is None:
        return store.discard(wanted).id
    discard_tally(tally)
    return tally.id


def _row_of_tally(tally: SavedTally) -> dict[str, Any]:
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


def _row(game: Saved) -> dict[str, Any]:
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
