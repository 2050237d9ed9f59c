"""Logged games that `vaultkit log --edit` and `--delete` find by what people call them, and deletions that ask."""

import os
import sys
from pathlib import Path

import pytest

import vaultkit
from tests.cli.conftest import Vaultkit, process
from tests.wording import Says
from vaultkit.errors import ExitCode
from vaultkit.terminal.confirmations import ask_yes_no
from vaultkit.text import parse_yes_no

pytestmark = pytest.mark.usefixtures("trusting")

SCORES = ("--score", "Ysolde: points=18", "--score", "Bram: points=8", "--score", "Ivo: points=0")


@pytest.fixture
def three_games(vk: Vaultkit, example: Path) -> Path:
    """The example vault with two games of Skat and one of Hearts; the one that was played first is logged last."""
    for path in (example / "Games").glob("*.md"):
        path.unlink()
    for game, day in (("skat", "2026-11-03"), ("hearts", "2026-11-03"), ("skat", "2026-10-30")):
        assert vk("log", game, *SCORES, "--date", day, "--force", "--vault", str(example)).code == ExitCode.OK
    return example


def notes(vault: Path) -> list[str]:
    return sorted(path.stem for path in (vault / "Games").glob("*.md"))


@pytest.mark.slow
def test_the_game_that_was_logged_last_is_number_1(vk: Vaultkit, three_games: Path) -> None:
    firsts = [vk("log", "--edit", number, "--json", cwd=three_games).json["note"] for number in ("1", "2", "3")]
    assert [path.removeprefix("Games/") for path in firsts] == [
        "2026-10-30 Skat 1.md", "2026-11-03 Hearts 1.md", "2026-11-03 Skat 1.md",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("hearts",), ("HEARTS",), ("2026-11-03 hearts",), ("Hearts", "--date", "2026-11-03"), ("hearts", "2026-11-03")],
)
def test_a_game_is_found_by_title_and_day(vk: Vaultkit, three_games: Path, words: tuple[str, ...]) -> None:
    assert vk("log", "--delete", *words, cwd=three_games).code == ExitCode.OK
    assert notes(three_games) == ["2026-10-30 Skat 1", "2026-11-03 Skat 1"]


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("skat",), "Name one by its number: 1 Skat, 30 October 2026; 3 Skat, 3 November 2026."),
        (("--date", "2026-11-03"), "Name one by its number: 2 Hearts, 3 November 2026; 3 Skat, 3 November 2026."),
        (("whist",), "Logged games: 1 Skat, 30 October 2026; 2 Hearts"),
        (("Campaign Log",), "This is not the note of a game."),
        (("7",), "1 is the newest, 3 the oldest."),
    ],
)
def test_what_may_be_several_games_or_none_deletes_nothing(
    vk: Vaultkit, three_games: Path, words: tuple[str, ...], told: str
) -> None:
    done = vk("log", "--delete", *words, cwd=three_games)
    assert done.code == ExitCode.NOTHING and told in " ".join(done.err.split())
    assert "leave out" not in done.err and len(notes(three_games)) == 3


@pytest.mark.slow
def test_without_a_terminal_a_game_that_is_not_named_is_only_shown(three_games: Path) -> None:
    done = process("log", "--delete", cwd=three_games)
    assert done.code == ExitCode.OK and "2026-10-30 Skat 1.md" in done.out
    assert "To delete this game, name it: vaultkit log --delete" in done.err and len(notes(three_games)) == 3
    assert process("log", "--delete", "1", cwd=three_games).code == ExitCode.OK
    assert notes(three_games) == ["2026-11-03 Hearts 1", "2026-11-03 Skat 1"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
@pytest.mark.parametrize(("typed", "count"), [("", 3), ("q", 3), ("nein", 3), ("oui", 2)])
def test_at_a_terminal_a_deletion_asks(three_games: Path, typed: str, count: int) -> None:
    import pexpect

    env = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path(vaultkit.__file__).parents[1])}
    command = ["-m", "vaultkit", "log", "--delete", "--vault", str(three_games)]
    child = pexpect.spawn(sys.executable, command, 20, env=env, encoding="utf-8", dimensions=(60, 120))
    child.expect_exact("Skat, 30 October 2026: Ysolde Marr 18")
    child.expect_exact("Delete this game (y or n)? ")
    child.sendline(typed)
    child.expect(pexpect.EOF)
    assert len(notes(three_games)) == count


@pytest.mark.parametrize("word", ["y", "JA", "oui", "sí", "si", "sim", "tak", " Yes "])
def test_yes_in_several_languages(word: str) -> None:
    assert parse_yes_no(word) is True


@pytest.mark.parametrize(
    ("word", "is_yes"), [("nein", False), ("non", False), ("não", False), ("nie", False), ("18", None)]
)
def test_no_in_several_languages(word: str, is_yes: bool | None) -> None:
    assert parse_yes_no(word) is is_yes


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("edit", "1"), "Write: vaultkit log --edit 1"),
        (("delete", "skat"), "Write: vaultkit log --delete skat"),
        (("1", *SCORES), "To correct a logged game: vaultkit log --edit 1."),
        (("--remove", "1"), "vaultkit log --delete"),
        (("chess", "--score", "Ysolde=1"), '--score "NAME: colour=White, result=won"'),
        (("skat", "--date", "tomorrow"), "2026-11-04 is in the future."),
        (("--date", "yesterday", "skat", "--seat", "Ysolde"), "Skat is for 3 to 4 players, and 1 took part."),
    ],
)
def test_a_slip_is_answered_with_the_command(vk: Vaultkit, example: Path, words: tuple[str, ...], told: str) -> None:
    done = vk("log", *words, cwd=example)
    assert done.code != ExitCode.OK and told in " ".join(done.err.split())


@pytest.mark.slow
def test_the_only_game_is_said_to_be_the_only_one(vk: Vaultkit, example: Path) -> None:
    for path in (example / "Games").glob("*.md"):
        path.unlink()
    vk("log", "skat", *SCORES, cwd=example)
    assert vk("log", "--edit", "7", cwd=example).err == Says("one game", "logged")


def test_a_row_of_scores_is_no_answer_to_yes_or_no() -> None:
    asked, typed = list[str](), iter(["18 0 0", "nein"])

    def ask(question: str) -> str:
        asked.append(question)
        return next(typed)

    assert not ask_yes_no("Go on with Skat (Enter), or begin anew (n)? ", ask, {"": True})
    assert len(asked) == 2


@pytest.mark.slow
@pytest.mark.parametrize("score", ["Ben 30", "Ben: points=1/2", "Ben: points=1/2/3/4"])
def test_row_of_one_player_with_another_number_of_rounds_is_refused(vk: Vaultkit, example: Path, score: str) -> None:
    for path in (example / "Games").glob("*.md"):
        path.unlink()
    deals = ("--score", "Ann: points=18/0/0", "--score", "Ben: points=0/24/0", "--score", "Cy: points=0/0/-40")
    assert vk("log", "skat", *deals, cwd=example).code == ExitCode.OK
    before = {path: path.read_bytes() for path in example.rglob("*.md")}
    done = vk("log", "--edit", "skat", "--score", score, cwd=example)
    assert done.code == ExitCode.USAGE
    assert done.err == Says("Ben has", "for Points", "the game has 3 deals")
    assert "deal.1.points to deal.3.points" in done.err
    assert before == {path: path.read_bytes() for path in example.rglob("*.md")}
    assert vk("log", "--edit", "skat", "--score", "Ben: deal.2.points=30", cwd=example).code == ExitCode.OK
    assert "score-ben: 30" in next((example / "Games").glob("*.md")).read_text(encoding="utf-8")


def test_option_for_deletions_alone_is_answered_with_the_whole_command(vk: Vaultkit, example: Path) -> None:
    done = vk("log", "skat", "--keep-text", cwd=example)
    assert done.code == ExitCode.USAGE
    assert "vaultkit log --delete skat --keep-text" in done.err
