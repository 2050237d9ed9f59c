"""Generator of docs/samples.md: a few moments of each game, copied from the transcripts in `tests/transcripts/`.

Usage: python -m scripts.samples
"""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "samples.md"
TRANSCRIPTS = ROOT / "tests" / "transcripts"
_INTRODUCTION = """# How the games look

A few moments of each game, read off a real terminal; what was typed stands after `›`. These are pieces of whole
evenings, which the tests play again: in a checkout they are in `tests/transcripts/`. `vaultkit demo --story` shows a
game move by move on your own screen.
"""


@dataclass(frozen=True)
class Sample:
    """Excerpts of one transcript. Each piece is the beginning of its first line and the beginning of its last line."""

    title: str
    words: str
    transcript: str
    pieces: tuple[tuple[str, str], ...]


SAMPLES = (
    Sample(
        "Dragon Citadel",
        "The party against the dealer, hands open. `?` reads the rule of the moment out of the GM's own note.",
        "an-evening",
        (("── Dragon Citadel · round 1", "Ysolde, for all › ?"),),
    ),
    Sample(
        "Prophet's Gambit",
        "Hands are secret, so the screen is handed round, and wiped before the next one looks. What is typed"
        "\nmay be a letter or a few words.",
        "prophets-gambit",
        ((" Bram keeps the Fate.", "Bram › diviner"),),
    ),
    Sample(
        "Deck of Destiny",
        "A character stakes cards on an encounter. The best hand so far stands beside them.",
        "deck-of-destiny",
        (
            ("Nettle Ashdown › 9 clubs", "Nettle Ashdown › go"),
            ("Nettle Ashdown › 6 of", "Nettle Ashdown › hide"),
        ),
    ),
    Sample(
        "Propheta",
        "A trick fulfils prophecies that lie face down; each player is asked alone.",
        "propheta",
        ((" Your prophecies  ♉ Scrap II  f ♋", " Bram turns up the ♋ Scrap II"),),
    ),
    Sample(
        "Turn of Fate",
        "With `--story` the players tell what happens, and their words go into the game's note.",
        "turn-of-fate",
        (("── Turn of Fate · turn 2", "    The lake rises"),),
    ),
    Sample(
        "After the game",
        "The game of Dragon Citadel above was cut off with `kill -9` and went on with `vaultkit resume`. This is how it"
        "\nends, what git says has changed in the vault, and how it is taken back.",
        "an-evening",
        (("Score Sheet", "  Corvina"), ("Written: Games", "Written: Campaign Log"), ("$ git diff", "(nothing)")),
    ),
)  # fmt: skip


def page() -> str:
    """Return the text of docs/samples.md. Raises ValueError if a piece is no longer in its transcript."""
    return "\n".join([_INTRODUCTION, *map(_section, SAMPLES)])


def _section(sample: Sample) -> str:
    lines = (TRANSCRIPTS / f"{sample.transcript}.md").read_text(encoding="utf-8").splitlines()
    text = "\n\n...\n\n".join("\n".join(_piece(lines, *ends)) for ends in sample.pieces)
    return f"## {sample.title}\n\n{sample.words}\n\n````text\n{text}\n````\n"


def _piece(lines: list[str], first: str, last: str) -> list[str]:
    begin = _index(lines, first, 0)
    return lines[begin : _index(lines, last, begin) + 1]


def _index(lines: list[str], words: str, start: int) -> int:
    for number, line in enumerate(lines[start:], start):
        if line.startswith(words):
            return number
    raise ValueError(f"No line begins with '{words}'.")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
