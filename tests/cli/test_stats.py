"""`vaultkit stats`, as a user runs it."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from tests.campaign.stats.samples import EVENING, make_vault, session
from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.campaign.stats.game_list import gather_games
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.cli import stats
from vaultkit.errors import ExitCode

NOTE, BASE = "Games/Statistics.md", "Games/Games.base"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return make_vault(tmp_path / "vault").root


def notes(vault: Path) -> dict[str, bytes]:
    return {str(file.relative_to(vault)): file.read_bytes() for file in vault.rglob("*.*") if file.is_file()}


def test_document_matches_its_contract(vk: Vaultkit, vault: Path) -> None:
    before = notes(vault)
    done = vk("stats", "--json", cwd=vault)
    told = done.json
    assert done.code == 0 and not done.err and notes(vault) == before
    assert list(told) == ["players", "games", "pairs", "cards"]
    assert told["players"][0] == {
        "name": "Bram Tolliver", "note": "1-Party/Bram Tolliver.md", "bot": False, "games": 6, "wins": 3,
        "wins_together": 1, "win_rate": 0.5, "streak": 2, "longest_streak": 2, "last": "2026-10-17", "matches": 0,
        "matches_won": 0,
        "best": [
            {"game": "dragon-citadel", "title": "Dragon Citadel", "score": 44, "date": "2026-10-03",
             "note": "Games/2026-10-03 Dragon Citadel 1.md"},
            {"game": "propheta", "title": "Propheta", "score": 33.5, "date": "2026-10-17",
             "note": "Games/2026-10-17 Propheta 10.md"},
        ],
    }  # fmt: skip
    assert told["games"][1]["outcomes"] == {"dealer": 1, "party": 1} and told["games"][0]["seats"] == [2, 3]
    assert told["pairs"][0] == {
        "players": ["Bram Tolliver", "Ysolde Marr"],
        "notes": ["1-Party/Bram Tolliver.md", "1-Party/Ysolde Marr.md"],
        "games": 4,
        "wins": [1, 1],
        "level": 2,
    }
    assert told["cards"][0] == {
        "card": "Raven",
        "note": "3-Mechanics/tarokka.md",
        "heading": "Raven",
        "games": 3,
        "by_game": {"Propheta": 3},
    }


def test_a_pipe_gets_rows_and_plain_gets_sentences(vk: Vaultkit, vault: Path) -> None:
    rows = vk("stats", cwd=vault).out.splitlines()
    assert rows[0].split("\t") == ["player", "Bram Tolliver", "6", "3", "1", "50 %", "2", "2", "2026-10-17"]
    assert "outcome\tDragon Citadel\tThe party beats the dealer\t1" in rows
    plain = vk("stats", "--plain", cwd=vault).out
    assert plain == Says("Bram Tolliver", "6 games", "3 won", "50", "1 of them together", "last", "2026-10-17")
    assert plain == Says("Bram Tolliver", "against", "Ysolde Marr", "4 games", "1 to 1", "2 level")


@pytest.mark.slow
def test_write_names_the_files_and_writes_nothing_a_second_time(vk: Vaultkit, vault: Path) -> None:
    before = notes(vault)
    done = vk("stats", "--dry-run", cwd=vault)
    assert done.code == 0 and f"+++ b/{NOTE}" in done.out and "dry run" in done.err and notes(vault) == before
    done = vk("stats", "--write", cwd=vault)
    assert done.code == 0 and done.out == f"{NOTE}\n{BASE}\n" and f"Written: {NOTE}\nWritten: {BASE}\n" in done.err
    there = notes(vault)
    again = vk("stats", "--write", cwd=vault)
    assert not again.out and again.err == Says(NOTE, "up to date") and notes(vault) == there
    assert vk("stats", "--dry-run", cwd=vault).err == Says(NOTE, "up to date")
    assert vk("check", NOTE, cwd=vault).code == 0
    assert vk("undo", cwd=vault).code == 0 and not (vault / NOTE).exists() and not (vault / BASE).exists()
    done = vk("stats", "--write", "--json", cwd=vault)
    assert done.json["players"] and (vault / NOTE).exists()


@pytest.mark.slow
def test_several_processes_write_the_note_once(vault: Path) -> None:
    words = [sys.executable, "-m", "vaultkit", "stats", "--write"]
    running = [subprocess.Popen(words, cwd=vault, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(4)]
    said = [one.communicate(timeout=120)[1].decode() for one in running]
    assert [one.returncode for one in running] == [0] * 4, said
    assert sum(f"Written: {NOTE}" in one for one in said) == 1
    assert sum("is up to date" in one for one in said) == 3


def test_broken_markers_are_reported_with_the_line(vk: Vaultkit, vault: Path) -> None:
    (vault / NOTE).write_text("# Mine\n\n%% vaultkit stats begin %%\n", encoding="utf-8")
    before = notes(vault)
    for option in ("--write", "--dry-run"):
        done = vk("stats", option, cwd=vault)
        assert (done.code, done.out) == (5, "") and f"Where: {NOTE}:3" in done.err and "Put back" in done.err
    assert notes(vault) == before


@pytest.mark.slow
def test_statistics_are_filtered(vk: Vaultkit, vault: Path) -> None:
    def players(*words: str) -> dict[str, int]:
        done = vk("stats", *words, "--json", cwd=vault)
        assert done.code == 0, done.err
        return {one["name"]: one["games"] for one in done.json["players"]}

    assert players("--game", "propheta") == {"Bram Tolliver": 4, "Ysolde Marr": 4, "Priya's cousin": 1}
    assert players("--game", "the dragon citadel", "--game", "Propheta") == players()
    assert players("--player", "ysolde") == {"Bram Tolliver": 6, "Ysolde Marr": 6, "Priya's cousin": 1}
    assert players("--player", "PRIYA'S cousin", "--player", "[[Bram Tolliver]]") == {
        "Ysolde Marr": 1, "Bram Tolliver": 1, "Priya's cousin": 1}  # fmt: skip
    assert players("--since", "2026-10-03", "--until", "2026-10-03") == {"Bram Tolliver": 2, "Ysolde Marr": 2}
    assert players("--since", "3 October 2026", "--until", "3.10.2026") == {"Bram Tolliver": 2, "Ysolde Marr": 2}
    pairs = vk("stats", "--player", "priya's cousin", "--json", cwd=vault).json["pairs"]
    assert len(pairs) == 2 and all("Priya's cousin" in pair["players"] for pair in pairs)
    assert players("--bots", "--until", "2026-09-19")["Bot 1 (greedy)"] == 1


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--since", "someday"), 2, "'someday' is not a date that can be read."),
        (("--since", "03/11/2026"), 2, "'03/11/2026' may be 2026-11-03 or 2026-03-11."),
        (("--until", "2026-02-30"), 2, "--until 2026-11-03"),
        (("--since", "2026-11-03", "--until", "2026-11-02"), 2, "Swap the two days."),
        (("--player", "Ysold"), 4, "Did you mean 'Ysolde Marr'?"),
        (("--player", "Xaver Quent"), 4, "Players: Bot 1 (greedy), Bram Tolliver, Priya's cousin, Ysolde Marr."),
        (("--game", "profeta"), 4, "Did you mean 'propheta'?"),
        (("--game", "turn-of-fate"), 4, "There are games from 2026-09-05 to 2026-10-17."),
        (("--since", "2030-01-01"), 4, "No logged game matches."),
        (("--game", "propheta", "--write"), 2, "Leave out --game"),
    ],
)
def test_invalid_stats_request_is_one_clear_error(
    vk: Vaultkit, vault: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    before = notes(vault)
    done = vk("stats", *words, cwd=vault)
    assert (done.code, done.out) == (code, "") and done.err.startswith("Error: ") and said in done.err
    assert notes(vault) == before


@pytest.mark.slow
def test_vault_without_games_shows_how_to_begin(vk: Vaultkit, example: Path) -> None:
    done = vk("stats", cwd=example)
    assert done.code == 0 and done.out == Says("No game", "logged") and "vaultkit play dragon-citadel" in done.err
    assert vk("stats", "--json", cwd=example).json == {"players": [], "games": [], "pairs": [], "cards": []}
    done = vk("stats", "--player", "Ysolde", cwd=example)
    assert done.code == 4 and done.err == Says("No game", "logged")


def test_bad_notes_and_copies_are_reported_on_stderr_and_stop_nothing(vk: Vaultkit, vault: Path) -> None:
    (vault / "Games/bad.md").write_bytes("---\nvaultkit-session: x\n---\n\nfür".encode("latin-1"))
    (vault / EVENING[0][0].replace(".md", " copy.md")).write_text(EVENING[0][1], encoding="utf-8")
    done = vk("stats", "--json", cwd=vault)
    assert done.code == 0 and done.json["players"][0]["games"] == 6
    assert "Games/bad.md:5: " in done.err and "Propheta 1 copy.md: the same game as Games/2026-09-05" in done.err


@pytest.mark.slow
def test_closed_reader_does_not_stop_writing(vault: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "vaultkit", "stats", "--write", "--json"],
        cwd=vault,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert run.stdout is not None
    run.stdout.close()
    run.wait()
    assert (vault / NOTE).is_file() and (vault / BASE).is_file()


def test_games_of_bots_only(vk: Vaultkit, tmp_path: Path) -> None:
    bots = ["Bot 1 (greedy)", "Bot 2 (search:200)"]
    vault = make_vault(tmp_path / "vault", [session(1, "2026-09-05", bots, bots[:1], outcome="score")]).root
    done = vk("stats", cwd=vault)
    assert done.code == 0 and "player" not in done.out and "--bots" in done.err
    assert vk("stats", "--bots", cwd=vault).out.startswith("player\tBot 1 (greedy)\t1\t1\t")
    assert vk("stats", "--write", cwd=vault).code == 0
    assert (vault / NOTE).read_text(encoding="utf-8") == Says("Only bots", "played", "far")


def crowd(root: Path, size: int) -> Statistics:
    names = [f"Guest {number} of the Long Name" for number in range(size)]
    option = '["a_rather_long_option=a_rather_long_value"]'
    game = session(1, "2026-09-05", names, names[:1], outcome="score", cards=["Raven"], options=option)
    return Statistics.from_sessions(gather_games(make_vault(root, [game])).sessions)


@pytest.mark.parametrize(("size", "columns"), [(1, 80), (12, 80), (12, 120)])
def test_tables_fit_the_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: int, columns: int) -> None:
    drawn = io.StringIO()
    monkeypatch.setattr(stats, "terminal", lambda: Console(file=drawn, width=columns, color_system=None))
    monkeypatch.setattr(stats, "_can_show_blocks", lambda: columns == 120)
    stats._print_tables(crowd(tmp_path, size))
    lines = drawn.getvalue().splitlines()
    assert max(map(len, lines)) <= columns and lines[0] == "Leaderboard, 1 game"
    assert sum("2026-09-05" in line for line in lines) >= size, "no date is broken"
    assert any("█" in line for line in lines) is (columns == 120) and any("##" in line for line in lines) is (
        columns == 80
    )


def test_bars_are_scaled_and_never_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "_can_show_blocks", lambda: True)
    assert (stats.draw_bar(1, 10), stats.draw_bar(0, 10), stats.draw_bar(0.001, 10)) == (
        "█" * 10,
        "",
        "▏",
    )
    assert stats.draw_bar(0.55, 10) == "█████▌"
    monkeypatch.setattr(stats, "_can_show_blocks", lambda: False)
    assert (stats.draw_bar(1, 10), stats.draw_bar(0, 10), stats.draw_bar(0.001, 10)) == (
        "#" * 10,
        "",
        "#",
    )


def test_csv_has_a_row_for_each_player_of_each_game_and_no_formulas(vk: Vaultkit, vault: Path) -> None:
    done = vk("stats", "--csv", "--bots", cwd=vault)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    document = vk("stats", "--json", "--bots", cwd=vault).json
    for player in document["players"]:
        plays = [row for row in rows if row["player"] == player["name"]]
        assert len(plays) == player["games"] and sum(row["won"] == "yes" for row in plays) == player["wins"]
        for best in player["best"]:
            assert max(float(row["score"] or -9) for row in plays if row["title"] == best["title"]) == best["score"]
    assert {row["bot"] for row in rows} == {"yes", "no"} and rows[-1]["note"].endswith(".md")
    people = list(csv.DictReader(io.StringIO(vk("stats", "--csv", "--game", "propheta", cwd=vault).out)))
    assert {row["bot"] for row in people} == {"no"} and {row["game"] for row in people} == {"propheta"}
    (vault / "Games/x.md").write_text(
        '---\nvaultkit-session: "20261001-skat-abcd"\ngame: Skat\ndate: 2026-10-01\nplayers:\n  - "=HYPERLINK(1)"\n'
        '  - "A, \\"B\\""\nscore-hyperlink-1: -7\n---\n',
        "utf-8",
    )
    players = {row["player"]: row["score"] for row in csv.DictReader(io.StringIO(vk("stats", "--csv", cwd=vault).out))}
    assert players["'=HYPERLINK(1)"] == "-7" and 'A, "B"' in players
    assert vk("stats", "--csv", "--json", cwd=vault).code == ExitCode.USAGE
