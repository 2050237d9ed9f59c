"""Where a game is played: at this terminal, or in the browser, with hands on phones or without."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.output import complain

if TYPE_CHECKING:
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.compendium import DeckNote
    from vaultkit.table.opening import Opening

ScriptOption = Annotated[
    str | None, typer.Option("--script", help="A file with moves, one a line, instead of a person; - reads stdin.")
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="One fact a line, no colours or symbols: for screen readers.")
]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Letters instead of the signs of suits.")]
TableOption = Annotated[
    bool, typer.Option("--table", help="In the browser, for all to see; nothing but this computer can reach it.")
]
PhonesOption = Annotated[
    bool, typer.Option("--phones", help="With --table: hands on phones in your own network (experimental).")
]
AddressOption = Annotated[
    str | None, typer.Option("--address", help="With --phones: which of this computer's addresses phones use.")
]


def check_table(script: str | None, plain: bool, ascii_only: bool) -> None:
    """Raise UsageError for what is for the terminal alone."""
    from vaultkit.table import playing

    playing.check_table(script=script, plain=plain, ascii=ascii_only)


def opening(workspace: "Workspace", deck: "DeckNote", session: str = "", phones: str = "") -> "Opening":
    """A table in the browser for games with this deck; that of a `session` can be opened again.

    `phones` is the address at which phones may come in, "" where none may.
    """
    from vaultkit.table.faces import pictures, web_files
    from vaultkit.table.opening import Opening
    from vaultkit.table.saved_tables import SavedTable

    kept = SavedTable.of_session(session) if session else None
    web = web_files(workspace, deck.deck.kind, complain)
    return Opening(complain, sys.stderr.isatty(), pictures(workspace, deck), kept, web, phones)


def reached(phones: bool, address: str | None, *, real_cards: bool = False, gm: str | None = None) -> str:
    """The address that phones use, "" without any; asked for before anything is begun.

    It is the one that is named, else the only one, else that which is chosen in the terminal. Raises UsageError for
    what phones cannot show.
    """
    if not (phones or address):
        return ""
    from vaultkit.table.network import choose_address
    from vaultkit.table.playing import check_phones

    def pick(there: Sequence[str]) -> str:
        question = f"Which address do phones use: {', '.join(there)}"
        return str(typer.prompt(question, default=there[0], err=True))

    check_phones(address, phones=phones, real_cards=real_cards, gm=gm)
    return choose_address(address, pick if sys.stdin.isatty() and sys.stderr.isatty() else None)
