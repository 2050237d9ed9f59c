"""Decisions that fit on one screen: news, board, question and offers together."""

import io
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from rich.text import Text

from tests.terminal.helpers import Notes
from tests.terminal.on_screen import missing_words, words_to_show
from tests.terminal.refereed import NAMES, begin
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Event, Sentence
from vaultkit.games.turn import Move
from vaultkit.host.advice import Advice
from vaultkit.host.orders import Reply
from vaultkit.scene.knowledge import StepEvent
from vaultkit.scene.scene import scene_of_seat
from vaultkit.session import Session, Step
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.move_prompt import MovePrompt
from vaultkit.terminal.real_card_commands import SeatMemory, TurnDialog
from vaultkit.terminal.renderables import act_texts
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText, select_lines

SEATS = {"dragon-citadel": 3, "propheta": 3, "prophets-gambit": 3, "turn-of-fate": 2, "deck-of-destiny": 1}
PROMPT = 1


def draw_decision(
    session: Session, width: int, height: int = 24, *, signs: bool = True, memory: SeatMemory | None = None
) -> list[str]:
    """Return the lines that show a decision to the person who makes it."""
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)
    source = TerminalSource(console, read=lambda: "")
    stage = GameConsole(console, source, TerminalStyle(session.deck.suits, symbols=signs))
    speaker = TerminalText(session.name, session.deck, stage.look)
    assert session.prompt
    asking = TurnDialog(
        session,
        session.prompt,
        stage,
        speaker,
        Advice(session, Notes()),
        (session.prompt.seat,),
        lambda *_: Reply(),
        private=True,
        memory=memory or SeatMemory(),
    )
    MovePrompt(asking).show()
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("game", SEATS)
def test_all_important_facts_are_visible_on_one_screen(tmp_path: Path, game: str, width: int) -> None:
    rng, met = Random(5), set[tuple[str, int]]()
    with begin(tmp_path, game, NAMES[: SEATS[game]], real=False, seed=5) as session:
        while not (list(session.advance()), session.outcome)[1]:
            assert session.prompt
            kind = (session.prompt.moves[0].verb, len(session.prompt.moves) // 4)
            if kind not in met:
                met.add(kind)
                lines = draw_decision(session, width)
                assert len(lines) + PROMPT <= 24 and max(map(len, lines)) <= width
                want = words_to_show(session) | {"news": ""}
                assert not missing_words(lines, want), "\n".join(lines)
            session.submit(rng.choice(session.prompt.moves))


@pytest.mark.slow
def test_what_a_small_screen_leaves_out_is_marked_and_moves_stay_in_few_words(tmp_path: Path) -> None:
    memory, marks = SeatMemory(), set[str]()
    with begin(tmp_path, "turn-of-fate", NAMES[:2], real=False, seed=2) as session:
        while not memory.rules_in_few_words:
            list(session.advance())
            assert session.prompt
            lines = draw_decision(session, 60, memory=memory)
            marks |= {mark for mark in ("s all", "more: s") if mark in " ".join(lines)}
            if not memory.rules_in_few_words:
                session.submit(session.prompt.moves[0])
        again = draw_decision(session, 160, memory=memory)
        anew = draw_decision(session, 160)
    assert "s all" in marks and len(lines) + PROMPT <= 24
    assert "Enter says more." in " ".join(again) and "Enter says more." not in " ".join(anew)


@pytest.mark.short(3)
@pytest.mark.parametrize(
    ("game", "title"),
    [
        ("dragon-citadel", "Dragon Citadel · round 1 · together · Deck 38 · 0 discarded "),
        ("propheta", "Propheta · 3 players "),
        ("prophets-gambit", "Prophet's Gambit · round 1 of 2 · 3 players · Common Deck 18 "),
        ("turn-of-fate", "Turn of Fate · turn 1 · Citizen Deck 7 · Deck of Fates 19 "),
        ("deck-of-destiny", "Deck of Destiny · phase 1 of 3 · setting up · Veiled deck 45 "),
    ],
)
def test_title_shows_the_progress_of_the_game_and_how_it_is_played(tmp_path: Path, game: str, title: str) -> None:
    with begin(tmp_path, game, NAMES[: SEATS[game]], real=False) as session:
        list(session.advance())
        assert title in "\n".join(draw_decision(session, 80))


@pytest.mark.short(1)
@pytest.mark.parametrize("game", ["turn-of-fate", "propheta"])
def test_last_act_of_the_rival_is_on_a_small_screen_at_the_next_turn(tmp_path: Path, game: str) -> None:
    rng, turns = Random(3), 0
    with begin(tmp_path, game, NAMES[:2], real=False, seed=3) as session:
        while turns < 8 and not (list(session.advance()), session.outcome)[1]:
            assert session.prompt
            seat, steps = session.prompt.seat, session.steps
            own = max((step.n for step in steps if step.seat == seat and not step.auto), default=0)
            if own and steps[-1].n > own:
                acts = [
                    event for step in steps if step.n >= own and not step.chance for event in step.events
                    if event.seat == 1 - seat and event.cards and event.is_visible_to(seat)
                ]  # fmt: skip
                shown = " ".join(" ".join(draw_decision(session, 80)).split())
                text = TerminalText(session.name, session.deck, TerminalStyle(session.deck.suits))
                assert not acts or text.text(acts[-1].sentence).plain in shown, shown
                turns += bool(acts)
            session.submit(rng.choice(session.prompt.moves))
    assert turns > 2


def test_news_that_must_stay_are_what_moves_did_and_what_chance_revealed_to_the_viewer() -> None:
    def step(n: int, *events: Event, seat: int | None = None, chance: str = "") -> list[StepEvent]:
        one = Step(n, Move("play"), events, seat, chance)
        return [(one, event) for event in events]

    def event(kind: str, words: str, seat: int | None, *cards: str, notable: bool = False) -> Event:
        return Event(kind, Sentence(words), "", (), seat, cards, notable=notable)

    deck = known_deck("tarokka")
    assert deck
    speaker = TerminalText(str, deck, TerminalStyle(deck.suits))
    news = [
        *step(1, event("risk", "You risk.", 0, "raven"), seat=0),
        *step(2, event("high-card", "You turn the Raven.", 0, "raven", notable=True), chance="high"),
        *step(3, event("play", "Bram plays.", 1, "ghost"), seat=1),
        *step(4, event("introduce", "Bram introduces.", 1, "beast"), chance="next"),
        *step(
            5,
            event("crown", "Sefa is saved.", 2, "mists", notable=True),
            event("paid", "All pay.", None, "seer"),
            seat=2,
        ),
        *step(6, event("discard", "Sefa's hand is discarded.", 2, "tempter"), seat=2),
    ]
    acts = {n: text.plain for n, text in act_texts(news, 0, speaker).items()}
    assert acts == {2: "You turn the Raven.", 3: "Bram plays.", 5: Says("Sefa is saved", "All pay")}


def test_lines_of_news_keep_short_forms_before_later_idle_news() -> None:
    act, idle = [Text("Bram plays the 3."), Text("And more.")], [Text("Bram draws a card.")]
    assert select_lines([act, idle], {0: act[:1]}, 1) == act[:1]
    assert select_lines([act, idle], {0: act[:1]}, 2) == [*act[:1], *idle]
    assert select_lines([act, idle], {0: act[:1]}, 3) == [*act, *idle]
    assert select_lines([act, idle], {}, 2) == idle


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 60])
def test_cards_that_others_show_are_never_left_out(tmp_path: Path, width: int) -> None:
    rng, zone_count = Random(4), 0
    with begin(tmp_path, "prophets-gambit", NAMES[:3], real=False, seed=4) as session:
        while not (list(session.advance()), session.outcome)[1]:
            assert session.prompt
            scene = scene_of_seat(session, session.prompt.seat)
            speaker = TerminalText(session.name, session.deck, TerminalStyle(session.deck.suits))
            lines = draw_decision(session, width)
            for zone in scene.zones:
                if zone.by and zone.owner != scene.viewer and zone.cards:
                    zone_count += 1
                    assert speaker.code(zone.cards[0]).plain in " ".join(lines[:12]), "\n".join(lines)
            session.submit(rng.choice(session.prompt.moves))
    assert zone_count


def test_ascii_mode_draws_only_letters(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:3], real=False) as session:
        list(session.advance())
        lines = draw_decision(session, 80, signs=False)
        assert all(line.isascii() for line in lines) and any("Scrap" in line for line in lines)


@pytest.mark.slow
def test_tiny_screen_shows_the_question_and_the_offers(tmp_path: Path) -> None:
    with begin(tmp_path, "dragon-citadel", NAMES[:3], real=False) as session:
        list(session.advance())
        want = words_to_show(session)
        tall, tiny = draw_decision(session, 40, 40), draw_decision(session, 40, 10)
        assert len(tiny) < len(tall)
        for lines in (tall, tiny):
            assert not missing_words(lines, want | {"heading": [], "names": [], "news": "", "offers": []})


def test_contents_without_room_are_shortened_in_a_fixed_order(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:3], real=False) as session:
        rng = Random(2)
        while len(session.steps) < 40:
            list(session.advance())
            assert session.prompt
            session.submit(rng.choice(session.prompt.moves))
        list(session.advance())
        heights = {height: "\n".join(draw_decision(session, 80, height)) for height in (60, 24, 16)}
        assert "Seasons" in heights[60] and "Last trick" in heights[60]
        assert "Seasons" not in heights[24] and NAMES[0] in heights[24]
        assert len(heights[16].splitlines()) <= 15
