"""The source of a card's text that `?` names at the table."""

from pathlib import Path

from tests.vault.making import make_files
from vaultkit.compendium import Compendium
from vaultkit.scene.rule_reference import NoteReference
from vaultkit.terminal.note_text import plain_lines

CARD = "---\nvaultkit-deck: birds\nsuit: Night\nrank: {}\n---\n# {}\nIt flies.\n"


def source(folder: Path, **files: str) -> str:
    (deck,) = Compendium(make_files(folder, {f"Birds/{name}.md": text for name, text in files.items()})).decks
    passage = NoteReference(None, deck, plain_lines).card(deck.entries[-1].card.id)
    assert passage is not None and passage.text == "It flies."
    return passage.source


def test_deck_is_named_after_its_note(tmp_path: Path) -> None:
    assert source(tmp_path, All="---\nvaultkit-deck: birds\n---\n# Cards\n### Owl\nIt flies.\n") == "All"


def test_card_note_without_a_deck_note_is_named_itself(tmp_path: Path) -> None:
    assert source(tmp_path, Owl=CARD.format(1, "Owl"), Raven=CARD.format(2, "Raven")) == "Raven"
