"""Real cards asked for in the terminal: what the table names at one turn, line by line."""

from rich.text import Text

from vaultkit.games.turn import IllegalMove, Move, Prompt
from vaultkit.play import pages
from vaultkit.play.asking import Asking
from vaultkit.play.board import Board
from vaultkit.play.plain import safe
from vaultkit.scene.real_cards import Naming, naming
from vaultkit.scene.scene import scene_of_screen

_NEWS = 4
"""So many lines are kept for the prompt and the last news."""


def ask(asking: Asking) -> Move | None:
    """The move, once it is whole and meant; None if something was taken back. Raises EOFError where people leave."""
    wanted = naming(asking.session, asking.speaker, asking.seats)
    assert wanted is not None, "only where real cards are to be named"
    if isinstance(asking.turn, Prompt):
        _show_table(asking, asking.turn)
    else:
        asking.stage.show(asking.speaker.text(asking.turn.text, asking.speaker.look.style("question")))
    while not (typed := _line(asking, wanted)) or not _is_whole(asking, wanted, typed):
        if typed is None and _goes_back(asking, wanted):
            return None
    return wanted.move


def _line(asking: Asking, wanted: Naming) -> str | None:
    return asking.line(safe(wanted.question), tuple(map(safe, wanted.spellings)), wanted.words)


def _is_whole(asking: Asking, wanted: Naming, typed: str) -> bool:
    """Whether nothing more is to be named after this."""
    known = wanted.move
    try:
        wanted.say(typed)
    except IllegalMove as error:
        asking.refuse(error.message, safe(wanted.subject))
        return False
    if wanted.move and not known and not asking.is_meant(wanted.move, typed):
        wanted.forget()
    return wanted.is_whole


def _goes_back(asking: Asking, wanted: Naming) -> bool:
    """Forget the card that was named last; before the first one, take back what came before, and whether that was."""
    if forgotten := wanted.back():
        asking.stage.show(Text(f"Not the {safe(asking.session.deck[forgotten].title)}."))
        return False
    return wanted.move is not None or asking.take_back()


def _show_table(asking: Asking, prompt: Prompt) -> None:
    scene, stage = scene_of_screen(asking.session), asking.stage
    if not stage.look.plain:
        stage.show(*Board(scene, (), asking.speaker, stage.console).lines(stage.height - _NEWS))
        return
    stage.heading(f"{asking.speaker.seat(prompt.seat)} decides.")
    asking.show_table()
    if scene.question:
        stage.show(pages.question(scene.question, asking.speaker))
