"""What is wrong with a vault's decks and house rules. Links into a deck are checked with all other links."""

from collections.abc import Iterator, Sequence

from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import Problem
from vaultkit.vault import check as vault_check


def check(compendium: Compendium, paths: Sequence[str] | None = None) -> tuple[Problem, ...]:
    """The problems of all decks among `paths`, vault paths of notes and folders, else of all decks."""
    chosen = vault_check.selected(compendium.vault, paths)
    return tuple(sorted(problem for problem in _deck_problems(compendium) if problem.note in chosen))


def _deck_problems(compendium: Compendium) -> Iterator[Problem]:
    """Without those of the frontmatter, which the vault's own check tells."""
    for deck in compendium.decks:
        yield from (problem for problem in deck.problems if problem.code != "frontmatter")
