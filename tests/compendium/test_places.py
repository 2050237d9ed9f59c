"""Links read backwards, from the cards to the notes that use them."""

from pathlib import Path

import pytest

from tests.compendium.making import BIRDS, TABLE, deck_of
from tests.vault.making import make_files
from vaultkit.compendium import Compendium
from vaultkit.compendium.linking.card_targets import address, find_backlinks, own_notes


@pytest.fixture
def compendium(tmp_path: Path) -> Compendium:
    return Compendium(make_files(tmp_path, {"Decks/Birds.md": BIRDS, "Decks/Fish.md": TABLE, "Rules.md": "x"}))


USES = """[[Birds#Raven|it]] [[Birds#Cards#raven]] ![[Decks/Birds#Raven]] [o](Decks/Birds.md#Hooded%20One)

[[Birds]] [[Birds#Owl]] [[Birds#Nobody]] [[Birds#^raven]] [[Fish#All of Them|Pikes]] [[Fish#All of Them]] [x](http://a.b)
"""


def test_backlinks_list_the_notes_that_use_a_card(compendium: Compendium, tmp_path: Path) -> None:
    vault = make_files(
        tmp_path, {"Rules.md": USES, "Sub/Other.md": '---\nsee: "[[Birds#Raven]]"\n---\n', "Bad.md": b"\xff"}
    )
    decks = {deck.deck.kind: deck for deck in Compendium(vault).decks}
    told = [
        (use.card.card.name, use.note, use.line, use.column, use.text) for use in find_backlinks(vault, decks["birds"])
    ]
    assert told == [
        ("Raven", "Rules.md", 1, 1, "it"),
        ("Raven", "Rules.md", 1, 20, "Birds#Cards#raven"),
        ("Raven", "Rules.md", 1, 42, "Decks/Birds#Raven"),
        ("Hooded One", "Rules.md", 1, 65, "o"),
        ("Raven", "Sub/Other.md", 2, 7, "Birds#Raven"),
    ]
    assert [(use.card.card.name, use.text) for use in find_backlinks(vault, decks["fish"])] == [("Pike", "Pikes")]


def test_links_within_the_deck_are_not_backlinks(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Birds.md": f"{BIRDS}See [[#Raven]] and [[Birds#Raven]].\n"})
    assert find_backlinks(vault, Compendium(vault).decks[0]) == ()


def test_link_to_a_section_of_a_card_note_is_a_link_to_the_card(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Owl.md": "## Food\n", "A.md": "[[Owl#Food]] [[Owl#Nests]]"})
    uses = find_backlinks(vault, deck_of("Own.md", ("Owl", "Owl.md", 1)))
    assert [use.text for use in uses] == ["Owl#Food"]


@pytest.mark.parametrize("link", ["[[BIRDS#raven]]", "[x](decks/birds.MD#raven)", "[[../Decks/Birds.md#Raven]]"])
def test_f2_a_name_in_any_case_and_with_its_suffix(compendium: Compendium, tmp_path: Path, link: str) -> None:
    vault = make_files(tmp_path, {"Sub/Rules.md": f"{link} [[Bird#raven]] [[Birds.txt#raven]] [[#raven]] [x](a:b)"})
    assert [use.card.card.name for use in find_backlinks(vault, Compendium(vault).decks[0])] == ["Raven"]


def test_card_notes_without_a_deck_note_are_all_cards(tmp_path: Path) -> None:
    """The first of them is the deck's note too, and a card like the others."""
    card = "---\nvaultkit-deck: birds\nsuit: Night\nrank: {}\n---\n# {}\n## Food\n"
    uses = "[[Owl]] [[Owl|she]] [[Owl#Owl]] [[Owl#Food|x]] [[Raven|he]] [[Raven#Food|y]]"
    files: dict[str, str | bytes] = {
        "Cards/Owl.md": card.format(1, "Owl"),
        "Cards/Raven.md": card.format(2, "Raven"),
        "Rules.md": uses,
    }
    vault = make_files(tmp_path, files)
    (deck,) = Compendium(vault).decks
    assert (deck.headed, deck.note.path) == (False, "Cards/Owl.md")
    assert own_notes(deck) == {"Cards/Owl.md", "Cards/Raven.md"}
    told = [(use.card.card.name, use.text) for use in find_backlinks(vault, deck)]
    assert told == [
        *(("Owl", text) for text in ("Owl", "she", "Owl#Owl", "x")),
        *(("Raven", text) for text in ("he", "y")),
    ]


@pytest.mark.slow
def test_addresses_of_cards(compendium: Compendium) -> None:
    entry = compendium.decks[0].entries[0]
    assert address(entry) == ("Decks/Birds.md", "Raven")
    assert own_notes(compendium.decks[0]) == {"Decks/Birds.md"}
