"""`learn --table`: a lesson followed on one page, by its own moves and by others."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.counts import short
from tests.web.browsers import CHROMIUM, Keys, browser
from tests.web.driver import Table
from tests.web.processes import Process
from tests.web.test_game_at_the_table import workspace  # noqa: F401
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError
from vaultkit.games.registry import GAMES
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.orders import Viewer
from vaultkit.scene.lesson import Cite, Say
from vaultkit.session.examples.parser import Example

NEXT = "#o-next"
Held = tuple[Table, LessonHost]


def open_lesson(vault: Workspace, game: str, plain: Callable[[str], str] = str) -> Held:
    notes = GameNotes.from_name(vault, game)
    held = LessonHost(lesson_of(notes, plain), notes.deck_note.deck)
    return Table(held).sit(), held


def own_move(held: LessonHost) -> int:
    """Return the index of the offer that the example wants."""
    assert held.session
    return next(at for at, offer in enumerate(held._scene.offers) if offer.move == held.session.expected_move)


def lines(held: LessonHost) -> list[str]:
    """Return the lines of the open page."""
    page = held.page.beats
    notes = [line for beat in page if isinstance(beat, Cite) for line in beat.passage.text.splitlines() if line]
    return [*notes, *(beat.words for beat in page if isinstance(beat, Say))]


def turn(table: Table, held: LessonHost) -> None:
    """Go to the next page, by the example's move if one is asked for."""
    order = {"do": "offer", "offer": own_move(held)} if held._scene.offers else {"do": "next"}
    assert table.page.obey(table.door.clients[0], {"question": held._question, **order}) == ""
    table.host.publish()


@pytest.mark.short(1)
@pytest.mark.parametrize("game", short(GAMES, 2))
def test_each_lesson_is_completed_with_its_own_moves(workspace: Workspace, game: str) -> None:  # noqa: F811
    table, held = open_lesson(workspace, game)
    examples = [one for one in held.lesson.examples if isinstance(one, Example)]
    words, looks = lines(held), 0
    while not held.over:
        turn(table, held)
        words += lines(held)
        looks += held.page.is_look
    assert not any(line.startswith("It cannot be played") for line in words)
    told = " ".join(" ".join(words).split())
    assert all(" ".join(one.content.say.split()) in told for one in examples)
    assert not looks and sum(line.startswith("A mistake would be: ") for line in words) >= 1
    assert words[-1] == held.lesson.farewell and "Close the table" in str(table.scene())
    assert table.order("next").status == 422
    assert table.order("finish").status == 200
    assert held.closed


def test_unplayable_example_is_reported_and_the_next_one_starts(workspace: Workspace) -> None:  # noqa: F811
    notes = GameNotes.from_name(workspace, "propheta")
    lesson = lesson_of(notes, str)
    broken = InvalidError("'Aries Rum' is not a card.", where="Rules/Propheta.md:57", hint="Did you mean 'Aries Ram'?")
    held = LessonHost(replace(lesson, examples=(broken, *lesson.examples)), notes.deck_note.deck)
    table = Table(held).sit()
    assert (held._heading, tuple(lines(held))) == (
        "1 of 8 is left out",
        (Says("cannot", "played", "Rules/Propheta.md", "57", "Aries Rum", "not", "Aries Ram"),),
    )
    turn(table, held)
    assert held._heading == "2 of 8: Who Wins a Trick. You are Ysolde" and held.session


def test_deviating_move_stays_until_it_is_undone(workspace: Workspace) -> None:  # noqa: F811
    table, held = open_lesson(workspace, "propheta")
    assert held.session and own_move(held) > 0
    steps, scene, asked = len(held.session.steps), held._scene, table.scene()["question"]
    viewer = Viewer("screen", is_operator=True)
    assert not any(offer.consequences for offer in held.view(viewer).scene.offers), "they would tell what is meant"
    assert json.loads(table.order("hint").body)["html"]
    assert held.view(viewer).scene == scene and any(offer.consequences for offer in scene.offers)
    assert table.order("offer", offer=0).status == 200
    assert held.page.is_look and len(held.session.steps) > steps and "Take it back" in str(table.scene())
    assert table.post(f"{table.at}order", {"question": asked, "do": "offer", "offer": "0"}).status == 409, "it is past"
    assert table.order("offer", offer="0").status == 422, "nothing is asked while one looks"
    turn(table, held)
    said = str(table.scene())
    assert said == Says("Taken back. With that move: Bram +1")
    assert "Only Fire and numbers can win. Win the trick." in said, "the task stays, and says why"
    assert (len(held.session.steps), held._scene) == (steps, scene)
    before = held.page.number
    turn(table, held)
    assert held.page.number > before and not held.page.is_look


def test_words_of_a_note_are_plain_text_on_the_page(workspace: Workspace) -> None:  # noqa: F811
    table, held = open_lesson(workspace, "propheta", lambda _: "<img src=x onerror=alert(1)>")
    while not any(isinstance(beat, Cite) for beat in held.page.beats):
        turn(table, held)
    html = str(table.scene()["regions"]["side"])
    assert "&lt;img src=x" in html and "<img" not in html


@pytest.mark.slow
def test_lesson_by_keyboard_alone_with_an_undone_move(tmp_path: Path) -> None:
    vault = shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    before = {file: file.read_bytes() for file in vault.rglob("*.md")}
    with Process(vault, "learn", "turn-of-fate") as table, browser(CHROMIUM, tmp_path) as page:
        page.size(390, 844)
        page.go(f"http://127.0.0.1:{table.port}/#{table.code}")
        for stop, keys in (("[data-offer]", (Keys.END,)), (NEXT, ())):
            asked = page.run("question")
            page.tab_to(lambda _, stop=stop: page.run(f"document.activeElement.matches('{stop}')"))
            page.keys(*keys, Keys.ENTER)
            page.wait_for(f"question !== '{asked}' && !running")
            assert page.run("document.documentElement.scrollWidth <= innerWidth && !scrollY"), (
                "all is seen from its top"
            )
        assert "Taken back." in page.text()
        assert (page.violations(), page.errors()) == ([], [])
        page.run("void order({ do: 'finish' })")
        page.wait_for("document.body.innerText.includes('The table is closed')")
        assert table.end()[0] == 0
    assert table.said == Says("That was a part of it")
    assert {file: file.read_bytes() for file in vault.rglob("*.md")} == before
    assert not list((vault / ".vaultkit").rglob("*.journal"))
