"""`vaultkit deck NAME`: one deck, card by card."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, open_workspace
from vaultkit.cli.output import columns, document, talk
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.compendium.cardtext import plain
from vaultkit.compendium.linking import places
from vaultkit.compendium.linking.places import Backlink
from vaultkit.errors import Problem


def decks(vault: VaultOption = None, no_cache: NoCacheOption = False, as_json: JsonOption = False) -> None:
    """List the decks of this vault."""
    found = open_workspace(vault, no_cache=no_cache).compendium.decks
    if as_json:
        document(
            [
                {
                    "name": deck.deck.title,
                    "kind": deck.deck.kind,
                    "note": deck.note.path,
                    "cards": len(deck.deck),
                    "suits": list(deck.deck.suits),
                    "sound": deck.sound,
                    "problems": len(deck.problems),
                }
                for deck in found
            ]
        )
        return
    columns(
        ["deck", "kind", "cards", "suits", "note"],
        ([d.deck.title, d.deck.kind, len(d.deck), ", ".join(d.deck.suits), d.note.path] for d in found),
    )
    for deck in found:
        if deck.first_error is not None:
            problem = deck.first_error
            where = f"{problem.note}:{problem.line}" if problem.line else problem.note
            talk(f"{deck.deck.title} cannot be played with: {problem.message} ({where})")
        for problem in deck.problems:
            if problem.severity == "warning" and problem.code.startswith("deck-"):
                talk(told(problem))
    if not found:
        talk("There is no deck in this vault. Copy one in with: vaultkit init --with dragon-citadel")


def deck(
    name: Annotated[str, typer.Argument(help="A deck by its title, kind, note name, alias or path.")],
    backlinks: Annotated[
        bool, typer.Option("--backlinks", help="Which notes use which card, by the links that lead to it.")
    ] = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show the cards of one deck, or the notes that use them."""
    workspace = open_workspace(vault, no_cache=no_cache)
    found = workspace.deck(name)
    uses = places.backlinks(workspace.vault, found) if backlinks else None
    if as_json:
        cards = [_card(entry) | ({} if uses is None else _uses(entry, uses)) for entry in found.entries]
        document({"name": found.deck.title, "note": found.note.path, "cards": cards})
        return
    if uses is None:
        _show_cards(found)
    else:
        _show_uses(found, uses)
    for problem in found.problems:
        talk(told(problem))


def told(problem: Problem) -> str:
    """`note:line: message hint`, without the line where a problem is the whole note's."""
    where = f"{problem.note}:{problem.line}" if problem.line else problem.note
    return f"{where}: {problem.message} {problem.hint}".rstrip()


def _show_cards(found: DeckNote) -> None:
    columns(
        ["card", "suit", "rank", "text"],
        ([e.card.name, _suits(e), _rank(e), plain(e.text)] for e in found.entries),
    )


def _show_uses(found: DeckNote, uses: Sequence[Backlink]) -> None:
    """By card in the deck's order; cards that nothing leads to are named at the end."""
    columns(
        ["card", "note", "line", "text"],
        ([e.card.name, use.note, use.line, use.text] for e in found.entries for use in uses if use.card is e),
    )
    used = {use.card.card.id for use in uses}
    unused = [entry.card.name for entry in found.entries if entry.card.id not in used]
    if unused:
        talk(f"No note links to {len(unused)} of {len(found.entries)} cards: {', '.join(unused)}")


def _uses(entry: CardEntry, uses: Sequence[Backlink]) -> dict[str, Any]:
    own = (use for use in uses if use.card is entry)
    return {"backlinks": [{"note": use.note, "line": use.line, "column": use.column, "text": use.text} for use in own]}


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
