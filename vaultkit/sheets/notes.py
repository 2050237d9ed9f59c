"""From notes to sheets: what a vault holds, in the form that the sheets ask for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from vaultkit import resources
from vaultkit.cards import Card
from vaultkit.compendium import CardEntry, DeckNote
from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.face import PrintableCard
from vaultkit.sheets.cards.sheet import card_sheet
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.rule_sheet import rule_sheet
from vaultkit.sheets.scores import design as score_design
from vaultkit.sheets.scores.sheet import score_sheet
from vaultkit.sheets.sources import VaultSource, file_inside
from vaultkit.sheets.theme import Theme
from vaultkit.vault import Note, Vault

_TOLD = {"deck", "value", "kind"}
"""Traits that a card shows anyway, by its rank and its place in the deck."""


@dataclass(frozen=True)
class Played:
    """A finished game, as its score sheets need it.

    `ticks` are what is ticked on every sheet (`{"mode": "coop"}`), `scores` the parts of each of `players`.
    """

    id: str
    session: str
    date: str
    ticks: Mapping[str, str]
    players: tuple[str, ...]
    scores: tuple[Mapping[str, int], ...]


def print_rules(
    note: Note, vault: Vault, *, paper: str, out: Path, theme: Theme | None = None, vault_name: str = ""
) -> PrintedFile:
    """A note as a rule sheet. With `vault_name`, links to other notes open them in Obsidian.

    Raises InvalidError for an empty note.
    """
    if not note.body.strip():
        raise InvalidError("This note is empty, so there is nothing to print.", where=note.path)
    source = VaultSource(note, vault, vault_name)
    return rule_sheet(
        note.body,
        title=note.title,
        source_path=note.path,
        paper=paper,
        out=out,
        cache=image_cache(),
        resolve_image=source.image,
        describe_link=source.link,
        resolve_embed=source.embed,
        theme=theme or Theme(vault.root),
    )


def print_cards(
    deck: DeckNote, vault: Vault, *, paper: str, out: Path, theme: Theme | None = None, first_page_only: bool = False
) -> PrintedFile:
    """A deck as cut-ready cards. Raises InvalidError for a deck without cards."""
    if not deck.entries:
        raise InvalidError("This deck has no cards.", where=deck.note.path, hint="See: vaultkit check")
    return card_sheet(
        [_printable(entry, vault) for entry in deck.entries],
        deck_title=deck.deck.title,
        paper=paper,
        out=out,
        cache=image_cache(),
        first_page_only=first_page_only,
        theme=theme or Theme(vault.root),
    )


def print_played_scores(
    game: Played, vault: Vault, *, paper: str, out: Path, theme: Theme | None = None
) -> PrintedFile:
    """The score sheet of a finished game, a page for each player, filled in; `survived` becomes a tick."""
    return score_sheet(
        game.id,
        paper=paper,
        out=out,
        theme=theme or Theme(vault.root),
        players=game.players,
        session=game.session,
        date=game.date,
        ticks=game.ticks,
        own_ticks=_fates(game, vault),
        scores={name: _boxes(parts) for name, parts in zip(game.players, game.scores, strict=True)},
    )


def _fates(game: Played, vault: Vault) -> dict[str, dict[str, str]]:
    """Who survived and who forfeited, where the scores tell and the sheet asks."""
    asked = {group.id for group in score_design.load(game.id, vault.root).ticks}
    if "forfeited" not in asked:
        return {}
    told = zip(game.players, game.scores, strict=True)
    return {name: {"forfeited": "no" if parts["survived"] else "yes"} for name, parts in told if "survived" in parts}


def _boxes(parts: Mapping[str, int]) -> dict[str, int | str]:
    """Score parts as the sheet has them: rolls with their row, and 0 as an empty box."""
    boxes: dict[str, int | str] = {"score": parts["total"]}
    for name, value in parts.items():
        group, _, part = name.partition(".")
        if part == "rolls" and value:
            boxes[name] = f"{value} × row {parts[f'{group}.row']}"
        elif part in {"total", "heroes", "count"} and value:
            boxes[name] = value
    return boxes


def image_cache() -> Path:
    """Where pictures are kept in the form in which they are printed; safe to delete."""
    from platformdirs import user_cache_path

    return user_cache_path("vaultkit") / "images"


def _printable(entry: CardEntry, vault: Vault) -> PrintableCard:
    card = entry.card
    return PrintableCard(
        title=card.name,
        suit=" and ".join(card.suits),
        suit_icon=" ".join(_icons(card, vault)),
        rank=card.rank,
        text_markdown=entry.text,
        image=file_inside(vault, entry.image) if entry.image else None,
        link=entry.link,
        facts=tuple((key.capitalize(), value) for key, value in card.traits.items() if value and key not in _TOLD),
    )


def _icons(card: Card, vault: Vault) -> list[str]:
    """The icons of a card's suits; for a card without suit the emblem of its own, or a crown."""
    names = [suit.lower() for suit in card.suits] or [f"emblem-{card.id}"]
    return [name for name in names if resources.find("print", f"icons/{name}.svg", vault.root)]
