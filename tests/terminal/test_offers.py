"""Moves with different consequences have different words, in a folded list and in the browser."""

from dataclasses import replace
from pathlib import Path

from tests.terminal.refereed import NAMES, begin
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.messages import Sentence, Zone
from vaultkit.games.turn import Move
from vaultkit.scene.consequence_text import reason_words, warnings
from vaultkit.scene.hint import Hint, find_reasons
from vaultkit.scene.move_input import LetterBook
from vaultkit.scene.scene import Offer, Scene, scene_of_seat
from vaultkit.terminal.board import Board
from vaultkit.terminal.move_list import FEW_WORDS, OVERVIEW, MoveList
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

TWO = GameFact("score", 0, amount=2)
KEPT = GameFact("permanent", 0, cards=("3-stars",), amount=9, sentence=Sentence("{s0} keeps it for good.", (0,)))
LOST = GameFact("risk", 0, sentence=Sentence("{s0} can win it back.", (1,)))


def offer(card: str, target: str, *facts: GameFact) -> Offer:
    """Return an offer to play one card on another."""
    label = Sentence("Play the {c0} on the {c1}", cards=(card, target))
    return Offer(Move("play", (card, target)), label, tuple(map(Consequence, facts)), (card, target))


def move_list(scene: Scene, *offers: Offer) -> MoveList:
    """Return the moves of a scene with these offers, with letters."""
    deck = known_deck("tarokka")
    assert deck
    speaker, letters = TerminalText(NAMES.__getitem__, deck, TerminalStyle(deck.suits)), LetterBook()
    scene = replace(scene, offers=offers)
    sorted_offers = letters.sort(scene)
    return MoveList(scene, sorted_offers, letters.assign(scene, sorted_offers), letters.letters_by_card, speaker)


EMPTY = Scene("Game", NAMES[:2], 0, (), None, (), {}, (), ())


def test_few_words_distinguish_permanent_points_risks_and_their_lack() -> None:
    offers = (
        offer("1-stars", "2-stars", TWO),
        offer("1-stars", "3-stars", TWO, KEPT),
        offer("1-stars", "4-stars", LOST),
    )
    (row,) = move_list(EMPTY, *offers).rows(FEW_WORDS)
    assert [part.plain for part in row.parts] == ["ab on 2★: you +2", "ac on 3★: you +2 for good", "ad on 4★: at risk"]


def test_few_words_leave_something_out_only_if_the_sentences_are_longer() -> None:
    told = GameFact("other", 0, sentence=Sentence("Then the sun sets over the hills."))
    pairs = [offer(card, target, told) for card in ("1-stars", "2-stars") for target in ("8-stars", "9-stars")]
    assert not move_list(EMPTY, *pairs).is_shortened(FEW_WORDS)
    assert move_list(EMPTY, *pairs).is_shortened(OVERVIEW)
    assert move_list(EMPTY, *pairs, offer("3-stars", "8-stars", TWO, KEPT)).is_shortened(FEW_WORDS)


def test_what_is_true_of_all_cards_is_said_once() -> None:
    told = GameFact("risk", 0, sentence=Sentence("It is used up."))
    single = [replace(offer(card, "x", told, *facts), touches=(card,), label=Sentence("Add the {c0}", (), (card,)))
              for card, facts in (("1-stars", (TWO,)), ("2-stars", ()))]  # fmt: skip
    moves = move_list(EMPTY, *single)
    assert [row.text.plain for row in moves.rows()] == ["you +2", ""]
    assert [text.plain for text in moves.remarks()] == ["Each: It is used up."]


def test_what_is_true_of_moves_of_a_kind_names_the_cards_that_all_of_them_have() -> None:
    told = GameFact("risk", 0, sentence=Sentence("You pay with it."))
    words = "Discard the {c0} and play the {c1} on the {c2}"
    wild_offers = [
        replace(offer(ace, target, told, *facts), label=Sentence(words, (), (ace, "5-stars", target)))
        for ace, target, facts in (("1-stars", "8-stars", (TWO,)), ("2-stars", "9-stars", ()))
    ]
    moves = move_list(EMPTY, *wild_offers, offer("3-stars", "8-stars", TWO))
    assert [text.plain for text in moves.remarks()] == [Says("Discard", "play", "5★ Elementalist")]


def test_cards_with_the_same_result_are_in_the_order_of_their_letters_and_texts_are_aligned() -> None:
    cards = ("1-stars", "2-stars", "3-stars", "4-stars", "5-stars")
    sunset = GameFact("other", 0, sentence=Sentence("Then the sun sets."))

    def hold(*held: str) -> Scene:
        facts = {card: (Consequence(TWO if card in cards[:3] else sunset),) for card in held}
        label = Sentence("Play the {c0}")
        offers = [Offer(Move("play", (card,)), replace(label, cards=(card,)), facts[card], (card,)) for card in held]
        return replace(EMPTY, offers=tuple(offers), zones=(Zone(Sentence("hand"), held, owner=0, kind="hand"),))

    book, scene = LetterBook(), hold(*reversed(cards))
    book.assign(hold(*cards), hold(*cards).offers)
    speaker = move_list(scene, *scene.offers).speaker
    moves = MoveList(scene, scene.offers, book.assign(scene, scene.offers), book.letters_by_card, speaker)
    lines = [line.plain for line in Board(scene, moves, speaker, 40).move_lines()]
    assert [line.split("  ")[1] for line in lines] == ["d e", "a b c"]
    assert lines[0].index("Then the sun") == lines[1].index("you +2")


def test_a_hint_gives_its_reasons_in_points_and_in_words() -> None:
    def say(*moves: tuple[GameFact, ...]) -> str:
        own, *others = [tuple(map(Consequence, facts)) for facts in moves]
        hint = Hint(Move("play"), find_reasons(own, others, 0))
        return reason_words(hint, 0, lambda one: one.render(NAMES.__getitem__, str))

    def points(amount: int, seat: int = 0) -> GameFact:
        return GameFact("score", seat, amount=amount)

    out, hand = GameFact("out", 0), GameFact("best-result", 0, amount=3)
    assert say((points(19),), (points(2), out), ()) == (
        Says("1 of the 2 other moves", "out of the game", "No other move", "as many points")
    )
    assert say((points(2), KEPT), (points(2),), ()) == Says("No other move", "more points")
    assert say((KEPT,), ()) == Says("Only with this move", "keep", "for good")
    assert say((points(-3, 1),), (points(4, 1),)) == Says("Every other move", "leaves the others 7 points more")
    assert say((points(3, 1),), (points(4, 1),)) == Says("Every other move", "leaves the others 1 point more")
    assert say((hand,), (replace(hand, amount=1),), (hand,)) == Says("No other move", "better result")
    best = "It does best in games that the computer plays on from here, with cards dealt at random."
    assert say((replace(hand, amount=1),), (hand,)) == f"Other moves promise more at once. {best}"
    assert say((TWO,), (TWO,)) == best
    assert say((), ()) == best


def test_only_a_move_that_ends_the_players_own_game_asks_for_confirmation(tmp_path: Path) -> None:
    with begin(tmp_path, "propheta", NAMES[:3], real=False) as session:
        list(session.advance())
        scene = scene_of_seat(session, 0)
        out = offer("1-stars", "2-stars", GameFact("out", 0))
        fine, rival = offer("1-stars", "3-stars", TWO), offer("1-stars", "4-stars", GameFact("out", 1))
        some = replace(scene, offers=(out, fine, rival))
        said = [[one.words for one in warnings(each, some)] for each in some.offers]
        assert said == [["Play the {c0} on the {c1}", Says("{s0} is out", "game")], [], []]
        assert warnings(out, replace(scene, offers=(out, out))) == []


def test_hint_for_the_only_move_states_that() -> None:
    assert [one.words for one in find_reasons((Consequence(GameFact("risk", 0)),), [], 0)] == [Says("only move")]


def test_a_danger_of_some_moves_is_no_reason_against_one_that_is_safe_and_brings_more() -> None:
    risk, gain = GameFact("risk", 0), GameFact("score", 0, amount=10)
    risky, safe_gain = (Consequence(risk),), (Consequence(gain),)
    words = [reason.words for reason in find_reasons((), [risky, risky, safe_gain], 0)]
    assert words[0].startswith("With 2 of the 3 other moves") and words[1].startswith("It does best in games")
    assert len(find_reasons((), [risky, risky], 0)) == 1, "nothing else is safe"
