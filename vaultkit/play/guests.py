"""Names at the table that may be those of players with a slip of the hand: whoever sits there is asked."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.scoresheets.people import People, guest_remarks
from vaultkit.play.plain import safe
from vaultkit.session.seats import SeatSpec

if TYPE_CHECKING:
    from rich.console import Console

_GUEST, _PLAYER = frozenset({"g", "guest", "n", "no"}), frozenset({"", "y", "yes"})


def is_meant(name: str, player: str, ask: Callable[[str], str | None]) -> bool | None:
    """Whether a guest is the player of almost that name; None where the person goes back instead."""
    typed: str | None = "?"
    while typed is not None and typed.casefold() not in _GUEST | _PLAYER:
        typed = ask(f"{name} has no note. Do you mean {player} (Enter), or is it a guest (g)? ")
    return None if typed is None else typed.casefold() in _PLAYER


def ask_slips(found: Mapping[str, str], console: "Callable[[], Console]") -> Mapping[str, str] | None:
    """The players that a person means, by the names of the `guests` that were `found`; None where nobody is there.

    Raises KeyboardInterrupt where the person leaves instead.
    """
    if not sys.stdin.isatty():
        return None
    from rich.text import Text

    from vaultkit.play.sources import Terminal

    terminal = Terminal(console())

    def ask(question: str) -> str:
        try:
            return terminal.answer(Text(safe(question)), "")
        except EOFError as leaving:
            raise KeyboardInterrupt from leaving

    return {name: player for name, player in found.items() if player and is_meant(name, player, ask)}


def seats_meant(
    notes: GameNotes, given: Sequence[str], console: "Callable[[], Console] | None", tell: Callable[[str], object]
) -> tuple[SeatSpec, ...]:
    """The seats of a game, those put right that somebody mistyped; without a `console` to ask on, `tell` says it."""
    seats = notes.seats(given)
    people = [seat.name for seat in seats if seat.is_person and given]
    found = People(notes.workspace.vault, notes.workspace.settings.players).guests(people)
    slips = {name: player for name, player in found.items() if player}
    meant = ask_slips(slips, console) if slips and console else None
    for remark in guest_remarks(slips) if meant is None else ():
        tell(remark)
    return (
        notes.seats([meant.get(seat.name, word) for seat, word in zip(seats, given, strict=True)]) if meant else seats
    )
