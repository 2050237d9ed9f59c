"""The command `vaultkit link NOTE`, which turns the card names in a note into links to the cards."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.context import GeneratedOption, IndexedCommandContext, current_time, with_options
from vaultkit.cli.output import print_diff as show
from vaultkit.cli.output import print_document, print_note
from vaultkit.errors import UsageError
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.compendium.linking.card_linker import Edit


@with_options
def link(
    desk: IndexedCommandContext,
    notes: Annotated[list[str], typer.Argument(metavar="NOTE...", help="Notes by their name, path, title or alias.")],
    write: Annotated[bool, typer.Option("--write", help="Write the links; without it they are only shown.")] = False,
    deck: Annotated[
        str,
        typer.Option("--deck", help="The deck whose cards are meant; else the game's, those linked already, or all."),
    ] = "",
    any_case: Annotated[
        bool,
        typer.Option("--any-case", help="Also what may be plain words: in lower case, or where a sentence begins."),
    ] = False,
    first: Annotated[bool, typer.Option("--first", help="Only the first mention of each card in a note.")] = False,
    generated: GeneratedOption = False,
    pick: Annotated[
        list[str] | None, typer.Option("--pick", help="The card that a name means, NAME=card; --write keeps it.")
    ] = None,
) -> None:
    """Link the card names in a note to their cards.

    Shows what would change; --write writes it, and `undo` takes it back. Headings, code, comments and what is a link
    already stay as they are, so that a second run finds nothing to do.

    For example: vaultkit link "House Rules" --deck tarokka
    """
    from vaultkit.campaign.card_links import link_notes

    link_all = partial(link_notes, desk.workspace, notes, deck=deck, any_case=any_case, first=first)
    result = link_all(generated=generated, write=write, now=current_time(), picks=dict(map(_parse_pick, pick or ())))
    for sentence in result.remarks:
        print_note(sentence)
    if desk.as_json:
        rows = [{"note": path, "links": edit.links} for path, edit in result.edits.items()]
        print_document(rows[0] if len(notes) == 1 else rows)
    elif result.diff:
        show(result.diff)
    for path, edit in result.edits.items():
        _print_edit(path, edit, write)
    if result.diff and not result.written:
        print_note("Nothing was written; add --write to write it.")


def _parse_pick(word: str) -> tuple[str, str]:
    name, equals, card = (part.strip() for part in word.partition("="))
    if not (name and equals and card):
        raise UsageError(f"'{word}' is no pick.", hint='Write NAME=card, such as: --pick "Rogue=tarokka:4-stars"')
    return name, card


def _print_edit(path: str, edit: "Edit", write: bool) -> None:
    from vaultkit.text import group

    name_count, card_count = len(edit.links), len({card_link.target for card_link in edit.links})
    verb_phrase = "linked" if write else "would link"
    outcome = f"{verb_phrase} {format_count(name_count, 'name')} to {format_count(card_count, 'card')}"
    print_note(f"{path}: {outcome if name_count else 'there is no card name left to link'}.")
    for deck_titles, texts in group(
        (ambiguous_name.decks, ambiguous_name.text) for ambiguous_name in edit.unclear
    ).items():
        deck_names, quoted_texts = (
            " and of ".join(f"'{deck}'" for deck in deck_titles),
            ", ".join(f"'{text}'" for text in texts),
        )
        verb = "is a card" if len(texts) == 1 else "are cards"
        print_note(f"  {quoted_texts} {verb} of {deck_names}; say which you mean: --deck NAME")
    for shared_name in edit.others:
        print_note(
            f"  '{shared_name.text}' is also the note '{shared_name.path}'; "
            f'if the card is meant: --pick "{shared_name.text}=card"'
        )
    if edit.left:
        print_note(f"  These cannot be linked where they stand: {', '.join(edit.left)}")
