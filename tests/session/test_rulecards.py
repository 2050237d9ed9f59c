"""Cards that a rule note names and its deck lacks."""

from pathlib import Path

import pytest

from tests.compendium.making import problems
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit import resources
from vaultkit.cards.deck import known_deck
from vaultkit.errors import Problem
from vaultkit.vault import Vault


def deck(*without: str, **renamed: str) -> str:
    """Return a Tarokka deck note without some cards (by name) and with others renamed (by id)."""
    known = known_deck("tarokka")
    assert known is not None
    cards = [
        f"### {renamed.get(card.id, card.name)}\n" + (f"*{card.rank} of {card.suits[0]}*\n" if card.suits else "")
        for card in known
        if card.name not in without
    ]
    return "---\nvaultkit-deck: tarokka\n---\n# Tarokka\n\n## Cards\n\n" + "\n".join(cards)


def card_problems(folder: Path, rules: str, decks: str = "", paths: list[str] | None = None) -> list[Problem]:
    vault = make_files(
        folder, {"Dragon Citadel.md": rules, "Deck.md": decks} if decks else {"Dragon Citadel.md": rules}
    )
    return [problem for problem in problems(vault, paths) if problem.code == "rule-card"]


def test_card_missing_from_the_deck_is_reported_where_it_is_first_named(tmp_path: Path) -> None:
    (problem,) = card_problems(tmp_path, "é Ghost\n\n😀 the **Ravens**, a Raven, Seer", deck("Raven"))
    assert (problem.note, problem.line, problem.column) == ("Dragon Citadel.md", 3, 9)
    assert (problem.severity, problem.message) == (
        "warning",
        Says("Ravens", "tarokka", "vault lacks"),
    )
    assert "'Deck.md'" in problem.hint


@pytest.mark.parametrize(
    "rules",
    ["a raven", "# Raven", "`Raven`", "[[Deck#Raven]] [Raven](Deck.md)", "%% Raven %%", "Ravenous", "two ravens"],
)
def test_plain_text_that_is_not_a_card_name_is_not_a_problem(tmp_path: Path, rules: str) -> None:
    assert card_problems(tmp_path, rules, deck("Raven")) == []


def test_a_whole_deck_has_no_problem(tmp_path: Path) -> None:
    assert card_problems(tmp_path, "Raven, Hooded One, Masters of Arms", deck()) == []


def test_vault_without_a_deck_of_that_kind_is_not_checked(tmp_path: Path) -> None:
    assert card_problems(tmp_path, "Raven, Seer") == []
    assert card_problems(tmp_path, "Raven, Seer", "---\nvaultkit-deck: birds\n---\n### Owl\n") == []


def test_card_under_another_name_counts_as_present(tmp_path: Path) -> None:
    assert card_problems(tmp_path, "Wizard and Wizards", deck(**{"master-stars": "Zauberin"})) == []


def test_a_name_that_the_deck_gives_to_another_card_is_not_a_problem(tmp_path: Path) -> None:
    renamed = deck("Raven", **{"1-swords": "Raven of War", "2-swords": "Rav"})
    assert [problem.message[:8] for problem in card_problems(tmp_path, "Raven of War; Raven", renamed)] == ["'Raven' "]
    assert card_problems(tmp_path, "the Master Thief", deck("Thief", **{"master-coins": "Master Thief"})) == []


def test_card_with_mistakes_is_reported_only_in_its_deck(tmp_path: Path) -> None:
    wrong = deck().replace("*1 of Swords*", "*1 of Sords*")
    assert card_problems(tmp_path, "Avenger", wrong) == []
    assert "card-suit" in [problem.code for problem in problems(Vault(tmp_path))]


def test_hint_names_a_card_of_the_gm_with_a_similar_name(tmp_path: Path) -> None:
    (problem,) = card_problems(tmp_path, "Hooded One", deck("Hooded One", **{"master-stars": "Hooded Ones' Queen"}))
    assert problem.hint == Says("mean", "Hooded Ones", "Queen")


def test_one_of_several_decks_with_the_card_is_enough(tmp_path: Path) -> None:
    make_files(tmp_path, {"Second.md": deck()})
    assert card_problems(tmp_path, "Raven", deck("Raven")) == []


def test_only_requested_rule_notes_are_checked(tmp_path: Path) -> None:
    other = "---\nvaultkit-game: dragon-citadel\n---\nThe Raven.\n"
    make_files(tmp_path, {"House rules.md": other, "Diary.md": "The Raven came."})
    found = card_problems(tmp_path, "Raven", deck("Raven"))
    assert [problem.note for problem in found] == ["Dragon Citadel.md", "House rules.md"]
    assert [problem.note for problem in card_problems(tmp_path, "Raven", deck("Raven"), ["House rules.md"])] == [
        "House rules.md"
    ]


@pytest.mark.slow
def test_example_vault_has_no_rule_card_problem() -> None:
    assert problems(Vault(resources.shipped_folder("vault-example"))) == ()
