"""The commands that only read, on the example vault and on broken ones."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES

TAROKKA = "3-Mechanics/CLI/decks/tarokka-deck-cos.md"
CITADEL = "3-Mechanics/CLI/variant-rules/dragon-citadel.md"
BERSERKER = "*Six of Swords*"


def change(vault: Path, note: str, old: str, new: str) -> None:
    path = vault / note
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.slow
def test_example_vault_has_no_check_problems(vk: Vaultkit, example: Path) -> None:
    done = vk("check", "--json", cwd=example)
    assert done.code == ExitCode.OK
    assert done.json["problems"] == []
    assert done.json["notes"] >= 40
    assert done.json["links"] > 300


@pytest.mark.slow
def test_example_vault_has_no_doctor_faults(vk: Vaultkit, example: Path) -> None:
    done = vk("doctor", "--json", cwd=example)
    assert done.code == ExitCode.OK
    assert {"vault", "settings", "campaign note", "print fonts"} <= {check["name"] for check in done.json["checks"]}


@pytest.mark.slow
def test_decks_command_lists_the_four_decks(vk: Vaultkit, example: Path) -> None:
    decks = {deck["kind"]: deck["cards"] for deck in vk("deck", "--json", cwd=example).json}
    assert decks == {"tarokka": 54, "decktet": 36, "astromancy": 48, "french52": 52}


@pytest.mark.slow
def test_deck_command_shows_suit_rank_image_text_and_link_of_every_card(vk: Vaultkit, example: Path) -> None:
    cards = vk("deck", "Tarokka Deck", "--json", cwd=example).json["cards"]
    assert len(cards) == 54
    assert all((example / card["image"]).is_file() and card["text"] for card in cards)
    berserker = next(card for card in cards if card["name"] == "Berserker")
    assert (berserker["suit"], berserker["rank"], berserker["link"]) == ("Swords", 6, f"{TAROKKA}#Berserker")
    raven = next(card for card in cards if card["name"] == "Raven")
    assert (raven["suit"], raven["rank"]) == (None, None)


@pytest.mark.slow
def test_games_command_shows_which_games_are_ready(vk: Vaultkit, example: Path) -> None:
    games = {game["id"]: game for game in vk("games", "--json", cwd=example).json}
    assert list(games)[: len(GAMES)] == list(GAMES)
    assert games["dragon-citadel"]["ready"]
    assert games["dragon-citadel"]["rule_note"] == CITADEL
    assert all(games[name]["rule_note"] and games[name]["deck"] for name in GAMES)
    known = {name for name, game in games.items() if not game["deck"]}
    assert known == {"bowling", "chess", "darts-501", "hearts", "skat", "who-won", "yahtzee"}


@pytest.mark.slow
def test_dc_3_games_command_shows_the_number_of_players(vk: Vaultkit, example: Path) -> None:
    """Two are too few unless a house rule lets them play, and then it is said which one."""
    assert "Dragon Citadel\t3 to 7\tyes" in vk("games", cwd=example).out
    with (example / ".vaultkit/config.toml").open("a", encoding="utf-8") as settings:
        settings.write('[games.dragon-citadel]\nmin_players = 2\nmode = "competitive"\n')
    assert "Dragon Citadel\t2 to 7 (min_players = 2)\tyes" in vk("games", cwd=example).out


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_rules_command_shows_every_rule_note(vk: Vaultkit, example: Path, game: str) -> None:
    done = vk("rules", game, cwd=example)
    assert done.code == ExitCode.OK
    assert GAMES[game].title in done.out


def test_rules_command_shows_a_ruling(vk: Vaultkit, tmp_path: Path) -> None:
    done = vk("rules", "dragon-citadel", "--ruling", "dc-12", cwd=tmp_path)
    assert done.code == ExitCode.OK
    assert "DC-12" in done.out
    assert "lowest" in done.out


def test_links_command_shows_each_target(vk: Vaultkit, example: Path) -> None:
    links = vk("links", "Dragon Citadel", "--json", cwd=example).json
    assert {link["status"] for link in links} <= {"ok", "external"}
    assert any(link["target"] == TAROKKA and link["subpath"] == "Warrior" for link in links)


def test_links_back_command_shows_the_sources(vk: Vaultkit, example: Path) -> None:
    links = vk("links", "tarokka-deck-cos", "--back", "--json", cwd=example).json
    assert CITADEL in {link["note"] for link in links}


@pytest.mark.slow
def test_check_finds_broken_links_with_their_place(vk: Vaultkit, example: Path) -> None:
    (example / "Broken.md").write_text("# Broken\n\nÄ [[Nowhere]] and [[Home#No Such Heading]].\n", encoding="utf-8")
    done = vk("check", "--json", cwd=example)
    assert done.code == ExitCode.PROBLEMS
    places = [(problem["note"], problem["line"], problem["column"]) for problem in done.json["problems"]]
    assert places == [("Broken.md", 3, 3), ("Broken.md", 3, 19)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (BERSERKER, "*Six of Sords*", "card-suit"),
        (BERSERKER, "*Five of Swords*", "card-facts"),
        (BERSERKER, "", "card-line"),
        ("### Berserker", "#### Berserker", "card-missing"),
        ("### Beggar", "### Berserker", "card-twice"),
    ],
)
def test_faulty_deck_is_reported_and_not_used(vk: Vaultkit, example: Path, old: str, new: str, code: str) -> None:
    change(example, TAROKKA, old, new)
    found = vk("check", "--json", cwd=example).json["problems"]
    assert code in {problem["code"] for problem in found if problem["note"] == TAROKKA}
    done = vk(
        "play", "dragon-citadel", "--seat", "bot:greedy", "--seat", "bot:greedy", "--seat", "bot:random", cwd=example
    )
    assert done.code == ExitCode.INVALID
    assert TAROKKA in done.err
    assert not list(example.glob(".vaultkit/journals/*"))


@pytest.mark.slow
def test_rule_note_with_broken_yaml_is_reported_with_its_line(vk: Vaultkit, example: Path) -> None:
    change(example, CITADEL, "aliases:\n", "aliases: [\n")
    problems = vk("check", "--json", cwd=example).json["problems"]
    assert [(p["note"], p["code"]) for p in problems if p["code"] == "frontmatter"] == [(CITADEL, "frontmatter")]
    assert vk("rules", "dragon-citadel", cwd=example).code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rules", "dragon-citadell"), ExitCode.NOTHING, "dragon-citadel"),
        (("rules", "dragon-citadel", "--ruling", "DC-99"), ExitCode.NOTHING, "DC-99"),
        (("rules", "dragon-citadel", "--ruling", "XX-12"), ExitCode.NOTHING, "DC-12"),
        (("deck", "tarroka"), ExitCode.NOTHING, "tarokka"),
        (("links", "Campain Log"), ExitCode.NOTHING, "Campaign Log"),
        (("chek",), ExitCode.USAGE, "check"),
    ],
)
def test_a_typo_gets_a_suggestion(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    done = vk(*words, cwd=example)
    assert done.code == code
    assert said in done.err
    assert done.out == ""


def test_missing_vault_gives_one_clear_error(vk: Vaultkit, tmp_path: Path) -> None:
    done = vk("check", cwd=tmp_path)
    assert done.code == ExitCode.INVALID
    assert "--vault" in done.err
    assert "vaultkit demo" in done.err


def test_empty_vault_gives_no_error(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    assert vk("check", "--json", cwd=tmp_path).json == {
        "notes": 0,
        "links": 0,
        "excluded": 0,
        "groups": {"certain": 0, "likely": 0, "to-be-written": 0, "missing": 0, "by-hand": 0},
        "causes": [],
        "unwritten": [],
        "missing": [],
        "problems": [],
    }
    assert vk("deck", "--json", cwd=tmp_path).json == []
    done = vk("play", "dragon-citadel", "--seat", "A", "--seat", "B", "--seat", "C", cwd=tmp_path)
    assert done.code == ExitCode.INVALID
    assert "vaultkit init --with dragon-citadel" in done.err


@pytest.mark.slow
def test_the_vault_may_be_named_by_the_environment(
    vk: Vaultkit, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULTKIT_VAULT", str(example))
    assert vk("check", cwd=tmp_path).code == ExitCode.OK


@pytest.mark.slow
def test_control_characters_of_notes_never_reach_the_terminal(vk: Vaultkit, example: Path) -> None:
    change(example, CITADEL, "# Dragon Citadel\n", "# Dragon Citadel\n\n\x1b]0;owned\x07\x1b[31mred\u202e\x9b2J\n")
    out = vk("rules", "dragon-citadel", cwd=example).out
    assert not any(character in out for character in "\x1b\x07\x9b\u202e")
    assert "red" in out


@pytest.mark.slow
def test_doctor_reports_what_a_game_or_a_sheet_would_refuse(vk: Vaultkit, example: Path) -> None:
    config = example / ".vaultkit" / "config.toml"
    config.write_text(
        '[print]\npaper = "a5"\n[games.dragon-citadel]\nmode = "x"\n[games.chess]\nx = 1\n', encoding="utf-8"
    )
    done = vk("doctor", "--json", cwd=example)
    assert done.code == ExitCode.PROBLEMS
    wrong = {check["name"] for check in done.json["checks"] if not check["ok"]}
    assert wrong == {"print.paper", "games.dragon-citadel.mode", "games.chess"}


@pytest.mark.slow
def test_doctor_and_games_report_the_fault_of_an_existing_deck(vk: Vaultkit, example: Path) -> None:
    change(example, TAROKKA, BERSERKER, "*Six of Sords*")
    game = next(
        check for check in vk("doctor", "--json", cwd=example).json["checks"] if check["name"] == "Dragon Citadel"
    )
    assert not game["ok"]
    assert TAROKKA in game["detail"] and "Sords" in game["detail"]
    assert game["hint"] == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("rules", "dragon-citadel"), ("deck", "tarokka"), ("check", "--json")])
def test_closed_output_pipe_is_not_an_error(example: Path, words: tuple[str, ...], unbuffered: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "vaultkit", *words, "--vault", str(example)]
    with os.fdopen(write, "wb") as closed:
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(
            command, stdout=closed, stderr=subprocess.PIPE, encoding="utf-8", check=False, env=environment
        )
    assert (done.returncode, done.stderr) == (ExitCode.OK, "")
