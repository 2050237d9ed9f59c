"""What is wrong with a vault's decks, roll tables and rule notes. Links to them are checked with all other links."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from vaultkit.compendium import rolltable, rows, rulecards
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.rulecards import GameNames
from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault import Vault
from vaultkit.vault.checking import check as vault_check


def check(
    compendium: Compendium, paths: Sequence[str] | None = None, games: Iterable[GameNames] = ()
) -> tuple[Problem, ...]:
    """The problems of decks, roll tables and the rules of `games` among `paths`, notes and folders, else of all."""
    chosen = vault_check.selected(compendium.vault, paths)
    decks = (problem for problem in _deck_problems(compendium) if problem.note in chosen)
    rules = rulecards.problems(compendium, games, chosen)
    return tuple(sorted((*decks, *_table_problems(compendium.vault, chosen), *rules)))


def _deck_problems(compendium: Compendium) -> Iterator[Problem]:
    """Without those of the frontmatter, which the vault's own check tells."""
    for deck in compendium.decks:
        yield from (problem for problem in deck.problems if problem.code != "frontmatter")
        if deck.headed:
            yield from rows.problems(deck.note)


def _table_problems(vault: Vault, chosen: Collection[str]) -> Iterator[Problem]:
    for path in chosen:
        if vault.facts[path].rolls:
            with suppress(VaultkitError):  # gone since its facts were read
                yield from rolltable.problems(vault.read(path))
