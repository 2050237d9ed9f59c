"""Whether a vault has what a game needs."""

from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import VaultkitError
from vaultkit.games.registry import GAMES, GameInfo


@dataclass(frozen=True)
class Readiness:
    """A game with its deck and rule note as vault paths, None for what is not there, and what keeps it from play.

    One that is known by its score sheet alone needs neither to be logged.
    """

    id: str
    title: str
    seats: tuple[int, int]
    deck: str | None
    rule_note: str | None
    ready: bool
    problems: tuple[str, ...]


def readiness(workspace: Workspace) -> Iterator[Readiness]:
    """How each game stands."""
    return (_of_game(workspace, info) for info in GAMES.values())


def scored(workspace: Workspace) -> Iterator[Readiness]:
    """The games that are known by their score sheets alone, and those whose definitions cannot be used."""
    for sheet in workspace.score_sheets.defined.values():
        rules = workspace.rule_note(sheet.info)
        yield Readiness(sheet.id, sheet.title, sheet.seats, None, rules.note.path if rules else None, True, ())
    for raw, fault in workspace.score_sheets.faults:
        yield Readiness(raw.game, raw.title, (0, 0), None, None, False, (str(fault),))


def _of_game(workspace: Workspace, info: GameInfo) -> Readiness:
    problems: list[str] = []
    deck = next((deck for deck in workspace.compendium.decks if deck.deck.kind == info.deck), None)
    try:
        deck = workspace.compendium.deck_of_kind(info.deck, info.id)
    except VaultkitError as error:
        problems.append(error.message)
    rules = workspace.rule_note(info)
    if rules is None:
        problems.append(f"This vault has no rule note for {info.title}.")
    return Readiness(
        info.id,
        info.title,
        info.seats,
        deck.note.path if deck else None,
        rules.note.path if rules else None,
        deck is not None and deck.sound,
        tuple(problems),
    )
