"""`vaultkit games`: what can be played here."""

from typing import Any

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import JsonOption, VaultOption, open_workspace
from vaultkit.cli.output import columns, document
from vaultkit.errors import VaultkitError
from vaultkit.games.registry import GAMES, GameInfo


def games(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """List the games and whether this vault has what they need."""
    workspace = open_workspace(vault)
    rows = [standing(workspace, game) for game in GAMES.values()]
    if as_json:
        document(rows)
        return
    columns(
        ["game", "title", "seats", "ready"],
        ([row["id"], row["title"], _range(row["seats"]), _ready(row)] for row in rows),
        whole=1,
    )


def standing(workspace: Workspace, game: GameInfo) -> dict[str, Any]:
    """A game with its rule note and deck in this vault, and what keeps it from being played."""
    problems: list[str] = []
    deck = next((deck for deck in workspace.compendium.decks if deck.deck.kind == game.deck), None)
    try:
        deck = workspace.compendium.deck_of_kind(game.deck, game.id)
    except VaultkitError as error:
        problems.append(error.message)
    note = workspace.rule_note(game)
    if note is None:
        problems.append(f"This vault has no rule note for {game.title}.")
    return {
        "id": game.id,
        "title": game.title,
        "seats": list(game.seats),
        "deck": deck.note.path if deck else None,
        "rule_note": note.note.path if note else None,
        "ready": deck is not None and deck.sound,
        "problems": problems,
    }


def _range(seats: list[int]) -> str:
    low, high = seats
    return str(low) if low == high else f"{low} to {high}"


def _ready(row: dict[str, Any]) -> str:
    if not row["ready"]:
        return f"no: {' '.join(row['problems'])}"
    return "yes" if row["rule_note"] else f"yes, without its rule note; to have it: vaultkit init --with {row['id']}"
