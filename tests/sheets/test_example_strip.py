"""Examples of rule notes on paper: a strip of cards with a sentence, instead of a block of code."""

from pathlib import Path

import pytest

from tests.sheets.lint import problems, tagged_text
from tests.vault.making import make_files
from vaultkit.sheets.example_strip import StripMaker
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.rules.rule_sheet import print_rules

TRICK = """seats = ["Ysolde", "Bram"]
turn = "Ysolde"
say = "Cardinal comes before Fixed."
moves = ["Ysolde: play Leo Lion", "Bram: play Aries Ram"]
expect = ["event: {} wins the trick"]
[cards]
hand.Ysolde = ["Leo Lion", "Leo Ribbon"]
hand.Bram = ["Aries Ram", "Aries Ribbon"]
"""


@pytest.mark.parametrize(("winner", "cards"), [("Bram", ["Ysolde: Leo Lion", "Bram: Aries Ram"]), ("Ysolde", [])])
def test_an_example_is_a_strip_of_the_cards_played_with_a_sentence(
    tmp_path: Path, winner: str, cards: list[str]
) -> None:
    """An example is printed as the cards played with a sentence; a wrong one has its own words alone."""
    vault = make_files(tmp_path / "v", {"Propheta.md": f"# Propheta\n\n```play\n{TRICK.format(winner)}```\n"})
    out = tmp_path / "out.pdf"
    print_rules(vault.read("Propheta.md"), vault, PrintJob("a4", out))
    tie = "(of equal cards, Cardinal before Fixed)"
    said = f"Bram wins the trick with the Aries Ram {tie}, which fulfils Fire (one element)." if cards else ""
    assert tagged_text(out)[1:] == [*cards, f"Example. Cardinal comes before Fixed. {said}".strip()]
    assert problems(out) == []


def test_unreadable_block_is_printed_as_code(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Propheta.md": "# Propheta\n\n```play\nmoves = [\n```\n"})
    assert StripMaker(vault.read("Propheta.md"), vault).make("moves = [") is None
