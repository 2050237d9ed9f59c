"""`vaultkit draw DECK`: cards off the top of a shuffled deck, and logged."""

from typing import Annotated

import typer

from vaultkit.cli.common import (
    CampaignOption,
    DryRunOption,
    JsonOption,
    NoCacheOption,
    VaultOption,
    Workspace,
    new_app,
    now,
)
from vaultkit.cli.reading import Laying, NoLogOption, QuestionOption, SeedOption


def draw(
    deck: Annotated[str, typer.Argument(help="A deck by its title, kind, note name or alias.")],
    number: Annotated[int, typer.Option("--number", "-n", help="How many cards to draw.", min=1)] = 1,
    question: QuestionOption = "",
    seed: SeedOption = None,
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Draw cards from a shuffled deck, and log them in the campaign notes."""
    from vaultkit.campaign.readings.reading import draw as draw_cards

    workspace = Workspace.open(vault, no_cache=no_cache)
    found = workspace.deck(deck)
    laying = Laying(workspace, campaign, no_log=no_log, dry_run=dry_run, as_json=as_json)
    laying.run(found, seed, lambda seed: draw_cards(found, number, seed=seed, question=question, now=now()))


app = new_app(draw)
