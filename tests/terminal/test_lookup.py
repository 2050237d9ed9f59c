"""The lookup `?`: cards by any of their names with their rules, headings and offers."""

from pathlib import Path

import pytest

from tests.terminal.helpers import Notes, play_typed
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Sentence
from vaultkit.games.turn import Move, Prompt
from vaultkit.scene import rule_reference
from vaultkit.scene.rule_reference import Reference
from vaultkit.search.passages import Passage
from vaultkit.terminal.note_text import plain_lines

EXAMPLE = Path(__file__).parents[2] / "vault-example"


@pytest.fixture(scope="module")
def gambit() -> GameNotes:
    return GameNotes.from_name(Workspace(EXAMPLE), "prophets-gambit")


def reference_of(table: GameNotes) -> Reference:
    return Reference(table.rule_note, table.deck_note, plain_lines)


def find_passages(wanted: str, table: GameNotes) -> list[Passage]:
    return list(rule_reference.text_passages(wanted, table.deck_note.deck, reference_of(table)))


def test_high_card_shows_its_effect_and_then_its_own_text(gambit: GameNotes) -> None:
    (raven,) = find_passages("raven", gambit)
    assert raven.complete and raven.text.startswith("Raven. Everyone picks a card in secret;")
    assert "Black wings on a bare branch" in raven.text
    (miser,) = find_passages("9c", gambit)
    assert not miser.complete and "own" in miser.text


@pytest.mark.parametrize(
    ("wanted", "title"),
    [("risk", "Risk"), ("TIES", "Ties"), ("execution", "The Execution"), ("winning hands", "Order of Winning Hands")],
)
def test_a_heading_of_the_rule_note_is_found_by_its_words(gambit: GameNotes, wanted: str, title: str) -> None:
    (passage,) = find_passages(wanted, gambit)
    assert passage.title.startswith(title) and passage.text and not passage.source


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("game", "wanted", "title", "text"),
    [
        ("prophets-gambit", "Focus", "Setting Up", "Focus"),
        ("propheta", "modality", "The Cards", "Cardinal"),
        ("propheta", "modalities", "The Cards", "Cardinal"),
        ("propheta", "lead elements", "Playing a Trick", "lead element"),
        ("propheta", "spring", "The Cards", "Spring"),
        ("turn-of-fate", "personality", "Setting Up", "eleven personalities"),
        ("deck-of-destiny", "inventories", "The Two Piles", "Your inventory"),
    ],
)
def test_words_in_bold_are_found_where_no_heading_has_them(game: str, wanted: str, title: str, text: str) -> None:
    (passage,) = find_passages(wanted, GameNotes.from_name(Workspace(EXAMPLE), game))
    assert passage.title == title and text in passage.text


def test_unknown_words_find_no_passage(gambit: GameNotes) -> None:
    assert not find_passages("wombat", gambit) and not find_passages("  ", gambit)


def test_a_question_between_moves_shows_the_rules_of_each(gambit: GameNotes) -> None:
    moves = (Move("play", ("9-coins",)), Move("risk", ("9-coins",)))
    prompt = Prompt(0, Sentence("Play or risk?"), "The Two Rounds", ("PG-8",), moves)
    titles = [
        passage.title for passage in rule_reference.turn_passages(prompt, gambit.deck_note.deck, reference_of(gambit))
    ]
    assert titles == ["The Two Rounds", "Play", "Risk"]


def test_question_about_a_card_with_its_own_rule_shows_only_that(gambit: GameNotes) -> None:
    text = Sentence("For the {c0}?", (), ("darklord",))
    prompt = Prompt(0, text, "High Deck Rules", ("PG-19",), (Move("target", ("1",)),))
    (passage,) = rule_reference.turn_passages(prompt, gambit.deck_note.deck, reference_of(gambit))
    assert passage.title == "Darklord"


def test_card_without_a_text_shows_its_row_of_the_deck_table() -> None:
    deck = known_deck("astromancy")
    assert deck
    (passage,) = rule_reference.text_passages("libra 2", deck, Reference())
    assert {"Rank: 2", "Suit: Libra", "Season: Autumn", "Element: Air"} <= set(passage.text.splitlines())


@pytest.mark.parametrize("wanted", ["ks", "K spades", "king of spades", "? ks"[2:]])
def test_a_short_code_asks_for_a_card(wanted: str) -> None:
    deck = known_deck("french52")
    assert deck and [passage.title for passage in rule_reference.text_passages(wanted, deck, Reference())] == [
        "King of Spades"
    ]


def test_an_offer_is_asked_about_by_its_letter(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "a", "? a", "? c", "? 9")
    assert seen.count("Text of ") == 2 and "Nothing is known of '9'. Search" in seen
    assert "Rule Cheering" in play_typed(tmp_path / "no card", "? a")


def test_toy_notes_implement_the_reference_protocol() -> None:
    notes: Reference = Notes()
    assert notes.section("cheering") and not notes.section("wombat")
