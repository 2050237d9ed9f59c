"""What `check` tells of inventories in characters' notes (DD-2, DD-15)."""

from pathlib import Path

from tests.compendium.making import problems as check
from tests.wording import Says
from vaultkit.errors import Problem
from vaultkit.vault import Vault

ROWS = "| Name | Rank | Suit |\n|---|---|---|\n| Skull | 1 | Grave |\n| Rib | 2 | Grave |\n"
DECK = f"---\nvaultkit-deck: bones\n---\n{ROWS}"


def problems(root: Path, paths: list[str] | None = None, deck: str = DECK, **notes: str) -> tuple[Problem, ...]:
    (root / ".obsidian").mkdir()
    for name, text in {"Bones": deck, **notes}.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    return check(Vault(root), paths)


def held(*entries: str) -> str:
    return "".join(["---\nlevel: 2\ndestiny-inventory:\n", *(f"  - {entry}\n" for entry in entries), "---\n"])


def test_inventories_without_mistakes(tmp_path: Path) -> None:
    assert problems(tmp_path, Pell=held("skull"), Corin=held('"[[Bones#Cards|Rib]]" # hers')) == ()


def test_dd_2_inventory_entry_that_is_not_a_card_is_an_error_with_its_line(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, Pell=held("Rib # a gift", '"Skul"'))
    assert (problem.note, problem.line, problem.code, problem.severity) == ("Pell.md", 5, "inventory-card", "error")
    assert "'Skul'" in problem.message and problem.hint == "Did you mean 'Skull'?"


def test_dd_15_card_in_two_inventories_is_reported_for_the_second(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, Corin=held("Skull"), Pell=held("Rib", "SKULL"))
    assert (problem.note, problem.line, problem.code) == ("Pell.md", 5, "inventory-twice")
    assert problem.message == Says("Skull", "two inventories", "Corin.md")


def test_dd_15_card_named_twice_in_an_inventory_is_reported(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, Pell=held("Skull", "Rib", "skull"))
    assert problem.message == Says("inventory", "names Skull twice") and problem.line == 6


def test_an_inventory_in_one_line(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, Pell="---\ndestiny-inventory: [Skull, Joker]\n---\n")
    assert problem.code == "inventory-card" and problem.line == 2


def test_only_requested_inventories_are_reported(tmp_path: Path) -> None:
    notes = {"Corin": held("Skull", "Bone"), "Pell": held("Skull")}
    assert [problem.note for problem in problems(tmp_path, ["Pell.md"], **notes)] == ["Pell.md"]


def test_inventories_are_not_checked_in_a_vault_without_decks(tmp_path: Path) -> None:
    assert problems(tmp_path, deck="No deck.\n", Pell=held("Skull", "Skull")) == ()
