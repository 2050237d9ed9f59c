"""The command `vaultkit ask WORDS`, which finds the few passages that answer a question during a game."""

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from vaultkit.cli.context import IndexedCommandContext, with_options
from vaultkit.cli.output import print_document, print_lines

if TYPE_CHECKING:
    from vaultkit.search.passages import Passage


@with_options
def ask(
    desk: IndexedCommandContext,
    words: Annotated[
        list[str], typer.Argument(help="A card, a question, or the number of a ruling; name a game if others know it.")
    ],
) -> None:
    """Ask what a card does, or what a rule says.

    Your rule notes, your decks and our rulings answer in at most eight lines, each with its place, and with the house
    rules that are in force. Words may stand in any order; a game that is named answers first.

    For example: vaultkit ask prophets-gambit raven, vaultkit ask "tie for lowest", vaultkit ask DC-12
    """
    from vaultkit.campaign.house_rules import values_if_set
    from vaultkit.search.answer_lines import lines
    from vaultkit.search.answers import Answers

    workspace = desk.workspace
    passages = Answers(workspace.compendium, partial(values_if_set, workspace)).ask(" ".join(words))
    if desk.as_json:
        print_document({"passages": [_passage_document(passage) for passage in passages]})
    else:
        print_lines("\n".join(lines(passages, shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else 0)))


def _passage_document(passage: "Passage") -> dict[str, str | None]:
    """Return a passage as a JSON document, with null for values that do not apply."""
    return {name: getattr(passage, name) or None for name in ("text", "note", "heading", "ruling", "card")}
