"""`vaultkit print reference`: the rules of one game as cards for the table."""

from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command


@sheet_command
def reference(
    press: Press,
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    everything: Annotated[bool, typer.Option("--all", help="All cards of the deck, with a rule or without.")] = False,
    size: Annotated[
        str, typer.Option("--size", help="poker (jumbo in large print), bridge, tarot, mini, euro, jumbo, index...")
    ] = "",
) -> None:
    """What each card does, how hands rank, what a turn is: cards to cut out, so that nobody needs the rule book."""
    from vaultkit.campaign import house_rules
    from vaultkit.games.registry import find
    from vaultkit.sheets.cards.layout import DeckLayout
    from vaultkit.sheets.cards.sizes import usual_card
    from vaultkit.sheets.reference.sheet import print_reference

    info, workspace = find(game), press.workspace
    made = print_reference(
        info.id,
        info.title,
        workspace.compendium.deck_of_kind(info.deck, info.id),
        workspace.rule_note(info),
        workspace.vault,
        paper=press.paper,
        out=press.place(f"{info.id}-reference"),
        everything=everything,
        layout=DeckLayout.asked(size or usual_card(press.theme)),
        theme=press.theme,
        options=house_rules.values(workspace, info),
    )
    press.tell(made)
