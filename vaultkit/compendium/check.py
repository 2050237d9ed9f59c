"""What is wrong with a vault's decks and rule notes. Links to them are checked with all other links.

Roll tables are checked note by note (`inspect`), while a vault is read.
"""

from collections.abc import Iterable, Iterator, Sequence

from vaultkit.compendium import rolltable, rows, rulecards
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.rulecards import GameNames
from vaultkit.errors import Problem
from vaultkit.vault import Note
from vaultkit.vault.checking import check as vault_check


def check(
    compendium: Compendium, paths: Sequence[str] | None = None, games: Iterable[GameNames] = ()
) -> tuple[Problem, ...]:
    """The problems of decks and of the rules of `games` among `paths`, notes and folders, else of all."""
    chosen = vault_check.selected(compendium.vault, paths)
    decks = (problem for problem in _deck_problems(compendium) if problem.note in chosen)
    rules = rulecards.problems(compendium, games, chosen)
    return tuple(sorted((*decks, *rules)))


def inspect(note: Note) -> Iterable[Problem]:
    """What is wrong with the roll tables of a note; to be asked while a vault is read."""
    return rolltable.problems(note)


def _deck_problems(compendium: Compendium) -> Iterator[Problem]:
    """Without those of the frontmatter, which the vault's own check tells."""
    for deck in compendium.decks:
        yield from (problem for problem in deck.problems if problem.code != "frontmatter")
        if deck.headed:
            yield from rows.problems(deck.note)
