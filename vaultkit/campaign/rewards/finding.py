"""From what a person types to the note of a game that has rewards."""

from collections.abc import Mapping, Sequence

from vaultkit.campaign.keys import SESSION
from vaultkit.campaign.played import PlayedGame, originals, played_games
from vaultkit.errors import MissingNote, NothingFound, UsageError
from vaultkit.session.ids import by_ending, one_by_ending
from vaultkit.session.store import Store
from vaultkit.vault import Vault
from vaultkit.vault.writing.history.entry import JOURNALS

GAME = "dragon-citadel"
TITLE = "Dragon Citadel"


def find_game(vault: Vault, wanted: str, party: Sequence[str] = ()) -> PlayedGame:
    """The game that `wanted` means: a session id, its last letters, or the name or path of its note.

    "" is for the newest of Dragon Citadel; `party` are the players of the settings. Raises NothingFound with a
    suggestion or with all that are meant, and UsageError for another game.
    """
    games = tuple(played_games(vault, party))
    copied = copies(vault)
    single = [game for game in games if game.note not in copied]
    if not wanted.strip():
        return _newest([game for game in single if has_rewards(game)], vault)
    by_id = {game.session: game for game in single}
    session = one_by_ending(by_id, wanted)
    found = by_id[session] if session else _by_note(vault, games, wanted)
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


def copies(vault: Vault) -> Mapping[str, str]:
    """Notes of a session that another note tells, too, as a sync tool leaves them, by that other note."""
    return originals(vault.note_facts)[1]


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
    return max(games, key=lambda game: game.order)


def _by_note(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> PlayedGame | None:
    try:
        note = vault.find(wanted)
    except MissingNote:
        return None
    found = next((game for game in games if game.note == note.path), None)
    if found is None:
        raise NothingFound("This is not the note of a game.", where=note.path, hint=f"It has no property {SESSION}.")
    return found


def _hint(vault: Vault, games: Sequence[PlayedGame], wanted: str) -> str:
    from difflib import get_close_matches

    played = by_ending(Store(vault.root / JOURNALS).ids(), wanted)
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
