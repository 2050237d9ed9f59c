"""A small vault with a logged game and a logged reading."""

from pathlib import Path

from PIL import Image

from vaultkit.compendium import Compendium
from vaultkit.vault import Vault

DECK = """---
vaultkit-deck: own
---
# Little Deck

| Name | Rank | Suits | Image | Text |
|---|---|---|---|---|
| Heron | 1 | Waves | [[heron.png]] | It waits in the reeds. |
| Otter | 2 | Waves | | It does not wait. |
| Lamp |  |  | | Somebody left it burning. |
"""
SESSION = """---
vaultkit-session: "20261103-propheta-k3f9"
date: 2026-11-03
---
# Propheta, 3 November 2026

> [!success] Ysolde has the highest score
> **At the table:** Ysolde · Bram

## Score sheet

| Player | Total |
|---|---:|
| Ysolde | 7 |
| Bram | 5 |

## How It Went

In round 2 Ysolde wins the [[Little Deck#Heron|Heron]]. My own words: they quarrelled about it.

## Cards That Mattered

- [[Little Deck#Little Deck|Heron]]: won Ysolde 7 points.
- [[Little Deck#Little Deck|Lamp]]: went out.

> [!info]- The record
> - Session `20261103-propheta-k3f9`, seed 4
> - Written by vaultkit
"""
READING = """---
vaultkit-reading: "20261103-reading-4ysv"
spread: "[[Bend]]"
deck: "[[Little Deck]]"
date: 2026-11-03
cards:
  - "Otter (2 of Waves)"
  - "Heron (1 of Waves)"
  - Lamp
---
# The Bend, 3 November 2026

> [!question] Who waits?

## Here

> [!quote] [[Little Deck#Otter|Otter]]
> *what is*
>
> It does not wait.

## There

> [!quote] [[Little Deck#Heron|Heron]]
> ![[heron.png|120]]
>
> It waits in the reeds. And I say so, too.

## Beyond

> [!quote] [[Little Deck#Lamp|Lamp]]
> Somebody left it burning.
"""
SPREAD = """---
vaultkit-spread: [Here, There, Beyond]
vaultkit-shape: ["1 .", ". 2", "3 ."]
deck: Little Deck
---
# The Bend
"""


def recap_vault(root: Path) -> tuple[Vault, Compendium]:
    """Write the vault at `root`."""
    notes = {"Little Deck": DECK, "Games/Propheta 1": SESSION, "Games/Bend 1": READING, "Bend": SPREAD}
    for name, text in notes.items():
        path = root / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    Image.new("RGB", (126, 176), "#224466").save(root / "heron.png")
    vault = Vault(root)
    return vault, Compendium(vault)
