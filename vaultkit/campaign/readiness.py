"""The parts that a game needs and whether a vault has them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from vaultkit.campaign.house_rules import option_values
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import VaultkitError
from vaultkit.games.registry import GAMES, GameInfo
from vaultkit.session.options import changes, settle
from vaultkit.text import name_sort_key


@dataclass(frozen=True)
class Readiness:
    """A game with its deck and rule note as vault paths, None for a missing one, and what prevents playing it.

    A game that is defined by a score sheet alone can be logged without a deck and a rule note. `seats` are the lowest
    and highest number of seats under the house rules in force, (0, 0) if the game's definition cannot be used;
    `house_rules` are the rules that change them, such as `min_players = 2`.
    """

    id: str
    title: str
    seats: tuple[int, int]
    deck: str | None
    rule_note: str | None
    ready: bool
    problems: tuple[str, ...]
    house_rules: tuple[str, ...] = ()


def registered_game_readiness(workspace: Workspace) -> Iterator[Readiness]:
    """Return the readiness of every game in GAMES, ready or not."""
    return (_check_game(workspace, info) for info in GAMES.values())


def score_sheet_readiness(workspace: Workspace) -> Iterator[Readiness]:
    """Yield the readiness of each game that a score sheet alone defines, then of each whose definition is unusable."""
    for sheet in sorted(workspace.score_sheets.defined.values(), key=lambda sheet: name_sort_key(sheet.title)):
        found_note = workspace.rule_note(sheet.info)
        note_path = found_note.note.path if found_note else None
        yield Readiness(sheet.id, sheet.title, sheet.seats, None, note_path, True, ())
    for unusable_sheet, fault in workspace.score_sheets.faults:
        yield Readiness(unusable_sheet.game, unusable_sheet.title, (0, 0), None, None, False, (str(fault),))


def _check_game(workspace: Workspace, info: GameInfo) -> Readiness:
    """Return the readiness of one game; a deck of its kind that cannot be used is named all the same."""
    problems: list[str] = []
    deck = next((deck for deck in workspace.compendium.decks if deck.deck.kind == info.deck), None)
    try:
        deck = workspace.compendium.deck_of_kind(info.deck, info.id)
    except VaultkitError as error:
        problems.append(error.message)
    found_note = workspace.rule_note(info)
    if found_note is None:
        problems.append(f"This vault has no rule note for {info.title}.")
    seats, seat_rules = _allowed_seats(workspace, info)
    deck_path, note_path = deck.note.path if deck else None, found_note.note.path if found_note else None
    has_deck = deck is not None and deck.sound
    return Readiness(info.id, info.title, seats, deck_path, note_path, has_deck, tuple(problems), seat_rules)


def _allowed_seats(workspace: Workspace, info: GameInfo) -> tuple[tuple[int, int], tuple[str, ...]]:
    """Return the lowest and highest number of seats, and the house rules that change them; invalid rules do not."""
    game = info.rules()
    options = defaults = settle(game, {})
    with suppress(VaultkitError):
        options = option_values(workspace, info)
    seats, rules = game.seats_under(defaults), changes(game, options).items()
    seat_rules = (f"{key} = {value}" for key, value in rules if game.seats_under({**defaults, key: value}) != seats)
    return game.seats_under(options), tuple(seat_rules)
