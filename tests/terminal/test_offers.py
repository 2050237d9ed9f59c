"""Moves with different consequences have different words, in a folded list and in the browser."""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from tests.terminal.refereed import NAMES, begin
from vaultkit.cards.deck import known_deck
from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move
from vaultkit.scene.consequence_text import reason_words, warnings
from vaultkit.scene.hint import Hint, find_reasons
from vaultkit.scene.move_input import letters_of
from vaultkit.scene.scene import Offer, scene_of_seat
from vaultkit.terminal.board import Board
from vaultkit.terminal.move_list import build_keys
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

TWO = GameFact("score", 0, amount=2)
KEPT = GameFact("permanent", 0, cards=("3-stars",), amount=9, sentence=Sentence("{s0} keeps it for good.", (0,)))
LOST = GameFact("risk", 0, sentence=Sentence("{s0} can win it back.", (1,)))


def offer(card: str, target: str, *facts: GameFact) -> Offer:
    """Return an offer to play one card on another."""
    label = Sentence("Play the {c0} on the {c1}", cards=(card, target))
    return Offer(Move("play", (card, target)), label, tuple(map(Consequence, facts)), (card, target))


def fold_offers(*offers: Offer) -> list[str]:
    """Return the results beside the letters of a folded list, which more cards make long enough to fold."""
    deck = known_deck("tarokka")
    assert deck
    more = [offer("9-coins", f"{rank}-coins", TWO) for rank in range(1, 9)]
    every = [*offers, *more]
    speaker = TerminalText(NAMES.__getitem__, deck, TerminalStyle(deck.suits))
    keys = build_keys(every, letters_of(every), 0, speaker)
    return [key.result.plain for key in keys[:-1]]


def test_grouped_list_distinguishes_two_permanent_points_from_two_points() -> None:
    (line,) = fold_offers(offer("1-stars", "2-stars", TWO), offer("1-stars", "3-stars", TWO, KEPT))
    assert line == "Play it on the 2★ +2, 3★ +2 for good"


def test_grouped_list_shows_the_value_where_only_that_differs() -> None:
    other = GameFact("permanent", 0, cards=("2-stars",), amount=4, sentence=Sentence("It is worth 4."))
    (line,) = fold_offers(offer("1-stars", "2-stars", TWO, other), offer("1-stars", "3-stars", TWO, KEPT))
    assert line == "Play it on the 2★ +2 for good (worth 4), 3★ +2 for good (worth 9)"


def test_grouped_list_shows_the_risk_where_only_that_differs() -> None:
    (line,) = fold_offers(offer("1-stars", "2-stars", TWO, LOST), offer("1-stars", "3-stars", TWO))
    assert line == "Play it on the 2★ +2 at risk, 3★ +2"


def test_fact_without_a_short_word_is_printed_in_full() -> None:
    told = GameFact("other", 0, sentence=Sentence("Then the sun sets."))
    (line,) = fold_offers(offer("1-stars", "2-stars", TWO, told), offer("1-stars", "3-stars", TWO))
    assert line == "Play it on the 2★ (+2  Then the sun sets), 3★ +2"


def test_a_hint_gives_its_reasons_in_points_and_in_words() -> None:
    def say(*moves: tuple[GameFact, ...]) -> str:
        own, *others = [tuple(map(Consequence, facts)) for facts in moves]
        hint = Hint(Move("play"), find_reasons(own, others, 0))
        return reason_words(hint, 0, lambda one: one.render(NAMES.__getitem__, str))

    def points(amount: int, seat: int = 0) -> GameFact:
        return GameFact("score", seat, amount=amount)

    out, hand = GameFact("out", 0), GameFact("best-result", 0, amount=3)
    assert say((points(19),), (points(2), out), ()) == (
        "With 1 of the 2 other moves you may be out of the game. No other move would give you as many points now."
    )
    assert say((points(2), KEPT), (points(2),), ()) == (
        "No other move would give you more points now. Only with this move you keep it for good."
    )
    assert say((points(-3, 1),), (points(4, 1),)) == "Every other move leaves the others 7 points more."
    assert say((hand,), (replace(hand, amount=1),), (hand,)) == "No other move would leave you a better result."
    assert say((TWO,), (TWO,)) == "At once it changes no more than other moves do: it is meant for later turns."
    assert say((), ()) == "At once it changes no more than other moves do: it is meant for later turns."


def test_only_a_move_that_ends_the_players_own_game_asks_for_confirmation(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:3], real=False) as session:
        list(session.advance())
        scene = scene_of_seat(session, 0)
        out = offer("1-stars", "2-stars", GameFact("out", 0))
        fine, rival = offer("1-stars", "3-stars", TWO), offer("1-stars", "4-stars", GameFact("out", 1))
        some = replace(scene, offers=(out, fine, rival))
        said = [[one.words for one in warnings(each, some)] for each in some.offers]
        assert said == [["Play the {c0} on the {c1}", "{s0} is out of the game."], [], []]
        assert warnings(out, replace(scene, offers=(out, out))) == []


def test_board_without_room_prefers_points_and_few_words_to_cut_sentences(tmp_path: Path) -> None:
    with begin(tmp_path, "turn-of-fate", ["Ysolde", "Bram"], real=False) as session:
        scene = scene_of_seat(session, 0)
    long = Sentence("{s0} keeps it for good, and nobody can take it away again, whatever the others still hold.", (0,))
    offers = [
        offer("1-stars", "2-stars", TWO, replace(KEPT, sentence=long)),
        offer("3-stars", "4-stars", TWO, GameFact("other", 0, sentence=long)),
        offer("5-stars", "6-stars", GameFact("other", 0, sentence=long)),
    ]
    deck = known_deck("tarokka")
    assert deck
    speaker = TerminalText(NAMES.__getitem__, deck, TerminalStyle(deck.suits))
    keys = build_keys(offers, letters_of(offers), 0, speaker)
    board = Board(replace(scene, offers=tuple(offers), zones=()), keys, speaker, Console(width=80))
    lines = [line.plain.rstrip() for line in board.offers(3)]
    assert [line.endswith("…") for line in lines] == [False, False, True]
    assert lines[0].endswith("+2 for good") and lines[1].endswith("+2")


def test_hint_for_the_only_move_states_that() -> None:
    assert [one.words for one in find_reasons((Consequence(GameFact("risk", 0)),), [], 0)] == ["It is the only move."]
