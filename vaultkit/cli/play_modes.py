"""The choice between playing at the terminal and in the browser, with or without phones."""

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from typer import Option

from vaultkit.cli.output import MESSAGES, print_error, terminal

if TYPE_CHECKING:
    from vaultkit.campaign.play_request import ScreenRequest
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.compendium import DeckNote
    from vaultkit.web.startup import TableLauncher

ScriptOption = Annotated[str | None, Option("--script", help="Read moves from a file, one per line; - for stdin.")]
PlainOption = Annotated[bool, Option("--plain", help="Plain lines for screen readers.")]
AsciiOption = Annotated[bool, Option("--ascii", help="Letters instead of suit symbols.")]
TableOption = Annotated[
    bool, Option("--table", help="Use the browser as a shared table; only this computer can reach it.")
]
PhonesOption = Annotated[bool, Option("--phones", help="Hands on phones in your network (experimental).")]
AddressOption = Annotated[str | None, Option("--address", help="With --phones: this computer's address for phones.")]


def table_launcher(workspace: "Workspace", deck: "DeckNote", session: str = "", phones: str = "") -> "TableLauncher":
    """Return the launcher of a browser table for games with this deck.

    The saved table of a `session` is reopened. `phones` is the address for phones, "" if phones are not used.
    """
    from vaultkit.theme.model import theme_from_settings
    from vaultkit.web.card_images import card_image_makers, page_files
    from vaultkit.web.card_picker import index_image_makers
    from vaultkit.web.saved_tables import SavedTable
    from vaultkit.web.startup import TableLauncher

    MESSAGES.release()  # people read the address while the game goes on, with --json too
    saved_table = SavedTable.of_session(session) if session else None
    web_files = dict(page_files(workspace, deck.deck.kind, print_error))
    if not phones:  # with which nobody names real cards
        theme = theme_from_settings(workspace.root, workspace.settings.print)
        web_files |= index_image_makers(deck.deck, theme)
    images = card_image_makers(workspace, deck)
    return TableLauncher(print_error, sys.stderr.isatty(), images, saved_table, web_files, phones)


def choose_phone_address(request: "ScreenRequest") -> str:
    """Return the address that phones use, or "" without phones.

    It is the requested one, or else the only address of this computer, or else the one that a person chooses.
    """
    if not request.phones:
        return ""
    from vaultkit.terminal.confirmations import line_asker
    from vaultkit.web.server import choose_address

    ask = line_asker(partial(terminal, stderr=True)) if sys.stderr.isatty() else None

    def pick(addresses: Sequence[str]) -> str:
        assert ask, "it is only called if somebody can answer"
        return ask(f"Which address do phones use: {', '.join(addresses)} [{addresses[0]}]: ") or addresses[0]

    return choose_address(request.address, pick if ask else None)
