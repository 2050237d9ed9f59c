import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.counts import short
from tests.sheets.cards.reading import sizes
from tests.sheets.conftest import text_of
from tests.sheets.lint import problems, tagged_text
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import RuleNote
from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import InvalidError
from vaultkit.games.hands import POKER_ORDER, TAROKKA_NAMES, TAROKKA_ORDER, HandOrder, HandRanking
from vaultkit.games.registry import GAMES
from vaultkit.resources import shipped_folder
from vaultkit.session.rulings import ruling, ruling_of
from vaultkit.sheets.aids import load_aids, options_of_note
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.cards.text_sizes import MIN_TEXT_SIZE_PT
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.reference_sheet import ReferenceCards, print_reference
from vaultkit.vault import Note, Vault
from vaultkit.vault.tables import markdown_tables

GAME_IDS = [game for game in GAMES if load_aids(game, None).cards]
MARGIN_NOTES = 6.5
"""The size of text outside the cards, in points."""
RANKS = {"J": 11, "Q": 12, "K": 13, "A": 14, "M": 10}


@pytest.fixture(scope="module")
def compendium() -> Compendium:
    return Compendium(Vault(shipped_folder("vault-example")))


def reference_input(game: str, compendium: Compendium) -> ReferenceCards:
    """Return the input of a game's reference cards."""
    info = GAMES[game]
    deck, rules = compendium.deck_of_kind(info.deck, game), compendium.rule_note(game, (info.title, *info.aliases))
    return ReferenceCards(game, deck, rules, compendium.vault)


def all_cards(reference: ReferenceCards, *, everything: bool = False) -> list[PrintableCard]:
    return [*reference.player_cards(), *reference.deck_cards(everything=everything)]


def cards_of(game: str, compendium: Compendium, *, everything: bool = False) -> list[PrintableCard]:
    """Return the reference cards of a game."""
    return all_cards(reference_input(game, compendium), everything=everything)


@pytest.fixture(scope="module")
def print_game(compendium: Compendium, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that prints the reference cards of a game once."""
    folder, made = tmp_path_factory.mktemp("reference"), dict[str, Path]()

    def make(game: str) -> Path:
        if game not in made:
            made[game] = folder / f"{game}.pdf"
            print_reference(reference_input(game, compendium), GAMES[game].title, PrintJob("a4", made[game]))
        return made[game]

    return make


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_IDS)
def test_p6_reference_cards_are_tagged(print_game: Callable[[str], Path], game: str) -> None:
    assert problems(print_game(game)) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_IDS)
def test_p4_no_word_is_too_small_and_every_aid_fits_one_card(print_game: Callable[[str], Path], game: str) -> None:
    assert min(sizes(print_game(game)) - {MARGIN_NOTES}) >= MIN_TEXT_SIZE_PT
    assert "(continued)" not in text_of(print_game(game))


@pytest.mark.slow
def test_nine_to_a_page_with_marks_and_a_ruler_hidden_from_screen_readers(print_game: Callable[[str], Path]) -> None:
    path = print_game("prophets-gambit")
    assert len(PdfReader(path).pages) == 2
    assert "Print at 100 %" in text_of(path)
    told = " ".join(tagged_text(path))
    assert "Print at 100 %" not in told
    assert told.startswith("Prophet's Gambit ")


@pytest.mark.slow
def test_own_rule_of_the_gm_is_on_the_card_with_its_meaning_below(print_game: Callable[[str], Path]) -> None:
    told = tagged_text(print_game("prophets-gambit"))
    at = told.index("Artifact")
    assert told[at + 1] == "High Deck"
    assert told[at + 2].startswith("Exchange your Fate and the Focus. Your old Fate lies face up in the middle from")
    assert told[at + 3].startswith("A thing that remembers older hands than yours.")


@pytest.mark.parametrize("game", short(GAME_IDS))
def test_every_card_of_the_deck_is_printed_on_request(compendium: Compendium, game: str) -> None:
    cards = cards_of(game, compendium, everything=True)
    deck = compendium.deck_of_kind(GAMES[game].deck, game).deck
    assert [card.title for card in cards[-len(deck) :]] == [card.name for card in deck]


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        ("prophets-gambit", {card.name for card in known_deck("tarokka") or () if not card.suits}),
        ("dragon-citadel", {c.name for c in known_deck("tarokka") or () if not c.suits or c.rank == "Master"}),
        ("deck-of-destiny", set()),
        ("propheta", {card.name for card in known_deck("astromancy") or () if card.traits.get("kind") == "number"}),
        ("turn-of-fate", {c.name for c in known_deck("decktet") or () if c.rank in ("Ace", "Crown")} | {"Sailor"}),
    ],
)
def test_cards_with_a_rule_of_their_own_have_a_card(compendium: Compendium, game: str, wanted: set[str]) -> None:
    aids = [aid.title for aid in load_aids(game, None).cards]
    titles = {card.title for card in cards_of(game, compendium) if card.title not in aids}
    assert titles == wanted


@pytest.mark.parametrize("game", GAME_IDS)
def test_our_rulings_are_printed_without_a_rule_note(compendium: Compendium, game: str) -> None:
    reference = replace(reference_input(game, compendium), rules=None)
    deck, cards = reference.deck, {card.title: card for card in all_cards(reference, everything=True)}
    silent = [card.name for card in deck.deck if not cards[card.name].text_markdown]
    assert silent == [card.name for card in deck.deck if game == "deck-of-destiny" and card.rank != "Ace"]


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_ruling_named_by_an_aid_exists(game: str) -> None:
    aids = load_aids(game, None)
    told = [*(aid.rulings for aid in aids.cards), *(rule.rulings for rule in aids.rules)]
    named = [number for rulings in told for number in rulings]
    assert named
    assert [ruling_of(game, number).id for number in named] == named


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_rule_refers_to_some_card(game: str) -> None:
    deck = known_deck(GAMES[game].deck) or ()
    ids = {card.id for card in deck}
    for rule in load_aids(game, None).rules:
        assert rule.ids | rule.without <= ids
        assert any(rule.fits(card) for card in deck), rule.text


@pytest.mark.parametrize(
    ("game", "order", "names"),
    [
        ("prophets-gambit", HandOrder(TAROKKA_ORDER), [TAROKKA_NAMES[category] for category in TAROKKA_ORDER]),
        ("deck-of-destiny", HandOrder(POKER_ORDER), [category.value.capitalize() for category in POKER_ORDER]),
    ],
)
def test_hands_are_in_their_order_and_the_examples_are_correct(game: str, order: HandOrder, names: list[str]) -> None:
    hands = next(aid.hands for aid in load_aids(game, None).cards if aid.hands)
    assert [hand.name.replace("Triple", "Three of a kind") for hand in hands] == [
        name.replace("Triple", "Three of a kind") for name in names
    ]
    for hand, category in zip(hands, order.categories, strict=True):
        faces = {f"{rank}{suit}": (int(RANKS.get(rank, 0) or rank), suit) for rank, suit in hand.cards}
        assert len(faces) == 5
        assert HandRanking(order, faces).value(faces).category == category, hand.name


def table_of(game: str, title: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the Markdown tables of an aid, without their headers."""
    text = next(aid.whole for aid in load_aids(game, None).cards if aid.title == title)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rules = {number for number, line in enumerate(lines) if set(line) <= set("|- ")}
    rows = [line.strip("| ").split(" | ") for number, line in enumerate(lines) if not rules & {number, number + 1}]
    return tuple(tuple(cell.strip("*") for cell in row) for row in rows)


def test_twelve_signs_match_the_deck() -> None:
    traits = {card.suits[0]: card.traits for card in known_deck("astromancy") or ()}
    wanted = [(sign, t["season"], t["modality"], t["element"]) for sign, t in traits.items()]
    assert list(table_of("propheta", "The twelve signs")) == wanted


def test_tf_25_the_people_of_a_temple_are_those_of_the_deck() -> None:
    people = [card for card in known_deck("decktet") or () if "personality" in card.traits.get("types", "")]
    for temple, _, named in table_of("turn-of-fate", "Temples"):
        assert set(named.split(", ")) == {card.name for card in people if temple in card.suits}


def test_dc_33_rows_of_rewards_are_those_of_the_ruling() -> None:
    text = ruling("DC-33").text
    rows = table_of("dragon-citadel", "Scoring")
    assert len(rows) == 4
    for row, total, *_ in rows:
        assert re.search(rf"{total} (is )?row {row}\b", text), total


def test_dd_20_chances_are_those_of_the_ruling() -> None:
    text = ruling("DD-20").text
    lines = [line for line in text.splitlines() if line.startswith(("| 1", "| 2", "| 3", "| 4", "| 6"))]
    wanted = [tuple(str(round(float(cell) * 100)) for cell in line.split("|")[2:-1]) for line in lines]
    assert [row[1:] for row in table_of("deck-of-destiny", "What are my chances?")] == wanted


def test_house_rules_have_a_card(compendium: Compendium) -> None:
    game, reference = "prophets-gambit", reference_input("prophets-gambit", compendium)
    note = Note("r.md", b'---\nvaultkit-options: ["order=rarity"]\n---\n**Raven.** Nothing happens.\n')
    cards = {card.title: card for card in all_cards(replace(reference, rules=RuleNote(game, note)))}
    assert "`order` = **rarity**" in cards["House rules"].text_markdown
    assert cards["Raven"].text_markdown.startswith("Nothing happens.")


def test_house_rule_is_on_the_card_that_it_changes(compendium: Compendium) -> None:
    game, reference = "prophets-gambit", reference_input("prophets-gambit", compendium)
    options = {**options_of_note(game, None), "four_card": "scaled", "ghost": "top", "order": "rarity"}
    cards = {card.title: card for card in all_cards(replace(reference, rules=None, given_options=options))}
    assert "`four_card` = **scaled**" in cards["Ranks and ties"].text_markdown
    assert "`ghost` = **top**" in cards["Ghost"].text_markdown
    assert "House rule" not in cards["Your turn"].text_markdown
    assert [hand.name for hand in cards["Winning hands"].hands][:4] == ["Family", "Circle", "Guild", "Fortune"]


def test_dc_27_another_joker_has_the_text_of_the_seer(compendium: Compendium) -> None:
    game, reference = "dragon-citadel", reference_input("dragon-citadel", compendium)
    options = {**options_of_note(game, None), "joker": "Broken One"}
    cards = {card.title: card for card in all_cards(replace(reference, rules=None, given_options=options))}
    assert (cards["Broken One"].kicker, cards["Seer"].kicker) == ("the joker", "Crown")
    assert "The Broken One is never thrown" in cards["Who forfeits"].text_markdown


def test_dd_1_hands_of_the_tarokka_are_printed_where_it_is_used() -> None:
    aids = load_aids("deck-of-destiny", None, {**options_of_note("deck-of-destiny", None), "deck": "tarokka-common"})
    assert [aid.hands[0].name for aid in aids.cards if aid.hands] == ["Family"]


@pytest.mark.short(3)
@pytest.mark.parametrize("game", GAME_IDS)
def test_players_see_no_numbers_of_rulings(compendium: Compendium, game: str) -> None:
    reference = replace(reference_input(game, compendium), rules=None)
    numbers = re.compile(r"\b[A-Z]{1,2}-\d+\b")
    for card in all_cards(reference, everything=True):
        assert not numbers.search(card.text_markdown), card.title


def test_a_bar_in_a_cell_of_an_aid_stays_in_its_cell(tmp_path: Path) -> None:
    folder = tmp_path / ".vaultkit" / "print" / "aids"
    folder.mkdir(parents=True)
    rows = "head = ['A', 'B']\nrows = [['x | y', '[[Owl\\|owl]]']]\n"
    (folder / "propheta.toml").write_text(f"[[cards]]\ntitle = 'T'\n{rows}", encoding="utf-8")
    (aid,) = load_aids("propheta", tmp_path).cards
    (grid,) = markdown_tables(Note("Aid.md", aid.whole.encode()))
    assert [row.cells for row in grid.rows] == [("x \\| y", "[[Owl\\|owl]]")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[card]]\ntitle = "A"', "Unknown key 'card'"),
        ('[[cards]]\ntitle = "A"\nstep = ["x"]', "Unknown key 'step'"),
        ('[[cards]]\ntitle = "A"\nhead = ["a", "b"]\nrows = [["1"]]', "as many texts"),
        ('[[cards]]\ntitle = "A"\nhands = [{ name = "P", words = "w", cards = "five swords" }]', "five swords"),
        ('[[rules]]\ntext = "x"\nspecial = "yes"', "true or false"),
        ('[[rules]]\ntext = "x"\nranks = 7', "'ranks' must be a list"),
        ('[[rules]]\ntext = "x"\nwhen = { folow = ["element"] }', "no option 'folow'"),
        ('[[rules]]\ntext = "x"\nunless = "always"', "'unless' must be a table"),
        ('[[rules]]\ntext = "x"\ntraits = { deck = 1 }', "A value of 'traits' must be a text"),
    ],
)
def test_mistake_in_an_aid_is_reported(tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / ".vaultkit" / "print" / "aids"
    folder.mkdir(parents=True)
    (folder / "propheta.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidError, match=message):
        load_aids("propheta", tmp_path)
