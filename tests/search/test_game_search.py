"""`ask` in play: the game being played answers first, with its aim, its terms and whole passages."""

from pathlib import Path

import pytest

from scripts.ask_measure import is_right, questions
from tests.counts import short
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.reading import text_lines
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import Compendium
from vaultkit.compendium.rule_note import RuleNote
from vaultkit.errors import NothingFound
from vaultkit.games.registry import GAMES
from vaultkit.scene.rule_reference import Reference
from vaultkit.search.answers import Answers
from vaultkit.terminal.note_text import plain_lines

QUESTIONS = questions(Path(__file__).parents[1] / "data" / "questions-in-play.toml")
MIN_RIGHT_FIRST = 11

RULES = """---
vaultkit-game: propheta
---
# Towers
*By us.*

{opening}

## Building
Each turn you build a floor. Between the two piles lies the **quarry**: stones that belong to nobody.

Whoever cannot build, waits.

| Floor | Stones | Worth |
|---|---|---|
| Cellar | 2 | 1 |
| Roof | 5 | nothing |

## How It Ends
When the stones are gone, whoever has the highest tower wins. A guard is a stone that nobody may take.

Masons go to the left. They bow.

A mason is whoever builds.

```play
say = "The mortar is wet."
seats = ["A"]
```
"""
VAULT_NOTE = (
    "# Session 1\nWhat is the aim of the quarry? The party wants to win the wagon. Mortar is dear. Zeno runs it.\n"
)


def answers(folder: Path, opening: str = "**The aim:** the highest tower.") -> Answers:
    files = {"Towers.md": RULES.format(opening=opening), "Session 1.md": VAULT_NOTE}
    return Answers(Compendium(make_files(folder, files)), lambda _: {}, "propheta")


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.mark.slow
@pytest.mark.parametrize("game", short(GAMES, 1))
def test_questions_of_players_are_answered_by_the_game(game: str, workspace: Workspace) -> None:
    own = Answers(workspace.compendium, lambda _: {}, game)
    own_questions = [question for question in QUESTIONS if question["game"] == game]
    assert len(own_questions) == 12
    passages = {question["words"]: own.ask(question["words"]) for question in own_questions}
    right = [
        any(is_right(passages[one["words"]][0], right, workspace) for right in one["right"]) for one in own_questions
    ]
    assert sum(right) >= MIN_RIGHT_FIRST, passages
    assert all(passage.note or passage.ruling for found in passages.values() for passage in found)


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "words", ["what is the aim", "how do I win", "who wins", "what is this game about", "the goal?"]
)
def test_aim_comes_first_and_then_who_wins(words: str, tmp_path: Path) -> None:
    aim, ending, *_ = answers(tmp_path).ask(words)
    assert (aim.text, ending.heading) == ("The aim: the highest tower.", "How It Ends")


@pytest.mark.slow
def test_opening_answers_for_the_aim_if_no_paragraph_does(tmp_path: Path) -> None:
    assert answers(tmp_path, "Build!").ask("what is the aim")[0].text == "By us. Build!"
    assert answers(tmp_path, "**Ziel:** der Turm.").ask("Was ist das Ziel?")[0].text == "Ziel: der Turm."


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("what is the quarry", "Between the two piles lies the quarry: stones that belong to nobody."),
        ("quarry", "Between the two piles lies the quarry: stones that belong to nobody."),
        ("what is a guard", "A guard is a stone that nobody may take."),
        ("what is a mason", "A mason is whoever builds."),
    ],
)
def test_term_is_explained_by_the_line_that_defines_it(words: str, text: str, tmp_path: Path) -> None:
    first = answers(tmp_path).ask(words)[0]
    assert first.note == "Towers.md" and text in first.text


@pytest.mark.slow
def test_other_notes_answer_what_the_game_does_not(tmp_path: Path) -> None:
    assert answers(tmp_path).ask("who is Zeno")[0].note == "Session 1.md"
    with pytest.raises(NothingFound):
        answers(tmp_path).ask("zeppelin")


def test_examples_are_no_rules(tmp_path: Path) -> None:
    assert "say =" not in answers(tmp_path).ask("what is the mortar")[0].text


@pytest.mark.slow
def test_house_rules_are_listed(workspace: Workspace) -> None:
    notes = GameNotes.from_name(workspace, "dragon-citadel")
    defaults = notes.option_values(())
    assert notes.answers(defaults).ask("house rules")[0].text == Says("Dragon Citadel", "without house rules")
    (rule,) = notes.answers({**defaults, "low_tie": "random"}).ask("house rules")
    assert rule.text.startswith("low_tie = random instead of default (DC-12)")
    for words in ("Which house rules do we play with?", "Welche Hausregeln gelten?", "jakie są zasady domowe"):
        assert notes.answers({**defaults, "low_tie": "random"}).ask(words) == (rule,)
    assert notes.answers(defaults).ask("who may change a rule")[0].heading != "House rules"


@pytest.mark.slow
def test_reference_shows_whole_sections_with_tables(tmp_path: Path) -> None:
    own = answers(tmp_path)
    note = own._vault.read("Towers.md")
    for plain, row in ((plain_lines, "Roof     5        nothing"), (lambda text: "\n".join(text_lines(text)), "")):
        reference = Reference(RuleNote("propheta", note), None, plain, answers=own)
        (building, *_) = reference.ask("roof")
        assert building.title == "Building" and "Whoever cannot build, waits." in building.text
        assert (row or "Roof – Stones: 5; Worth: nothing") in building.text
        assert "mortar" not in reference.ask("how does it end")[0].text, "examples are left out"


def test_reference_shows_the_block_of_a_long_section(tmp_path: Path) -> None:
    long_rules = RULES.replace("Whoever cannot build, waits.", "\n\n".join(["Whoever cannot build, waits."] * 40))
    files = {"Towers.md": long_rules.format(opening="")}
    own = Answers(Compendium(make_files(tmp_path, files)), lambda _: {}, "propheta")
    reference = Reference(RuleNote("propheta", own._vault.read("Towers.md")), None, str, answers=own)
    part = reference.ask("roof")[0]
    assert part.text.startswith("| Floor |") and "waits" not in part.text and part.whole.count("waits") == 40
