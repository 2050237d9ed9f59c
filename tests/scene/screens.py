"""Offers in words, and as lines on a screen of 80 by 24."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.text import Text

from tests.games.conformance import Case, deck_of
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Prompt
from vaultkit.scene.consequence_text import gains, sentences
from vaultkit.scene.move_input import letters_of, sort_offers
from vaultkit.scene.scene import Offer, Question, Scene
from vaultkit.terminal.board import Board
from vaultkit.terminal.move_list import MoveKey, build_keys
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

NAMES = ("Ysolde", "Bram", "Sefa", "Nettle", "Oda", "Piers", "Quill")
LETTERS = re.compile(r" {1,2}((?:[a-z]{1,2} )*[a-z]{1,2})(?:  (.*))?")


def offers_of(game: AnyGame, view: View, prompt: Prompt) -> list[Offer]:
    """Return the offers of a decision."""
    ends, asked = dict(prompt.ends), (prompt.seat, prompt.party)
    return [
        Offer(move, game.label(move), consequences, game.touches(move), ends.get(move), *asked)
        for move, consequences in zip(prompt.moves, game.consequences(view, prompt.moves), strict=True)
    ]


def plain_words(offer: Offer, viewer: Seat, card_name: Callable[[str], str]) -> tuple[str, ...]:
    """Return everything that is said about the consequences of an offer, without its label."""
    scores = (f"{NAMES[seat]} {change}" for seat, change in gains(offer, viewer))
    return (*scores, *(one.render(NAMES.__getitem__, card_name) for one in sentences(offer)))


def board_of(case: Case, state: State[Any], prompt: Prompt) -> tuple[list[MoveKey], Board]:
    """Return the keys of a decision, all with the same label, and the board that shows them."""
    game, view, deck = case.game, state.view(prompt.seat), deck_of(case.game, case.given)
    question = Question(prompt.seat, prompt.text, prompt.rule, prompt.rulings, prompt.party, prompt.secret)
    names = NAMES[: state.seats]
    scene = Scene(
        game.title, names, prompt.seat, tuple(game.table(view)), question, tuple(offers_of(game, view, prompt)), {}, (),
        tuple(game.standing(view)), game.heading(view),
    )  # fmt: skip
    speaker = TerminalText(names.__getitem__, deck, TerminalStyle(deck.suits))
    offers = sort_offers(scene)
    keys = [replace(key, label=Text("Move")) for key in build_keys(offers, letters_of(offers), prompt.seat, speaker)]
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True, color_system=None)
    return keys, Board(scene, keys, speaker, console)


def results_on(page: Sequence[Text], keys: Sequence[MoveKey]) -> dict[str, str]:
    """Return the text beside the letters of each key on a page, below the question."""
    letters = {key.letters for key in keys}
    seen = dict.fromkeys(letters, "")
    current: list[str] = []
    for line in page:
        found = LETTERS.fullmatch(line.plain)
        if found and letters.issuperset(found[1].split()):
            current = found[1].split()
            for one in current:
                seen[one] += " " + (found[2] or "")
        elif current:
            for one in current:
                seen[one] += " " + line.plain
    return {one: " ".join(text.replace("Move", "").split()) for one, text in seen.items()}
