"""How notes say that they are decks, and how they nearly say it."""

from pathlib import Path

import pytest

from tests.compendium.making import problems as check
from tests.vault.making import make_files, note
from vaultkit.compendium import Compendium
from vaultkit.compendium.decks.markers import is_marked, kind_of, written_property


@pytest.mark.parametrize("name", ["vaultkit-deck", "Vaultkit-Deck", "vaultkit_deck", "vaultkitdeck", "vaultkit-decks"])
def test_deck_property_is_recognized_in_every_spelling(name: str) -> None:
    found = note(f"---\n{name}: Cups\n---\n")
    assert (written_property(found), kind_of(found), is_marked(found)) == (name, "cups", True)


@pytest.mark.parametrize("name", ["deck", "vaultkit", "vaultkit-decktet", "vaultkit-default", "my-vaultkit-deck"])
def test_other_properties_mark_no_deck(name: str) -> None:
    found = note(f"---\n{name}: cups\n---\n")
    assert (written_property(found), is_marked(found)) == ("", False)


def test_correct_spelling_is_preferred() -> None:
    assert kind_of(note("---\nvaultkit_deck: a\nvaultkit-deck: b\n---\n")) == "b"


def test_other_spelling_is_reported_for_each_note(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Cups.md": "---\ntags: [x]\nvaultkit_deck: cups\n---\n# Cups\n",
        "a.md": "---\nvaultkit-deck: cups\nsuit: A\n---\n",
        "b.md": "---\nvaultkitdeck: cups\nsuit: A\n---\n",
    }
    compendium = Compendium(make_files(tmp_path, files))
    (deck,) = compendium.decks
    assert (len(deck.deck), deck.sound) == (2, True)
    told = [(problem.note, problem.line, problem.code, problem.severity) for problem in check(compendium.vault)]
    assert told == [("b.md", 2, "deck-property", "warning"), ("Cups.md", 3, "deck-property", "warning")]


@pytest.mark.parametrize(
    ("kind", "meant"),
    [("tarroka", "tarokka"), ("Tarokkka", "tarokka"), ("decket", "decktet"), ("french", "french52")],
)
def test_misspelt_known_kind_is_reported(tmp_path: Path, kind: str, meant: str) -> None:
    compendium = Compendium(make_files(tmp_path, {"D.md": f"---\nvaultkit-deck: {kind}\n---\n### A\n"}))
    (problem,) = check(compendium.vault)
    assert (problem.line, problem.code, problem.hint) == (2, "deck-kind", f"Did you mean '{meant}'?")
    assert compendium.decks[0].sound


@pytest.mark.parametrize("kind", ["tarot", "tarok", "tarock", "tavern", "deck", "decks", "astrology", "52"])
def test_own_kind_is_not_reported_as_a_typo(tmp_path: Path, kind: str) -> None:
    assert check(make_files(tmp_path, {"D.md": f"---\nvaultkit-deck: {kind}\n---\n### A\n"})) == ()
