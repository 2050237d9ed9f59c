"""The command `vaultkit ask WORDS`, which finds the few passages that answer a question during a game."""

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from vaultkit.cli.context import IndexedContext, with_options
from vaultkit.cli.output import print_document, print_lines, print_note

if TYPE_CHECKING:
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.games.options import Options
    from vaultkit.games.registry import GameInfo
    from vaultkit.search.passages import Passage


@with_options
def ask(
    desk: IndexedContext,
    words: Annotated[
        list[str],
        Argument(help="A name, heading, card, ruling number or question."),
    ],
    *,
    more: Annotated[bool, Option("--more", help="Print whole sections.")] = False,
) -> None:
    """Find what your notes say about a name or a question.

    Prints up to eight lines of your notes and decks with links, exact names first. For games in your vault, or a game
    that you name, vaultkit's rulings are searched too.

    For example: vaultkit ask raven, vaultkit ask "who runs the Drowned Chapel?", vaultkit ask DC-12
    """
    from vaultkit.search.answer_lines import is_cut, lines
    from vaultkit.search.answers import Answers

    workspace = desk.workspace
    find_options = partial(_find_options, workspace)
    answers = Answers(workspace.compendium, find_options, language_code=workspace.settings.ask.language)
    passages = answers.ask(" ".join(words))
    if desk.as_json:
        print_document({"passages": [_passage_document(passage) for passage in passages]})
        return
    width = shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else 0
    print_lines("\n".join(lines(passages, width, whole=more)))
    if not more and is_cut(passages, width):
        print_note("Add --more for whole sections.")


def _find_options(workspace: "Workspace", info: "GameInfo") -> "Options":
    from vaultkit.campaign.house_rules import option_values_if_set  # not needed in a vault without games

    return option_values_if_set(workspace, info)


def _passage_document(passage: "Passage") -> dict[str, str | None]:
    """Return a passage as a JSON document, with null for values that do not apply."""
    return {name: getattr(passage, name) or None for name in ("text", "note", "heading", "ruling", "card")}
