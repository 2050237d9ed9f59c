"""Checks of decks, spreads, inventories and roll tables for `vaultkit check`."""

from collections.abc import Iterator
from dataclasses import replace

from vaultkit import resources
from vaultkit.compendium.decks import markers
from vaultkit.errors import Problem
from vaultkit.vault import Note
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.tables import may_have_rolls

# The readers of decks, spreads and tables are imported late, since few vaults need them.


def _decks(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of decks, except problems of the frontmatter, which another check reports."""
    if not any(map(markers.is_marked, selection.vault.note_facts)):
        return
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks import table_rows

    for deck in selection.get_shared(Compendium).decks:
        problems = (*deck.problems, *(table_rows.problems(deck.note) if deck.headed else ()))
        yield from (
            problem for problem in problems if problem.code != "frontmatter" and problem.note in selection.notes
        )


def _spreads(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of spreads.

    A spread in a file is reported by its path in the vault, and only if the whole vault is checked.
    """
    files = resources.own_folder("print", selection.vault.root) / "spreads"
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


def _inventories(selection: CheckScope) -> Iterator[Problem]:
    if "destiny-inventory" in selection.property_names:
        from vaultkit.compendium import inventories
        from vaultkit.compendium.compendium import Compendium

        yield from inventories.problems(selection.get_shared(Compendium), selection.notes)


def _tables(note: Note) -> tuple[Problem, ...]:
    from vaultkit.compendium.tables import roll_table

    return roll_table.problems(note)


_ERRORS = (
    "card-missing", "card-unknown", "card-twice", "card-line", "card-suit", "card-rank", "card-facts", "card-words",
    "deck-empty",
)  # fmt: skip
_WARNINGS = ("card-columns", "card-image", "deck-property", "deck-kind", "deck-several")
_OF_TABLES = ("table-row", "table-range", "table-overlap", "table-gap", "table-roll")

CHECKS = (
    *(Check(code, in_vault=_decks, of_decks=True) for code in _ERRORS),
    *(Check(code, "warning", in_vault=_decks, of_decks=True) for code in _WARNINGS),
    *(Check(code, in_vault=_inventories, of_decks=True) for code in ("inventory-card", "inventory-twice")),
    Check("spread", in_vault=_spreads),
    *(Check(code, "warning", in_note=_tables, quick=may_have_rolls) for code in _OF_TABLES),
)
