"""DC-2: a GM without a seat plays the dealer's five cards, which nobody else sees."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sessions import create_session
from tests.terminal.helpers import screen, screen_text
from tests.terminal.playing import play
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.errors import UsageError
from vaultkit.games.dragon_citadel.ending import REASONS
from vaultkit.games.messages import Outcome, Sentence
from vaultkit.games.registry import rules
from vaultkit.games.turn import Chance, Prompt, draw_move
from vaultkit.scene.hint import best_gain
from vaultkit.scene.real_cards import scene_of_gm
from vaultkit.scene.rule_reference import Reference, turn_passages
from vaultkit.search.passages import Passage
from vaultkit.session import Session, history, parse_seats
from vaultkit.session.journal_records import Agreement
from vaultkit.session.options import settle
from vaultkit.terminal.answer_sources import ScriptSource, TerminalSource
from vaultkit.terminal.renderables import result
from vaultkit.terminal.replay_view import show_replay
from vaultkit.terminal.styles import terminal_style
from vaultkit.terminal.terminal_text import TerminalText

NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


def begin(folder: Path, gm: str = "", **options: str) -> Session:
    game, deck = rules("dragon-citadel"), known_deck("tarokka")
    assert deck
    seats = parse_seats(["Ysolde", "bot:greedy", "bot:greedy"])
    options = {"dealer": "hand-of-5", "mode": "coop", **options}
    return create_session(
        folder, game, deck, seats, id="20261103-dragon-citadel-k3f9", seed=4, clock=lambda: NOON, options=options,
        agreement=Agreement(gm=gm),
    )  # fmt: skip


def test_dc_2_gm_chooses_the_card_and_otherwise_chance_does(tmp_path: Path) -> None:
    with begin(tmp_path / "alone") as session:
        assert list(session.advance()) and session.prompt
    with begin(tmp_path / "gm", gm="Maud") as session:
        assert list(session.advance())
        turn = session.turn
        assert isinstance(turn, Chance) and turn.name == "dealer-plays" and len(turn.options) == 5
        console = screen()
        play(session, console, TerminalSource(console, iter(["", session.deck[turn.options[0]].name, "q"]).__next__))
        chosen = next(step for step in session.steps if step.chance == "dealer-plays")
    assert chosen.move.operands == turn.options[:1]
    seen = screen_text(console)
    assert seen.index("Pass the screen to Maud") < seen.index("Your hand") < seen.index("Maud › ")


def test_gm_sees_the_table_and_what_follows_from_each_card_and_gets_a_hint(tmp_path: Path) -> None:
    with begin(tmp_path, gm="Maud") as session:
        assert list(session.advance())
        turn, console = session.turn, screen()
        assert isinstance(turn, Chance)
        play(session, console, TerminalSource(console, iter(["", "hint", "a", "q"]).__next__))
        chosen = next(step for step in session.steps if step.chance == "dealer-plays")
    seen = screen_text(console)
    decision = seen[seen.index("Your hand") : seen.index("Maud › ")]
    assert "can answer it." in decision
    assert len(re.findall(r"^  (?:[a-e] )+ ", decision, re.MULTILINE)) > 1 and "An answer brings up to" in " ".join(
        decision.split()
    )
    assert "fewer points at once" in seen[seen.index("hint") :] and chosen.move.operands == turn.options[:1]


@pytest.mark.parametrize(
    ("mode", "aim"), [("coop", "You win when every player is out"), ("competitive", "and you cannot")]
)
def test_gm_is_asked_by_name_and_told_the_aim_of_the_dealer(tmp_path: Path, mode: str, aim: str) -> None:
    with begin(tmp_path, gm="Maud", mode=mode) as session:
        assert list(session.advance())
        scene = scene_of_gm(session)
        assert scene.question and session.words(scene.question.text) == Says("Maud", "card", "dealer")
        assert aim in session.words(scene.key_facts[0])
        passages = [*turn_passages(session.turn, session.deck, _Rules())] if session.turn else []
    assert [passage.title for passage in passages] == ["Playing a Round", "DC-2"]


@pytest.mark.parametrize(
    ("options", "is_told"),
    [({}, True), ({"mode": "competitive"}, False), ({"mode": "competitive", "bidding": "ascending"}, False)],
)
def test_g_3_points_of_answers_tell_the_gm_nothing_of_hidden_hands(
    tmp_path: Path, options: Mapping[str, str], is_told: bool
) -> None:
    with begin(tmp_path, gm="Maud", **options) as session:
        assert list(session.advance()) and isinstance(session.turn, Chance)
        assert any(best_gain(session, card) for card in session.turn.options) is is_told


@pytest.mark.parametrize("kind", ["party", "dealer"])
def test_result_names_the_gm_who_played_the_dealer(tmp_path: Path, kind: str) -> None:
    words, rulings = REASONS[kind]
    end = Outcome(kind, (0, 1, 2) if kind == "party" else (), Sentence(words), rulings, ({}, {}, {}), (1, 1, 1))
    console = screen()
    with begin(tmp_path, gm="Maud") as session:
        speaker = TerminalText(session.name, session.deck, terminal_style(console, session.deck))
        for piece in result(end, speaker, "Maud"):
            console.print(piece)
    seen = " ".join(screen_text(console).replace("┃", " ").split())
    assert ("Maud, the dealer, is beaten" if kind == "party" else "Maud, the dealer, wins") in seen
    assert "Nobody wins" not in seen


class _Rules(Reference):
    def rule(self, heading: str, rulings: tuple[str, ...]) -> Passage | None:
        return Passage(heading or rulings[0], "")


def test_dc_2_a_card_that_the_dealer_does_not_hold_cannot_be_played(tmp_path: Path) -> None:
    with begin(tmp_path, gm="Maud") as session:
        assert list(session.advance())
        turn = session.turn
        assert isinstance(turn, Chance)
        other = next(card.name for card in session.deck if card.id not in turn.options)
        console = screen()
        with pytest.raises(UsageError):
            play(session, console, ScriptSource(console, "moves.txt", [other]))
        assert session.turn == turn


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [("dragon-citadel", {}, "turns the top card"), ("propheta", {}, "A GM without a seat has nothing to choose")],
)
def test_dc_2_gm_has_nothing_to_choose_in_other_modes_or_games(
    game: str, options: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        rules(game).check_gm(settle(rules(game), options))
    rules("dragon-citadel").check_gm(settle(rules("dragon-citadel"), {"dealer": "hand-of-5"}))


def test_replay_names_the_gm_and_the_scene_says_who_deals(tmp_path: Path) -> None:
    with begin(tmp_path, gm="Maud") as session:
        while not (list(session.advance()), session.outcome)[1]:
            turn = session.turn
            assert isinstance(turn, Chance | Prompt)
            if isinstance(turn, Chance):
                scene = scene_of_gm(session)
                assert [session.words(part) for part in scene.heading][-1] == "you deal"
                last = max((step.n for step in session.steps if step.chance == turn.name), default=0)
                assert all(step.n > last for step, _ in scene.news)
            session.submit(draw_move(turn.options[0]) if isinstance(turn, Chance) else turn.moves[0])
    console, game, deck = screen(), rules("dragon-citadel"), known_deck("tarokka")
    assert deck
    contents, steps = history.replay(session.path, game, deck)
    show_replay(console, game, deck, contents, steps, look=terminal_style(console, deck))
    seen = " ".join(screen_text(console).split())
    assert "Maud plays the dealer." in seen and "Maud, the dealer" in seen
