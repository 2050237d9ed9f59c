"""Undo with `u` of a move that is followed by another person's secret, and the questions asked afterwards (G-8)."""

from pathlib import Path

import pytest

from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import HANDS, NAMES, begin, citadel
from vaultkit.scene.card_input import CardNaming
from vaultkit.scene.knowledge import knowers
from vaultkit.session import Session, Step

ASKED = "This undoes the secret choice of Bram. Type y if Bram asks for it: "


def gambit(folder: Path, *typed: str) -> tuple[Session, str]:
    """Return a game and its screen: Ysolde deals, the Focus is named, Bram has named a Fate, and it is Sefa's turn."""
    console = screen(200)
    with begin(folder, "prophets-gambit", NAMES[:3]) as session:
        play(session, console, person(console, "Ysolde", "9-coins", "", "3 coins", "", *typed), Notes())
    return session, screen_text(console)


def test_g_8_secret_card_of_another_person_stays_unless_named_explicitly(tmp_path: Path) -> None:
    session, seen = gambit(tmp_path, "u", "n", "u", "u", "4 coins", "q")
    assert seen.count(ASKED) == 2 and seen.count("Nothing was undone.") == 2 and "Taken back." not in seen
    assert [step.move.id for step in session.steps[-2:]] == ["draw 3-coins", "draw 4-coins"]


def test_g_8_secret_card_is_named_again_by_its_owner(tmp_path: Path) -> None:
    session, seen = gambit(tmp_path, "u", "y", "", "4 coins", "q")
    assert seen.count("Pass the screen to Bram, then press Enter.") == 2
    assert session.steps[-1].move.id == "draw 4-coins"


def test_g_8_secret_undone_at_an_open_question_goes_to_its_owner_and_not_the_table(tmp_path: Path) -> None:
    hands = [line for hand in HANDS for line in ("", hand)]
    _, seen = citadel(tmp_path, *hands, "u", "y", "", HANDS[2], "q", mode="competitive")
    after = seen.partition("Type y if Sefa asks for it: ")[2]
    assert after.index("Taken back.") < after.index("Pass the screen to Sefa") < after.index("Cards for Sefa: 5.")


def test_g_8_open_card_is_corrected_without_a_question(tmp_path: Path) -> None:
    _, seen = citadel(tmp_path, *HANDS, "3 glyphs", "u", "q")
    assert "Taken back." in seen and "in secret" not in seen


def test_question_about_an_ambiguous_card_does_not_reveal_rival_hands(tmp_path: Path) -> None:
    session, seen = gambit(tmp_path, "3 c", "q")
    assert "'3 c' could be" not in seen and "cannot be there" in seen, "a code that is whole means its card"
    bram, sefa = (CardNaming(session, (seat,)).possible_cards({"4-coins"}) for seat in (1, 2))
    assert {"3-coins", "4-coins"} < sefa and "9-coins" not in sefa
    assert "3-coins" not in bram, "he sees his own"


@pytest.mark.parametrize(("move", "knowing"), [("draw 3-coins", {1}), ("draw 9-coins", {0, 1, 2})])
def test_named_card_is_known_only_to_those_who_saw_it(tmp_path: Path, move: str, knowing: set[int]) -> None:
    session, _ = gambit(tmp_path, "q")
    (step,) = [step for step in session.steps if step.move.id == move]
    assert knowers(session, step) == knowing


def test_face_down_card_is_known_only_to_its_player(tmp_path: Path) -> None:
    with begin(tmp_path, "prophets-gambit", NAMES[:3], real=False) as session:
        while not (session.prompt and session.prompt.secret):
            if session.prompt:
                session.submit(session.prompt.moves[0])
            list(session.advance())
        seat = session.prompt.seat
        move = next(move for move in session.prompt.moves if session.deck.by_id.keys() & set(move.operands))
        session.submit(move)
        step: Step = session.steps[-1]
        assert knowers(session, step) == {seat}
