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
    from vaultkit.cli.house_rules import layers
    from vaultkit.games.registry import find
    from vaultkit.session.options import in_force
    from vaultkit.sheets.cards.deck_layout import DeckLayout
    from vaultkit.sheets.cards.sizes import usual_card
    from vaultkit.sheets.reference.reference_sheet import ReferenceCards, print_reference

    info, workspace = find(game), press.workspace
    deck = workspace.compendium.deck_of_kind(info.deck, info.id)
    options = {rule.option.key: rule.value for rule in in_force(info.rules(), layers(workspace, info))}
    reference = ReferenceCards(info.id, deck, workspace.rule_note(info), workspace.vault, options)
    layout = DeckLayout.asked(size or usual_card(press.theme))
    press.tell(print_reference(reference, info.title, press.job(f"{info.id}-reference"), layout, everything=everything))
