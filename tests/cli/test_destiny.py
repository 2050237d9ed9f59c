"""`play deck-of-destiny` with a character and an encounter of the vault."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode

NETTLE = "1-Party/Nettle Ashdown.md"
FORD = "The Rider at Hollin Ford"
PLAY = ("play", "deck-of-destiny", "--plain")
BOT = ("--seat", "bot:greedy")
PROPERTY = "destiny-inventory"


def give(vault: Path, *cards: str, note: str = NETTLE) -> None:
    """Put an inventory into a note that has frontmatter."""
    path = vault / note
    text = path.read_text(encoding="utf-8")
    listed = "".join(f'  - "{card}"\n' for card in cards)
    path.write_text(text.replace("---\n", f"---\n{PROPERTY}:\n{listed}", 1), encoding="utf-8")


def inventory(vault: Path, note: str = NETTLE) -> list[str]:
    block = (vault / note).read_text(encoding="utf-8").split("---\n")[1]
    found = re.search(rf"^{PROPERTY}:(?: \[\])?\n((?:\s*- .*\n)*)", block, re.MULTILINE)
    return re.findall(r'- "?([^"\n]+)"?', found[1]) if found else []


def session_note(vault: Path) -> str:
    (path,) = vault.glob("Games/*Deck of Destiny*.md")
    return path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_first_inventory_is_dealt_and_written_after_the_encounter(vk: Vaultkit, example: Path) -> None:
    before = (example / NETTLE).read_text(encoding="utf-8")
    done = vk(*PLAY, *BOT, "--character", "Nettle", "--new-inventory", "--seed", "3", cwd=example)
    assert done.code == ExitCode.OK and NETTLE in done.err
    after = (example / NETTLE).read_text(encoding="utf-8")
    assert after.split("---\n", 2)[2] == before.split("---\n", 2)[2]
    held = inventory(example)
    said = re.search(r"Inventory: 7 before, (\d+) after", done.out)
    assert said and len(held) == int(said[1])
    command = re.search(r"Another game: vaultkit (.*)", done.out)
    assert command and "--seed" not in command[1]
    assert vk(*shlex.split(command[1]), cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_inventory_is_used_in_the_game_and_updated(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts", "2 of Clubs")
    give(example, "9 of Clubs", note="1-Party/Bram Tolliver.md")
    script = example / "moves.txt"
    script.write_text("play ace-spades\nretreat\n", encoding="utf-8")
    words = ("--character", "Nettle", "--encounter", FORD, "--script", str(script))
    done = vk(*PLAY, *words, cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert done.out == Says("Nettle Ashdown", "owns", "Ace", "Spades", "King", "Hearts", "2", "Clubs")
    assert "One card is in the inventory of another" in done.out and "an opponent with 4 cards" in done.out
    assert inventory(example) == ["King of Hearts", "2 of Clubs"]
    note = session_note(example)
    assert f"**Encounter:** [[{FORD}]]" in note and "[[Nettle Ashdown]]" in note
    log = (example / "Campaign Log.md").read_text(encoding="utf-8")
    assert f"[[{FORD}]]: [[Nettle Ashdown]] retreated" in log


@pytest.mark.slow
def test_logging_twice_changes_the_inventory_once(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts")
    words = ("--character", "Nettle", "--encounter", FORD, "--no-log", *BOT, "--seed", "1", "--json")
    session = vk(*PLAY, *words, cwd=example).json["session"]
    assert inventory(example) == ["Ace of Spades", "King of Hearts"]
    assert vk("log", "--session", session, cwd=example).code == ExitCode.OK
    held = inventory(example)
    assert held != ["Ace of Spades", "King of Hearts"]
    assert vk("log", "--session", session, cwd=example).code == ExitCode.OK
    assert inventory(example) == held


@pytest.mark.slow
def test_inventory_changed_meanwhile_is_left_alone(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts")
    words = ("--character", "Nettle", "--encounter", FORD, "--no-log", *BOT, "--json")
    session = vk(*PLAY, *words, cwd=example).json["session"]
    path = example / NETTLE
    path.write_text(path.read_text(encoding="utf-8").replace("King of Hearts", "3 of Diamonds"), encoding="utf-8")
    done = vk("log", "--session", session, cwd=example)
    assert done.code == ExitCode.OK and "has changed since" in done.err
    assert inventory(example) == ["Ace of Spades", "3 of Diamonds"]


@pytest.mark.slow
def test_undo_reverts_the_inventory_with_the_note(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts")
    before = (example / NETTLE).read_bytes()
    vk(*PLAY, *BOT, "--character", "Nettle", "--encounter", FORD, cwd=example)
    assert (example / NETTLE).read_bytes() != before
    assert vk("undo", cwd=example).code == ExitCode.OK
    assert (example / NETTLE).read_bytes() == before


@pytest.mark.slow
def test_dd_11_loss_is_shown_with_its_cost(vk: Vaultkit, example: Path) -> None:
    give(example, "2 of Clubs")
    for seed in range(9):
        words = ("--character", "Nettle", "--encounter", "The Margrave Himself", "--seed", str(seed))
        if vk(*PLAY, *BOT, *words, "--no-log", "--json", cwd=example).json["outcome"]["kind"] == "loss":
            break
    vk(*PLAY, *BOT, *words, cwd=example)
    assert "**What it costs:** Candlenight comes early, for everyone.\n" in session_note(example)
    assert " Candlenight comes early, for everyone. ^" in (example / "Campaign Log.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_dd_4_character_with_an_empty_inventory_retreats(vk: Vaultkit, example: Path) -> None:
    give(example)
    path = example / NETTLE
    text = path.read_text(encoding="utf-8").replace(f"{PROPERTY}:\n", f"{PROPERTY}: []\n", 1)
    path.write_text(text, encoding="utf-8")
    done = vk(*PLAY, *BOT, "--character", "Nettle", cwd=example)
    assert done.code == ExitCode.OK and "retreats before the encounter" in done.out


@pytest.mark.slow
def test_dd_4_a_gm_is_warned_of_a_character_without_cards(vk: Vaultkit, example: Path) -> None:
    give(example, "2 of Spades")
    done = vk(*PLAY, *BOT, "--character", "Nettle", "--set", "reward=none", "--seed", "3", cwd=example)
    assert done.code == ExitCode.OK and inventory(example) == []
    warning = "Hand out a card as treasure, or play with empty = draw-one (DD-4)."
    assert f"Nettle Ashdown has no card left. {warning}" in done.err
    assert f"**No card is left:** {warning}"[:-1] in session_note(example)


@pytest.mark.slow
def test_resumed_game_has_the_same_inventory(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts")
    script = example / "moves.txt"
    script.write_text("q\n", encoding="utf-8")
    vk(*PLAY, "--character", "Nettle", "--encounter", FORD, "--script", str(script), cwd=example)
    (journal,) = (example / ".vaultkit/journals").glob("*.journal")
    header, *_ = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text(header, encoding="utf-8")  # a power cut before the first card
    script.write_text("play king-hearts\nretreat\n", encoding="utf-8")
    assert vk("resume", "--plain", "--script", str(script), cwd=example).code == ExitCode.OK
    assert inventory(example) == ["Ace of Spades"]
    assert json.loads(header)["known"]["inventory"] == ["ace-spades", "king-hearts"]


@pytest.mark.slow
def test_option_set_overrides_the_encounter(vk: Vaultkit, example: Path) -> None:
    done = vk(*PLAY, *BOT, "--encounter", FORD, "--set", "strength=2", "--no-log", cwd=example)
    assert "an opponent with 2 cards" in done.out


@pytest.mark.slow
def test_dd_1_another_deck_of_the_vault_is_used(vk: Vaultkit, example: Path) -> None:
    done = vk(*PLAY, *BOT, "--set", "deck=tarokka-common", "--json", cwd=example)
    assert done.code == ExitCode.OK
    for command in ("replay", "resume"):
        assert vk(command, done.json["session"], cwd=example).code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--character", "Nettle"), ExitCode.INVALID, "--new-inventory"),
        (("--character", "Nettle Ashdow"), ExitCode.NOTHING, "Did you mean '1-Party/Nettle Ashdown.md'"),
        (("--new-inventory",), ExitCode.USAGE, "--character"),
        (("--encounter", "Nettle"), ExitCode.INVALID, "no encounter"),
        (("--set", "deck=bones"), ExitCode.NOTHING, "no deck 'bones'"),
        (("--set", "inventory=99"), ExitCode.USAGE, "from 0 to 47"),
        (("--set", "strength=7", "--set", "inventory=41"), ExitCode.USAGE, "DD-15"),
        (("--seat", "bot:greedy"), ExitCode.USAGE, "for 1 player, not 2"),
    ],
)
def test_wrong_usage_is_one_clear_error(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    done = vk(*PLAY, *BOT, *words, cwd=example)
    assert done.code == code and said in done.err and "Traceback" not in done.err
    assert not (example / "Games").exists()


def test_other_games_refuse_characters(vk: Vaultkit, example: Path) -> None:
    done = vk("play", "dragon-citadel", *BOT, "--character", "Nettle", cwd=example)
    assert done.code == ExitCode.USAGE and "Deck of Destiny" in done.err


def leave(vk: Vaultkit, vault: Path, *words: str, moves: str = "q\n") -> None:
    """Play until the moves are used up, and go."""
    script = vault / "left.txt"
    script.write_text(moves, encoding="utf-8")
    assert vk(*PLAY, *words, "--script", str(script), cwd=vault).code == ExitCode.OK


def go_on(vk: Vaultkit, vault: Path, moves: str) -> str:
    script = vault / "left.txt"
    script.write_text(moves, encoding="utf-8")
    done = vk("resume", "--plain", "--script", str(script), cwd=vault)
    assert done.code == ExitCode.OK
    return done.err


@pytest.mark.slow
def test_dd_15_cards_of_an_unfinished_encounter_are_not_dealt_again(vk: Vaultkit, example: Path) -> None:
    leave(vk, example, "--character", "Nettle", "--new-inventory", "--seed", "3")
    refused = vk(*PLAY, *BOT, "--character", "Bram Tolliver", "--new-inventory", cwd=example)
    assert refused.code == ExitCode.INVALID and "encounter of Nettle Ashdown is not over" in refused.err
    assert "vaultkit resume" in refused.err and "--discard" in refused.err
    again = vk(*PLAY, *BOT, "--character", "Nettle", "--new-inventory", cwd=example)
    assert again.code == ExitCode.INVALID
    go_on(vk, example, "a\nretreat\ny\n")
    for seed in range(6):
        new = () if seed else ("--new-inventory",)
        assert (
            vk(*PLAY, *BOT, "--character", "Bram Tolliver", *new, "--seed", str(seed), cwd=example).code == ExitCode.OK
        )
        assert not {*inventory(example)} & {*inventory(example, "1-Party/Bram Tolliver.md")}


@pytest.mark.slow
def test_dd_15_unfinished_encounter_does_not_block_a_game_without_a_character(vk: Vaultkit, example: Path) -> None:
    leave(vk, example, "--character", "Nettle", "--new-inventory")
    assert vk(*PLAY, *BOT, "--no-log", cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_inventory_edited_during_an_unfinished_game_is_reported_on_resume(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades", "King of Hearts")
    leave(vk, example, "--character", "Nettle")
    path = example / NETTLE
    path.write_text(path.read_text(encoding="utf-8").replace("King of Hearts", "3 of Diamonds"), encoding="utf-8")
    give(example, "9 of Clubs", note="1-Party/Bram Tolliver.md")
    said = go_on(vk, example, "q\n")
    assert f"The inventory in {NETTLE} has changed since this encounter began" in said
    assert "9 of Clubs is in the inventory of 1-Party/Bram Tolliver.md since" in said
    path.write_text(path.read_text(encoding="utf-8").replace("3 of Diamonds", "King of Hearts"), encoding="utf-8")
    assert "has changed" not in go_on(vk, example, "play ace-spades\nretreat\ny\n")
    assert inventory(example) == ["King of Hearts"]


@pytest.mark.slow
def test_ignored_entries_of_another_inventory_are_reported(vk: Vaultkit, example: Path) -> None:
    give(example, "Ace of Spades")
    give(example, "9 of Club", note="1-Party/Bram Tolliver.md")
    done = vk(*PLAY, *BOT, "--character", "Nettle", cwd=example)
    assert "Note: '9 of Club' in the inventory of 1-Party/Bram Tolliver.md is not a card" in done.err
    checked = vk("check", NETTLE, "1-Party/Bram Tolliver.md", cwd=example)
    assert checked.code == ExitCode.PROBLEMS and "[inventory-card]" in checked.out


@pytest.mark.slow
def test_remaining_entries_preserve_comments_and_links(vk: Vaultkit, example: Path) -> None:
    path = example / NETTLE
    kept = '  - "[[standard-deck#Cards|3 of Hearts]]" # the first\n'
    text = path.read_text(encoding="utf-8").replace("---\n", f"---\n{PROPERTY}:\n{kept}  - 5 of Spades # lost\n", 1)
    path.write_text(text, encoding="utf-8")
    leave(vk, example, "--character", "Nettle", moves="play 5-spades\nretreat\ny\n")
    assert path.read_text(encoding="utf-8") == text.replace("  - 5 of Spades # lost\n", "")


@pytest.mark.slow
def test_screen_shows_the_encounter_and_the_cost_of_a_loss(vk: Vaultkit, example: Path) -> None:
    give(example, "2 of Clubs")
    margrave = ("--character", "Nettle", "--encounter", "The Margrave Himself")
    for seed in range(9):
        done = vk(*PLAY, *BOT, *margrave, "--seed", str(seed), "--no-log", cwd=example)
        if "loses" in done.out:
            break
    start, _, end = done.out.partition("Deck of Destiny")
    assert start == "The encounter: The Margrave Himself.\n"
    assert end.endswith(
        "The encounter was: The Margrave Himself.\nWhat it costs: Candlenight comes early, for everyone.\n"
    )


@pytest.mark.slow
def test_values_from_notes_are_not_listed_as_house_rules(vk: Vaultkit, example: Path) -> None:
    give(example, "2 of Clubs", "3 of Clubs")
    give(example, "9 of Clubs", note="1-Party/Bram Tolliver.md")
    words = ("--character", "Nettle", "--encounter", FORD, "--set", "tie=won", "--set", "board_min=0")
    vk(*PLAY, *BOT, *words, cwd=example)
    assert "House rules: `board_min=0`, `tie=won`\n" in session_note(example)


@pytest.mark.slow
def test_option_set_that_changes_an_encounter_is_listed_as_a_house_rule(vk: Vaultkit, example: Path) -> None:
    vk(*PLAY, *BOT, "--encounter", FORD, "--set", "strength=2", cwd=example)
    assert "House rules: `strength=2`\n" in session_note(example)
