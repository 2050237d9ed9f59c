"""The command `vaultkit link NOTE`, which turns the card names in a note into links to the cards."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.common import GeneratedOption, IndexedDesk, now, with_options
from vaultkit.cli.output import diff as show
from vaultkit.cli.output import document, talk
from vaultkit.errors import UsageError
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.compendium.linking.card_linker import Edit


@with_options
def link(
    desk: IndexedDesk,
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

    planned = partial(link_notes, desk.workspace, notes, deck=deck, any_case=any_case, first=first)
    linked = planned(generated=generated, write=write, now=now(), picks=dict(map(_pick, pick or ())))
    for sentence in linked.remarks:
        talk(sentence)
    if desk.as_json:
        rows = [{"note": path, "links": edit.links} for path, edit in linked.edits.items()]
        document(rows[0] if len(notes) == 1 else rows)
    elif linked.diff:
        show(linked.diff)
    for path, edit in linked.edits.items():
        _tell(path, edit, write)
    if linked.diff and not linked.written:
        talk("Nothing was written; add --write to write it.")


def _pick(word: str) -> tuple[str, str]:
    name, sign, card = (part.strip() for part in word.partition("="))
    if not (name and sign and card):
        raise UsageError(f"'{word}' is no pick.", hint='Write NAME=card, such as: --pick "Rogue=tarokka:4-stars"')
    return name, card


def _tell(path: str, edit: "Edit", write: bool) -> None:
    from vaultkit.grouping import group

    names, cards = len(edit.links), len({made.target for made in edit.links})
    done = f"{'linked' if write else 'would link'} {counted(names, 'name')} to {counted(cards, 'card')}"
    talk(f"{path}: {done if names else 'there is no card name left to link'}.")
    for decks, texts in group((unclear.decks, unclear.text) for unclear in edit.unclear).items():
        owners, quoted = " and of ".join(f"'{deck}'" for deck in decks), ", ".join(f"'{text}'" for text in texts)
        are = "is a card" if len(texts) == 1 else "are cards"
        talk(f"  {quoted} {are} of {owners}; say which you mean: --deck NAME")
    for other in edit.others:
        talk(f"  '{other.text}' is also the note '{other.path}'; if the card is meant: --pick \"{other.text}=card\"")
    if edit.left:
        talk(f"  These cannot be linked where they stand: {', '.join(edit.left)}")
