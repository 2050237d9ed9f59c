"""`vaultkit deck NAME`: one deck, card by card."""

from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.compendium import CardEntry


def deck(
    name: Annotated[str, typer.Argument(help="A deck by its title, kind, note name or alias.")],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the cards of one deck."""
    found = Workspace.open(vault).compendium.deck(name)
    if as_json:
        document(
            {"name": found.deck.title, "note": found.note.path, "cards": [_card(entry) for entry in found.entries]}
        )
        return
    columns(
        ["card", "suit", "rank", "text"],
        ([e.card.name, _suits(e), _rank(e), " ".join(e.text.split())] for e in found.entries),
    )
    for problem in found.problems:
        talk(f"{problem.note}:{problem.line}: {problem.message}")


def _card(entry: CardEntry) -> dict[str, Any]:
    return {
        "name": entry.card.name,
        "id": entry.card.id,
        "suit": _suits(entry) or None,
        "rank": entry.card.rank,
        "link": entry.link,
        "image": entry.image,
        "text": entry.text,
    }


def _suits(entry: CardEntry) -> str:
    return " and ".join(entry.card.suits)


def _rank(entry: CardEntry) -> str:
    return "" if entry.card.rank is None else str(entry.card.rank)


app = new_app(deck)
