"""What is wrong with a vault's decks, rule notes, spreads and inventories. Links are checked with all others.

Roll tables are checked note by note (`inspect`), while a vault is read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vaultkit.compendium import inventories, rulecards
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks import rows
from vaultkit.compendium.rulecards import GameNames
from vaultkit.compendium.spreads.spreads import Spreads
from vaultkit.compendium.tables import rolltable
from vaultkit.errors import Problem
from vaultkit.vault import Note
from vaultkit.vault.checking import check as vault_check


def check(
    compendium: Compendium, paths: Sequence[str] | None = None, games: Iterable[GameNames] = ()
) -> tuple[Problem, ...]:
    """The problems of decks, rules of `games`, spreads and inventories among `paths`, notes and folders, else of all.

    Spreads that are files in `.vaultkit` count among all alone.
    """
    chosen = vault_check.selected(compendium.vault, paths)
    decks = (problem for problem in _deck_problems(compendium) if problem.note in chosen)
    games = tuple(games)
    rules = (*rulecards.card_problems(compendium, games, chosen), *rulecards.option_problems(compendium, games, chosen))
    spreads = (problem for problem in _spread_problems(compendium) if paths is None or problem.note in chosen)
    held = inventories.problems(compendium, chosen)
    return tuple(sorted((*decks, *rules, *spreads, *held)))


def inspect(note: Note) -> Iterable[Problem]:
    """What is wrong with the roll tables of a note; to be asked while a vault is read."""
    return rolltable.problems(note)


def _spread_problems(compendium: Compendium) -> Iterator[Problem]:
    """A spread that is a file goes by its path in the vault."""
    spreads = Spreads(compendium.vault)
    _ = spreads.all  # fills its problems
    for problem in spreads.problems:
        is_file = problem.note.endswith(".toml")
        yield replace(problem, note=f".vaultkit/print/{problem.note}") if is_file else problem


def _deck_problems(compendium: Compendium) -> Iterator[Problem]:
    """Without those of the frontmatter, which the vault's own check tells."""
    for deck in compendium.decks:
        yield from (problem for problem in deck.problems if problem.code != "frontmatter")
        if deck.headed:
            yield from rows.problems(deck.note)
