import pytest

from vaultkit.compendium.card_text import find_rule, find_rule_line
from vaultkit.vault import Note

NOTE = """# Rules

**Raven.** Everyone passes a card.
- **[Beast](deck.md#Beast):** All discard.
**[[deck#Broken One|Broken One]]** Throw it away.

| Card | Effect |
|---|---|
| **Seer** | Look at every Fate. |
| Ghost | 7 |

## Donjon

The game is cut short.

Everyone keeps three cards.
"""


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("Raven", "Everyone passes a card."),
        ("Beast", "All discard."),
        ("Broken One", "Throw it away."),
        ("Seer", "Look at every Fate."),
        ("Ghost", ""),
        ("Mists", ""),
    ],
)
def test_rule_is_found_in_a_line_an_item_or_a_row(card: str, said: str) -> None:
    assert find_rule(Note("r.md", NOTE.encode()), card) == said


def test_rule_under_a_heading_is_returned_whole() -> None:
    said = find_rule(Note("r.md", NOTE.encode()), "Donjon")
    assert "The game is cut short.\n\nEveryone keeps three cards." in said
    assert "## Donjon" not in said


def test_rule_line_is_returned_with_its_name() -> None:
    assert find_rule_line(Note("r.md", NOTE.encode()), "Raven") == "**Raven.** Everyone passes a card."
    assert find_rule_line(Note("r.md", NOTE.encode()), "Donjon") == ""
