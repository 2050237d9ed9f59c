"""`rules`: a game's options and rulings; and that house rules are told wherever they matter."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.counts import short
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.campaign import house_rules
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.options import all_options

RULES = "3-Mechanics/CLI/variant-rules/propheta.md"
TAROKKA = "3-Mechanics/CLI/decks/tarokka-deck-cos.md"
CONFIG = ".vaultkit/config.toml"


def configure(vault: Path, text: str) -> None:
    file = vault / CONFIG
    old = file.read_text(encoding="utf-8") if file.exists() else ""
    make_files(vault, {CONFIG: f"{old}\n{text}\n"})


def write_into_rules(vault: Path, line: str) -> None:
    file = vault / RULES
    file.write_text(file.read_text(encoding="utf-8").replace("---\n", f"---\n{line}\n", 1), encoding="utf-8")


@pytest.mark.short(1)
@pytest.mark.parametrize("game", short(GAMES, 2))
def test_g_11_rules_lists_every_option_with_its_ruling_and_accepted_values(
    vk: Vaultkit, example: Path, game: str
) -> None:
    done = vk("rules", game, "--options", cwd=example)
    alone = done.out
    assert vk("rules", game, cwd=example).out.endswith(alone) and f"vaultkit config set games.{game}." in done.err
    for option in all_options(rules(game)):
        told = f"  {option.key} = {option.default} ({option.ruling})\n      {option.summary}\n"
        assert f"{told}      Accepted: {option.accepted}\n" in alone


@pytest.mark.slow
def test_g_11_rules_shows_the_options_in_force_and_where_they_were_set(vk: Vaultkit, example: Path) -> None:
    configure(example, '[games.propheta]\nfollow = "element"\nmemory = "last-trick"')
    write_into_rules(example, 'vaultkit-options: ["memory=open", "target=20"]')
    told = vk("rules", "propheta", "--options", cwd=example).out
    assert f"follow = element, set in {CONFIG} (VA-4)" in told
    assert f"memory = open, set in {RULES} (VA-22)" in told
    found = {one["option"]: one for one in vk("rules", "Vates", "--json", cwd=example).json["options"]}
    assert (found["target"]["value"], found["target"]["set_in"], found["target"]["default"]) == (20, RULES, "none")
    assert (found["first"]["value"], found["first"]["set_in"], found["first"]["ruling"]) == ("random", None, "VA-20")
    assert found["follow"]["values"] == ["none", "element"] and found["undo"]["ruling"] == "G-8"


def test_options_are_listed_without_a_rule_note_and_with_faults(vk: Vaultkit, tmp_path: Path) -> None:
    make_files(tmp_path / "v", {CONFIG: '[games.propheta]\nfollow = "suit"'})
    refused = vk("rules", "propheta", cwd=tmp_path / "v")
    assert refused.code == ExitCode.INVALID and "vaultkit rules propheta --options" in refused.err
    done = vk("rules", "propheta", "--options", cwd=tmp_path / "v")
    assert done.code == ExitCode.OK and "follow = none (VA-4)" in done.out
    assert done.err == Says("Note", CONFIG, "suit", "follow")
    assert vk("rules", "propheta", "--options", "--json", cwd=tmp_path / "v").json["note"] is None


@pytest.mark.slow
@pytest.mark.parametrize("words", [("rules",), ("play",), ("print", "packet"), ("rules", "--ruling", "1")])
def test_game_with_only_a_score_sheet_is_listed_as_such(vk: Vaultkit, example: Path, words: tuple[str, ...]) -> None:
    done = vk(*words, "Skat", cwd=example)
    assert done.code == ExitCode.USAGE and done.err == Says("Skat", "only", "score sheet")
    assert "vaultkit print scores skat, vaultkit log skat" in " ".join(done.err.split())
    near = vk("stats", "--game", "Skta", cwd=example)
    assert near.code == ExitCode.NOTHING and "Did you mean 'skat'?" in near.err


def test_a_ruling_of_another_game_is_not_shown_for_this_one(vk: Vaultkit, example: Path) -> None:
    done = vk("rules", "propheta", "--ruling", "DC-3", cwd=example)
    assert done.code == ExitCode.USAGE and done.out == ""
    assert "vaultkit rules dragon-citadel --ruling DC-3" in done.err
    assert vk("rules", "propheta", "--ruling", "12", "--json", cwd=example).json["ruling"] == "VA-12"
    assert vk("rules", "propheta", "--ruling", "G-8", cwd=example).code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[games.propheta]\nfollow = "none"\nzero_tiebreak = "litteral"', 4, "'litteral' is not a value"),
        ('[ games . "propheta" ] # ours\n"folow" = "none"', 3, "no option 'folow'. Did you mean 'follow'?"),
        ('[games]\npropheta = {folow = "none"}', 0, "no option 'folow'"),
        ('[games.vates]\nfollow = "none"', 3, "Write [games.propheta]."),
        ("[games.whist]\nfollow = 1", 3, "There is no game 'whist'."),
        ("player = 1", 2, "There is no setting 'player'."),
        ("[games", 2, "The settings cannot be read"),
    ],
)
def test_g_11_check_and_doctor_report_mistakes_in_the_settings(
    vk: Vaultkit, tmp_path: Path, text: str, line: int, said: str
) -> None:
    root = tmp_path / "v"
    make_files(root, {})
    configure(root, text)
    done = vk("check", cwd=root)
    place = f"{CONFIG}:{line}:1" if line else CONFIG
    assert done.code == ExitCode.PROBLEMS and f"\n{place}: error: " in done.out
    assert said in done.out and done.out.endswith("[settings]\n")
    told = vk("doctor", "--all", cwd=root)
    assert told.code == ExitCode.PROBLEMS and said.partition(". Did")[0] in told.out and "config.toml" in told.out
    make_files(root, {"Note.md": ""})
    assert vk("check", "Note.md", cwd=root).code == ExitCode.OK, "only the whole vault has settings"


@pytest.mark.slow
def test_g_11_doctor_reports_every_fault_of_a_rule_note(vk: Vaultkit, example: Path) -> None:
    write_into_rules(example, 'vaultkit-options: ["memory=opne", "leak=1"]')
    done = vk("doctor", "--all", cwd=example)
    assert done.code == ExitCode.PROBLEMS
    assert done.out == Says("!!  games.propheta.memory", RULES, "opne", "memory")
    assert done.out == Says("!!  games.propheta.leak", RULES, "Propheta", "no option", "leak")


def test_g_11_fault_in_the_user_settings_is_reported_by_doctor_and_not_by_check(
    vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[games.propheta]\nfolow = 1\n", encoding="utf-8")
    monkeypatch.setattr("vaultkit.settings.user_settings_path", lambda: own)
    make_files(tmp_path / "v", {})
    assert vk("check", cwd=tmp_path / "v").code == ExitCode.OK
    assert vk("doctor", "--all", cwd=tmp_path / "v").out == Says(str(own), "Propheta", "no option", "folow")


def test_settings_place_is_shown_relative_to_the_vault_if_inside(example: Path) -> None:
    root = example.resolve()
    assert house_rules.settings_path(root, str(root / CONFIG)) == CONFIG
    assert house_rules.settings_path(root, "/elsewhere/config.toml") == "/elsewhere/config.toml"


def begun(vk: Vaultkit, example: Path, game: str, typed: str, *options: str) -> str:
    (example / "moves").write_text(typed, encoding="utf-8")
    words = [word for option in options for word in ("--set", option)]
    seats = ("--seat", "Ysolde Marr", "--seat", "bot:random")
    done = vk("play", game, *seats, "--seed", "1", "--script", "moves", "--no-log", *words, cwd=example)
    return " ".join(done.out.split())


@pytest.mark.slow
def test_g_12_a_game_begins_with_the_house_rules_in_force_and_names_them_once(vk: Vaultkit, example: Path) -> None:
    write_into_rules(example, 'vaultkit-options: ["zero_tiebreak=literal"]')
    told = begun(vk, example, "propheta", "q\n", "follow=none")
    rule = "zero_tiebreak = literal instead of normal (VA-9): Whether a losing 0 undoes the tie-break by modality."
    assert told.count("House rules:") == told.count(rule) == 1 and "follow = " not in told
    assert "House rules" not in begun(vk, example, "turn-of-fate", "q\n")


@pytest.mark.slow
@pytest.mark.parametrize(("option", "overruled"), [("first=1", True), ("follow=element", False)])
def test_g_10_replacing_house_rule_is_shown_below_the_passage_of_the_note(
    vk: Vaultkit, example: Path, option: str, overruled: bool
) -> None:
    told = begun(vk, example, "propheta", "?\nq\n", option)
    assert ("A house rule changes this: first = 1 instead of random (VA-20)" in told) == overruled
    assert told.count("A house rule changes this") == overruled


def test_dd_1_deck_required_by_an_option_is_installed_with_its_game(vk: Vaultkit, example: Path) -> None:
    (example / TAROKKA).unlink()
    done = vk("play", "deck-of-destiny", "--seat", "bot:random", "--set", "deck=tarokka-common", cwd=example)
    assert done.code == ExitCode.INVALID and "which deck-of-destiny needs" in done.err
    (game,) = re.findall(r"vaultkit init --with (\S+)", done.err)
    assert GAMES[game].deck == "tarokka"


@pytest.mark.slow
def test_games_and_doctor_agree_on_a_game_without_its_rule_note(vk: Vaultkit, example: Path) -> None:
    (example / RULES.replace("propheta", "dragon-citadel")).unlink()
    line = next(line for line in vk("games", cwd=example).out.splitlines() if line.startswith("dragon-citadel"))
    assert line.endswith("yes, without its rule note; to get it: vaultkit init --with dragon-citadel")
    assert (
        "Dragon Citadel: not in this vault, but its deck is: it can be played" in vk("doctor", "--all", cwd=example).out
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_outcome_has_a_description(game: str) -> None:
    said = rules(game).endings
    assert said and all(words[0].isupper() and "-" not in words for words in said.values())
    assert rules(game).ending("not-yet-known") == "Not yet known"
