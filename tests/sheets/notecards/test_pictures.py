"""P16: a picture that a card shows is left out of the note's text, and all else is printed as on a sheet."""

from pathlib import Path

import pytest
from PIL import Image

from tests.sheets.conftest import text_of
from vaultkit.sheets.cards.card_sheet import print_set_pages
from vaultkit.sheets.notecards.note_cards import note_set
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.vault import Vault
from vaultkit.vault.markdown import Node

PICTURE = "![[x.png]]"


def body(root: Path, text: str) -> tuple[list[str], str]:
    """Return the words of each block of a vault's only card, and the printed words."""
    (root / "N").mkdir()
    for name in ("x.png", "y.png"):
        Image.new("RGB", (30, 20), "teal").save(root / name)
    (root / "N" / "Inn.md").write_text(f"# Inn\n\n{text}\n", "utf-8")
    made = note_set(Vault(root), "N")
    (card,) = made.cards
    assert card.image is not None and card.image.name == "x.png"
    words = text_of(print_set_pages(made, PrintJob("a4", root / "cards.pdf")).path)
    return [f"{node.kind} {'|'.join(_words(node))}" for node in card.syntax_tree().children], words


def _words(node: Node) -> list[str]:
    """Return the words of the lines and cells in a block."""
    if node.kind in {"Paragraph", "Heading", "TableCell", "CalloutTitle"} or node.kind == "CodeBlock":
        return [" ".join(node.words().split())]
    inside = [words for child in node.children for words in _words(child)]
    return inside or ([" ".join(node.words().split())] if node.words().strip() else [])


@pytest.mark.short(2)
@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (f"Warm.\n- {PICTURE}", ["Paragraph Warm."]),
        (f"Warm.\n* {PICTURE}\n* beds", ["Paragraph Warm.", "List beds"]),
        (f"Warm.\n\n{PICTURE}\n---\n\nBeds.", ["Paragraph Warm.", "Paragraph Beds."]),
        (f"Warm.\n\n{PICTURE}\n\n---\n\nBeds.", ["Paragraph Warm.", "Rule ", "Paragraph Beds."]),
        (f"Warm {PICTURE} beds.", ["Paragraph Warm beds."]),
        (f"Warm\n{PICTURE}\nbeds.", ["Paragraph Warm beds."]),
        (f"| {PICTURE} | bed |\n|---|---|\n| a | b |", ["Table |bed|a|b"]),
        (f"> [!infobox]\n> {PICTURE}\n\nBeds.", ["Paragraph Beds."]),
        (f"> [!info] House\n> {PICTURE}\n> Rule: *hush*.", ["Callout House|Rule: hush."]),
        (f"> [!info]- House\n> - {PICTURE}\n> - beds", ["Callout House|beds"]),
        ("![a pic][ref]\n\nBeds.\n\n[ref]: x.png", ["Paragraph Beds."]),
        ('<img src="x.png" width="20">\n\nBeds.', ["Paragraph Beds."]),
        ('<p>Warm <img src="x.png"> beds.</p>', ["Paragraph Warm beds."]),
        ('A <img src="x.png"/> bed.', ["Paragraph A bed."]),
        ("![[x.png|200]]\nBeds.", ["Paragraph Beds."]),
        ("![[x.png|a|100x50]] ![](y.png)\n\nBeds.", ["Paragraph Beds."]),
        (f"## {PICTURE} Rooms\n\nBeds.", ["Heading Rooms", "Paragraph Beds."]),
        (f"## {PICTURE}\n\nBeds.", ["Paragraph Beds."]),
        ("[![a](x.png)](https://example.org)\n\nBeds.", ["Paragraph Beds."]),
        (f"**{PICTURE}**\n\nBeds.", ["Paragraph Beds."]),
        (f"1. {PICTURE}\n2. beds", ["List beds"]),
        (f"- [ ] {PICTURE}\n- [x] beds", ["List beds"]),
        (f"{PICTURE}\n\n```\n# not a heading\n\n![[y.png]]\n```", ["CodeBlock # not a heading ![[y.png]]"]),
        (f"```ad-note\ntitle: House\n{PICTURE}\nBeds.\n```", ["Callout House|Beds."]),
    ],
)
def test_p16_no_trace_of_a_picture_remains_in_the_text(tmp_path: Path, text: str, blocks: list[str]) -> None:
    found, words = body(tmp_path, text)
    assert found == blocks
    assert "[!" not in words and "](" not in words and "[picture" not in words


@pytest.mark.slow
def test_p16_card_content_is_drawn_like_on_a_sheet(tmp_path: Path) -> None:
    text = f"""{PICTURE}

> [!INFO] House rule
> Hush.
>
> > [!warning]
> > Rats.

| Bed | Cost |
|---|---|
| straw | `2` |

See [[Lore|the lore]][^1], ==loud== and H~2~O.

![[Lore]]

```
a

b
```

[^1]: A note.
"""
    (tmp_path / "Lore.md").write_text("- Old.\n", "utf-8")
    _, words = body(tmp_path, text)
    for part in (
        "Info House rule Hush.",
        "Warning Rats.",
        "Bed Cost straw 2",
        "the lore[1], loud",
        "• Old.",
        "1. A note.",
    ):
        assert part in words
