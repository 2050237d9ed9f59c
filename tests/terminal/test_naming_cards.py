"""Naming real cards on the table: one by one, with mistakes, and again."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from rich.text import Text

from tests.sessions import undo
from tests.terminal.helpers import Notes, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import HANDS, NAMES, Table, begin, citadel, resume, truth
from tests.wording import Says
from vaultkit.games.turn import Chance, IllegalMove, Pile, draw_move
from vaultkit.session.card_names import find_cards
from vaultkit.session.history import UndoRefused


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("berserker", "The Berserker (6 of Swords) cannot be there. It was seen last: Ysolde draws Raven"),
        ("ghost, donjon", "You named 2 cards, and only one card is wanted."),
        ("e", "'e' could be: Elementalist"),
        ("wombat", "'wombat' is not a card of"),
        ("bersrker", "Did you mean 'Berserker'?"),
        ("why berserker", "The Berserker (6 of Swords) cannot be there. It was seen last: Ysolde draws Raven"),
        ("why donjon", "The Donjon can be named"),
        ("", "Say what lies on the table, or type help."),
    ],
)
def test_wrong_or_repeated_card_is_refused_with_the_reason(tmp_path: Path, typed: str, said: str) -> None:
    session, seen = citadel(tmp_path, *HANDS, typed, "ghost", "q")
    assert said in seen
    assert session.steps[3].move.id == "draw ghost"


def test_a_card_named_twice_in_one_hand_is_refused(tmp_path: Path) -> None:
    _, seen = citadel(tmp_path, "raven, ghost, raven")
    assert seen == Says("named", "Raven", "already")


@pytest.mark.slow
def test_prophecies_left_face_down_may_be_named_one_by_one(tmp_path: Path) -> None:
    sham = truth(tmp_path, "propheta", 2, 3)
    asked: list[str] = []

    class Slow(Table):
        left: tuple[str, ...] = ()

        def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
            if "stayed face down" in question.plain:
                self.left = tuple(super().answer(question, about, words).split(", "))
            elif " more" not in question.plain:
                return super().answer(question, about, words)
            asked.append(question.plain)
            first, self.left = self.left[0], self.left[1:]
            return first

    with begin(tmp_path, "propheta", NAMES[:2]) as session:
        play(session, screen(200), Slow(session, sham.steps, Random(3)), Notes())
    assert session.outcome == sham.outcome and any(" more: " in question for question in asked)


def test_several_cards_need_no_commas(tmp_path: Path) -> None:
    session, _ = citadel(tmp_path, "raven 2sw 3sw merchant tax coll", "q")
    assert session.steps[0].move.operands == ("raven", "2-swords", "3-swords", "4-coins", "8-coins")
    _, seen = citadel(tmp_path / "2", "raven 2sw wombat")
    assert "'raven 2sw wombat' is not a card of" in seen


@pytest.mark.slow
def test_card_may_be_named_with_the_sign_of_its_suit(tmp_path: Path) -> None:
    session, _ = citadel(tmp_path, "raven, 2†, 3★, merchant, tax coll", "q")
    assert {"2-swords", "3-stars"} <= {*session.steps[0].move.operands}


@pytest.mark.slow
def test_misnamed_played_card_is_undone_at_the_next_card(tmp_path: Path) -> None:
    sham = truth(tmp_path, "prophets-gambit", 3, 3)

    class Doubtful(Table):
        doubted = False

        def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
            steps = self.session.steps
            if steps and steps[-1].move.verb == "risk" and not self.doubted:
                self.doubted = True
                return "u"
            return super().answer(question, about, words)

    console = screen(200)
    with begin(tmp_path, "prophets-gambit", NAMES[:3]) as session:
        play(session, console, Doubtful(session, sham.steps, Random(3)), Notes())
    assert session.outcome == sham.outcome and screen_text(console).count("Taken back.") == 1


def test_a_hand_may_be_named_card_by_card(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, "raven", "6sw, 7sw", "u", "8sw", "1sw, merchant", "q")
    assert "4 more: " in seen and seen == Says("Not", "Hooded One (7 of Swords)")
    assert session.steps[0].move.operands == ("raven", "6-swords", "8-swords", "1-swords", "4-coins")


def test_mistyped_card_is_undone_and_named_again(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, *HANDS, "3 glyphs", "u", "4 glyphs", "q")
    assert "Taken back." in seen
    assert session.steps[3].move.id == "draw 4-glyphs" and not session.free_undos
    again = resume(session)
    assert again.steps == session.steps
    again.close()


def test_g_8_naming_a_card_again_undoes_no_decision(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3]) as session:
        hands = [find_cards(name, session.deck, session.deck.by_id)[0].id for hand in HANDS for name in hand.split(",")]
        for seat in range(3):
            session.submit(draw_move(*hands[5 * seat : 5 * seat + 5]))
        session.submit(draw_move("4-glyphs"))
        prompt = session.prompt
        assert prompt
        session.submit(prompt.moves[0])
        while session.prompt:
            session.submit(session.prompt.moves[0])
        turn = session.turn
        assert isinstance(turn, Chance)
        session.submit(draw_move(*turn.pile.unknown[: turn.count]))
        back = session.plan_correction()
        assert back
        session.go_back(back)
        with pytest.raises(UndoRefused, match="a card was named after it"):
            undo(session, prompt.seat)
        resumed = resume(session)
        with pytest.raises(UndoRefused, match="a card was named after it"):
            undo(resumed, prompt.seat)
        resumed.close()


def test_undo_off_still_allows_naming_a_card_again(tmp_path: Path) -> None:
    session, seen = citadel(tmp_path, *HANDS, "5 stars", "u", "4 stars", "a", "u", "q", undo="off")
    assert seen.count("Taken back.") == 1 and "played without undo" in seen
    assert session.steps[3].move.id == "draw 4-stars"


def test_known_cards_at_the_bottom_are_named_last_and_in_order(tmp_path: Path) -> None:
    from vaultkit.scene.card_input import CardNaming

    with begin(tmp_path, "dragon-citadel", NAMES[:3]) as session:
        naming = CardNaming(session, session.people)
        pile = Pile(("raven",), ("ghost", "donjon"))
        assert naming.cards("raven, ghost", pile) == ("raven", "ghost")
        for typed in ("ghost", "raven, donjon"):
            with pytest.raises(IllegalMove, match="at the bottom of the pile"):
                naming.cards(typed, pile)
