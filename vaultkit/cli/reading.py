"""`vaultkit reading SPREAD`: a spread laid with the cards of a deck, and logged."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.campaign.workspace import Workspace
from vaultkit.cli.common import (
    CampaignOption,
    DryRunOption,
    JsonOption,
    NoCacheOption,
    VaultOption,
    now,
    open_workspace,
)
from vaultkit.cli.output import block, columns, document, talk
from vaultkit.errors import UsageError
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.campaign.log import Logged
    from vaultkit.campaign.readings.reading import Reading
    from vaultkit.compendium import CardEntry, DeckNote
    from vaultkit.compendium.spreads.spread import Position, Spread
    from vaultkit.compendium.spreads.spreads import Spreads


QuestionOption = Annotated[str, typer.Option("--question", help="What the cards are asked; it stands in the note.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="A number that settles the cards.")]
NoLogOption = Annotated[bool, typer.Option("--no-log", help="Show the cards; write no note.")]


def reading(
    spread: Annotated[str, typer.Argument(help="A spread by its title, note or file; without it: all spreads.")] = "",
    deck: Annotated[str, typer.Option("--deck", help="The deck to lay it with, instead of the spread's own.")] = "",
    question: QuestionOption = "",
    seed: SeedOption = None,
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Lay a spread of cards, and log it in the campaign notes.

    A spread is a note of your own with the property vaultkit-spread, or one that ships with vaultkit.
    """
    from vaultkit.campaign.readings.reading import read
    from vaultkit.compendium.spreads.spreads import Spreads

    workspace = open_workspace(vault, no_cache=no_cache)
    spreads = Spreads(workspace.vault)
    if not spread.strip():
        _list(spreads, as_json)
        return
    found = spreads.find(spread)
    cards = _deck(workspace, found, deck)
    laying = Laying(workspace, campaign, no_log=no_log, dry_run=dry_run, as_json=as_json)
    laying.run(cards, seed, lambda seed: read(found, cards, seed=seed, question=question, now=now()))


@dataclass(frozen=True)
class Laying:
    """One run of `reading` or `draw`: lay the cards, show them, log them."""

    workspace: Workspace
    campaign: str | None
    no_log: bool = False
    dry_run: bool = False
    as_json: bool = False

    def run(self, deck: "DeckNote", seed: int | None, lay: Callable[[int], "Reading"]) -> None:
        """Lay the cards with `lay`, which is given the seed. That they can be logged is made sure before."""
        if not self.no_log:
            from vaultkit.campaign.log import check_target

            check_target(self.workspace.vault, self.workspace.settings, self.campaign, now().date())
        laid = lay(secrets.randbelow(10**6) if seed is None else seed)
        if not self.as_json:
            _show(laid)
        _warn(deck)
        talk(f"{laid.spread.title}, seed {laid.seed}.")
        logged = None if self.no_log else self._log(laid)
        if self.as_json:
            document(_summary(laid, logged) | ({"diff": logged.diff} if logged and self.dry_run else {}))

    def _log(self, laid: "Reading") -> "Logged":
        from vaultkit.campaign.readings.log import record

        settings, campaign = self.workspace.settings, self.campaign
        logged = record(laid, self.workspace.vault, settings, campaign=campaign, now=now(), dry_run=self.dry_run)
        if self.dry_run:
            if not self.as_json:
                block(logged.diff)
            talk(f"No note was written. The same cards again: --seed {laid.seed}")
        for path in logged.written:
            talk(f"Written: {path}")
        for remark in logged.remarks:
            talk(f"Note: {remark}")
        return logged


def _deck(workspace: Workspace, spread: "Spread", named: str) -> "DeckNote":
    """The deck that is named, else the spread's own, else the only one of the vault."""
    compendium = workspace.compendium
    wanted = named.strip() or spread.deck
    if wanted:
        return workspace.deck(wanted)
    if len(compendium.decks) == 1:
        return compendium.decks[0]
    listed = ", ".join(deck.deck.kind for deck in compendium.decks) or "this vault has none"
    raise UsageError(
        f"'{spread.title}' does not say with which deck it is laid.",
        where=spread.source,
        hint=f"Name one with --deck: {listed}.",
    )


def _list(spreads: "Spreads", as_json: bool) -> None:
    if as_json:
        document([_spread(spread) for spread in spreads.all])
    else:
        columns(
            ["spread", "cards", "deck", "from"],
            ([spread.title, len(spread.positions), spread.deck, spread.source] for spread in spreads.all),
        )
    for problem in spreads.problems:
        talk(f"{problem.note}: {problem.message} {problem.hint}".rstrip())


def _spread(spread: "Spread") -> dict[str, Any]:
    positions = [{"name": one.name, "meaning": one.meaning, "part": dict(one.part)} for one in spread.positions]
    return {"spread": spread.title, "id": spread.id, "deck": spread.deck or None, "from": spread.source} | {
        "positions": positions
    }


def _show(laid: "Reading") -> None:
    named = any(position.name for position in laid.spread.positions)
    rows = ([*([position.name] if named else []), entry.card.title, _words(entry)] for position, entry in laid.laid)
    columns([*(["position"] if named else []), "card", "text"], rows)


def _warn(deck: "DeckNote") -> None:
    """A deck with mistakes can be drawn from; that some of its cards may be missing is said."""
    errors = sum(problem.severity == "error" for problem in deck.problems)
    if errors:
        talk(f"Note: {deck.deck.title} has {counted(errors, 'problem')}; see: vaultkit check")


def _summary(laid: "Reading", logged: "Logged | None") -> dict[str, Any]:
    return {
        "id": laid.id,
        "title": laid.spread.title,
        "deck": laid.deck.note.path,
        "seed": laid.seed,
        "question": laid.question or None,
        "cards": [_card(position, entry) for position, entry in laid.laid],
        "note": logged.note if logged else None,
    }


def _card(position: "Position", entry: "CardEntry") -> dict[str, Any]:
    return {
        "position": position.name or None,
        "meaning": position.meaning or None,
        "name": entry.card.name,
        "id": entry.card.id,
        "suit": " and ".join(entry.card.suits) or None,
        "rank": entry.card.rank,
        "link": entry.link,
        "image": entry.image,
        "text": entry.text,
    }


def _words(entry: "CardEntry") -> str:
    from vaultkit.campaign.readings.page import plain_lines

    return " ".join(plain_lines(entry.text))


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

    workspace = open_workspace(vault, no_cache=no_cache)
    found = workspace.deck(deck)
    laying = Laying(workspace, campaign, no_log=no_log, dry_run=dry_run, as_json=as_json)
    laying.run(found, seed, lambda seed: draw_cards(found, number, seed=seed, question=question, now=now()))
