"""`learn GAME`: examples of a rule note played along, with their mistakes shown and taken back."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import find_aim, lesson_of
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES
from vaultkit.host.lesson_host import LessonHost
from vaultkit.scene.lesson import Ask, Say
from vaultkit.session.examples.parser import Example
from vaultkit.terminal.lesson_view import WELCOME
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


@pytest.mark.slow
def test_deviating_move_is_answered_with_facts_and_undone(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "help", "taurus bull", "sagittarius ribbon")
    assert "the move of the example" in told and "nothing of a lesson is kept" in told
    assert "is saved" not in told and "take back" not in told
    first, last = (told.index(f"plays the {card}.") for card in ("♉ Bull", "♐ Ribbon"))
    assert first < last and told.count("Taken back.") == 1
    assert told == Says("Taken back", "Bram +1", "lose", "fulfils", "Earth", "none", "Ysolde +1")
    assert "Sagittarius Ribbon" not in told, "the answer is not given away"
    assert told[last:] == Says("mistake", "Taurus Bull", "Bram +1")
    assert told.index("Mutable comes before Fixed.") > last and told.count("Mutable comes before Fixed.") == 1
    assert told[:first] == Says("aim", "most points") and "Example:" not in told
    assert told.rstrip().endswith("That is all. Now play: vaultkit play propheta --seat NAME --seat bot:easy")
    assert not list((example / ".vaultkit").rglob("*.journal"))


@pytest.mark.slow
def test_hint_gives_the_move_of_the_example(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "hint", "sagittarius ribbon")
    assert told.index("c ♐ Ribbon", told.index("hint")) and "No other move would" in told


def test_move_with_equal_results_is_as_good(vk: Vaultkit, example: Path) -> None:
    notes_of(example, TRICK.format("Ysolde"))
    told = learn(vk, example, "aries ram")
    assert told == Says("counts", "example", "Sagittarius Ribbon")
    assert "Taken back." not in told


@pytest.mark.slow
def test_another_move_counts_if_the_example_expects_nothing(vk: Vaultkit, example: Path) -> None:
    notes_of(example, "\n".join(line for line in TRICK.splitlines() if "expect" not in line) + "\n")
    told = learn(vk, example, "aries ram")
    assert "Taken back." not in told and "plays the ♈ Ram" in told


@pytest.mark.slow
def test_cards_of_own_moves_may_be_exchanged(vk: Vaultkit, example: Path) -> None:
    told = learn(vk, example, "king of hearts", "go on", "king of spades", "done", "q", game="deck-of-destiny")
    assert "Taken back." not in told and "adds the K♠" in told


BROKEN = {
    "seats = [\n": "This is not TOML",
    TRICK.format("Ysolde").replace("Taurus Bull", "Taurus Cow"): "'Taurus Cow' is not a card",
    TRICK.format("Ysolde").replace("hand.Bram", "hold.Bram"): "'hold' is not a zone of the table.",
    TRICK.format("Ysolde").replace('mistake = "Ysolde', 'mistake = "Nettle'): "does not begin with the name of a seat",
    TRICK.format("Bram"): "This example fails",
}


@pytest.mark.slow
def test_unplayable_examples_are_reported_with_their_lines_and_left_out(vk: Vaultkit, example: Path) -> None:
    notes_of(example, *BROKEN, TRICK.format("Ysolde"))
    told = learn(vk, example, "sagittarius ribbon")
    said = told.split("is left out")[1:]
    for one, reason in zip(said, BROKEN.values(), strict=True):
        assert re.search(r"It cannot be played\. '\S+/propheta\.md', line \d+: ", one) and reason in one
    assert "6 of 6: " in told and "That is all. Now play" in told


@pytest.mark.slow
def test_game_without_playable_examples_has_no_lesson(vk: Vaultkit, example: Path) -> None:
    notes_of(example, *BROKEN)
    done = vk("learn", "propheta", cwd=example)
    assert done.code == 3 and done.err == Says("No", "example", "Propheta") and "vaultkit check" in done.err
    listed = vk("learn", "propheta", "--json", cwd=example)
    assert listed.code == 0 and re.search(r"Note: Left out: \S+/propheta\.md:\d+: ", listed.err)


@pytest.mark.slow
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


MAX_WORDS_BEFORE_THE_FIRST_MOVE = 70


@pytest.mark.short(1)
@pytest.mark.parametrize("game", GAMES)
def test_each_lesson_begins_with_a_move_and_takes_twelve_minutes_at_most(example: Path, game: str) -> None:
    notes = GameNotes.from_name(Workspace(example, cached=False), game)
    lesson = lesson_of(notes, str)
    examples = [one for one in lesson.examples if isinstance(one, Example)]
    found = [one.content for one in examples]
    first = LessonHost(lesson, notes.deck_note.deck).page
    assert isinstance(first.stop, Ask), "a move is asked for at once"
    said = [first.heading, WELCOME, *(beat.words for beat in first.beats if isinstance(beat, Say))]
    assert lesson.aim in said and found[0].task in said and found[0].say not in said
    assert sum(len(words.split()) for words in said) <= MAX_WORDS_BEFORE_THE_FIRST_MOVE
    assert [one.lesson for one in found] == sorted(one.lesson for one in found if one.lesson)
    assert all(one.task for one in found if any(move.startswith(one.seats[0]) for move in one.moves))
    assert len(found) >= 4 and any(one.mistake for one in found) and all(one.say for one in found)
    words = sum(len(f"{one.task} {one.say}".split()) + SCREEN * len(one.moves) for one in found)
    own = sum(move.startswith(one.seats[0]) for one in found for move in one.moves)
    assert words / READING + own * TYPING / 60 < 12


AIMS = {
    "**The goal:** to own all towers.": "The goal: to own all towers.",
    "_A game of ours._\n\n**Ziel:** die meisten Türme.\n\nMehr.": "Ziel: die meisten Türme.",
    "> [!note]\n> For two.\n\nBuild towers. Then burn them. " + "And so on. " * 20: "Build towers. Then burn them."
    + " And so on." * 11,
    "": "",
}


@pytest.mark.parametrize("opening", AIMS)
def test_aim_is_the_paragraph_about_it_or_the_first_sentences(tmp_path: Path, opening: str) -> None:
    (tmp_path / "Towers.md").write_text(f"# Towers\n{opening}\n\n## Rules\nPlay.\n", encoding="utf-8")
    assert find_aim(Vault(tmp_path).read("Towers.md")) == AIMS[opening]


@pytest.mark.slow
def test_interrupted_lesson_says_that_the_rest_stays(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vaultkit.terminal.console.GameConsole.answer", interrupt)
    script = example.parent / "typed.txt"
    script.write_text("\n", encoding="utf-8")
    done = vk("learn", "propheta", "--script", str(script), cwd=example)
    assert done.code != ExitCode.OK and done.out == Says("rest", "whenever", "like")
