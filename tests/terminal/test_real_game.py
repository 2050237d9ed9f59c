"""Dragon Citadel at the terminal, from the first card to the score sheet."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sessions import create_session
from tests.terminal.helpers import FirstMoves, person, screen, screen_text
from tests.terminal.playing import play
from vaultkit.cards import Card, Deck
from vaultkit.games.messages import Sentence, Zone
from vaultkit.games.turn import Move
from vaultkit.scene.knowledge import visible_events
from vaultkit.scene.scene import Scene
from vaultkit.session import Session, parse_seats
from vaultkit.session.history import replay
from vaultkit.terminal import renderables
from vaultkit.terminal.answer_sources import ScriptSource
from vaultkit.terminal.board import Board
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

pytest.importorskip("vaultkit.games.dragon_citadel", exc_type=ImportError)

from vaultkit.games.dragon_citadel.game import DragonCitadel

SUITS = ("Swords", "Stars", "Coins", "Glyphs")
CROWNS = (
    "Artifact", "Beast", "Broken One", "Darklord", "Donjon", "Seer", "Ghost", "Executioner", "Horseman", "Innocent",
    "Marionette", "Mists", "Raven", "Tempter",
)  # fmt: skip
TAROKKA = Deck(
    "tarokka",
    "Tarokka",
    (
        *(Card(f"{rank}-{suit.lower()}", f"{suit} {rank}", (suit,), rank) for suit in SUITS for rank in range(1, 10)),
        *(Card(f"master-{suit.lower()}", f"Master of {suit}", (suit,), "Master") for suit in SUITS),
        *(Card(name.lower().replace(" ", "-"), name) for name in CROWNS),
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["coop", "competitive"])
@pytest.mark.parametrize("seats", [("Ysolde", "Aldous", "bot:random"), ("Ysolde", "bot:greedy", "bot:greedy")])
def test_whole_game_with_real_cards(tmp_path: Path, mode: str, seats: tuple[str, ...]) -> None:
    console = screen()
    with begin_game(tmp_path, mode, *seats) as session:
        outcome = play(session, console, FirstMoves(console, session))
    seen = screen_text(console)
    assert outcome and outcome == session.outcome
    assert "The end" in seen and "{" not in seen
    assert replay(session.path, DragonCitadel(), TAROKKA)[1] == session.steps


def begin_game(folder: Path, mode: str, *seats: str, **options: str) -> Session:
    """Begin a game of Dragon Citadel."""
    return create_session(
        folder,
        DragonCitadel(),
        TAROKKA,
        parse_seats(seats),
        id="20261103-dragon-citadel-k3f9",
        seed=7,
        clock=lambda: datetime(2026, 11, 3, tzinfo=UTC),
        options={"mode": mode, **options},
    )


def play_until_joker(session: Session) -> None:
    """Play first moves until the joker is offered."""
    for _ in range(400):
        for _ in session.advance():
            pass
        assert session.prompt, "the joker was never offered"
        if Move("joker") in session.prompt.moves:
            return
        session.submit(session.prompt.moves[0])


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("mode", "seer", "makes"),
    [
        ("coop", "truce", "nobody wins"),
        ("coop", "party-wins", "the party wins"),
        ("coop", "dealer-wins", "the dealer wins"),
        ("competitive", "truce", "the highest score wins"),
    ],
)
def test_joker_shows_its_card_and_consequence_and_is_asked_twice(
    tmp_path: Path, mode: str, seer: str, makes: str
) -> None:
    console = screen()
    mask = [""] if mode == "competitive" else []
    with begin_game(tmp_path, mode, "Ysolde", "Aldous", "Sefa", seer=seer) as session:
        play_until_joker(session)
        offer = f"Play the Seer: {makes}, game over"
        play(session, console, person(console, *mask, "seer", "n", "joker", "q"))
        seen = screen_text(console)
        assert offer in seen and seen.count(f"{offer}. Sure?") == 2 and seen.count("Nothing was played.") == 2
        assert session.outcome is None
        play(session, console, person(console, *mask, "seer", "seer", "q"))
        assert session.steps[-1].move.id == "joker", "the id in journals stays as it was"


def test_a_script_is_not_asked_twice(tmp_path: Path) -> None:
    console = screen()
    with begin_game(tmp_path, "coop", "Ysolde", "Aldous", "Sefa") as session:
        play_until_joker(session)
        assert play(session, console, ScriptSource(console, "moves.txt", ["joker"]))


@pytest.mark.slow
def test_the_party_decides_under_its_own_name(tmp_path: Path) -> None:
    console = screen()
    with begin_game(tmp_path, "coop", "Ysolde", "Aldous", "Sefa") as session:
        play(session, console, FirstMoves(console, session))
    seen = screen_text(console)
    asked = [block for block in seen.split("\n") if " › " in block]
    assert any(line.startswith("Ysolde, Aldous and Sefa › ") for line in asked)
    assert any(line.startswith(("Ysolde › ", "Aldous › ", "Sefa › ")) for line in asked)
    assert "DC-29" not in seen


def test_draws_of_all_players_are_reported_alike_and_once(tmp_path: Path) -> None:
    with begin_game(tmp_path, "competitive", "Ysolde", "Aldous", "bot:greedy") as session:
        for _ in session.advance():
            pass
        both, own, all_ = (visible_events(who, session.steps) for who in ((0, 1), (0,), ()))
    assert [(event.seat, len(event.cards)) for _, event in both if event.kind == "deal"] == [(0, 0), (1, 0), (2, 0)]
    assert [(event.seat, len(event.cards)) for _, event in own if event.kind == "deal"] == [(0, 5), (1, 0), (2, 0)]
    assert [(event.seat, len(event.cards)) for _, event in all_ if event.kind == "deal"] == [(0, 5), (1, 5), (2, 5)]


@pytest.mark.parametrize("width", [80, 50])
def test_a_full_table_fits_a_terminal(width: int) -> None:
    console = screen(width=width)
    number = [card.id for card in TAROKKA if isinstance(card.rank, int)]
    short = Sentence("Swords 13, Stars 9 + 1 hero (4 cards)")
    won = [Zone(Sentence("won"), owner=seat, kind="won", short=short, by=True) for seat in range(5)]
    zones = [
        Zone(Sentence("Dealer's card"), ("master-swords",)),
        Zone(Sentence("Spent for {seats}", (0, 1, 2)), ("raven",)),
        Zone(Sentence("hand"), tuple(number[:5]), owner=0, kind="hand"),
        *(Zone(Sentence("hand"), (), 5, seat, "hand") for seat in range(1, 5)),
        *won,
        Zone(Sentence("Discard ({v0})", values=(7,)), (number[9],)),
    ]
    speaker = TerminalText(lambda seat: f"Ysolde the Wise {seat}", TAROKKA, TerminalStyle(TAROKKA.suits))
    scene = Scene("Dragon Citadel", tuple("VWXYZ"), 0, tuple(zones), None, (), {}, (), ())
    console.print(*Board(scene, None, speaker, width).table(), sep="\n")
    lines = screen_text(console).splitlines()
    assert max(map(len, lines)) <= width
    assert len(re.findall(r"Won Swords 13, Stars 9", screen_text(console))) == 5
    assert width < 80 or sum(line.count("† ") for line in lines if line.count("† ") > 1) >= 4
    plain = TerminalText(lambda seat: f"S{seat}", TAROKKA, TerminalStyle(TAROKKA.suits, plain=True))
    console.print(renderables.table(replace(scene, zones=tuple(won[1:2])), plain))
    assert "\nWon by S1: Swords 13, Stars 9 + 1 hero (4 cards)\n" in screen_text(console).replace(
        "1 hero\n(", "1 hero ("
    )
