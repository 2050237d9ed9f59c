"""Stories told about Fates: asked for, saved with the move, shown again, and without effect (TF-29)."""

import json
from pathlib import Path

import pytest

from tests.sessions import create_session
from tests.terminal.helpers import screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import NOON, deck_of, resume
from vaultkit.bots.registry import make_bot
from vaultkit.errors import UsageError
from vaultkit.games import registry
from vaultkit.scene import knowledge, narration
from vaultkit.session import Session, parse_seats
from vaultkit.session.history import replay
from vaultkit.session.journal import read
from vaultkit.session.journal_records import Agreement
from vaultkit.terminal import replay_view
from vaultkit.terminal.answer_sources import ScriptSource
from vaultkit.terminal.styles import terminal_style

GAME = "turn-of-fate"


def begin(folder: Path, story: bool = True, seats: tuple[str, str] = ("Ysolde", "bot:random")) -> Session:
    """Begin a game of Ysolde against a bot or another person."""
    agreement = Agreement(tells_story=story)
    return create_session(
        folder, registry.rules(GAME), deck_of(GAME), parse_seats(seats), id=f"20261103-{GAME}-0001",
        seed=3, clock=lambda: NOON, bots=make_bot, agreement=agreement, options={"first": 0},
    )  # fmt: skip


def play_lines(session: Session, *lines: str) -> str:
    """Return what the screen shows until the script runs out."""
    console = screen()
    try:
        play(session, console, ScriptSource(console, "moves.txt", lines))
    except UsageError as error:
        assert "The script ends" in error.message
    return screen_text(console)


def play_until_fate(session: Session) -> str:
    """Play until a Fate can be played, and return that move's id."""
    list(session.advance())
    while session.prompt and session.prompt.moves[0].verb not in ("play", "wild"):
        session.submit(session.prompt.moves[0])
        list(session.advance())
    assert session.prompt
    return session.prompt.moves[0].id


@pytest.mark.slow
def test_tf_29_story_is_saved_with_its_move_and_shown_again(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        move = play_until_fate(session)
        seen = play_lines(session, move, "The mill wheel stops at midnight.")
        assert "What happens?" in seen
        (step,) = [step for step in session.steps if step.tale]
        assert (step.move.id, step.tale) == (move, "The mill wheel stops at midnight.")
        again = resume(session)
        assert again.steps == session.steps
        contents, steps = replay(again.path, registry.rules(GAME), again.deck)
        console = screen()
        look = terminal_style(console, again.deck)
        replay_view.show_replay(console, registry.rules(GAME), again.deck, contents, steps, look=look)
        assert "The mill wheel stops at midnight." in screen_text(console)
        rows = knowledge.as_documents(again.game, again.deck, contents, steps)
        assert [row["tale"] for row in rows if "tale" in row] == [step.tale]
        again.close()


@pytest.mark.slow
def test_tf_29_story_keeps_the_signs_of_suits(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        move = play_until_fate(session)
        play_lines(session, move, "Under the ☾ they met.")
        assert [step.tale for step in session.steps if step.tale] == ["Under the ☾ they met."]


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("help", "think again: the move is not played"),
        ("h", ""),
        ("?", "Rulings: "),
        ("l", "introduces the"),
        ("l all", "introduces the"),
        ("s", "Deck of Fates"),
        ("? cave", "Wyrms"),
    ],
)
def test_tf_29_general_commands_are_not_saved_as_a_story(tmp_path: Path, typed: str, said: str) -> None:
    with begin(tmp_path) as session:
        move = play_until_fate(session)
        seen = play_lines(session, move, typed, "u")
        after = seen[seen.index("What happens?") :]
        assert said in after and not any(step.tale for step in session.steps) and "Nothing was played." in after


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "words", ["Let us log the day.", "log what the miller said", "undo the knot", "ask the moon", "Quit of his oath"]
)
def test_tf_29_story_may_start_like_a_command(tmp_path: Path, words: str) -> None:
    with begin(tmp_path) as session:
        play_lines(session, play_until_fate(session), words)
        assert [step.tale for step in session.steps if step.tale] == [words]


@pytest.mark.slow
def test_tf_29_the_question_names_the_move_by_its_cards(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        move = play_until_fate(session)
        _, card, citizen = move.split()
        seen = " ".join(play_lines(session, move, "-").split())
        name = {card.id: card.name for card in session.deck}
        assert f"What happens? Play the {name[card]} on the {name[citizen]}." in seen


def test_tf_29_story_is_shown_to_the_rival(tmp_path: Path) -> None:
    with begin(tmp_path, seats=("Ysolde", "Bram")) as session:
        seen = play_lines(session, play_until_fate(session), "The mill wheel stops.", "l")
        assert seen.count("The mill wheel stops.") >= 2, "news for all, and looked up"


@pytest.mark.short(1)
@pytest.mark.parametrize("answer", ["-", "u"])
def test_tf_29_story_is_optional_and_a_move_can_be_reconsidered(tmp_path: Path, answer: str) -> None:
    with begin(tmp_path) as session:
        move = play_until_fate(session)
        before = len(session.steps)
        play_lines(session, move, answer)
        assert not any(step.tale for step in session.steps)
        assert (len(session.steps) > before) is (answer == "-")


def test_tf_29_leaving_at_the_story_question_plays_no_move(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        move, before = play_until_fate(session), len(session.steps)
        play_lines(session, move, "q")
        assert len(session.steps) == before


def test_tf_29_story_never_affects_play(tmp_path: Path) -> None:
    courses = []
    for name, tale in (("told", "Once upon a time."), ("silent", "")):
        with begin(tmp_path / name) as session:
            while session.outcome is None:
                list(session.advance())
                if session.prompt:
                    session.submit(session.prompt.moves[0], tale)
            courses.append([(step.move, step.events) for step in session.steps])
            assert bool(tale) is any(getattr(line.record, "tale", "") for line in read(session.path).steps)
    assert courses[0] == courses[1]


@pytest.mark.slow
def test_tf_29_story_is_asked_for_only_on_request(tmp_path: Path) -> None:
    with begin(tmp_path, story=False) as session:
        assert "What happens?" not in play_lines(session, play_until_fate(session))


def test_tf_29_other_games_have_no_story() -> None:
    narration.check_story(registry.rules(GAME))
    with pytest.raises(UsageError, match="Propheta has no story"):
        narration.check_story(registry.rules("propheta"))


def test_story_without_a_move_is_an_invalid_journal_line(tmp_path: Path) -> None:
    with begin(tmp_path) as session:
        play_until_fate(session)
    lines = session.path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[1])["kind"] == "deal"
    lines[1] = json.dumps({**json.loads(lines[1]), "tale": "x"})
    session.path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(Exception, match="unknown field `tale`"):
        read(session.path)
