"""The command `vaultkit deck`, which lists the decks, shows the cards of one, and makes one of a folder."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from vaultkit.cli.context import (
    CommandContext,
    DryRunOption,
    IndexedContext,
    current_time,
    new_app,
    with_options,
)
from vaultkit.cli.output import print_document, print_lines, print_note, print_problem, print_table, problem_place
from vaultkit.errors import UsageError
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.compendium import CardEntry, DeckNote
    from vaultkit.compendium.linking.card_targets import Backlink


app = new_app()


@app.callback(invoke_without_command=True, no_args_is_help=False)
@with_options
def deck(
    desk: IndexedContext,
    context: typer.Context,
    name: Annotated[str, Argument(help="A deck by title, kind, note, alias or path. Default: list all decks.")] = "",
    backlinks: Annotated[bool, Option("--backlinks", help="Show which notes link to which card.")] = False,
) -> None:
    """List the decks or show a deck's cards; `new` makes a deck from a folder.

    For example: vaultkit deck tarokka --backlinks
    """
    from vaultkit.compendium.card_text import plain_words
    from vaultkit.compendium.linking import card_targets

    if context.invoked_subcommand:
        return
    if not name:
        if backlinks:
            raise UsageError("--backlinks needs a deck.", hint="Name one: vaultkit deck NAME --backlinks")
        _print_decks(desk)
        return
    deck_note = desk.workspace.deck(name)
    uses = card_targets.find_backlinks(desk.vault, deck_note) if backlinks else ()
    if desk.as_json:
        entries = deck_note.entries
        cards = [card_document(entry) | (_backlink_fields(entry, uses) if backlinks else {}) for entry in entries]
        print_document({"name": deck_note.deck.title, "note": deck_note.note.path, "cards": cards})
        return
    if backlinks:
        _print_uses(deck_note, uses)
    else:
        words = deck_note.own_words
        rows = []
        for entry in deck_note.entries:
            card, rank = entry.card, "" if entry.card.rank is None else entry.card.rank
            rows.append([card.name, _suits_text(entry, words), words.get(f"{rank}", rank), plain_words(entry.text)])
        print_table(["card", "suit", "rank", "text"], rows)
    for problem in deck_note.problems:
        print_problem(problem)


@app.command()
@with_options
def new(
    desk: CommandContext,
    folder: Annotated[str, Argument(help="A folder with a note or picture for each card.")],
    title: Annotated[str, Option("--title", help="The deck's name. Default: the folder's.")] = "",
    dry_run: DryRunOption = False,
) -> None:
    """Make a deck note for the notes or pictures in a folder.

    The notes stay unchanged; their properties `suit` and `rank` are used. `undo` deletes the deck note.

    For example: vaultkit deck new Items
    """
    from vaultkit.campaign.new_deck import write_deck

    path = desk.workspace.vault_path(folder)
    new_deck = write_deck(desk.workspace, path, title=title, now=current_time(), dry_run=dry_run)
    if desk.as_json:
        document = {"deck": new_deck.kind, "note": new_deck.path, "cards": new_deck.cards}
        print_document(document | ({"diff": new_deck.diff} if dry_run else {}))
    elif dry_run:
        print_lines(new_deck.diff)
    if not dry_run:
        print_note(f"Written: {new_deck.path} ({format_count(new_deck.cards, 'card')})")
        print_note(f"Show it: vaultkit deck {new_deck.kind}. Print it: vaultkit print cards {new_deck.kind}")


def _print_decks(desk: IndexedContext) -> None:
    deck_notes = desk.workspace.compendium.decks
    if desk.as_json:
        print_document([_deck_document(deck_note) for deck_note in deck_notes])
        return
    rows = []
    for deck_note in deck_notes:
        deck, words = deck_note.deck, deck_note.own_words
        suits = ", ".join(words.get(suit, suit) for suit in deck.suits)
        rows.append([deck.title, deck.kind, len(deck), suits, deck_note.note.path])
    print_table(["deck", "kind", "cards", "suits", "note"], rows)
    for deck_note in deck_notes:
        if problem := deck_note.first_error:
            print_note(f"{deck_note.deck.title} cannot be used: {problem.message} ({problem_place(problem)})")
        for problem in deck_note.problems:
            if problem.severity == "warning" and problem.code.startswith("deck-"):
                print_problem(problem)
    if not deck_notes:
        print_note("There is no deck in this vault. Copy one in with: vaultkit init --with dragon-citadel")


def _deck_document(deck_note: "DeckNote") -> dict[str, Any]:
    deck = deck_note.deck
    fields = {"name": deck.title, "kind": deck.kind, "note": deck_note.note.path, "cards": len(deck)}
    return fields | {"suits": list(deck.suits), "sound": deck_note.sound, "problems": len(deck_note.problems)}


def _print_uses(deck_note: "DeckNote", uses: "Sequence[Backlink]") -> None:
    """Print the notes that link to each card, in the order of the deck, and then the cards without links."""
    rows = ([e.card.name, use.note, use.line, use.text] for e in deck_note.entries for use in uses if use.card is e)
    print_table(["card", "note", "line", "text"], rows)
    used_ids = {use.card.card.id for use in uses}
    unused = [entry.card.name for entry in deck_note.entries if entry.card.id not in used_ids]
    if unused:
        print_note(f"No note links to {len(unused)} of {len(deck_note.entries)} cards: {', '.join(unused)}")


def _backlink_fields(entry: "CardEntry", uses: "Sequence[Backlink]") -> dict[str, Any]:
    names = ("note", "line", "column", "text")
    return {"backlinks": [{name: getattr(use, name) for name in names} for use in uses if use.card is entry]}


def card_document(entry: "CardEntry") -> dict[str, Any]:
    """Return a card as a JSON document."""
    return {
        "name": entry.card.name,
        "id": entry.card.id,
        "suit": _suits_text(entry) or None,
        "rank": entry.card.rank,
        "link": entry.link,
        "image": entry.image,
        "text": entry.text,
    }


def _suits_text(entry: "CardEntry", own_words: Mapping[str, str] | None = None) -> str:
    return " and ".join((own_words or {}).get(suit, suit) for suit in entry.card.suits)
