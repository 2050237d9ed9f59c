"""Games refereed with real cards: the same cards lead to the same end as in the app."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.text import Text

from tests.terminal.helpers import Notes, person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import HANDS, NAMES, Table, begin, citadel, truth
from vaultkit.errors import UsageError
from vaultkit.session import Session
from vaultkit.session.history import replay
from vaultkit.terminal import replay_view
from vaultkit.terminal.styles import terminal_style

GAMES = {"prophets-gambit": 3, "deck-of-destiny": 1, "propheta": 2, "turn-of-fate": 2, "dragon-citadel": 3}


def refereed_game(folder: Path, game: str, seats: int, seed: int, **options: Any) -> tuple[Session, str]:
    sham, console = truth(folder, game, seats, seed, **options), screen(200)
    with begin(folder, game, NAMES[:seats], **options) as session:
        play(session, console, Table(session, sham.steps, Random(seed)), Notes())
    assert session.outcome and session.outcome == sham.outcome
    assert len(session.steps) == len(sham.steps)
    return session, screen_text(console)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_same_cards_lead_to_the_same_result(tmp_path: Path, game: str) -> None:
    session, seen = refereed_game(tmp_path, game, GAMES[game], seed=3)
    contents, steps = replay(session.path, session.game, session.deck)
    assert contents.header.real_cards and steps == session.steps
    assert "real cards" in seen and "The end" in seen and "seed" not in seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("propheta", 3, {}),
        ("propheta", 4, {"reveal": "simultaneous"}),
        ("dragon-citadel", 3, {"mode": "competitive"}),
        ("dragon-citadel", 3, {"dealer": "hand-of-5"}),
        ("prophets-gambit", 5, {}),
    ],
)
def test_house_rules_are_refereed_as_well(tmp_path: Path, game: str, seats: int, options: dict[str, Any]) -> None:
    for seed in (5, 6, 7):
        refereed_game(tmp_path / str(seed), game, seats, seed, **options)


def test_help_log_rule_and_card_text_are_available(tmp_path: Path) -> None:
    _, seen = citadel(tmp_path, *HANDS, "help", "l", "?", "? raven", "h", "", "q")
    assert "Tab completes it" in seen and "Text of raven." in seen and "Rule DC-2" in seen
    assert seen.count("Ysolde draws ♛ Raven") == 2 and "Hidden. Press Enter" in seen


@pytest.mark.slow
def test_the_card_that_ends_the_game_is_asked_about_again(tmp_path: Path) -> None:
    steps = truth(tmp_path, "deck-of-destiny", 1, 3, reward="none").steps
    asked: list[str] = []

    class Doubtful(Table):
        def confirm(self, question: Text, again: str) -> bool:
            asked.append(question.plain)
            return len(asked) > 1

    with begin(tmp_path, "deck-of-destiny", NAMES[:1], reward="none") as session:
        play(session, screen(200), Doubtful(session, steps, Random(1)), Notes())
    assert any("ends the game" in question for question in asked)


@pytest.mark.parametrize(
    ("game", "option"), [("propheta", "follow=element"), ("propheta", "leak_guard=false"), ("propheta", "target=20")]
)
def test_game_that_cannot_be_refereed_is_refused_with_the_reason(tmp_path: Path, game: str, option: str) -> None:
    key, _, value = option.partition("=")
    with pytest.raises(UsageError, match=f"With real cards '{option}' cannot be refereed"):
        begin(tmp_path, game, NAMES[:2], **dict[str, Any]({key: value}))
    assert not list(tmp_path.iterdir())


def test_bots_play_with_open_real_cards(tmp_path: Path) -> None:
    console = screen(200)
    with begin(tmp_path, "dragon-citadel", ["Ysolde", "bot:greedy", "bot:greedy"]) as session:
        play(session, console, person(console, *HANDS, "4 glyphs", "q"), Notes())
    assert "The game is saved." in screen_text(console)


def test_replay_shows_that_real_cards_were_used(tmp_path: Path) -> None:
    session, _ = citadel(tmp_path, *HANDS, "q")
    console = screen(200)
    contents, steps = replay(session.path, session.game, session.deck)
    look = terminal_style(console, session.deck)
    replay_view.show_replay(console, session.game, session.deck, contents, steps, look=look)
    assert "Played with real cards" in screen_text(console)
