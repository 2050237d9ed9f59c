"""A recorded game shown again, move by move."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from vaultkit.campaign.logbook import Logbook
from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Outcome
from vaultkit.scene.knowledge import viewers_of, visible_events, visible_steps
from vaultkit.session import Step
from vaultkit.session.journal import Contents
from vaultkit.terminal import renderables
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import Columns, TerminalText

_NUMBER_WIDTH = 4


def show_replay(
    console: Console, game: AnyGame, deck: Deck, contents: Contents, steps: Sequence[Step], *, look: TerminalStyle
) -> None:
    """Show everything that happened, each step with its number; of an unfinished game only what everybody may know."""
    plain, speaker = look.plain, TerminalText(contents.header.names.__getitem__, deck, look)
    if contents.remark:
        console.print(Text(strip_controls(contents.remark), look.style("warning")), soft_wrap=plain)
    if contents.header.real_cards:
        console.print(Text("Played with real cards; people said what was turned."), soft_wrap=plain)
    gm = contents.header.agreement.gm
    if gm:
        console.print(Text(strip_controls(f"{gm} plays the dealer.")), soft_wrap=plain)
    for step in visible_steps(game, contents, steps):
        events = visible_events(viewers_of(contents), [step])
        texts = [renderables.event_text(step, event, speaker) for _, event in events]
        if step.seat is not None and not step.events and (contents.end or not step.move.operands):
            words = speaker.words(game.label(step.move))  # the events are those of the next step
            texts = [Text(f"{speaker.seat(step.seat)}: {words}.")]
        tale = [Text(strip_controls(step.tale), look.style("tale"))] if step.tale else []
        _show_step(console, str(step.n) if texts else "", [*texts, *tale], speaker)
    if contents.end:
        _show_end(console, game, contents.end.outcome, speaker, gm)


def show_entries(console: Console, logbook: Logbook, *, look: TerminalStyle) -> None:
    """Show every entry with its number, and the result of a finished game."""
    speaker = TerminalText(logbook.paper.names.__getitem__, logbook.ledger.deck, look)
    console.print(Text("Played with real cards; people wrote down what decided."), soft_wrap=look.plain)
    for step in logbook.steps:
        texts = [renderables.event_text(step, event, speaker) for event in step.events]
        _show_step(console, str(step.n), texts, speaker)
    if logbook.outcome:
        _show_end(console, logbook.ledger.game, logbook.outcome, speaker)


def _show_end(console: Console, game: AnyGame, end: Outcome, speaker: TerminalText, gm: str = "") -> None:
    console.print()
    for piece in renderables.ending(end, game.score_tables(end), speaker, gm=gm):
        console.print(piece, soft_wrap=speaker.look.plain)


def _show_step(console: Console, number: str, texts: Sequence[Text], speaker: TerminalText) -> None:
    """Show the sentences of a step, the first after its number."""
    for number_text, text in zip((number, *[""] * len(texts)), texts, strict=False):
        if speaker.look.plain:
            console.print(Text(f"{number_text}: " if number_text else "").append_text(text), soft_wrap=True)
        else:
            console.print(Columns([(Text(f"{number_text:>{_NUMBER_WIDTH}}", "dim"), text)], margin=0))
