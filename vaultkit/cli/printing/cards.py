"""`vaultkit print cards`: a deck as cards to cut out."""

from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command


@sheet_command
def cards(
    press: Press,
    deck: Annotated[str, typer.Argument(help="A deck by its title, kind, note name or alias.")],
    wanted: Annotated[str, typer.Option("--cards", help='Only these, like "Raven, 2x Seer, 5-9".')] = "",
    size: Annotated[
        str, typer.Option("--size", help="poker (jumbo in large print), bridge, tarot, mini, euro, jumbo, index...")
    ] = "",
    duplex: Annotated[
        str, typer.Option("--duplex", help="Print backs: long-edge, short-edge, two-pass, fold or none.")
    ] = "",
    back: Annotated[str, typer.Option("--back", help="A back by name, or a picture or note of the vault.")] = "",
    bleed: Annotated[
        str, typer.Option("--bleed", help="outer, per-card, or a width for each card like 1.5mm.")
    ] = "outer",
    margin: Annotated[str, typer.Option("--margin", help="What the printer leaves white at the edge.")] = "5mm",
    printer: Annotated[str, typer.Option("--printer", help="A printer that `print calibrate` knows.")] = "",
    frame: Annotated[
        str, typer.Option("--frame", help="classic, full (art to the edge), parchment, plain, or one of your own.")
    ] = "classic",
    accessible: Annotated[
        bool, typer.Option("--accessible/--no-accessible", help="Also one card a page, for reading and screen readers.")
    ] = True,
    service: Annotated[
        str, typer.Option("--for", help="Files for a print service: gamecrafter, makeplayingcards or drivethru.")
    ] = "",
) -> None:
    """A deck as cards to cut out, as many to a page as it holds."""
    from vaultkit.sheets.cards.layout import DeckLayout
    from vaultkit.sheets.cards.sizes import usual_card
    from vaultkit.sheets.decks import beside, print_card_pages, print_cards

    if service:
        from vaultkit.cli.printing.service import refuse, send

        given = {"--size": bool(size), "--duplex": bool(duplex), "--bleed": bleed != "outer"}
        refuse(press, given | {"--margin": margin != "5mm", "--printer": bool(printer)})
        send(press, press.workspace.compendium.deck(deck), service, back, frame, wanted)
        return
    size = size or usual_card(press.theme)
    layout = DeckLayout.asked(size, bleed=bleed, margin=margin, duplex=duplex, back=back, printer=printer)
    found = press.workspace.compendium.deck(deck)
    place = press.place(f"{found.deck.kind}-cards")
    vault, theme = press.workspace.vault, press.theme
    made = print_cards(
        found, vault, paper=press.paper, out=place, theme=theme, layout=layout, wanted=wanted, frame=frame,
        accessible=accessible,
    )  # fmt: skip
    more = []
    if accessible:
        more.append(
            print_card_pages(found, vault, out=beside(place), theme=theme, size=size, wanted=wanted, frame=frame)
        )
    press.tell(made, *more)
