"""The command `vaultkit learn GAME`, which lets a person play through the examples of a rule note."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument

from vaultkit.cli import play_modes
from vaultkit.cli.context import CommandContext, with_options
from vaultkit.cli.output import print_document, print_remarks, terminal
from vaultkit.errors import InvalidError

if TYPE_CHECKING:
    from vaultkit.session.examples.parser import Example


@with_options
def learn(
    desk: CommandContext,
    game: Annotated[str, Argument(help="A game by id or title.")],
    script: play_modes.ScriptOption = None,
    plain: play_modes.PlainOption = False,
    ascii_only: play_modes.AsciiOption = False,
    table: play_modes.TableOption = False,
) -> None:
    """Learn a game by playing the examples in its rule note.

    You have the first seat. The note's words explain every question; mistakes are shown and taken back. Nothing is
    saved. To write examples, see docs/rule-notes.md.

    For example: vaultkit learn propheta
    """
    from vaultkit.campaign.game_notes import GameNotes
    from vaultkit.campaign.lessons import examples_for
    from vaultkit.campaign.play_request import ScreenRequest
    from vaultkit.session.examples.parser import Example

    ScreenRequest(script, plain, ascii_only, table).check()
    notes = GameNotes.from_name(desk.workspace, game)
    if desk.as_json:
        examples = examples_for(notes)
        errors = [example for example in examples if isinstance(example, InvalidError)]
        print_remarks(*(f"Left out: {error.where}: {error.message}" for error in errors))
        print_document([_example_document(example) for example in examples if isinstance(example, Example)])
    elif table:
        from vaultkit.web.browser_game import teach_at_table

        teach_at_table(notes, play_modes.table_launcher(desk.workspace, notes.deck_note))
    else:
        from vaultkit.terminal.lesson_view import teach

        teach(notes, terminal(), script, plain=plain, ascii_only=ascii_only)


def _example_document(example: "Example") -> dict[str, object]:
    """Return an example as a JSON document."""
    content = example.content
    return {"note": example.path, "line": example.line, "heading": example.heading, "say": content.say,
            "seats": content.seats, "moves": content.moves}  # fmt: skip
