"""Inventories of the Deck of Destiny: read from the characters' notes, and updated after an encounter."""

from pathlib import Path

import pytest

from tests.games.destiny.position import DECK, cards
from tests.wording import Says
from vaultkit.campaign.deck_of_destiny import inventory
from vaultkit.campaign.deck_of_destiny.inventory import Change
from vaultkit.cards import Card, Deck
from vaultkit.compendium.deck_of_destiny import find_card_id
from vaultkit.errors import InvalidError, MissingNote, UsageError, WriteError
from vaultkit.vault import Vault

NAMES = {card.id: card.name for card in DECK}
NETTLE = "---\naliases: [Nettle]\ndestiny-inventory:\n  - Ace of Spades # the first\n  - 10 of Hearts\n---\nA thief.\n"


def vault_of(root: Path, **notes: str) -> Vault:
    (root / ".obsidian").mkdir()
    for name, text in notes.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8", newline="")
    return Vault(root)


def inventory_text(*names: str) -> str:
    return "".join(["---\ndestiny-inventory:\n", *(f'  - "{name}"\n' for name in names), "---\n"])


def test_dd_15_stake_lists_own_cards_and_those_of_all_others(tmp_path: Path) -> None:
    vault = vault_of(
        tmp_path, Nettle=NETTLE, Bram=inventory_text("2 of Clubs"), Sefa=inventory_text("king-hearts"), Ivo="A boy.\n"
    )
    stake = inventory.stake(vault, DECK, "Nettle")
    assert stake.note == "Nettle.md" and stake.own == cards("AS TH")
    assert set(stake.elsewhere) == set(cards("2C KH"))
    assert stake.options == {"inventory": 2, "elsewhere": 2}
    assert set(stake.known) == {"inventory", "elsewhere"}


def test_new_inventory_is_dealt_at_random(tmp_path: Path) -> None:
    vault = vault_of(tmp_path, Ivo="A boy.\n", Bram=inventory_text("2 of Clubs", "Queen of Cups"))
    stake = inventory.stake(vault, DECK, "Ivo", new=True)
    assert stake.options == {"elsewhere": 1} and stake.known == {"elsewhere": cards("2C")}


def test_empty_inventory_is_valid(tmp_path: Path) -> None:
    stake = inventory.stake(vault_of(tmp_path, Ivo="---\ndestiny-inventory: []\n---\n"), DECK, "Ivo")
    assert stake.own == () and stake.options["inventory"] == 0


@pytest.mark.parametrize(
    ("notes", "said", "hint"),
    [
        ({"Nettle": "No cards.\n"}, "no inventory", "--new-inventory"),
        ({"Nettle": inventory_text("Ace of Cups")}, "has no card 'Ace of Cups'", "Ace of Clubs"),
        ({"Nettle": inventory_text("2 of Clubs", "2-clubs")}, "names 2 of Clubs twice", "Delete one"),
        (
            {"Nettle": inventory_text("2 of Clubs"), "Bram": inventory_text("2 of clubs")},
            "here and in Bram.md",
            "from one",
        ),
    ],
)
def test_unplayable_inventory_is_refused(tmp_path: Path, notes: dict[str, str], said: str, hint: str) -> None:
    with pytest.raises(InvalidError, match=said) as caught:
        inventory.stake(vault_of(tmp_path, **notes), DECK, "Nettle")
    assert hint in caught.value.hint and "Nettle.md" in caught.value.where


def test_a_second_first_inventory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="already") as caught:
        inventory.stake(vault_of(tmp_path, Nettle=NETTLE), DECK, "Nettle", new=True)
    assert "--new-inventory" in caught.value.hint


def test_a_character_without_a_note(tmp_path: Path) -> None:
    with pytest.raises(MissingNote):
        inventory.stake(vault_of(tmp_path, Nettle=NETTLE), DECK, "Netle")


@pytest.mark.parametrize(
    "text",
    ["Ace of Spades", "ace-spades", " ACE  of spades ", "[[standard-deck#Ace of Spades]]", "[[x|Ace of Spades]]"],
)
def test_cards_are_recognized_by_name_id_and_link(text: str) -> None:
    assert find_card_id(text, NAMES) == "ace-spades"


@pytest.mark.parametrize("text", ["", "Ace", "[[standard-deck#Cards]]", "[[]]", "Spades"])
def test_unknown_cards_are_refused(text: str) -> None:
    assert find_card_id(text, NAMES) is None


def test_only_the_inventory_is_written(tmp_path: Path) -> None:
    vault = vault_of(tmp_path, Nettle=NETTLE)
    change = Change("Nettle.md", cards("AS TH"), cards("AS 2C"))
    note = vault.read("Nettle.md")
    splice = inventory.plan_inventory(change, note, NAMES)
    assert splice is not None
    after = splice.apply(note.text)
    assert after == NETTLE.replace("10 of Hearts", '"2 of Clubs"')
    assert inventory.reason_not_written(change, vault, NAMES) == ""


@pytest.mark.parametrize("before", [None, (), cards("AS"), cards("AS 9C")])
def test_inventory_changed_since_is_left_alone(tmp_path: Path, before: tuple[str, ...] | None) -> None:
    vault = vault_of(tmp_path, Nettle=NETTLE)
    change = Change("Nettle.md", before, cards("2C"))
    assert inventory.plan_inventory(change, vault.read("Nettle.md"), NAMES) is None
    remark = inventory.reason_not_written(change, vault, NAMES)
    assert "has changed since" in remark and "2 of Clubs" in remark


def test_missing_character_note_is_reported(tmp_path: Path) -> None:
    remark = inventory.reason_not_written(Change("Gone.md", (), ()), vault_of(tmp_path), NAMES)
    assert "is gone" in remark and "no cards" in remark


def test_unwritable_note_is_refused_before_the_game(tmp_path: Path) -> None:
    vault = vault_of(tmp_path, Ivo="---\nobsidianUIMode: preview\ncssclasses: json5e-note\n---\n")
    with pytest.raises(WriteError):
        inventory.check_writable(vault, inventory.stake(vault, DECK, "Ivo", new=True))


def test_text_of_remaining_entries_is_not_changed(tmp_path: Path) -> None:
    entries = '  - "[[deck#Cards|3 of Hearts]]"\n  - 5 of Spades # from mother\n  - Ace of Spades\n'
    text = f"---\ndestiny-inventory:\n{entries}---\n"
    note = vault_of(tmp_path, Pell=text).read("Pell.md")
    splice = inventory.plan_inventory(Change("Pell.md", cards("3H 5S AS"), cards("AS 3H KH")), note, NAMES)
    assert splice is not None
    assert splice.apply(text) == text.replace("  - 5 of Spades # from mother\n", "").replace(
        "Ace of Spades\n", "Ace of Spades\n  - King of Hearts\n"
    )


def test_dd_15_cards_gained_by_others_meanwhile_are_not_written_twice(tmp_path: Path) -> None:
    vault = vault_of(tmp_path, Nettle=NETTLE, Bram=inventory_text("2 of Clubs"))
    change = Change("Nettle.md", cards("AS TH"), cards("TH 2C 3C"))
    remark = inventory.reason_not_written(change, vault, NAMES)
    assert "2 of Clubs is in the inventory of Bram.md by now" in remark and "3 of Clubs" in remark


def test_inventory_that_cannot_be_edited_is_reported(tmp_path: Path) -> None:
    note = "---\nx: &a\n  - Ace of Spades\ndestiny-inventory: *a\n---\n"
    remark = inventory.reason_not_written(
        Change("Ivo.md", cards("AS"), cards("2C")), vault_of(tmp_path, Ivo=note), NAMES
    )
    assert "could not be written" in remark and "2 of Clubs" in remark


def test_dd_15_ignored_entries_of_other_inventories_are_reported(tmp_path: Path) -> None:
    notes = {"Bram": inventory_text("2 of Clubs", "Queen of Cups"), "Ivo": inventory_text("2 of Clubs", "Soldier")}
    vault = vault_of(tmp_path, Nettle=NETTLE, **notes)
    other = Deck("own", "Own", (Card("soldier", "Soldier"),))
    stake = inventory.stake(vault, DECK, "Nettle", decks=[other])
    assert stake.elsewhere == cards("2C")
    wrong, twice = stake.remarks
    assert "'Queen of Cups' in the inventory of Bram.md is not a card" in wrong
    assert "2 of Clubs is in several inventories: Bram.md and Ivo.md" in twice


@pytest.mark.parametrize("name", ["Maud", "FERROW", "ferrow"])
def test_part_of_a_name_suggests_the_whole_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(MissingNote) as caught:
        inventory.stake(vault_of(tmp_path, **{"Maud Ferrow": NETTLE, "Maud Ferrow Ferry": "A ship."}), DECK, name)
    assert caught.value.hint == Says("mean", "Maud Ferrow")


def test_unreadable_note_does_not_lose_the_game(tmp_path: Path) -> None:
    vault = vault_of(tmp_path)
    (tmp_path / "Ivo.md").write_bytes(b"---\nname: caf\xe9\n---\n")
    remark = inventory.reason_not_written(Change("Ivo.md", None, cards("2C")), vault, NAMES)
    assert "could not be written" in remark and "2 of Clubs" in remark
