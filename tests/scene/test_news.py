"""News for people: told when they can see it, once, and without anything hidden."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from rich.text import Text

from tests.terminal.helpers import Notes, screen, screen_text
from tests.terminal.playing import play
from tests.terminal.refereed import NAMES, Table, begin
from tests.wording import Says
from vaultkit.games.turn import Prompt
from vaultkit.scene.knowledge import events_since_last_turn, open_zones, privately_seen_events, visible_events
from vaultkit.session import Session
from vaultkit.terminal import renderables
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

GAMBIT = "prophets-gambit"


class Anybody(Table):
    """People who decide at random."""

    def answer(self, question: Text, about: str, words: Sequence[str] = ()) -> str:
        assert self.session.prompt
        return self.rng.choice(self.session.prompt.moves).id


def play_game(folder: Path, seed: int) -> tuple[Session, str, list[str]]:
    """Play a game of three people; return the session, the screen's text and the prompts passed with Enter."""
    with begin(folder, GAMBIT, NAMES[:3], real=False, seed=seed) as session:
        console, people = screen(200), Anybody(session, (), Random(seed))
        play(session, console, people, Notes())
    return session, screen_text(console), people.passed


def play_until(session: Session, kind: str) -> None:
    """Play first moves until an event of this kind occurs, and then everything that needs no person."""
    while not any(event.kind == kind for step in session.steps for event in step.events):
        list(session.advance())
        assert session.prompt
        session.submit(session.prompt.moves[0])
    list(session.advance())


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "said"), [(4, "Bram passes the 9★ Conjurer to Sefa."), (9, "gets the Fate of")])
def test_card_seen_by_one_player_is_shown_before_the_screen_continues(tmp_path: Path, seed: int, said: str) -> None:
    _, seen, passed = play_game(tmp_path, seed)
    told = seen[seen.index(" alone:") :]
    assert said in told[: told.index("\n\n")]
    assert Says("Press", "Enter", "seen") in passed


def test_g_3_last_player_to_choose_sees_the_revealed_choices_at_the_next_turn(tmp_path: Path) -> None:
    with begin(tmp_path, GAMBIT, NAMES[:3], real=False) as session:
        play_until(session, "opening")
        last = max(step.n for step in session.steps if step.move.verb == "show")
        seat = session.steps[last - 1].seat
        assert seat is not None
        told = [event.kind for _, event in events_since_last_turn(session, seat)]
        assert "opening" in told and told.count("show") == 0


def test_dealt_hand_and_own_choice_are_not_news(tmp_path: Path) -> None:
    with begin(tmp_path, GAMBIT, NAMES[:3], real=False) as session:
        list(session.advance())
        assert isinstance(session.turn, Prompt)
        assert not [event for _, event in events_since_last_turn(session, session.turn.seat) if event.seen_by]
        first = session.turn.seat
        session.submit(session.turn.moves[0])
        assert not [event for _, event in events_since_last_turn(session, first) if event.seat == first]


def test_news_for_one_seat_is_not_shown_on_the_common_table(tmp_path: Path) -> None:
    for seed in range(4, 7):
        with begin(tmp_path / str(seed), GAMBIT, NAMES[:3], real=False, seed=seed) as session:
            rng = Random(seed)
            while session.outcome is None:
                list(session.advance())
                known = {event.cards for step in session.steps for event in step.events if event.seen_by is None}
                public = {card for cards in known for card in cards}
                assert {card for zone in open_zones(session) for card in zone.cards} <= public
                assert not any(zone.short for zone in open_zones(session) if zone.kind == "hand" and not zone.cards)
                if session.prompt:
                    session.submit(rng.choice(session.prompt.moves))


@pytest.mark.slow
def test_drawn_cards_and_public_information_are_not_shown_privately(tmp_path: Path) -> None:
    session, _, _ = play_game(tmp_path, 4)
    for step in session.steps:
        for seat in range(3):
            for _, event in privately_seen_events(session, seat, step):
                assert event.seen_by and seat in event.seen_by and not set(event.cards) <= set(step.move.operands)


@pytest.mark.slow
def test_shortened_list_states_that_it_is_shortened(tmp_path: Path) -> None:
    session, _, _ = play_game(tmp_path, 4)
    told = visible_events((), session.steps)
    speaker = TerminalText(session.name, session.deck, TerminalStyle(plain=True))
    for left in (2, 1, 0):
        console = screen(400)
        console.print(*renderables.latest(told[: renderables.MAX_RECENT_COUNT + left], speaker), sep="\n")
        lines = screen_text(console).splitlines()
        said = {2: "2 events before that", 1: "1 event before that"}.get(left)
        assert lines[0] == f"{said}: l all shows everything." if said else len(lines) == renderables.MAX_RECENT_COUNT
