"""Names at the table that may be those of players with a slip of the hand: whoever sits there is asked."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.scoresheets.logging import People, guest_remarks
from vaultkit.play.plain import safe
from vaultkit.session.seats import SeatSpec

if TYPE_CHECKING:
    from rich.console import Console

_GUEST, _PLAYER = frozenset({"g", "guest", "n", "no"}), frozenset({"", "y", "yes"})


def is_meant(name: str, player: str, ask: Callable[[str], str]) -> bool:
    """Whether a guest is the player of almost that name."""
    typed = "?"
    while typed.casefold() not in _GUEST | _PLAYER:
        typed = ask(f"{name} has no note. Do you mean {player} (Enter), or is it a guest (g)? ")
    return typed.casefold() in _PLAYER


def asker(console: "Callable[[], Console] | None") -> Callable[[str, str], bool | None]:
    """Asks whether a guest is the player of almost that name; the answer is None where nobody is there.

    It raises KeyboardInterrupt where the person leaves instead.
    """
    ask = line_asker(console)
    return (lambda *_: None) if ask is None else lambda name, player: is_meant(name, player, ask)


def line_asker(console: "Callable[[], Console] | None") -> Callable[[str], str] | None:
    """Return a function that asks for one line at the terminal, None where nobody is there.

    It raises KeyboardInterrupt where the person leaves instead.
    """
    if console is None or not sys.stdin.isatty():
        return None

    def ask(question: str) -> str:
        from rich.text import Text

        from vaultkit.play.sources import Terminal

        try:
            return Terminal(console()).answer(Text(safe(question)), "")
        except EOFError as leaving:
            raise KeyboardInterrupt from leaving

    return ask


def seats_meant(
    notes: GameNotes, given: Sequence[str], console: "Callable[[], Console] | None", tell: Callable[[str], object]
) -> tuple[SeatSpec, ...]:
    """The seats of a game, those put right that somebody mistyped; without a `console` to ask on, `tell` says it."""
    seats, ask = notes.seats(given), asker(console)
    people = [seat.name for seat in seats if seat.is_person and given]
    found = People(notes.workspace.vault, notes.workspace.settings.players).guests(people)
    meant = {name: ask(name, player) for name, player in found.items() if player}
    for remark in guest_remarks({name: found[name] for name, sure in meant.items() if sure is None}):
        tell(remark)
    corrected = [found[seat.name] if meant.get(seat.name) else word for seat, word in zip(seats, given, strict=False)]
    return notes.seats(corrected) if any(meant.values()) else seats
