"""`ask` in play: whole passages, shown in pages."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from rich.console import RenderableType
from rich.text import Text

from vaultkit.errors import VaultkitError
from vaultkit.scene.rule_reference import Reference
from vaultkit.search.answer_lines import whole_text
from vaultkit.search.passages import Passage
from vaultkit.terminal import renderables
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.safe_text import strip_controls


def show_answer(words: str, reference: Reference, stage: GameConsole) -> None:
    """Show the first page of the passages that answer a question; after them come the sections that contain them."""
    try:
        passages = reference.ask(words)
    except VaultkitError as error:
        stage.show(Text(strip_controls(error.message_with_hint)))
        return
    parts = [passage for passage in passages if len(whole_text(passage)) > len(passage.text)]
    sections = {passage.heading: replace(passage, text=whole_text(passage)) for passage in parts}
    stage.show_pages(_space_passages(passages, stage), _space_passages([*sections.values()], stage))


def _space_passages(passages: Sequence[Passage], stage: GameConsole) -> list[RenderableType]:
    """Return passages with a free line before each but the first, unless each line is read aloud."""
    gap = () if stage.look.plain else (Text(),)
    return [*chain.from_iterable((*gap, renderables.passage(passage, stage.look)) for passage in passages)][len(gap) :]
