"""What the notes of games say that cannot be, or that they say in two ways: told, and counted as best it can be."""

import re
from collections.abc import Iterable, Iterator

from vaultkit.campaign.keys import SCORE, SESSION
from vaultkit.campaign.played import PlayedGame, number
from vaultkit.campaign.scoretable import other_totals
from vaultkit.errors import InvalidError, MissingNote, Problem
from vaultkit.vault import Vault
from vaultkit.vault.facts import Facts
from vaultkit.vault.places import Places


def doubtful(vault: Vault, notes: Iterable[Facts], games: Iterable[PlayedGame]) -> Iterator[Problem]:
    """What notes say that cannot be, or not be meant; `games` are what was read of them."""
    for facts, game in zip(notes, games, strict=True):
        yield from (problem for problem in facts.problems if problem.code == "frontmatter")
        if game.date is None:
            written = facts.property("date")
            said = f"The date '{written}' cannot be read" if written else "This game has no date"
            hint = "It counts as the first of all. Write the date as 2026-11-03."
            yield _problem(vault, facts.path, "date", f"{said}.", hint)
        if not game.participants:
            yield _problem(vault, facts.path, "players", "This game names no players.", "List them under 'players'.")
        elif game.strangers:
            said = f"Nobody at the table is called '{game.strangers[0]}', so that win counts for nobody."
            yield _problem(vault, facts.path, "winners", said, "Write winners as they stand under 'players'.")
        yield from _no_numbers(vault, facts)
        for line, said in other_totals(vault, game):
            hint = "The property counts. Correct the one that is wrong."  # here, and in Obsidian's Bases
            yield Problem(game.note, line, 1, "game-total", said, hint, "warning")


def _no_numbers(vault: Vault, facts: Facts) -> Iterator[Problem]:
    """Scores that are no numbers; an empty property is none."""
    for key, value in facts.properties.items():
        if key.lower().startswith(SCORE) and value not in (None, "") and number(value) is None:
            said = f"The score {key} is '{value}', which is no number, so it does not count."
            yield _problem(vault, facts.path, re.escape(key), said, "Write it as a number alone, such as 27.")


def _problem(vault: Vault, path: str, name: str, message: str, hint: str) -> Problem:
    return Problem(path, _line(vault, path, name), 1, f"game-{name}", message, hint, "warning")


def _line(vault: Vault, path: str, name: str) -> int:
    """The line of a property, else that of the session's id; 1 if neither can be found."""
    try:
        note = vault.read(path)
        block = note.text[: note.body_start]
    except (InvalidError, MissingNote):
        return 1
    found = (re.search(rf"^[\"']?{key}[\"']?[ \t]*:", block, re.MULTILINE | re.IGNORECASE) for key in (name, SESSION))
    return next((Places(block).line(match.start()) for match in found if match), 1)
