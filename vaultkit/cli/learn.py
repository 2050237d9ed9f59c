"""`vaultkit learn GAME`: the examples of a rule note, one after the other, to be played along."""

from typing import Annotated

import typer

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.cli.common import Desk, with_options
from vaultkit.cli.output import document, terminal
from vaultkit.cli.play import AsciiOption, PlainOption, ScriptOption
from vaultkit.session.examples import Example


@with_options
def learn(
    desk: Desk,
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    script: ScriptOption = None,
    plain: PlainOption = False,
    ascii_only: AsciiOption = False,
) -> None:
    """Learn a game from the examples in its rule note, playing along.

    You have the first seat. Every question is explained in the words of the note; a move that is a mistake is shown
    and taken back. Nothing is saved. docs/rule-notes.md tells how to write examples of your own.

    For example: vaultkit learn propheta
    """
    from vaultkit.play.lesson import examples_for, teach

    notes = GameNotes.of(desk.workspace, game)
    examples = examples_for(notes)
    if desk.as_json:
        document([_row(one) for one in examples])
        return
    teach(notes, examples, terminal(), script, plain=plain, ascii_only=ascii_only)


def _row(example: Example) -> dict[str, object]:
    """An example as the command-line contract has it."""
    content = example.content
    return {"note": example.path, "line": example.line, "heading": example.heading, "say": content.say,
            "seats": content.seats, "moves": content.moves}  # fmt: skip
