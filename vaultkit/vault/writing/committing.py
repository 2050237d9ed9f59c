"""The one way in which a command carries out what it plans to write."""

from collections.abc import Callable
from typing import TypeVar

from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.settling import settle
from vaultkit.vault.writing.write import Writer, vault_lock

Planned = TypeVar("Planned")


def carry_out(
    vault: Vault, plan: Callable[[Vault], tuple[Planned, Writer | None]], *, dry_run: bool = False
) -> tuple[Planned, tuple[str, ...]]:
    """What `plan` makes of the vault as it is under its lock, and the vault paths written; with `dry_run` none are.

    So of two commands at once the second sees what the first wrote. A plan without a writer leaves all as it is.
    Raises what `plan` and `Writer.commit` do.
    """
    if dry_run:
        return plan(vault)[0], ()
    with vault_lock(vault.root):
        settle(vault, ())  # A note that was left without its name is to be found.
        planned, writer = plan(vault.afresh())
        written = writer.commit() if writer else ()
    for path in written:
        vault.forget(path)
    return planned, written
