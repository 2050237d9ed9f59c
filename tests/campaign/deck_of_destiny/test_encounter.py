"""Notes of encounters: their settings, and errors in them."""

from pathlib import Path

import pytest

from vaultkit.campaign.deck_of_destiny import encounter
from vaultkit.errors import InvalidError, MissingNote
from vaultkit.games.options import Value
from vaultkit.session.journal_records import Agreement
from vaultkit.vault import Vault


def read(root: Path, properties: str) -> tuple[Agreement, dict[str, Value]]:
    (root / ".obsidian").mkdir()
    (root / "Ford.md").write_text(f"---\n{properties}\n---\nA ford.\n", encoding="utf-8")
    return encounter.read_encounter(Vault(root), "Ford")


@pytest.mark.parametrize(
    ("properties", "options"),
    [
        ("kind: combative\nstrength: 4", {"strength": 4, "requires": "none"}),
        ("strength: 7\nreward: none", {"strength": 7, "reward": "none", "requires": "none"}),
        ("kind: passive\nrequires: Full House", {"requires": "full-house"}),
        ("requires: Two pair", {"requires": "two-pairs"}),
        ("requires: a straight_flush", {"requires": "straight-flush"}),
        ("requires: two pairs\nreward: 3", {"requires": "two-pairs", "reward": 3}),
        ("kind: Combative\nrequires: flush\nstrength: 2", {"requires": "none", "strength": 2}),
    ],
)
def test_dd_9_dd_14_demands_of_an_encounter_note(tmp_path: Path, properties: str, options: dict[str, object]) -> None:
    agreement, found = read(tmp_path, properties)
    assert found == options and agreement.encounter == "Ford.md" and agreement.on_loss == ""


def test_dd_11_cost_of_a_loss(tmp_path: Path) -> None:
    assert read(tmp_path, "strength: 1\non_loss: >\n  One  year\n  of life.")[0].on_loss == "One year of life."


@pytest.mark.parametrize(
    ("properties", "said", "hint"),
    [
        ("kind: passive", "asks for a hand", "requires: flush"),
        ("kind: musical", "not a kind of encounter", "combative, passive"),
        ("strength: 9", "'9' is not a value", "Accepted"),
        ("requires: Royal Flush", "'Royal Flush' is not a value", "straight-flush"),
        ("tags: [inn]", "no encounter", "strength"),
    ],
)
def test_note_that_cannot_be_an_encounter_is_refused(tmp_path: Path, properties: str, said: str, hint: str) -> None:
    with pytest.raises(InvalidError, match=said) as caught:
        read(tmp_path, properties)
    assert hint in caught.value.hint and caught.value.where == "Ford.md"


def test_an_encounter_without_a_note(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    with pytest.raises(MissingNote):
        encounter.read_encounter(Vault(tmp_path), "The Ford")
