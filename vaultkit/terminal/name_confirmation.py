"""Names at the table that may be those of players with a slip of the hand: whoever sits there is asked."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.scoresheets.paper_log import People, guest_remarks
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal.safe_text import strip_controls

if TYPE_CHECKING:
    from rich.console import Console

_GUEST_ANSWERS, _PLAYER_ANSWERS = frozenset({"g", "guest", "n", "no"}), frozenset({"", "y", "yes"})


def confirm_player(name: str, player: str, ask: Callable[[str], str]) -> bool:
    """Whether a guest is the player of almost that name."""
    answer = "?"
    while answer.casefold() not in _GUEST_ANSWERS | _PLAYER_ANSWERS:
        answer = ask(f"{name} has no note. Do you mean {player} (Enter), or is it a guest (g)? ")
    return answer.casefold() in _PLAYER_ANSWERS


def player_confirmer(console: "Callable[[], Console] | None") -> Callable[[str, str], bool | None]:
    """Asks whether a guest is the player of almost that name; the answer is None where nobody is there.

    It raises KeyboardInterrupt where the person leaves instead.
    """
    ask = line_asker(console)
    return (lambda *_: None) if ask is None else lambda name, player: confirm_player(name, player, ask)


def line_asker(console: "Callable[[], Console] | None") -> Callable[[str], str] | None:
    """Return a function that asks for one line at the terminal, None where nobody is there.

    It raises KeyboardInterrupt where the person leaves instead.
    """
    if console is None or not sys.stdin.isatty():
        return None

    def ask(question: str) -> str:
        from rich.text import Text

        from vaultkit.terminal.answer_sources import TerminalSource

        try:
            return TerminalSource(console()).answer(Text(strip_controls(question)), "")
        except EOFError as leaving:
            raise KeyboardInterrupt from leaving

    return ask


def confirm_seats(
    notes: GameNotes, seat_words: Sequence[str], console: "Callable[[], Console] | None", tell: Callable[[str], object]
) -> tuple[SeatSpec, ...]:
    """The seats of a game, those put right that somebody mistyped; without a `console` to ask on, `tell` says it."""
    seats, ask = notes.seats(seat_words), player_confirmer(console)
    people = [seat.name for seat in seats if seat.is_person and seat_words]
    guest_players = People(notes.workspace.vault, notes.workspace.settings.players).find_guests(people)
    confirmations = {name: ask(name, player) for name, player in guest_players.items() if player}
    for remark in guest_remarks({name: guest_players[name] for name, sure in confirmations.items() if sure is None}):
        tell(remark)
    corrected = [
        guest_players[seat.name] if confirmations.get(seat.name) else word
        for seat, word in zip(seats, seat_words, strict=False)
    ]
    return notes.seats(corrected) if any(confirmations.values()) else seats
