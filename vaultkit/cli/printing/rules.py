"""`vaultkit print rules`: any note as a rule sheet."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption
from vaultkit.cli.printing.press import OpenOption, OutOption, PaperOption, Press


def rules(
    note: Annotated[str, typer.Argument(help="Any note, by its name, path, title or alias.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A rule sheet from any note."""
    from vaultkit.sheets.notes import print_rules

    press = Press.of(vault, paper, out)
    found = press.workspace.vault.find(note)
    place = press.place(f"{found.name}-rules")
    press.tell(
        print_rules(found, press.workspace.vault, paper=press.paper, out=place, theme=press.theme), opened, as_json
    )
