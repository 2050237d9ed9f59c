"""Questions to whoever is at the terminal: names that may be misspelt, and boxes of a score sheet with drawings."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.scoresheets.people import People, guest_remarks
from vaultkit.campaign.scoresheets.sheet_merge import CoveredBox
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal import commands
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import parse_yes_no

if TYPE_CHECKING:
    from rich.console import Console

MAX_SINGLE_QUESTION_COUNT = 12


def confirm_player(name: str, player: str, ask: Callable[[str], str]) -> bool:
    """Ask whether a guest is the player with a similar name, and return the answer."""
    question = f"{name} has no note. Do you mean {player} (Enter), or is it a guest (g)? "
    return ask_yes_no(question, ask, {"": True, "g": False, "guest": False})


def ask_yes_no(question: str, ask: Callable[[str], str], words: Mapping[str, bool]) -> bool:
    """Ask until the answer is yes or no, or one of `words`, and return whether it means yes."""
    while True:
        answer = ask(question).strip().casefold()
        is_yes = words.get(answer, parse_yes_no(answer))
        if is_yes is not None:
            return is_yes


def player_confirmer(console: "Callable[[], Console] | None") -> Callable[[str, str], bool | None]:
    """Return a function that asks whether a guest is the player with a similar name; None if nobody can answer.

    It raises KeyboardInterrupt where the person leaves instead.
    """
    ask = line_asker(console)
    return (lambda *_: None) if ask is None else lambda name, player: confirm_player(name, player, ask)


def line_asker(console: "Callable[[], Console] | None") -> Callable[[str], str] | None:
    """Return a function that asks for one line at the terminal, None where nobody is there.

    It raises KeyboardInterrupt where the person leaves instead, with q or at the end of input.
    """
    if console is None or not sys.stdin.isatty():
        return None

    def ask(question: str) -> str:
        from rich.text import Text

        from vaultkit.terminal.answer_sources import TerminalSource

        try:
            answer = TerminalSource(console()).answer(Text(strip_controls(question)), "")
        except EOFError as leaving:
            raise KeyboardInterrupt from leaving
        if commands.is_leaving(answer):
            raise KeyboardInterrupt
        return answer

    return ask


def confirm_seats(
    notes: GameNotes, seat_words: Sequence[str], console: "Callable[[], Console] | None", tell: Callable[[str], object]
) -> tuple[SeatSpec, ...]:
    """Return the seats of a game with mistyped names corrected; without a `console` to ask on, `tell` reports them."""
    seats, ask = notes.seats(seat_words), player_confirmer(console)
    people = [seat.name for seat in seats if seat.is_person and seat_words]
    guest_players = People(notes.workspace.vault, notes.workspace.settings.players).find_guests(people)
    confirmations = {name: ask(name, player) for name, player in guest_players.items() if player}
    for remark in guest_remarks({name: guest_players[name] for name, sure in confirmations.items() if sure is None}):
        tell(remark)
    pairs = zip(seats, seat_words, strict=False)
    corrected = [guest_players[seat.name] if confirmations.get(seat.name) else word for seat, word in pairs]
    return notes.seats(corrected) if any(confirmations.values()) else seats


def ask_covered(covered: Sequence[CoveredBox], ask: Callable[[str], str]) -> dict[str, str]:
    """Return what the covered boxes show, by the names of their fields, as a person reads it off the page.

    Of very many boxes it is asked at once whether their fields are right.
    """
    if len(covered) > MAX_SINGLE_QUESTION_COUNT and _are_fields_right(covered, ask):
        return {box.field: box.text for box in covered}
    return {box.field: _ask_text(box, ask) for box in covered}


def _are_fields_right(covered: Sequence[CoveredBox], ask: Callable[[str], str]) -> bool:
    question = (
        f"Something covers {len(covered)} boxes of this sheet, such as: {covered[0].sentence} "
        "Are the fields below right, all of them (y or n)? "
    )
    return ask_yes_no(question, ask, {})


def _ask_text(box: CoveredBox, ask: Callable[[str], str]) -> str:
    default_hint = f"Enter for '{box.text}', - for an empty box" if box.text else "Enter for an empty box"
    answer = ask(f"{box.sentence} What does the page show ({default_hint})? ").strip()
    return box.text if not answer else "" if not answer.strip("-") else answer
