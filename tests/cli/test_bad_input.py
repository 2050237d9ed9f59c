"""What goes wrong at a table, as whole commands: one clear error each, with its exit code, and nothing lost."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Vaultkit, finish_game
from vaultkit.errors import ExitCode

NETTLE, SEFA = "1-Party/Nettle Ashdown.md", "1-Party/Sefa Quill.md"
RULES = "3-Mechanics/CLI/variant-rules/propheta.md"
BOTS = ("--seat", "bot:random", "--seat", "bot:random")
DESTINY = ("play", "deck-of-destiny", "--seat", "bot:greedy")
SEATS = {"prophets-gambit": 3, "deck-of-destiny": 1, "propheta": 2, "turn-of-fate": 2, "dragon-citadel": 3}


def notes(vault: Path) -> dict[str, bytes]:
    """Every note of the vault."""
    return {str(path): path.read_bytes() for path in vault.rglob("*.md")}


def assert_clear(done: Done, code: ExitCode, *said: str) -> None:
    told = " ".join(done.err.split())
    assert done.code == code, done.err
    assert told.count("Error") == 1 and "Traceback" not in told
    for words in said:
        assert words in told


def write(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def properties(vault: Path, note: str, *lines: str) -> None:
    """Add lines to a note's properties."""
    text = (vault / note).read_text(encoding="utf-8")
    (vault / note).write_text(text.replace("---\n", "---\n" + "".join(f"{line}\n" for line in lines), 1), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("game", SEATS)
def test_illegal_move_is_refused_with_the_legal_ones_and_the_game_continues(
    vk: Vaultkit, example: Path, tmp_path: Path, game: str
) -> None:
    before, moves = notes(example), write(tmp_path / "moves.txt", "fly away")
    seats = ("--seat", "Ysolde", *("--seat", "bot:random") * (SEATS[game] - 1))
    done = vk("play", game, *seats, "--seed", "3", "--script", moves, cwd=example)
    assert_clear(done, ExitCode.USAGE, "'fly away' is not a move here", "moves.txt:1", "Legal moves: ")
    (saved,) = vk("sessions", "--json", cwd=example).json
    assert saved["standing"] == "running" and notes(example) == before
    legal = re.search(r"Legal moves: ([\w -]+)", " ".join(done.err.split()))
    assert legal
    write(tmp_path / "moves.txt", legal[1])
    vk("resume", "--script", moves, cwd=example)
    assert vk("sessions", "--json", cwd=example).json[0]["moves"] > saved["moves"]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "name"), [("deck", "the Merchant"), ("draw", "merchant")])
def test_card_of_two_decks_does_not_choose_a_deck_and_both_are_named(
    vk: Vaultkit, example: Path, command: str, name: str
) -> None:
    done = vk(command, name, cwd=example)
    assert_clear(done, ExitCode.NOTHING, f"no deck '{name}'", "Merchant is a card of: decktet, tarokka.")


@pytest.mark.slow
def test_ambiguous_card_at_a_real_table_is_refused_with_the_candidates(
    vk: Vaultkit, example: Path, tmp_path: Path
) -> None:
    moves = write(tmp_path / "table.txt", "king")
    seat = ("--real-cards", "--referee", "--seat", "Ysolde", "--script", moves)
    done = vk("play", "deck-of-destiny", *seat, cwd=example)
    assert_clear(done, ExitCode.USAGE, "'king' could be: King of Spades; King of Hearts;", "table.txt:1")
    moves = write(tmp_path / "table.txt", "the merchant, joker")
    seats = ("--seat", "Ysolde", *("--seat", "Bram", "--seat", "Sefa"))
    done = vk("play", "dragon-citadel", "--real-cards", "--referee", *seats, "--script", moves, cwd=example)
    assert_clear(done, ExitCode.USAGE, "'joker' is not a card of Tarokka Deck", "table.txt:1")


@pytest.fixture
def session(vk: Vaultkit, example: Path, tmp_path: Path) -> str:
    """An unfinished game."""
    moves = write(tmp_path / "moves.txt", "a")
    vk("play", "propheta", "--seat", "Ysolde", "--seat", "bot:random", "--seed", "3", "--script", moves, cwd=example)
    (saved,) = vk("sessions", "--json", cwd=example).json
    return str(saved["session"])


def other(**changed: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda header: {**header, **changed}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other(schema=4), ("schema 4", "Update vaultkit")),
        (other(fingerprint="0" * 16), ("another deck", "deck note")),
        (other(game="whist"), ("no game 'whist'", "another version of vaultkit")),
        (other(options={"memory": "always"}), ("Line 1", "'always' is not a value of 'memory'")),
        (other(options={"omens": "yes"}), ("Line 1", "no option 'omens'")),
    ],
)
def test_journal_of_another_version_or_deck_is_refused_and_not_deleted(
    vk: Vaultkit, example: Path, session: str, change: Any, said: tuple[str, ...]
) -> None:
    journal = example / ".vaultkit" / "journals" / f"{session}.journal"
    first, _, rest = journal.read_text(encoding="utf-8").partition("\n")
    journal.write_text(f"{json.dumps(change(json.loads(first)))}\n{rest}", encoding="utf-8")
    before = journal.read_bytes(), notes(example)
    for command in (("resume",), ("replay",), ("log", "--session")):
        assert_clear(vk(*command, session, cwd=example), ExitCode.INVALID, *said, f"{session}.journal")
    assert (journal.read_bytes(), notes(example)) == before


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["game", "match", "paper", "reading"])
def test_journal_of_a_later_schema_is_listed_and_no_command_suggests_removing_it(
    vk: Vaultkit, example: Path, kind: str
) -> None:
    name = "20281203-propheta-k3f9"
    journal = example / ".vaultkit" / "journals" / f"{name}.journal"
    journal.parent.mkdir(parents=True)
    write(journal, json.dumps({"kind": kind, "schema": 4, "session": name, "stage": {"x": 1}}, separators=(",", ":")))
    (listed,) = vk("sessions", "--json", cwd=example).json
    assert (listed["session"], listed["standing"]) == (name, "damaged") and "schema 4" in listed["problem"]
    for command in (("resume",), ("replay",), ("log", "--session")):
        done = vk(*command, name, cwd=example)
        assert_clear(done, ExitCode.INVALID, "schema 4", "Update vaultkit", f"{name}.journal")
        assert "--discard" not in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("propheta", *BOTS, "--set", "target=501"), "points from 1 to 500 (VA-19)"),
        (("propheta", *BOTS, "--set", "memory=long"), "Accepted: open (default), last-trick (VA-22)"),
        (("deck-of-destiny", "--seat", "bot:greedy", "--set", "strength=8"), "(DD-14)"),
        (("turn-of-fate", *BOTS, "--seat", "bot:random"), "for 2 players, not 3"),
        (("propheta", "--seat", "bot:search:0", "--seat", "bot:random"), "from 1 to 1000000"),
        (("propheta", "--seat", "You", "--seat", "bot:random"), "'You' is not a player"),
        (("propheta", *BOTS, "--story"), "Propheta has no story"),
    ],
)
def test_options_out_of_range_start_no_game(vk: Vaultkit, example: Path, words: tuple[str, ...], said: str) -> None:
    before = notes(example)
    assert_clear(vk("play", *words, cwd=example), ExitCode.USAGE, said)
    assert vk("sessions", "--json", cwd=example).json == [] and notes(example) == before


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('vaultkit-options: ["omens=yes"]', "Propheta has no option 'omens'"),
        ("vaultkit: {options: {target: 900}}", "'900' is not a value of 'target'"),
    ],
)
def test_g_11_rule_note_with_an_unknown_option_is_named(vk: Vaultkit, example: Path, line: str, said: str) -> None:
    properties(example, RULES, line)
    before = notes(example)
    assert_clear(vk("play", "propheta", *BOTS, cwd=example), ExitCode.INVALID, said, RULES)
    assert vk("sessions", "--json", cwd=example).json == [] and notes(example) == before


def test_g_11_settings_with_an_unknown_option_are_named(vk: Vaultkit, example: Path) -> None:
    config = example / ".vaultkit" / "config.toml"
    config.write_text(config.read_text(encoding="utf-8") + '\n[games.propheta]\nmemori = "open"\n', encoding="utf-8")
    assert_clear(vk("play", "propheta", *BOTS, cwd=example), ExitCode.INVALID, "no option 'memori'", "config.toml")


@pytest.mark.slow
def test_dd_15_character_without_an_inventory_gets_a_hint(vk: Vaultkit, example: Path) -> None:
    before = notes(example)
    done = vk(*DESTINY, "--character", "Nettle", cwd=example)
    assert_clear(done, ExitCode.INVALID, NETTLE, "--new-inventory")
    assert notes(example) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "elsewhere", "said"),
    [
        ("[Ace of Spades, Raven]", "[]", "has no card 'Raven'"),
        ("[Ace of Spades, ace-spades]", "[]", "names Ace of Spades twice"),
        ("[Ace of Spades, 2 of Hearts]", "[2 of Hearts]", f"2 of Hearts is in two inventories: here and in {SEFA}"),
    ],
)
def test_dd_15_inventory_with_an_impossible_card(
    vk: Vaultkit, example: Path, own: str, elsewhere: str, said: str
) -> None:
    properties(example, NETTLE, f"destiny-inventory: {own}")
    properties(example, SEFA, f"destiny-inventory: {elsewhere}")
    before = notes(example)
    assert_clear(vk(*DESTINY, "--character", "Nettle", cwd=example), ExitCode.INVALID, said, NETTLE)
    assert vk("sessions", "--json", cwd=example).json == [] and notes(example) == before


@pytest.mark.slow
def test_tf_29_story_from_the_table_is_written_into_the_note(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    seats = ("--seat", "Ysolde", "--seat", "bot:random", "--seed", "3", "--story")
    done = finish_game(vk, example, tmp_path / "moves.txt", "play", "turn-of-fate", *seats)
    assert done.code == ExitCode.OK, done.err
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert re.search(r"## As It Was Told\n\nnonsense\n\n> Turn \d+: Ysolde plays the ", note)
    steps = vk("replay", done.json["session"], "--json", cwd=example).json["steps"]
    assert {step["tale"] for step in steps if "tale" in step} == {"nonsense"}
