"""Suggestions for what to do in a vault now: games to resume or to log, then playing, printing and checking."""

from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.readiness import registered_game_readiness
from vaultkit.campaign.saved_games import saved_games
from vaultkit.campaign.workspace import Workspace
from vaultkit.text import format_count, join_words

MAX_SUGGESTED_GAMES = 3
"""The highest number of games to resume, and also of games to log, that are suggested; the latest come first."""
_SHORT_ID_LENGTH = 4
"""The number of letters at the end of a game's id that identify it in commands."""


@dataclass(frozen=True)
class NextStep:
    """One suggestion in words, and its command."""

    words: str
    command: str


def next_steps(workspace: Workspace) -> Iterator[NextStep]:
    """Yield suggestions: the games to resume, the games to log, then what always applies."""
    games = [game for game in saved_games(workspace.journals) if game.game]
    logged_ids = {str(facts.property(SESSION)) for facts in workspace.vault.note_facts if facts.property(SESSION)}
    running = [game for game in games if game.standing == "running"]
    unlogged = [game for game in games if game.standing == "finished" and game.session not in logged_ids]
    for words, command, found_games in (("go on with", "resume", running), ("log", "log --session", unlogged)):
        for game in found_games[:MAX_SUGGESTED_GAMES]:
            title = workspace.score_sheets.title(game.game or "")
            players = f" with {join_words(game.seats)}" if game.seats else ""
            yield NextStep(f"{words} {title}{players}", f"vaultkit {command} {game.session[-_SHORT_ID_LENGTH:]}")
    ready = [game_readiness for game_readiness in registered_game_readiness(workspace) if game_readiness.ready]
    if ready:
        title = f"one of {format_count(len(ready), 'game')}" if len(ready) > 1 else ready[0].title
        yield NextStep(f"play {title}", "vaultkit play")
        printable = next((game_readiness for game_readiness in ready if game_readiness.rule_note), ready[0])
        yield NextStep("print a score sheet", f"vaultkit print scores {printable.id}")
    else:
        yield NextStep("get a game's rules and deck", "vaultkit init --with dragon-citadel")
    yield NextStep("log a game that you played with real cards", "vaultkit log GAME")
    yield NextStep("look for broken links", "vaultkit check")
