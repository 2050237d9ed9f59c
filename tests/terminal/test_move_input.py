from collections.abc import Sequence

import pytest

from vaultkit.cards.deck import known_deck
from vaultkit.games import registry
from vaultkit.games.messages import Sentence, Zone
from vaultkit.games.turn import Move
from vaultkit.scene.move_input import LETTERS, Choice, LetterBook, choices_of, pick
from vaultkit.scene.scene import Offer, Scene
from vaultkit.terminal.commands import TypedCommand, parse_command

OFFERS = (
    Choice(
        Move("play", ("6-swords",)),
        "Play the Berserker (6 of Swords)",
        ("Berserker", "Berserker (6 of Swords)"),
        letters="a",
    ),
    Choice(Move("play", ("raven",)), "Play the Raven", ("Raven",), letters="b"),
    Choice(
        Move("play", ("9-glyphs",)), "Play the Bishop (9 of Glyphs)", ("Bishop", "Bishop (9 of Glyphs)"), letters="c"
    ),
    Choice(Move("give", ("raven", "2")), "Give the Raven to South", ("Raven",), letters="d"),
    Choice(Move("pass"), "Pass", letters="e"),
)


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ("1", [0]),
        ("b", [1]),
        ("E", [4]),
        ("play raven", [1]),
        ("6 of swords", [0]),
        ("6-swords", [0]),
        ("BERS", [0]),
        ("bishop", [2]),
        ("be", [0]),
        ("raven", [1, 3]),
        ("south", [3]),
        ("pa", [4]),
        ("glyphs", [2]),
        ("6", []),
        ("0", []),
        pytest.param("9" * 5_000, [], id="figures without end"),
        ("z", []),
        ("dragon", []),
        ("play", [0, 1, 2]),
    ],
)
def test_answers_are_matched_to_moves(typed: str, places: list[int]) -> None:
    assert pick(typed, OFFERS) == tuple(OFFERS[place] for place in places)


def test_every_move_can_be_chosen_by_its_own_id_number_and_letter() -> None:
    for index, offer in enumerate(OFFERS):
        for typed in (offer.move.id, str(index + 1), offer.letters):
            assert pick(typed, OFFERS) == (offer,)


@pytest.mark.parametrize(("typed", "moves"), [("4", ["play 4-glyphs", "risk 4-glyphs"]), ("1", []), ("3", [])])
def test_a_number_is_a_rank_where_cards_have_ranks(typed: str, moves: list[str]) -> None:
    assert [offer.move.id for offer in pick(typed, GAMBIT)] == moves


def test_a_capital_letter_is_a_rank_before_it_is_a_letter() -> None:
    deck = known_deck("french52")
    assert deck
    kings = [Offer(Move("lay", (card,)), Sentence("Lay the {c0}", (), (card,)), (), (card,)) for card in
             ("king-hearts", "2-clubs", "queen-clubs")]  # fmt: skip
    choices = choices_of(kings, ["b", "k", "c"], deck, lambda one: one.render(str, str))
    assert [choice.letters for choice in pick("K", choices)] == ["b"]
    assert [choice.letters for choice in pick("k", choices)] == ["k"]
    assert [choice.letters for choice in pick("B", choices)] == ["b"], "no rank begins with it"
    assert [choice.letters for choice in pick("Q Clubs", choices)] == ["c"]


def scene_with(hand: Sequence[str], *offers: Offer) -> Scene:
    """Return a scene with a hand of cards and these offers."""
    zone = Zone(Sentence("hand"), tuple(hand), owner=0, kind="hand")
    return Scene("Game", ("Ysolde",), 0, (zone,), None, offers, {}, (), ())


def play(card: str, *targets: str) -> Offer:
    return Offer(Move("play", (card, *targets)), Sentence("Play the {c0}", (), (card,)), (), (card, *targets))


PASS = Offer(Move("pass"), Sentence("Pass"), (), ())


def test_card_keeps_its_letter_while_it_is_in_hand() -> None:
    book = LetterBook()
    first = scene_with(["9", "4", "7"], play("9"), play("4"), play("7"), PASS)
    assert book.assign(first, book.sort(first)) == ["a", "b", "c", "z"]
    second = scene_with(["4", "5", "7"], play("5"), play("7"), PASS)
    assert book.assign(second, book.sort(second)) == ["a", "c", "z"], "the new card gets the free letter"
    assert book.letters_by_card["4"] == "b", "also while it cannot be played"
    question = scene_with(["4"], PASS, Offer(Move("go"), Sentence("Go on"), (), ()))
    assert book.assign(question, book.sort(question)) == ["a", "b"]
    assert book.letters_by_card["4"] == "b"


def test_moves_with_one_card_have_two_letters_and_a_target_the_same_for_all_cards() -> None:
    book = LetterBook()
    scene = scene_with(["9", "4"], play("9", "x"), play("9", "y"), play("4", "y"), PASS)
    letters = book.assign(scene, book.sort(scene))
    assert letters == ["ac", "ad", "bd", "z"]
    choices = [Choice(offer.move, "", letters=code) for offer, code in zip(book.sort(scene), letters, strict=True)]
    assert [choice.letters for choice in pick("ad", choices)] == ["ad"]
    assert [choice.letters for choice in pick("a", choices)] == ["ac", "ad"]
    assert [choice.letters for choice in pick("b", choices)] == ["bd"]
    assert not pick("d", choices), "a target is not a card of the hand"
    assert book.letters_by_target == {"x": "c", "y": "d"}


def test_target_has_one_letter_whatever_is_played_on_it_and_in_whatever_way() -> None:
    book, wild = LetterBook(), Move("wild", ("1", "crown", "x"))
    offers = [
        play("9", "x"),
        play("9", "y"),
        Offer(wild, Sentence("Discard the {c0}", (), ("1",)), (), ("1", "crown", "x")),
    ]
    scene = scene_with(["9", "1"], *offers, PASS)
    assert book.assign(scene, book.sort(scene)) == ["ac", "ad", "bc", "z"]
    both = scene_with(["9", "1"], *offers, play("1", "x"), PASS)
    *letters, _ = book.assign(both, book.sort(both))
    assert len(set(letters)) == 4 and letters[:2] == ["ac", "ad"] and "bc" in letters


def test_more_cards_than_letters_have_letters_of_their_own() -> None:
    book, cards = LetterBook(), [str(number) for number in range(70)]
    scene = scene_with(cards, *map(play, cards), PASS)
    letters = book.assign(scene, book.sort(scene))
    assert len(set(letters)) == 71 and not any(parse_command(letter) for letter in letters)


def test_no_offer_letter_is_a_command() -> None:
    assert not [letter for letter in LETTERS if parse_command(letter)]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("", TypedCommand("list")),
        ("?", TypedCommand("rule")),
        ("? raven", TypedCommand("rule", "raven")),
        ("?raven", TypedCommand("rule", "raven")),
        ("U", TypedCommand("undo")),
        ("undo North", TypedCommand("undo", "North")),
        ("l all", TypedCommand("log", "all")),
        ("quit", TypedCommand("leave")),
        ("help", TypedCommand("help")),
        ("hint", TypedCommand("hint")),
        ("who", TypedCommand("who")),
        ("why raven", TypedCommand("why", "raven")),
        ("who is there", None),
        ("hide the truth", None),
        ("play raven", None),
    ],
)
def test_typed_commands_are_recognized(typed: str, command: TypedCommand | None) -> None:
    assert parse_command(typed) == command


def offers(game: str, *moves: str) -> tuple[Choice, ...]:
    """Return moves as a game offers them with its usual deck."""
    rules, deck = registry.rules(game), known_deck(registry.find(game).deck)
    assert deck
    found = []
    for move in map(Move.parse, moves):
        cards = tuple(deck.by_id[word] for word in move.operands if word in deck.by_id)
        label = rules.label(move).render(str, lambda card: deck[card].title)
        found.append(Choice(move, label, tuple(name for card in cards for name in (card.name, card.title)), cards))
    return tuple(found)


GAMBIT = offers(
    "prophets-gambit",
    *(f"{verb} {card}" for verb in ("play", "risk") for card in ("4-glyphs", "9-coins", "9-stars", "master-swords")),
)
FATES = offers("turn-of-fate", "play 8yk 2mk", "play 8yk 3sk", "play Xk 2mk", "wild Xk 8yk 2mk", "pass")


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("risk shepherd", ["risk 4-glyphs"]),
        ("play warrior", ["play master-swords"]),
        ("risk 4 of glyphs", ["risk 4-glyphs"]),
        ("risk the shep", ["risk 4-glyphs"]),
        ("9c", ["play 9-coins", "risk 9-coins"]),
        ("risk 9 st", ["risk 9-stars"]),
        ("play 9s", ["play 9-stars"]),
        ("ms", ["play master-swords", "risk master-swords"]),
        ("shepherd risk", []),
    ],
)
def test_move_is_chosen_by_its_effect_and_a_card_in_any_words(typed: str, moves: list[str]) -> None:
    assert [offer.move.id for offer in pick(typed, GAMBIT)] == moves


@pytest.mark.parametrize(
    ("typed", "moves"),
    [
        ("betrayal author", ["play 8yk 2mk"]),
        ("bet auth", ["play 8yk 2mk"]),
        ("betrayal on the auth", ["play 8yk 2mk"]),
        ("8YK 2mk", ["play 8yk 2mk"]),
        ("discard author", ["wild Xk 8yk 2mk"]),
        ("author betrayal", []),
    ],
)
def test_move_of_two_cards_is_chosen_by_the_beginnings_of_its_words(typed: str, moves: list[str]) -> None:
    assert [offer.move.id for offer in pick(typed, FATES)] == moves


@pytest.mark.parametrize(
    ("game", "move", "typed", "is_meant"),
    [
        ("dragon-citadel", "play tempter", "ghost", False),
        ("dragon-citadel", "play tempter", "TEMPTER", True),
        ("dragon-citadel", "play mists", "mist", True),
        ("prophets-gambit", "risk 4-glyphs", "raven", False),
        ("turn-of-fate", "play Xk 2mk", "calamity", False),
        ("turn-of-fate", "play Xk 2mk", "windfall", True),
        ("propheta", "play aries-scrap-2", "taurus scrap", False),
        ("propheta", "play aries-scrap-2", "aries scrap", True),
        ("deck-of-destiny", "play queen-spades", "king of spades", False),
    ],
)
def test_other_card_is_not_mistaken_for_the_offered_one(game: str, move: str, typed: str, is_meant: bool) -> None:
    deck = known_deck(registry.find(game).deck)
    assert deck
    card = move.split()[1]
    offer = Offer(Move.parse(move), Sentence("Play the {c0}", (), (card,)), (), (card,))
    choices = choices_of([offer], ["a"], deck, lambda sentence: sentence.render(str, lambda one: deck[one].title))
    assert bool(pick(typed, choices)) is is_meant
