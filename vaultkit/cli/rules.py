"""`vaultkit rules GAME`: the GM's own rule note, or one of our rulings, in the terminal."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import document, markdown
from vaultkit.compendium import rulenote
from vaultkit.errors import InvalidError
from vaultkit.games.registry import GameInfo, find


def rules(
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    ruling: Annotated[str | None, typer.Option("--ruling", help="A numbered ruling, such as DC-12.")] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read a game's rule note, or one numbered ruling."""
    info = find(game)
    if ruling:
        _show_ruling(ruling, as_json)
    else:
        _show_note(info, Workspace.open(vault), as_json)


def _show_ruling(number: str, as_json: bool) -> None:
    found = rulenote.ruling(number)
    if as_json:
        document({"ruling": found.id, "title": found.title, "text": found.text})
    else:
        markdown(f"# {found.id}: {found.title}\n\n{found.text}")


def _show_note(info: GameInfo, workspace: Workspace, as_json: bool) -> None:
    found = workspace.rule_note(info)
    if found is None:
        raise InvalidError(
            f"This vault has no rule note for {info.title}.",
            where=str(workspace.root),
            hint=f"Copy ours in with: vaultkit init --with {info.id}",
        )
    if as_json:
        options = dict(found.options)
        document({"game": info.id, "note": found.note.path, "options": options, "text": found.note.body})
    else:
        markdown(found.note.body)


app = new_app(rules)
