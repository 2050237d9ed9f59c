"""House rules of memory: neither the table nor its log shows cards that players must remember (VA-22, TF-28)."""

from pathlib import Path

import pytest

from tests.terminal.helpers import person, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import begin, deck_of
from tests.wording import Says
from vaultkit.games import registry
from vaultkit.games.turn import Prompt
from vaultkit.scene import knowledge
from vaultkit.scene.knowledge import as_documents, recallable_events
from vaultkit.session import Session
from vaultkit.session.history import replay

SEATS = ("Ysolde", "Bram")


def play_decisions(folder: Path, game: str, decisions: int, **options: object) -> Session:
    """Return a game after `decisions` first moves, waiting for a person."""
    session = begin(folder, game, SEATS, real=False, **options)
    for _ in range(decisions):
        list(session.advance())
        if session.prompt:
            session.submit(session.prompt.moves[0])
    list(session.advance())
    return session


def tricks(session: Session, seat: int = 0) -> list[int | str]:
    """Return the numbers of the tricks whose lead may be looked up."""
    events = [event for _, event in recallable_events(session, (seat,)) if event.kind == "led"]
    return [value for event in events for value in event.sentence.values]


@pytest.mark.parametrize("decisions", range(8, 24))
def test_va_22_only_the_last_trick_and_the_current_one_may_be_looked_up(tmp_path: Path, decisions: int) -> None:
    with play_decisions(tmp_path, "propheta", decisions, memory="last-trick") as session:
        view = session.view(0)
        done = len(view.at.tricks)  # type: ignore[attr-defined]
        present = [done + 1] if view.at.trick else []  # type: ignore[attr-defined]
        assert tricks(session) == [*([done] if done else []), *present]


def test_va_22_open_memory_shows_everything_like_a_finished_game(tmp_path: Path) -> None:
    with play_decisions(tmp_path / "open", "propheta", 20) as session:
        assert tricks(session)[0] == 1 and knowledge.session_short_memory(session) is None
    with play_decisions(tmp_path / "over", "propheta", 100, memory="last-trick") as session:
        assert session.outcome and tricks(session)[0] == 1


def test_va_22_log_all_at_the_table_explains_why_it_is_short(tmp_path: Path) -> None:
    console = screen()
    with play_decisions(tmp_path, "propheta", 20, memory="last-trick") as session:
        assert isinstance(session.turn, Prompt)
        play(session, console, person(console, "", "l all", "q"))
        seen = " ".join(screen_text(console).split())
        assert seen == Says("last trick may be looked up (VA-22)")
        assert "Trick 1:" not in seen and f"Trick {tricks(session)[0]}:" in seen


def test_tf_28_a_closed_memory_shows_the_last_two_turns(tmp_path: Path) -> None:
    with play_decisions(tmp_path, "turn-of-fate", 12, memory="closed") as session:
        turns = [value for _, event in recallable_events(session, (0,)) for value in _turn(event.sentence.words, event)]
        assert turns == sorted(turns)[-2:] and turns[0] > 1
        contents, steps = replay(session.path, registry.rules("turn-of-fate"), deck_of("turn-of-fate"))
        first = knowledge.find_first_step(session.steps, knowledge.session_short_memory(session))
        assert as_documents(session.game, session.deck, contents, steps)[0]["n"] == first > 1


def _turn(words: str, event: object) -> tuple[object, ...]:
    return event.sentence.values[:1] if words.startswith("Turn {v0}") else ()  # type: ignore[attr-defined]
