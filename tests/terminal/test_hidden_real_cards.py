"""Real cards that one person sees and the others must not learn about."""

import io
import re
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import NAMES, Table, begin, resume, truth
from tests.wording import Says
from vaultkit.errors import UsageError
from vaultkit.games.turn import Move, draw_move
from vaultkit.session.journal import read
from vaultkit.session.journal_records import SwapRecord


def test_refusal_does_not_reveal_the_place_of_a_hidden_card(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "9-coins", "", "raven", "8-coins", "", "8-coins", "7-coins", "", "9-coins", "q"]
    with begin(tmp_path, "prophets-gambit", NAMES[:3]) as session:
        play(session, console, person(console, *lines), Notes())
    seen = screen_text(console)
    refused = [line for line in seen.splitlines() if "cannot be there" in line]
    assert [line.partition(" cannot be there.")[2] for line in refused] == [
        Says("misnamed", "before", "u takes back the last one"),
        Says("misnamed", "before", "u takes back the last one"),
        Says("Bram", "turns", "Focus", "Miser", "9", "Coins"),
    ], "the Raven lies in the High Deck, 8-coins in a rival's hand, and 9-coins open"


def test_hidden_cards_are_typed_behind_the_mask_and_never_shown_to_rivals(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=200, height=60, force_terminal=True, color_system=None)
    console._environ = {"TERM": "xterm"}
    steps = truth(tmp_path, "turn-of-fate", 2, 3).steps
    steps = steps[: next(at for at, step in enumerate(steps) if step.seat is not None)]
    with begin(tmp_path, "turn-of-fate", NAMES[:2]) as session:
        table = Table(session, steps, Random(1))
        with pytest.raises(IndexError):
            play(session, console, table, Notes())
    kept = re.sub(r"\x1b\[\?1049h.*?\x1b\[\?1049l", "", screen_text(console), flags=re.S)
    assert {"Pass the screen to Ysolde, then press Enter. ", "Pass the screen to Bram, then press Enter. "} == set(
        table.passed
    )
    assert "draws a Fate" in kept
    for step in steps:
        for card in step.move.operands if step.chance == "fate" else ():
            assert session.deck[card].name not in kept


def test_propheta_does_not_ask_for_hands(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "aries ram", "aries ram", "q"]
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, console, person(console, *lines), Notes())
        seen = screen_text(console)
        assert "Ysolde leads" in seen and "Your hand" not in seen and "cannot be checked" in seen
        assert "The Aries Ram cannot be there. It was seen last: " in seen


def test_propheta_refuses_an_unfulfilled_prophecy(tmp_path: Path) -> None:
    console = screen(200)
    lines = ["Ysolde", "play aries ram", "cancer crab", "taurus bull", "nothing", "nothing", "u", "u", "nothing", "q"]
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, console, person(console, *lines), Notes())
        assert "is Fixed: only those who have lost the trick" in screen_text(
            console
        ) and "Rule Prophecies" not in screen_text(console)
        assert session.steps[-1].move.id == "pass"
        swaps = [line for line in read(session.path).lines if isinstance(line.record, SwapRecord)]
        again = resume(session)
        assert again.steps == session.steps and swaps
        again.close()


def test_card_seen_by_all_is_not_counted_in_another_hand(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        for _ in session.advance():
            pass
        session.submit(draw_move("0"))
        ram = Move("play", ("aries-animal",))
        assert session.place_card(ram)
        session.submit(ram)
        assert session.seen_by_all == {"aries-animal"} and not session.place_card(ram)
        mine, theirs = session.steps[0].move.operands, session.steps[1].move.operands
        assert "aries-animal" in mine and not set(mine) & set(theirs)


@pytest.mark.parametrize("game", ["propheta", "turn-of-fate"])
def test_bot_cannot_hold_hidden_real_cards(tmp_path: Path, game: str) -> None:
    with pytest.raises(UsageError, match="cannot hold real cards"):
        begin(tmp_path, game, ["Ysolde", "bot:greedy"])
