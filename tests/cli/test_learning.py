"""`learn GAME`: examples of a rule note played along, with their mistakes shown and taken back."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES
from vaultkit.session.examples.parser import Example
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


def notes_of(vault: Path, *blocks: str, game: str = "propheta") -> None:
    """The rule note of a game with these examples alone."""
    path = vault / RULES / f"{game}.md"
    text = re.sub(r"(?ms)^```play\n.*?^```\n", "", path.read_text(encoding="utf-8"))
    fenced = "".join(f"\n```play\n{block}```\n" for block in blocks)
    path.write_text(text + fenced, encoding="utf-8")


def learn(vk: Vaultkit, vault: Path, *typed: str, game: str = "propheta") -> str:
    """What a lesson says, each of its words one space from the next."""
    script = vault / "moves.txt"
    script.write_text("\n".join(typed), encoding="utf-8")
    done = vk("learn", game, "--script", str(script), cwd=vault)
    assert done.code == 0, done.err
    return " ".join(done.out.split())


def test_deviating_and_mistaken_moves_of_a_lesson_are_explained_and_undone(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "help", "aries ram", "sagittarius ribbon")
    assert "the move of the example" in told and "nothing of a lesson is kept" in told
    assert "is saved" not in told and "take back" not in told
    first, second, third = (
        told.index(words) for words in ("plays the ♉ Bull", "plays the ♈ Ram", "plays the ♐ Ribbon")
    )
    assert told.index("A mistake first. Ysolde tries: play Taurus Bull.") < first < second < third
    assert told.count("Taken back.") == 2 and "the example goes another way: Play the Sagittarius Ribbon." in told
    assert told.index("Leading is worth having.") < first, "what stands above the example in its note"
    assert told.count("Mutable comes before Fixed.") == 1 and "1. The leader plays a card face up." in told
    assert "The stars do not tell you what will happen." in told and "Example:" not in told
    assert told.index("Twelve signs with four cards each.") < first
    assert told.rstrip().endswith("That is all. Now play: vaultkit play propheta --seat NAME --seat bot:easy")
    assert not list((example / ".vaultkit").rglob("*.journal"))


BROKEN = {
    "seats = [\n": "This is not TOML",
    TRICK.format("Ysolde").replace("Taurus Bull", "Taurus Cow"): "'Taurus Cow' is no card",
    TRICK.format("Ysolde").replace("hand.Bram", "hold.Bram"): "'hold' is no zone of the table.",
    TRICK.format("Ysolde").replace('mistake = "Ysolde', 'mistake = "Nettle'): "begins with the name of no seat",
    TRICK.format("Bram"): "This example does not come true",
}


def test_unplayable_examples_are_reported_with_their_lines_and_left_out(vk: Vaultkit, example: Path) -> None:
    notes_of(example, *BROKEN, TRICK.format("Ysolde"))
    told = learn(vk, example, "sagittarius ribbon")
    said = told.split("is left out")[1:]
    for one, reason in zip(said, BROKEN.values(), strict=True):
        assert re.search(r"It cannot be played\. '\S+/propheta\.md', line \d+: ", one) and reason in one
    assert "6 of 6: " in told and "That is all. Now play" in told


def test_game_without_playable_examples_has_no_lesson(vk: Vaultkit, example: Path) -> None:
    notes_of(example, *BROKEN)
    done = vk("learn", "propheta", cwd=example)
    assert done.code == 3 and "No example of Propheta can be played." in done.err and "vaultkit check" in done.err
    listed = vk("learn", "propheta", "--json", cwd=example)
    assert listed.code == 0 and re.search(r"Note: Left out: \S+/propheta\.md:\d+: ", listed.err)


def test_own_moves_may_be_swapped_if_the_example_still_holds(vk: Vaultkit, example: Path) -> None:
    block = """seats = ["Ysolde"]
moves = ["Ysolde: 2 of Clubs", "Ysolde: go on", "Ysolde: Ace of Spades"]
[cards]
inventory = ["2 of Clubs", "Ace of Spades"]
"""
    strict = f'expect = ["event: lays the 2 of Clubs"]\n{block}'
    notes_of(example, block, strict, game="deck-of-destiny")
    typed = ("ace of spades", "go on", "2 of clubs", "ace of spades", "2 of clubs", "go on", "ace of spades")
    told = learn(vk, example, *typed, game="deck-of-destiny")
    assert told.count("Taken back.") == 1 and "That is all." in told


def test_note_without_examples_gets_a_hint_how_to_write_one(vk: Vaultkit, example: Path) -> None:
    notes_of(example)
    done = vk("learn", "propheta", cwd=example)
    assert done.code == 4 and "has no examples to learn Propheta from" in done.err and "docs/rule-notes.md" in done.err


def test_json_lists_the_examples(vk: Vaultkit, example: Path) -> None:
    found = vk("learn", "vates", "--json", cwd=example).json
    assert [one["heading"] for one in found][:2] == ["Setting Up", "Who Wins a Trick"]
    assert all(one["say"] and one["moves"] and one["line"] for one in found)


@pytest.mark.parametrize("game", GAMES)
def test_each_lesson_has_four_examples_a_mistake_and_takes_twelve_minutes_at_most(example: Path, game: str) -> None:
    lesson = lesson_of(GameNotes.from_name(Workspace(example, cached=False), game), str)
    examples = [one for one in lesson.examples if isinstance(one, Example)]
    note, found = Vault(example).read(examples[0].path), [one.content for one in examples]
    rules = {one.heading: note.section(one.heading) or "" for one in examples}
    assert len(found) >= 4 and any(one.mistake for one in found) and all(one.say and one.expect for one in found[1:])
    words = sum(len(one.say.split()) + SCREEN * len(one.moves) for one in found)
    words += sum(len(re.sub(r"(?ms)^```play\n.*?^```\n?", "", text).split()) for text in rules.values())
    words += sum(len(passage.text.split()) for passage in lesson.reading)
    own = sum(move.startswith(one.seats[0]) for one in found for move in one.moves)
    assert words / READING + own * TYPING / 60 < 12


def test_interrupted_lesson_says_that_the_rest_stays(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vaultkit.terminal.console.GameConsole.wait", interrupt)
    script = example.parent / "typed.txt"
    script.write_text("\n", encoding="utf-8")
    done = vk("learn", "propheta", "--script", str(script), cwd=example)
    assert done.code != ExitCode.OK and "The rest is there whenever you like." in done.out
