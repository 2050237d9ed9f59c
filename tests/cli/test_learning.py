"""`learn GAME`: examples of a rule note played along, with their mistakes shown and taken back."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.games.registry import GAMES
from vaultkit.session.examples import of_game
from vaultkit.vault import Vault

RULES = "3-Mechanics/CLI/variant-rules"
READING, SCREEN, TYPING = 200, 40, 8
"""Words that are read in a minute, new words on the screen of a move, and seconds until it is typed."""

TRICK = """say = "Mutable comes before Fixed."
seats = ["Ysolde", "Bram"]
turn = "Bram"
mistake = "Ysolde: play Taurus Bull"
moves = ["Bram: play Leo Ribbon", "Ysolde: play Sagittarius Ribbon"]
expect = ["event: {} wins the trick"]
[cards]
hand.Bram = ["Leo Ribbon", "Cancer Crab"]
hand.Ysolde = ["Sagittarius Ribbon", "Taurus Bull", "Aries Ram"]
"""


def notes_of(vault: Path, *blocks: str) -> None:
    """The rule note of Propheta with these examples alone."""
    path = vault / RULES / "propheta.md"
    text = re.sub(r"(?ms)^```play\n.*?^```\n", "", path.read_text(encoding="utf-8"))
    fenced = "".join(f"\n```play\n{block}```\n" for block in blocks)
    path.write_text(text + fenced, encoding="utf-8")


def learn(vk: Vaultkit, vault: Path, *typed: str) -> str:
    script = vault / "moves.txt"
    script.write_text("\n".join(typed), encoding="utf-8")
    done = vk("learn", "propheta", "--script", str(script), cwd=vault)
    assert done.code == 0, done.err
    return done.out


def test_what_leads_elsewhere_and_a_mistake_are_shown_and_taken_back(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "aries ram", "sagittarius ribbon")
    first, second, third = (
        told.index(words) for words in ("plays the ♉ Bull", "plays the ♈ Ram", "plays the ♐ Ribbon")
    )
    assert told.index("A mistake first. Ysolde tries: play Taurus Bull.") < first < second < third
    assert told.count("Taken back.") == 2 and "the example goes another way: Play the Sagittarius Ribbon." in told
    assert told.count("Mutable comes before Fixed.") == 1 and "1. The leader plays a card face up." in told
    assert "The stars do not tell you what will happen." in told and "Example:" not in told
    assert told.rstrip().endswith("That is all. Now play: vaultkit play propheta --seat NAME --seat bot:easy")
    assert not list((example / ".vaultkit").rglob("*.jsonl"))


def test_help_in_a_lesson_speaks_of_the_lesson(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "help", "sagittarius ribbon")
    assert "the move of the example" in told and "nothing of a lesson is kept" in told
    assert "is saved" not in told and "take back" not in told


def test_an_example_that_does_not_come_true_is_left_out(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Bram"))
    told = learn(vk, example)
    assert "This example is left out" in told and "propheta.md:" in told and "it is your move" not in told.lower()


def test_a_note_without_examples_says_how_to_write_one(vk: Vaultkit, example: Path) -> None:
    notes_of(example)
    done = vk("learn", "propheta", cwd=example)
    assert done.code == 4 and "has no examples to learn Propheta from" in done.err and "docs/rule-notes.md" in done.err


def test_json_lists_the_examples(vk: Vaultkit, example: Path) -> None:
    found = vk("learn", "vates", "--json", cwd=example).json
    assert [one["heading"] for one in found][:2] == ["Setting Up", "Who Wins a Trick"]
    assert all(one["say"] and one["moves"] and one["line"] for one in found)


@pytest.mark.parametrize("game", GAMES)
def test_each_lesson_has_four_examples_a_mistake_and_takes_twelve_minutes_at_most(example: Path, game: str) -> None:
    vault = Vault(example)
    notes = [vault.read(facts.path) for facts in vault.note_facts if facts.property("vaultkit-game") == game]
    examples = [(note, one) for note in notes for one in of_game(note, game)]
    rules = {heading: note.section(heading) or "" for note, one in examples if (heading := one.heading)}
    found = [one.content for _, one in examples]
    assert len(found) >= 4 and any(one.mistake for one in found) and all(one.say and one.expect for one in found[1:])
    words = sum(len(one.say.split()) + SCREEN * len(one.moves) for one in found)
    words += sum(len(re.sub(r"(?ms)^```play\n.*?^```\n?", "", text).split()) for text in rules.values())
    own = sum(move.startswith(one.seats[0]) for one in found for move in one.moves)
    assert words / READING + own * TYPING / 60 < 12
