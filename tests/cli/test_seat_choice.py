"""Who plays is asked at a terminal where nobody who fits the game is named."""

import shlex
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.play_request import GameSetup, PlayRequest
from vaultkit.campaign.scoresheets.entry_row import EntryRow
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import UsageError
from vaultkit.games.question import Question
from vaultkit.terminal import game_choice


def setup_of(vault: Path, game: str, *seats: str, words: tuple[str, ...] = ()) -> GameSetup:
    request = PlayRequest(game=game, seats=seats, words=words or ("play", game), names=(game,))
    return GameSetup.from_request(request, GameNotes.from_name(Workspace(vault), game, ()))


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("named", "lines", "words"),
    [
        ("propheta", [""], ["Ysolde Marr", "Bram Tolliver", "Sefa Quill", "Odhran Vane"]),
        ("turn-of-fate", ["Ann", "Ann, me", "Ann, bot"], ["Ann", "bot:fair"]),
        ("propheta Ann", [""], ["Ann", "bot:fair"]),
        ("propheta me bot:easy", ["Ann"], ["Ann", "bot:easy"]),
        ("dragon-citadel", [], []),
        ("dragon-citadel ?", ["Ann, bot, bot"], ["Ann", "bot:fair", "bot:fair"]),
    ],
)
def test_players_who_fit_are_asked_for(
    example: Path, monkeypatch: pytest.MonkeyPatch, named: str, lines: list[str], words: list[str]
) -> None:
    typed, (game, *seats) = iter(lines), named.removesuffix(" ?").split()
    monkeypatch.setattr(game_choice, "line_asker", lambda _: lambda _: next(typed))
    setup = setup_of(example, game, *seats)
    chosen = game_choice.choose_seats(setup, lambda: Console(file=StringIO()), asks=named.endswith("?"))
    assert chosen == words and not list(typed)


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "names", "command"),
    [
        (("play", "--phones", "--seat", "A", "turn", "of", "fate"), ("turn", "of", "fate"),
         "vaultkit play turn-of-fate --phones --seat A --seat bot:fair"),
        (("--vault", "v", "play", "turn-of-fate", "--seat=A"), ("turn-of-fate",),
         "vaultkit play turn-of-fate --vault v --seat A --seat bot:fair"),
    ],
)  # fmt: skip
def test_error_names_the_whole_command(
    example: Path, words: tuple[str, ...], names: tuple[str, ...], command: str
) -> None:
    request = PlayRequest(game="turn-of-fate", seats=("A",), words=words, names=names, is_logged=False)
    setup = GameSetup.from_request(request, GameNotes.from_name(Workspace(example), "turn-of-fate", ()))
    with pytest.raises(UsageError, match="Turn of Fate is for 2 players, not 1") as error:
        setup.check(setup.notes.seats(("A",)), datetime(2026, 11, 3, tzinfo=UTC))
    assert error.value.hint == f"Say who plays, for example: {command}"


def test_number_of_players_in_the_settings_that_cannot_play_is_told(example: Path) -> None:
    fault = setup_of(example, "turn-of-fate").seat_fault(5, are_named=False)
    assert fault == Says("Turn of Fate", "2 players", "settings", "5") and "not 5" not in fault


@pytest.mark.parametrize(
    ("line", "answers"), [("0 0 20 1 1 30", ["0/0/20", "1/1/30"]), ("b1/1/30", ["", "1/1/30"]), ("1 2", ["1", "2"])]
)
def test_row_of_several_columns_is_split_by_the_players(line: str, answers: list[str]) -> None:
    row = EntryRow("Round 1", tuple(Question(f"r.1.{key}", key) for key in ("bid", "tricks", "points")), ("Ann", "Ben"))
    assert row.cells(line) == answers
    assert row.example == "18/18/18 0/0/0" and row.named_example == "b18/18/18"


@pytest.mark.slow
def test_game_is_repeated_by_a_whole_command(vk: Vaultkit, example: Path) -> None:
    seats = ("--seat", "bot:greedy=Old Tom", "--seat", "bot:random", "--seat", "bot:random")
    words = ("play", "dragon-citadel", *seats, "--set", "undo=off", "--no-log", "--seed", "5")
    hint = next(line for line in vk(*words, cwd=example).out.splitlines() if line.startswith("The same cards again: "))
    command = shlex.split(hint.partition(": ")[2])
    assert command[0] == "vaultkit" and {"undo=off", "bot:greedy=Old Tom", "--no-log"} <= set(command)
    documents = [vk(*arguments, "--json", cwd=example).json for arguments in (words[:], command[1:])]
    assert documents[0]["scores"] == documents[1]["scores"] and documents[0]["seats"] == documents[1]["seats"]


@pytest.mark.slow
def test_date_in_the_world_is_remarked_once(vk: Vaultkit, example: Path) -> None:
    logs = [
        vk("log", "chess", "--score", f"{white}: colour=White, result=won",
           "--score", f"{black}: colour=Black, result=lost", cwd=example)
        for white, black in (("Ysolde Marr", "Bram Tolliver"), ("Sefa Quill", "Odhran Vane"))
    ]  # fmt: skip
    assert [log.code for log in logs] == [0, 0], logs[1].err
    assert ["The date in your world" in log.err for log in logs] == [True, False]
