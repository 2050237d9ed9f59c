"""Checks of decks, spreads, inventories and roll tables for `vaultkit check`."""

from collections.abc import Iterator
from dataclasses import replace

from vaultkit import resources
from vaultkit.compendium.decks import markers
from vaultkit.errors import Problem
from vaultkit.vault import Note
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.tables import may_have_roll_tables

# The readers of decks, spreads and tables are imported late, since few vaults need them.


def _check_decks(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of decks, except problems of the frontmatter, which another check reports."""
    if not any(map(markers.is_marked, selection.vault.note_facts)):
        return
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks import table_rows

    for deck in selection.get_shared(Compendium).decks:
        problems = (*deck.problems, *(table_rows.check_headings(deck.note) if deck.headed else ()))
        yield from (
            problem for problem in problems if problem.code != "frontmatter" and problem.note in selection.notes
        )


def _check_spreads(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of spreads.

    A spread in a file is reported by its path in the vault, and only if the whole vault is checked.
    """
    files = resources.vault_folder("print", selection.vault.root) / "spreads"
    if not (files.exists() or "vaultkit-spread" in selection.property_names):
        return
    from vaultkit.compendium.spreads.spreads import Spreads

    spreads = Spreads(selection.vault)
    _ = spreads.all  # fills its problems
    for problem in spreads.problems:
        if problem.note.endswith(".toml") and selection.paths is None:
            yield replace(problem, note=f".vaultkit/print/{problem.note}")
        elif problem.note in selection.notes or selection.paths is None:
            yield problem


def _check_inventories(selection: CheckScope) -> Iterator[Problem]:
    if "destiny-inventory" in selection.property_names:
        from vaultkit.compendium import deck_of_destiny
        from vaultkit.compendium.compendium import Compendium

        yield from deck_of_destiny.check_inventories(selection.get_shared(Compendium), selection.notes)


def _check_tables(note: Note) -> tuple[Problem, ...]:
    from vaultkit.compendium.tables import roll_table

    return roll_table.problems(note)


_DECK_ERROR_CODES = (
    "card-missing", "card-unknown", "card-twice", "card-line", "card-suit", "card-rank", "card-facts", "card-words",
    "deck-empty",
)  # fmt: skip
_DECK_WARNING_CODES = ("card-columns", "card-image", "deck-property", "deck-kind", "deck-several")
_TABLE_WARNING_CODES = ("table-row", "table-range", "table-overlap", "table-gap", "table-roll")

CHECKS = (
    *(Check(code, in_vault=_check_decks, of_decks=True) for code in _DECK_ERROR_CODES),
    *(Check(code, "warning", in_vault=_check_decks, of_decks=True) for code in _DECK_WARNING_CODES),
    *(Check(code, in_vault=_check_inventories, of_decks=True) for code in ("inventory-card", "inventory-twice")),
    Check("spread", in_vault=_check_spreads),
    *(Check(code, "warning", in_note=_check_tables, quick=may_have_roll_tables) for code in _TABLE_WARNING_CODES),
)
