"""Offers in words, and as lines on a screen of 80 by 24."""

from collections.abc import Callable
from typing import Any

from tests.games.conformance import Case, deck_of
from vaultkit.games.game import AnyGame, State, View
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Prompt
from vaultkit.scene.consequence_text import gains, sentences
from vaultkit.scene.move_input import LetterBook
from vaultkit.scene.scene import Offer, Question, Scene
from vaultkit.terminal.board import Board
from vaultkit.terminal.move_list import MoveList
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

NAMES = ("Ysolde", "Bram", "Sefa", "Nettle", "Oda", "Piers", "Quill")


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


def board_of(case: Case, state: State[Any], prompt: Prompt) -> tuple[MoveList, Board]:
    """Return the moves of a decision, and the board that shows them."""
    game, view, deck = case.game, state.view(prompt.seat), deck_of(case.game, case.given)
    question = Question(prompt.seat, prompt.text, prompt.rule, prompt.rulings, prompt.party, prompt.secret)
    names = NAMES[: state.seats]
    scene = Scene(
        game.title, names, prompt.seat, tuple(game.table(view)), question, tuple(offers_of(game, view, prompt)), {}, (),
        tuple(game.standing(view)), game.heading(view),
    )  # fmt: skip
    speaker, letters = TerminalText(names.__getitem__, deck, TerminalStyle(deck.suits)), LetterBook()
    offers = letters.sort(scene)
    moves = MoveList(scene, offers, letters.assign(scene, offers), letters.letters_by_card, speaker)
    return moves, Board(scene, moves, speaker, 80)


def words_of_rows(moves: MoveList, brevity: int) -> dict[str, str]:
    """Return all words beside the letters of each move, with those that are true of several moves."""
    remarks = [text.plain for text in moves.remarks()]
    words: dict[str, str] = {}
    for row in moves.rows(brevity):
        for part in row.parts:
            words[part.plain.partition(" ")[0]] = " ".join((row.text.plain, part.plain, *remarks))
        if not row.parts:
            words |= dict.fromkeys(row.codes, " ".join((row.text.plain, *remarks)))
    return words
