"""`deck new` as a command: a deck of the notes or the pictures in a folder."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for name in (".obsidian", "Omens/Dark", "Pictures"):
        (root / name).mkdir(parents=True)
    (root / "Omens" / "Omens.md").write_text("A list of all omens.\n", encoding="utf-8")
    (root / "Omens" / "Owl.md").write_text("---\nsuit: Night\nrank: 2\n---\nDo not ask.\n", encoding="utf-8")
    (root / "Omens" / "Dark" / "Crow [x].md").write_text("# The Crow\n\nIt saw you.\n", encoding="utf-8")
    (root / "Pictures" / "Bell.png").write_bytes(b"")
    return root


def test_each_note_in_the_folder_becomes_a_card(vk: Vaultkit, vault: Path) -> None:
    notes = {path: path.read_bytes() for path in vault.rglob("*.md")}
    done = vk("deck", "new", "omens", cwd=vault)
    assert done.code == ExitCode.OK and "Omens/Omens Deck.md (2 cards)" in done.err
    cards = {card["name"]: card for card in vk("deck", "omens", "--json", cwd=vault).json["cards"]}
    assert {*cards} == {"Owl", "The Crow"}
    assert (cards["Owl"]["suit"], cards["Owl"]["rank"], cards["Owl"]["text"]) == ("Night", 2, "Do not ask.")
    assert all(path.read_bytes() == data for path, data in notes.items())
    assert vk("check", cwd=vault).code == ExitCode.OK
    assert vk("draw", "omens", "2", cwd=vault).out.count("\n") == 2
    vk("undo", cwd=vault)
    assert {*vault.rglob("*.md")} == {*notes}


def test_pictures_become_cards_in_a_folder_without_notes(vk: Vaultkit, vault: Path) -> None:
    assert vk("deck", "new", "Pictures", "--title", "The Bells", cwd=vault).code == ExitCode.OK
    (card,) = vk("deck", "the-bells", "--json", cwd=vault).json["cards"]
    assert (card["name"], card["image"]) == ("Bell", "Pictures/Bell.png")


def test_a_dry_run_shows_the_note_and_a_second_deck_of_a_kind_is_refused(vk: Vaultkit, vault: Path) -> None:
    done = vk("deck", "new", "Omens", "--dry-run", cwd=vault)
    assert "+vaultkit-deck: omens\n" in done.out and not (vault / "Omens" / "Omens Deck.md").exists()
    vk("deck", "new", "Omens", cwd=vault)
    again = vk("deck", "new", "Omens", cwd=vault)
    assert again.code == ExitCode.USAGE and "vaultkit deck omens" in again.err
    assert vk("deck", "new", "Nowhere", cwd=vault).code == ExitCode.NOTHING
