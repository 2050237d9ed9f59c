"""`vaultkit simulate`, as a user runs it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.games.registry import rules

pytestmark = pytest.mark.slow

FAIR = ("simulate", "turn-of-fate", "--games", "12", "--seed", "4", "--jobs", "1")


def notes(vault: Path) -> dict[str, bytes]:
    return {str(file.relative_to(vault)): file.read_bytes() for file in vault.rglob("*.md")}


def test_document_matches_its_contract(vk: Vaultkit, example: Path) -> None:
    before = notes(example)
    done = vk(*FAIR, "--seats", "greedy,random", "--json", cwd=example)
    report = done.json
    assert done.code == 0
    assert (report["game"], report["games"], report["seed"]) == ("turn-of-fate", 12, 4)
    assert [seat["bot"] for seat in report["seats"]] == ["greedy", "random"]
    assert set(report["seats"][0]) == {"name", "bot", "wins", "win_rate", "ci95", "score"}
    low, high = report["seats"][0]["ci95"]
    assert 0 <= low <= report["seats"][0]["win_rate"] <= high <= 1
    assert sum(report["outcomes"].values()) == 12 and set(report["length"]) == {"mean", "median", "min", "max"}
    assert report["games_per_second"] > 0 and {"vows", "won-over"} <= {one["kind"] for one in report["moments"]}
    assert notes(example) == before


def test_the_same_seed_gives_the_same_report_with_any_number_of_jobs(vk: Vaultkit, example: Path) -> None:
    def report(jobs: str) -> object:
        done = vk("simulate", "propheta", "--games", "9", "--seed", "4", "--jobs", jobs, "--json", cwd=example)
        assert done.code == 0, done.err
        return {**done.json, "games_per_second": 0}

    assert report("1") == report("3")


def test_text_report_names_seats_outcomes_and_the_seed(vk: Vaultkit, example: Path) -> None:
    done = vk(*FAIR, cwd=example)
    assert done.code == 0 and "Bot 2 (greedy)\t" in done.out and "A game took" in done.out
    assert "--seed 4" in done.err and "%" in done.out


def test_write_is_refused_and_a_script_makes_a_page_with_charts(vk: Vaultkit, example: Path) -> None:
    from scripts.balance_page import page

    done = vk(*FAIR, "--write", cwd=example)
    assert done.code == 2 and "--json" in done.err
    text = page(vk(*FAIR, "--seats", "greedy,random", "--json", cwd=example).json)
    assert "xychart-beta" in text and 'x-axis ["1 greedy", "2 random"]' in text and "pie showData" in text
    assert "| Bot 1 (greedy) | " in text and "## What Decides" in text


def test_house_rules_apply_and_are_reported(vk: Vaultkit, example: Path) -> None:
    rule = ("--set", "mode=competitive", "--seats", "3")
    done = vk("simulate", "dragon-citadel", "--games", "5", "--seed", "1", *rule, "--json", cwd=example)
    assert done.json["options"] == {"mode": "competitive"} and len(done.json["seats"]) == 3
    assert "party" not in done.json["outcomes"]


def test_fewest_possible_seats_play_by_default(vk: Vaultkit, example: Path) -> None:
    for game, seats in {"dragon-citadel": 3, "deck-of-destiny": 1, "prophets-gambit": 3}.items():
        done = vk("simulate", game, "--games", "2", "--jobs", "1", "--json", cwd=example)
        assert [seat["bot"] for seat in done.json["seats"]] == ["greedy"] * seats


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seats", "gredy,random"), "Did you mean 'greedy'?"),
        (("--seats", "greedy,search:0"), "search:300"),
        (("--seats", "7"), "2 players"),
        pytest.param(("--seats", "9" * 5_000), "There is no strategy", id="figures without end"),
        (("--games", "0"), "--games"),
        (("--jobs", "0"), "--jobs"),
        (("--set", "nonsense=1"), "nonsense"),
    ],
)
def test_wrong_usage_is_one_clear_error(vk: Vaultkit, example: Path, words: tuple[str, ...], said: str) -> None:
    done = vk("simulate", "turn-of-fate", *words, cwd=example)
    assert done.code == (4 if "no strategy" in done.err else 2) and said in done.err and not done.out


def test_outcomes_are_words_in_text_and_ids_in_json(vk: Vaultkit, example: Path) -> None:
    kinds = set(vk(*FAIR, "--json", cwd=example).json["outcomes"])
    words = rules("turn-of-fate").endings
    shown = vk(*FAIR, cwd=example).out
    assert kinds <= words.keys()
    for kind in kinds:
        assert f"{words[kind]}\t" in shown


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts the processes of Linux")
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGKILL", -9)])
def test_ended_simulation_leaves_no_process(example: Path, name: str, code: int) -> None:
    if signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        pytest.skip(f"{name} is ignored here, as by nohup")
    words = ("simulate", "dragon-citadel", "--games", "100000", "--seats", "search,search,search", "--jobs", "2")
    running = subprocess.Popen([sys.executable, "-m", "vaultkit", *words], cwd=example, stderr=subprocess.PIPE)
    begun = time.monotonic()
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    while len(children.read_text().split()) < 3 and time.monotonic() < begun + 60:  # two, and one that Python needs
        time.sleep(0.05)
    os.kill(running.pid, getattr(signal, name))
    running.communicate(timeout=30)  # the pipe ends with the last process that has it
    assert running.returncode == code
