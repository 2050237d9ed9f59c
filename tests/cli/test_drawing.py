"""`vaultkit draw` and `vaultkit reading`, as a user runs them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode

NOTE = "Games/2026-11-03 Five-Card Cross 1.md"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "Birds.md").write_text(
        "---\nvaultkit-deck: birds\n---\n# Birds\n\n## Cards\n### Owl\nDo **not** ask.\n### Crow\n\x1b[31mIt saw.\n",
        encoding="utf-8",
    )
    (tmp_path / "Roads.md").write_text("---\nvaultkit-spread: [Left, Right]\n---\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_reading_is_shown_logged_once_and_undone(vk: Vaultkit, example: Path) -> None:
    log = (example / "Campaign Log.md").read_bytes()
    done = vk("reading", "cross", "--seed", "7", cwd=example)
    assert done.code == ExitCode.OK
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert rows[0][0] == "What Lies Behind" and len(rows) == 5
    assert f"Written: {NOTE}" in done.err and "seed 7" in done.err
    again = vk("reading", "cross", "--seed", "7", cwd=example)
    assert again.out == done.out
    assert "has its note already" in again.err and "Written" not in again.err
    assert vk("undo", cwd=example).code == ExitCode.OK
    assert (example / "Campaign Log.md").read_bytes() == log
    assert not (example / NOTE).exists()


@pytest.mark.slow
def test_written_reading_has_no_problems(vk: Vaultkit, example: Path) -> None:
    vk("reading", "cross", "--question", "Who [[waits]] #there?", cwd=example)
    vk("draw", "decktet", "-n", "3", "--log", cwd=example)
    found = vk("check", "--json", cwd=example).json
    assert found["problems"] == []
    assert (example / NOTE).is_file()


@pytest.mark.slow
def test_json_is_one_document(vk: Vaultkit, example: Path) -> None:
    asked = ("--seed", "11", "--question", "Why?")
    found = vk("draw", "Tarokka Deck", "-n", "2", *asked, "--log", "--json", cwd=example).json
    assert [card["name"] for card in found["cards"]] == ["Missionary", "Conjurer"]
    assert found["cards"][1]["link"].endswith("tarokka-deck-cos.md#Conjurer")
    assert found["cards"][1]["text"].startswith("A guest")
    assert found["note"] == "Games/2026-11-03 Draw from Tarokka Deck 1.md"
    assert (found["seed"], found["question"]) == (11, "Why?")
    planned = vk("reading", "omen", "--json", "--dry-run", cwd=example).json
    assert planned["note"] in planned["diff"]
    assert not (example / planned["note"]).exists()
    listed = vk("reading", "--json", cwd=example).json
    assert [one["id"] for one in listed] == ["five-card-cross", "omen", "past-present-future"]


@pytest.mark.parametrize("words", [(), ("--no-log",), ("--log", "--dry-run")])
def test_without_a_log_nothing_is_written(vk: Vaultkit, small: Path, words: tuple[str, ...]) -> None:
    before = sorted(small.rglob("*"))
    assert vk("draw", "birds", *words, cwd=small).code == ExitCode.OK
    assert [path for path in sorted(small.rglob("*")) if "home" not in path.parts] == before


def test_draw_can_be_logged_later_by_its_seed(vk: Vaultkit, small: Path) -> None:
    shown = vk("draw", "birds", "--seed", "1", cwd=small)
    logged = vk("draw", "birds", "--seed", "1", "--log", cwd=small)
    assert logged.out == shown.out and "Written" not in shown.err
    assert "Written: Games/2026-11-03 Draw from Birds 1.md" in logged.err


def test_log_place_without_logging_is_refused(vk: Vaultkit, small: Path) -> None:
    done = vk("draw", "birds", "--campaign", "none", cwd=small)
    assert (done.code, done.out) == (ExitCode.USAGE, "") and "Add --log." in done.err


def test_the_only_deck_of_a_vault_need_not_be_named(vk: Vaultkit, small: Path) -> None:
    done = vk("reading", "Roads", "--seed", "1", cwd=small)
    assert done.code == ExitCode.OK
    assert sorted(line.split("\t")[1] for line in done.out.splitlines() if "\t" in line) == ["Crow", "Owl"]
    assert "Do not ask." in done.out and "\x1b" not in done.out
    assert "No campaign note is set" in done.err and "vaultkit config set campaign.note" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("draw", "tarokk"), ExitCode.NOTHING, "tarokka"),
        (("draw", "decktet", "-n", "37"), ExitCode.USAGE, "36 cards, not 37"),
        (("draw", "decktet", "-n", "0"), ExitCode.USAGE, "-n"),
        (("draw", "decktet", "--seed", "x"), ExitCode.USAGE, "--seed"),
        (("reading", "omne"), ExitCode.NOTHING, "Did you mean 'Omen'?"),
        (("reading", "cross", "--deck", "decktet"), ExitCode.INVALID, "deck: common"),
        (("reading", "omen", "--deck", "nothing"), ExitCode.NOTHING, "There is no deck 'nothing'"),
        (("reading", "omen", "--campaign", "Nowhere"), ExitCode.NOTHING, "no campaign note 'Nowhere'"),
        (("reading", "omen", "--campaign", "tarokka-deck-cos"), ExitCode.WRITE, "generated"),
        (("reading", "Bare"), ExitCode.USAGE, "--deck"),
        (("reading", "Empty"), ExitCode.INVALID, "no positions"),
    ],
)
def test_impossible_draws_are_refused(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    (example / "Bare.md").write_text("---\nvaultkit-spread: [One]\n---\n", encoding="utf-8")
    (example / "Empty.md").write_text("---\nvaultkit-spread: true\n---\n", encoding="utf-8")
    done = vk(*words, cwd=example)
    assert done.code == code
    assert said in done.err
    assert done.out == ""
    assert not (example / "Games").exists()


def test_deck_with_mistakes_is_used_and_the_mistakes_are_reported(vk: Vaultkit, small: Path) -> None:
    (small / "Few.md").write_text("---\nvaultkit-deck: tarokka\n---\n## Cards\n### Raven\nBlack.\n", encoding="utf-8")
    done = vk("draw", "few", "--no-log", cwd=small)
    assert (done.code, done.out) == (ExitCode.OK, "Raven\tBlack.\n")
    assert "Few has 1 problem; see: vaultkit check" in done.err


def test_broken_spread_is_reported_with_the_others(vk: Vaultkit, example: Path) -> None:
    (example / "Empty.md").write_text("---\nvaultkit-spread: true\n---\n", encoding="utf-8")
    done = vk("reading", cwd=example)
    assert done.code == ExitCode.OK
    assert len(done.out.splitlines()) == 3
    assert done.err == Says("Empty.md", "no", "positions")


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "words", [("tarokka", "3"), ("3", "tarokka"), ("Tarokka", "Deck", "3"), ("tarokka", "-n", "3")]
)
def test_number_of_cards_may_follow_the_deck(vk: Vaultkit, example: Path, words: tuple[str, ...]) -> None:
    done = vk("draw", *words, "--seed", "5", cwd=example)
    assert (
        done.code == ExitCode.OK and done.out == vk("draw", "tarokka", "--number", "3", "--seed", "5", cwd=example).out
    )
