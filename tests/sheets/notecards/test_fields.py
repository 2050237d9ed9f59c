"""The option `--fields`: which facts of notes are on their cards, and what their names look like."""

from pathlib import Path

import pytest

from tests.wording import Says
from vaultkit.errors import UnknownName
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.text.stat_block import label_of
from vaultkit.vault import Vault

ZAP = """---
type: spell
CastingTime: 1 action
range: none
duration:
MacLeod: a friend
source: Blue Book
---
# Zap

- **Save:** tbd
- **Casting Cost:** 3

A flash.
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    (tmp_path / "Spells").mkdir()
    (tmp_path / "Spells" / "Zap.md").write_text(ZAP, encoding="utf-8")
    return Vault(tmp_path)


def find_facts(vault: Vault, *fields: str) -> list[str]:
    (card,) = note_set(vault, "Spells", fields=fields).cards
    return [fact.words() for fact in card.syntax_tree().walk() if fact.kind == "Fact"]


def test_names_are_written_out_as_in_the_design_or_stay(vault: Vault) -> None:
    assert find_facts(vault) == ["Casting time1 action", "MacLeoda friend", "Casting Cost3"]


@pytest.mark.short(5)
@pytest.mark.parametrize(
    ("field", "facts"),
    [
        ("MacLeod", ["MacLeoda friend"]),
        ("macleod", ["MacLeoda friend"]),
        ("casting_time", ["Casting time1 action"]),
        ("CastingTime", ["Casting time1 action"]),
        ("casting cost", ["Casting Cost3"]),
        ("source", ["SourceBlue Book"]),
        ("range", []),
        ("duration", []),
        ("save", []),
    ],
)
def test_field_that_a_note_has_is_accepted_whatever_its_value(vault: Vault, field: str, facts: list[str]) -> None:
    assert find_facts(vault, field) == facts


def test_unknown_field_is_refused_with_some_of_the_known_ones(vault: Vault) -> None:
    lines = "".join(f"field{letter}: {letter}\n" for letter in "abcdefghijk")
    (vault.root / "Spells" / "Zip.md").write_text(f"---\n{lines}---\n# Zip\n", encoding="utf-8")
    with pytest.raises(UnknownName, match="No note here has a field 'xyzzy'") as caught:
        note_set(Vault(vault.root), "Spells", fields=("range", "xyzzy"))
    assert caught.value.hint == Says("Fields", "Type", "Casting time", "Range", "Duration", "MacLeod", "Source")


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("casting_time", "Casting time"),
        ("castingTime", "Casting time"),
        ("YouTube", "YouTube"),
        ("MacLeod", "MacLeod"),
        ("DnD", "DnD"),
        ("hp", "Hp"),
        ("Old MacDonald", "Old MacDonald"),
    ],
)
def test_label_of_a_key(key: str, label: str) -> None:
    assert label_of(key) == label
