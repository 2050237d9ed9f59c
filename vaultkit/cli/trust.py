"""The command `vaultkit trust`, which lets vaultkit use the templates, designs and outside paths of a vault."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from vaultkit.cli.context import CommandContext, DryRunOption, with_options
from vaultkit.cli.output import print_document, print_note, print_result
from vaultkit.cli.undo import confirm
from vaultkit.errors import UsageError
from vaultkit.text import list_first
from vaultkit.trust import is_trusted, trusted_vaults

MAX_LISTED_FILES = 20
"""The maximum number of files that are listed for each kind of content."""


@with_options
def trust(
    desk: CommandContext,
    listing: Annotated[bool, Option("--list", help="List the trusted vaults.")] = False,
    revoked: Annotated[
        bool, Option("--revoke", help="Stop trusting this vault; with --vault, also one that is gone.")
    ] = False,
    yes: Annotated[bool, Option("--yes", help="Skip the question.")] = False,
    dry_run: DryRunOption = False,
) -> None:
    """Trust this vault's templates, designs and outside paths.

    Lists them and asks, once per vault: again after the vault has moved, not after changes. Templates decide what is
    written into your notes; in other vaults vaultkit uses its own.

    For example: vaultkit trust --list, vaultkit trust --revoke
    """
    if listing and revoked:
        raise UsageError("One thing at a time: --list or --revoke.")
    if listing:
        _print_trusted_vaults(desk)
    elif revoked:
        _revoke_trust(desk, dry_run=dry_run)
    else:
        _trust_vault(desk, yes, dry_run=dry_run)


def _trust_vault(desk: CommandContext, yes: bool, *, dry_run: bool) -> None:
    from vaultkit.campaign.trust_report import find_content_needing_trust, grant

    root = desk.workspace.root
    was_trusted, contents = is_trusted(root), find_content_needing_trust(root)
    print_line = print_note if desk.as_json else print_result
    print_line(f"{root} brings{':' if contents else ' nothing that needs trust.'}")
    for kind, names in contents.items():
        print_line(f"  {kind} ({len(names)}): {list_first(names, MAX_LISTED_FILES)}")
    grants = not was_trusted and not dry_run and bool(contents or yes)
    if grants:
        _ask_for_trust(yes)
        grant(root)
    if desk.as_json:
        print_document({"vault": str(root), "brings": contents, "trusted": was_trusted or grants})
    if was_trusted:
        print_note("It is trusted already.")
    elif not contents and not yes:
        print_note("So nothing was changed. To trust what comes later without a question: vaultkit trust --yes")
    elif dry_run:
        print_note("Nothing was changed: this is a dry run.")
    else:
        print_note("It is trusted now. To undo that: vaultkit trust --revoke")


def _ask_for_trust(yes: bool) -> None:
    """Ask whether a person trusts the vault, unless `yes` is True.

    Raises UsageError without a terminal, and Exit if the person declines.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        hint = "Look at what it brings, then: vaultkit trust --yes"
        raise UsageError("This is not a terminal, so you cannot be asked whether you trust this vault.", hint=hint)
    if not confirm("Trust this vault (y/n)? "):
        print_note("It is not trusted, and vaultkit uses its own.")
        raise typer.Exit


def _revoke_trust(desk: CommandContext, *, dry_run: bool) -> None:
    """Revoke the trust in a vault, which may have been deleted, and print the result."""
    from vaultkit.campaign.trust_report import revoke

    root = Path(os.path.realpath(desk.vault_option)) if desk.vault_option else desk.workspace.root
    was_trusted = is_trusted(root) if dry_run else revoke(root)
    if desk.as_json:
        print_document({"vault": str(root), "trusted": dry_run and was_trusted})
    outcome = "would no longer be trusted" if dry_run else "is no longer trusted"
    print_note(f"{root} {outcome if was_trusted else 'was not trusted'}.")


def _print_trusted_vaults(desk: CommandContext) -> None:
    paths = trusted_vaults()
    if desk.as_json:
        print_document([{"vault": path, "there": Path(path).is_dir()} for path in paths])
        return
    for path in paths:
        print_result(path if Path(path).is_dir() else f"{path} (gone)")
    if not paths:
        print_note("No vault is trusted. To trust the one that you are in: vaultkit trust")
