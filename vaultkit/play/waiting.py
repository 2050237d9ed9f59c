"""Waiting for Enter: before a hand is shown, nothing but an empty line goes on."""

from rich.text import Text

from vaultkit.play import commands
from vaultkit.play.sources import Leave
from vaultkit.play.stage import Stage

SEEN = "Press Enter when you have seen it."
HIDDEN = "Hidden. Press Enter to go on."
HELP = "Press Enter alone to go on. Type q to leave; the game is saved. Nothing else shows what is hidden."


def wait(stage: Stage, question: str) -> None:
    """Return after an empty line. Raises Leave where the person leaves."""
    while typed := stage.pause(question):
        command = commands.parse(typed)
        if command and command.verb == "leave":
            raise Leave
        if command and command.verb in {"rule", "help"}:
            stage.show(Text(HELP))
