"""From what a person types to the note of a game that has rewards."""

import re
from collections.abc import Sequence
from datetime import date

from vaultkit.campaign.played import PlayedGame, played_games
from vaultkit.errors import MissingNote, NothingFound, UsageError
from vaultkit.vault import Vault

GAME = "dragon-citadel"
TITLE = "Dragon Citadel"


def find_game(vault: Vault, wanted: str, party: Sequence[str] = ()) -> PlayedGame:
    """The game that `wanted` means: a session id, its last letters, or the name or path of its note.

    "" is for the newest of Dragon Citadel; `party` are the players of the settings. Raises NothingFound with a
    suggestion, and UsageError for another game.
    """
    games = tuple(played_games(vault, party))
    if not wanted.strip():
        return _newest([game for game in games if has_rewards(game)], vault)
    found = _by_id(games, wanted.strip().casefold()) or _by_note(vault, games, wanted)
    if found is None:
        raise NothingFound(
            f"There is no note of a game '{wanted}'.", where=str(vault.root), hint=_hint(vault, games, wanted)
        )
    if not has_rewards(found):
        raise UsageError(
            f"Only {TITLE} has rewards, and this was {found.title}.",
            where=found.note,
            hint="Without a name, the newest game of Dragon Citadel is taken: vaultkit rewards",
        )
    return found


def has_rewards(game: PlayedGame) -> bool:
    """Whether it is Dragon Citadel; the session tells it where the note has lost its tag."""
    return game.game == GAME or (not game.game and f"-{GAME}-" in game.session)


def _newest(games: Sequence[PlayedGame], vault: Vault) -> PlayedGame:
    if not games:
        raise NothingFound(
            f"No game of {TITLE} has a note in this vault yet.",
            where=str(vault.root),
            hint="Play one with: vaultkit play dragon-citadel. One at the table is written down with: "
            "vaultkit log dragon-citadel",
        )
    return max(games, key=lambda game: (game.date or date.min, _in_order(game.note)))


def _in_order(path: str) -> tuple[tuple[str, int], ...]:
    """A path by which the tenth game of a day comes after the ninth."""
    return tuple((words, int(number or 0)) for words, number in re.findall(r"([^0-9]*)([0-9]{0,18})", path))


def _by_id(games: Sequence[PlayedGame], wanted: str) -> PlayedGame | None:
    """Raises UsageError if several end so."""
    same = [game for game in games if game.session.casefold() == wanted]
    found = same or [game for game in games if game.session.casefold().endswith(wanted)]
    if len(found) > 1:
        listed = " or ".join((game.note if same else game.session) for game in found[:4])
        raise UsageError(f"Several games are meant by '{wanted}'.", hint=f"Name one: {listed}")
    return found[0] if found else None


def _by_note(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> PlayedGame | None:
    try:
        note = vault.find(wanted)
    except MissingNote:
        return None
    found = next((game for game in games if game.note == note.path), None)
    if found is None:
        raise NothingFound(
            "This is not the note of a game.", where=note.path, hint="It has no property vaultkit-session."
        )
    return found


def _hint(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> str:
    from difflib import get_close_matches

    journals = vault.root / ".vaultkit" / "journals"
    played = [path.stem for path in journals.glob("*.jsonl") if path.stem.casefold().endswith(wanted.casefold())]
    if len(played) == 1:
        return f"That game has no note yet. Write it with: vaultkit log --session {played[0]}"
    known = [game for game in games if has_rewards(game)]
    names = {name.casefold(): name for game in known for name in (game.session, game.note)}
    names |= {game.session[-4:].casefold(): game.session for game in known}
    names |= {game.note.rpartition("/")[2].removesuffix(".md").casefold(): game.note for game in known}
    near = get_close_matches(wanted.casefold(), names, n=1)
    if near:
        return f"Did you mean '{names[near[0]]}'?"
    return "Without a name, the newest game of Dragon Citadel is taken: vaultkit rewards"
