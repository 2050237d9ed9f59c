import re
from pathlib import Path

from tests.session.helpers import begin, play_first
from tests.session.toy import TOY_DECK, Toy
from tests.terminal.helpers import screen, screen_text
from tests.terminal.refereed import truth
from tests.wording import Says
from vaultkit.session.history import replay
from vaultkit.session.journal_store import Store
from vaultkit.terminal.replay_view import show_replay
from vaultkit.terminal.styles import terminal_style


def rerun(folder: Path, decisions: int) -> str:
    with begin(folder, "Ysolde", "Aldous", hands="hidden") as session:
        play_first(session, decisions)
    console = screen()
    contents, steps = replay(session.path, Toy(), TOY_DECK)
    show_replay(console, Toy(), TOY_DECK, contents, steps, look=terminal_style(console, TOY_DECK))
    return screen_text(console)


def test_finished_game_is_replayed_in_full(tmp_path: Path) -> None:
    seen = rerun(tmp_path, 100)
    assert re.search(r"^   2  \w+ is dealt ", seen, re.MULTILINE)
    assert "Hoards" in seen


def test_unfinished_game_preserves_its_secrets(tmp_path: Path) -> None:
    seen = rerun(tmp_path, 1)
    assert "is dealt" not in seen and "cheers." in seen


def test_move_without_a_description_has_its_own_line(tmp_path: Path) -> None:
    session = truth(tmp_path, "prophets-gambit", 3, 3)
    console = screen(200)
    told = replay(session.path, session.game, session.deck)
    show_replay(console, session.game, session.deck, *told, look=terminal_style(console, session.deck))
    numbers = [int(found) for found in re.findall(r"^ *(\d+)  \S", screen_text(console), re.MULTILINE)]
    assert any(not step.events for step in session.steps)
    assert numbers[: len(session.steps)] == list(range(1, len(session.steps) + 1))


def test_torn_last_line_is_reported(tmp_path: Path) -> None:
    with begin(tmp_path, "Ysolde") as session:
        play_first(session, 1)
    with session.path.open("ab") as file:
        file.write(b'{"n": 9')
    console = screen()
    contents, steps = replay(session.path, Toy(), TOY_DECK)
    show_replay(console, Toy(), TOY_DECK, contents, steps, look=terminal_style(console, TOY_DECK))
    assert screen_text(console) == Says("cut off", "left out")
    (saved,) = Store(tmp_path).list_journals()
    assert (saved.standing, saved.problem) == ("running", contents.remark)
